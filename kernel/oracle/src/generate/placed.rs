//! Commands for a book on a machine with a layout: classes that come and go, and what is asked for them.

use bookahead::{ClassError, Commitment, Flexibility, Freeze, Insertion, PeCount, Span, Within};
use bookahead_commands::{
    Allowed, Call, ClassNumber, Command, Ending, Gone, JuggleEnd, Lent, Machine, Preferred, Reply,
    Shaped, Transact, Wish,
};

use super::{Generator, LONG_LOG, Profile, Situation, Source, later};

/// What is known of the machine and of its classes.
#[derive(Clone, Debug)]
pub struct Classes {
    machine: Machine,
    /// How many groups a class lists at most.
    order: usize,
    /// How many PEs a group gives of each class that there has been; 1 for a number.
    units: Vec<u16>,
    /// Those that nobody has dropped.
    live: Vec<ClassNumber>,
}

impl Classes {
    /// None so far.
    #[must_use]
    pub const fn new(machine: Machine, order: usize) -> Self {
        Self {
            machine,
            order,
            units: Vec::new(),
            live: Vec::new(),
        }
    }

    /// The next command for a book in that situation, mostly for one of the classes; none when the source ends before it is complete.
    pub fn draw(
        &self,
        profile: &Profile,
        situation: &Situation,
        source: &mut Source<'_>,
    ) -> Option<Command> {
        let mut generator = Generator {
            situation,
            profile,
            source,
        };
        generator.of_classes(self)
    }

    /// Takes in what a command was answered.
    pub fn note(&mut self, command: &Command, reply: &Reply) {
        match (command, reply) {
            (Command::ClassAdd(wish), Reply::Class(class)) => {
                if *class as usize > self.units.len() {
                    self.units.push(self.unit(wish));
                }
                if !self.live.contains(class) {
                    self.live.push(*class);
                }
            }
            (Command::ClassDrop(class), Reply::Done) => self.live.retain(|live| live != class),
            _ => (),
        }
    }

    /// How many numbers PEs have.
    fn numbers(&self) -> u16 {
        let Machine { groups, kinds, .. } = &self.machine;
        groups * kinds.iter().map(|pes| u16::from(*pes)).sum::<u16>()
    }

    /// A class of this machine; sometimes one that is none.
    fn wish(&self, source: &mut Source<'_>) -> Option<Wish> {
        let Machine {
            groups,
            kinds,
            levels,
            ..
        } = &self.machine;
        let numbers = self.numbers();
        let from = source.below(u64::from(*groups))? as u16;
        let to = from + 1 + source.below(u64::from(groups - from))? as u16;
        let all_kinds = (1_u8 << kinds.len()) - 1;
        let eligible = match source.below(6)? {
            0 => Allowed::Groups(vec![(from, to)], 1 + source.below(all_kinds.into())? as u8),
            1 => Allowed::Groups(vec![(0, 1), (from, to)], all_kinds),
            2 => {
                let mut mask = vec![0; usize::from(numbers).div_ceil(32)];
                for number in 0..numbers {
                    let is_allowed = u32::from(source.below(5)? > 0);
                    mask[usize::from(number / 32)] |= is_allowed << (number % 32);
                }
                Allowed::Pes(mask)
            }
            _ => Allowed::All,
        };
        let shape = match source.below(5)? {
            0 | 1 => Shaped::Number,
            2 => Shaped::WholeGroups,
            _ => {
                let pes = kinds.iter().map(|most| source.below(u64::from(*most) + 1));
                let pes = pes.map(|pes| pes.map(|pes| pes as u8));
                Shaped::PerGroup(pes.collect::<Option<_>>()?)
            }
        };
        let level = source.below(levels.len().max(1) as u64)? as u8;
        let mut order = Vec::new();
        for group in (0..*groups).rev() {
            if source.flip()? && order.len() < self.order {
                order.push(group);
            }
        }
        Some(Wish {
            eligible,
            shape,
            within: match source.below(4)? {
                0 => Within::Required(level),
                1 => Within::Preferred(level),
                _ => Within::Anywhere,
            },
            preference: match source.below(5)? {
                0 => Preferred::Lowest,
                1 => Preferred::Pack,
                2 => Preferred::Spread,
                3 => Preferred::Order(order),
                _ => Preferred::Compact(level),
            },
        })
    }

    /// How many PEs a group gives of a class.
    fn unit_of(&self, class: ClassNumber) -> u16 {
        let nth = (class as usize).checked_sub(1);
        nth.map_or(1, |nth| self.units[nth])
    }

    /// How many PEs a group gives.
    fn unit(&self, wish: &Wish) -> u16 {
        match &wish.shape {
            Shaped::Number => 1,
            Shaped::PerGroup(pes) => pes.iter().map(|pes| u16::from(*pes)).sum(),
            Shaped::WholeGroups => self.machine.kinds.iter().map(|pes| u16::from(*pes)).sum(),
        }
    }
}

/// What is asked for classes.
impl Generator<'_, '_> {
    fn of_classes(&mut self, classes: &Classes) -> Option<Command> {
        match self.source.below(90)? {
            0 => {
                let beyond = classes.units.len() as ClassNumber + 1;
                let class = self.class(classes)?;
                let class = self.source.weighted(&[(9, class), (1, beyond)])?;
                Some(Command::ClassDrop(class))
            }
            1 | 2 => classes.wish(self.source).map(Command::ClassAdd),
            3..=5 => self.book_exactly(classes),
            6..=9 => self.failing(classes),
            10..=13 => self.move_exactly(classes),
            14..=19 => self.relocate(classes),
            20..=22 => self.take_out(|generator| {
                let most = 1 + generator.source.below(generator.profile.width.into())?;
                generator.set(classes, most).map(Gone::These)
            }),
            _ => self.for_class(classes),
        }
    }

    /// Any command for one of the classes, which asks for whole groups mostly, and whose search has no limit, as that of the twin has none.
    fn for_class(&mut self, classes: &Classes) -> Option<Command> {
        let class = self.class(classes)?;
        let unit = classes.unit_of(class);
        let whole = self.source.below(8)? > 0;
        let mut command = self.any()?;
        if whole {
            scale(&mut command, unit);
        }
        match &mut command {
            Command::Juggle(_, _, lent, _) | Command::Alternatives(_, _, _, lent, _) => {
                *lent = Lent::ENOUGH;
            }
            Command::ShiftIn(_, rules, ..) => {
                // The twin only slides.
                rules.work = u64::MAX;
                if !matches!(rules.insertion, Insertion::Slides { .. }) {
                    rules.insertion = Insertion::Slides { depth: 1 };
                }
            }
            _ => (),
        }
        Some(Command::For(class, Box::new(command)))
    }

    /// Which question of a class fails, mostly at the ready time of a request.
    fn failing(&mut self, classes: &Classes) -> Option<Command> {
        let class = self.class(classes)?;
        let request = self.request()?;
        let by = [0, 0, self.source.within(-1..=9)?];
        let start = later(request.ready, self.source.one_of(&by)?);
        let mut failing = Command::Failing(request, start);
        scale(&mut failing, classes.unit_of(class));
        Some(Command::For(class, Box::new(failing)))
    }

    /// A newcomer for whom others may move in space.
    fn relocate(&mut self, classes: &Classes) -> Option<Command> {
        let class = self.class(classes)?;
        let newcomer = (self.request()?, self.terms()?);
        let targets = self.source.one_of(&[1, 2, 4, 9, 0])?;
        let log = match self.source.below(6)? {
            0 => self.source.below(6)? as usize,
            _ => LONG_LOG,
        };
        let end = self
            .source
            .one_of(&[JuggleEnd::Commit, JuggleEnd::AtOnce, JuggleEnd::Plan])?;
        let mut relocate = Command::Relocate(newcomer, targets, log, end);
        scale(&mut relocate, classes.unit_of(class));
        Some(Command::For(class, Box::new(relocate)))
    }

    /// Exactly some PEs, soon.
    fn book_exactly(&mut self, classes: &Classes) -> Option<Command> {
        let window = self.window()?;
        let terms = match self.source.below(8)? {
            0 => Commitment::Held {
                ttl: Span::new(self.source.below(9)? as u32),
            },
            1 if self.source.flip()? => Commitment::Flexible {
                kind: Flexibility::Deadline,
                freeze: Freeze::Never,
            },
            _ => Commitment::Confirmed,
        };
        let most = 1 + self.source.below(self.profile.width.into())?;
        Some(Command::BookExactly(
            window,
            self.set(classes, most)?,
            terms,
        ))
    }

    /// A transaction that places somebody on exactly some PEs, mostly as many as it has and at its own start.
    fn move_exactly(&mut self, classes: &Classes) -> Option<Command> {
        let Some((number, known)) = self.source.one_of(&self.situation.live) else {
            return self.book_exactly(classes);
        };
        let pes = match self.source.below(8)? {
            0 => 1 + self.source.below(self.profile.width.into())?,
            _ => known.request.pes.get().into(),
        };
        let by = [0, 0, self.source.within(-9..=9)?];
        let start = later(known.window.start, self.source.one_of(&by)?);
        let set = self.set(classes, pes)?;
        let own = self.source.one_of(&[Some(number), None])?;
        let window = self.window()?;
        let mut calls = vec![
            Call::ConflictExactly(own, window, set.clone()),
            Call::Lift(number),
            Call::PlaceExactly(number, start, set),
            Call::PesOf(number),
        ];
        match self.source.below(6)? {
            0 => calls.push(Call::PlaceFirstFit(number, self.situation.now)),
            1 => {
                calls.swap(1, 2);
                let rest = calls.split_off(1);
                calls.push(Call::Savepoint);
                calls.extend(rest);
                calls.push(Call::RollbackTo(0));
            }
            _ => (),
        }
        Some(Command::Transact(Transact {
            log: LONG_LOG,
            work: u64::MAX,
            calls,
            ending: self
                .source
                .one_of(&[Ending::Commit, Ending::Commit, Ending::Plan(64)])?,
            watched: vec![number],
        }))
    }

    /// Neighbouring numbers, or any ones; seldom one that there is not.
    fn set(&mut self, classes: &Classes, most: u64) -> Option<Vec<u16>> {
        let numbers = u64::from(classes.numbers());
        let first = self.source.below(numbers + 1)?;
        let every = self.source.one_of(&[1, 1, 1, 2, 5])?;
        let all = (first..numbers + u64::from(self.source.below(16)? == 0)).step_by(every);
        Some(all.take(most as usize).map(|pe| pe as u16).collect())
    }

    /// Mostly a class that nobody has dropped, or any PEs.
    fn class(&mut self, classes: &Classes) -> Option<ClassNumber> {
        match self.source.below(16)? {
            0 => Some(self.source.below(classes.units.len() as u64 + 1)? as ClassNumber),
            1..4 => Some(0),
            _ => Some(self.source.one_of(&classes.live).unwrap_or(0)),
        }
    }
}

/// Whether it says that a class is none of this machine. Which ones are, is tested beside the kernel; the twin knows only those.
#[must_use]
pub fn is_no_class(reply: &Reply) -> bool {
    matches!(reply, Reply::Unfit(fault) if *fault != ClassError::ClassesFull)
}

/// Asks for multiples of what a group gives.
fn scale(command: &mut Command, unit: u16) {
    let scale = |pes: &mut PeCount| {
        let unit = u32::from(unit.max(1));
        let groups = pes.get().div_ceil(unit).clamp(1, u32::MAX / unit);
        *pes = PeCount::new(groups * unit);
    };
    match command {
        Command::Find(request, _)
        | Command::Plan(request, _)
        | Command::Book(request, ..)
        | Command::Explain(request, _)
        | Command::Failing(request, _)
        | Command::Juggle(Some((request, _)), ..)
        | Command::Alternatives(request, ..)
        | Command::Relocate((request, _), ..)
        | Command::Wait(request, ..)
        | Command::ReservePreempting(request, ..)
        | Command::ShiftIn((request, _), ..) => scale(&mut request.pes),
        Command::PlanMouldable(mould) => {
            mould.forms.iter_mut().for_each(|form| scale(&mut form.pes));
        }
        Command::Submit(job) => scale(&mut job.pes),
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
