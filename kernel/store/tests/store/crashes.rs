//! Stores that crash at any point: nothing that was confirmed is lost, and nothing is there that never happened.

use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
use bookahead_heap::Survives as _;
use bookahead_store::{Files, Pending, Store, StoreError};

use crate::campaign::{
    self, Tally,
    acts::{Desk, act},
    disk::Trouble,
    life::{Life, hash},
};

/// All of these take as many bytes in a record.
fn request(number: u64) -> Request {
    Request {
        ready: Slot::new(number),
        duration: Span::new(2),
        deadline: Slot::new(number + 9),
        pes: PeCount::new(3),
    }
}

/// A life's records stand where those of a life before stood, of which the disk shows the later ones again.
#[test]
fn what_an_earlier_life_left_does_not_come_back() {
    let log = "0000000001.log";
    let life = Life::new(3);
    let live = |calls: u64| {
        let (mut store, mut committer) = life.open().expect("nothing is damaged");
        for number in 0..calls {
            let request = request(number);
            let booked = store.call(|desk| {
                desk.0[0]
                    .book
                    .reserve(&request, Policy::FirstFit, Commitment::Confirmed)
            });
            assert!(booked.is_ok());
        }
        committer.commit().expect("the disk is sound");
        (store.last(), store.tail().cloned(), hash(&mut store))
    };
    let (last, tail, _) = live(3);
    assert_eq!((last, tail), (3, None));
    let mut first = Vec::new();
    life.disk.damage(log, |bytes| {
        bytes[60] ^= 1;
        first = bytes.clone();
    });
    let (last, tail, hash) = live(1);
    assert_eq!((last, tail.map(|tail| tail.offset)), (1, Some(24)));
    // The first record begins with its length.
    let length = u32::from_le_bytes(*first[24..].first_chunk().expect("it is there"));
    let length = 24 + 28 + length as usize;
    life.disk.damage(log, |bytes| {
        let end = bytes.len();
        bytes[length..].copy_from_slice(&first[length..end]);
    });
    let (last, tail, found) = live(0);
    assert_eq!((last, found), (1, hash));
    assert_eq!(tail.map(|tail| tail.offset), Some(length as u64));
}

#[test]
fn a_snapshot_takes_the_place_of_what_came_before_it() {
    let mut life = Life::new(7);
    let mut opened = life.open().expect("it is new");
    life.look(&mut opened.0, &mut Tally::default());
    let mut most = 0;
    for _ in 0..40 {
        life.go_on(&mut opened, 100);
        let read = |name: String| life.disk.clone().read(&name).map(|bytes| bytes.len());
        let bytes: std::io::Result<usize> = life.disk.names().into_iter().map(read).sum();
        most = most.max(bytes.expect("the disk is sound"));
    }
    assert!(opened.0.last() > 2_000 && most < 60_000, "{most} bytes");
    assert!(opened.0.compacted() + 100 > opened.0.last());
}

/// Where there is room for a snapshot and for nothing else, what it holds makes room for the next log, in a store that is opened again, too.
#[test]
fn a_full_disk_is_compacted() {
    let life = Life::new(13);
    let (mut store, mut committer) = life.open().expect("it is new");
    let bytes = |life: &Life| -> usize {
        let read = |name: String| life.disk.clone().read(&name).map(|bytes| bytes.len());
        let lengths: std::io::Result<usize> = life.disk.names().into_iter().map(read).sum();
        lengths.expect("the disk is sound")
    };
    let call = |store: &mut Store<Desk>| {
        let changed = store.call(|desk| {
            let book = &mut desk.0[0].book;
            let booked = book.reserve(&request(3), Policy::FirstFit, Commitment::Confirmed)?;
            book.cancel(booked.handle)
        });
        changed.map(drop)
    };
    for round in 0..4 {
        life.disk.limit(bytes(&life) + 6_000);
        let (begun, refused) = (
            store.last(),
            loop {
                if let Err(refused) = call(&mut store) {
                    break refused;
                }
                let _ = committer.commit();
            },
        );
        assert!(matches!(refused, StoreError::DiskFull));
        assert!(store.last() > begun, "there was room for some");
        let now = hash(&mut store);
        if round % 2 == 1 {
            drop((store, committer));
            (store, committer) = life.open().expect("nothing is damaged");
            assert_eq!(hash(&mut store), now);
        }
        // Somebody has freed a little.
        let body = store.call_within(0, |book| book.snapshot().len());
        let body = body.and_then(Pending::wait).expect("it needs no room");
        life.disk.limit(bytes(&life) + body + 100);
        assert!(matches!(call(&mut store), Err(StoreError::DiskFull)));
        store.compact().expect("it takes no room in a log");
        let _ = committer.commit();
        assert_eq!(store.compacted(), store.last());
        let now = hash(&mut store);
        let again = store.call(|_| ());
        assert!(again.is_ok(), "round {round}: {:?}", life.disk.names());
        drop((store, committer));
        (store, committer) = life.open().expect("nothing is damaged");
        assert_eq!(hash(&mut store), now);
    }
}

/// Calls that come faster than a thread commits wait for room, and on a full disk they are refused until there is some again.
#[test]
fn with_a_thread_calls_wait_for_room() {
    let mut life = Life::new(11);
    let (mut store, committer) = life.open().expect("it is new");
    let thread = std::thread::spawn(|| committer.run());
    // Once this is durable, the thread has begun.
    let first = request(3);
    let first = store.call(|desk| {
        desk.0[0]
            .book
            .reserve(&first, Policy::FirstFit, Commitment::Confirmed)
    });
    assert!(first.is_ok_and(|first| first.wait().is_ok()));
    let mut call = |store: &mut Store<Desk>, bytes| {
        let dice = &mut life.dice;
        store.call_within(bytes, |book| act(book, dice))
    };
    let answers: Vec<_> = (0..2_000).map(|_| call(&mut store, 500)).collect();
    for answer in answers {
        let answer = answer.expect("there is room");
        answer.wait().expect("the disk is sound");
    }
    for _ in 0..3 {
        life.disk.plan(0, Some(Trouble::Full));
        let called = std::iter::from_fn(|| Some(call(&mut store, 500)));
        let begun: Vec<_> = called.map_while(Result::ok).collect();
        assert!(matches!(call(&mut store, 500), Err(StoreError::DiskFull)));
        for answer in begun {
            answer.wait().expect("there was room for it");
        }
        life.disk.works_again();
        let answer = call(&mut store, 500).expect("there is room again");
        answer.wait().expect("the disk is sound");
    }
    // Those who wait for room when the store is closed are told.
    life.disk.plan(0, Some(Trouble::Full));
    let waiting: Vec<_> = (0..100).map(|_| call(&mut store, 0)).collect();
    drop(store);
    thread.join().expect("nothing panics");
    let told = waiting.into_iter().map(|answer| answer?.wait());
    let mut refused = told.filter_map(Result::err);
    assert!(matches!(refused.next_back(), Some(StoreError::DiskFull)));
}

/// Whoever wants to hear is told once: when it is durable, or that it never will be. Who panics keeps nobody else from hearing.
#[test]
fn whoever_wants_to_hear_is_told() {
    let life = Life::new(5);
    let (mut store, mut committer) = life.open().expect("it is new");
    let (sender, told) = std::sync::mpsc::channel();
    let ask = |store: &mut Store<Desk>, number: u64| {
        let (request, sender) = (request(number), sender.clone());
        let booked = store.call(|desk| {
            desk.0[0]
                .book
                .reserve(&request, Policy::FirstFit, Commitment::Confirmed)
        });
        booked.expect("there is room").then(move |answer| {
            let told = sender.send((number, answer.is_ok()));
            told.expect("somebody listens");
            assert!(number > 1, "as it should, this one panics");
        });
    };
    (1..3).for_each(|number| ask(&mut store, number));
    assert!(told.try_recv().is_err());
    committer.commit().expect("the disk is sound");
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [(1, true), (2, true)]);
    // What rests on nothing new is told at once.
    let sender = sender.clone();
    let known = store
        .call(|desk| desk.0[0].book.len())
        .expect("it looks only");
    known.then(move |len| {
        sender
            .send((9, len.is_ok_and(|len| len == 2)))
            .expect("as above")
    });
    assert_eq!(told.try_recv(), Ok((9, true)));
    life.disk.plan(0, Some(Trouble::SyncFailed));
    ask(&mut store, 3);
    assert!(committer.commit().is_err());
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [(3, false)]);
}

/// How many crashes a test runs: more of them for whoever asks.
fn crashes() -> u64 {
    let asked = std::env::var("BOOKAHEAD_CRASHES").ok();
    asked.map_or(10_000, |asked| asked.parse().expect("a number"))
}

#[test]
fn no_crash_or_damage_loses_or_invents_a_change_without_a_word() {
    let tallies = campaign::run(crashes() / 7, 1);
    for tally in &tallies {
        println!("{tally}");
    }
    assert!(tallies.iter().all(Tally::is_clean));
    // Each has been tried, and has had its effect.
    let noted = |kind: &str, what: &str| {
        let tally = tallies.iter().find(|tally| tally.kind == kind);
        let tally = tally.expect("it has happened");
        let note = tally.notes.iter().find(|note| note.0 == what);
        note.map_or(0, |note| note.1 * 100 / tally.points)
    };
    assert!(noted("power-lost", "torn tails") > 5);
    assert!(noted("disk-full", "calls refused") > 50);
    for kind in ["bit-flipped", "file-cut", "file-gone"] {
        assert!(noted(kind, "repaired") > 10);
        assert!(noted(kind, "lost and counted") > 10);
    }
    assert!(noted("bit-flipped", "tails") > 0);
}
