//! Mouldable requests, and what they may cost.

use bookahead as kernel;
use heapless::Vec;
use kernel::{Money, PeCount, Slot, Span};

use crate::{
    Book, Code, Plan, Request, Tariff,
    code::{Failure, answer, known},
    pointer::{List, Out, read},
    reserve::policy,
    with::{asked, with_book},
};

/// The most forms that one request may have.
pub const BOOKAHEAD_MOST_FORMS: usize = 64;

/// Tables no longer than this are read with less stack.
const FEW: usize = 8;

// The header says what a table takes.
const _: () = assert!(size_of::<kernel::Form>() == 8);

/// Which form of a mouldable request is chosen. Ties go to the earliest end, then to the fewest PE-slots, PEs times slots, then to the first in the
/// table. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum FormChoice {
    /// The one that ends first.
    EarliestEnd = 0,
    /// The one with the fewest PE-slots.
    FewestPeSlots = 1,
    /// The cheapest; without a discount it is the one with the fewest PE-slots.
    Cheapest = 2,
}

/// One form of a mouldable request: how long the job runs on how many PEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Form {
    /// How many PEs.
    pub pes: u32,
    /// The length of the run on so many, in slots.
    pub duration: u32,
}

/// What a request costs, and what its owner is willing to pay. The discount grows with the slack of the request, by how many slots its start can be
/// put off. It is rounded down to whole micro-units, and nothing else is rounded but the rate of the tariff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct PriceTerms {
    /// The prices before any discount. For no prices: a base of 0, a factor of `BOOKAHEAD_FACTOR_ONE`.
    pub tariff: Tariff,
    /// The most that is paid, in micro-units; `UINT64_MAX` is no limit.
    pub budget: u64,
    /// The discount for a slack as long as the duration, in proportion for other slacks, in 2^-32 of the price.
    pub discount: u32,
    /// The greatest discount, in 2^-32 of the price.
    pub most_discount: u32,
}

impl PriceTerms {
    /// As the kernel has it.
    #[inline(always)]
    fn to_kernel(self) -> Result<kernel::PriceTerms, Failure> {
        Ok(kernel::PriceTerms {
            tariff: self.tariff.to_kernel()?,
            discount: kernel::Discount {
                per_duration: self.discount,
                most: self.most_discount,
            },
            budget: Money::new(self.budget),
        })
    }
}

impl Form {
    fn to_kernel(self) -> kernel::Form {
        kernel::Form {
            pes: PeCount::new(self.pes),
            duration: Span::new(self.duration),
        }
    }
}

impl From<kernel::Form> for Form {
    fn from(form: kernel::Form) -> Self {
        Self {
            pes: form.pes.get(),
            duration: form.duration.get(),
        }
    }
}

/// Works out where a mouldable request would go, and takes no room: the job runs in one of `length` forms, `BOOKAHEAD_MOST_FORMS` at most, between
/// `ready` and `deadline`. Each form is planned by `policy`, one of `bookahead_policy`, and one of those that can be booked within the budget is chosen
/// by `choice`, one of `bookahead_form_choice`. Gives its plan, to be committed as that of `bookahead_plan`, and its price. A rigid request with a
/// budget is one with a single form.
///
/// The table is kept on the stack meanwhile, 8 bytes for each of 8 forms, or of `BOOKAHEAD_MOST_FORMS` for more than 8. O(forms x plan).
///
/// Answers UNKNOWN_POLICY, UNKNOWN_CHOICE, TARIFF_OUT_OF_RANGE; TOO_MANY_PARTS for more forms; NO_FORMS without a form; ZERO_DURATION, ZERO_PES. When no form can be booked, the refusal of the one that got furthest, the first of several:
/// what `bookahead_plan` answers as far as the form itself is to blame, then PRICE_OVERFLOW and OVER_BUDGET, then TABLE_FULL and NO_ROOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_plan_mouldable(
    book: *mut Book,
    ready: u64,
    deadline: u64,
    forms: *const Form,
    length: usize,
    policy: u32,
    choice: u32,
    terms: *const PriceTerms,
    plan: *mut Plan,
    price: *mut u64,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (plan, price) = (Out::new(plan)?, Out::new(price)?);
        let forms = List::new(forms.cast_mut(), length)?;
        let terms = read(terms)?;
        let policy = self::policy(policy)?;
        let choice = known(choice, kernel::FormChoice::from_code, Code::UnknownChoice)?;
        let terms = terms.to_kernel()?;
        if length > BOOKAHEAD_MOST_FORMS {
            return Err(Code::TooManyParts.into());
        }
        let choose = |forms: &[kernel::Form]| {
            let request = kernel::MouldableRequest {
                ready: Slot::new(ready),
                deadline: Slot::new(deadline),
                forms,
            };
            with_book!(book, |book, class| book
                .plan_mouldable(asked!(class, &request), policy, choice, &terms)
                .map_err(Failure::from))
        };
        let moulded = if length <= FEW {
            read_forms::<FEW>(&forms, choose)?
        } else {
            read_forms::<BOOKAHEAD_MOST_FORMS>(&forms, choose)?
        };
        plan.set(moulded.plan);
        price.set(moulded.price.get());
        Ok(())
    })
}

/// Hands on a table of up to `N` forms.
///
/// # Safety
///
/// As [`List::get`].
// Not inlined, so that only a long table takes the stack for one.
#[inline(never)]
unsafe fn read_forms<const N: usize>(
    forms: &List<Form>,
    choose: impl FnOnce(&[kernel::Form]) -> Result<kernel::MouldedPlan, Failure>,
) -> Result<kernel::MouldedPlan, Failure> {
    let mut table = Vec::<kernel::Form, N>::new();
    for number in 0..forms.len() {
        // SAFETY: below the length of the list.
        let form = unsafe { forms.get(number) }.to_kernel();
        table.push(form).map_err(|_| Code::TooManyParts)?;
    }
    choose(&table)
}

/// Lists the rigid forms of a malleable job, the narrowest first, for `bookahead_plan_mouldable`; see `bookahead_pes_of` for lists. The job is `work`
/// PE-slots that any number of PEs from `least` to `most` share evenly: on n PEs it takes work / n slots, rounded up. Of several numbers of PEs that
/// take equally long only the least is listed. Durations beyond 32 bits are left out. O(1) for each form.
///
/// Answers TOO_WIDE for more than 65,535 PEs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_malleable_forms(
    work: u64,
    least: u32,
    most: u32,
    skip: usize,
    forms: *mut Form,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (forms, count) = (List::new(forms, capacity)?, Out::new(count)?);
        // There are as many forms as PEs, and all are counted.
        u16::try_from(most).map_err(|_| kernel::Error::from(kernel::Refusal::TooWide))?;
        let (least, most) = (PeCount::new(least), PeCount::new(most));
        let job = kernel::MalleableJob { work, least, most };
        count.set(forms.fill(job.forms(), skip));
        Ok(())
    })
}

/// Gives what `request` costs, less the discount: for a reservation's request, its revenue. O(1).
///
/// Answers TARIFF_OUT_OF_RANGE, PRICE_OVERFLOW when the price without the discount is more than 64 bits can say, WINDOW_TOO_SHORT,
/// OVER_BUDGET.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_price(
    terms: *const PriceTerms,
    request: *const Request,
    price: *mut u64,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let price = Out::new(price)?;
        let (terms, request) = (read(terms)?, read(request)?);
        let (terms, request) = (terms.to_kernel()?, request.to_kernel());
        price.set(terms.price(&request)?.get());
        Ok(())
    })
}
