//! Mouldable requests worked by hand, and malleable ones translated by definition.

use crate::common::kernels;
use crate::common::worked::{everywhere, on_sets, request, reserve};
use bookahead::{
    Commitment, Discount, Error, Form, FormChoice, MalleableJob, Money, MouldableRequest, PeCount,
    Policy, PriceTerms, Refusal, Slot, Span, Tariff, UsageError,
};
use bookahead_commands::{Kind, Subject};
use bookahead_oracle::rigid_forms;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const fn form(pes: u32, slots: u32) -> Form {
    Form {
        pes: PeCount::new(pes),
        duration: Span::new(slots),
    }
}

const fn between(ready: u64, deadline: u64, forms: &[Form]) -> MouldableRequest<'_> {
    MouldableRequest {
        ready: Slot::new(ready),
        deadline: Slot::new(deadline),
        forms,
    }
}

/// A micro-unit for a PE-slot.
const UNIT: PriceTerms = PriceTerms {
    tariff: Tariff::of_rates(Money::ZERO, Money::new(1)),
    discount: Discount::NONE,
    budget: Money::MAX,
};

/// PEs, start, end and price of the form that is chosen.
type Chosen = Result<(u32, u64, u64, u64), Error>;

fn chosen(
    subject: &mut Box<dyn Subject>,
    request: &MouldableRequest<'_>,
    choice: FormChoice,
    terms: &PriceTerms,
) -> Chosen {
    let before = subject.clone();
    let moulded = subject.plan_mouldable(request, Policy::FirstFit, choice, terms);
    assert!(**subject == *before);
    let (rigid, start, price) = moulded?;
    let end = start.get() + u64::from(rigid.duration.get());
    Ok((rigid.pes.get(), start.get(), end, price.get()))
}

#[test]
fn choices_and_ties() {
    fn example(mut subject: Box<dyn Subject>) {
        // One of four PEs is left from 4 to 10.
        reserve(&mut subject, request(4, 6, 10, 3), Commitment::Confirmed);
        let forms = [form(1, 10), form(2, 6), form(4, 2), form(3, 2)];
        let request = between(4, 24, &forms);
        let choose = |subject: &mut Box<dyn Subject>, choice| {
            chosen(subject, &request, choice, &UNIT).unwrap()
        };
        // Three PEs are done when four are, with fewer PE-slots.
        let earliest = choose(&mut subject, FormChoice::EarliestEnd);
        assert_eq!(earliest, (3, 10, 12, 6));
        let fewest = choose(&mut subject, FormChoice::FewestPeSlots);
        assert_eq!(fewest, (3, 10, 12, 6));
        assert_eq!(choose(&mut subject, FormChoice::Cheapest), fewest);
        // Of equal sizes the earlier end, of equal ends too the first in the table.
        let forms = [form(2, 4), form(4, 2), form(1, 8)];
        let equal = between(4, 24, &forms);
        let fewest = chosen(&mut subject, &equal, FormChoice::FewestPeSlots, &UNIT);
        assert_eq!(fewest, Ok((4, 10, 12, 8)));
        let turned = [form(1, 8), form(4, 2), form(2, 4)];
        let equal = between(4, 24, &turned);
        let first = chosen(&mut subject, &equal, FormChoice::EarliestEnd, &UNIT);
        assert_eq!(first, Ok((1, 4, 12, 8)));
    }
    everywhere!(example);
}

#[test]
fn a_flexible_form_may_be_cheaper_though_larger() {
    fn example(mut subject: Box<dyn Subject>) {
        // A quarter off for a slack as long as the duration, half at most.
        let discount = Discount {
            per_duration: 1 << 30,
            most: 1 << 31,
        };
        let forms = [form(1, 16), form(2, 9), form(4, 5)];
        let request = between(0, 18, &forms);
        let plain = chosen(&mut subject, &request, FormChoice::Cheapest, &UNIT);
        assert_eq!(plain, Ok((1, 0, 16, 16)));
        let terms = PriceTerms { discount, ..UNIT };
        // 16 - 16/4 x 2/16 = 15.5; 18 - 18/4 = 13.5; 20 - 20/2 = 10.
        for (budget, price) in [(9, None), (10, Some(10)), (u64::MAX, Some(10))] {
            let terms = PriceTerms {
                budget: Money::new(budget),
                ..terms
            };
            let cheapest = chosen(&mut subject, &request, FormChoice::Cheapest, &terms);
            let expected = price.ok_or(Error::from(Refusal::OverBudget));
            assert_eq!(cheapest.map(|(_, _, _, price)| price), expected);
        }
        // Within 15, the smallest form is the second; its price goes up to 14.
        let terms = PriceTerms {
            budget: Money::new(15),
            ..terms
        };
        let fewest = chosen(&mut subject, &request, FormChoice::FewestPeSlots, &terms);
        assert_eq!(fewest, Ok((2, 0, 9, 14)));
    }
    everywhere!(example);
}

#[test]
fn the_form_that_got_furthest_says_why() {
    fn example(mut subject: Box<dyn Subject>) {
        reserve(&mut subject, request(0, 20, 20, 3), Commitment::Confirmed);
        let terms = PriceTerms {
            budget: Money::new(9),
            ..UNIT
        };
        let (wide, long) = (form(5, 1), form(1, 21));
        let (dear, blocked) = (form(2, 5), form(2, 4));
        let cases: [(&[Form], Error); 8] = [
            (&[], UsageError::NoForms.into()),
            (&[blocked, form(1, 0)], UsageError::ZeroDuration.into()),
            (&[form(0, 1), form(1, 0)], UsageError::ZeroPes.into()),
            (&[wide, long], Refusal::TooWide.into()),
            (&[long, wide], Refusal::WindowTooShort.into()),
            (&[wide, dear, long], Refusal::OverBudget.into()),
            (&[wide, dear, blocked, long], Refusal::NoRoom.into()),
            (&[blocked, dear], Refusal::NoRoom.into()),
        ];
        for (forms, reason) in cases {
            let request = between(0, 20, forms);
            let refused = chosen(&mut subject, &request, FormChoice::Cheapest, &terms);
            assert_eq!(refused, Err(reason), "{forms:?}");
        }
        let dearest = PriceTerms {
            tariff: Tariff::of_rates(Money::ZERO, Money::MAX),
            ..UNIT
        };
        let forms = [dear];
        let overflow = between(0, 20, &forms);
        let refused = chosen(&mut subject, &overflow, FormChoice::Cheapest, &dearest);
        assert_eq!(refused, Err(Refusal::PriceOverflow.into()));
        let _ = subject.advance(Slot::new(1), 8).unwrap();
        let past = between(0, 20, &forms);
        let refused = chosen(&mut subject, &past, FormChoice::Cheapest, &UNIT);
        assert_eq!(refused, Err(Refusal::ReadyInPast.into()));
    }
    everywhere!(example);
}

/// The chosen form is booked as any plan is, and is a rigid reservation from then on.
#[test]
fn a_plan_of_a_form_is_committed() {
    fn example(mut subject: Box<dyn Subject>) {
        let forms = [form(1, 9), form(3, 4)];
        let request = between(2, 14, &forms);
        let mut plan = || {
            let (policy, choice) = (Policy::FirstFit, FormChoice::EarliestEnd);
            let moulded = subject.plan_mouldable(&request, policy, choice, &UNIT);
            assert!(moulded.is_ok());
            subject.commit(Commitment::Confirmed).unwrap()
        };
        let first = plan();
        let second = plan();
        let booked = subject.get(first).unwrap();
        assert_eq!(booked.request, request.rigid(&forms[1]));
        assert_eq!(
            (booked.window.start, booked.window.end),
            (Slot::new(2), Slot::new(6))
        );
        let booked = subject.get(second).unwrap();
        assert_eq!(
            (booked.window.start, booked.window.end),
            (Slot::new(6), Slot::new(10))
        );
        let before = subject.clone();
        let refused = subject.commit(Commitment::Confirmed);
        assert_eq!(refused, Err(UsageError::StalePlan.into()));
        assert!(*subject == *before);
    }
    everywhere!(example);
}

#[test]
fn malleable_jobs_are_translated_by_definition() {
    let mut most_forms = 0;
    for work in (0..400).chain([1_000, 65_536, 1 << 33, 1 << 47, 1 << 48, u64::MAX]) {
        for (least, most) in [(0, 0), (0, 9), (1, 1), (1, 64), (3, 20), (17, 400), (9, 8)] {
            let job = MalleableJob {
                work,
                least: PeCount::new(least),
                most: PeCount::new(most),
            };
            let forms: Vec<Form> = job.forms().collect();
            assert_eq!(forms, rigid_forms(&job), "{job:?}");
            most_forms = most_forms.max(forms.len());
        }
    }
    assert_eq!(
        most_forms, 384,
        "all numbers of PEs from 17 to 400, for much work"
    );
}

/// The same of many that are small, as they are drawn for random commands.
#[test]
fn random_malleable_jobs_are_translated_by_definition() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut translated = 0;
    for _ in 0..20_000 {
        let most_work = [50, 1_000, u64::from(u16::MAX)][rng.random_range(0..3)];
        let job = MalleableJob {
            work: rng.random_range(0..=most_work),
            least: PeCount::new(rng.random_range(0..40)),
            most: PeCount::new(rng.random_range(0..600)),
        };
        let forms: Vec<Form> = job.forms().collect();
        assert_eq!(forms, rigid_forms(&job), "{job:?}");
        translated += u32::from(forms.len() > 1);
    }
    assert!(translated > 10_000, "{translated}");
}
