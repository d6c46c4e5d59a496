//! A store that crashes at any point.

use bookahead_heap::{Binding, Survives};
use bookahead_store::{Committer, Pending, Store, StoreError};

use super::{
    Tally,
    acts::{Desk, Dice, act, check, desk},
    disk::{SimulatedDisk, Trouble},
};

pub type Opened = (Store<Desk>, Committer<SimulatedDisk>);

/// A store in the test's hands: what its book was after each change, and how many of them were confirmed.
pub struct Life {
    pub disk: SimulatedDisk,
    pub dice: Dice,
    pub binding: Binding,
    /// The hash of the book after each record, from none on.
    pub hashes: Vec<u64>,
    pub confirmed: u64,
    /// Answers that are not durable yet, with the numbers of the changes on which they rest.
    pub waiting: Vec<(u64, Pending<u64>)>,
    /// How many changes the last record knows to be durable.
    pub vouched: u64,
    /// How many calls were refused on a full disk.
    pub refused: u64,
    /// How often somebody has read a published book.
    pub read: u64,
}

impl Life {
    pub fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let disk = SimulatedDisk::new(Dice(dice.below(u64::MAX)));
        let binding = Binding::ALL[dice.below(2) as usize];
        Self {
            disk,
            dice,
            binding,
            hashes: Vec::new(),
            confirmed: 0,
            waiting: Vec::new(),
            vouched: 0,
            refused: 0,
            read: 0,
        }
    }

    pub fn open(&self) -> Result<Opened, StoreError> {
        Store::open_in(self.disk.clone(), desk(self.binding))
    }

    /// Looks at a store that was opened, and counts: it is in a state that it was in, and no confirmed change is missing from it. Returns whether that is so.
    pub fn look(&mut self, store: &mut Store<Desk>, tally: &mut Tally) -> bool {
        let (last, hash) = (store.last(), hash(store));
        if self.hashes.is_empty() && last == 0 {
            self.hashes.push(hash);
        }
        let lost = last < self.confirmed;
        let phantom = self.hashes.get(last as usize) != Some(&hash);
        tally.lost += u64::from(lost);
        tally.phantom += u64::from(phantom);
        self.hashes.truncate(last as usize + 1);
        // An opening has synced what it has found.
        self.confirmed = last;
        self.waiting.clear();
        !lost && !phantom
    }

    /// Calls and commits until the disk fails, or so many times.
    pub fn go_on(&mut self, (store, committer): &mut Opened, calls: u64) {
        let (mut honest, mut stuck) = (self.waiting.is_empty(), false);
        for _ in 0..calls {
            let (dice, mut now) = (&mut self.dice, None);
            // Some say that they take less than they do: they wait for room then.
            let honest_ones = if self.disk.is_full() { 2 } else { 4 };
            let bytes = [1, 600, 600, 600][dice.below(honest_ones) as usize];
            let called = store.call_within(bytes, |book| {
                act(book, dice);
                let hash = book.state_hash();
                now = Some(hash);
                hash
            });
            let (last, known) = (store.last() as usize, self.hashes.len());
            assert!(last <= known, "one call, one change");
            let refused = matches!(called, Err(StoreError::DiskFull));
            assert_eq!(refused, now.is_none(), "a call is refused before it runs");
            assert!(refused || !stuck, "others wait for room already");
            if last == known {
                self.hashes.extend(now);
                self.vouched = self.confirmed;
            }
            if let Some(now) = now {
                assert_eq!(self.hashes[last], now, "without a record nothing changes");
            } else {
                let asked = store.call_within(0, |book| book.state_hash());
                let asked = asked.map(|asked| self.waiting.push((last as u64, asked)));
                assert!(asked.is_ok(), "calls that change nothing go on");
            }
            honest &= refused || bytes > 1;
            self.waiting
                .extend(called.ok().map(|pending| (last as u64, pending)));
            if self.dice.below(9) == 0 {
                let _ = store.compact();
            }
            if self.dice.below(5) == 0 {
                store.publish();
            }
            let commits = refused || self.dice.below(4) == 0;
            let committed = match commits {
                true => committer.commit().map(|_| true),
                false => Ok(false),
            };
            self.hear();
            honest |= self.waiting.is_empty();
            if let Some((number, book)) = store.reader().get() {
                let seen = book.lock().unwrap().state_hash();
                assert!(number <= self.confirmed, "readers see what is durable");
                assert_eq!(seen, self.hashes[number as usize]);
                self.read += 1;
            }
            stuck = false;
            match committed {
                Ok(all) => assert!(!all || self.waiting.is_empty()),
                Err(StoreError::DiskFull) => {
                    assert!(
                        self.waiting.is_empty() || !honest,
                        "for what was begun there is room"
                    );
                    self.refused += u64::from(refused);
                    match self.dice.below(9) {
                        0 => {
                            self.disk.works_again();
                            self.has_room(store, committer);
                        }
                        // It crashes now.
                        1 | 2 => return,
                        _ => {}
                    }
                    stuck = self.disk.is_full() && !self.waiting.is_empty();
                }
                Err(error) => {
                    assert!(!self.disk.is_full(), "a full disk is no failure: {error}");
                    self.disk.works_again();
                    assert!(store.call(|_| ()).is_err(), "nothing is confirmed any more");
                    assert!(committer.commit().is_err(), "what was lost stays lost");
                    for (_, pending) in self.waiting.drain(..) {
                        assert!(pending.wait().is_err());
                    }
                    return;
                }
            }
        }
    }

    /// Confirms what is durable, and keeps the others.
    fn hear(&mut self) {
        for (number, pending) in std::mem::take(&mut self.waiting) {
            match pending.poll() {
                Ok(Ok(told)) => {
                    assert_eq!(told, self.hashes[number as usize]);
                    self.confirmed = self.confirmed.max(number);
                }
                Ok(Err(_)) => {}
                Err(pending) => self.waiting.push((number, pending)),
            }
        }
    }

    /// Once somebody has freed some room, the store goes on by itself.
    fn has_room(&self, store: &mut Store<Desk>, committer: &mut Committer<SimulatedDisk>) {
        committer.commit().expect("what waited is written");
        let called = store.call(|_| ());
        assert!(called.is_ok(), "there is room again");
    }
}

pub fn hash(store: &mut Store<Desk>) -> u64 {
    // It is the test that looks, and not a user who is told.
    let mut found = 0;
    let _ = store.call_within(0, |book| {
        found = book.state_hash();
        check(book);
    });
    found
}

/// Crashes stores in one way, so many times.
pub fn crash(trouble: Trouble, points: u64, seed: u64) -> Tally {
    let mut tally = Tally::new(trouble.name());
    let mut lives = Dice(seed);
    while tally.points < points {
        let mut life = Life::new(lives.below(u64::MAX));
        for _ in 0..8 {
            // Also while it is being opened, and often with the first sync after that.
            let most = [14, 60][life.dice.below(2) as usize];
            let after = 1 + life.dice.below(most);
            life.disk.plan(after, Some(trouble));
            if let Ok(mut opened) = life.open() {
                if !life.look(&mut opened.0, &mut tally) {
                    break;
                }
                let before = opened.0.last();
                let calls = 20 + life.dice.below(200);
                life.go_on(&mut opened, calls);
                // Often while the disk is full.
                if trouble == Trouble::Full && life.dice.below(3) == 0 {
                    let after = 1 + life.dice.below(9);
                    life.disk.plan(after, Some(Trouble::PowerLost));
                    life.go_on(&mut opened, 100);
                }
                tally.note("changes", opened.0.last() - before);
            }
            life.disk.after(trouble);
            let (mut store, _) = life.open().expect("nothing is damaged");
            tally.points += 1;
            tally.note("torn tails", store.tail().is_some().into());
            if !life.look(&mut store, &mut tally) {
                break;
            }
        }
        tally.note("calls refused", life.refused);
        tally.note("looks at published books", life.read);
    }
    tally
}
