//! A twin that tells one lie, for the harness to notice.

use bookahead::{
    Alteration, BestEffortJob, Commitment, Discipline, ElasticRequest, Error, FormChoice, Money,
    MouldableRequest, Offer, OfferTerms, Offered, Part, PeCount, Placement, Policy, PriceTerms,
    Rectangle, Refusal, Request, Reservation, Series, Shifting, Slot, Span, Take, Ticket,
    UsageError, Version, Window, raw::ProfileStep,
};
use bookahead_oracle::{
    Answer, Deal, Ending, Explained, Found, Happening, InTheWay, JuggleEnd, Juggled, Kind, Lent,
    Moulded, Number, Outcome, Progress, Rules, Several, Subject, Twin, TwinPlan, Wanted,
};

/// What is not as the twin says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Where an altered reservation is.
    Altered,
    /// Who is in the way of it.
    AlteredConflict,
    /// That a split is refused.
    Split,
    /// What the first step answers.
    Step,
    /// Who covers a slot after the first step.
    Covering,
    /// What is known of the first reservation after it.
    Known,
    /// What has moved.
    Moves,
    /// How much work is left.
    WorkLeft,
    /// How many entries of the log are in use.
    Logged,
    /// What a refused step, which is the second, left in the log.
    RefusedStep,
    /// The last step was not made.
    StepsMade,
    /// How a commit ends.
    Commit,
    /// How many moves a plan leaves out.
    PlanMore,
    /// That a plan, or a drop, leaves no trace.
    Trace,
    /// How long a series is.
    Series,
    /// Who is in the way of it.
    SeriesConflict,
    /// When all parts start.
    Together,
    /// Who is in the way of them.
    TogetherConflict,
    /// How many were cancelled.
    Cancelled,
    /// That cancelling nothing leaves no trace.
    CancelTrace,
    /// Whether a request fits.
    Explanation,
    /// How many obstacles there are.
    Obstacles,
    /// What is lacking.
    Lacking,
    /// Who holds it.
    Holders,
    /// That explaining leaves no trace.
    ExplainTrace,
    /// When a newcomer starts for which others were moved.
    Juggled,
    /// What has moved for it.
    JuggledMoves,
    /// That a plan of juggling leaves no trace.
    JuggleTrace,
    /// Which alternatives there are.
    Alternatives,
    /// That looking for them leaves no trace.
    AlternativesTrace,
    /// Whether a start is fixed.
    Frozen,
    /// Who covers a window.
    WhoCovers,
    /// The kind of the next event.
    Next,
    /// Whose event it is.
    Whose,
    /// The handle of a job that starts.
    Handle,
    /// That another book's queue is refused a job.
    ForeignSubmit,
    /// That it is refused an advance.
    ForeignAdvance,
    /// That it is refused an event.
    ForeignNext,
    /// That a plan is stale.
    Stale,
    /// What a form costs.
    Price,
    /// That planning a form leaves no trace.
    MouldTrace,
    /// Where a reservation is.
    Window,
    /// That what is refused leaves no trace.
    RefusalTrace,
}

/// A twin and its lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Liar {
    pub twin: Twin,
    pub lie: Lie,
    /// What should not have been written.
    trace: u32,
}

impl Liar {
    pub fn new(kind: Kind, lie: Lie) -> Self {
        Self {
            twin: Twin::new(kind, 4, 20, 6),
            lie,
            trace: 0,
        }
    }

    fn lies(&self, lie: Lie) -> bool {
        self.lie == lie
    }

    /// What is told of juggling and of shifting.
    fn twisted(&mut self, mut juggled: Juggled) -> Juggled {
        match self.lie {
            Lie::Juggled => {
                juggled.made = juggled.made.map(|(name, _)| (name, Slot::new(99)));
            }
            Lie::JuggledMoves => drop(juggled.moves.pop()),
            Lie::JuggleTrace => self.twin.set_incarnation(1),
            _ => {}
        }
        juggled
    }

    fn leave_trace(&mut self, lie: Lie) {
        self.trace += u32::from(self.lie == lie);
    }
}

fn one_more(mut conflict: InTheWay) -> InTheWay {
    conflict.more += 1;
    conflict
}

fn later(slot: Slot) -> Slot {
    slot.saturating_add(Span::new(1))
}

/// What is passed on as it is.
macro_rules! honest {
    ($($name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        $(
            fn $name(&mut self, $($argument: $type),*) -> $answer {
                self.twin.$name($($argument),*)
            }
        )*
    };
}

impl Subject for Liar {
    type Handle = Number;
    type Plan = TwinPlan;

    honest! {
        now() -> Slot;
        horizon() -> Span;
        pes() -> PeCount;
        len() -> usize;
        capacity() -> usize;
        version() -> Version;
        set_incarnation(incarnation: u32) -> ();
        set_queue_incarnation(incarnation: u32) -> ();
        plan(request: &Request, policy: Policy) -> Result<(TwinPlan, Slot), Error>;
        confirm(handle: Number) -> Result<(), Error>;
        cancel(handle: Number) -> Result<(), Error>;
        complete(handle: Number, at: Slot) -> Result<(), Error>;
        advance(to: Slot, room: usize) -> Result<Progress<Number>, Error>;
        offers(query: &ElasticRequest, terms: &OfferTerms, room: usize) -> Result<(Offered, Vec<Offer>), Error>;
        accept(offer: &Offer, take: Take, terms: Commitment) -> Result<(Number, Slot), Error>;
        discipline() -> Discipline;
        queue_capacity() -> usize;
        withdraw(ticket: Ticket) -> Result<(), Error>;
        waiting() -> Vec<(Ticket, BestEffortJob)>;
        shadow() -> Option<Slot>;
        next_queue_event() -> Option<Slot>;
        get(handle: Number) -> Result<Reservation, Error>;
        pes_of(handle: Number) -> Result<Vec<u16>, Error>;
        starting_at(slot: Slot) -> Vec<Number>;
        next_event() -> Option<Slot>;
        check_invariants() -> Result<(), String>;
        free_during(window: Window) -> Option<PeCount>;
        rectangle(start: Slot, duration: Span) -> Option<Rectangle>;
        records() -> Vec<ProfileStep>;
        candidate_starts(request: &Request) -> Result<Vec<Slot>, Error>;
    }

    fn kind(&self) -> Kind {
        self.twin.kind()
    }
    fn never() -> Number {
        Twin::never()
    }
    fn under(mut self, discipline: Discipline) -> Self {
        self.twin = self.twin.under(discipline);
        self
    }

    fn plan_mouldable(
        &mut self,
        request: &MouldableRequest<'_>,
        policy: Policy,
        choice: FormChoice,
        terms: &PriceTerms,
    ) -> Result<Moulded<TwinPlan>, Error> {
        self.leave_trace(Lie::MouldTrace);
        let mut moulded = self.twin.plan_mouldable(request, policy, choice, terms);
        if let Ok((_, _, _, price)) = &mut moulded
            && self.lies(Lie::Price)
        {
            *price = Money::new(price.get() + 1);
        }
        moulded
    }
    fn commit(&mut self, plan: &TwinPlan, terms: Commitment) -> Result<Number, Error> {
        if self.lies(Lie::Stale) {
            return Err(UsageError::StalePlan.into());
        }
        self.twin.commit(plan, terms)
    }
    fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        terms: Commitment,
    ) -> Result<(Number, Slot), Error> {
        let booked = self.twin.book(request, policy, terms);
        if booked.is_err() {
            self.leave_trace(Lie::RefusalTrace);
        }
        booked
    }
    fn by_start(&mut self) -> Vec<(Number, Reservation)> {
        let mut all = self.twin.by_start();
        if self.lies(Lie::Window) {
            for (_, known) in &mut all {
                known.window.start = later(known.window.start);
            }
        }
        all
    }
    fn next(&mut self, to: Slot) -> Result<Option<Happening>, Error> {
        let mut next = self.twin.next(to);
        if let Ok(Some(event)) = &mut next {
            if self.lies(Lie::Next) {
                event.at = later(event.at);
            }
            if self.lies(Lie::Whose) {
                event.whose += 1;
            }
        }
        next
    }

    fn alter(&mut self, handle: Number, alteration: Alteration, log: usize) -> Several<Placement> {
        let (mut altered, mut conflict) = self.twin.alter(handle, alteration, log);
        if let Ok(place) = &mut altered
            && self.lies(Lie::Altered)
        {
            place.start = later(place.start);
        }
        if self.lies(Lie::AlteredConflict) {
            conflict = one_more(conflict);
        }
        (altered, conflict)
    }
    fn split(&mut self, handle: Number, at: Slot, log: usize) -> Result<Number, Error> {
        if self.lies(Lie::Split) {
            return Err(Refusal::OutsideWindow.into());
        }
        self.twin.split(handle, at, log)
    }
    fn transact(&mut self, deal: &Deal<'_, Number>) -> Outcome {
        let mut outcome = self.twin.transact(deal);
        let refused = deal.calls.len() > 1;
        if let Some((answer, sight)) = outcome.answers.first_mut() {
            match self.lie {
                Lie::Step => *answer = Ok(Answer::Starts(Slot::new(7))),
                Lie::Covering => sight.covering.push(0),
                Lie::Known => sight.known.truncate(0),
                Lie::Moves => sight.moves.clear(),
                Lie::WorkLeft => sight.work_left -= 1,
                Lie::Logged => sight.logged += 1,
                _ => {}
            }
        }
        match self.lie {
            Lie::RefusedStep if refused => outcome.answers[1].1.logged += 1,
            Lie::StepsMade => drop(outcome.answers.pop()),
            Lie::Commit if deal.ending == Ending::Commit => {
                outcome.end = Err(UsageError::StillLifted.into());
            }
            Lie::PlanMore => outcome.end = outcome.end.map(|(moves, more)| (moves, more + 1)),
            _ => {}
        }
        if deal.ending != Ending::Commit {
            self.leave_trace(Lie::Trace);
        }
        outcome
    }
    fn reserve_series(
        &mut self,
        series: &Series<'_>,
        policy: Policy,
        terms: Commitment,
        log: usize,
        room: usize,
    ) -> Several<Vec<Number>> {
        let (mut reserved, mut conflict) =
            self.twin.reserve_series(series, policy, terms, log, room);
        if let Ok(numbers) = &mut reserved
            && self.lies(Lie::Series)
        {
            numbers.pop();
        }
        if self.lies(Lie::SeriesConflict) {
            conflict = one_more(conflict);
        }
        (reserved, conflict)
    }
    fn cancel_all(&mut self, handles: &[Number]) -> Result<u32, Error> {
        self.leave_trace(Lie::CancelTrace);
        let cancelled = self.twin.cancel_all(handles)?;
        Ok(cancelled + u32::from(self.lies(Lie::Cancelled)))
    }
    fn reserve_together(
        &mut self,
        window: Window,
        parts: &[Part],
        terms: Commitment,
        log: usize,
        room: usize,
    ) -> Several<(Slot, Vec<Number>)> {
        let (mut reserved, mut conflict) =
            self.twin.reserve_together(window, parts, terms, log, room);
        if let Ok((start, _)) = &mut reserved
            && self.lies(Lie::Together)
        {
            *start = later(*start);
        }
        if self.lies(Lie::TogetherConflict) {
            conflict = one_more(conflict);
        }
        (reserved, conflict)
    }
    fn explain(&mut self, request: &Request, room: usize) -> Result<Explained, Error> {
        self.leave_trace(Lie::ExplainTrace);
        let (mut explanation, mut obstacles) = self.twin.explain(request, room)?;
        match (self.lie, obstacles.first_mut()) {
            (Lie::Explanation, _) => explanation.fits = Some(Slot::new(0)),
            (Lie::Obstacles, _) => drop(obstacles.pop()),
            (Lie::Lacking, Some(obstacle)) => obstacle.lacking = PeCount::new(9),
            (Lie::Holders, Some(obstacle)) => {
                obstacle.holders = one_more(obstacle.holders.clone());
            }
            _ => {}
        }
        Ok((explanation, obstacles))
    }
    fn juggle(
        &mut self,
        newcomer: Option<(&Request, Commitment)>,
        rules: &Rules,
        lent: Lent,
        end: JuggleEnd,
    ) -> Result<Juggled, Error> {
        let juggled = self.twin.juggle(newcomer, rules, lent, end)?;
        Ok(self.twisted(juggled))
    }
    fn alternatives(
        &mut self,
        request: &Request,
        terms: Commitment,
        rules: &Rules,
        lent: Lent,
        wanted: &Wanted,
    ) -> Result<Found, Error> {
        let mut found = self
            .twin
            .alternatives(request, terms, rules, lent, wanted)?;
        match self.lie {
            Lie::Alternatives => drop(found.alternatives.pop()),
            Lie::AlternativesTrace => self.twin.set_incarnation(1),
            _ => {}
        }
        Ok(found)
    }
    fn shift_in(
        &mut self,
        newcomer: (&Request, Commitment),
        rules: &Shifting,
        log: usize,
        end: JuggleEnd,
    ) -> Result<Juggled, Error> {
        let shifted = self.twin.shift_in(newcomer, rules, log, end)?;
        Ok(self.twisted(shifted))
    }
    fn freeze(&mut self, handle: Number) -> Result<(), Error> {
        self.twin.freeze(handle)
    }
    fn is_frozen(&mut self, handle: Number) -> Result<bool, Error> {
        let frozen = self.twin.is_frozen(handle)?;
        Ok(frozen != (self.lie == Lie::Frozen))
    }
    fn covering(&mut self, window: Window) -> Vec<Number> {
        let mut covering = self.twin.covering(window);
        if self.lies(Lie::WhoCovers) {
            covering.pop();
        }
        covering
    }

    fn submit(&mut self, job: &BestEffortJob) -> Result<Ticket, Error> {
        let submitted = self.twin.submit(job);
        if submitted.is_err() && self.lies(Lie::ForeignSubmit) {
            return Err(Refusal::QueueFull.into());
        }
        submitted
    }
    fn advance_queue(&mut self, to: Slot, room: usize) -> Result<Progress<Number>, Error> {
        let mut progress = self.twin.advance_queue(to, room);
        if progress.is_err() && self.lies(Lie::ForeignAdvance) {
            return Err(UsageError::TimeWentBack.into());
        }
        if let Ok((_, events)) = &mut progress
            && self.lies(Lie::Handle)
        {
            events.iter_mut().for_each(|event| event.whose = 0);
        }
        progress
    }
    fn next_of_queue(&mut self, to: Slot) -> Result<Option<Happening>, Error> {
        let next = self.twin.next_of_queue(to);
        if next.is_err() && self.lies(Lie::ForeignNext) {
            return Err(UsageError::TimeWentBack.into());
        }
        next
    }
}
