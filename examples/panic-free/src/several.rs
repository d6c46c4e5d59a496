//! Several books decided as one.

use core::hint::black_box;

use bookahead::{
    BookPart, Joined, JointRequest, Need, Period, Quota, Several, Tie,
    raw::{CountParts, PeParts},
};

use crate::{
    books::{EarlyMemory, LateMemory},
    keep,
    values::{a_handle, a_request, a_slot, a_span},
};

/// Every call, on books of each kind.
#[inline(never)]
pub fn every_operation() {
    let mut late = LateMemory::<u16>::default();
    let (mut narrow, mut wide) = (EarlyMemory::new(0_u32), EarlyMemory::new([0_u64; 8]));
    let mut late = CountParts::view(late.parts());
    let narrow = PeParts::view(narrow.parts());
    let mut wide = PeParts::view(wide.parts());
    let mut periods = black_box([Period::new(a_slot(), black_box(9)); 3]);
    keep(Period::until(&periods[0]));
    keep(Period::most(&periods[1]));
    keep((Period::used(&periods[0]), Period::left(&periods[2])));
    let Some(mut narrow) = Quota::new(narrow, black_box(&mut periods[..])) else {
        return;
    };
    keep(Quota::book(&narrow).len());
    keep(Quota::periods(&narrow).first());
    keep(Quota::set_most(&mut narrow, black_box(1), black_box(7)));
    keep(Quota::renew(&mut narrow, a_slot(), black_box(8)));
    keep(Quota::is_sound(&narrow));
    let mut ties = black_box([[Tie::NONE; 4]; 3]);
    let [one, two, three] = &mut ties;
    let mut books = [
        Joined {
            book: &mut late,
            ties: black_box(&mut one[..]),
        },
        Joined {
            book: &mut narrow,
            ties: black_box(&mut two[..]),
        },
        Joined {
            book: &mut wide,
            ties: black_box(&mut three[..]),
        },
    ];
    let Ok(mut several) = Several::new(black_box(&mut books[..])) else {
        return;
    };
    let request = a_request();
    let needs = [
        Need::new(request.pes),
        Need::of_class(black_box(bookahead::ClassId::ANY), request.pes),
        Need::NONE,
    ];
    let joint = JointRequest {
        ready: request.ready,
        duration: request.duration,
        deadline: request.deadline,
        needs: black_box(&needs[..]),
    };
    let part = black_box(BookPart {
        book: black_box(1),
        handle: a_handle(),
    });
    let work = black_box(1_000);
    keep(Several::reserve(
        &mut several,
        &joint,
        black_box(Some(a_span())),
        work,
    ));
    keep(Several::earliest(&mut several, &joint, work));
    keep(Several::parts(&several, part));
    keep(Several::confirm(&mut several, part));
    keep(Several::cancel(&mut several, part));
    keep(Several::complete(&mut several, part, a_slot()));
    keep(Several::alter(
        &mut several,
        part,
        a_slot(),
        a_span(),
        a_slot(),
        work,
    ));
    keep(Several::next(&mut several, a_slot()));
    keep(Several::torn(&several));
    keep(Several::end_torn(&mut several));
}
