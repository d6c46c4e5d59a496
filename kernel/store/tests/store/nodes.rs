//! A machine of nodes: its classes survive with the reservations that were made by them.

use bookahead::{
    Class, Commitment, Layout, PeCount, Policy, Request, Shape, Slot, Span, UsageError,
};
use bookahead_heap::{BoxedPlacedBook, PlacedSizes};
use bookahead_store::{Store, StoreError};

use crate::campaign::{acts::Dice, disk::SimulatedDisk};

fn book(groups: u16) -> BoxedPlacedBook<u32> {
    let layout = Layout {
        groups,
        kinds: &[3, 2],
        missing: &[],
        levels: &[],
    };
    let sizes = PlacedSizes {
        slots: 64,
        reservations: 8,
        classes: 4,
        order: 0,
    };
    BoxedPlacedBook::new(&layout, sizes).expect("it is small")
}

#[test]
fn classes_survive() {
    let disk = SimulatedDisk::new(Dice(1));
    let request = Request {
        ready: Slot::new(3),
        duration: Span::new(5),
        deadline: Slot::new(8),
        pes: PeCount::new(10),
    };
    let whole = Class {
        shape: Shape::WholeGroups,
        ..Class::ANY
    };
    let (mut store, mut committer) = Store::open_in(disk.clone(), book(4)).expect("it is new");
    let class = store.call(|book| book.view().class_add(&whole));
    committer.commit().expect("the disk is sound");
    let class = class
        .unwrap()
        .wait()
        .unwrap()
        .expect("there is room for it");
    let booked = store.call(|book| {
        let mut book = book.view();
        book.reserve((class, &request), Policy::FirstFit, Commitment::Confirmed)
    });
    committer.commit().expect("the disk is sound");
    let handle = booked
        .unwrap()
        .wait()
        .unwrap()
        .expect("two nodes are free")
        .handle;
    for _ in 0..2 {
        let (mut store, mut committer) =
            Store::open_in(disk.clone(), book(4)).expect("it is there");
        let found = store.call(|book| {
            let mut book = book.view();
            let again = book.class_add(&whole);
            let third = book.plan((class, &request), Policy::FirstFit);
            let pes = book.pes_of(handle).map(Iterator::count);
            (again, third.is_ok(), pes, book.check_invariants())
        });
        store.compact().unwrap();
        committer.commit().expect("the disk is sound");
        let found = found.unwrap().wait().unwrap();
        assert_eq!(found, (Ok(class), true, Ok(10), Ok(())));
    }
    let (mut store, mut committer) = Store::open_in(disk.clone(), book(4)).expect("it is there");
    let dropped = store.call(|book| book.view().class_drop(class));
    committer.commit().expect("the disk is sound");
    assert_eq!(dropped.unwrap().wait().unwrap(), Ok(()));
    let (mut store, _) = Store::open_in(disk.clone(), book(4)).expect("it is there");
    let stale = store.call(|book| {
        let mut book = book.view();
        book.plan((class, &request), Policy::FirstFit).map(drop)
    });
    let stale = stale.unwrap().wait().unwrap();
    assert_eq!(stale, Err(UsageError::StaleClass.into()));
    let other = Store::open_in(disk, book(5)).map(drop);
    assert!(matches!(other, Err(StoreError::OtherBook(_))), "{other:?}");
}
