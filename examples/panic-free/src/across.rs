//! Books at several sites, and requests with a range of lengths.

use core::hint::black_box;

use bookahead::{
    Application, Book, LengthRange, Policy, Site, SiteError, SitePart, Stage,
    raw::{CountParts, PeParts, Ring},
};

use crate::{
    books::{EarlyMemory, LateMemory},
    keep,
    values::{a_handle, a_request, a_slot, a_span},
};

/// A site that may not answer.
struct Remote<'m, 'a, R: Ring>(&'m mut Book<'a, R>);

impl<R: Ring> Site for Remote<'_, '_, R> {
    type Ticket = bookahead::Handle;

    fn hold(
        &mut self,
        request: &bookahead::Request,
        ttl: bookahead::Span,
    ) -> Result<Self::Ticket, SiteError> {
        black_box(Site::hold(self.0, request, ttl))
    }

    fn confirm(&mut self, ticket: Self::Ticket) -> Result<(), SiteError> {
        black_box(Site::confirm(self.0, ticket))
    }

    fn release(&mut self, ticket: Self::Ticket) -> Result<(), SiteError> {
        black_box(Site::release(self.0, ticket))
    }
}

/// Every call, on every kind of ring.
#[inline(never)]
pub fn every_operation() {
    every_call(&mut CountParts::view(LateMemory::default().parts()));
    every_call(&mut PeParts::view(EarlyMemory::new(0_u32).parts()));
    every_call(&mut PeParts::view(EarlyMemory::new([0_u64; 8]).parts()));
}

fn every_call<R: Ring>(book: &mut Book<'_, R>) {
    let range = black_box(LengthRange {
        first_start: a_slot(),
        last_start: a_slot(),
        deadline: a_slot(),
        shortest: a_span(),
        longest: a_span(),
        pes: a_request().pes,
    });
    keep(LengthRange::rigid(&range, a_span()));
    keep(LengthRange::plan(&range, black_box(book), Policy::FirstFit));
    let part = |site| SitePart {
        site,
        subtask: black_box(0),
        request: a_request(),
        stage: Stage::Held(a_handle()),
    };
    let mut sites = [Remote(book)];
    let mut parts = [part(black_box(0)), part(black_box(1))];
    let mut application = Application {
        sites: black_box(&mut sites),
        parts: black_box(&mut parts),
    };
    keep(Application::reserve(&mut application, a_span()));
    keep(Application::started(&mut application, black_box(1)));
    keep(Application::release(&mut application));
    keep(Application::settle(&mut application));
}
