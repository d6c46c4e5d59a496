//! An outage in one of several books takes the whole of a joint reservation, what is needed may be of a class, and views of different books have ties of their own.

use bookahead::{
    Absent, Advanced, Broken, Class, CountBook, CountWorkspace, Error, Event, EventKind, Handle,
    Joined, JointError, JointRequest, Layout, Need, Outage, PeCount, PeWorkspace, PlacedBook,
    Refusal, Several, Shape, Slot, Span, Tie, UsageError, heapless::Vec,
};
#[cfg(feature = "quota")]
use bookahead::{Period, Quota};

const LAYOUT: Layout<'_> = Layout {
    groups: 4,
    kinds: &[8],
    missing: &[],
    levels: &[],
};

#[test]
fn an_outage_of_one_part_ends_the_others() {
    let mut memory = PlacedBook::<u32, 1, 1, 8, 1, 0>::zeroed();
    let mut nodes = memory.init(&LAYOUT, Span::new(48)).unwrap();
    let whole = nodes
        .class_add(&Class {
            shape: Shape::WholeGroups,
            ..Class::ANY
        })
        .unwrap();
    let mut memory = CountBook::<1, 9, 8>::new(PeCount::new(9), Span::new(48)).unwrap();
    let mut licences = memory.view();
    let mut ties = [[Tie::NONE; 8]; 2];

    /// Does something to both as one.
    macro_rules! site {
        (|$site:ident| $action:expr) => {{
            let [of_nodes, of_licences] = &mut ties;
            let mut books = [
                Joined {
                    book: &mut nodes,
                    ties: of_nodes,
                },
                Joined {
                    book: &mut licences,
                    ties: of_licences,
                },
            ];
            let $site = &mut Several::new(&mut books).unwrap();
            $action
        }};
    }
    let request = |needs| JointRequest {
        ready: Slot::new(2),
        duration: Span::new(10),
        deadline: Slot::new(40),
        needs,
    };
    let needs = |nodes: u32, licences| {
        let nodes = Need::of_class(whole, PeCount::new(8 * nodes));
        [nodes, Need::new(PeCount::new(licences))]
    };
    // Three nodes with seven licences, then one with two.
    let (large, small) = (needs(3, 7), needs(1, 2));
    let large = site!(|site| site.reserve(&request(&large), None, 1_000)).unwrap();
    let small = site!(|site| site.reserve(&request(&small), None, 1_000)).unwrap();
    assert_eq!((large.start, small.start), (Slot::new(2), Slot::new(2)));
    // Half a node is no node.
    let half = [Need::of_class(whole, PeCount::new(4)), Need::NONE];
    let refused = site!(|site| site.reserve(&request(&half), None, 1_000));
    let reason = Error::from(UsageError::NotWholeGroups);
    let error = JointError {
        book: Some(0),
        error: reason,
    };
    assert_eq!(refused, Err(error));

    // Node 0 fails, which the large one has. There are no three others beside the small one, and the licences of the large one begin with it.
    let mut workspace = PeWorkspace::<u32, 1, 8, 0>::new();
    let mut transaction = nodes.transaction(workspace.view(), u64::MAX);
    let mut broken = Vec::<Broken, 4>::new();
    let outage = Outage::Failure {
        until: Slot::new(44),
    };
    let mut parts = Vec::<Handle, 4>::new();
    let out = transaction.take_out(outage, Absent::These(&[0xFF]), &mut parts, &mut broken);
    assert_eq!(out, Ok(()));
    transaction.commit().unwrap();
    assert_eq!(broken.len(), 1);
    let lost = site!(|site| site.parts(large.part));
    let stale = JointError {
        book: Some(0),
        error: UsageError::StaleHandle.into(),
    };
    assert_eq!(lost, Err(stale));
    let ended = site!(|site| [site.end_torn(), site.end_torn()]);
    assert_eq!(
        ended.map(|part| part.map(|part| part.book)),
        [Some(1), None]
    );
    assert_eq!((nodes.len(), licences.len()), (2, 1));
    // The small one has its licences, and the others are free again.
    assert!(site!(|site| site.parts(small.part)).is_ok());
    let licence = [Need::NONE, Need::new(PeCount::new(7))];
    let booked = site!(|site| site.reserve(&request(&licence), None, 1_000)).unwrap();
    assert_eq!((booked.part.book, booked.start), (1, Slot::new(2)));
    let third = [Need::NONE, Need::new(PeCount::new(10))];
    let refused = site!(|site| site.reserve(&request(&third), None, 1_000));
    let error = JointError {
        book: Some(1),
        error: Refusal::TooWide.into(),
    };
    assert_eq!(refused, Err(error));
    for violation in [nodes.check_invariants(), licences.check_invariants()] {
        assert_eq!(violation, Ok(()));
    }
}

/// Twelve users, more than one view has books: each has a quota of 2 of 8 PEs, and a view of the machine and that.
#[test]
fn each_user_has_a_view() {
    const USERS: usize = 12;
    let mut memory = CountBook::<1, 8, 32>::new(PeCount::new(8), Span::new(48)).unwrap();
    let mut machine = memory.view();
    let quota = || CountBook::<1, 2, 8>::new(PeCount::new(2), Span::new(48)).unwrap();
    let mut memories: [_; USERS] = core::array::from_fn(|_| quota());
    let mut quotas = memories.each_mut().map(|memory| memory.view());
    let mut ties = [([Tie::NONE; 32], [Tie::NONE; 8]); USERS];
    macro_rules! site {
        ($user:expr, |$site:ident| $action:expr) => {{
            let (of_machine, of_quota) = &mut ties[$user];
            let mut books = [
                Joined {
                    book: &mut machine,
                    ties: of_machine,
                },
                Joined {
                    book: &mut quotas[$user],
                    ties: of_quota,
                },
            ];
            let $site = &mut Several::new(&mut books).unwrap();
            $action
        }};
    }
    let request = |needs| JointRequest {
        ready: Slot::new(0),
        duration: Span::new(4),
        deadline: Slot::new(40),
        needs,
    };
    let needs = [Need::new(PeCount::new(2)); 2];
    let mut booked = std::vec::Vec::new();
    for user in 0..USERS {
        let booking = site!(user, |site| site.reserve(&request(&needs), None, 1_000)).unwrap();
        assert_eq!(booking.start, Slot::new(4 * (user as u64 / 4)));
        booked.push(booking.part);
    }
    // Nobody is torn in any view, and time passes in each book by itself.
    let mut events = Vec::<Event, 32>::new();
    assert_eq!(
        machine.advance(Slot::new(5), &mut events),
        Ok(Advanced::Done)
    );
    for quota in &mut quotas {
        assert_eq!(quota.advance(Slot::new(5), &mut events), Ok(Advanced::Done));
    }
    for user in 0..USERS {
        assert_eq!(site!(user, |site| site.torn()), None, "{user}");
    }
    // Of the running ones the last is broken by a failure, and of the rest the last in the slots of the others finds no place at once. The quota of the one that was broken is free again.
    let mut workspace = CountWorkspace::<16, 0>::new();
    let (mut parts, mut broken) = (Vec::<Handle, 4>::new(), Vec::<Broken, 8>::new());
    let mut transaction = machine.transaction(workspace.view(), u64::MAX);
    let outage = Outage::Failure {
        until: Slot::new(6),
    };
    let out = transaction.take_out(
        outage,
        Absent::Number(PeCount::new(1)),
        &mut parts,
        &mut broken,
    );
    assert_eq!(out, Ok(()));
    transaction.commit().unwrap();
    let lost: std::vec::Vec<Handle> = broken.iter().map(|broken| broken.handle).collect();
    assert_eq!(lost, [booked[7].handle]);
    for user in 0..USERS {
        let ended = site!(user, |site| [site.end_torn(), site.end_torn()]);
        let left = ended.map(|part| part.map(|part| part.book));
        let expected = if user == 7 {
            [Some(1), None]
        } else {
            [None; 2]
        };
        assert_eq!(left, expected, "{user}");
    }
    let lengths = quotas.each_ref().map(|quota| quota.len());
    assert_eq!(
        lengths,
        core::array::from_fn(|user| usize::from(user > 3 && user != 7))
    );
}

/// Time passes in a quota by itself through a view of it alone, which needs no ties: what expires is refunded.
#[cfg(feature = "quota")]
#[test]
fn time_passes_in_a_quota_by_itself() {
    let mut memory = CountBook::<1, 8, 8>::new(PeCount::new(8), Span::new(48)).unwrap();
    let mut machine = memory.view();
    let mut of_user = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    let mut periods = [Period::new(Slot::new(60), 32)];
    let mut ties = [[Tie::NONE; 8]; 2];
    for now in [0, 5] {
        let mut quota = Quota::new(of_user.view(), &mut periods).unwrap();
        let [of_machine, of_quota] = &mut ties;
        let mut books = [
            Joined {
                book: &mut machine,
                ties: of_machine,
            },
            Joined {
                book: &mut quota,
                ties: of_quota,
            },
        ];
        let request = JointRequest {
            ready: Slot::new(now + 10),
            duration: Span::new(8),
            deadline: Slot::new(now + 40),
            needs: &[Need::new(PeCount::new(4)); 2],
        };
        let mut site = Several::new(&mut books).unwrap();
        let booked = site.reserve(&request, Some(Span::new(3)), 1_000);
        assert_eq!(
            booked.map(|booked| booked.start),
            Ok(Slot::new(now + 10)),
            "all of it is left again"
        );
        assert_eq!(quota.periods()[0].left(), 0);

        let mut events = Vec::<Event, 8>::new();
        let to = Slot::new(now + 5);
        assert_eq!(machine.advance(to, &mut events), Ok(Advanced::Done));
        // Nor does it matter what its ties with the machine say.
        let of_quota = &mut ties[1];
        let mut alone = [Joined {
            book: &mut quota,
            ties: if now == 0 { &mut [] } else { of_quota },
        }];
        let mut alone = Several::new(&mut alone).unwrap();
        let (_, expired) = alone.next(to).unwrap().unwrap();
        assert_eq!(expired.kind, EventKind::Expired);
        assert_eq!(alone.next(to), Ok(None));
        assert_eq!(quota.periods()[0].left(), 32);
    }
}
