//! A sound store that is opened with less room, or with other things beside the book, is one of another book, and not a damaged one: nothing may be cut off it.

use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
use bookahead_heap::{Binding, BoxedBook, Labels, Outbox, Sizes, Survives};
use bookahead_store::{Store, StoreError, repair, verify};

use crate::campaign::{acts::Dice, disk::SimulatedDisk};

type Kept = ((BoxedBook, Labels), Outbox);

/// Of so many reservations, labels and news.
fn kept([reservations, labels, news]: [usize; 3]) -> Kept {
    let sizes = Sizes {
        pes: 4,
        slots: 64,
        reservations,
    };
    let book = BoxedBook::new(Binding::Early, sizes).expect("it is small");
    ((book, Labels::new(labels)), Outbox::new(news))
}

/// A store of six reservations with labels, of which some have ended, and nobody has acknowledged that.
fn store(disk: &SimulatedDisk) {
    let (mut store, mut committer) = Store::open_in(disk.clone(), kept([8; 3])).expect("it is new");
    let booked = store.call(|((book, labels), _)| {
        for number in 0..6_u64 {
            let request = Request {
                ready: Slot::new(4 * number),
                duration: Span::new(2),
                deadline: Slot::new(4 * number + 2),
                pes: PeCount::new(3),
            };
            let booked = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
            assert!(labels.set(booked.expect("there is room").handle, [7; 32]));
        }
    });
    // In several records, none of which has more than two.
    let told = [1, 3, 5, 7, 9]
        .map(|slot| store.call(|((book, _), outbox)| outbox.fill(|| book.next(Slot::new(slot)))));
    committer.commit().expect("the disk is sound");
    booked.unwrap().wait().unwrap();
    for told in told {
        let _ = told.unwrap().wait().unwrap();
    }
}

#[test]
fn less_room_is_no_damage() {
    let disk = SimulatedDisk::new(Dice(1));
    store(&disk);
    let mut whole = verify(&mut disk.clone(), kept([8; 3])).expect("nothing is damaged");
    let hash = whole.book.state_hash();
    for less in [[3, 8, 8], [8, 3, 8], [8, 8, 1], [8, 8, 2]] {
        refuses(&disk, || kept(less), "with less room");
    }
    let mut again = verify(&mut disk.clone(), kept([8; 3])).expect("nothing has been cut");
    assert_eq!((again.last, again.book.state_hash()), (whole.last, hash));
}

/// Opens, verifies and repairs with something that the store does not hold.
fn refuses<B: Survives + Send + 'static>(disk: &SimulatedDisk, other: impl Fn() -> B, what: &str) {
    let opened = Store::open_in(disk.clone(), other()).map(drop);
    let verified = verify(&mut disk.clone(), other()).map(drop);
    let repaired = repair(&mut disk.clone(), other).map(drop);
    for refused in [opened, verified, repaired] {
        assert!(
            matches!(refused, Err(StoreError::OtherBook(_))),
            "{what}: {refused:?}"
        );
    }
}

#[test]
fn other_things_beside_the_book_are_no_damage() {
    let disk = SimulatedDisk::new(Dice(2));
    store(&disk);
    let part = || kept([8; 3]).0;
    let (book, labels) = (|| part().0, || Labels::new(8));
    let news = || Outbox::new(8);
    refuses(&disk, book, "the book alone");
    refuses(&disk, part, "without news");
    refuses(&disk, || (book(), news()), "without labels");
    refuses(&disk, || ((book(), news()), labels()), "in another order");
    refuses(&disk, || (kept([8; 3]), labels()), "with more labels");
    for held in [1, 2, 3] {
        let several = |count| (0..count).map(|_| part()).collect::<Vec<_>>();
        let disk = SimulatedDisk::new(Dice(3));
        drop(Store::open_in(disk.clone(), several(held)).expect("it is new"));
        for other in [1, 2, 3, 4] {
            if other != held {
                refuses(&disk, || several(other), "with more or fewer books");
            }
        }
        assert!(verify(&mut disk.clone(), several(held)).is_ok());
    }
    let disk_of_book = SimulatedDisk::new(Dice(4));
    drop(Store::open_in(disk_of_book.clone(), book()).expect("it is new"));
    refuses(&disk_of_book, part, "with labels now");
    assert!(verify(&mut disk.clone(), kept([8; 3])).is_ok());
}
