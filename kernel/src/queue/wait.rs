//! Requests that wait for room: a ticket, no room, no promise, until one of them fits or its latest start has passed.

use super::{Next, Queue, Waiting, WaitingRequest};
use crate::{
    book::{Ask, Book, Commitment},
    error::{Error, Refusal, UsageError},
    event::{Event, EventKind},
    fit::Job,
    handle::Handle,
    policy::Policy,
    request::Request,
    ring::Ring,
    ticket::Ticket,
    time::{Slot, Span},
};

/// What becomes of a request that is tried.
enum Tried {
    Promised(Handle),
    GivenUp,
    Waits,
}

impl Queue<'_> {
    /// Lets a request wait for room, as one that [`Book::reserve`] refused with [`NoRoom`](Refusal::NoRoom), [`TableFull`](Refusal::TableFull) or
    /// [`BeyondHorizon`](Refusal::BeyondHorizon). It gets a ticket; it has no room and no promise. The memory for it is a
    /// [`WaitingList`](crate::WaitingList) beside the queue.
    ///
    /// In each slot, after the slot's ends, expired holds and starts that become fixed, and before its starts, every waiting request is tried,
    /// those with the highest key first, and those with equal keys in the order in which they came. The next [`advance`](Self::advance) tries it
    /// first, which may be one to `now`. One that fits becomes a reservation like any other and is reported as [`Promised`](EventKind::Promised)
    /// with its ticket and its handle. One that does not fit before its latest start has passed is reported as [`GaveUp`](EventKind::GaveUp) in
    /// the slot behind it. Requests are in fact tried only when the bookings have changed since the last time or the horizon has come to a
    /// deadline, for nothing else can make room. Room that is freed between two advances is looked at by the next, to the same slot too.
    ///
    /// Who waits holds nobody back: a newcomer that fits takes the room even when a waiting request could use it later.
    ///
    /// A request that became ready in the past is ready now. The time to live of a hold begins when it is promised.
    /// On a machine with a layout, `(id, &request)` waits for a class, which lasts as long as it waits. A promise whose whole run lies behind a
    /// jump is reported [`Missed`](EventKind::Missed) as others are: advance to [`next_event`](Self::next_event) and no further.
    ///
    /// O(requests), and with classes O(classes + jobs + requests). An advance takes, for each slot in which something has changed,
    /// O(requests x a [`plan`](Book::plan)).
    ///
    /// ```
    /// use bookahead::{BestEffortJob, Commitment, CountBook, Discipline, Error, EventKind, JobQueue, PeCount, Policy, Refusal, Request, Slot, Span,
    ///     WaitingList,
    /// };
    /// let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// let (mut jobs, mut waiting) = (JobQueue::<0>::new(Discipline::Fcfs), WaitingList::<8>::new());
    /// let (mut book, mut queue) = (memory.view(), waiting.beside(jobs.view()));
    /// let request = |pes, deadline| Request { ready: Slot::new(0), duration: Span::new(5), deadline: Slot::new(deadline), pes: PeCount::new(pes) };
    /// let first = book.reserve(&request(4, 5), Policy::FirstFit, Commitment::Confirmed)?;
    /// let refused = book.reserve(&request(2, 8), Policy::FirstFit, Commitment::Confirmed);
    /// assert_eq!(refused, Err(Refusal::NoRoom.into()));
    /// let ticket = queue.wait(&mut book, &request(2, 8), Policy::FirstFit, Commitment::Confirmed, 0)?;
    /// // It can start at slot 3 at the latest.
    /// assert_eq!(queue.next(&mut book, Slot::new(3))?.map(|event| event.kind), Some(EventKind::Started));
    /// assert_eq!(queue.next(&mut book, Slot::new(3))?, None);
    /// assert_eq!(queue.next_event(&book), Some(Slot::new(4)));
    /// // The first job ends early, so there is room.
    /// book.complete(first.handle, Slot::new(3))?;
    /// let promised = queue.next(&mut book, Slot::new(3))?.unwrap();
    /// assert_eq!((promised.kind, promised.ticket), (EventKind::Promised, Some(ticket)));
    /// assert_eq!(book.get(promised.handle)?.window.start, Slot::new(3));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What could never be met does not wait. Checked in this order: [`UsageError::ForeignQueue`] and [`UsageError::QueueLeftBehind`] as for
    /// [`submit`](Self::submit), [`UsageError::StaleClass`], [`UsageError::ZeroHold`], [`UsageError::ZeroDuration`], [`UsageError::ZeroPes`],
    /// [`Refusal::TooWide`], [`Refusal::TooLong`]; [`Refusal::WindowTooShort`] also when the latest start has passed;
    /// [`UsageError::NotWholeGroups`] and [`Refusal::NotEligible`] for what its class could not have on an idle machine;
    /// [`Refusal::QueueFull`] when there is no memory left for it.
    pub fn wait<'r, R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        request: impl Ask<'r, R, Request>,
        policy: Policy,
        commitment: Commitment,
        key: u32,
    ) -> Result<Ticket, Error> {
        self.check_book(book)?;
        let class = request.class(&book.ring, 0)?;
        let waiting = Waiting {
            request: *request.what(),
            policy,
            commitment,
            key,
        };
        admit(&book.ring, class, &waiting)?;
        if self.requests().len() >= self.requests_capacity() {
            return Err(Refusal::QueueFull.into());
        }
        let ticket = self.state.next_ticket();
        self.insert(WaitingRequest::new(ticket, &waiting, R::number(class)));
        if let Some(list) = &mut self.list {
            list.state.resume = 1;
        }
        self.follow(book);
        self.note_classes(book);
        Ok(ticket)
    }

    /// Returns the waiting requests, in the order in which they are tried. O(requests) for all of them.
    ///
    /// See [`set_key`](Self::set_key) for an example.
    pub fn waiting_requests(&self) -> impl Iterator<Item = (Ticket, Waiting)> {
        self.requests().iter().filter_map(WaitingRequest::describe)
    }

    /// Returns how many requests may wait: 0 where the queue is opened without a [`WaitingList`](crate::WaitingList). O(1).
    #[must_use]
    pub fn requests_capacity(&self) -> usize {
        self.list.as_ref().map_or(0, |list| list.requests.len())
    }

    /// Sets the key of a waiting request: among those with the same key it is tried in the order in which they came. O(requests).
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Discipline, JobQueue, PeCount, Policy, Request, Slot, Span, UsageError, WaitingList};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let (mut jobs, mut waiting) = (JobQueue::<0>::new(Discipline::Fcfs), WaitingList::<8>::new());
    /// # let (mut book, mut queue) = (memory.view(), waiting.beside(jobs.view()));
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let [one, other] = [5, 7].map(|key| queue.wait(&mut book, &request, Policy::FirstFit, Commitment::Confirmed, key));
    /// let (one, other) = (one?, other?);
    /// let order = |queue: &bookahead::Queue| queue.waiting_requests().map(|(ticket, _)| ticket).collect::<Vec<_>>();
    /// assert_eq!(order(&queue), [other, one]);
    /// queue.set_key(one, 7)?;
    /// assert_eq!(order(&queue), [one, other]);
    /// queue.withdraw(one)?;
    /// assert_eq!(queue.set_key(one, 9), Err(UsageError::UnknownTicket.into()));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownTicket`] for a request that does not wait, or no longer.
    pub fn set_key(&mut self, ticket: Ticket, key: u32) -> Result<(), Error> {
        let mut request = self.take_request(ticket).ok_or(UsageError::UnknownTicket)?;
        request.key = key;
        self.insert(request);
        Ok(())
    }

    pub(super) fn requests(&self) -> &[WaitingRequest] {
        self.list.as_ref().map_or(&[], |list| list.waiting())
    }

    /// Returns by what waiting requests are ordered, the highest first: key, then how long ago the ticket was given out.
    pub(super) fn rank(&self, request: &WaitingRequest) -> (u32, u32) {
        (request.key, self.state.age(request.ticket))
    }

    /// Inserts a request in its order, if there is an element left for it. O(requests).
    fn insert(&mut self, request: WaitingRequest) {
        let rank = self.rank(&request);
        let before = |other: &WaitingRequest| self.rank(other) > rank;
        let place = self.requests().partition_point(before);
        if let Some(list) = &mut self.list {
            list.insert(place, request);
        }
    }

    /// Removes the request of a ticket. A pass that was interrupted begins again, as indices are others now.
    fn take_request(&mut self, ticket: Ticket) -> Option<WaitingRequest> {
        let list = self.list.as_mut()?;
        let mut requests = list.waiting().iter();
        let place = requests.position(|request| request.ticket == ticket.get())?;
        let request = list.waiting().get(place).copied();
        list.remove(place);
        list.state.resume = list.state.resume.min(1);
        request
    }

    /// Removes the request of a ticket, if it waits.
    pub(super) fn withdraw_request(&mut self, ticket: Ticket) -> bool {
        self.take_request(ticket).is_some()
    }

    /// Notes that time is leaving a slot, so that nothing is promised in it any more.
    pub(super) fn leave(&mut self, slot: Slot) {
        if let Some(list) = &mut self.list {
            list.state.leaving = slot.get().saturating_add(1);
        }
    }

    fn is_leaving(&self, slot: Slot) -> bool {
        let leaving = self.list.as_ref().map(|list| list.state.leaving);
        leaving == Some(slot.get().saturating_add(1))
    }

    /// Notes an event after which nothing else is free than before: only starts are such.
    pub(super) fn note_event<R: Ring>(&mut self, book: &Book<'_, R>, kind: EventKind) {
        let revision = book.version().revision;
        let start = matches!(
            kind,
            EventKind::Started | EventKind::StartFixed | EventKind::BestEffortStarted
        );
        if let Some(list) = &mut self.list
            && start
            && list.state.seen.wrapping_add(1) == revision
        {
            list.state.seen = revision;
        }
    }

    /// Returns the index at which requests are to be tried from, if any answer could have changed since they were.
    fn try_due<R: Ring>(&self, book: &Book<'_, R>) -> Option<usize> {
        let list = self.list.as_ref().filter(|list| list.state.len > 0)?;
        let unchanged = list.state.seen == book.version().revision && book.now() < list.state.alarm;
        match list.state.resume.checked_sub(1) {
            Some(place) if unchanged => Some(place as usize),
            None if unchanged => None,
            _ => Some(0),
        }
    }

    /// Returns a slot up to which no waiting request has to be tried. O(1).
    pub(super) fn tries_next<R: Ring>(&self, book: &Book<'_, R>) -> Option<Slot> {
        let list = self.list.as_ref().filter(|list| list.state.len > 0)?;
        Some(self.try_at(book, self.try_due(book).is_some(), list.state.alarm))
    }

    /// Returns the slot in which waiting requests are tried next: one that was withdrawn is not waited for. O(requests).
    pub(super) fn next_of_waiting<R: Ring>(&self, book: &Book<'_, R>) -> Option<Slot> {
        let list = self.list.as_ref().filter(|list| list.state.len > 0)?;
        let changed = list.state.resume > 0 || list.state.seen != book.version().revision;
        let alarm = self.first_alarm(book, list.state.tried);
        Some(self.try_at(book, changed || alarm <= book.now(), alarm))
    }

    /// Returns when requests are tried, given whether that is due, and if not, when it will be.
    fn try_at<R: Ring>(&self, book: &Book<'_, R>, due: bool, alarm: Slot) -> Slot {
        match due {
            true if self.is_leaving(book.now()) => book.now().saturating_add(Span::new(1)),
            true => book.now(),
            false => alarm,
        }
    }

    /// Returns the first slot after `tried`, in which all were tried, in which time alone changes an answer. O(requests).
    fn first_alarm<R: Ring>(&self, book: &Book<'_, R>, tried: Slot) -> Slot {
        let alarms = self
            .waiting_requests()
            .map(|(_, waiting)| waiting.alarm(tried, book.horizon()));
        let first = alarms.filter(|alarm| *alarm > tried).min();
        first.unwrap_or(Slot::new(u64::MAX))
    }

    /// Tries the waiting requests in order, unless `due` comes before, until something becomes of one of them.
    pub(super) fn try_waiting<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        due: Option<usize>,
        reportable: bool,
    ) -> Option<Next> {
        let mut index = self.try_due(book)?;
        if self.is_leaving(book.now()) || due.is_some_and(|row| book.comes_before_waiting(row)) {
            return None;
        }
        if index == 0 {
            let alarm = self.first_alarm(book, book.now());
            if let Some(list) = &mut self.list {
                (list.state.tried, list.state.alarm) = (book.now(), alarm);
            }
        }
        while let Some(entry) = self.requests().get(index).copied() {
            let Some((ticket, waiting)) = entry.describe() else {
                break;
            };
            let class = R::numbered(entry.class());
            let tried = book.for_class(class, |book| try_one(book, &waiting, reportable));
            let event = |handle, kind| Event {
                at: book.now(),
                handle,
                kind,
                ticket: Some(ticket),
            };
            let next = match tried {
                Some(Tried::Promised(handle)) => Next::Event(event(handle, EventKind::Promised)),
                Some(Tried::GivenUp) => Next::Event(event(Handle::from_bits(0), EventKind::GaveUp)),
                Some(Tried::Waits) => {
                    index = index.saturating_add(1);
                    continue;
                }
                None => Next::Unreported,
            };
            if let Some(list) = &mut self.list {
                if !matches!(next, Next::Unreported) {
                    list.remove(index);
                }
                list.state.resume = (index as u32).saturating_add(1);
                list.state.seen = book.version().revision;
            }
            return Some(next);
        }
        if let Some(list) = &mut self.list {
            (list.state.resume, list.state.seen) = (0, book.version().revision);
        }
        None
    }

    /// Returns whether the list is consistent in itself and with the book: in order, and of requests that some room would serve.
    pub(super) fn has_sound_requests<R: Ring>(&self, book: &Book<'_, R>) -> bool {
        let Some(list) = &self.list else {
            return true;
        };
        let Some((waiting, rest)) = list.requests.split_at_checked(list.state.len as usize) else {
            return false;
        };
        let possible = |entry: &WaitingRequest| {
            let class = R::numbered(entry.class());
            let known = entry.describe().filter(|_| book.ring.is_known(class));
            known.is_some_and(|(_, waiting)| {
                let possible = admit(&book.ring, class, &waiting);
                // Its latest start may have passed since, which is not reported yet.
                possible.is_ok() || possible == Err(Refusal::WindowTooShort.into())
            })
        };
        list.state.resume <= list.state.len.saturating_add(1)
            && rest.iter().all(|entry| *entry == WaitingRequest::NONE)
            && waiting.is_sorted_by(|one, other| self.rank(one) > self.rank(other))
            && waiting.iter().all(possible)
    }
}

/// Checks whether a request could be met from now on with all that there is, at some time when the horizon has come to its deadline.
fn admit<R: Ring>(ring: &R, class: R::Class, waiting: &Waiting) -> Result<(), Error> {
    waiting.commitment.check()?;
    let request = waiting.request_at(ring.axis().now());
    match Job::admit(ring.axis(), &request) {
        Ok(_) => (),
        Err(error) if error == Refusal::BeyondHorizon.into() => (),
        Err(error) => return Err(error),
    }
    ring.admit(class, request.pes.get())
}

/// Reserves for a waiting request if there is room, for the class that asks. `None` if that, or that it is given up, could not be reported.
fn try_one<R: Ring>(book: &mut Book<'_, R>, waiting: &Waiting, reportable: bool) -> Option<Tried> {
    let now = book.now();
    if waiting.latest_start() < now {
        return reportable.then_some(Tried::GivenUp);
    }
    let Ok(plan) = book.plan_asked(&waiting.request_at(now), waiting.policy) else {
        return Some(Tried::Waits);
    };
    if !reportable {
        return None;
    }
    let promised = book.commit_asked(&plan, waiting.commitment);
    Some(promised.map_or(Tried::Waits, Tried::Promised))
}
