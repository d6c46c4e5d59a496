//! Permanent names, as files and logs show them.

use core::{
    ffi::{CStr, c_char},
    ops::Range,
};

use bookahead as kernel;
use kernel::Slot;

use crate::{
    AlterationKind, Code, Discipline, EventKind, Flexibility, FormChoice, FreezeRule, OfferOrder,
    Order, Policy, Search, State,
    code::{self, Failure, answer, c_text},
    pointer::Out,
};

/// What a number is called that has no name.
const UNKNOWN: &CStr = c"unknown";

/// Names of one enumeration, by number.
macro_rules! names {
    ($number:expr, $($value:path = $of_kernel:expr,)*) => {
        match $number {
            $(number if number == $value as u32 => c_text!($of_kernel.name()),)*
            _ => UNKNOWN,
        }
    };
}

const fn policy_name(policy: u32) -> &'static CStr {
    names!(
        policy,
        Policy::FirstFit = kernel::Policy::FirstFit,
        Policy::PeBestFit = kernel::Policy::PeBestFit,
        Policy::PeWorstFit = kernel::Policy::PeWorstFit,
        Policy::DurationBestFit = kernel::Policy::DurationBestFit,
        Policy::DurationWorstFit = kernel::Policy::DurationWorstFit,
        Policy::PeDurationBestFit = kernel::Policy::PeDurationBestFit,
        Policy::PeDurationWorstFit = kernel::Policy::PeDurationWorstFit,
    )
}

const fn search_name(search: u32) -> &'static CStr {
    names!(
        search,
        Search::StripPacking = kernel::Search::StripPacking,
        Search::ParetoFront = kernel::Search::ParetoFront,
    )
}

const fn order_name(order: u32) -> &'static CStr {
    names!(
        order,
        OfferOrder::Discovery = kernel::OfferOrder::Discovery,
        OfferOrder::Longest = kernel::OfferOrder::Longest,
        OfferOrder::Widest = kernel::OfferOrder::Widest,
        OfferOrder::Earliest = kernel::OfferOrder::Earliest,
        OfferOrder::Cheapest = kernel::OfferOrder::Cheapest,
    )
}

const fn choice_name(choice: u32) -> &'static CStr {
    names!(
        choice,
        FormChoice::EarliestEnd = kernel::FormChoice::EarliestEnd,
        FormChoice::FewestPeSlots = kernel::FormChoice::FewestPeSlots,
        FormChoice::Cheapest = kernel::FormChoice::Cheapest,
    )
}

const fn juggling_order_name(order: u32) -> &'static CStr {
    names!(
        order,
        Order::EarliestDeadline = kernel::Order::EarliestDeadline,
        Order::LeastFlexible = kernel::Order::LeastFlexible,
        Order::BiggestFirst = kernel::Order::BiggestFirst,
        Order::Fifo = kernel::Order::Fifo,
        Order::Shuffle = kernel::Order::Shuffle { seed: 0 },
        Order::Revenue = kernel::Order::Revenue {
            newcomer: 0,
            of: &|_| 0
        },
    )
}

const fn flexibility_name(flexibility: u32) -> &'static CStr {
    names!(
        flexibility,
        Flexibility::Interval = kernel::Flexibility::Interval,
        Flexibility::Deadline = kernel::Flexibility::Deadline,
    )
}

const fn freeze_name(freeze: u32) -> &'static CStr {
    names!(
        freeze,
        FreezeRule::Never = kernel::Freeze::Never,
        FreezeRule::Acceptance = kernel::Freeze::Acceptance,
        FreezeRule::Share = kernel::Freeze::Share { per_mille: 0 },
        FreezeRule::Lead = kernel::Freeze::Lead {
            lead: kernel::Span::ZERO
        },
    )
}

const fn discipline_name(discipline: u32) -> &'static CStr {
    names!(
        discipline,
        Discipline::Fcfs = kernel::Discipline::Fcfs,
        Discipline::Easy = kernel::Discipline::Easy,
    )
}

const fn alteration_name(kind: u32) -> &'static CStr {
    const KINDS: [kernel::Alteration; 6] = crate::alter::KINDS;
    names!(
        kind,
        AlterationKind::Shift = KINDS[0],
        AlterationKind::Extend = KINDS[1],
        AlterationKind::Shorten = KINDS[2],
        AlterationKind::Widen = KINDS[3],
        AlterationKind::Narrow = KINDS[4],
        AlterationKind::ChangeWindow = KINDS[5],
    )
}

/// The name of a number of `bookahead_code`, such as "no-room", or "unknown". Static, never null. O(codes).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_code_name(code: u32) -> *const c_char {
    code::name(code).unwrap_or(UNKNOWN).as_ptr()
}

/// The name of a number of `bookahead_policy`, such as "first-fit", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_policy_name(policy: u32) -> *const c_char {
    policy_name(policy).as_ptr()
}

/// The name of a number of `bookahead_event_kind`, such as "started", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_event_name(kind: u32) -> *const c_char {
    use kernel::EventKind as Kind;
    names!(
        kind,
        EventKind::Completed = Kind::Completed,
        EventKind::Overran = Kind::EndReached,
        EventKind::Expired = Kind::Expired,
        EventKind::Started = Kind::Started,
        EventKind::Missed = Kind::Missed,
        EventKind::BestEffortStarted = Kind::BestEffortStarted,
        EventKind::StartFixed = Kind::StartFixed,
        EventKind::LateStart = Kind::LateStart,
        EventKind::CutShort = Kind::CutShort,
        EventKind::OverlayBooked = Kind::OverlayBooked,
        EventKind::Promised = Kind::Promised,
        EventKind::GaveUp = Kind::GaveUp,
    )
    .as_ptr()
}

/// The name of a number of `bookahead_state`, such as "held", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_state_name(state: u32) -> *const c_char {
    const HELD: kernel::State = kernel::State::Held {
        expires: Slot::new(0),
    };
    names!(
        state,
        State::Held = HELD,
        State::Confirmed = kernel::State::Confirmed,
        State::Running = kernel::State::Running,
    )
    .as_ptr()
}

/// The name of a number of `bookahead_search`, such as "strip-packing", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_search_name(search: u32) -> *const c_char {
    search_name(search).as_ptr()
}

/// The name of a number of `bookahead_offer_order`, such as "longest", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_offer_order_name(order: u32) -> *const c_char {
    order_name(order).as_ptr()
}

/// The name of a number of `bookahead_form_choice`, such as "cheapest", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_form_choice_name(choice: u32) -> *const c_char {
    choice_name(choice).as_ptr()
}

/// The name of a number of `bookahead_order`, such as "edf", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_order_name(order: u32) -> *const c_char {
    juggling_order_name(order).as_ptr()
}

/// The name of a number of `bookahead_flexibility`, such as "interval", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_flexibility_name(flexibility: u32) -> *const c_char {
    flexibility_name(flexibility).as_ptr()
}

/// The name of a number of `bookahead_freeze_rule`, such as "share", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_freeze_rule_name(freeze: u32) -> *const c_char {
    freeze_name(freeze).as_ptr()
}

/// The name of a number of `bookahead_discipline`, such as "easy", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_discipline_name(discipline: u32) -> *const c_char {
    discipline_name(discipline).as_ptr()
}

/// The name of a number of `bookahead_alteration_kind`, such as "shift", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_alteration_name(kind: u32) -> *const c_char {
    alteration_name(kind).as_ptr()
}

/// Gives the number of the policy whose name is `name`, a text that ends with a zero. O(length).
///
/// Answers UNKNOWN_POLICY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_policy_from_name(name: *const c_char, policy: *mut u32) -> u32 {
    let numbers = 0..kernel::Policy::ALL.len() as u32;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, policy, numbers, policy_name, Code::UnknownPolicy) })
}

/// As `bookahead_policy_from_name`, of `bookahead_search`.
///
/// Answers UNKNOWN_SEARCH.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_search_from_name(name: *const c_char, search: *mut u32) -> u32 {
    let numbers = 0..kernel::Search::ALL.len() as u32;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, search, numbers, search_name, Code::UnknownSearch) })
}

/// As `bookahead_policy_from_name`, of `bookahead_offer_order`.
///
/// Answers UNKNOWN_ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_offer_order_from_name(
    name: *const c_char,
    order: *mut u32,
) -> u32 {
    let numbers = 0..kernel::OfferOrder::ALL.len() as u32;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, order, numbers, order_name, Code::UnknownOrder) })
}

/// As `bookahead_policy_from_name`, of `bookahead_form_choice`.
///
/// Answers UNKNOWN_CHOICE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_form_choice_from_name(
    name: *const c_char,
    choice: *mut u32,
) -> u32 {
    let numbers = 0..kernel::FormChoice::ALL.len() as u32;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, choice, numbers, choice_name, Code::UnknownChoice) })
}

/// As `bookahead_policy_from_name`, of `bookahead_order`.
///
/// Answers UNKNOWN_ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_order_from_name(name: *const c_char, order: *mut u32) -> u32 {
    let numbers = 0..const { Order::Revenue as u32 + 1 };
    let unknown = Code::UnknownOrder;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, order, numbers, juggling_order_name, unknown) })
}

/// As `bookahead_policy_from_name`, of `bookahead_flexibility`.
///
/// Answers UNKNOWN_FLEXIBILITY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_flexibility_from_name(
    name: *const c_char,
    flexibility: *mut u32,
) -> u32 {
    let numbers = 0..kernel::Flexibility::ALL.len() as u32;
    let unknown = Code::UnknownFlexibility;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, flexibility, numbers, flexibility_name, unknown) })
}

/// As `bookahead_policy_from_name`, of `bookahead_freeze_rule`.
///
/// Answers UNKNOWN_FREEZE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_freeze_rule_from_name(
    name: *const c_char,
    freeze: *mut u32,
) -> u32 {
    let numbers = 0..const { FreezeRule::Lead as u32 + 1 };
    let unknown = Code::UnknownFreeze;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, freeze, numbers, freeze_name, unknown) })
}

/// As `bookahead_policy_from_name`, of `bookahead_discipline`.
///
/// Answers UNKNOWN_DISCIPLINE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_discipline_from_name(
    name: *const c_char,
    discipline: *mut u32,
) -> u32 {
    let numbers = 0..kernel::Discipline::ALL.len() as u32;
    let unknown = Code::UnknownDiscipline;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, discipline, numbers, discipline_name, unknown) })
}

/// As `bookahead_policy_from_name`, of `bookahead_alteration_kind`.
///
/// Answers UNKNOWN_ALTERATION.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_alteration_from_name(
    name: *const c_char,
    kind: *mut u32,
) -> u32 {
    let numbers = 0..crate::alter::KINDS.len() as u32;
    let unknown = Code::UnknownAlteration;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, kind, numbers, alteration_name, unknown) })
}

/// Gives the one of `numbers` whose name is `name`.
///
/// # Safety
///
/// By the contract of the crate.
unsafe fn from_name(
    name: *const c_char,
    number: *mut u32,
    mut numbers: Range<u32>,
    name_of: fn(u32) -> &'static CStr,
    unknown: Code,
) -> Result<(), Failure> {
    let number = Out::new(number)?;
    Out::new(name.cast_mut())?;
    // SAFETY: not null, and a text by the contract of the crate.
    let name = unsafe { CStr::from_ptr(name) };
    let known = numbers.find(|number| name_of(*number) == name);
    // SAFETY: by the contract of the crate.
    unsafe { number.set(known.ok_or(unknown)?) };
    Ok(())
}
