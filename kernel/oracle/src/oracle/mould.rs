//! Mouldable requests: every form tried, the best one taken.

use bookahead::{
    Error, Form, FormChoice, MalleableJob, Money, MouldableRequest, PeCount, Policy, PriceTerms,
    Refusal, Request, Slot, Span, UsageError,
};

use super::Oracle;

impl Oracle {
    /// The form that is chosen, where it would start, and what it costs.
    ///
    /// # Errors
    ///
    /// Misuse, or why the form that got furthest was refused.
    pub fn plan_mouldable(
        &self,
        request: &MouldableRequest<'_>,
        policy: Policy,
        choice: FormChoice,
        terms: &PriceTerms,
    ) -> Result<(Request, Slot, Money), Error> {
        let senseless = |form: &Form| match (form.duration.get(), form.pes.get()) {
            (0, _) => Some(UsageError::ZeroDuration),
            (_, 0) => Some(UsageError::ZeroPes),
            _ => None,
        };
        if let Some(misuse) = request.forms.iter().find_map(senseless) {
            return Err(misuse.into());
        }
        let mut possible = Vec::new();
        let mut refused = vec![(0, UsageError::NoForms.into())];
        for form in request.forms {
            let rigid = Request {
                ready: request.ready,
                deadline: request.deadline,
                duration: form.duration,
                pes: form.pes,
            };
            match self.plan_form(&rigid, policy, terms) {
                Ok((start, price)) => possible.push((rigid, start, price)),
                Err(refusal) => refused.push(refusal),
            }
        }
        // The first of the least; sorting keeps equals in order.
        possible.sort_by_key(|(rigid, start, price)| {
            let size = u64::from(rigid.duration.get()) * u64::from(rigid.pes.get());
            let end = start.get() + u64::from(rigid.duration.get());
            match choice {
                FormChoice::EarliestEnd => (end, size, 0),
                FormChoice::FewestPeSlots => (size, end, 0),
                FormChoice::Cheapest => (price.get(), end, size),
            }
        });
        refused.sort_by_key(|(stage, _)| -stage);
        possible.first().copied().ok_or(refused[0].1)
    }

    /// Start and price of a form; why not, and how far it got.
    fn plan_form(
        &self,
        request: &Request,
        policy: Policy,
        terms: &PriceTerms,
    ) -> Result<(Slot, Money), (i8, Error)> {
        self.check_request(request).map_err(|error| (1, error))?;
        let price = price(request, terms).ok_or((2, Refusal::PriceOverflow.into()))?;
        if price > terms.budget {
            return Err((2, Refusal::OverBudget.into()));
        }
        let found = self.plan(request, policy).map_err(|error| (3, error))?;
        Ok((found.start, price))
    }
}

/// The price less the discount, both exact, in 2^-32 micro-units, and then rounded up; `None` when the price alone is too much.
fn price(request: &Request, terms: &PriceTerms) -> Option<Money> {
    let duration = u128::from(request.duration.get());
    let slack = u128::from(request.deadline.get() - request.ready.get()) - duration;
    let slot = u128::from(terms.tariff.slot_rate().get()) * u128::from(request.pes.get());
    u64::try_from(slot * duration).ok()?;
    let one = 1_u128 << 32;
    // As parts of the duration, so that nothing has to be divided.
    let earned = u128::from(terms.discount.per_duration) * slack;
    let limit = u128::from(terms.discount.most) * duration;
    let paid = slot * (one * duration - earned.min(limit));
    Some(Money::new(paid.div_ceil(one) as u64))
}

/// What a malleable requirement translates into, by definition: for each number of PEs how long the work takes on them, unless fewer
/// PEs take no longer.
#[must_use]
pub fn rigid_forms(job: &MalleableJob) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    for pes in job.least.get().max(1)..=job.most.get() {
        let Ok(slots) = u32::try_from(job.work.div_ceil(pes.into())) else {
            continue;
        };
        let shorter = forms.iter().all(|form| slots < form.duration.get());
        if slots > 0 && shorter {
            forms.push(Form {
                pes: PeCount::new(pes),
                duration: Span::new(slots),
            });
        }
    }
    forms
}
