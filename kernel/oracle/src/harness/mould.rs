//! Mouldable requests on both sides.

use bookahead::{Form, Money, PriceTerms};

use super::Harness;
use super::elastic::tariff;
use crate::difference::same;
use crate::meaning::policy;
use crate::{Difference, Disturbance, Moulding, rigid_forms};
use bookahead_commands::{Command, Mould, Reply};

impl Harness {
    pub(super) fn mould(
        &mut self,
        moulding: &Moulding,
        ttl: Option<u8>,
        between: Disturbance,
    ) -> Result<(), Difference> {
        let window = self.window(moulding.lead, moulding.length);
        if let Some(job) = moulding.job() {
            let forms: Vec<Form> = job.forms().collect();
            same("forms of a malleable job", &forms, &rigid_forms(&job))?;
        }
        let (forms, choice) = (moulding.forms(), moulding.choice());
        let plan = Mould {
            ready: window.start,
            deadline: window.end,
            forms: forms.clone(),
            policy: policy(moulding.policy),
            choice,
            terms: terms(moulding),
        };
        let plan = Command::PlanMouldable(plan);
        let Reply::Moulded(rigid, ..) = self.read("the form that is chosen", &plan)? else {
            return Ok(());
        };
        let is_chosen = |form: &Form| (form.pes, form.duration) == (rigid.pes, rigid.duration);
        let nth = forms.iter().position(is_chosen);
        let which = if nth == Some(0) { "first" } else { "another" };
        self.tally.note(choice.name(), which);
        self.commit_after(between, ttl)
    }
}

fn terms(moulding: &Moulding) -> PriceTerms {
    let tariff = tariff(moulding.tariff);
    let budget = moulding.budget.map(|pe_slots| {
        let budget = tariff.slot_rate().get().saturating_mul(pe_slots.into());
        Money::new(budget)
    });
    PriceTerms {
        tariff,
        discount: moulding.discount(),
        budget: budget.unwrap_or(Money::MAX),
    }
}
