//! Jobs that wait for free PEs: a plain list, and every start tried out on a copy of the book. Requests that wait beside them are tried slot by slot.

use bookahead::{
    Advanced, BestEffortJob, Commitment, Discipline, Error, EventKind, PeCount, Policy, Refusal,
    Request, Slot, Span, Ticket, UsageError, Window,
};
use bookahead_commands::{ClassNumber, Happening, Limits, Moved, Number, Progress, REQUESTS};

use crate::Oracle;
use crate::oracle::{Due, check_terms};
use crate::schedule::PlainSchedule;

/// A job by the order of its submission, counted from 1.
pub type TicketNumber = u32;

/// How far time has passed, what happened, and who has moved.
pub type Pulled = (Advanced, Vec<Happening>, Vec<Moved>);

/// A job that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its number.
    pub ticket: TicketNumber,
    /// What it asks for.
    pub job: BestEffortJob,
    pub(crate) class: ClassNumber,
}

/// A request that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WaitingRequest {
    ticket: TicketNumber,
    asked: bookahead::Waiting,
    class: ClassNumber,
}

impl WaitingRequest {
    /// The first slot in which it can start no more.
    fn given_up_at(&self) -> Slot {
        let latest = self.asked.request.latest_start().expect("it was checked");
        latest.saturating_add(Span::new(1))
    }

    /// The slots in which its answer changes by time alone: where its deadline comes inside the ring, and where it is given up.
    fn turns(&self, horizon: Span) -> [Slot; 2] {
        let deadline = self.asked.request.deadline.get();
        let inside = deadline.saturating_sub(horizon.get().into());
        [Slot::new(inside), self.given_up_at()]
    }
}

/// What happens next to a book with a queue.
enum Next {
    Book(Due),
    /// The request at this place fits, or has waited in vain.
    Request(usize),
    /// The job at this place may start.
    Job(usize),
}

/// The waiting jobs, and how far the last look at them came.
///
/// ```
/// use bookahead::{BestEffortJob, Discipline, EventKind, PeCount, Slot, Span};
/// use bookahead_commands::Kind;
/// use bookahead_oracle::{Oracle, PlainQueue};
/// let mut oracle = Oracle::new(Kind::Sets, 4, 16, 8);
/// let mut queue = PlainQueue::new(Discipline::Easy, 8);
/// let job = BestEffortJob { estimate: Span::new(3), pes: PeCount::new(2) };
/// assert_eq!(queue.submit(&mut oracle, &job), Ok(1));
/// let (_, events) = queue.advance(&mut oracle, Slot::new(0), 8).unwrap();
/// assert_eq!(events[0].kind, EventKind::BestEffortStarted);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainQueue {
    discipline: Discipline,
    capacity: usize,
    submitted: TicketNumber,
    /// In order of submission.
    jobs: Vec<Waiting>,
    /// The revision of the book when the jobs were last looked at; none after one came or went.
    seen: Option<u64>,
    /// Where that look was interrupted, if it was: before the job at this place.
    stopped_at: Option<usize>,
    incarnation: u32,
    /// The slot up to which it came with its book; none for any.
    reached: Option<Slot>,
    /// Starts past a waiting job.
    passed: u64,
    /// In the order in which they are tried.
    requests: Vec<WaitingRequest>,
    /// The revision of the book when all requests were last tried in vain, starts since then left out, and the slot; none after one has come, or while
    /// some may still fit.
    tried: Option<(u64, Slot)>,
    /// The slot that is being left, in which no request is tried any more.
    leaving: Option<Slot>,
    /// Whether places may be kept for jobs that are cut.
    keeps_places: bool,
    /// With conservative backfilling; none where a book of this kind has no schedule.
    schedule: Option<PlainSchedule>,
}

impl PlainQueue {
    /// An empty queue for at most `capacity` jobs.
    #[must_use]
    pub fn new(discipline: Discipline, capacity: usize) -> Self {
        Self {
            discipline,
            capacity,
            submitted: 0,
            jobs: Vec::new(),
            seen: None,
            stopped_at: None,
            incarnation: 0,
            reached: None,
            passed: 0,
            requests: Vec::new(),
            tried: None,
            leaving: None,
            keeps_places: false,
            schedule: Some(PlainSchedule::default()),
        }
    }

    /// The same for a kind of book that has no schedule.
    #[must_use]
    pub fn without_schedule(self) -> Self {
        Self {
            schedule: None,
            ..self
        }
    }

    /// The schedule, if jobs are planned.
    fn planning(&self) -> Option<&PlainSchedule> {
        let schedule = self.schedule.as_ref();
        schedule.filter(|_| self.discipline == Discipline::Conservative)
    }

    /// The starts of planned jobs.
    #[must_use]
    pub fn starts(&self) -> Vec<(Ticket, Slot)> {
        self.planning()
            .map(PlainSchedule::starts)
            .unwrap_or_default()
    }

    fn check_schedule(&self) -> Result<(), Error> {
        if self.discipline == Discipline::Conservative && self.schedule.is_none() {
            return Err(UsageError::NoSchedule.into());
        }
        Ok(())
    }

    /// Who passes whom.
    #[must_use]
    pub fn discipline(&self) -> Discipline {
        self.discipline
    }

    /// How many jobs may wait.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The waiting jobs, in order of submission.
    #[must_use]
    pub fn jobs(&self) -> &[Waiting] {
        &self.jobs
    }

    /// How many jobs have started while one submitted earlier waited.
    #[must_use]
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// Makes it the queue of another book.
    pub fn set_incarnation(&mut self, incarnation: u32) {
        self.incarnation = incarnation;
        self.reached = None;
    }

    fn check_book(&self, book: &Oracle) -> Result<(), Error> {
        if book.version().incarnation != self.incarnation {
            return Err(UsageError::ForeignQueue.into());
        }
        let known = self.reached.unwrap_or(book.now());
        let nobody = self.jobs.is_empty() && self.requests.is_empty() && !self.keeps_places;
        // A queue keeps the lower half of the slot's number only, as it says.
        if !nobody && known.get() as u32 != book.now().get() as u32 {
            return Err(UsageError::QueueLeftBehind.into());
        }
        Ok(())
    }

    /// Whether the last look was interrupted, by a full list of events or after one event.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.stopped_at.is_some()
    }

    /// Notes how far it has come, and for whom the book keeps classes.
    fn follow(&mut self, book: &mut Oracle) {
        self.reached = Some(book.now());
        let jobs = self.jobs.iter().map(|waiting| waiting.class);
        let requests = self.requests.iter().map(|waiting| waiting.class);
        book.note_waiting(jobs.chain(requests).collect());
    }

    /// Adds a job behind the others, of the class that the book is asked for.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn submit(
        &mut self,
        book: &mut Oracle,
        job: &BestEffortJob,
    ) -> Result<TicketNumber, Error> {
        self.check_schedule()?;
        self.check_book(book)?;
        book.check_class()?;
        let reasons: [(bool, Error); 4] = [
            (job.estimate == Span::ZERO, UsageError::ZeroDuration.into()),
            (job.pes == PeCount::ZERO, UsageError::ZeroPes.into()),
            (job.pes > book.pes(), Refusal::TooWide.into()),
            (job.estimate > book.horizon(), Refusal::TooLong.into()),
        ];
        if let Some((_, reason)) = reasons.into_iter().find(|(applies, _)| *applies) {
            return Err(reason);
        }
        book.admits_asked(job.pes.get())?;
        if self.free_places(book) == 0 {
            return Err(Refusal::QueueFull.into());
        }
        self.submitted += 1;
        self.jobs.push(Waiting {
            ticket: self.submitted,
            job: *job,
            class: book.asked(),
        });
        self.seen = None;
        if self.planning().is_some() {
            self.settle(book);
        }
        self.follow(book);
        Ok(self.submitted)
    }

    /// How many places are neither taken nor kept.
    fn free_places(&self, book: &Oracle) -> usize {
        let kept = if self.keeps_places {
            book.cut_jobs()
        } else {
            0
        };
        self.capacity.saturating_sub(self.jobs.len() + kept)
    }

    /// Books, for the class that the book is asked for, and cuts running jobs where there is no room otherwise.
    ///
    /// # Errors
    ///
    /// As [`Oracle::book_cutting`].
    pub fn book_cutting(
        &mut self,
        book: &mut Oracle,
        request: &Request,
        policy: Policy,
        commitment: Commitment,
    ) -> Result<(Number, Slot), Error> {
        self.check_book(book)?;
        book.check_class()?;
        let places = self.free_places(book);
        let (number, start, cut) = book.book_cutting(request, policy, commitment, places)?;
        self.keeps_places |= cut;
        self.follow(book);
        Ok((number, start))
    }

    /// Lets jobs that are cut run as far as there is room.
    fn grow_back(&mut self, book: &mut Oracle) {
        if self.keeps_places {
            book.grow_back();
            self.keeps_places = book.cut_jobs() > 0;
        }
    }

    /// Queues a job again, unless the ticket is that of an earlier queue.
    fn take_back(&mut self, ticket: TicketNumber, (job, class): (BestEffortJob, ClassNumber)) {
        let place = self.jobs.partition_point(|waiting| waiting.ticket < ticket);
        let taken = self
            .jobs
            .get(place)
            .is_some_and(|waiting| waiting.ticket == ticket);
        if self.keeps_places && ticket <= self.submitted && !taken {
            self.jobs.insert(place, Waiting { ticket, job, class });
            self.seen = None;
            self.stopped_at = None;
        }
    }

    /// Lets a request wait until it fits or can start no more, for the class that the book is asked for.
    ///
    /// # Errors
    ///
    /// The first reason why it can never fit, or that too many wait.
    pub fn wait(
        &mut self,
        book: &mut Oracle,
        asked: bookahead::Waiting,
    ) -> Result<TicketNumber, Error> {
        self.check_book(book)?;
        book.check_class()?;
        check_terms(asked.commitment)?;
        match book.check_request(&from_now(&asked.request, book)) {
            // It comes nearer.
            Err(reason) if reason == Refusal::BeyondHorizon.into() => {
                book.admits_asked(asked.request.pes.get())?;
            }
            checked => checked?,
        }
        if self.requests.len() >= REQUESTS {
            return Err(Refusal::QueueFull.into());
        }
        self.submitted += 1;
        self.requests.push(WaitingRequest {
            ticket: self.submitted,
            asked,
            class: book.asked(),
        });
        self.order();
        self.tried = None;
        self.follow(book);
        Ok(self.submitted)
    }

    /// Gives a waiting request another key.
    ///
    /// # Errors
    ///
    /// UsageError, when it does not wait.
    pub fn set_key(&mut self, ticket: TicketNumber, key: u32) -> Result<(), Error> {
        let mut requests = self.requests.iter_mut();
        let request = requests.find(|waiting| waiting.ticket == ticket);
        request.ok_or(UsageError::UnknownTicket)?.asked.key = key;
        self.order();
        Ok(())
    }

    /// The waiting requests, in the order in which they are tried.
    #[must_use]
    pub fn requests(&self) -> Vec<(Ticket, bookahead::Waiting)> {
        let told = |waiting: &WaitingRequest| {
            let ticket = Ticket::from_number(waiting.ticket)?;
            Some((ticket, waiting.asked))
        };
        self.requests.iter().filter_map(told).collect()
    }

    /// The highest key first, then who came first.
    fn order(&mut self) {
        self.requests
            .sort_by_key(|waiting| (std::cmp::Reverse(waiting.asked.key), waiting.ticket));
    }

    /// Takes a waiting job or request out.
    ///
    /// # Errors
    ///
    /// UsageError, when it does not wait.
    pub fn withdraw(&mut self, ticket: TicketNumber) -> Result<(), Error> {
        let requests = self.requests.len();
        self.requests.retain(|waiting| waiting.ticket != ticket);
        if self.requests.len() < requests {
            return Ok(());
        }
        let place = self
            .jobs
            .iter()
            .position(|waiting| waiting.ticket == ticket);
        self.jobs.remove(place.ok_or(UsageError::UnknownTicket)?);
        self.seen = None;
        if let Some(schedule) = &mut self.schedule {
            schedule.looked = None;
        }
        Ok(())
    }

    /// Moves `now` to `to`, telling at most `room` events on the way, starts of waiting jobs among them.
    ///
    /// # Errors
    ///
    /// As [`Oracle::advance`].
    pub fn advance(&mut self, book: &mut Oracle, to: Slot, room: usize) -> Result<Progress, Error> {
        self.check_schedule()?;
        self.check_book(book)?;
        book.check_time(to)?;
        let mut events = Vec::new();
        let mut progress = Advanced::Done;
        while let Some(next) = self.approach(book, to) {
            if events.len() >= room {
                progress = Advanced::EventsWaiting;
                break;
            }
            events.push(self.happen(book, next, to));
        }
        self.follow(book);
        Ok((progress, events))
    }

    /// Moves `now` to `to` slot by slot; in each, whoever may be moved starts earlier as soon as all ends of the slot have been told.
    ///
    /// # Errors
    ///
    /// As [`Oracle::advance`].
    pub fn advance_pulling(
        &mut self,
        book: &mut Oracle,
        to: Slot,
        (room, list): Limits,
    ) -> Result<Pulled, Error> {
        self.check_schedule()?;
        self.check_book(book)?;
        book.check_time(to)?;
        let (mut events, mut moves) = (Vec::new(), Vec::new());
        let far = loop {
            self.grow_back(book);
            if !book.due_now().is_some_and(Due::is_before_waiting) {
                let left = list.saturating_sub(moves.len());
                let (moved, more) = book.pull_forward(book.first_to_pull_to(), left);
                moves.extend(moved);
                if more {
                    break Advanced::EventsWaiting;
                }
            }
            let next = book.now().saturating_add(Span::new(1)).min(to);
            match self.approach(book, next) {
                Some(_) if events.len() >= room => break Advanced::EventsWaiting,
                Some(next) => events.push(self.happen(book, next, to)),
                None if next == to => break Advanced::Done,
                None => {}
            }
        };
        self.follow(book);
        Ok((far, events, moves))
    }

    /// The next event on the way to `to`, a start of a waiting job or another.
    ///
    /// # Errors
    ///
    /// As [`advance`](Self::advance).
    pub fn next(&mut self, book: &mut Oracle, to: Slot) -> Result<Option<Happening>, Error> {
        self.check_schedule()?;
        self.check_book(book)?;
        book.check_time(to)?;
        let next = self.approach(book, to);
        let next = next.map(|next| self.happen(book, next, to));
        self.follow(book);
        Ok(next)
    }

    /// Moves time to the next event on the way to `to`, or to `to` if nothing happens.
    fn approach(&mut self, book: &mut Oracle, to: Slot) -> Option<Next> {
        loop {
            self.grow_back(book);
            let due = book.due_now();
            let before = due.is_some_and(Due::is_before_waiting);
            if !before
                && self.leaving != Some(book.now())
                && let Some(place) = self.try_requests(book)
            {
                return Some(Next::Request(place));
            }
            if let Some(due) = due {
                return Some(Next::Book(due));
            }
            if self.planning().is_some() {
                if !self.jobs.is_empty()
                    && self.leaving != Some(book.now())
                    && let Some(place) = self.planned_now(book)
                {
                    return Some(Next::Job(place));
                }
            } else if self.look_is_due(book)
                && let Some(place) = self.look(book)
            {
                return Some(Next::Job(place));
            }
            if book.now() == to {
                return None;
            }
            if let Some(due) = book.due_on_leaving() {
                return Some(Next::Book(due));
            }
            let next = book.now().saturating_add(Span::new(1));
            // Planned starts are looked at slot by slot; without jobs there are none.
            let looks = self.planning().is_some() && !self.jobs.is_empty();
            let jumps = self.requests.is_empty() && !looks;
            book.pass(if jumps { to } else { next });
        }
    }

    /// The first request that fits or can start no more.
    fn try_requests(&mut self, book: &Oracle) -> Option<usize> {
        let (now, revision) = (book.now(), book.version().revision);
        let ripe = |waiting: &WaitingRequest| {
            waiting.given_up_at() <= now || fits(&book.for_class(waiting.class), waiting)
        };
        let place = self.requests.iter().position(ripe);
        self.tried = place.is_none().then_some((revision, now));
        place
    }

    /// What becomes of the request at that place.
    fn decide(&mut self, book: &mut Oracle, place: usize) -> Happening {
        let WaitingRequest {
            ticket,
            asked,
            class,
        } = self.requests[place];
        let given_up = self.requests.remove(place).given_up_at() <= book.now();
        let whose = (!given_up).then(|| {
            let before = book.ask(class);
            let request = from_now(&asked.request, book);
            let booked = book.book(&request, asked.policy, asked.commitment);
            book.ask(before);
            booked.expect("it fits").0
        });
        Happening {
            at: book.now(),
            whose,
            kind: match whose {
                Some(_) => EventKind::Promised,
                None => EventKind::GaveUp,
            },
            ticket: Ticket::from_number(ticket),
        }
    }

    /// When requests are tried next.
    fn tries_at(&self, book: &Oracle) -> Option<Slot> {
        if self.requests.is_empty() {
            return None;
        }
        let (now, revision) = (book.now(), book.version().revision);
        let unchanged = self.tried.filter(|(then, _)| *then == revision);
        let turns = self
            .requests
            .iter()
            .flat_map(|waiting| waiting.turns(book.horizon()));
        let turn = unchanged.and_then(|(_, tried)| turns.filter(|turn| *turn > tried).min());
        let due = turn.is_none_or(|turn| turn <= now);
        Some(match turn {
            Some(turn) if !due => turn,
            _ if self.leaving == Some(now) => now.saturating_add(Span::new(1)),
            _ => now,
        })
    }

    fn happen(&mut self, book: &mut Oracle, next: Next, to: Slot) -> Happening {
        let before = book.version().revision;
        let happening = self.happens(book, next, to);
        let is_start = matches!(
            happening.kind,
            EventKind::Started | EventKind::StartFixed | EventKind::BestEffortStarted
        );
        if let Some((tried, _)) = &mut self.tried
            && is_start
            && *tried == before
        {
            // Nobody has more room for it.
            *tried = book.version().revision;
        }
        let same = matches!(happening.kind, EventKind::Started | EventKind::StartFixed);
        if let Some(schedule) = &mut self.schedule
            && same
        {
            schedule.same(before, book.version().revision);
        }
        happening
    }

    fn happens(&mut self, book: &mut Oracle, next: Next, to: Slot) -> Happening {
        let place = match next {
            Next::Request(place) => return self.decide(book, place),
            Next::Book(due) => {
                let again = book.to_do_again(due.whose());
                let happening = book.happen(due, to);
                if happening.kind == EventKind::Preempted
                    && let (Some(again), Some(ticket)) = (again, happening.ticket)
                {
                    self.take_back(ticket.get(), again);
                }
                if due.is_on_leaving() && !book.leave_after_last() {
                    // Nobody starts in a slot that is being left.
                    self.seen = Some(book.version().revision);
                    self.leaving = Some(book.now());
                }
                return happening;
            }
            Next::Job(place) => place,
        };
        let planned_here = self.planning().is_some();
        let Waiting { ticket, job, class } = self.jobs.remove(place);
        self.passed += u64::from(place > 0);
        let before = book.ask(class);
        let planned = self
            .planning()
            .and_then(|schedule| schedule.due(book.now()));
        let whose = match planned {
            Some((_, Some(set))) => book.start_on(&job, ticket, set),
            _ => book.start_now(&job, ticket),
        };
        book.ask(before);
        if let Some(schedule) = &mut self.schedule
            && planned_here
        {
            schedule.started(place, book);
        }
        let happening = Happening {
            at: book.now(),
            whose: Some(whose),
            kind: EventKind::BestEffortStarted,
            ticket: Ticket::from_number(ticket),
        };
        // The look goes on behind it.
        self.stopped_at = Some(place);
        self.seen = Some(book.version().revision);
        happening
    }

    /// Whether jobs wait, and they or the book are not what they were at the last look. Time by itself makes no look due.
    #[must_use]
    pub fn look_is_due(&self, book: &Oracle) -> bool {
        let stopped = self.stopped_at.is_some();
        !self.jobs.is_empty() && (stopped || self.seen != Some(book.version().revision))
    }

    /// When something happens next, a look at the waiting jobs and requests included.
    #[must_use]
    pub fn next_event(&self, book: &Oracle) -> Option<Slot> {
        let next = book.next_event().into_iter().chain(self.tries_at(book));
        let Some(schedule) = self.planning().filter(|_| !self.jobs.is_empty()) else {
            let look = self.planning().is_none() && self.look_is_due(book);
            return if look { Some(book.now()) } else { next.min() };
        };
        let (now, revision) = (book.now(), book.version().revision);
        let wakes = match schedule.looked {
            Some((then, wake)) if then == revision && now < wake => wake,
            _ if self.leaving == Some(now) => now.saturating_add(Span::new(1)),
            _ => now,
        };
        let wakes = Some(wakes).filter(|wake| *wake < Slot::new(u64::MAX));
        next.chain(wakes).min()
    }

    /// How many jobs are planned at most: the second book has as many rows as the first.
    fn planned_most(&self, book: &Oracle) -> usize {
        self.capacity.min(book.capacity())
    }

    fn settle(&mut self, book: &Oracle) {
        let most = self.planned_most(book);
        if let Some(schedule) = &mut self.schedule {
            schedule.settle(book, &self.jobs, most);
            schedule.looked = None;
        }
    }

    /// The place of a planned job that starts now.
    fn planned_now(&mut self, book: &Oracle) -> Option<usize> {
        self.settle(book);
        let most = self.planned_most(book);
        let schedule = self.schedule.as_mut()?;
        let due = schedule.due(book.now()).map(|(place, _)| place);
        let starts = due.filter(|place| {
            let Waiting { job, class, .. } = self.jobs[*place];
            book.for_class(class).can_start(&job)
        });
        if starts.is_none() {
            schedule.look_done(book, &self.jobs, most);
        }
        starts
    }

    /// Looks at the jobs, from where the last look was interrupted or from the first one on; the place of one that may start.
    fn look(&mut self, book: &Oracle) -> Option<usize> {
        let revision = book.version().revision;
        let unchanged = self.seen == Some(revision);
        let first = self.stopped_at.filter(|_| unchanged).unwrap_or(0);
        let mut places = first..self.jobs.len();
        if self.discipline == Discipline::Fcfs {
            places.end = places.end.min(first + 1);
        }
        self.stopped_at = places.find(|place| self.may_start(*place, book));
        self.seen = Some(revision);
        self.stopped_at
    }

    /// Whether the job at `place` fits now and, if others wait before it, leaves the first of them where it is.
    fn may_start(&self, place: usize, book: &Oracle) -> bool {
        let Waiting { job, class, .. } = self.jobs[place];
        let mut tried = book.for_class(class);
        if !tried.can_start(&job) {
            return false;
        }
        if place == 0 {
            return true;
        }
        tried.start_now(&job, 0);
        let never = Slot::new(u64::MAX);
        self.shadow(&tried).unwrap_or(never) <= self.shadow(book).unwrap_or(never)
    }

    /// The earliest start of the first job for its whole estimate, as things stand.
    #[must_use]
    pub fn shadow(&self, book: &Oracle) -> Option<Slot> {
        let head = self.jobs.first()?;
        earliest(&book.for_class(head.class), &head.job)
    }
}

/// The same request, ready now if it was before.
fn from_now(request: &Request, book: &Oracle) -> Request {
    Request {
        ready: request.ready.max(book.now()),
        ..*request
    }
}

/// Whether there is a row and a start for the request, for the class that is asked for.
fn fits(book: &Oracle, waiting: &WaitingRequest) -> bool {
    let request = from_now(&waiting.asked.request, book);
    if book.check(&request).is_err() {
        return false;
    }
    let timetable = book.timetable();
    let latest = request.latest_start().expect("it was checked");
    let mut starts = (request.ready.get()..=latest.get()).map(Slot::new);
    starts.any(|start| {
        let window = Window::starting(start, request.duration);
        let free = window.and_then(|window| timetable.free_during(window));
        free.is_some_and(|free| book.serves_asked(&free, request.pes.get()))
    })
}

/// The first slot from which on `job` fits for its whole estimate, inside the ring, for the class that is asked for.
fn earliest(book: &Oracle, job: &BestEffortJob) -> Option<Slot> {
    let timetable = book.timetable();
    let mut starts = (timetable.now.get()..timetable.end().get()).map(Slot::new);
    starts.find(|start| {
        let window = Window::starting(*start, job.estimate);
        let free = window.and_then(|window| timetable.free_during(window));
        free.is_some_and(|free| book.serves_asked(&free, job.pes.get()))
    })
}
