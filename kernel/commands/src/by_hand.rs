//! The commands as functions, for examples worked by hand. Each panics where the answer is none to the command.

use alloc::{boxed::Box, vec::Vec};

use bookahead::{
    Alteration, BestEffortJob, Commitment, Discipline, ElasticRequest, Error, FormChoice, Money,
    MouldableRequest, Offer, OfferTerms, Offered, Part, PeCount, Placement, Policy, PriceTerms,
    Rectangle, Request, Reservation, Series, Slot, Span, Take, Ticket, Window,
};

use crate::{
    Command, Explained, Group, Happening, InTheWay, Mould, Number, Outcome, Progress, Recurrence,
    Reply, Several, Size, State, Subject, Transact,
};

/// What is told in reply to the command.
macro_rules! told {
    ($subject:ident, $command:expr, $reply:pat => $value:expr) => {
        match $subject.perform(&$command) {
            $reply => $value,
            other => panic!("{other:?}"),
        }
    };
}

/// The same, or why it is refused.
macro_rules! done {
    ($subject:ident, $command:expr, $reply:pat => $value:expr) => {
        match $subject.perform(&$command) {
            $reply => Ok($value),
            Reply::Refused(reason, _) => Err(reason),
            other => panic!("{other:?}"),
        }
    };
}

/// The same, and who is in the way.
macro_rules! several {
    ($subject:ident, $command:expr, $reply:pat => $value:expr) => {
        match $subject.perform(&$command) {
            $reply => (Ok($value), InTheWay::nobody()),
            Reply::Refused(reason, conflict) => (Err(reason), conflict),
            other => panic!("{other:?}"),
        }
    };
}

impl dyn Subject {
    /// [`Command::Size`].
    pub fn size(&mut self) -> Size {
        told!(self, Command::Size, Reply::Size(size) => size)
    }

    /// [`Command::Look`].
    pub fn state(&mut self) -> State {
        told!(self, Command::Look, Reply::State(state) => *state)
    }

    /// [`Command::Get`].
    pub fn get(&mut self, number: Number) -> Result<Reservation, Error> {
        done!(self, Command::Get(number), Reply::Reservation(known) => known)
    }

    /// [`Command::PesOf`].
    pub fn pes_of(&mut self, number: Number) -> Result<Vec<u16>, Error> {
        done!(self, Command::PesOf(number), Reply::Pes(pes) => pes)
    }

    /// [`Command::Covering`].
    pub fn covering(&mut self, window: Window) -> Vec<Number> {
        told!(self, Command::Covering(window), Reply::Named(numbers) => numbers)
    }

    /// [`Command::FreeDuring`].
    pub fn free_during(&mut self, window: Window) -> Option<PeCount> {
        told!(self, Command::FreeDuring(window), Reply::Free(free) => free)
    }

    /// [`Command::Rectangle`].
    pub fn rectangle(&mut self, start: Slot, duration: Span) -> Option<Rectangle> {
        told!(self, Command::Rectangle(start, duration), Reply::Rectangle(found) => found)
    }

    /// [`Command::CandidateStarts`].
    pub fn candidate_starts(&mut self, request: &Request) -> Result<Vec<Slot>, Error> {
        done!(self, Command::CandidateStarts(*request), Reply::Starts(starts) => starts)
    }

    /// [`Command::Find`].
    pub fn find(&mut self, request: &Request, policy: Policy) -> Result<Slot, Error> {
        done!(self, Command::Find(*request, policy), Reply::At(start) => start)
    }

    /// [`Command::PlanMouldable`].
    pub fn plan_mouldable(
        &mut self,
        request: &MouldableRequest<'_>,
        policy: Policy,
        choice: FormChoice,
        terms: &PriceTerms,
    ) -> Result<(Request, Slot, Money), Error> {
        let plan = Mould {
            ready: request.ready,
            deadline: request.deadline,
            forms: request.forms.to_vec(),
            policy,
            choice,
            terms: *terms,
        };
        done!(self, Command::PlanMouldable(plan), Reply::Moulded(rigid, start, price) => (rigid, start, price))
    }

    /// [`Command::Commit`].
    pub fn commit(&mut self, terms: Commitment) -> Result<Number, Error> {
        done!(self, Command::Commit(terms), Reply::Made(number) => number)
    }

    /// [`Command::Book`].
    pub fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        terms: Commitment,
    ) -> Result<(Number, Slot), Error> {
        let book = Command::Book(*request, policy, terms);
        done!(self, book, Reply::Booked(number, start) => (number, start))
    }

    /// [`Command::Confirm`].
    pub fn confirm(&mut self, number: Number) -> Result<(), Error> {
        done!(self, Command::Confirm(number), Reply::Done => ())
    }

    /// [`Command::Cancel`].
    pub fn cancel(&mut self, number: Number) -> Result<(), Error> {
        done!(self, Command::Cancel(number), Reply::Done => ())
    }

    /// [`Command::Complete`].
    pub fn complete(&mut self, number: Number, at: Slot) -> Result<(), Error> {
        done!(self, Command::Complete(number, at), Reply::Done => ())
    }

    /// [`Command::Advance`].
    pub fn advance(&mut self, to: Slot, room: usize) -> Result<Progress, Error> {
        done!(self, Command::Advance(to, room), Reply::Passed(far, events) => (far, events))
    }

    /// [`Command::Next`].
    pub fn next(&mut self, to: Slot) -> Result<Option<Happening>, Error> {
        done!(self, Command::Next(to), Reply::Next(event) => event)
    }

    /// [`Command::Alter`].
    pub fn alter(&mut self, number: Number, to: Alteration, log: usize) -> Several<Placement> {
        several!(self, Command::Alter(number, to, log), Reply::Placed(place) => place)
    }

    /// [`Command::Split`].
    pub fn split(&mut self, number: Number, at: Slot, log: usize) -> Result<Number, Error> {
        done!(self, Command::Split(number, at, log), Reply::Made(rest) => rest)
    }

    /// [`Command::Transact`].
    pub fn transact(&mut self, transact: Transact) -> Outcome {
        told!(self, Command::Transact(transact), Reply::Transacted(outcome) => outcome)
    }

    /// [`Command::Series`].
    pub fn reserve_series(
        &mut self,
        series: &Series<'_>,
        policy: Policy,
        terms: Commitment,
        log: usize,
        room: usize,
    ) -> Several<Vec<Number>> {
        let series = Recurrence {
            first: series.first,
            period: series.period,
            count: series.count,
            exceptions: series.exceptions.to_vec(),
            policy,
            terms,
            limits: (log, room),
        };
        several!(self, Command::Series(series), Reply::Several(None, numbers) => numbers)
    }

    /// [`Command::Together`].
    pub fn reserve_together(
        &mut self,
        window: Window,
        parts: &[Part],
        terms: Commitment,
        log: usize,
        room: usize,
    ) -> Several<(Slot, Vec<Number>)> {
        let together = Group {
            window,
            parts: parts.to_vec(),
            terms,
            limits: (log, room),
        };
        several!(self, Command::Together(together), Reply::Several(Some(start), numbers) => (start, numbers))
    }

    /// [`Command::CancelAll`].
    pub fn cancel_all(&mut self, numbers: &[Number]) -> Result<u32, Error> {
        done!(self, Command::CancelAll(numbers.to_vec()), Reply::Cancelled(all) => all)
    }

    /// [`Command::Explain`].
    pub fn explain(&mut self, request: &Request, room: usize) -> Result<Explained, Error> {
        let explain = Command::Explain(*request, room);
        done!(self, explain, Reply::Explained(explanation, obstacles) => (explanation, obstacles))
    }

    /// [`Command::Offers`].
    pub fn offers(
        &mut self,
        query: &ElasticRequest,
        terms: &OfferTerms,
        room: usize,
    ) -> Result<(Offered, Vec<Offer>), Error> {
        let ask = Command::Offers(*query, *terms, room);
        done!(self, ask, Reply::Offered(offered, offers) => (offered, offers))
    }

    /// [`Command::Accept`].
    pub fn accept(
        &mut self,
        offer: &Offer,
        take: Take,
        terms: Commitment,
    ) -> Result<(Number, Slot), Error> {
        let accept = Command::Accept(*offer, take, terms);
        done!(self, accept, Reply::Booked(number, start) => (number, start))
    }

    /// [`Command::Submit`].
    pub fn submit(&mut self, job: &BestEffortJob) -> Result<Ticket, Error> {
        done!(self, Command::Submit(*job), Reply::Waits(ticket) => ticket)
    }

    /// [`Command::Withdraw`].
    pub fn withdraw(&mut self, ticket: Ticket) -> Result<(), Error> {
        done!(self, Command::Withdraw(ticket), Reply::Done => ())
    }

    /// [`Command::AdvanceQueue`].
    pub fn advance_queue(&mut self, to: Slot, room: usize) -> Result<Progress, Error> {
        done!(self, Command::AdvanceQueue(to, room), Reply::Passed(far, events) => (far, events))
    }

    /// [`Command::NextOfQueue`].
    pub fn next_of_queue(&mut self, to: Slot) -> Result<Option<Happening>, Error> {
        done!(self, Command::NextOfQueue(to), Reply::Next(event) => event)
    }

    /// The same with an empty queue of this discipline.
    #[must_use]
    pub fn under(mut self: Box<Self>, discipline: Discipline) -> Box<Self> {
        self.perform(&Command::Queue(discipline));
        self
    }
}
