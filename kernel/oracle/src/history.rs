//! Histories in text, given to a book and its twin.

use std::fmt;

use bookahead::Insertion;
use bookahead_commands::{
    Call, Command, History, Kind, LONG_HANDLES, LONG_OFFERS, Law, Lent, Limits, Misread, Placed,
    Reply, Scope, Size, Step, Subject,
};

use crate::generate::{LONG_LIST, is_no_class};
use crate::{Difference, Harness, Tally, Twin};

/// More commands would only take long.
const MOST_COMMANDS: usize = 100;

/// More commands would take too much memory in a life of millions.
const MOST_KEPT: usize = 100_000;

/// The longest undo log, and the longest list of waiting reservations.
const LONGEST_LOG: usize = 512;
/// The most slots that the twin looks at one by one.
const MOST_SLOTS: u64 = 1 << 16;

/// A history that a book and its twin can be given: of a book that is small, with limits that memory can be lent for.
#[derive(Clone, Debug)]
pub struct Playable {
    /// Which book it is.
    pub size: Size,
    /// What a book on a machine with a layout has in addition.
    pub placed: Option<Placed>,
    /// What happens.
    pub commands: Vec<Command>,
}

/// A history on which a book and its twin differ.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// Which book it is.
    pub size: Size,
    /// What it has in addition on a machine with a layout.
    pub placed: Option<Placed>,
    /// The commands up to the one on which they differ, as far as they were kept.
    pub commands: Vec<Command>,
    /// How many came behind those that were kept.
    pub omitted: u64,
    /// How they differ.
    pub difference: Difference,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\nafter", self.difference)?;
        writeln!(f, "{}", Reply::Size(self.size))?;
        if let Some(placed) = &self.placed {
            writeln!(f, "{placed}")?;
        }
        let mut commands = self.commands.iter();
        commands.try_for_each(|command| writeln!(f, "{command}"))?;
        match self.omitted {
            0 => Ok(()),
            omitted => writeln!(f, "# and {omitted} more"),
        }
    }
}

impl std::error::Error for Disagreement {}

/// A harness that keeps what it was given, for a message.
#[derive(Clone)]
pub struct Recorded {
    /// Both sides.
    pub harness: Harness,
    size: Size,
    placed: Option<Placed>,
    given: Vec<Command>,
}

impl Recorded {
    /// A book and its twin, to which nothing was given so far.
    #[must_use]
    pub fn new(subject: Box<dyn Subject>) -> Self {
        Self::within(Scope::Whole, subject)
    }

    /// The same with a book that not all can be asked of.
    #[must_use]
    pub fn within(scope: Scope, subject: Box<dyn Subject>) -> Self {
        Self::of(Harness::within(scope, subject))
    }

    /// The same with a harness to which nothing was given so far.
    #[must_use]
    pub fn of(harness: Harness) -> Self {
        Self {
            size: harness.situation.size,
            placed: None,
            harness,
            given: Vec::new(),
        }
    }

    /// The same with a book on a machine with a layout.
    ///
    /// # Panics
    ///
    /// When the book does not say how large it is.
    #[must_use]
    pub fn on(scope: Scope, mut subject: Box<dyn Subject>, placed: &Placed) -> Self {
        let Reply::Size(size) = subject.perform(&Command::Size) else {
            panic!("a book has a size");
        };
        let twin = Twin::on(&size, placed);
        Self {
            placed: Some(placed.clone()),
            ..Self::of(Harness::beside(scope, subject, twin))
        }
    }

    /// Whether a command says a class that is none of the machine. Which ones are, is tested beside the kernel; the twin knows only those.
    #[must_use]
    pub fn says_no_class(&self, command: &Command) -> bool {
        let is_add = matches!(command, Command::ClassAdd(_));
        is_add && is_no_class(&self.harness.subject.copy().perform(command))
    }

    /// Whether a command takes a queue over more slots than the twin can look at one by one, which is how it lets jobs wait.
    #[must_use]
    pub fn is_far(&self, command: &Command) -> bool {
        let (Command::AdvanceQueue(to, _)
        | Command::AdvancePulling(to, _)
        | Command::NextOfQueue(to)) = command
        else {
            return false;
        };
        to.get().saturating_sub(self.harness.situation.now.get()) > MOST_SLOTS
    }

    /// Gives one command to both sides and compares everything; what they answer.
    ///
    /// # Errors
    ///
    /// The history that ends with the first difference.
    pub fn apply(&mut self, command: Command) -> Result<Reply, Box<Disagreement>> {
        let verdict = self.harness.apply(&command);
        if self.given.len() < MOST_KEPT {
            self.given.push(command);
        }
        verdict.map_err(|difference| {
            let kept = self.given.len() as u64;
            Box::new(Disagreement {
                size: self.size,
                placed: self.placed.clone(),
                commands: self.given.clone(),
                omitted: self.harness.tally.operations.saturating_sub(kept),
                difference,
            })
        })
    }
}

impl Playable {
    /// Reads a history; none when its book is too large, or a command asks for more than can be lent.
    ///
    /// # Errors
    ///
    /// Where the text is none.
    pub fn of(text: &str) -> Result<Option<Self>, Misread> {
        let history = History::of(text)?;
        let (size, placed) = (*history.size(), history.placed().cloned());
        let commands = history.map(|step| step.map(|Step { command, .. }| command));
        let commands = commands.collect::<Result<Vec<_>, _>>()?;
        let fits = is_small(&size)
            && placed.as_ref().is_none_or(|placed| is_for(placed, &size))
            && commands.len() <= MOST_COMMANDS
            && commands.iter().all(|command| is_modest(command, &size));
        Ok(fits.then_some(Self {
            size,
            placed,
            commands,
        }))
    }

    /// Gives the commands, in as far as it has words for them, to this side and its twin.
    ///
    /// # Errors
    ///
    /// The first difference between them.
    pub fn play(self, scope: Scope, subject: Box<dyn Subject>) -> Result<Tally, Box<Disagreement>> {
        let mut recorded = match &self.placed {
            Some(placed) => Recorded::on(scope, subject, placed),
            None => Recorded::within(scope, subject),
        };
        for command in self.commands {
            if !recorded.says_no_class(&command) && !recorded.is_far(&command) {
                recorded.apply(command)?;
            }
        }
        Ok(recorded.harness.tally)
    }
}

/// Whether the book is one for the machine, on which the twin, which looks at all subsets of groups, answers soon.
#[must_use]
pub fn is_for(placed: &Placed, size: &Size) -> bool {
    let missing = placed.machine.fewer();
    let layout = placed.machine.layout(&missing);
    layout.check().is_ok()
        && (size.kind.binding(), size.has_layer) == (Kind::Sets, false)
        && u32::from(layout.pes()) == size.pes.get()
        && layout.groups <= 6
        && layout.kinds.iter().all(|pes| *pes <= 32)
        && placed.classes <= 8
        && placed.order <= 8
}

/// Whether the twin of such a book answers soon.
#[must_use]
pub fn is_small(size: &Size) -> bool {
    let pes = u64::from(size.pes.get());
    let slots = size.horizon.get();
    (1..=600).contains(&pes)
        && (1..=256).contains(&slots)
        && pes * u64::from(slots) <= 1 << 16
        && size.capacity <= 32
        && size.jobs <= 8
}

/// Lists are as long as is said below 8, and else as long as needed.
fn is_room(room: usize, long: usize) -> bool {
    room < 8 || room == long
}

fn are_limits((log, room): Limits) -> bool {
    log <= LONGEST_LOG && is_room(room, LONG_HANDLES)
}

/// Whether memory can be lent for the command, and it takes the twin not too long.
#[must_use]
pub fn is_modest(command: &Command, size: &Size) -> bool {
    match command {
        Command::For(_, command) => is_modest(command, size) && is_unlimited(command),
        // These belong to the harness, or make another queue.
        Command::Remember | Command::IsUnchanged | Command::Queue(_) => false,
        Command::Advance(_, room) | Command::AdvanceQueue(_, room) => is_room(*room, LONG_LIST),
        // The twin looks at each slot while somebody waits.
        Command::Wait(request, ..) => request.deadline.get() <= MOST_SLOTS,
        Command::Explain(_, room) => is_room(*room, LONG_HANDLES),
        Command::Offers(_, _, room) => is_room(*room, LONG_OFFERS),
        Command::Alter(_, _, log) | Command::Split(_, _, log) => *log <= LONGEST_LOG,
        Command::CancelAll(numbers) => numbers.len() <= 16,
        Command::Transact(transact) => {
            transact.log <= LONGEST_LOG
                && transact.calls.len() <= 24
                && transact.watched.len() <= 64
                && rolls_back_to_savepoints(&transact.calls)
        }
        Command::Series(all) => {
            are_limits(all.limits) && all.count <= 64 && all.exceptions.len() <= 16
        }
        Command::Together(all) => are_limits(all.limits) && all.parts.len() <= 16,
        Command::PlanMouldable(mould) => mould.forms.len() <= 16,
        Command::Juggle(_, _, lent, _) => lent.log.max(lent.list) <= LONGEST_LOG,
        Command::Alternatives(_, _, _, lent, wanted) => {
            lent.log.max(lent.list) <= LONGEST_LOG && is_room(wanted.room, LONG_HANDLES)
        }
        Command::ShiftIn(_, rules, log, _) => {
            let depth = if size.horizon.get() <= 64 { 2 } else { 1 };
            let shallow =
                !matches!(rules.insertion, Insertion::Slides { depth: deep } if deep > depth);
            shallow && *log <= LONGEST_LOG
        }
        Command::Relocate(_, _, log, _) => *log <= LONGEST_LOG,
        Command::Overlay(_, risk) => {
            let is_law = match &risk.law {
                Law::Part(_) => true,
                Law::Mean(mean) => *mean > 0,
                Law::ServiceTimes(_, counters) | Law::UsedShares(counters) => counters.len() <= 16,
            };
            (risk.list < 8 || risk.list == 64) && is_law
        }
        _ => true,
    }
}

/// Whether a search for a class ends by itself: the twin, which has no limits of work, is compared with no other.
fn is_unlimited(command: &Command) -> bool {
    match command {
        Command::Juggle(_, _, lent, _) | Command::Alternatives(_, _, _, lent, _) => {
            *lent == Lent::ENOUGH
        }
        Command::ShiftIn(_, rules, ..) => {
            rules.work == u64::MAX && matches!(rules.insertion, Insertion::Slides { .. })
        }
        _ => true,
    }
}

/// Whether each savepoint that is returned to has been made.
fn rolls_back_to_savepoints(calls: &[Call]) -> bool {
    let mut made = 0;
    calls.iter().all(|call| match call {
        Call::Savepoint => {
            made += 1;
            true
        }
        Call::RollbackTo(savepoint) => *savepoint < made,
        _ => true,
    })
}
