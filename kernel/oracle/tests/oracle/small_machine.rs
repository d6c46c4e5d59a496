//! Every sequence of operations up to a stated length on a small machine with a layout: 4 groups of two cores and a GPU, but for the last one
//! without it, in 2 blocks; 4 slots, at most 3 reservations.
//!
//! After each step a matcher looks at all sets of PEs, apart from kernel and twin: whoever is booked has a set that is right for its class,
//! and whoever was refused for want of room had no right set at any start.

use bookahead::{Alteration, Commitment, PeCount, Policy, Refusal, Request, Slot, Span, Within};
use bookahead::{UsageError, Window, raw::BulkScan, raw::PlainScan};
use bookahead_commands::{
    Allowed, Call, ClassNumber, Command, Ending, JuggleEnd, LONG_LOG, Machine, Placed, Preferred,
    Reply, Scope, Shaped, Subject, Transact, Wish,
};
use bookahead_heap::HostColumn;
use bookahead_oracle::generate::later;
use bookahead_oracle::{Harness, Oracle, Recorded, Tally, Twin};

use crate::common::kernels::on;
use crate::common::letters::{
    Ask, Letter, act, advance, alter, complete, juggling, letter, nth, split,
};
use crate::exhaustive::exhaust;

const SLOTS: u16 = 4;
const ROWS: usize = 3;
const GROUPS: u16 = 4;
/// Cores are 0..8, two for each group; GPUs are 8..11, as group 3 has none.
const PES: u16 = 11;
const GPUS: u16 = 2 * GROUPS;
const BLOCK: u16 = 2;

fn machine() -> Placed {
    Placed {
        machine: Machine {
            groups: GROUPS,
            kinds: vec![2, 1],
            missing: vec![(3, 4, 1, 0)],
            levels: vec![BLOCK],
        },
        classes: CLASSES.len(),
        order: 1,
    }
}

/// The classes, by number from 1 on.
const CLASSES: [fn() -> Wish; 6] = [
    || wish(Allowed::All, Shaped::PerGroup(vec![1, 1]), Within::Anywhere),
    || Wish {
        preference: Preferred::Pack,
        ..wish(
            Allowed::All,
            Shaped::PerGroup(vec![1, 0]),
            Within::Required(0),
        )
    },
    || {
        wish(
            Allowed::Groups(vec![(0, 3)], 3),
            Shaped::WholeGroups,
            Within::Required(0),
        )
    },
    || Wish {
        preference: Preferred::Spread,
        ..wish(
            Allowed::Groups(vec![(0, 4)], 1),
            Shaped::Number,
            Within::Preferred(0),
        )
    },
    || Wish {
        preference: Preferred::Compact(0),
        ..wish(
            Allowed::Pes(vec![0b0101_1111_0111]),
            Shaped::Number,
            Within::Required(0),
        )
    },
    || Wish {
        preference: Preferred::Order(vec![2]),
        ..wish(
            Allowed::Groups(vec![(1, 3)], 3),
            Shaped::PerGroup(vec![2, 0]),
            Within::Anywhere,
        )
    },
];

fn wish(eligible: Allowed, shape: Shaped, within: Within) -> Wish {
    Wish {
        eligible,
        shape,
        within,
        preference: Preferred::Lowest,
    }
}

const fn group_of(pe: u16) -> u16 {
    if pe < GPUS { pe / 2 } else { pe - GPUS }
}

/// The sets of `pes` PEs, a bit for each, that are right for a class.
struct Matcher(Vec<Vec<u16>>);

impl Matcher {
    fn new() -> Self {
        let right = |wish: &Wish| (0..1 << PES).filter(|set| is_right(wish, *set)).collect();
        Self(CLASSES.iter().map(|class| right(&class())).collect())
    }

    fn right(&self, class: ClassNumber) -> &[u16] {
        &self.0[class as usize - 1]
    }

    /// Whether a class could have so many PEs somewhere at a time when `free` are.
    fn finds(&self, class: ClassNumber, pes: u32, free: u16) -> bool {
        let mut right = self.right(class).iter();
        right.any(|set| set.count_ones() == pes && set & !free == 0)
    }

    /// Whether all that live have what is right for them.
    fn check(&self, oracle: &Oracle) {
        for number in oracle.live() {
            let class = oracle.class_of(number).unwrap();
            if (1..=CLASSES.len()).contains(&(class as usize)) {
                let set = bits(oracle.pes_of(number).unwrap());
                let is_right = self.right(class).contains(&set);
                assert!(is_right, "{set:011b} is not right for class {class}");
            }
        }
    }

    /// Whether a refusal was right.
    fn check_refusal(&self, before: &Oracle, class: ClassNumber, request: &Request, why: Refusal) {
        let pes = request.pes.get();
        let latest = request.latest_start().map_or(0, Slot::get);
        let fits = |start| {
            let end = start + u64::from(request.duration.get());
            self.finds(class, pes, free(before, start..end))
        };
        let wrong = match why {
            Refusal::NotEligible => self.finds(class, pes, u16::MAX),
            Refusal::NoRoom => (request.ready.get()..=latest).any(fits),
            _ => false,
        };
        assert!(!wrong, "{why:?} for {request:?} of class {class}");
    }
}

fn is_right(wish: &Wish, set: u16) -> bool {
    let members = || (0..PES).filter(|pe| set >> pe & 1 == 1);
    let is_gpu = |pe: u16| pe >= GPUS;
    let eligible = |pe| match &wish.eligible {
        Allowed::All => true,
        Allowed::Groups(groups, kinds) => {
            let group = group_of(pe);
            let in_one = groups
                .iter()
                .any(|(from, to)| (*from..*to).contains(&group));
            in_one && kinds >> u8::from(is_gpu(pe)) & 1 == 1
        }
        Allowed::Pes(mask) => mask[0] >> pe & 1 == 1,
    };
    let each_group = |cores: usize, gpus: usize| {
        members().all(|pe| {
            let own = || members().filter(|other| group_of(*other) == group_of(pe));
            own().filter(|pe| !is_gpu(*pe)).count() == cores
                && own().filter(|pe| is_gpu(*pe)).count() == gpus
        })
    };
    let shape = match &wish.shape {
        Shaped::Number => true,
        Shaped::PerGroup(pes) => each_group(pes[0].into(), pes[1].into()),
        Shaped::WholeGroups => each_group(2, 1),
    };
    let blocks = || members().map(|pe| group_of(pe) / BLOCK);
    let in_one = blocks().min() == blocks().max() || !matches!(wish.within, Within::Required(_));
    set != 0 && members().all(eligible) && shape && in_one
}

fn bits(pes: &[u16]) -> u16 {
    pes.iter().fold(0, |set, pe| set | 1 << pe)
}

/// The PEs that nobody has in any of the slots.
fn free(oracle: &Oracle, slots: std::ops::Range<u64>) -> u16 {
    let window = Window {
        start: Slot::new(slots.start),
        end: Slot::new(slots.end),
    };
    let taken = oracle.covering(window).into_iter();
    let taken = taken.map(|number| bits(oracle.pes_of(number).unwrap()));
    !taken.fold(0, |all, set| all | set) & ((1 << PES) - 1)
}

/// A request of a class, with what the matcher says to the answer.
fn of_class(class: ClassNumber, ask: Ask, how: fn(Request) -> Command) -> Letter {
    let matcher = Matcher::new();
    Box::new(move |play| {
        let before = play.harness.twin.oracle.clone();
        let request = ask.at(before.now());
        let reply = play.apply(Command::For(class, Box::new(how(request))))?;
        if let Reply::Refused(bookahead::Error::Refused(why), _) = reply {
            matcher.check_refusal(&before, class, &request, why);
        }
        let after = &play.harness.twin.oracle;
        matcher.check(after);
        for (number, known) in before.by_start() {
            let now = after.get(number).unwrap();
            assert_eq!(now.window, known.window, "who makes room keeps its start");
        }
        Ok(())
    })
}

fn book(class: ClassNumber, ask: Ask) -> Letter {
    of_class(class, ask, |request| {
        Command::Book(request, Policy::FirstFit, Commitment::Confirmed)
    })
}

fn worst(class: ClassNumber, ask: Ask) -> Letter {
    of_class(class, ask, |request| {
        Command::Book(request, Policy::ALL[2], Commitment::Confirmed)
    })
}

/// A newcomer for whom others move in space, with so many targets at most.
fn relocate(class: ClassNumber, ask: Ask) -> Letter {
    of_class(class, ask, |request| {
        let newcomer = (request, Commitment::Confirmed);
        Command::Relocate(newcomer, 3, LONG_LOG, JuggleEnd::Commit)
    })
}

/// Any other command, with what the matcher says to whom it leaves.
fn checked(inner: Letter) -> Letter {
    let matcher = Matcher::new();
    Box::new(move |play| {
        inner(play)?;
        matcher.check(&play.harness.twin.oracle);
        Ok(())
    })
}

/// Exactly these PEs, so many slots from now.
fn exactly(lead: i64, duration: i64, pes: &'static [u16]) -> Letter {
    letter(move |oracle| {
        let start = later(oracle.now(), lead);
        let end = later(start, duration);
        let window = Window { start, end };
        Some(Command::BookExactly(
            window,
            pes.to_vec(),
            Commitment::Confirmed,
        ))
    })
}

/// The nth one moves to exactly these PEs at its own start.
fn move_to(number: usize, pes: &'static [u16]) -> Letter {
    letter(move |oracle| {
        let number = nth(oracle, number)?;
        let start = oracle.placement(number).ok()?.start;
        Some(Command::Transact(Transact {
            log: LONG_LOG,
            work: u64::MAX,
            calls: vec![
                Call::Lift(number),
                Call::PlaceExactly(number, start, pes.to_vec()),
            ],
            ending: Ending::Commit,
            watched: vec![number],
        }))
    })
}

fn resized(number: usize, by: i64) -> Letter {
    alter(number, move |place, _| {
        let pes = PeCount::new((i64::from(place.pes.get()) + by).max(1) as u32);
        if by > 0 {
            Alteration::Widen { pes }
        } else {
            Alteration::Narrow { pes }
        }
    })
}

fn which_fails(class: ClassNumber, ask: Ask) -> Letter {
    of_class(class, ask, |request| {
        Command::Failing(request, request.ready)
    })
}

/// Others are juggled for a newcomer of a class.
fn juggled(class: ClassNumber, ask: Ask) -> Letter {
    letter(move |oracle| {
        let juggle = juggling(Some(ask.at(oracle.now())), oracle);
        Some(Command::For(class, Box::new(juggle)))
    })
}

/// All that is asked for classes: 11 requests, 3 that others make room for, 3 on exactly these PEs, what comes of them, and time.
fn broad() -> Vec<Letter> {
    let mut alphabet = vec![
        book(1, Ask(0, 2, 0, 2)),
        book(1, Ask(0, 1, 3, 6)),
        book(2, Ask(0, 2, 2, 2)),
        book(2, Ask(1, 3, 0, 1)),
        book(3, Ask(0, 1, 2, 3)),
        book(3, Ask(0, 2, 1, 6)),
        worst(4, Ask(0, 2, 1, 3)),
        book(5, Ask(0, 2, 2, 4)),
        book(5, Ask(0, 1, 2, 6)),
        worst(6, Ask(0, 3, 1, 2)),
        book(6, Ask(0, 1, 1, 3)),
        relocate(2, Ask(0, 2, 1, 2)),
        relocate(3, Ask(0, 2, 0, 6)),
        relocate(5, Ask(0, 2, 1, 5)),
        which_fails(3, Ask(0, 1, 2, 6)),
    ];
    let plain = [
        exactly(0, 2, &[0, 8]),
        exactly(1, 2, &[2, 3, 9]),
        exactly(0, 1, &[11]),
        move_to(0, &[4, 10]),
        move_to(0, &[6, 4]),
        resized(0, 2),
        resized(1, -1),
        alter(0, |place, _| Alteration::Extend {
            duration: Span::new(place.duration.get() + 1),
        }),
        split(0, 1),
        juggled(1, Ask(0, 2, 0, 6)),
        act(0, Command::Cancel),
        complete(1, 0),
        letter(|_| Some(Command::ClassDrop(1))),
        letter(|_| Some(Command::ClassAdd(CLASSES[0]()))),
        advance(1, 8),
        advance(2, 1),
    ];
    alphabet.extend(plain.map(checked));
    alphabet
}

/// Blocks that are half full: 5 requests, 2 that others make room for, exactly these, an end, time.
fn narrow() -> Vec<Letter> {
    let mut alphabet = vec![
        book(2, Ask(0, 2, 0, 1)),
        book(3, Ask(0, 2, 1, 3)),
        worst(4, Ask(1, 2, 0, 2)),
        book(5, Ask(0, 2, 1, 4)),
        relocate(3, Ask(0, 2, 1, 6)),
        relocate(5, Ask(1, 1, 1, 5)),
    ];
    let plain = [
        exactly(1, 1, &[4, 5]),
        move_to(0, &[7]),
        act(0, Command::Cancel),
        advance(1, 8),
    ];
    alphabet.extend(plain.map(checked));
    alphabet
}

/// A book with its classes beside a twin.
fn fresh(subject: Box<dyn Subject>) -> Recorded {
    let mut subject = subject;
    let Reply::Size(size) = subject.perform(&Command::Size) else {
        panic!("a book has a size");
    };
    let twin = Twin::on(&size, &machine());
    let mut both = Recorded::of(Harness::beside(Scope::Whole, subject, twin));
    for class in CLASSES {
        both.apply(Command::ClassAdd(class())).unwrap();
    }
    both
}

/// What has to have happened in all sequences.
fn check_sum(tally: &Tally, refused: &[Refusal], misused: &[UsageError]) {
    for refusal in refused {
        assert!(tally.because(*refusal) > 0, "no {refusal:?} in {tally:?}");
    }
    for misuse in misused {
        assert!(tally.because(*misuse) > 0, "no {misuse:?} in {tally:?}");
    }
    assert!(tally.times("make room", "in space") > 0, "{tally:?}");
}

/// 31 letters, length 3: 92,349 operations.
fn broad_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let alphabet = broad();
    assert_eq!(alphabet.len(), 31);
    let sum = exhaust(|| fresh(make()), &alphabet, 3);
    check_sum(
        &sum,
        &[Refusal::NoRoom, Refusal::NotEligible],
        &[
            UsageError::NotWholeGroups,
            UsageError::StaleClass,
            UsageError::ExactlyThese,
            UsageError::BadPes,
        ],
    );
}

/// 10 letters, length 5: 333,330 operations.
fn narrow_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let alphabet = narrow();
    assert_eq!(alphabet.len(), 10);
    let sum = exhaust(|| fresh(make()), &alphabet, 5);
    check_sum(&sum, &[Refusal::NoRoom, Refusal::TableFull], &[]);
}

#[test]
fn for_devices() {
    broad_sequences(|| on::<u32, PlainScan>(&machine(), SLOTS, ROWS));
}

#[test]
fn for_hosts() {
    broad_sequences(|| on::<HostColumn, BulkScan>(&machine(), SLOTS, ROWS));
}

#[test]
fn half_full_blocks() {
    narrow_sequences(|| on::<u32, PlainScan>(&machine(), SLOTS, ROWS));
}
