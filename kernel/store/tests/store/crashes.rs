//! Stores that crash at any point: nothing that was confirmed is lost, and nothing is there that never happened.

use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
use bookahead_heap::{Binding, BoxedBook, Survives};
use bookahead_store::{Committer, Store, StoreError};

use crate::{
    acts::{Dice, SIZES, act},
    disk::{SimulatedDisk, Trouble},
};

/// A store in the test's hands: what its book was after each change, and how many of them were confirmed.
struct Life {
    disk: SimulatedDisk,
    dice: Dice,
    binding: Binding,
    /// The hash of the book after each record, from none on.
    hashes: Vec<u64>,
    confirmed: u64,
    /// How many changes the last record knows to be durable.
    vouched: u64,
}

impl Life {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let disk = SimulatedDisk::new(Dice(dice.below(u64::MAX)));
        let binding = Binding::ALL[dice.below(2) as usize];
        Self {
            disk,
            dice,
            binding,
            hashes: Vec::new(),
            confirmed: 0,
            vouched: 0,
        }
    }

    fn open(&self) -> Result<(Store<BoxedBook>, Committer<SimulatedDisk>), StoreError> {
        Store::open_in(self.disk.clone(), book(self.binding))
    }

    /// Looks at a store that was opened: it is in a state that it was in, and no confirmed change is missing from it.
    fn look(&mut self, store: &mut Store<BoxedBook>) {
        let (last, hash) = (store.last(), hash(store));
        assert!(last >= self.confirmed, "lost: {last} of {}", self.confirmed);
        if self.hashes.is_empty() {
            assert_eq!(last, 0, "phantom: it is new");
            self.hashes.push(hash);
        }
        let known = self.hashes.get(last as usize);
        assert_eq!(known, Some(&hash), "phantom: change {last} was another");
        self.hashes.truncate(last as usize + 1);
        // An opening has synced what it has found.
        self.confirmed = last;
    }

    /// Calls and commits until the disk fails, or so many times.
    fn go_on(
        &mut self,
        store: &mut Store<BoxedBook>,
        committer: &mut Committer<SimulatedDisk>,
        calls: u64,
    ) {
        let mut waiting = Vec::new();
        for _ in 0..calls {
            let (dice, mut now) = (&mut self.dice, 0);
            let called = store.call(|book| {
                act(book, dice);
                now = book.state_hash();
                now
            });
            let (last, known) = (store.last() as usize, self.hashes.len());
            assert!(last <= known, "one call, one change");
            if last == known {
                self.hashes.push(now);
                self.vouched = self.confirmed;
            }
            assert_eq!(self.hashes[last], now, "without a record nothing changes");
            waiting.extend(called.ok().map(|pending| (last as u64, pending)));
            if self.dice.below(9) == 0 {
                let _ = store.compact();
            }
            let committed = match self.dice.below(3) {
                0 => committer.commit().map(|_| true),
                _ => Ok(false),
            };
            let mut still = Vec::new();
            for (number, pending) in waiting {
                match pending.poll() {
                    Ok(Ok(told)) => {
                        assert_eq!(told, self.hashes[number as usize]);
                        self.confirmed = self.confirmed.max(number);
                    }
                    Ok(Err(_)) => assert!(committed.is_err()),
                    Err(pending) => still.push((number, pending)),
                }
            }
            waiting = still;
            match committed {
                Ok(all) => assert!(!all || waiting.is_empty()),
                Err(_) => {
                    self.disk.works_again();
                    assert!(store.call(|_| ()).is_err(), "nothing is confirmed any more");
                    assert!(committer.commit().is_err(), "what was lost stays lost");
                    for (_, pending) in waiting {
                        assert!(pending.wait().is_err());
                    }
                    return;
                }
            }
        }
    }
}

/// All of these take as many bytes in a record.
fn request(number: u64) -> Request {
    Request {
        ready: Slot::new(number),
        duration: Span::new(2),
        deadline: Slot::new(number + 9),
        pes: PeCount::new(3),
    }
}

fn book(binding: Binding) -> BoxedBook {
    BoxedBook::new(binding, SIZES).expect("it is small")
}

fn hash(store: &mut Store<BoxedBook>) -> u64 {
    // It is the test that looks, and not a user who is told.
    let mut found = 0;
    let _ = store.call(|book| {
        found = book.state_hash();
        assert_eq!(book.check_invariants(), Ok(()));
    });
    found
}

/// A life's records stand where those of a life before stood, of which the disk shows the later ones again.
#[test]
fn what_an_earlier_life_left_does_not_come_back() {
    let log = "log-00000000000000000001";
    let life = Life::new(3);
    let live = |calls: u64| {
        let (mut store, mut committer) = life.open().expect("nothing is damaged");
        for number in 0..calls {
            let request = request(number);
            let booked =
                store.call(|book| book.reserve(&request, Policy::FirstFit, Commitment::Confirmed));
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
    let mut length = 0;
    life.disk.damage(log, |bytes| {
        length = bytes.len();
        bytes.extend(&first[length..]);
    });
    let (last, tail, found) = live(0);
    assert_eq!((last, found), (1, hash));
    assert_eq!(tail.map(|tail| tail.offset), Some(length as u64));
}

#[test]
fn a_snapshot_takes_the_place_of_what_came_before_it() {
    let mut life = Life::new(7);
    let (mut store, mut committer) = life.open().expect("it is new");
    life.look(&mut store);
    let mut most = 0;
    for _ in 0..40 {
        life.go_on(&mut store, &mut committer, 100);
        most = most.max(life.disk.bytes());
    }
    assert!(store.last() > 2_000 && most < 60_000, "{most} bytes");
}

/// How many crashes a test runs: more of them for whoever asks.
fn crashes() -> u64 {
    let asked = std::env::var("BOOKAHEAD_CRASHES").ok();
    asked.map_or(10_000, |asked| asked.parse().expect("a number"))
}

#[test]
fn no_crash_loses_or_invents_a_change() {
    let (mut left, mut seed) = (crashes(), 0);
    let mut counts = [0_u64; 4];
    let (mut tails, mut changes) = (0_u64, 0_u64);
    while left > 0 {
        seed += 1;
        let mut life = Life::new(seed);
        for _ in 0..8 {
            let kind = life.dice.below(4) as usize;
            let trouble = Trouble::ALL[kind];
            // Also while it is being opened, and often with the first sync after that.
            let most = [8, 60][life.dice.below(2) as usize];
            let after = 1 + life.dice.below(most);
            life.disk.plan(after, Some(trouble));
            if let Ok((mut store, mut committer)) = life.open() {
                life.look(&mut store);
                let before = store.last();
                life.go_on(&mut store, &mut committer, 200);
                changes += store.last() - before;
            }
            life.disk.after(trouble);
            let (mut store, _) = life.open().expect("nothing is damaged");
            life.look(&mut store);
            tails += u64::from(store.tail().is_some());
            counts[kind] += 1;
            left = left.saturating_sub(1);
        }
    }
    println!(
        "{counts:?} crashes by kind, {changes} changes, {tails} torn tails, lost 0, phantom 0"
    );
    assert!(counts.iter().all(|count| *count > 100) && tails > 100);
}

/// A bit is another or a file is cut, after all was synced: the store says so with its place, or reports a tail, or never needed it.
#[test]
fn damage_is_named_or_a_reported_tail() {
    let (mut named, mut tails, mut harmless, mut unseen) = (0, 0, 0, 0);
    for seed in 1..400 {
        let mut life = Life::new(seed);
        let (mut store, mut committer) = life.open().expect("it is new");
        life.look(&mut store);
        let calls = 20 + life.dice.below(60);
        life.go_on(&mut store, &mut committer, calls);
        committer.commit().expect("the disk is sound");
        let all = store.last();
        for _ in 0..8 {
            let disk = life.disk.copy();
            let names = disk.names();
            let name = &names[life.dice.below(names.len() as u64) as usize];
            let dice = &mut life.dice;
            let (mut place, cut) = (0, dice.below(3) == 0);
            disk.damage(name, |bytes| {
                place = dice.below(bytes.len() as u64);
                if cut {
                    bytes.truncate(place as usize);
                } else {
                    bytes[place as usize] ^= 1 << dice.below(8);
                }
            });
            match Store::open_in(disk, book(life.binding)) {
                Err(StoreError::Damaged { file, offset, .. }) => {
                    assert!(!file.is_empty() && offset <= place.max(offset));
                    named += 1;
                }
                Err(other) => panic!("{name} at {place}: {other}"),
                Ok((mut store, _committer)) => {
                    let found = hash(&mut store);
                    assert_eq!(found, life.hashes[store.last() as usize]);
                    if store.last() == all {
                        harmless += 1;
                    } else if let Some(tail) = store.tail() {
                        assert_eq!(tail.file, *name);
                        assert!(cut || store.last() >= life.vouched, "{name} at {place}");
                        tails += 1;
                    } else {
                        // Cut just between two records: a log that ends there looks the same.
                        assert!(cut, "{name} at {place}: silently lost");
                        unseen += 1;
                    }
                }
            }
        }
    }
    println!("{named} named, {tails} tails, {harmless} harmless, {unseen} cut between records");
    assert!(named > 100 && tails > 20 && unseen * 50 < named);
}
