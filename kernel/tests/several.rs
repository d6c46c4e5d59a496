//! An outage in one of several books takes the whole of a joint reservation, and what is needed may be of a class.

use bookahead::{
    Broken, Class, CountBook, Error, Handle, Joined, JointError, JointRequest, Layout, Need,
    Outage, PeCount, PeWorkspace, PlacedBook, Refusal, Several, Shape, Slot, Span, Tie, UsageError,
    heapless::Vec,
};

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
    let out = transaction.take_out(outage, &[0xFF], &mut parts, &mut broken);
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
