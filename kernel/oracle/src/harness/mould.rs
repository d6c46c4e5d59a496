//! Mouldable requests on both sides.

use bookahead::{
    Discount, Form, FormChoice, MalleableJob, Money, MouldableRequest, PeCount, PriceTerms, Span,
};

use super::elastic::tariff;
use super::{Harness, policy};
use crate::difference::{same, sound};
use crate::{Difference, Disturbance, FORMS, Moulding, Shapes, Subject, rigid_forms};

impl<S: Subject> Harness<S> {
    pub(super) fn mould(
        &mut self,
        moulding: &Moulding,
        ttl: Option<u8>,
        between: Disturbance,
    ) -> Result<(), Difference> {
        let window = self.window(moulding.lead, moulding.length);
        let forms = forms(&moulding.shapes)?;
        let request = MouldableRequest {
            ready: window.start,
            deadline: window.end,
            forms: &forms,
        };
        let policy = policy(moulding.policy);
        let choice = FormChoice::ALL[usize::from(moulding.choice) % FormChoice::ALL.len()];
        let terms = terms(moulding);
        let before = self.subject.clone();
        let planned = self
            .subject
            .plan_mouldable(&request, policy, choice, &terms);
        sound("planning changes nothing", self.subject == before)?;
        let expected = self.oracle.plan_mouldable(&request, policy, choice, &terms);
        same(
            "the form that is chosen",
            &planned
                .as_ref()
                .map(|(_, rigid, start, price)| (*rigid, *start, *price))
                .map_err(|error| *error),
            &expected,
        )?;
        match planned {
            Ok((plan, rigid, start, _)) => {
                let nth = request
                    .forms
                    .iter()
                    .position(|form| request.rigid(form) == rigid);
                let which = if nth == Some(0) { "first" } else { "another" };
                self.tally.note(choice.name(), which);
                self.commit_after(between, &plan, &rigid, start, ttl)
            }
            Err(reason) => {
                self.tally.decline(reason);
                Ok(())
            }
        }
    }
}

/// The forms that are meant; both sides translate what is malleable.
fn forms(shapes: &Shapes) -> Result<Vec<Form>, Difference> {
    match *shapes {
        Shapes::Table(table, length) => {
            let forms = table.map(|(pes, slots)| Form {
                pes: PeCount::new(pes),
                duration: Span::new(slots.into()),
            });
            Ok(forms[..usize::from(length) % (FORMS + 1)].to_vec())
        }
        Shapes::Malleable { work, least, most } => {
            let job = MalleableJob {
                work: work.into(),
                least: PeCount::new(least),
                most: PeCount::new(most),
            };
            let forms: Vec<Form> = job.forms().collect();
            same("forms of a malleable job", &forms, &rigid_forms(&job))?;
            Ok(forms.into_iter().take(FORMS).collect())
        }
    }
}

fn terms(moulding: &Moulding) -> PriceTerms {
    let tariff = tariff(moulding.tariff);
    let [per_duration, most] = moulding.discount.map(|part| u32::from(part) << 24);
    let budget = moulding.budget.map(|pe_slots| {
        let budget = tariff.slot_rate().get().saturating_mul(pe_slots.into());
        Money::new(budget)
    });
    PriceTerms {
        tariff,
        discount: Discount { per_duration, most },
        budget: budget.unwrap_or(Money::MAX),
    }
}
