//! What `pujiyanta` shows by hand, on the literal algorithms and on both rings.

use bookahead::{
    Advanced, Book, CountBook, Direction, Event, EventKind, Insertion, PeBook, PeCount, Policy,
    Refusal, Request, Shifting, Slot, Span, Window, heapless, raw::Ring,
};
use bookahead_oracle::papers::pujiyanta::{
    example::{
        FIGURE_4, LATE, NODES, NODES_2A, SECTION_2A, SLOTS, TABLE_1, TABLE_3, Times, USER_9,
        USER_13, booked, component, literally, request, run, shift_in, starts, times,
    },
    literal::Component,
    mapping::{NEXT, NOW, actual, nobody_moves},
};

/// Runs a test body on a fresh book of each binding.
macro_rules! on_both_rings {
    ($nodes:expr, $body:ident) => {{
        let (nodes, horizon) = (PeCount::new($nodes), Span::new(32));
        $body(CountBook::<1, 5, 16>::new(nodes, horizon).unwrap().view());
        $body(PeBook::<u32, 1, 1, 16>::new(nodes, horizon).unwrap().view());
    }};
}

/// Claims 5.04 and 5.29: all twelve are accepted, only user 12 shifts, and the virtual nodes are those of figure 4.
#[test]
fn table_3_fills_the_virtual_nodes_of_figure_4() {
    let plan = literally(NODES, &TABLE_3);
    for (slot, users) in SLOTS.zip(FIGURE_4) {
        assert_eq!(plan.view(slot as usize), users, "slot {slot}");
    }
    let moved = |row: &&Component| row.start != row.earliest;
    let planned = plan.planned();
    let moved: Vec<_> = planned.iter().filter(moved).collect();
    assert_eq!(moved.len(), 1);
    assert_eq!((moved[0].user, moved[0].start), (12, 10));
    // The text on user 6: v2 in slot 5, v1 in slot 6.
    assert_eq!((plan.view(5)[2], plan.view(6)[1]), (6, 6));
}

/// The same reservations on the kernel start at the same slots; late binding gives each job nodes that it keeps.
#[test]
fn table_3_runs_and_nobody_moves() {
    fn example<R: Ring>(mut book: Book<'_, R>) {
        let users = booked(&mut book, &TABLE_3, &Shifting::LRH);
        let at: Vec<_> = TABLE_3.iter().map(|row| row.1).collect();
        assert_eq!(starts(&book, &users)[..11], at[..11]);
        assert_eq!(starts(&book, &users)[11], 10);
        let busy = SLOTS.map(|slot| {
            let window = Window::starting(Slot::new(slot), Span::new(1)).unwrap();
            u32::from(NODES) - book.free_during(window).unwrap().get()
        });
        assert!(busy.eq([5, 5, 5, 5, 5, 4, 5, 5, 3, 3, 2]));
        let seen = run(&mut book, &users, SLOTS);
        assert!(nobody_moves(&seen));
        // Here early binding happens to come to the same nodes.
        assert_eq!(seen, LATE.map(Vec::from));
    }
    on_both_rings!(NODES.into(), example);
}

/// The paper's permutations on the whole of figure 4: everybody is mapped, and nobody moves. They come to what late binding comes to.
#[test]
fn figure_4_is_mapped_by_permutations() {
    let view = FIGURE_4.map(Vec::from);
    assert!(!nobody_moves(&view));
    let mapped = actual(&view);
    assert!(nobody_moves(&mapped));
    for (actual, virtually) in mapped.iter().zip(view) {
        let sorted = |users: &[u32]| {
            let mut users = users.to_vec();
            users.sort_unstable();
            users
        };
        assert_eq!(sorted(actual), sorted(&virtually));
    }
    assert_eq!(mapped, LATE.map(Vec::from));
}

/// In tables I and II they differ: user 6 gets node 4 by the permutations, and the lowest free one on the kernel. Nobody moves either way.
#[test]
fn user_6_gets_another_node_than_by_permutations() {
    assert_eq!(actual(&[NOW.to_vec(), NEXT.to_vec()])[1], [0, 7, 4, 6, 8]);

    fn example<R: Ring>(mut book: Book<'_, R>) {
        let users = booked(&mut book, &TABLE_1, &Shifting::LRH);
        let seen = run(&mut book, &users, 1..=2);
        assert_eq!(seen, [NOW, [6, 7, 4, 0, 8]]);
        assert!(nobody_moves(&seen));
    }
    on_both_rings!(NODES.into(), example);
}

/// Claim 5.05: user 13 is refused where it wants to start, and starts two slots later; nobody is moved for that.
#[test]
fn user_13_is_accepted_because_it_is_flexible() {
    let rigid = (13, 8, 8, 3, 2);
    let mut plan = literally(NODES, &TABLE_3);
    let before = plan.clone();
    assert!(!plan.search_slot_free(&component(rigid), true));
    assert_eq!(plan, before);
    assert!(plan.search_slot_free(&component(USER_13), false));
    assert_eq!(plan.planned().last().unwrap().start, 10);
    assert_eq!(
        (plan.free(8), plan.free(9), plan.free(10), plan.free(11)),
        (0, 0, 0, 0)
    );

    fn example<R: Ring>(mut book: Book<'_, R>) {
        let users = booked(&mut book, &TABLE_3, &Shifting::LRH);
        let before = starts(&book, &users);
        let rigid = Request {
            deadline: Slot::new(11),
            ..request(USER_13)
        };
        let version = book.version();
        let refused = shift_in(&mut book, &rigid, &Shifting::LRH);
        assert_eq!(refused, Err(Refusal::NoRoom.into()));
        assert_eq!(book.version(), version);
        let accepted = shift_in(&mut book, &request(USER_13), &Shifting::LRH).unwrap();
        assert_eq!(accepted.start, Slot::new(10));
        assert_eq!(starts(&book, &users), before);
    }
    on_both_rings!(NODES.into(), example);
}

/// Claim 5.06: when user 1 has cancelled, user 9 has room only if user 2 slides to the left.
#[test]
fn the_left_hole_lets_user_9_in() {
    let mut plan = literally(NODES_2A, &SECTION_2A);
    plan.cancel(1);
    let before = (
        plan.planned(),
        (10..16).map(|slot| plan.free(slot)).collect::<Vec<_>>(),
    );
    assert!(!plan.search_slot_free(&component(USER_9), true));
    let after = (
        plan.planned(),
        (10..16).map(|slot| plan.free(slot)).collect::<Vec<_>>(),
    );
    assert_eq!(after, before);

    fn example<R: Ring>(mut book: Book<'_, R>) {
        let users = booked(&mut book, &SECTION_2A, &Shifting::LRH);
        assert_eq!(starts(&book, &users), [10, 10, 10, 11, 12, 15]);
        book.cancel(users[0].1).unwrap();
        let newcomer = request(USER_9);
        assert_eq!(
            book.plan(&newcomer, Policy::FirstFit),
            Err(Refusal::NoRoom.into())
        );
        for insertion in [
            Insertion::Slides { depth: 1 },
            Insertion::Slides { depth: 4 },
            Insertion::FewestMoves,
            Insertion::LeastShift,
        ] {
            let right = Shifting {
                insertion,
                ..Shifting::EDS
            };
            let refused = shift_in(&mut book, &newcomer, &right);
            assert_eq!(refused, Err(Refusal::NoRoom.into()));
            let both = Shifting {
                direction: Direction::Both,
                ..right
            };
            let accepted = shift_in(&mut book, &newcomer, &both).unwrap();
            assert_eq!(accepted.start, Slot::new(13));
            assert_eq!(starts(&book, &users[1..]), [10, 10, 10, 12, 15]);
            // For the next way of seeking: user 9 leaves, and user 2 returns to its place.
            book.cancel(accepted.handle).unwrap();
            let back = booked(&mut book, &[(1, 10, 10, 1, 1)], &Shifting::EDS);
            assert_eq!(starts(&book, &users[3..4]), [11]);
            book.cancel(back[0].1).unwrap();
        }
    }
    on_both_rings!(NODES_2A.into(), example);
}

/// Claim 5.07: the formulas of figure 1 hold for user 2 of section 2.A at each of its starts.
#[test]
fn the_times_of_figure_1() {
    let two = request(SECTION_2A[3]);
    for (start, left, right) in [(10, 0, 2), (11, 1, 1), (12, 2, 0)] {
        let expected = Times {
            latest: 12,
            earliest_end: 13,
            notification: 2,
            left,
            right,
            flexibility: 5,
            level_per_mille: 1_666,
        };
        let seen = times(&two, Slot::new(start)).unwrap();
        assert_eq!(seen, expected);
        let slack = two.deadline.get() - two.ready.get() - u64::from(two.duration.get());
        assert_eq!(seen.left + seen.right, slack);
    }
    assert_eq!(times(&two, Slot::new(9)), None);
    assert_eq!(times(&two, Slot::new(13)), None);
}

/// Claim 5.07: f = 1 and ready now is immediate: the job starts at once or not at all.
#[test]
fn no_flexibility_and_ready_now_is_immediate() {
    fn example<R: Ring>(mut book: Book<'_, R>) {
        let now = request((1, 0, 0, 3, NODES));
        assert_eq!(times(&now, now.ready).unwrap().level_per_mille, 1_000);
        let booked = shift_in(&mut book, &now, &Shifting::LRH).unwrap();
        let refused = shift_in(&mut book, &now, &Shifting::LRH);
        assert_eq!(refused, Err(Refusal::NoRoom.into()));
        let mut events = heapless::Vec::<Event, 4>::new();
        let done = book.advance(Slot::new(0), &mut events);
        assert_eq!(done, Ok(Advanced::Done));
        let started = |event: &Event| (event.at, event.handle, event.kind);
        let first = (Slot::new(0), booked.handle, EventKind::Started);
        assert!(events.iter().map(started).eq([first]));
    }
    on_both_rings!(NODES.into(), example);
}
