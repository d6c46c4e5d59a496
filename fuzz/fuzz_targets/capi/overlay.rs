//! Reservations on top of others: laws that are none, histograms and tables of any length, plans that somebody has written to.

use std::ptr::null_mut;

use arbitrary::Arbitrary;
use bookahead_capi::*;

use crate::{
    Machine, NO_HANDLE, Which, Wish,
    bad::{List, Pointer, Pointers, Result},
    promise,
};

/// A histogram of the machine's, some of it, or an exponential law.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Kind {
    observed: bool,
    length: u8,
    bin: u8,
    jobs: u32,
    slots: u64,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Demand {
    own: Kind,
    others: Kind,
    guarantee: u8,
    threshold: u32,
    /// Elements of the table.
    room: u8,
    /// What is added to the start, to what is overlaid, and to the version of the plan before it is committed.
    forged: Option<[u8; 3]>,
    ttl: u8,
}

#[derive(Arbitrary, Debug)]
pub enum What {
    Reserve(Wish, Demand),
    Record(Kind, u32, u32),
    Overlaid(Which),
    WaitsFor(Which, usize, u8),
}

impl Machine {
    pub fn overlay(&mut self, what: &What, at: Pointers) -> u32 {
        let book = at.book.to(self.book);
        match *what {
            What::Reserve(wish, demand) => self.reserve_on_top(wish, demand, at),
            What::Record(kind, booked, ran) => {
                let mut law = self.law(kind, at.output);
                // SAFETY: as for `answer`; the counters are the machine's, and as many as said.
                unsafe { bookahead_record(at.input.to(&mut law), booked, ran) }
            }
            What::Overlaid(which) => {
                let mut pes = Result::new(u32::MAX);
                let (handle, place) = (self.handle(which), pes.place(at.output));
                // SAFETY: as for `answer`.
                let code = unsafe { bookahead_overlaid(book, handle, place) };
                let most = self.status().pes;
                assert!(pes.get(code, at.output).is_none_or(|pes| pes <= most));
                code
            }
            What::WaitsFor(which, skip, room) => {
                let handle = self.handle(which);
                let mut list = List::new(room, NO_HANDLE);
                let (first, count) = (list.first(at.output), list.count.place(Pointer::Good));
                let room = list.items.len();
                // SAFETY: as for `answer`.
                let code = unsafe { bookahead_waits_for(book, handle, skip, first, room, count) };
                list.get(code);
                code
            }
        }
    }

    fn law(&mut self, kind: Kind, counters: Pointer) -> Law {
        let observed = counters.to(self.counters.as_mut_ptr());
        Law {
            counters: if kind.observed { observed } else { null_mut() },
            length: usize::from(kind.length) % (self.counters.len() + 1),
            slots: kind.slots,
            jobs: kind.jobs,
            bin: kind.bin.into(),
        }
    }

    fn reserve_on_top(&mut self, wish: Wish, demand: Demand, at: Pointers) -> u32 {
        let (mut request, _) = self.wish(wish);
        let mut overlaying = Overlaying {
            own: self.law(demand.own, Pointer::Good),
            others: self.law(demand.others, Pointer::Good),
            guarantee: (demand.guarantee % 3).into(),
            threshold: demand.threshold,
        };
        let mut table = vec![u32::MAX; demand.room.into()];
        let mut plan = OverlayPlan {
            plan: Plan {
                request,
                start: u64::MAX,
                version: u64::MAX,
                incarnation: u32::MAX,
            },
            overlaid: u32::MAX,
            probability: u32::MAX,
        };
        let (input, first) = (at.input.to(&mut request), at.output.to(table.as_mut_ptr()));
        // SAFETY: as for `answer`; the table is as long as said.
        let code = unsafe {
            bookahead_plan_overlay(
                at.book.to(self.book),
                input,
                &raw mut overlaying,
                first,
                table.len(),
                &raw mut plan,
            )
        };
        if code != 0 {
            assert_eq!((plan.overlaid, plan.probability), (u32::MAX, u32::MAX));
            return code;
        }
        assert!(plan.probability >= demand.threshold && plan.probability <= 1 << 31);
        if let Some([start, overlaid, version]) = demand.forged {
            plan.plan.start = plan.plan.start.wrapping_add(start.into());
            plan.overlaid = plan.overlaid.wrapping_add(overlaid.into());
            plan.plan.version = plan.plan.version.wrapping_add(version.into());
        }
        let mut handle = Result::new(NO_HANDLE);
        let place = handle.place(at.output);
        let ttl = Some(demand.ttl % 4).filter(|ttl| *ttl > 0);
        // SAFETY: as for `answer`.
        let code =
            unsafe { bookahead_commit_overlay(self.book, &raw const plan, &promise(ttl), place) };
        self.handles.extend(handle.get(code, at.output));
        code
    }
}
