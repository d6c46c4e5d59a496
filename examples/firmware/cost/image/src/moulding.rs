//! The calls of a mouldable request.

use bookahead::{
    Book, Commitment, Error, Form, FormChoice, Handle, MalleableJob, MouldableRequest, MouldedPlan,
    Policy, PriceTerms, raw::Ring,
};
use heapless::VecView;

/// What the calls take and where their answers go.
pub struct Foundry {
    job: MalleableJob,
    forms: &'static mut VecView<Form>,
    request: MouldableRequest<'static>,
    choice: FormChoice,
    terms: PriceTerms,
    moulded: Result<MouldedPlan, Error>,
    commitment: Commitment,
    handle: Result<Handle, Error>,
}

/// The forms of a malleable job, planning one of several by any choice within a budget, and committing the plan.
#[inline(always)]
pub fn moulding<R: Ring>(book: &mut Book<'_, R>, foundry: &mut Foundry, policy: Policy) {
    translate(foundry);
    plan(book, foundry, policy);
    commit(book, foundry);
}

#[inline(never)]
fn translate(foundry: &mut Foundry) {
    foundry.forms.clear();
    for form in foundry.job.forms() {
        if foundry.forms.push(form).is_err() {
            break;
        }
    }
}

#[inline(never)]
fn plan<R: Ring>(book: &mut Book<'_, R>, foundry: &mut Foundry, policy: Policy) {
    foundry.moulded = book.plan_mouldable(&foundry.request, policy, foundry.choice, &foundry.terms);
}

#[inline(never)]
fn commit<R: Ring>(book: &mut Book<'_, R>, foundry: &mut Foundry) {
    if let Ok(moulded) = &foundry.moulded {
        foundry.handle = book.commit(&moulded.plan, foundry.commitment);
    }
}
