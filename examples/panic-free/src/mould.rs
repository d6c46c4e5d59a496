//! Mouldable requests, and what they may cost.

use core::hint::black_box;

use bookahead::{
    Book, Discount, Form, FormChoice, MalleableJob, MouldableRequest, Policy, PriceTerms, Request,
    Share, Tariff, raw::Ring,
};

use crate::{
    keep,
    offers::{a_count, a_price},
    values::{a_request, a_slot, a_span},
};

/// The functions of the value types.
#[inline(never)]
pub fn values() {
    keep(FormChoice::code(black_box(FormChoice::Cheapest)));
    keep(FormChoice::name(black_box(FormChoice::Cheapest)));
    keep(FormChoice::from_code(black_box(1)));
    keep(FormChoice::from_name(black_box("cheapest")));
    let job = black_box(MalleableJob {
        work: black_box(100),
        least: a_count(),
        most: a_count(),
    });
    MalleableJob::forms(&job).for_each(keep);
    let terms = some_terms();
    keep(Request::slack(&a_request()));
    let price = Tariff::discounted(&terms.tariff, &a_request(), &terms.discount);
    keep(price);
    keep(PriceTerms::price(&terms, &a_request()));
}

/// What a book does with them. Policy and choice are not known one by one, so the call contains all of them.
pub fn every_operation<R: Ring>(book: &mut Book<'_, R>) {
    let forms = black_box([some_form(), some_form()]);
    let request = black_box(MouldableRequest {
        ready: a_slot(),
        deadline: a_slot(),
        forms: black_box(&forms),
    });
    keep(MouldableRequest::rigid(&request, &some_form()));
    let (policy, choice) = (
        black_box(Policy::FirstFit),
        black_box(FormChoice::EarliestEnd),
    );
    let planned = Book::plan_mouldable(black_box(book), &request, policy, choice, &some_terms());
    keep(planned);
}

/// Some form, which need not make sense.
fn some_form() -> Form {
    black_box(Form {
        pes: a_count(),
        duration: a_span(),
    })
}

/// Some tariff, discount and budget.
fn some_terms() -> PriceTerms {
    let share = black_box(Share::from_bits(black_box(1 << 31)));
    black_box(PriceTerms {
        tariff: Tariff::of_rates(a_price(), a_price()),
        discount: Discount::new(share, share),
        budget: a_price(),
    })
}
