//! What taking PEs out of service spends at most, as `docs/embedding.md` says: a caller grants so much, and no more.

use bookahead::{
    Absent, Broken, Class, Commitment, Eligible, Handle, Layout, Outage, PeCount, PeWorkspace,
    PlacedBook, Policy, Refusal, Request, Slot, Span, heapless,
};

const VALVES: Layout<'_> = Layout {
    groups: 4,
    kinds: &[1],
    missing: &[],
    levels: &[],
};

/// Valve 1 fails until slot 37. It has a reservation of 38 slots in a window of 44, for which valve 2 has no room: it is lifted, tried at its own start, searched
/// for, and removed.
#[test]
fn a_reservation_costs_four_times_its_length_and_once_its_window() {
    let bound = 33 + 4 * 38 + 44;
    for (granted, expected) in [(bound, Ok(())), (bound - 1, Err(Refusal::WorkLimit.into()))] {
        let mut memory = PlacedBook::<u32, 4, 1, 16, 4, 4>::zeroed();
        let mut book = memory.init(&VALVES, Span::new(256)).unwrap();
        for (valves, deadline) in [(0b110, 68), (0b100, 62)] {
            let class = Class {
                eligible: Eligible::Pes(&[valves]),
                ..Class::ANY
            };
            let class = book.class_add(&class).unwrap();
            let request = Request {
                ready: Slot::new(24),
                duration: Span::new(38),
                deadline: Slot::new(deadline),
                pes: PeCount::new(1),
            };
            let (policy, terms) = (Policy::FirstFit, Commitment::Confirmed);
            book.reserve((class, &request), policy, terms).unwrap();
        }
        assert_eq!(book.next(Slot::new(4)), Ok(None));
        let mut workspace = PeWorkspace::<u32, 1, 48, 0>::new();
        let mut parts = heapless::Vec::<Handle, 4>::new();
        let mut broken = heapless::Vec::<Broken, 16>::new();
        let mut transaction = book.transaction(workspace.view(), granted);
        let outage = Outage::Failure {
            until: Slot::new(37),
        };
        let taken = transaction.take_out(outage, Absent::These(&[0b10]), &mut parts, &mut broken);
        assert_eq!(taken, expected);
        if taken.is_ok() {
            assert_eq!((broken.len(), transaction.work_left()), (1, 0));
        }
    }
}
