//! Runs demands through the kernel, first come first decided, and follows every accepted job to its end.

mod alteration;
mod arriving;
pub(crate) mod bands;
mod binding;
mod checkpoint;
mod classes;
mod combinations;
mod copies;
mod defect;
pub mod distribution;
mod drive;
mod due;
mod events;
pub mod inevitable;
mod joining;
mod kept;
mod late;
mod life;
pub mod measures;
pub(crate) mod measuring;
pub mod metrics;
mod moves;
mod operate;
mod outages;
pub mod outcome;
mod overruns;
mod preempt;
mod priority;
mod queued;
mod redundancy;
pub mod rounding;
mod rules;
mod sample;
mod scheduler;
mod sites;
pub mod story;
mod strategy;
mod system;
mod telling;
mod waiting;

use bookahead::{
    Book, Discipline, Resource, SlotClock,
    raw::{Kept as Restorable, Ring, columns},
};
use bookahead_heap::{
    BoxedCountBook, BoxedJobQueue, BoxedOverlayBook, BoxedPeBook, BoxedPlacedBook, BoxedRules,
    BoxedWorkspace, HostColumn, PlacedSizeError, SizeError, Sizes,
};

pub use binding::Binding;
pub(crate) use outcome::REMOVED_LATE;
pub use outcome::{Breach, Late, Outcome, Overlaid, Placed, Reason, Replica, Waited};
pub(crate) use priority::user_key;
pub use priority::{KeyOwner, Keys, Priority};
pub use redundancy::Redundancy;
pub use story::{Cause, Listener, Operated, Story};
pub use strategy::{
    Elastic, Freeze, Juggle, Learnt, Moving, OnLate, Order, Overlay, RiskLimit, Shift, Strategy,
    User,
};
pub(crate) use system::MINUTE;
pub use system::System;

use crate::{
    arrivals::{Arrivals, Outline},
    error::{Error, Result},
    layout::Placing,
    operation::Script,
    request::Demand,
};
use classes::{Classed, Classes};
use drive::drive;
use scheduler::Scheduler;
use strategy::{Admission, Joint, Load, Overlayer, Relocator, admission, entries};
use waiting::{Line, Waiting};

/// Decides every request to reserve, serves every best-effort job, and follows all of them to their ends; one outcome for each demand,
/// in order. `tick` is called once per demand.
///
/// A reservation and a best-effort job run for their real time, no longer than what they were granted. The kernel learns of an early end when it happens. A best-effort job is queued at the
/// first slot edge after its submission, and no job of the queue starts before the arrival that made room for it.
///
/// # Errors
///
/// [`Error::Usage`] as [`System::check`] and [`System::check_demands`], and for a system too large for the memory there is;
/// [`Error::Internal`] when the kernel breaks its word, which is a defect.
pub fn run(system: &System, demands: &[Demand], tick: &dyn Fn()) -> Result<Vec<Outcome>> {
    Ok(tell(system, demands, tick)?.outcomes)
}

/// As [`run`], with the moves of a strategy that moves reservations.
///
/// # Errors
///
/// As [`run`].
pub fn tell(system: &System, demands: &[Demand], tick: &dyn Fn()) -> Result<Story> {
    let outline = Outline::of_all(demands, system.longer());
    let arrivals = Arrivals {
        demands: &demands,
        outline: &outline,
        operations: &[],
        notices: &[],
    };
    let mut story = Story::default();
    follow(system, arrivals, &mut story, tick)?;
    Ok(story)
}

/// As [`run`], with operations on the reservations between the demands; `tick` is called for each of them too.
///
/// An operation happens in the slot that is running when it arrives. A job that used all of its time uses all that it is given later.
/// Processing elements that a running job gives back when it is narrowed, and all that it has when it is cancelled, it has until that very
/// second; a job that is completed keeps them to the end of the slot.
///
/// # Errors
///
/// As [`run`]. An operation that cannot be done is no error.
pub fn replay(system: &System, script: &Script, tick: &dyn Fn()) -> Result<Story> {
    let outline = Outline::of_all(&script.demands, system.longer());
    let mut story = Story::default();
    let arrivals = Arrivals::of(script, &outline);
    follow(system, arrivals, &mut story, tick)?;
    Ok(story)
}

/// As [`replay`], of what need not lie in memory, and tells what became of it as soon as that is certain. Beside the book it needs memory for the
/// demands from the oldest one on of which it is open what becomes of it; with several sites, for all of them.
///
/// # Errors
///
/// As [`replay`], and whatever the listener reports.
pub fn follow(
    system: &System,
    arrivals: Arrivals<'_>,
    listener: &mut dyn Listener,
    tick: &dyn Fn(),
) -> Result<()> {
    system.check()?;
    system.check_demands(arrivals.outline)?;
    system.check_notices(arrivals.notices)?;
    system.check_operations(arrivals.operations)?;
    let &System {
        pes,
        slots,
        strategy,
        binding,
        ..
    } = system;
    let reservations = system.rows(&arrivals)?;
    let jobs = arrivals.outline.best_effort;
    let state = listener.resume()?;
    let mut told = Telling {
        arrivals,
        classes: &[],
        state: state.as_deref(),
        listener,
        tick,
    };
    let sizes = Sizes {
        pes: pes.into(),
        slots,
        reservations,
    };
    if let Some(overlay) = strategy.overlay() {
        let mut memory = books(system, || BoxedOverlayBook::new(sizes))?;
        let books = memory.iter_mut().map(|book| (book.view(), None)).collect();
        let admission = || -> Result<Box<dyn Admission<_>>> {
            Ok(Box::new(Overlayer::new(overlay, pes, system.slot_seconds)))
        };
        return on(system, books, admission, 0, &mut told);
    }
    if let Some(placing) = system.placed() {
        return on_layout(system, &placing, reservations, &mut told);
    }
    match binding {
        Binding::Early => {
            let mut memory = books(system, || {
                with_second(system, jobs, sizes, BoxedPeBook::<HostColumn>::new)
            })?;
            let sizes = [reservations, columns::<HostColumn>(pes)];
            let mut rules = BoxedRules::with_columns(sizes[1]).map_err(too_large)?;
            let mut books = memory
                .iter_mut()
                .map(|(book, second)| (book.view(), second.as_mut().map(BoxedPeBook::view)));
            if system.rules.is_empty() {
                let plain = || plain(system, sizes, arrivals);
                return on(system, books.collect(), plain, sizes[1], &mut told);
            }
            let book = books.next().map(|(book, _)| book.with_rules(rules.view()));
            let book = book.flatten().ok_or_else(no_size)?;
            let plain = || plain(system, sizes, arrivals);
            on(system, vec![(book, None)], plain, sizes[1], &mut told)
        }
        Binding::Late | Binding::LateControl => {
            let mut memory = books(system, || {
                with_second(system, jobs, sizes, BoxedCountBook::new)
            })?;
            let sizes = [reservations, 0];
            let mut rules = BoxedRules::with_columns(0).map_err(too_large)?;
            let mut books = memory
                .iter_mut()
                .map(|(book, second)| (book.view(), second.as_mut().map(BoxedCountBook::view)));
            if system.rules.is_empty() {
                let plain = || plain(system, sizes, arrivals);
                return on(system, books.collect(), plain, 0, &mut told);
            }
            let book = books.next().map(|(book, _)| book.with_rules(rules.view()));
            let book = book.flatten().ok_or_else(no_size)?;
            let plain = || plain(system, sizes, arrivals);
            on(system, vec![(book, None)], plain, 0, &mut told)
        }
    }
}

/// What is run, and who hears of it.
struct Telling<'t> {
    arrivals: Arrivals<'t>,
    /// Of which class each demand is; none where the machine has no layout.
    classes: &'t [Classed],
    /// That from which the run goes on.
    state: Option<&'t [u8]>,
    listener: &'t mut dyn Listener,
    tick: &'t dyn Fn(),
}

/// What decides about requests, in a book of so many rows and columns.
fn plain<R: Ring>(
    system: &System,
    sizes: [usize; 2],
    arrivals: Arrivals<'_>,
) -> Result<Box<dyn Admission<R>>>
where
    R::Part: 'static,
    for<'b> Book<'b, R>: Resource,
{
    if system.joins() {
        let load = Load::of(system, arrivals.demands.each()?)?;
        let joint = Joint::new(system, &load, sizes[0]).map_err(too_large)?;
        return Ok(Box::new(joint));
    }
    let &System {
        strategy,
        binding,
        tariff,
        ..
    } = system;
    admission(strategy, binding, tariff, sizes).map_err(too_large)
}

/// On a machine with a layout.
fn on_layout(
    system: &System,
    placing: &Placing,
    reservations: usize,
    told: &mut Telling<'_>,
) -> Result<()> {
    let needed = Classes::of(placing, told.arrivals.demands)?;
    needed.check()?;
    let sizes = needed.sizes(system.slots, reservations);
    let new = |sizes| {
        let memory = placing
            .layout
            .with_kernel(|layout| BoxedPlacedBook::<HostColumn>::new(layout, sizes));
        memory.map_err(|error| match error {
            PlacedSizeError::Size(error) => too_large(error),
            error => Error::Usage(format!("--layout: {error}")),
        })
    };
    let columns = placing
        .layout
        .with_kernel(|layout| layout.columns::<HostColumn>());
    let mut memory = new(sizes)?;
    let jobs = told.arrivals.outline.best_effort;
    let second = system
        .plans()
        .then(|| new(needed.sizes(system.slots, jobs)));
    let mut second = second.transpose()?;
    let classes = needed.add(&mut memory.view());
    if told.state.is_some() {
        // A state has the same classes, and is read into a book that has none.
        memory = new(sizes)?;
    }
    let book = memory.view();
    let arrivals = told.arrivals;
    let mut told = Telling {
        arrivals,
        classes: &classes,
        state: told.state,
        listener: told.listener,
        tick: told.tick,
    };
    let sizes = [reservations, columns];
    let admission = || -> Result<Box<dyn Admission<_>>> {
        let plain = plain(system, sizes, arrivals)?;
        Ok(match placing.relocate {
            false => plain,
            true => Box::new(Relocator::new(plain, sizes).map_err(too_large)?),
        })
    };
    let second = second.as_mut().map(BoxedPlacedBook::view);
    on(system, vec![(book, second)], admission, columns, &mut told)
}

/// How many reservations an operation touches: a split two, every other one.
const OPERATIONS: usize = 2;

/// A book, and where jobs are planned a second one with a row for each of them.
fn with_second<M>(
    system: &System,
    jobs: usize,
    sizes: Sizes,
    new: impl Fn(Sizes) -> std::result::Result<M, SizeError>,
) -> std::result::Result<(M, Option<M>), SizeError> {
    let second = Sizes {
        reservations: jobs,
        ..sizes
    };
    let second = system.plans().then(|| new(second));
    Ok((new(sizes)?, second.transpose()?))
}

/// The memory of a book for each site.
fn books<M>(
    system: &System,
    new: impl Fn() -> std::result::Result<M, SizeError>,
) -> Result<Vec<M>> {
    let books = (0..system.sites).map(|_| new().map_err(too_large));
    books.collect()
}

fn no_size() -> Error {
    Error::Internal("a system of no size".to_owned())
}

fn too_large(error: SizeError) -> Error {
    Error::Usage(format!(
        "a system of this size cannot be simulated: {error}"
    ))
}

fn on<'b, R: Restorable + 'b>(
    system: &System,
    books: Vec<(Book<'b, R>, Option<Book<'b, R>>)>,
    admission: impl Fn() -> Result<Box<dyn Admission<R> + 'b>>,
    columns: usize,
    told: &mut Telling<'_>,
) -> Result<()>
where
    R::Part: 'static,
{
    let arrivals = told.arrivals;
    let jobs = arrivals.outline.best_effort;
    let waiting = system.waiting_requests(&arrivals)?;
    let reservations = system.rows(&arrivals)?;
    let queue = |_: &(Book<'b, R>, Option<Book<'b, R>>)| -> Result<_> {
        if system.best_effort.is_none() && system.wait.is_none() {
            return Ok(None);
        }
        let queue = BoxedJobQueue::new(system.best_effort.unwrap_or(Discipline::Fcfs), jobs);
        let queue = queue.and_then(|queue| match system.wait {
            Some(_) => queue.with_requests(waiting),
            None => Ok(queue),
        });
        let queue = queue.and_then(|queue| match system.plans() {
            true => queue.with_schedule(),
            false => Ok(queue),
        });
        Ok(Some(queue.map_err(too_large)?))
    };
    let mut queues: Vec<_> = books.iter().map(queue).collect::<Result<_>>()?;
    // Behind the last reservation, at worst one best-effort job after the other.
    let stretches = 1 + jobs as u64;
    let clock = SlotClock::new(system.slot_seconds, 0).ok_or_else(no_size)?;
    let mut schedulers = books.into_iter().zip(&mut queues);
    let mut schedulers = schedulers.by_ref().map(|((book, second), queue)| {
        let waiting = queue.as_mut().map(|queue| {
            Waiting::new(match second {
                Some(second) => Line::Planned(queue.planned(second)),
                None => Line::Plain(queue.view()),
            })
        });
        let changes = match system.displaces(arrivals.operations) {
            true => entries(reservations),
            false => OPERATIONS,
        };
        Ok(Scheduler {
            book,
            workspace: BoxedWorkspace::with_columns(columns, changes, 0).map_err(too_large)?,
            waiting,
            priority: system.wait.clone(),
            queue_order: system.queue_order.clone(),
            admission: admission()?,
            strategy: system.strategy,
            freeze: system.moving().map(|moving| moving.freeze.in_slots(clock)),
            pulls: system.pull_forward,
            overruns: system.overrun,
            rules: system.rules.clone(),
            preempt: system.preempt,
            clock,
            tariff: system.tariff,
            reach: u64::from(system.slots).saturating_mul(stretches),
        })
    });
    match system.sites {
        1 => {
            let scheduler = schedulers.next().ok_or_else(no_size)??;
            drive(
                scheduler,
                (arrivals, told.classes),
                told.state,
                told.listener,
                told.tick,
            )
        }
        _ if arrivals.operations.is_empty() => {
            let schedulers = schedulers.collect::<Result<_>>()?;
            sites::drive(
                schedulers,
                system.redundancy,
                arrivals,
                told.state,
                told.listener,
                told.tick,
            )
        }
        _ => Err(Error::Usage(
            "--sites: operations on reservations are for one site only".to_owned(),
        )),
    }
}
