//! Why a job was placed where it was, or refused: in sentences and a small drawing, from the files of a run alone.

mod beside;
mod drawing;
mod nodes;
pub(crate) mod reasons;

use std::{cmp::Ordering, fmt::Write as _, path::Path};

use crate::{
    check::{Amount, Known, Machine, Mover, Other, TooShort},
    engine::{Breach, Cause},
    error::Result,
    files::{Booking, CANCELLED, EXPIRED, Job, Move, Profile, Reservation},
    outage::Breaker,
    report::words::{grouped, plural, time},
};

/// How many of those in the way are named.
const NAMED: usize = 5;

/// Why a job of the run in a folder was decided as it was. O(rows log rows) for what was booked, and O(stretches x booked) for the drawing.
///
/// ```
/// use bookahead_sim::{engine::{self, Binding, Strategy, System}, explain, output::{self, RunInfo}, request::{Demand, JobRequest}};
///
/// let job = JobRequest { job_id: 1, arrival: 0, ready: 60, duration: 90, deadline: 600, pes: 2, run: 90, ..JobRequest::default() };
/// let system = System::new(4, 64, 60, Strategy::Fit(bookahead::Policy::FirstFit), Binding::Early);
/// let outcomes = engine::run(&system, &[Demand::Reserve(job)], &|| {})?;
/// let folder = tempfile::tempdir()?;
/// output::write_run(folder.path(), &RunInfo { system, workload: "one job".into(), seed: 1 }, &outcomes)?;
/// let told = explain::of_job(folder.path(), 1)?;
/// assert!(told.contains("It was promised second 60 to second 180."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Usage`](crate::error::Error::Usage) when no such job is there, or the run is not finished; other errors for files that cannot be read.
pub fn of_job(dir: &Path, job_id: u64) -> Result<String> {
    let known = Known::read(dir, job_id)?;
    let machine = known.machine();
    let mut text = asked(&known);
    if let Some([some, all]) = known.some_pes() {
        text += &nodes::may_have(&known, [some, all]);
    }
    text += &known
        .request
        .as_ref()
        .map_or(String::new(), |row| beside::asked(&known, row));
    let mut meanwhile = &[][..];
    match &known.request {
        Some(row) if row.is_accepted() => accepted(&mut text, &known, &machine, row),
        Some(row) => refused(&mut text, &known, &machine, row),
        None if known.job.profile == Profile::Split => {
            if let Some(ran) = known.job.ran() {
                let _ = writeln!(text, "{}", it_ran(&known.job, ran));
            }
        }
        None => meanwhile = queued(&mut text, &known, &machine),
    }
    later(&mut text, &known);
    text += &drawing::of(&known, &machine, meanwhile);
    Ok(text)
}

/// An instant.
fn at(second: u64) -> String {
    format!("second {}", whole(second))
}

fn whole(number: u64) -> String {
    grouped(usize::try_from(number).unwrap_or(usize::MAX))
}

/// So many PEs.
fn pes(count: u64) -> String {
    plural(usize::try_from(count).unwrap_or(usize::MAX), "PE")
}

/// A length in seconds, and in larger units where these help.
fn length(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        _ => format!("{} s ({})", whole(seconds), time(seconds as f64)),
    }
}

/// So many of what is counted.
fn words(amount: Amount) -> String {
    let count = usize::try_from(amount.count()).unwrap_or(usize::MAX);
    match amount {
        Amount::Pes(_) => plural(count, "PE"),
        Amount::Groups(_) => plural(count, "node"),
        Amount::Units(_) => plural(count, "unit"),
    }
}

fn asked(known: &Known) -> String {
    let job = &known.job;
    match &known.request {
        _ if job.profile == Profile::Split => format!(
            "Job {} is the second part of a reservation that was split at {}: {} for {}.\n",
            job.job_id,
            at(job.submission_time),
            pes(job.requested_number_of_resources),
            length(job.requested_time),
        ),
        Some(row) => format!(
            "Job {} asked at {} for {}{} for {}, not before {} and over by {}.\n",
            row.job_id,
            at(row.arrival),
            pes(row.pes),
            nodes::shape(known),
            length(row.duration),
            at(row.ready),
            at(row.deadline),
        ),
        None => {
            let late = job
                .metadata
                .window()
                .map_or(String::new(), |[_, deadline]| {
                    format!(" over by {}, else not at all;", at(deadline))
                });
            format!(
                "Job {} was queued at {}: {}{} for at most {},{late} as soon as there is room.\n",
                job.job_id,
                at(job.queued_at()),
                pes(job.requested_number_of_resources),
                nodes::shape(known),
                length(job.requested_time),
            )
        }
    }
}

fn accepted(text: &mut String, known: &Known, machine: &Machine<'_>, row: &Reservation) {
    let Some([start, end]) = row.booked() else {
        return;
    };
    let ([ready, _], duration) = known.window();
    if let Some([ready, deadline]) = row.agreed() {
        let _ = writeln!(
            text,
            "It was refused there. Another window was suggested to it and agreed on: not before {} and over by {}.",
            at(ready),
            at(deadline),
        );
    }
    let late = match row.has_waited() {
        true => format!(
            "It waited, as it could not be placed then: {} ({}). At {} it",
            reasons::meaning(&row.reason),
            row.reason,
            at(row.promised_at())
        ),
        false => "It".to_owned(),
    };
    let [seconds, width] = row.granted();
    let less = match [seconds, width] == row.asked() {
        true => String::new(),
        false => format!(", {} for {}", pes(width), length(seconds)),
    };
    let site = match row.site.flatten() {
        Some(site) => format!(" at site {site}"),
        None => String::new(),
    };
    let _ = writeln!(
        text,
        "{late} was promised {} to {}{less}{site}.",
        at(start),
        at(end)
    );
    if [seconds, width] != row.asked() && row.shortest().is_none() {
        let why = match machine.first_of(row.asked()) {
            Err(TooShort) => "its window has too few whole slots",
            Ok(None) => "no start in its window had room",
            Ok(Some(_)) => "there was no offer",
        };
        let [longer, wider] = row.asked();
        let (wider, longer) = (pes(wider), length(longer));
        let _ = writeln!(
            text,
            "For all that it asked for, {wider} for {longer}, {why}."
        );
    }
    let first = machine.first(ready, start);
    match first {
        Some(first) if first == start && start == ready => {
            let is_late = row.has_waited() && row.promised_at() > row.window()[0];
            let of = match is_late {
                true => "after the promise",
                false => "of its window",
            };
            let _ = writeln!(
                text,
                "That is the first slot {of}; free all through then: {}.",
                nodes::counted(known, machine.free_throughout(start, duration))
            );
        }
        Some(first) if first == start => {
            let _ = writeln!(
                text,
                "No earlier start had room{}.",
                in_the_way(known, [ready, start.saturating_add(duration)])
            );
        }
        Some(first) if !known.knows_free() => {
            let _ = writeln!(
                text,
                "By how many PEs were free, {} would have been the first start with room; which PEs these were is not known, as some of what was booked may have been changed since, and it keeps the same ones all through.",
                at(first),
            );
        }
        Some(first) => {
            let _ = writeln!(
                text,
                "{} was the first start with room; free all through from there: {}, and from the promised start: {}.",
                at(first).replacen('s', "S", 1),
                nodes::counted(known, machine.free_throughout(first, duration)),
                nodes::counted(known, machine.free_throughout(start, duration)),
            );
            if known.joins() {
                let _ = writeln!(text, "Whatever else it asks for allowed no earlier start.");
            }
        }
        None => {
            let _ = writeln!(
                text,
                "As everything was booked before, it had no room there{}.",
                in_the_way(known, [start, end])
            );
        }
    }
    if let (Some(overlaid), Some(kept)) = (row.overlaid(), row.probability.flatten()) {
        let _ = writeln!(
            text,
            "{} of its {} were those of others then, who come first; with a probability of {:.6} it was to have them all the same.",
            whole(overlaid),
            pes(row.pes),
            kept.0,
        );
    }
    if !known.made_way.is_empty() {
        let others: Vec<String> = known.made_way.iter().map(u64::to_string).collect();
        let jobs = match others.len() {
            1 => "job",
            _ => "jobs",
        };
        let _ = writeln!(
            text,
            "To make room for it, {jobs} {} gave way.",
            others.join(", ")
        );
    }
    let had_no_room = !known.made_way.is_empty() || row.is_overlay();
    if let Some(rule) = reasons::rule(known.names(), had_no_room) {
        let _ = writeln!(text, "{rule}");
    }
}

fn refused(text: &mut String, known: &Known, machine: &Machine<'_>, row: &Reservation) {
    if let Some(why) = beside::refused(known, machine, row) {
        *text += &why;
        return;
    }
    let reason = &*row.reason;
    let what = match row.has_waited() {
        true => "It waited, and was given up when its latest start had passed",
        false => "It was refused",
    };
    let _ = writeln!(text, "{what}: {} ({reason}).", reasons::meaning(reason));
    if let Some(extent) = known.extent().filter(|_| reason == "not-eligible") {
        text.push_str(&nodes::lacks(&extent));
    }
    if !reasons::is_of_room(reason) {
        return;
    }
    if known.sites() > 1 {
        let _ = writeln!(
            text,
            "Every site refused it; what follows is about the first one."
        );
    }
    let ([ready, deadline], duration) = known.window();
    if let Some((start, free)) = machine.best() {
        let same = match (known.knows_sets(), known.all()) {
            (false, _) => "",
            (true, Amount::Groups(_)) => " (the same nodes throughout)",
            _ => " (the same PEs throughout)",
        };
        let _ = writeln!(
            text,
            "{} most that was free in its window for {} in a row{same} was {} of {}, from {} on{}.",
            nodes::wanted(known).map_or("The".to_owned(), |wanted| format!(
                "It asks for {wanted}; the"
            )),
            length(duration),
            words(known.so_many(free)),
            nodes::of_all(known),
            at(start),
            in_the_way(known, [ready, deadline]),
        );
    }
    if known.misses_shape() {
        *text += "Which nodes were free is not known, as some of what was booked may have been changed since.\n";
    }
    match machine.next(ready) {
        Some(next) if next.saturating_add(duration) <= deadline => {
            let why = match known.knows_free() {
                true => "there was room for it by what the files say",
                false => {
                    "enough PEs were free; which they were is not known, as some of what was booked may have been changed since, and it would keep the same ones all through"
                }
            };
            let _ = writeln!(text, "From {} on {why}.", at(next));
        }
        Some(next) => {
            let end = next.saturating_add(duration);
            let why = match end.saturating_sub(row.deadline) {
                0 => "certain PEs are booked from the ready time on, or not at all".to_owned(),
                late => format!("{} after its deadline", length(late)),
            };
            let by = match known.knows_free() {
                true => "The",
                false => "By how many PEs were free, the",
            };
            let _ = writeln!(
                text,
                "{by} next start with room was {}, over at {}: {why}.",
                at(next),
                at(end),
            );
        }
        None => {
            let _ = writeln!(
                text,
                "There was no later start with room, either, as far ahead as could be booked then."
            );
        }
    }
}

/// Why a job of the queue started when it did. Returns who has to be drawn, since they ran before it and were not booked yet when it came.
fn queued<'k>(text: &mut String, known: &'k Known, machine: &Machine<'_>) -> &'k [Other] {
    let job = &known.job;
    if let Some(reason) = job.metadata.reason().filter(|_| job.ran().is_none()) {
        let _ = writeln!(
            text,
            "It did not run: {} ({reason}).",
            reasons::meaning(reason)
        );
        return &[];
    }
    let ([submitted, last], duration) = known.window();
    let (Some(first), Some(began)) = (machine.first(submitted, last), job.starting_time) else {
        return &[];
    };
    let _ = match first == submitted {
        true => writeln!(
            text,
            "There was room for it at once beside everything that was booked."
        ),
        false => writeln!(
            text,
            "Beside everything that was booked then, {} was its first start with room{}.",
            at(first),
            in_the_way(known, [submitted, first.saturating_add(duration)]),
        ),
    };
    if let [_, Some(times @ 1..)] = job.metadata.preemption() {
        let _ = writeln!(
            text,
            "Reservations ended it {}; its last start was {}.",
            plural(usize::try_from(times).unwrap_or(usize::MAX), "time"),
            at(began),
        );
        return &[];
    }
    let (why, meanwhile) = match began.cmp(&first) {
        Ordering::Less => (": something ended early or was given back", &[][..]),
        Ordering::Equal => ("", &[][..]),
        Ordering::Greater if known.names()[2] == Some("conservative") => (
            ": it was planned behind others, or they reserved in the meantime; of what came free earlier, it had only what its plan could use as that happened",
            &known.meanwhile[..],
        ),
        Ordering::Greater => (
            ": others were before it in the queue, or reserved in the meantime",
            &known.meanwhile[..],
        ),
    };
    let waited = length(began.saturating_sub(job.queued_at()));
    let _ = writeln!(text, "It started at {}, after {waited}{why}.", at(began));
    if let Some(named) = named(known, meanwhile, [submitted, began]) {
        let _ = writeln!(
            text,
            "Not booked yet when it came, and running before it started: {named}. The drawing has them last (░); its line of what was free is as it was known when the job came."
        );
    }
    if let Some(rule) = reasons::discipline(known.names()[2]) {
        let _ = writeln!(text, "{rule}");
    }
    if let Some((planned, [from, until])) = known.likely {
        let _ = writeln!(
            text,
            "When it came, it was planned for {}; as others had waited, four of five such jobs were to start between {} and {}.",
            at(planned),
            at(from),
            at(until),
        );
    }
    meanwhile
}

/// Who of those that were booked had what of these seconds.
fn in_the_way(known: &Known, window: [u64; 2]) -> String {
    named(known, &known.others, window).map_or(String::new(), |named| in_time("booked", &named))
}

fn in_time(how: &str, named: &str) -> String {
    format!("; {how} in that time, together or one after the other: {named}")
}

/// Who had what of these seconds, the most first; nothing where that is nobody.
fn named(known: &Known, others: &[Other], window: [u64; 2]) -> Option<String> {
    holders(known.had(others), window)
}

/// The same of those who had so much each.
fn holders<'o>(
    had: impl Iterator<Item = (Amount, &'o Other)>,
    [from, to]: [u64; 2],
) -> Option<String> {
    let others = had.map(|(had, other)| {
        let Booking { start, end, .. } = other.booking;
        let seconds = end.min(to).saturating_sub(start.max(from));
        (seconds, had, other)
    });
    let mut others: Vec<_> = others
        .filter(|(seconds, had, _)| *seconds > 0 && had.count() > 0)
        .collect();
    others.sort_by_key(|(seconds, had, _)| {
        std::cmp::Reverse(u128::from(*seconds) * u128::from(had.count()))
    });
    let named: Vec<String> = others
        .iter()
        .take(NAMED)
        .map(|(_, had, other)| {
            let some = match had {
                Amount::Groups(_) => "PEs of ",
                _ => "",
            };
            format!(
                "{} ({some}{}, {} to {})",
                other.name,
                words(*had),
                whole(other.booking.start),
                whole(other.booking.end)
            )
        })
        .collect();
    let more = match others.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {} more", whole(more as u64)),
    };
    (!named.is_empty()).then(|| format!("{}{more}", named.join(", ")))
}

/// What happened after the decision.
fn later(text: &mut String, known: &Known) {
    for (row, mover) in &known.moves {
        let _ = writeln!(text, "{}", moved(row, mover));
    }
    if let Some((by, when)) = known.request.as_ref().and_then(Reservation::broken) {
        let by = breaker(by);
        let lost = match known.job.ran() {
            Some(_) => ", and what it had run by then was lost",
            None => "",
        };
        let _ = writeln!(
            text,
            "At {} the promise was broken by {by}{lost}.",
            at(when)
        );
    }
    let ran = known.request.as_ref().and_then(|_| known.job.ran());
    if let Some(ran) = ran {
        let _ = writeln!(text, "{}", it_ran(&known.job, ran));
    }
    if let Some(breach) = known.breach() {
        text.push_str(&breached(known, breach));
        return;
    }
    let ending = match (&known.job.metadata, ran) {
        (metadata, None) if metadata.says(CANCELLED) => "It was cancelled before it started.",
        (metadata, Some(_)) if metadata.says(CANCELLED) => "It was cancelled while it ran.",
        (metadata, _) if metadata.says(EXPIRED) => {
            "It was held, and nobody confirmed it in time: the hold expired."
        }
        _ => return,
    };
    let _ = writeln!(text, "{ending}");
}

/// Why the promise to a reservation on top of others was broken, and for whom.
fn breached(known: &Known, (breach, [from, to]): (Breach, [u64; 2])) -> String {
    let late = || format!("its PEs were not free at {}", at(from));
    let (how, when) = match (breach, known.job.ran()) {
        (Breach::CutShort, _) => {
            let how = format!("it was stopped at {} for those who come first", at(from));
            (how, "started then")
        }
        (_, Some(_)) => {
            let how = format!(
                "{}, and it started {} late",
                late(),
                length(to.saturating_sub(from))
            );
            (how, "ran then")
        }
        _ if known.job.metadata.says(CANCELLED) => {
            (late() + ", and it was cancelled then", "ran then")
        }
        _ => (
            format!("{} or until {}, and it never ran", late(), at(to)),
            "ran in that time",
        ),
    };
    let who = named(known, &known.came_first, [from, to]);
    let who = who.map_or(String::new(), |who| format!("; {when}: {who}"));
    format!("The promise was broken: {how}{who}.\n")
}

fn breaker(by: Breaker) -> String {
    match by {
        Breaker::Outage(id) => format!("outage {id}"),
        Breaker::Rule(name) => format!("the rule {name}"),
        Breaker::Overrun(job) => format!("job {job}, which ran longer than was booked"),
    }
}

fn moved(row: &Move, mover: &Mover) -> String {
    let cause = match mover {
        Mover::Breaker(Breaker::Overrun(job)) if *job == row.job_id => {
            "it ran longer than was booked".to_owned()
        }
        Mover::Breaker(by) => breaker(*by),
        Mover::Operation(id) => format!("{} by operation {id}", row.cause),
        Mover::RoomFor(job) => format!("{} for job {job}", row.cause),
        Mover::GivenBack(job) => format!("{} into what job {job} gave back", row.cause),
        Mover::Nobody => row.cause.to_string(),
    };
    let when = at(row.time);
    let new = row.after();
    if row.cause == Cause::OverlayBooked.name() {
        return format!("At {when} all of its PEs became its own: {}.", booked(new));
    }
    if row.before() == Some(new) {
        return format!(
            "At {when} it was moved ({cause}) to other PEs at the same time, {}.",
            booked(new)
        );
    }
    let before = row
        .before()
        .map_or(String::new(), |old| format!(" from {},", booked(old)));
    format!(
        "At {when} it was moved ({cause}){before} to {}.",
        booked(new)
    )
}

fn booked(
    Booking {
        start,
        end,
        pes: width,
    }: Booking,
) -> String {
    format!("{} to {}, {}", whole(start), whole(end), pes(width))
}

fn it_ran(job: &Job<'_>, [start, finish]: [u64; 2]) -> String {
    let mut shown = String::new();
    for (first, last) in &job.allocated_resources.0 {
        let comma = if shown.is_empty() { "" } else { ", " };
        let _ = match first == last {
            true => write!(shown, "{comma}{first}"),
            false => write!(shown, "{comma}{first}-{last}"),
        };
    }
    let pes = match job.allocated_resources.0[..] {
        [] => String::new(),
        [(first, last)] if first == last => format!(" on PE {shown}"),
        _ => format!(" on PEs {shown}"),
    };
    match start == finish {
        // What the first part of a split leaves may be nothing.
        true => format!("Nothing of it was left to run at {}.", at(start)),
        false => format!("It ran from {} to {}{pes}.", at(start), at(finish)),
    }
}
