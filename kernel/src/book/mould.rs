//! Mouldable requests: a plan for each form, and the choice among them.

use super::{Ask, Book, Plan, asking};
use crate::{
    error::{Error, UsageError},
    fit::Job,
    mould::{FormChoice, MouldableRequest},
    policy::Policy,
    price::{Money, PriceTerms},
    request::Request,
    ring::Ring,
};

/// The plan for one form of a mouldable request, computed by [`Book::plan_mouldable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MouldedPlan {
    /// The plan; its request is that of the chosen form.
    pub plan: Plan,
    /// What it costs.
    pub price: Money,
}

/// How far a form got before it was refused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// It cannot run in this window on this machine.
    Admission,
    /// It costs too much.
    Price,
    /// It does not fit beside what is booked.
    Search,
}

impl<R: Ring> Book<'_, R> {
    /// Plans a mouldable request, without changing the book: [`plan`](Self::plan)s each form by `policy`, and chooses one of those that
    /// can be booked and cost no more than the budget of `terms`. To reserve it, [`commit`](Self::commit) the plan.
    ///
    /// ```
    /// use bookahead::{Commitment, Form, FormChoice, MouldableRequest, PeCount, Policy, PriceTerms, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// // From 3 to 8 only one of four processing elements is left.
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let form = |pes, slots| Form { pes: PeCount::new(pes), duration: Span::new(slots) };
    /// let forms = [form(1, 10), form(2, 6), form(4, 3)];
    /// let request = MouldableRequest { ready: Slot::new(2), deadline: Slot::new(20), forms: &forms };
    /// let (policy, terms) = (Policy::FirstFit, PriceTerms::FREE);
    ///
    /// // One alone can begin at once and has 10 PE-slots of work; four have to wait and are done sooner.
    /// let narrow = book.plan_mouldable(&request, policy, FormChoice::FewestPeSlots, &terms)?;
    /// let wide = book.plan_mouldable(&request, policy, FormChoice::EarliestEnd, &terms)?;
    /// assert_eq!((narrow.plan.window().start, narrow.plan.window().end), (Slot::new(2), Slot::new(12)));
    /// assert_eq!((wide.plan.window().start, wide.plan.window().end), (Slot::new(8), Slot::new(11)));
    ///
    /// let handle = book.commit(&wide.plan, Commitment::Confirmed)?;
    /// assert_eq!(book.get(handle)?.request.pes, PeCount::new(4));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// O(forms x plan).
    ///
    /// # Errors
    ///
    /// Checked first: [`UsageError::NoForms`] for an empty table; [`UsageError::ZeroDuration`] and [`UsageError::ZeroPes`], form by form.
    /// When no form can be booked, the error of the form that got furthest, the first of several. A form is checked in this
    /// order: those errors of [`plan`](Self::plan) that do not depend on what is booked; the errors of [`PriceTerms::price`], among them
    /// [`Refusal::OverBudget`](crate::Refusal::OverBudget); [`Refusal::TableFull`](crate::Refusal::TableFull) and
    /// [`Refusal::NoRoom`](crate::Refusal::NoRoom).
    ///
    /// Source: `netto`, section 2.2, for the table and the budget; the choices are ours.
    pub fn plan_mouldable<'q, 'f: 'q>(
        &mut self,
        request: impl Ask<'q, R, MouldableRequest<'f>>,
        policy: Policy,
        choice: FormChoice,
        terms: &PriceTerms,
    ) -> Result<MouldedPlan, Error> {
        asking!(self.ring, request, |request| self
            .plan_mouldable_asked(request, policy, choice, terms))
    }

    /// As [`plan_mouldable`](Self::plan_mouldable), for the class that asks.
    fn plan_mouldable_asked(
        &mut self,
        request: &MouldableRequest<'_>,
        policy: Policy,
        choice: FormChoice,
        terms: &PriceTerms,
    ) -> Result<MouldedPlan, Error> {
        request.check()?;
        let mut best: Option<MouldedPlan> = None;
        let mut furthest: Option<(Stage, Error)> = None;
        for form in request.forms {
            match self.plan_form(&request.rigid(form), policy, terms) {
                Ok(found) => {
                    let better = |best: &MouldedPlan| choice.key(&found) < choice.key(best);
                    if best.as_ref().is_none_or(better) {
                        best = Some(found);
                    }
                }
                Err(refused) => {
                    if furthest.is_none_or(|(stage, _)| refused.0 > stage) {
                        furthest = Some(refused);
                    }
                }
            }
        }
        best.ok_or_else(|| furthest.map_or(UsageError::NoForms.into(), |(_, error)| error))
    }

    fn plan_form(
        &mut self,
        request: &Request,
        policy: Policy,
        terms: &PriceTerms,
    ) -> Result<MouldedPlan, (Stage, Error)> {
        let axis = self.ring.axis();
        Job::admit(axis, request)
            .and_then(|job| self.ring.admit(self.ring.asked(), job.pes))
            .map_err(|error| (Stage::Admission, error))?;
        let price = terms
            .price(request)
            .map_err(|error| (Stage::Price, error))?;
        let plan = self
            .plan_asked(request, policy)
            .map_err(|error| (Stage::Search, error))?;
        Ok(MouldedPlan { plan, price })
    }
}

impl FormChoice {
    /// Returns what is compared, least first: what is chosen by, then the earliest end, then the fewest PE-slots.
    fn key(self, found: &MouldedPlan) -> [u64; 3] {
        let request = found.plan.request();
        let slots = u64::from(request.duration.get());
        let pe_slots = slots.saturating_mul(request.pes.get().into());
        let end = found.plan.window().end.get();
        let first = match self {
            Self::EarliestEnd => end,
            Self::FewestPeSlots => pe_slots,
            Self::Cheapest => found.price.get(),
        };
        [first, end, pe_slots]
    }
}
