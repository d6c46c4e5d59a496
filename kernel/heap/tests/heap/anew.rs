//! What was promised in one book, booked anew in a book of more slots with the same rules.

use bookahead::{
    Absent, Book, Broken, Commitment, Error, Layout, PeCount, Policy, Refusal, Request, Rule, Slot,
    Span, heapless,
    raw::{Ring, Workspace},
};
use bookahead_heap::{
    BoxedPeBook, BoxedPlacedBook, BoxedRuledBook, BoxedWorkspace, PlacedSizes, Sizes,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const OLD: Sizes = Sizes {
    pes: 5,
    slots: 48,
    reservations: 16,
};
const NEW: Sizes = Sizes { slots: 64, ..OLD };

/// What is left of a reservation: its request, where it starts, and its PEs.
type Promise = (Request, Slot, [u32; 1]);

type Rules = [(Rule, [u32; 1]); 2];

fn drawn_rules(draw: &mut ChaCha8Rng) -> Rules {
    [(); 2].map(|()| {
        let rule = Rule {
            phase: Span::new(draw.random_range(0..24)),
            period: Span::new(draw.random_range(12..40)),
            length: Span::new(draw.random_range(1..6)),
        };
        (rule, [1 << draw.random_range(0..4)])
    })
}

fn set_rules<R: Ring>(book: &mut Book<'_, R>, workspace: Workspace<'_, R::Part>, rules: &Rules) {
    let mut broken = heapless::Vec::<Broken, 1>::new();
    let mut transaction = book.transaction(workspace, u64::MAX);
    for (number, (rule, pes)) in rules.iter().enumerate() {
        let rule = Some((*rule, Absent::These(pes)));
        transaction.set_rule(number, rule, &mut broken).unwrap();
    }
    transaction.commit().unwrap();
}

/// Books and cancels at random, lets time pass, and returns what is promised then, in the order of the book.
fn promises<R: Ring>(book: &mut Book<'_, R>, draw: &mut ChaCha8Rng) -> Vec<Promise> {
    for _ in 0..24 {
        let ready = draw.random_range(0..24);
        let duration = draw.random_range(1..12);
        let request = Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new(ready + u64::from(duration) + draw.random_range(0..12)),
            pes: PeCount::new(draw.random_range(1..4)),
        };
        // Whoever is there may go, so that others have what they would not have had.
        let gone = book.iter().nth(draw.random_range(0..20));
        if let Some((handle, _)) = gone {
            book.cancel(handle).unwrap();
        }
        let _ = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
    }
    for slot in 0..=draw.random_range(0..8) {
        while book.next(Slot::new(slot)).unwrap().is_some() {}
    }
    let now = book.now();
    let promise = |(handle, reservation): (_, bookahead::Reservation)| {
        let start = reservation.window.start.max(now);
        let request = Request {
            ready: reservation.request.ready.max(now),
            duration: reservation.window.end.since(start).unwrap(),
            ..reservation.request
        };
        let pes = book.pes_of(handle).unwrap();
        (request, start, [pes.fold(0, |set, pe| set | 1 << pe.get())])
    };
    book.iter().map(promise).collect()
}

#[test]
fn beside_rules_all_fits_on_the_pes_that_it_has_and_not_on_any() {
    let mut draw = ChaCha8Rng::seed_from_u64(5);
    let (mut kept, mut refused) = (0, 0);
    let mut workspace = BoxedWorkspace::<u32>::early(6, 8, 0).unwrap();
    for _ in 0..300 {
        let rules = drawn_rules(&mut draw);
        let mut old = BoxedRuledBook::<BoxedPeBook<u32>, u32>::new(OLD).unwrap();
        let mut old = old.view();
        set_rules(&mut old, workspace.view(), &rules);
        let promises = promises(&mut old, &mut draw);

        let mut alike = BoxedRuledBook::<BoxedPeBook<u32>, u32>::new(NEW).unwrap();
        let mut alike = alike.view();
        let groups = Layout {
            groups: 6,
            kinds: &[1],
            missing: &[],
            levels: &[],
        };
        let sizes = PlacedSizes {
            slots: NEW.slots,
            reservations: NEW.reservations,
            classes: 0,
            order: 0,
        };
        let mut placed = BoxedRuledBook::<BoxedPlacedBook<u32>, u32>::new(&groups, sizes).unwrap();
        let mut placed = placed.view();
        set_rules(&mut alike, workspace.view(), &rules);
        set_rules(&mut placed, workspace.view(), &rules);
        let mut bare = BoxedPeBook::<u32>::new(NEW).unwrap();
        let mut bare = bare.view();
        assert_eq!(bare.next(old.now()), Ok(None));
        assert_eq!(alike.next(old.now()), Ok(None));
        assert_eq!(placed.next(old.now()), Ok(None));

        for (request, start, pes) in &promises {
            let at_its_start = Request {
                ready: *start,
                deadline: start.checked_add(request.duration).unwrap(),
                ..*request
            };
            bare.reserve(&at_its_start, Policy::FirstFit, Commitment::Confirmed)
                .expect("whoever starts before it leaves enough, whichever these are");
            match alike.reserve(&at_its_start, Policy::FirstFit, Commitment::Confirmed) {
                Ok(_) => {}
                Err(Error::Refused(Refusal::NoRoom)) => refused += 1,
                Err(other) => panic!("{other:?}"),
            }

            let mut transaction = placed.transaction(workspace.view(), u64::MAX);
            let handle = transaction
                .insert(request, *start, Commitment::Confirmed)
                .unwrap();
            transaction.lift(handle).unwrap();
            transaction.place_exactly(handle, *start, pes).unwrap();
            transaction.commit().unwrap();
            kept += 1;
        }
        assert_eq!(placed.len(), old.len());
        placed.check_invariants().unwrap();
    }
    assert!(refused > 0, "none of {kept}: then no page has to warn");
    assert!(kept > 1_000, "{kept}");
}
