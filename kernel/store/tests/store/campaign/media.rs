//! A disk that loses or changes what it had, after all was synced.

use bookahead_store::{Files, Store, StoreError, repair, verify};

use super::{
    Tally,
    acts::{Dice, desk},
    disk::SimulatedDisk,
    life::{Life, hash},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// A bit is another.
    Bit,
    /// A file ends earlier.
    Cut,
    /// A file is not there.
    Gone,
}

impl Damage {
    pub const ALL: [Self; 3] = [Self::Bit, Self::Cut, Self::Gone];

    const fn name(self) -> &'static str {
        match self {
            Self::Bit => "bit-flipped",
            Self::Cut => "file-cut",
            Self::Gone => "file-gone",
        }
    }
}

/// Damages stores in one way, so many times: each says so with the place, or reports a tail, or has not needed what it was. Those that do not open are repaired.
pub fn damage(damage: Damage, points: u64, seed: u64) -> Tally {
    let mut tally = Tally::new(damage.name());
    let mut lives = Dice(seed);
    while tally.points < points {
        let mut life = Life::new(lives.below(u64::MAX));
        let mut opened = life.open().expect("it is new");
        life.look(&mut opened.0, &mut tally);
        // Several openings have a log each.
        for _ in 0..life.dice.below(3) {
            let calls = 5 + life.dice.below(20);
            life.go_on(&mut opened, calls);
            opened.1.commit().expect("the disk is sound");
            life.look(&mut opened.0, &mut tally);
            opened = life.open().expect("nothing is damaged");
        }
        let calls = 10 + life.dice.below(40);
        life.go_on(&mut opened, calls);
        opened.1.commit().expect("the disk is sound");
        for _ in 0..8 {
            tally.points += 1;
            one(damage, &mut life, opened.0.last(), &mut tally);
        }
    }
    tally
}

fn one(damage: Damage, life: &mut Life, all: u64, tally: &mut Tally) {
    let disk = life.disk.copy();
    let names = disk.names();
    let name = &names[life.dice.below(names.len() as u64) as usize];
    let dice = &mut life.dice;
    match damage {
        Damage::Gone => disk.take_away(name),
        Damage::Cut => disk.damage(name, |bytes| {
            bytes.truncate(dice.below(bytes.len() as u64) as usize);
        }),
        Damage::Bit => disk.damage(name, |bytes| {
            // What is written comes first.
            let most = [200, bytes.len() as u64][dice.below(2) as usize];
            let place = dice.below(most.min(bytes.len() as u64)) as usize;
            bytes[place] ^= 1 << dice.below(8);
        }),
    }
    match Store::open_in(disk.clone(), desk(life.binding)) {
        Err(StoreError::Damaged { file, .. }) => {
            assert!(!file.is_empty());
            tally.note("named", 1);
            mend(life, &disk, all, tally);
        }
        Err(other) => panic!("{name}: {other}"),
        Ok((mut store, _)) => {
            let known = life.hashes.get(store.last() as usize);
            tally.phantom += u64::from(known != Some(&hash(&mut store)));
            if store.last() == all {
                tally.note("harmless", 1);
            } else if store.tail().is_some_and(|tail| tail.file == *name)
                && store.last() >= life.vouched
            {
                tally.note("tails", 1);
            } else if damage == Damage::Gone {
                // A folder as it was some time ago looks the same.
                tally.note("last log gone", 1);
            } else {
                tally.unnamed += 1;
            }
        }
    }
}

/// Repairs a store that does not open, and looks whether anything comes back of what was cut.
fn mend(life: &mut Life, disk: &SimulatedDisk, all: u64, tally: &mut Tally) {
    let new = || desk(life.binding);
    let mut damaged = disk.copy();
    let Some(repaired) = repair(&mut disk.clone(), new).expect("the disk is sound") else {
        panic!("it does not open, and there is nothing to repair");
    };
    let last = repaired.last.unwrap_or_default();
    for copy in &repaired.aside {
        let (of, _) = copy.split_once(".damaged-").expect("it is named so");
        let both = [damaged.read(of), disk.clone().read(copy)].map(Result::ok);
        assert!(both[0].is_some() && both[0] == both[1], "{copy}");
    }
    // What is lost is counted, as far as a file tells.
    assert!(repaired.highest >= last && repaired.highest <= all);
    let mut listed = repaired.lost.iter();
    assert!(listed.all(|record| (last + 1..=repaired.highest).contains(&record.number)));
    // Whatever is whole is kept, up to the first record that is not.
    let why = repaired.damage.to_string();
    let first = why.split_once(": record ").map_or("", |(_, rest)| rest);
    let first = first
        .split([' ', ':'])
        .next()
        .and_then(|first| first.parse().ok());
    assert!(
        first.is_none_or(|first: u64| first <= last + 1),
        "{why}: {last}"
    );
    tally.note("repaired", 1);
    tally.note("lost and counted", repaired.highest - last);
    tally.note("lost and listed", repaired.lost.len() as u64);
    tally.note("lost altogether", all - last);
    let again = repair(&mut disk.clone(), new).expect("the disk is sound");
    assert!(again.is_none(), "it is repaired");
    if repaired.last.is_some() {
        let contents = verify(&mut disk.clone(), new()).expect("it is repaired");
        assert_eq!((contents.last, contents.tail), (last, None));
    }
    let mut mended = Life {
        disk: disk.clone(),
        dice: life.dice.clone(),
        hashes: life.hashes.clone(),
        confirmed: last,
        waiting: Vec::new(),
        ..*life
    };
    for _ in 0..3 {
        let mut opened = mended.open().expect("it is repaired");
        assert!(opened.0.tail().is_none());
        if !mended.look(&mut opened.0, tally) {
            return;
        }
        let calls = mended.dice.below(8);
        mended.go_on(&mut opened, calls);
        opened.1.commit().expect("the disk is sound");
    }
}
