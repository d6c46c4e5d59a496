//! Random lives of books on machines with layouts, with reservations of many classes: the book and its twin, which looks at all subsets of
//! groups, agree on all that can be seen.

use std::collections::BTreeMap;

use bookahead::{
    Discipline, Insertion, PeCount, Within,
    raw::{BulkScan, PlainScan},
};
use bookahead_commands::{
    Allowed, Call, Command, Lent, Machine, Preferred, Reply, Shaped, Size, Subject, Wish,
};
use bookahead_heap::HostColumn;
use bookahead_oracle::generate::{CROWDED as TOPICS, FLEXIBLE as MOVING, Profile, Situation};
use bookahead_oracle::{Oracle, Twin};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::common::{
    World,
    kernels::{CLASSES, on},
    lives,
};

/// Both sides, and what they came to.
struct Life {
    subject: Box<dyn Subject>,
    twin: Twin,
    situation: Situation,
    machine: Machine,
    /// How many PEs a group gives of each class that there has been; 0 for a number.
    units: Vec<u16>,
    rng: ChaCha8Rng,
    /// How often each answer was given.
    tally: BTreeMap<String, u64>,
}

impl Life {
    fn new(mut subject: Box<dyn Subject>, machine: &Machine, seed: u8) -> Self {
        let Reply::Size(size) = subject.perform(&Command::Size) else {
            panic!("a book has a size");
        };
        let Size {
            horizon, capacity, ..
        } = size;
        let mut twin = Twin::of(&size);
        twin.oracle = Oracle::on(machine, horizon.get(), capacity, CLASSES);
        Self {
            subject,
            twin,
            situation: Situation::new(size),
            machine: machine.clone(),
            units: Vec::new(),
            rng: ChaCha8Rng::from_seed([seed; 32]),
            tally: BTreeMap::new(),
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.rng.next_u64() % bound
    }

    /// A class of this machine; sometimes one that is none.
    fn wish(&mut self) -> Wish {
        let Machine {
            groups,
            kinds,
            levels,
            ..
        } = self.machine.clone();
        let numbers: u16 = groups * kinds.iter().map(|pes| u16::from(*pes)).sum::<u16>();
        let from = self.below(groups.into()) as u16;
        let to = from + 1 + self.below(u64::from(groups - from)) as u16;
        let eligible = match self.below(6) {
            0 => Allowed::Groups(
                vec![(from, to)],
                1 + self.below((1 << kinds.len()) - 1) as u8,
            ),
            1 => Allowed::Groups(vec![(0, 1), (from, to)], (1 << kinds.len()) - 1),
            2 => {
                let mut mask = vec![0; usize::from(numbers).div_ceil(32)];
                for number in (0..numbers).filter(|_| self.rng.random_bool(0.8)) {
                    mask[usize::from(number / 32)] |= 1 << (number % 32);
                }
                Allowed::Pes(mask)
            }
            _ => Allowed::All,
        };
        let shape = match self.below(5) {
            0 | 1 => Shaped::Number,
            2 => Shaped::WholeGroups,
            _ => {
                let draw = |most: &u8| (self.rng.next_u64() % (u64::from(*most) + 1)) as u8;
                Shaped::PerGroup(kinds.iter().map(draw).collect())
            }
        };
        let level = self.below(levels.len() as u64) as u8;
        let order = (0..groups).filter(|_| self.rng.random_bool(0.5)).take(4);
        let mut order: Vec<u16> = order.collect();
        order.reverse();
        Wish {
            eligible,
            shape,
            within: match self.rng.next_u64() % 4 {
                0 => Within::Required(level),
                1 => Within::Preferred(level),
                _ => Within::Anywhere,
            },
            preference: match self.rng.next_u64() % 5 {
                0 => Preferred::Lowest,
                1 => Preferred::Pack,
                2 => Preferred::Spread,
                3 => Preferred::Order(order),
                _ => Preferred::Compact(level),
            },
        }
    }

    /// How many PEs a group gives.
    fn unit(&self, wish: &Wish) -> u16 {
        match &wish.shape {
            Shaped::Number => 1,
            Shaped::PerGroup(pes) => pes.iter().map(|pes| u16::from(*pes)).sum(),
            Shaped::WholeGroups => self.machine.kinds.iter().map(|pes| u16::from(*pes)).sum(),
        }
    }

    fn step(&mut self, profile: &Profile) {
        if self.below(30) == 0 {
            return self.add_or_drop();
        }
        let mut command = lives::drawn(profile, &self.situation, &mut self.rng);
        let class = self.below(self.units.len() as u64 + 1);
        let unit = class
            .checked_sub(1)
            .map_or(1, |nth| self.units[nth as usize]);
        // Mostly whole groups.
        if self.below(8) > 0 {
            scale(&mut command, unit);
        }
        if let Command::Juggle(_, _, lent, _) | Command::Alternatives(_, _, _, lent, _) =
            &mut command
        {
            *lent = Lent::ENOUGH;
        }
        if let Command::ShiftIn(_, rules, ..) = &mut command {
            // The twin slides only, and its work has no limit.
            rules.work = u64::MAX;
            if !matches!(rules.insertion, Insertion::Slides { .. }) {
                return;
            }
        }
        let asked = Command::For(class as u32, Box::new(command.clone()));
        let reply = self.perform(&asked);
        let what = format!("{command:?}");
        let what = what.split(['(', '{', ' ']).next().unwrap_or_default();
        let how = reply.error().map_or("done", bookahead::Error::name);
        *self.tally.entry(format!("{what} {how}")).or_default() += 1;
        self.situation.note(&command, &reply);
        self.look();
    }

    fn add_or_drop(&mut self) {
        if self.below(3) == 0 {
            let class = self.below(self.units.len() as u64 + 2) as u32;
            self.perform(&Command::ClassDrop(class));
            return self.look();
        }
        let wish = self.wish();
        let add = Command::ClassAdd(wish.clone());
        // Which classes are none is tested beside the kernel.
        let reply = self.subject.perform(&add);
        if let Reply::Unfit(fault) = reply
            && fault != bookahead::ClassError::ClassesFull
        {
            return;
        }
        assert_eq!(reply, self.twin.perform(&add), "{wish:?}");
        let note = match reply {
            Reply::Class(class) => {
                if class as usize > self.units.len() {
                    self.units.push(self.unit(&wish));
                }
                "ClassAdd done"
            }
            _ => "ClassAdd full",
        };
        *self.tally.entry(note.to_string()).or_default() += 1;
        self.look();
    }

    /// Lets both sides perform a command, and compares what they answer.
    fn perform(&mut self, command: &Command) -> Reply {
        self.subject.perform(&Command::Remember);
        let reply = sorted(self.subject.perform(command));
        let expected = sorted(self.twin.perform(command));
        assert_eq!(reply, expected, "{command:?}");
        if reply.error().is_some() {
            let unchanged = self.subject.perform(&Command::IsUnchanged);
            assert_eq!(unchanged, Reply::Is(true), "{command:?}");
        }
        reply
    }

    fn look(&mut self) {
        let (seen, expected) = (
            self.subject.perform(&Command::Look),
            self.twin.perform(&Command::Look),
        );
        assert_eq!(seen, expected);
        let Reply::State(seen) = seen else {
            panic!("it can be looked at");
        };
        self.situation.look(&seen);
    }
}

/// The moves of a search in order of acceptance: the two sides find them in orders of their own.
fn sorted(mut reply: Reply) -> Reply {
    if let Reply::Juggled(juggled) = &mut reply {
        juggled.moves.sort_unstable_by_key(|moved| moved.whose);
    }
    reply
}

/// Asks for multiples of what a group gives.
fn scale(command: &mut Command, unit: u16) {
    let scale = |pes: &mut PeCount| {
        let asked = pes.get();
        let unit = u32::from(unit.max(1));
        let whole = asked.div_ceil(unit).max(1) * unit;
        *pes = PeCount::new(whole);
    };
    match command {
        Command::Find(request, _)
        | Command::Plan(request, _)
        | Command::Book(request, ..)
        | Command::Explain(request, _)
        | Command::Juggle(Some((request, _)), ..)
        | Command::Alternatives(request, ..)
        | Command::ShiftIn((request, _), ..) => scale(&mut request.pes),
        Command::PlanMouldable(mould) => {
            mould.forms.iter_mut().for_each(|form| scale(&mut form.pes))
        }
        Command::Series(all) => scale(&mut all.first.pes),
        Command::Together(all) => all.parts.iter_mut().for_each(|part| scale(&mut part.pes)),
        Command::Transact(transact) => {
            for call in &mut transact.calls {
                if let Call::Insert(request, ..) = call {
                    scale(&mut request.pes);
                }
            }
        }
        _ => (),
    }
}

fn machine(groups: u16, kinds: &[u8], missing: &[(u16, u16, u8, u8)], levels: &[u16]) -> Machine {
    Machine {
        groups,
        kinds: kinds.to_vec(),
        missing: missing.to_vec(),
        levels: levels.to_vec(),
    }
}

/// Lives the life, and checks that there was much in it.
fn live(subject: Box<dyn Subject>, machine: &Machine, seed: u8, profile: &Profile) {
    let mut life = Life::new(subject.under(Discipline::Easy), machine, seed);
    for _ in 0..lives::operations(60_000, 6) {
        life.step(profile);
    }
    println!("{:?}", life.tally);
    for what in [
        "Book done",
        "Book no-room",
        "Book not-eligible",
        "Book not-whole-groups",
        "Book stale-class",
        "ClassAdd done",
        "ClassAdd full",
        "Alter done",
        "Juggle done",
        "ShiftIn done",
    ] {
        assert!(life.tally.contains_key(what), "no {what}: {:?}", life.tally);
    }
}

/// Crowded, with a machine of some twenty PEs.
const WORLD: World = World {
    pes: 20,
    slots: 70,
    duration: 25,
    width: 12,
    step: 2,
};

#[test]
fn nodes_with_gpus() {
    let machine = machine(4, &[4, 2], &[(3, 4, 1, 0)], &[2]);
    live(
        on::<u32, PlainScan>(&machine, WORLD.slots, 24),
        &machine,
        1,
        &WORLD.used_for(TOPICS),
    );
    live(
        on::<HostColumn, BulkScan>(&machine, WORLD.slots, 24),
        &machine,
        2,
        &WORLD.used_for(TOPICS),
    );
}

#[test]
fn uneven_nodes() {
    let machine = machine(5, &[3, 1, 2], &[(0, 2, 0, 2), (4, 5, 2, 0)], &[2, 4]);
    live(
        on::<HostColumn, PlainScan>(&machine, WORLD.slots, 30),
        &machine,
        3,
        &WORLD.used_for(MOVING),
    );
    live(
        on::<u32, BulkScan>(&machine, WORLD.slots, 30),
        &machine,
        4,
        &WORLD.used_for(MOVING),
    );
}

#[test]
fn small_nodes() {
    let machine = machine(6, &[1, 1], &[], &[3]);
    live(
        on::<u32, BulkScan>(&machine, 40, 16),
        &machine,
        5,
        &WORLD.used_for(TOPICS),
    );
    live(
        on::<HostColumn, BulkScan>(&machine, 40, 16),
        &machine,
        6,
        &WORLD.used_for(MOVING),
    );
}
