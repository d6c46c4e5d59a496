//! Prices that follow demand, beside sums over each slot and each processing element.

use bookahead::{
    Book, Commitment, DemandStep, Error, Money, PeCount, Policy, RefundStep, Refusal, Request,
    Sale, Slot, Span, UsageError, Window, raw::Ring,
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, Sizes};
use rand::{Rng, RngExt};

use crate::common::lives::random;

const PES: u32 = 9;
const SLOTS: u32 = 70;

/// The price by the definition: for each slot, one processing element after the other.
fn one_by_one(
    booked: &[(Window, u32)],
    steps: &[DemandStep],
    window: Window,
    pes: u32,
) -> Result<Money, Error> {
    let mut sum = 0;
    for slot in window.start.get()..window.end.get() {
        let there = booked
            .iter()
            .filter(|(window, _)| window.contains(Slot::new(slot)));
        let busy: u32 = there.map(|(_, pes)| pes).sum();
        if busy + pes > PES {
            return Err(Refusal::NoRoom.into());
        }
        for before in busy..busy + pes {
            let reached = steps.iter().rev().find(|step| step.busy.get() <= before);
            sum += reached.map_or(0, |step| step.rate.get());
        }
    }
    Ok(Money::new(sum))
}

fn prices<R: Ring>(mut book: Book<'_, R>, numbers: &mut impl Rng) -> usize {
    let mut booked = Vec::new();
    let mut priced = 0;
    for _ in 0..1_000 {
        let now = book.now().get();
        let start = now + numbers.random_range(0..40);
        let duration = 1 + numbers.random_range(0..20);
        let pes = 1 + numbers.random_range(0..5);
        let request = Request {
            ready: Slot::new(start),
            duration: Span::new(duration),
            deadline: Slot::new(start + u64::from(duration) + 5),
            pes: PeCount::new(pes),
        };
        let mut steps = [0, 3, 5].map(|busy| DemandStep {
            busy: PeCount::new(busy + numbers.random_range(0..2)),
            rate: Money::new(numbers.random_range(0..1_000)),
        });
        let steps = &mut steps[numbers.random_range(0..3)..];
        let window = Window {
            start: request.ready,
            end: Slot::new(start + u64::from(duration)),
        };
        let price =
            |book: &Book<'_, R>, pes| book.price_by_demand(steps, window, PeCount::new(pes));
        let whole = price(&book, pes);
        assert_eq!(whole, one_by_one(&booked, steps, window, pes));
        let first = price(&book, 1);
        if let Ok(booking) = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed) {
            let placed = book.get(booking.handle).unwrap().window;
            booked.push((placed, pes));
            // A piece of one, and the rest after it: the same as all at once.
            if placed == window && pes > 1 && whole.is_ok() {
                book.cancel(booking.handle).unwrap();
                let one = Request {
                    pes: PeCount::new(1),
                    deadline: window.end,
                    ..request
                };
                let piece = book
                    .reserve(&one, Policy::FirstFit, Commitment::Confirmed)
                    .unwrap();
                let rest = price(&book, pes - 1).unwrap();
                assert_eq!(whole, Ok(Money::new(first.unwrap().get() + rest.get())));
                book.cancel(piece.handle).unwrap();
                book.reserve(
                    &Request {
                        deadline: window.end,
                        ..request
                    },
                    Policy::FirstFit,
                    Commitment::Confirmed,
                )
                .unwrap();
            }
        }
        priced += usize::from(whole.is_ok_and(|price| price > Money::ZERO));
        if numbers.random_range(0..4) == 0 {
            let to = Slot::new(now + numbers.random_range(0..6));
            while book.next(to).unwrap().is_some() {}
        }
    }
    priced
}

#[test]
fn prices_are_those_of_the_definition() {
    let sizes = Sizes {
        pes: PES,
        slots: SLOTS,
        reservations: 400,
    };
    let numbers = &mut random(5);
    let counts = prices(BoxedCountBook::new(sizes).unwrap().view(), numbers);
    let sets = prices(
        BoxedPeBook::<HostColumn>::new(sizes).unwrap().view(),
        numbers,
    );
    assert!(counts > 100 && sets > 100, "{counts}, {sets}");
}

#[test]
fn windows_that_have_no_price_are_refused() {
    let sizes = Sizes {
        pes: PES,
        slots: SLOTS,
        reservations: 4,
    };
    let mut memory = BoxedCountBook::new(sizes).unwrap();
    let mut book = memory.view();
    assert_eq!(book.next(Slot::new(10)), Ok(None));
    let dear = [DemandStep {
        busy: PeCount::new(0),
        rate: Money::MAX,
    }];
    let price = |start, end, pes| {
        let window = Window {
            start: Slot::new(start),
            end: Slot::new(end),
        };
        book.price_by_demand(&dear, window, PeCount::new(pes))
    };
    assert_eq!(price(10, 11, 1), Ok(Money::MAX));
    assert_eq!(price(10, 12, 1), Err(Refusal::PriceOverflow.into()));
    assert_eq!(price(10, 11, 2), Err(Refusal::PriceOverflow.into()));
    assert_eq!(price(9, 11, 1), Err(Refusal::ReadyInPast.into()));
    assert_eq!(price(11, 81, 1), Err(Refusal::BeyondHorizon.into()));
    assert_eq!(price(11, 12, 10), Err(Refusal::NoRoom.into()));
    assert_eq!(price(11, 11, 1), Err(UsageError::ZeroDuration.into()));
    assert_eq!(price(11, 12, 0), Err(UsageError::ZeroPes.into()));
    assert_eq!(
        book.price_by_demand(
            &[],
            Window {
                start: Slot::new(10),
                end: Slot::new(80)
            },
            PeCount::new(9)
        ),
        Ok(Money::ZERO)
    );
}

#[test]
fn what_is_given_back_in_steps_is_what_is_given_back_at_once() {
    let rule = |notice, millionths| RefundStep {
        notice: Span::new(notice),
        millionths,
    };
    let all = [rule(0, 1_000_000)];
    let numbers = &mut random(9);
    for _ in 0..2_000 {
        let slots = 1 + numbers.random_range(0..60);
        let sale = Sale {
            paid: Money::new(numbers.random_range(0..5_000)),
            slots: Span::new(slots),
        };
        let (mut had, mut owed) = (slots, 0);
        while had > 0 {
            let kept = had - 1 - numbers.random_range(0..had);
            owed += sale
                .refund(Span::new(had), Span::new(kept), Span::ZERO, &all)
                .get();
            had = kept;
        }
        assert_eq!(owed, sale.paid.get());
    }
    let sale = Sale {
        paid: Money::MAX,
        slots: Span::new(4),
    };
    let refund = |kept, notice, rules: &[RefundStep]| {
        sale.refund(sale.slots, Span::new(kept), Span::new(notice), rules)
    };
    // In whatever order the rules stand; more than all is all.
    let rules = [rule(5, 250_000), rule(20, 2_000_000), rule(10, 500_000)];
    assert_eq!(refund(0, 20, &rules), Money::MAX);
    assert_eq!(refund(0, 19, &rules), Money::new(u64::MAX / 2));
    assert_eq!(refund(0, 9, &rules), Money::new(u64::MAX / 4));
    assert_eq!(refund(0, 4, &rules), Money::ZERO);
    assert_eq!(refund(4, 20, &rules), Money::ZERO);
    assert_eq!(refund(0, 20, &[]), Money::ZERO);
    // More kept than had, and a sale of nothing.
    assert_eq!(
        sale.refund(Span::new(1), Span::new(3), Span::new(20), &rules),
        Money::ZERO
    );
    assert_eq!(
        Sale::default().refund(Span::new(1), Span::ZERO, Span::new(20), &rules),
        Money::ZERO
    );
}
