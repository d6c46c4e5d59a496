//! A call that puts another book, or another part of it, in the place of the store's is refused at once, and what was durable before is there when the store is opened again.

use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
use bookahead_heap::{Binding, BoxedBook, Labels, Sizes, Survives};
use bookahead_store::{Store, StoreError, verify};

use crate::campaign::{acts::Dice, disk::SimulatedDisk};

type Kept = (Vec<BoxedBook>, Labels);

fn kept() -> Kept {
    let sizes = Sizes {
        pes: 4,
        slots: 64,
        reservations: 8,
    };
    let book = || BoxedBook::new(Binding::Late, sizes).expect("it is small");
    (vec![book(), book()], Labels::new(8))
}

fn book((books, labels): &mut Kept) {
    let request = Request {
        ready: Slot::new(0),
        duration: Span::new(2),
        deadline: Slot::new(60),
        pes: PeCount::new(3),
    };
    let booked = books[0].reserve(&request, Policy::FirstFit, Commitment::Confirmed);
    labels.set(booked.expect("there is room").handle, [7; 32]);
}

#[test]
fn another_book_in_the_place_of_the_stores_is_refused() {
    // What is done in two calls one after the other, of which the first one copies.
    type Call = fn(&mut Kept, Kept);
    let calls: [(&str, Call); 8] = [
        ("a new one", |all, _| *all = kept()),
        ("a copy", |all, copy| *all = copy),
        ("a copy that has changed", |all, mut copy| {
            book(&mut copy);
            *all = copy;
        }),
        ("a copy with a journal", |all, mut copy| {
            copy.keep_journal();
            *all = copy;
        }),
        ("a book of several", |(books, _), (mut others, _)| {
            books[1] = others.remove(1);
            books[1].keep_journal();
        }),
        ("one fewer", |(books, _), _| drop(books.pop())),
        ("in another order", |(books, _), _| books.swap(0, 1)),
        ("labels", |(_, labels), _| {
            *labels = Labels::new(8);
            labels.keep_journal();
        }),
    ];
    for (what, call) in calls {
        let disk = SimulatedDisk::new(Dice(5));
        let (mut store, mut committer) = Store::open_in(disk.clone(), kept()).expect("it is new");
        let copy = store.call(|all| all.clone()).unwrap();
        let booked = store.call(book).unwrap();
        committer.commit().expect("the disk is sound");
        let copy = copy.wait().unwrap();
        booked.wait().unwrap();
        let hash = store.call_within(0, |all| all.state_hash()).unwrap();
        let hash = hash.wait().unwrap();
        let refused = store.call(|all| call(all, copy)).map(drop);
        assert!(
            matches!(refused, Err(StoreError::Replaced)),
            "{what}: {refused:?}"
        );
        let after = store.call(book).map(drop);
        assert!(matches!(after, Err(StoreError::Poisoned)), "{what}");
        committer.commit().expect("the disk is sound");
        let mut found = verify(&mut disk.clone(), kept()).expect("nothing is damaged");
        assert_eq!(found.book.state_hash(), hash, "{what}");
    }
}
