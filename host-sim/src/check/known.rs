//! What was booked when a job was decided, as far as files tell it: the facts from which a person is told why.

mod shape;

use std::{collections::BTreeSet, path::Path};

use bookahead::Span;

use super::{
    bookings,
    findings::Findings,
    joint::{self, Book},
    judging::tells,
    operations::{Change, displacer},
    pe_sets::PeSet,
    pieces, placing, queue,
    room::Room,
    room::Wanted,
    rules,
    settings::{Settings, Slots},
    sites,
    tables::Tables,
};
use crate::{
    engine::{
        Breach, Cause,
        bands::{Bands, PlannedWait},
    },
    error::{Error, Result},
    files::{Booking, CANCELLED, Job, Move, Operation, OutageRow, PeRanges, Profile, Reservation},
    layout::Asks,
    outage::Breaker,
    output::{JOBS, METRICS, RESERVATIONS},
    report::words::grouped,
    several::{Principal, Resource},
};

pub(crate) use shape::{Amount, Extent, PerGroup};

/// A job, and what was booked when it was decided.
pub(crate) struct Known {
    pub(crate) job: Job<'static>,
    /// What it asked for; nothing where it was queued.
    pub(crate) request: Option<Reservation>,
    /// What became of it later, in order, and what moved it.
    pub(crate) moves: Vec<(Move, Mover)>,
    /// Who was moved or is to end for it.
    pub(crate) made_way: BTreeSet<u64>,
    /// Whatever was booked on its machine then, by start.
    pub(crate) others: Vec<Other>,
    /// Who ran before a job of the queue started and was not booked when that came, by start.
    pub(crate) meanwhile: Vec<Other>,
    /// Who came first where the promise to a reservation on top of others was broken, by start: who ran in its place, or started when it was stopped.
    pub(crate) came_first: Vec<Other>,
    /// The resources and quotas that it asked for, as they were then.
    pub(crate) books: Vec<Book>,
    /// For which second it was planned as it came to the queue, and from which to which second it was then likely to start.
    pub(crate) likely: Option<(u64, [u64; 2])>,
    asks: Option<Asks>,
    /// The only processing elements that it may have, where not all will do.
    may_have: Option<PeRanges>,
    settings: Settings,
    sets: bool,
}

/// Causes for which the strategy moves others when a job comes.
const MAKING_ROOM: [Cause; 4] = [Cause::Juggle, Cause::Shift, Cause::Relocate, Cause::Preempt];

fn makes_room(row: &Move) -> bool {
    MAKING_ROOM.iter().any(|cause| cause.name() == row.cause)
}

/// Between which seconds a job of a queue that plans was likely to start when it came, and the second for which it was planned.
fn likely(job_id: u64, jobs: &[Job<'_>], settings: &Settings) -> Option<(u64, [u64; 2])> {
    let slot = settings.slots().0;
    let (mut bands, mut one) = (Bands::default(), None);
    for job in jobs {
        let wait = || {
            let seconds = [
                job.queued_at(),
                job.metadata.planned()?.0,
                job.starting_time?,
                job.requested_time,
            ];
            PlannedWait::of(seconds, slot, settings.horizon())
        };
        if let Some(wait) = wait() {
            let number = bands.submitted(wait);
            one = one.or((job.job_id == job_id).then_some((number, wait)));
        }
    }
    let (number, wait) = one.filter(|(_, wait)| wait.planned > wait.asked)?;
    let band = bands.of_one(number)?;
    let second = |slots: u64| slots.saturating_mul(slot);
    let after = |span: Span| second(wait.asked.saturating_add(span.get().into()));
    Some((
        second(wait.planned),
        [after(band.earliest), after(band.latest)],
    ))
}

/// Whether files say which processing elements reservations had that nothing has changed. Who makes room gives others other ones at the same start, without a
/// word, and what rules take is told by numbers.
fn tells_sets(settings: &Settings) -> bool {
    let [strategy, ..] = settings.names();
    matches!(strategy, Some("fit" | "rigid" | "elastic")) && settings.rules().is_empty()
}

/// What moved a reservation.
pub(crate) enum Mover {
    Breaker(Breaker),
    /// The operation of this number.
    Operation(u64),
    /// Room for this job.
    RoomFor(u64),
    /// What this job gave back.
    GivenBack(u64),
    /// Nothing that has a number.
    Nobody,
}

fn mover(row: &Move, operations: &[Operation], settings: &Settings) -> Mover {
    if let Some(by) = displacer(row, settings) {
        return Mover::Breaker(by);
    }
    match row.cause_job_id {
        None => Mover::Nobody,
        // An operation may have the name of a strategy's cause, and no number is anybody else's.
        Some(id) if operations.iter().any(|one| one.job_id == id) => Mover::Operation(id),
        Some(id) if makes_room(row) => Mover::RoomFor(id),
        Some(id) => Mover::GivenBack(id),
    }
}

/// Something booked.
pub(crate) struct Other {
    /// What it is: `job 7`, `outage 2`.
    pub(crate) name: String,
    pub(crate) booking: Booking,
    pes: PeRanges,
}

impl Other {
    /// What a job did in a run.
    fn of_run(job: &Job<'_>) -> Option<Self> {
        let [start, end] = job.ran()?;
        let pes = job.allocated_resources.clone();
        let width = match pes.is_empty() {
            true => job.requested_number_of_resources,
            false => pes.width(),
        };
        let booking = Booking {
            start,
            end,
            pes: width,
        };
        Some(Self {
            pes,
            ..Self::of_job(job.job_id, booking)
        })
    }

    /// A job of which nothing is asked but how much it had.
    pub(super) fn of_job(job_id: u64, booking: Booking) -> Self {
        Self {
            name: format!("job {job_id}"),
            booking,
            pes: PeRanges::default(),
        }
    }
}

impl Known {
    /// Of this job of the run in `dir`.
    ///
    /// # Errors
    /// [`Error::Usage`] when no such job is there, or the run is not finished; [`Error::Input`] and [`Error::Io`] for files that cannot be read.
    pub(crate) fn read(dir: &Path, job_id: u64) -> Result<Self> {
        let told = |problem| Error::Usage(format!("{}: {problem}", dir.display()));
        Self::of(&Tables::read(dir)?, job_id).map_err(told)
    }

    /// Of this job, or what is wrong with the question.
    fn of(tables: &Tables<'_>, job_id: u64) -> std::result::Result<Self, String> {
        let nothing = || format!("no finished run: expected {JOBS}, {RESERVATIONS} and {METRICS}");
        let totals = tables.totals.as_ref().ok_or_else(nothing)?;
        let settings = totals.settings.clone();
        let jobs = tables.jobs.as_deref().ok_or_else(nothing)?;
        let rows = tables.reservations.as_deref().ok_or_else(nothing)?;
        let operations = tables.operations.as_deref().unwrap_or_default();
        let job = jobs.iter().find(|job| job.job_id == job_id);
        let job = job.ok_or_else(|| absent(job_id, jobs, operations))?;
        // What is wrong with the files is for the checker to say.
        let mut unsaid = Findings::default();
        let told = rows.iter().any(tells);
        let histories = tables.follow((rows, told), jobs, &settings, &mut unsaid);
        let site = usize::try_from(job.site.flatten().unwrap_or(0)).unwrap_or(0);
        let mut sites = sites::divide(rows, jobs, &[], &settings, &mut unsaid);
        let here = sites.swap_remove(site.min(sites.len() - 1));
        let request = here.reservations.iter().find(|row| row.job_id == job_id);
        let first = |job_id: u64| -> Option<&[Change]> {
            let histories = histories.as_ref()?;
            Some(&histories.of(job_id)?.changes)
        };
        let mut known = Self {
            job: owned(job),
            request: request.cloned(),
            moves: Vec::new(),
            made_way: BTreeSet::new(),
            others: Vec::new(),
            meanwhile: Vec::new(),
            came_first: Vec::new(),
            books: request.map_or(Vec::new(), |row| {
                joint::books(
                    &here.reservations,
                    &here.jobs,
                    histories.as_ref(),
                    &settings,
                    row,
                )
            }),
            likely: likely(job_id, jobs, &settings),
            asks: None,
            may_have: None,
            sets: settings.binds_early() && (histories.is_none() || tells_sets(&settings)),
            settings,
        };
        let moves = tables.moves.as_deref().unwrap_or_default();
        known.moves = moves
            .iter()
            .filter(|row| row.job_id == job_id)
            .map(|row| (row.clone(), mover(row, operations, &known.settings)))
            .collect();
        known.asks = known.settings.layout().and_then(|layout| match request {
            Some(row) => placing::read(layout, row.asks()),
            None => placing::read(layout, job.metadata.asks()),
        });
        let may_have = known.asks.as_ref().zip(known.settings.layout());
        known.may_have = may_have
            .map(|(asks, layout)| asks.may_have(layout))
            .filter(|some| some.width() < known.settings.pes);
        let made_way = moves
            .iter()
            .filter(|row| row.cause_job_id == Some(job_id) && makes_room(row));
        known.made_way = made_way.map(|row| row.job_id).collect();
        let before = here.jobs.iter().take_while(|other| other.job_id != job_id);
        let then = Then {
            job_id,
            now: known.decided_at(),
            before: before.count(),
            slots: known.settings.slots(),
        };
        let told = (tables.pieces.as_deref(), tables.moves.as_deref());
        let runs = pieces::runs(&here.jobs, told, &known.settings, &mut unsaid);
        let mut requests = here.reservations.iter();
        for (number, other) in here.jobs.iter().enumerate() {
            let row = (other.profile == Profile::Reservation)
                .then(|| requests.next())
                .flatten();
            if other.job_id == job_id {
                continue;
            }
            let own = runs_of(&runs, number);
            let booked = if other.is_best_effort() {
                let later = own.iter().map(|run| &run.job);
                let later = later.filter(|job| !then.knows(job.starting_time.unwrap_or(0), number));
                known.meanwhile.extend(
                    later
                        .filter_map(|job| known.meanwhile(job))
                        .collect::<Vec<_>>(),
                );
                then.runs(number, own)
            } else {
                let changes = first(other.job_id).unwrap_or_default();
                let made_way = known.made_way.contains(&other.job_id);
                let booked = then.reserved(number, (row, other), changes, made_way);
                // Files say what it had in the end.
                let places = changes.iter().filter(|change| change.to.is_some());
                let has_moved = || moves.iter().any(|row| row.job_id == other.job_id);
                known.sets &= booked.is_none() || places.count() <= 1 && !has_moved();
                if booked.is_none() {
                    known.meanwhile.extend(known.meanwhile(other));
                }
                booked.map(|booking| (booking, &other.allocated_resources))
            };
            let is_whole = booked.is_none_or(|(booking, pes)| pes.width() == booking.pes);
            known.sets &= histories.is_none() || is_whole;
            known.others.extend(booked.map(|(booking, pes)| Other {
                pes: pes.clone(),
                ..Other::of_job(other.job_id, booking)
            }));
        }
        let first = here.jobs.iter().filter_map(|job| known.came_first(job));
        known.came_first = first.collect();
        let outages = tables.outages.as_deref().unwrap_or_default();
        known.others.extend(then.away(outages));
        // Of one that was taken back nothing is said but that it had been announced.
        known.sets &= !outages.iter().any(|row| then.is_taken_back(row));
        let ([_, last], _) = known.window();
        let last = known.ahead().map_or(last, |ahead| ahead.max(last));
        known.others.extend(then.ruled(&known.settings, last));
        for booked in [
            &mut known.others,
            &mut known.meanwhile,
            &mut known.came_first,
        ] {
            booked.sort_by_key(|other| (other.booking.start, other.booking.end));
        }
        Ok(known)
    }

    /// What a job did in a run that began before a job of the queue started, and was not over when that came.
    fn meanwhile(&self, job: &Job<'_>) -> Option<Other> {
        let began = self
            .job
            .starting_time
            .filter(|_| self.job.is_best_effort())?;
        let run = Other::of_run(job)?;
        let Booking { start, end, .. } = run.booking;
        (start < began && end > self.job.queued_at()).then_some(run)
    }

    /// How the promise to a reservation on top of others was broken, and in which seconds it had not what was promised: from its start to when it began, was given up, or was to be
    /// over, or the one in which it was stopped.
    pub(crate) fn breach(&self) -> Option<(Breach, [u64; 2])> {
        let row = self.request.as_ref()?;
        let (breach, [start, end]) = (row.breach()?, row.booked()?);
        let (from, to) = match (breach, self.job.ran()) {
            (Breach::LateStart, Some([began, _])) => (start, began),
            (Breach::LateStart, None) if !self.job.metadata.says(CANCELLED) => (start, end),
            (_, ran) => {
                let stopped = ran.map_or(start, |[_, finish]| finish);
                (stopped, stopped.saturating_add(1))
            }
        };
        Some((breach, [from, to]))
    }

    /// What a job did then that came first.
    fn came_first(&self, job: &Job<'_>) -> Option<Other> {
        let (breach, [from, to]) = self.breach()?;
        let run = Other::of_run(job).filter(|_| job.job_id != self.job.job_id)?;
        let Booking { start, end, .. } = run.booking;
        let stops = breach != Breach::CutShort || start == from && !job.is_best_effort();
        (start < to && end > from && stops).then_some(run)
    }

    /// Up to when something could be booked then; nothing where the files do not say.
    pub(crate) fn ahead(&self) -> Option<u64> {
        let slots = self.settings.slots();
        let ahead = self.settings.horizon().checked_mul(slots.0)?;
        Some(slots.down(self.decided_at()).saturating_add(ahead))
    }

    /// When it was decided: at its arrival, or when it was promised a start late.
    pub(crate) fn decided_at(&self) -> u64 {
        let request = self.request.as_ref();
        request.map_or(self.job.queued_at(), |row| {
            match row.has_waited() && row.is_accepted() {
                true => row.promised_at(),
                false => row.arrival,
            }
        })
    }

    /// How many sites there are; what every one of them refused, the first one stands for.
    pub(crate) fn sites(&self) -> u64 {
        self.settings.sites()
    }

    /// Whether it was decided by more than the machine.
    pub(crate) fn joins(&self) -> bool {
        self.settings.joins()
    }

    /// Who may have how much.
    pub(crate) fn quotas(&self) -> &[Principal] {
        self.settings.quotas()
    }

    /// What there is beside the machine.
    pub(crate) fn resources(&self) -> &[Resource] {
        self.settings.resources()
    }

    /// Seconds of a slot.
    pub(crate) fn slot(&self) -> u64 {
        self.settings.slots().0
    }

    /// Those that it may have, where these are not all, and it is known on which everything was booked.
    fn eligible(&self) -> Option<&PeRanges> {
        self.may_have.as_ref().filter(|_| self.sets)
    }

    /// Processing elements that it may have, and those of the machine, where these are more.
    pub(crate) fn some_pes(&self) -> Option<[u64; 2]> {
        let some = self.may_have.as_ref()?.width();
        Some([some, self.settings.pes])
    }

    /// The names of the strategy, of the policy where it has one, and of the discipline of the queue where there is one.
    pub(crate) fn names(&self) -> [Option<&str>; 3] {
        self.settings.names()
    }

    /// Whether files say what was free: how many, and, where it is decided when something is booked, which.
    pub(crate) fn knows_free(&self) -> bool {
        self.sets || !self.settings.binds_early()
    }

    /// Whether it is known on which processing elements everything was booked.
    pub(crate) fn knows_sets(&self) -> bool {
        self.sets
    }

    /// Slot edges of its window, the second the latest end, and how long it has to be free.
    pub(crate) fn window(&self) -> ([u64; 2], u64) {
        let slots = self.settings.slots();
        match &self.request {
            Some(row) => {
                let duration = match row.is_accepted() {
                    true => row.granted()[0],
                    false => row.least_duration(),
                };
                let [ready, deadline] = row.window();
                let first = slots.up(ready.max(self.decided_at()));
                let duration = slots.up(duration);
                // Exactly these are given from the ready time on, or not at all.
                let last = match row.is_exact() {
                    true => first.saturating_add(duration),
                    false => slots.down(deadline),
                };
                ([first, last], duration)
            }
            None => {
                let window = self.job.metadata.window();
                let last = match window {
                    Some([_, deadline]) => slots.down(deadline),
                    None => self.ahead().unwrap_or(u64::MAX),
                };
                (
                    [slots.up(self.job.queued_at()), last],
                    slots.up(self.job.requested_time),
                )
            }
        }
    }

    /// The machine as it was booked.
    pub(crate) fn machine(&self) -> Machine<'_> {
        let mut room = Room::new(&self.settings, self.sets);
        for (number, other) in self.others.iter().enumerate() {
            room.book(other.booking);
            room.assign(number, other.booking, &other.pes);
        }
        let among = self.eligible().map(|eligible| room.set(eligible));
        Machine {
            room,
            among,
            known: self,
        }
    }
}

/// The runs of the job in the row of this number; runs stand in the order of rows.
fn runs_of<'r, 'j>(runs: &'r [pieces::Run<'j>], number: usize) -> &'r [pieces::Run<'j>] {
    let first = runs.partition_point(|run| run.number < number);
    let behind = runs.partition_point(|run| run.number <= number);
    &runs[first..behind]
}

/// When a job was decided, and which rows came before its own.
struct Then {
    job_id: u64,
    now: u64,
    before: usize,
    slots: Slots,
}

impl Then {
    /// Whether what happened at a second, by the row of this number, was known.
    fn knows(&self, at: u64, number: usize) -> bool {
        at < self.now || at == self.now && number < self.before
    }

    /// Whether something of a booking was left.
    fn is_left(&self, job: &Job<'_>, booking: Booking) -> bool {
        let over = bookings::over(job, booking, self.slots).unwrap_or(booking.end);
        over > self.slots.down(self.now)
    }

    /// What a reservation had, as it was made or changed; whoever made way did so for this job.
    fn reserved(
        &self,
        number: usize,
        (row, job): (Option<&Reservation>, &Job<'_>),
        changes: &[Change],
        made_way: bool,
    ) -> Option<Booking> {
        let known = |change: &&Change| {
            change.time < self.now || !made_way && self.knows(change.time, number)
        };
        let booking = match (changes.iter().take_while(known).last(), changes) {
            (Some(change), _) => change.to,
            (None, []) => {
                let row = row.filter(|row| row.is_accepted());
                let row = row.filter(|row| self.knows(row.promised_at(), number))?;
                row.booked().map(|[start, end]| Booking {
                    start,
                    end,
                    pes: row.granted()[1],
                })
            }
            (None, _) => None,
        };
        booking.filter(|booking| self.is_left(job, *booking))
    }

    /// What a job of the queue had that ran, and on which processing elements.
    fn runs<'r>(
        &self,
        number: usize,
        own: &'r [pieces::Run<'_>],
    ) -> Option<(Booking, &'r PeRanges)> {
        let known = |change: &&(usize, &Move)| {
            let own = change.1.cause_job_id == Some(self.job_id);
            change.1.time < self.now || change.1.time == self.now && !own
        };
        own.iter().find_map(|run| {
            let last = run.changes.iter().take_while(known).last();
            let booking = match last {
                Some((_, change)) => change.after(),
                None => queue::booking(&run.job, self.slots)?,
            };
            let runs = self.knows(booking.start, number) && self.is_left(&run.job, booking);
            runs.then_some((booking, &run.job.allocated_resources))
        })
    }

    /// Whether an outage that was ahead came to nothing later.
    fn is_taken_back(&self, row: &OutageRow) -> bool {
        row.announced <= self.now && self.now < row.end && row.effect().is_none()
    }

    /// What was away, and was to come back when it was announced to.
    fn away(&self, outages: &[OutageRow]) -> impl Iterator<Item = Other> {
        let known = outages.iter().filter(|row| row.announced <= self.now);
        known.filter_map(|row| {
            let [start, end] = row.effect()?;
            (end > self.now).then(|| Other {
                name: format!("outage {}", row.id),
                booking: Booking {
                    start,
                    end: row.end,
                    pes: row.pes.width(),
                },
                pes: row.pes.clone(),
            })
        })
    }

    /// What rules take before `last`.
    fn ruled(&self, settings: &Settings, last: u64) -> Vec<Other> {
        let bases = rules::bases(settings, last);
        let known = bases.iter().take_while(|base| base.since <= self.now);
        let taken = known.last().map(|base| &*base.taken).unwrap_or_default();
        let ahead = taken.iter().filter(|booking| booking.end > self.now);
        let ruled = ahead.map(|booking| Other {
            name: "rules".to_owned(),
            booking: *booking,
            pes: PeRanges(Vec::new()),
        });
        ruled.collect()
    }
}

/// A window has fewer whole slots than it takes.
pub(crate) struct TooShort;

/// What was free.
pub(crate) struct Machine<'a> {
    room: Room<'a>,
    among: Option<PeSet>,
    known: &'a Known,
}

impl Machine<'_> {
    /// How many that the job may have were free all through; the same ones where they are assigned when something is booked. What is counted, [`Known::all`] says.
    pub(crate) fn free_throughout(&self, start: u64, duration: u64) -> u64 {
        let window = start..start.saturating_add(duration);
        let shaped = self.known.shaped();
        let served = shaped.and_then(|asks| self.room.served_throughout(&window, asks));
        served.unwrap_or_else(|| self.room.free_throughout(&window, self.among.as_ref()))
    }

    /// How much of that was free at a time, and for so long.
    pub(crate) fn least(&self, time: u64, length: u64) -> u64 {
        let free = self.free_throughout(time, length);
        match self.known.all() {
            Amount::Groups(_) => free,
            _ => free.min(self.room.free_at(time)),
        }
    }

    /// The first start from here to there at which the job had room; for what it was granted, where that is less than it asked for.
    pub(crate) fn first(&self, from: u64, latest: u64) -> Option<u64> {
        let (_, duration) = self.known.window();
        let pes = self.known.request.as_ref().map_or(
            self.known.job.requested_number_of_resources,
            |row| match row.is_accepted() {
                true => row.granted()[1],
                false => row.pes,
            },
        );
        self.earliest([from, latest], [duration, pes])
    }

    /// The first start from an instant on, however late. Rules take room again and again, so that with them nothing is known of what could not be booked yet.
    pub(crate) fn next(&self, from: u64) -> Option<u64> {
        let (_, duration) = self.known.window();
        let latest = match self.known.settings.rules().is_empty() {
            true => None,
            false => self.known.ahead(),
        };
        let latest = latest.map_or(u64::MAX, |ahead| ahead.saturating_sub(duration));
        self.first(from, latest)
    }

    /// The first start at which there was room in its window for so many seconds and processing elements.
    ///
    /// # Errors
    /// [`TooShort`] where these seconds are more than the whole slots of its window.
    pub(crate) fn first_of(
        &self,
        [duration, pes]: [u64; 2],
    ) -> std::result::Result<Option<u64>, TooShort> {
        let ([ready, deadline], _) = self.known.window();
        let duration = self.known.settings.slots().up(duration);
        let latest = deadline.checked_sub(duration).filter(|last| *last >= ready);
        let latest = latest.ok_or(TooShort)?;
        Ok(self.earliest([ready, latest], [duration, pes]))
    }

    fn earliest(&self, [from, latest]: [u64; 2], [duration, pes]: [u64; 2]) -> Option<u64> {
        self.room.earliest(
            from,
            latest,
            Wanted {
                duration,
                pes,
                asks: self.known.asks.as_ref(),
            },
        )
    }

    /// The start in its window with the most free all through, and how much; where something ends, more may be free.
    pub(crate) fn best(&self) -> Option<(u64, u64)> {
        let ([ready, deadline], duration) = self.known.window();
        let latest = deadline.checked_sub(duration)?;
        let booked = self.known.others.iter().map(|other| other.booking);
        let edges = booked.flat_map(|booking| [booking.start, booking.end]);
        let ends = edges.filter(|edge| (ready..=latest).contains(edge));
        let starts = [ready]
            .into_iter()
            .filter(|ready| *ready <= latest)
            .chain(ends);
        let free = starts.map(|start| (start, self.free_throughout(start, duration)));
        free.max_by_key(|(start, free)| (*free, std::cmp::Reverse(*start)))
    }
}

/// Where a job was looked for that is not there.
fn absent(job_id: u64, jobs: &[Job<'_>], operations: &[Operation]) -> String {
    if let Some(row) = operations.iter().find(|row| row.job_id == job_id) {
        return format!(
            "{job_id} is no job, but an operation ({}) on job {}: name that one",
            row.op, row.target
        );
    }
    let ids = jobs.iter().map(|job| job.job_id);
    match (ids.clone().min(), ids.max()) {
        (Some(least), Some(most)) => format!(
            "found no job {job_id}, expected one of its {} jobs, whose numbers lie between {least} and {most}",
            grouped(jobs.len())
        ),
        _ => format!("found no job {job_id}: the run has no jobs"),
    }
}

fn owned(job: &Job<'_>) -> Job<'static> {
    Job {
        workload_name: job.workload_name.clone().into_owned().into(),
        ..job.clone()
    }
}

#[cfg(test)]
mod tests {
    use bookahead::{Discipline, Policy};

    use super::{Known, Tables};
    use crate::{
        engine::{self, Binding, Juggle, Moving, Strategy, System, metrics::Metrics},
        workload::{
            lublin::{Lublin, six_class::Reconstruction},
            reserve::Factors,
        },
    };

    /// What is known of each job: whoever was accepted where nothing moves has room there, and who found none has none where counts decide.
    #[test]
    fn whoever_was_accepted_had_room_and_who_was_refused_had_none() {
        let jobs = Lublin::lanl_cm5(7.0, Reconstruction::LogSample)
            .jobs(3, 0)
            .unwrap();
        let factors = Factors {
            share: 0.6,
            arrival: 3.0,
            over: Some((1.0, 3.0)),
            ..Factors::default()
        };
        let demands: Vec<_> = factors.demands(jobs.take(300), 3, 0).unwrap().collect();
        let fits = [
            Policy::FirstFit,
            Policy::PeWorstFit,
            Policy::DurationBestFit,
        ]
        .map(Strategy::Fit);
        let strategies = fits
            .into_iter()
            .chain([Strategy::Juggle(Juggle::default(), Moving::FREELY)]);
        let bindings = [Binding::Early, Binding::Late];
        let systems = strategies.flat_map(|one| bindings.map(|binding| (one, binding, None)));
        let first = Strategy::Fit(Policy::FirstFit);
        let preempting = bindings.map(|binding| (first, binding, Some(600)));
        for (strategy, binding, preempt) in systems.chain(preempting) {
            let juggles = matches!(strategy, Strategy::Juggle(..));
            let system = System {
                best_effort: Some(Discipline::Easy),
                preempt,
                ..System::new(1024, 8192, 60, strategy, binding)
            };
            let story = engine::tell(&system, &demands, &|| {}).unwrap();
            let metrics = Metrics::on(&system, &story);
            let tables = Tables::of(&system, &story, &metrics).unwrap();
            let (mut accepted, mut refused, mut decided) = (0, 0, 0);
            for row in tables.reservations.as_ref().unwrap() {
                let known = Known::of(&tables, row.job_id).unwrap();
                let machine = known.machine();
                let ([ready, deadline], duration) = known.window();
                decided += u32::from(known.knows_free());
                if let Some([start, _]) = row.booked() {
                    let made_room = !known.made_way.is_empty();
                    if known.knows_free() {
                        let had_none = machine.first(start, start).is_none();
                        assert_eq!(had_none, made_room, "{row:?} {system:?}");
                    }
                    assert!(made_room || machine.free_throughout(start, duration) >= row.pes);
                    accepted += 1;
                } else if row.reason == "no-room" {
                    let first = machine.first(ready, deadline - duration);
                    let most = machine.best().map(|(_, free)| free);
                    if known.knows_free() {
                        assert_eq!(first, None, "{row:?} {system:?}");
                        assert!(most < Some(row.pes), "{most:?} {row:?}");
                    }
                    refused += 1;
                }
            }
            assert!(
                accepted > 50 && refused > 5 && (juggles || decided > 5),
                "{accepted} {refused} {decided} {system:?}"
            );
        }
    }
}
