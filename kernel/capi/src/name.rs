//! Permanent names, as files and logs show them.

use core::ffi::{CStr, c_char};

use bookahead as kernel;
use kernel::Slot;

use crate::{
    AlterationKind, Code, Discipline, EventKind, Flexibility, FormChoice, FreezeRule, OfferOrder,
    Order, Policy, Search, State,
    alter::KINDS,
    code::{self, Failure, answer, c_text},
    pointer::Out,
};

/// What a number is called that has no name.
const UNKNOWN: &CStr = c"unknown";

/// The names of one enumeration, by numbers from the first on: the kernel's, of which there are so many.
macro_rules! names {
    ($table:ident from $first:literal, $count:expr; $($value:path = $of_kernel:expr,)*) => {
        const $table: &[&CStr] = &[$(c_text!($of_kernel.name()),)*];

        #[allow(clippy::arithmetic_side_effects, reason = "when it is compiled")]
        const _: () = {
            let mut number = $first;
            $(
                assert!($value as u32 == number && $of_kernel.code() as u32 == number);
                number += 1;
            )*
            assert!(number == $first + $count as u32);
        };
    };
}

names! {
    POLICIES from 0, kernel::Policy::ALL.len();
    Policy::FirstFit = kernel::Policy::FirstFit,
    Policy::PeBestFit = kernel::Policy::PeBestFit,
    Policy::PeWorstFit = kernel::Policy::PeWorstFit,
    Policy::DurationBestFit = kernel::Policy::DurationBestFit,
    Policy::DurationWorstFit = kernel::Policy::DurationWorstFit,
    Policy::PeDurationBestFit = kernel::Policy::PeDurationBestFit,
    Policy::PeDurationWorstFit = kernel::Policy::PeDurationWorstFit,
}

names! {
    SEARCHES from 0, kernel::Search::ALL.len();
    Search::StripPacking = kernel::Search::StripPacking,
    Search::ParetoFront = kernel::Search::ParetoFront,
}

names! {
    OFFER_ORDERS from 0, kernel::OfferOrder::ALL.len();
    OfferOrder::Discovery = kernel::OfferOrder::Discovery,
    OfferOrder::Longest = kernel::OfferOrder::Longest,
    OfferOrder::Widest = kernel::OfferOrder::Widest,
    OfferOrder::Earliest = kernel::OfferOrder::Earliest,
    OfferOrder::Cheapest = kernel::OfferOrder::Cheapest,
}

names! {
    FORM_CHOICES from 0, kernel::FormChoice::ALL.len();
    FormChoice::EarliestEnd = kernel::FormChoice::EarliestEnd,
    FormChoice::FewestPeSlots = kernel::FormChoice::FewestPeSlots,
    FormChoice::Cheapest = kernel::FormChoice::Cheapest,
}

names! {
    ORDERS from 0, 6;
    Order::EarliestDeadline = kernel::Order::EarliestDeadline,
    Order::LeastFlexible = kernel::Order::LeastFlexible,
    Order::BiggestFirst = kernel::Order::BiggestFirst,
    Order::Fifo = kernel::Order::Fifo,
    Order::Shuffle = kernel::Order::Shuffle { seed: 0 },
    Order::Revenue = kernel::Order::Revenue {
        newcomer: 0,
        of: &|_| 0
    },
}

names! {
    FLEXIBILITIES from 0, kernel::Flexibility::ALL.len();
    Flexibility::Interval = kernel::Flexibility::Interval,
    Flexibility::Deadline = kernel::Flexibility::Deadline,
}

names! {
    FREEZE_RULES from 0, 4;
    FreezeRule::Never = kernel::Freeze::Never,
    FreezeRule::Acceptance = kernel::Freeze::Acceptance,
    FreezeRule::Share = kernel::Freeze::Share { per_mille: 0 },
    FreezeRule::Lead = kernel::Freeze::Lead {
        lead: kernel::Span::ZERO
    },
}

names! {
    DISCIPLINES from 0, kernel::Discipline::ALL.len();
    Discipline::Fcfs = kernel::Discipline::Fcfs,
    Discipline::Easy = kernel::Discipline::Easy,
    Discipline::Conservative = kernel::Discipline::Conservative,
}

names! {
    ALTERATIONS from 0, KINDS.len();
    AlterationKind::Shift = KINDS[0],
    AlterationKind::Extend = KINDS[1],
    AlterationKind::Shorten = KINDS[2],
    AlterationKind::Widen = KINDS[3],
    AlterationKind::Narrow = KINDS[4],
    AlterationKind::ChangeWindow = KINDS[5],
}

names! {
    EVENTS from 1, kernel::EventKind::ALL.len();
    EventKind::Completed = kernel::EventKind::Completed,
    EventKind::Overran = kernel::EventKind::EndReached,
    EventKind::Expired = kernel::EventKind::Expired,
    EventKind::Started = kernel::EventKind::Started,
    EventKind::Missed = kernel::EventKind::Missed,
    EventKind::BestEffortStarted = kernel::EventKind::BestEffortStarted,
    EventKind::StartFixed = kernel::EventKind::StartFixed,
    EventKind::LateStart = kernel::EventKind::LateStart,
    EventKind::CutShort = kernel::EventKind::CutShort,
    EventKind::OverlayBooked = kernel::EventKind::OverlayBooked,
    EventKind::Promised = kernel::EventKind::Promised,
    EventKind::GaveUp = kernel::EventKind::GaveUp,
    EventKind::Preempted = kernel::EventKind::Preempted,
    EventKind::RuleMet = kernel::EventKind::RuleMet,
}

const HELD: kernel::State = kernel::State::Held {
    expires: Slot::new(0),
};

names! {
    STATES from 1, 3;
    State::Held = HELD,
    State::Confirmed = kernel::State::Confirmed,
    State::Running = kernel::State::Running,
}

/// The name of a number in a table that begins with the first.
fn name_of(names: &[&'static CStr], first: u32, number: u32) -> *const c_char {
    let place = number.checked_sub(first);
    let name = place.and_then(|place| names.get(place as usize));
    name.copied().unwrap_or(UNKNOWN).as_ptr()
}

/// The name of a number of `bookahead_code`, such as "no-room", or "unknown". Static, never null. O(codes).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_code_name(code: u32) -> *const c_char {
    code::name(code).unwrap_or(UNKNOWN).as_ptr()
}

/// The name of a number of `bookahead_policy`, such as "first-fit", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_policy_name(policy: u32) -> *const c_char {
    name_of(POLICIES, 0, policy)
}

/// The name of a number of `bookahead_event_kind`, such as "started", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_event_name(kind: u32) -> *const c_char {
    name_of(EVENTS, 1, kind)
}

/// The name of a number of `bookahead_state`, such as "held", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_state_name(state: u32) -> *const c_char {
    name_of(STATES, 1, state)
}

/// The name of a number of `bookahead_search`, such as "strip-packing", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_search_name(search: u32) -> *const c_char {
    name_of(SEARCHES, 0, search)
}

/// The name of a number of `bookahead_offer_order`, such as "longest", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_offer_order_name(order: u32) -> *const c_char {
    name_of(OFFER_ORDERS, 0, order)
}

/// The name of a number of `bookahead_form_choice`, such as "cheapest", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_form_choice_name(choice: u32) -> *const c_char {
    name_of(FORM_CHOICES, 0, choice)
}

/// The name of a number of `bookahead_order`, such as "edf", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_order_name(order: u32) -> *const c_char {
    name_of(ORDERS, 0, order)
}

/// The name of a number of `bookahead_flexibility`, such as "interval", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_flexibility_name(flexibility: u32) -> *const c_char {
    name_of(FLEXIBILITIES, 0, flexibility)
}

/// The name of a number of `bookahead_freeze_rule`, such as "share", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_freeze_rule_name(freeze: u32) -> *const c_char {
    name_of(FREEZE_RULES, 0, freeze)
}

/// The name of a number of `bookahead_discipline`, such as "easy", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_discipline_name(discipline: u32) -> *const c_char {
    name_of(DISCIPLINES, 0, discipline)
}

/// The name of a number of `bookahead_alteration_kind`, such as "shift", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_alteration_name(kind: u32) -> *const c_char {
    name_of(ALTERATIONS, 0, kind)
}

/// Gives the number of the policy whose name is `name`, a text that ends with a zero. O(length).
///
/// Answers UNKNOWN_POLICY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_policy_from_name(name: *const c_char, policy: *mut u32) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, policy, POLICIES, Code::UnknownPolicy) })
}

/// As `bookahead_policy_from_name`, of `bookahead_search`.
///
/// Answers UNKNOWN_SEARCH.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_search_from_name(name: *const c_char, search: *mut u32) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, search, SEARCHES, Code::UnknownSearch) })
}

/// As `bookahead_policy_from_name`, of `bookahead_offer_order`.
///
/// Answers UNKNOWN_ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_offer_order_from_name(
    name: *const c_char,
    order: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, order, OFFER_ORDERS, Code::UnknownOrder) })
}

/// As `bookahead_policy_from_name`, of `bookahead_form_choice`.
///
/// Answers UNKNOWN_CHOICE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_form_choice_from_name(
    name: *const c_char,
    choice: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, choice, FORM_CHOICES, Code::UnknownChoice) })
}

/// As `bookahead_policy_from_name`, of `bookahead_order`.
///
/// Answers UNKNOWN_ORDER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_order_from_name(name: *const c_char, order: *mut u32) -> u32 {
    let unknown = Code::UnknownOrder;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, order, ORDERS, unknown) })
}

/// As `bookahead_policy_from_name`, of `bookahead_flexibility`.
///
/// Answers UNKNOWN_FLEXIBILITY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_flexibility_from_name(
    name: *const c_char,
    flexibility: *mut u32,
) -> u32 {
    let unknown = Code::UnknownFlexibility;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, flexibility, FLEXIBILITIES, unknown) })
}

/// As `bookahead_policy_from_name`, of `bookahead_freeze_rule`.
///
/// Answers UNKNOWN_FREEZE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_freeze_rule_from_name(
    name: *const c_char,
    freeze: *mut u32,
) -> u32 {
    let unknown = Code::UnknownFreeze;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, freeze, FREEZE_RULES, unknown) })
}

/// As `bookahead_policy_from_name`, of `bookahead_discipline`.
///
/// Answers UNKNOWN_DISCIPLINE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_discipline_from_name(
    name: *const c_char,
    discipline: *mut u32,
) -> u32 {
    let unknown = Code::UnknownDiscipline;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, discipline, DISCIPLINES, unknown) })
}

/// As `bookahead_policy_from_name`, of `bookahead_alteration_kind`.
///
/// Answers UNKNOWN_ALTERATION.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_alteration_from_name(
    name: *const c_char,
    kind: *mut u32,
) -> u32 {
    let unknown = Code::UnknownAlteration;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { from_name(name, kind, ALTERATIONS, unknown) })
}

/// Gives the number whose name is `name`.
///
/// # Safety
///
/// By the contract of the crate.
unsafe fn from_name(
    name: *const c_char,
    number: *mut u32,
    names: &[&'static CStr],
    unknown: Code,
) -> Result<(), Failure> {
    let number = Out::new(number)?;
    Out::new(name.cast_mut())?;
    // SAFETY: not null, and a text by the contract of the crate.
    let name = unsafe { CStr::from_ptr(name) };
    let known = names.iter().position(|known| *known == name);
    // SAFETY: by the contract of the crate.
    unsafe { number.set(known.ok_or(unknown)? as u32) };
    Ok(())
}
