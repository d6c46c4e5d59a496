//! What quotas, and resources beside the machine, had to do with a decision, in sentences.

use std::fmt::Write as _;

use super::{NAMED, at, in_time, length, pes, whole, words};
use crate::{
    check::{Amount, Book, Known, Machine, Other},
    files::Reservation,
    report::words::plural,
    several::{Principal, Refuser, needs},
};

/// Whose a request is and what it needs beside its PEs; nothing where only the machine decides.
pub(super) fn asked(known: &Known, row: &Reservation) -> String {
    let text = |cell: &'static str, said: Option<&str>| {
        let said = said.filter(|said| !said.is_empty());
        said.map(|said| format!("{cell} {said}"))
    };
    let [of, needs] = [
        text("is charged to the quotas of", row.principal.as_deref()),
        text("needs, beside its PEs,", row.needs.as_deref()),
    ];
    let both: Vec<String> = of.into_iter().chain(needs).collect();
    match both.is_empty() || !known.joins() {
        true => String::new(),
        false => format!("It {}.\n", both.join(", and ")),
    }
}

/// Who refused a request, where it was more than the machine that decided, and its row does not.
fn refuser(known: &Known, row: &Reservation) -> Option<Refuser> {
    let by = row.refused_by.as_deref().unwrap_or_default();
    let who = Refuser::parse(by, known.quotas(), known.resources());
    who.filter(|_| known.joins() && ["too-wide", "no-room"].contains(&&*row.reason))
}

/// The book that had no room for a request, although it is large enough.
pub(super) fn in_the_way(known: &Known) -> Option<&Book> {
    let row = known.request.as_ref()?;
    let who = refuser(known, row).filter(|_| !row.is_accepted() && row.reason == "no-room")?;
    known.books.iter().find(|book| book.who() == who)
}

/// Whoever was charged to a book.
pub(super) fn holders(book: &Book) -> impl Iterator<Item = (Amount, &Other)> {
    let charged = book.charged.iter();
    charged.map(|other| (amount(book, other.booking.pes), other))
}

fn amount(book: &Book, count: u64) -> Amount {
    match book.who() {
        Refuser::Resource(_) => Amount::Units(count),
        _ => Amount::Pes(count),
    }
}

/// Why something else than the machine refused a request; nothing where it was the machine, or where its row decides.
pub(super) fn refused(known: &Known, machine: &Machine<'_>, row: &Reservation) -> Option<String> {
    let (quotas, resources) = (known.quotas(), known.resources());
    let wide = row.reason == "too-wide";
    let why = match refuser(known, row)? {
        Refuser::Machine => return None,
        Refuser::Together if wide => return None,
        Refuser::Together => {
            "the machine and whatever else it asks for each have room in its window, but never all at once".to_owned()
        }
        Refuser::Resource(number) => {
            let resource = &resources[number];
            let needs = needs(row.needs.as_deref().unwrap_or_default(), resources);
            let needs = needs.ok().flatten().unwrap_or_default();
            let need = whole(needs.get(number).copied().unwrap_or(0).into());
            let units = whole(resource.units.into());
            match wide {
                true => format!("it asks for {need} of the resource {}, which has {units}", resource.name),
                false => format!(
                    "from no start in its window on {need} of {units} of the resource {} were free all through",
                    resource.name
                ),
            }
        }
        Refuser::Quota(number) => {
            let quota = &quotas[number];
            match wide {
                true => format!(
                    "it asks for more than the quota of {} allows, {}",
                    quota.name,
                    limits(quota)
                ),
                false => format!(
                    "beside what was charged to it, the quota of {} allowed no start in its window; it is {}",
                    quota.name,
                    limits(quota)
                ),
            }
        }
    };
    let more = match in_the_way(known) {
        Some(book) => lacking(known, book),
        None if wide => String::new(),
        None => alone(known, machine),
    };
    Some(format!("It was refused: {why} ({}).\n{more}", row.reason))
}

/// What was left of a book that had no room, who was charged to it, and when it would have allowed the request.
fn lacking(known: &Known, book: &Book) -> String {
    let ([ready, deadline], duration) = known.window();
    let Some(latest) = deadline.checked_sub(duration) else {
        return String::new();
    };
    let (start, left) = book.most_left([ready, latest], duration);
    let short = left < book.asked;
    let spent = book.first_in_periods([ready, latest], duration).is_none();
    let verdict = |limits: bool| match limits {
        true => "was in the way",
        false if !short && !spent => "alone was not in the way",
        false => "was not in the way",
    };
    let mut text = String::new();
    if let Some(all) = at_once(known, book) {
        let _ = writeln!(
            text,
            "Its limit of {all} {}: the most that it left for {} in a row in its window was {}, from {} on, where it asks for {}{}.",
            verdict(short),
            length(duration),
            words(amount(book, left)),
            at(start),
            whole(book.asked),
            charged(book, [ready, deadline], short),
        );
    }
    text += &of_periods(known, book, verdict(spent), spent).unwrap_or_default();
    if !short && !spent {
        text += "Each of the two allowed a start, but they allowed none together.\n";
    }
    text + &next(known, book, ready, duration)
}

/// What was used of the periods of a book that a request may lie in, where it limits that.
fn of_periods(known: &Known, book: &Book, verdict: &str, spent: bool) -> Option<String> {
    let (window, duration) = known.window();
    let most = pe_seconds(known, book)?;
    let periods = book.used(window);
    let ([from, _], _) = periods.first()?;
    let ([_, until], _) = periods.last()?;
    Some(format!(
        "Its limit of {} PE-seconds of a period {verdict}: when it came, {}, and it takes {}{}.\n",
        whole(most),
        used(&periods),
        whole(book.asked.saturating_mul(duration)),
        charged(book, [*from, *until], spent),
    ))
}

/// The quota that a book is.
fn quota<'k>(known: &'k Known, book: &Book) -> Option<&'k Principal> {
    match book.who() {
        Refuser::Quota(number) => known.quotas().get(number),
        _ => None,
    }
}

/// How much a book has at once, where it limits that.
fn at_once(known: &Known, book: &Book) -> Option<String> {
    match quota(known, book) {
        Some(quota) => Some(format!("{} at once", pes(quota.pes?.into()))),
        None => Some(words(amount(book, book.limit()))),
    }
}

/// How much a book has in each period, where it limits that.
fn pe_seconds(known: &Known, book: &Book) -> Option<u64> {
    Some(quota(known, book)?.budget?.pe_seconds)
}

/// Who was charged to a book in that time, where that was in the way.
fn charged(book: &Book, window: [u64; 2], in_the_way: bool) -> String {
    let named = super::holders(holders(book), window).filter(|_| in_the_way);
    named.map_or(String::new(), |named| in_time("charged", &named))
}

/// What of each of some periods was used.
fn used(periods: &[([u64; 2], u64)]) -> String {
    let of_first = |number: usize| if number == 0 { " were used" } else { "" };
    let told = periods.iter().take(NAMED).enumerate();
    let told = told.map(|(number, ([from, until], used))| {
        format!(
            "{}{} from {} to {}",
            whole(*used),
            of_first(number),
            at(*from),
            at(*until)
        )
    });
    let told = told.collect::<Vec<_>>().join(", ");
    match periods.len().checked_sub(NAMED) {
        Some(more @ 1..) => format!("{told} (and {})", plural(more, "more period")),
        _ => told,
    }
}

/// When a book would have allowed the request.
fn next(known: &Known, book: &Book, ready: u64, duration: u64) -> String {
    let latest = known.ahead().and_then(|ahead| ahead.checked_sub(duration));
    let next = latest.and_then(|latest| book.first([ready, latest], duration));
    let name = name(known, book);
    let Some(next) = next else {
        return format!(
            "By what was charged to it then, {name} allowed no later start, either, as far ahead as could be booked.\n"
        );
    };
    let end = next.saturating_add(duration);
    let deadline = known.request.as_ref().map_or(end, |row| row.deadline);
    format!(
        "By what was charged to it then, the next start that {name} allowed was {}, over at {}: {} after its deadline.\n",
        at(next),
        at(end),
        length(end.saturating_sub(deadline)),
    )
}

/// The first start of each of those that a request asks for, which have none in common.
fn alone(known: &Known, machine: &Machine<'_>) -> String {
    let ([ready, deadline], duration) = known.window();
    let Some(latest) = deadline.checked_sub(duration) else {
        return String::new();
    };
    let machine = machine
        .first(ready, latest)
        .filter(|_| known.knows_free())
        .map(|first| format!("the machine, {}", at(first)));
    let books = known.books.iter().filter_map(|book| {
        let first = book.first([ready, latest], duration)?;
        Some(format!("{}, {}", name(known, book), at(first)))
    });
    let firsts: Vec<String> = machine.into_iter().chain(books).collect();
    match firsts.len() {
        // Of one alone, nothing follows.
        0 | 1 => String::new(),
        _ => format!(
            "The first start that each alone allowed: {}.\n",
            firsts.join("; ")
        ),
    }
}

fn name(known: &Known, book: &Book) -> String {
    match book.who() {
        Refuser::Quota(number) => format!("the quota of {}", known.quotas()[number].name),
        Refuser::Resource(number) => format!("the resource {}", known.resources()[number].name),
        Refuser::Machine | Refuser::Together => "the machine".to_owned(),
    }
}

/// Of what of a book it is drawn how much was left; nothing where it has no limit at once.
pub(super) fn label(known: &Known, book: &Book) -> Option<String> {
    at_once(known, book)?;
    let all = whole(book.limit());
    Some(match book.who() {
        Refuser::Quota(_) => format!("quota: left of {all}"),
        _ => format!("resource: left of {all}"),
    })
}

fn limits(quota: &Principal) -> String {
    let at_once = quota
        .pes
        .map(|most| format!("{} at once", pes(most.into())));
    let budget = quota.budget.map(|budget| {
        format!(
            "{} PE-seconds in every {}",
            whole(budget.pe_seconds),
            length(budget.period)
        )
    });
    let both: Vec<String> = at_once.into_iter().chain(budget).collect();
    both.join(" and ")
}
