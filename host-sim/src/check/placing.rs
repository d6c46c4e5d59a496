//! Whether everything lies where it may on a machine with a layout. Rule 21.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::findings::Findings;
use crate::{
    engine::Cause,
    files::{Job, Move, Operation, Profile, Reservation},
    layout::{Asks, COLUMNS, Fragments, Layout, Use, fragments},
};

/// How many of each kind lie in each group.
type Spread = BTreeMap<u16, Vec<u8>>;

/// Without a layout, a row asks for none in particular.
pub(super) fn unasked(row: &Reservation, found: &mut Findings) {
    let unasked = row.asks().iter().all(|cell| cell.is_empty());
    found.require(row.job_id, unasked, || {
        "asks for some PEs, but metrics.json has no layout".to_owned()
    });
}

/// Follows every job to its processing elements.
pub(super) fn check(
    reservations: &[Reservation],
    jobs: &[Job<'_>],
    operations: &[Operation],
    layout: &Layout,
    found: &mut Findings,
) {
    let asked = asked(reservations, jobs, operations, layout, found);
    let promised: HashMap<u64, &Reservation> =
        reservations.iter().map(|row| (row.job_id, row)).collect();
    for job in jobs {
        groups(job, layout, found);
        let Some(asks) = asked.get(&job.job_id) else {
            continue;
        };
        let row = promised.get(&job.job_id);
        if let Some(row) = row.filter(|_| job.profile == Profile::Reservation) {
            exactly(row, job, asks, found);
        }
        if job.ran().is_some() {
            serves(job, asks, layout, found);
        }
    }
}

/// What each job asks for; the second part of one that was split, what the first does.
fn asked(
    reservations: &[Reservation],
    jobs: &[Job<'_>],
    operations: &[Operation],
    layout: &Layout,
    found: &mut Findings,
) -> HashMap<u64, Asks> {
    let mut asked = HashMap::new();
    let of_rows = reservations.iter().map(|row| (row.job_id, row.asks()));
    let queued = jobs.iter().filter(|job| job.is_best_effort());
    let of_queued = queued.map(|job| (job.job_id, job.metadata.asks()));
    for (job_id, cells) in of_rows.chain(of_queued) {
        match Asks::of_cells(layout, cells) {
            Ok(asks) => asked.extend(asks.map(|asks| (job_id, asks))),
            Err((place, problem)) => {
                let column = COLUMNS.get(place).copied().unwrap_or_default();
                found.add(Some(job_id), format!("{column}: {problem}"));
            }
        }
    }
    for operation in operations.iter().filter(|row| row.is_accepted()) {
        let first: Option<Asks> = asked.get(&operation.target).cloned();
        asked.extend(first.map(|asks| (operation.job_id, asks)));
    }
    asked
}

/// Whether it is told in which groups its processing elements lie, and whether they exist.
fn groups(job: &Job<'_>, layout: &Layout, found: &mut Findings) {
    let given_back = job.metadata.given_back.iter().map(|back| &back.pes);
    let mut all = [&job.allocated_resources].into_iter().chain(given_back);
    let missing = all.find_map(|pes| layout.missing_of(pes));
    if let Some(pe) = missing {
        let problem = format!("uses PE {pe}, which the machine does not have");
        found.add(Some(job.job_id), problem);
    }
    let lies_in = layout.groups_of(&job.allocated_resources);
    // An empty cell reads as none.
    let said = job.groups.clone().unwrap_or_default();
    found.require(job.job_id, said == lies_in, || {
        format!("groups: found \"{said}\", expected \"{lies_in}\"")
    });
}

/// Whether exactly those processing elements are used that were asked for, from the ready time on.
fn exactly(row: &Reservation, job: &Job<'_>, asks: &Asks, found: &mut Findings) {
    if !asks.is_exact() {
        return;
    }
    let id = row.job_id;
    found.require(id, row.pes == asks.on.width(), || {
        format!("asks for {} PEs, but on names {}", row.pes, asks.on.width())
    });
    let pes = &job.allocated_resources;
    found.require(id, job.ran().is_none() || *pes == asks.on, || {
        format!("uses PEs {pes}, asked for exactly {}", asks.on)
    });
}

/// Whether what it has serves what it asks for.
fn serves(job: &Job<'_>, asks: &Asks, layout: &Layout, found: &mut Findings) {
    let id = job.job_id;
    let spread = layout.spread(&job.allocated_resources);
    let eligible: BTreeSet<u16> = asks.eligible(layout).collect();
    if let Some(group) = spread.keys().find(|group| !eligible.contains(group)) {
        found.add(Some(id), format!("uses group {group}, which it may not"));
    }
    if let Some(problem) = uneven(&spread, asks, layout) {
        found.add(Some(id), problem);
    }
    let Some((level, true)) = &asks.within else {
        return;
    };
    let level = layout.level(level).unwrap_or_default();
    let blocks = spread.keys().map(|group| layout.block(level, *group));
    let blocks: BTreeSet<u16> = blocks.collect();
    found.require(id, blocks.len() <= 1, || {
        let name = &layout.levels[level].name;
        format!(
            "lies in {} blocks of the level {name}, asked for one",
            blocks.len()
        )
    });
}

/// The first group that does not give what was asked of each.
fn uneven(spread: &Spread, asks: &Asks, layout: &Layout) -> Option<String> {
    asks.per_group.as_ref()?;
    let each = asks.of_each(layout).unwrap_or_default();
    let right = |kinds: &Vec<u8>| {
        kinds
            .iter()
            .copied()
            .map(u64::from)
            .eq(each.iter().copied())
    };
    let (group, kinds) = spread.iter().find(|(_, kinds)| !right(kinds))?;
    let numbers = kinds.iter().copied().map(u64::from);
    Some(format!(
        "uses {} of group {group}, asked for {}",
        in_words(layout, numbers),
        in_words(layout, each.iter().copied())
    ))
}

fn in_words(layout: &Layout, numbers: impl Iterator<Item = u64>) -> String {
    let kinds = layout.kinds.iter().zip(numbers);
    let kinds = kinds.map(|(kind, pes)| format!("{}={pes}", kind.name));
    kinds.collect::<Vec<_>>().join(" ")
}

/// What cells of a row ask for, where they say something that can be meant.
pub(super) fn read(layout: &Layout, cells: [&str; COLUMNS.len()]) -> Option<Asks> {
    Asks::of_cells(layout, cells).ok()?
}

/// Why the machine can never serve so many PEs as a row asks for, as far as the row decides: by the name of the reason.
pub(super) fn never(asks: &Asks, pes: u64, layout: &Layout) -> Option<&'static str> {
    let (_, unit) = units(asks, layout)?;
    if unit == 0 || !pes.is_multiple_of(unit) {
        return Some("not-whole-groups");
    }
    let [asked, most] = asked_of_most(asks, pes, layout)?;
    (asked > most).then_some("not-eligible")
}

/// How many times so many PEs are what a row asks of each group, or how many PEs they are where it asks for a number, and how many times the whole machine serves
/// that, in one block where one has to hold all.
pub(super) fn asked_of_most(asks: &Asks, pes: u64, layout: &Layout) -> Option<[u64; 2]> {
    let (each, unit) = units(asks, layout)?;
    let all = |group| layout.of_each_kind(group);
    let asked = pes.checked_div(unit)?;
    Some([asked, most_units(asks, &each, layout, all)])
}

/// Whether those that are free serve so many PEs of what a row asks for.
pub(super) fn can_serve(
    asks: &Asks,
    pes: u64,
    layout: &Layout,
    is_free: impl Fn(u32) -> bool,
) -> bool {
    if asks.is_exact() {
        return asks.on.numbers().all(is_free);
    }
    let unit = units(asks, layout).map_or(0, |(_, unit)| unit);
    let asked = pes.checked_div(unit);
    asked.is_some_and(|asked| Some(asked) <= most_free(asks, layout, is_free))
}

/// How many times those that are free serve what a row asks of each group, or how many they are where it asks for a number, in one block where one has to hold all;
/// nothing for whole groups that differ.
pub(super) fn most_free(
    asks: &Asks,
    layout: &Layout,
    is_free: impl Fn(u32) -> bool,
) -> Option<u64> {
    let (each, _) = units(asks, layout)?;
    let mut free = BTreeMap::<u16, Vec<u64>>::new();
    for number in (0..layout.numbers()).filter(|number| is_free(*number)) {
        if let Some((kind, group)) = layout.place(number) {
            let kinds = free
                .entry(group)
                .or_insert_with(|| vec![0; layout.kinds.len()]);
            kinds[kind] += 1;
        }
    }
    let none = || vec![0; layout.kinds.len()];
    let of_group = |group: u16| free.get(&group).cloned().unwrap_or_else(none);
    Some(most_units(asks, &each, layout, of_group))
}

/// What is asked of each group, or one of any kind, and how many PEs that is; nothing for whole groups that differ.
fn units(asks: &Asks, layout: &Layout) -> Option<(Vec<u64>, u64)> {
    let each = match asks.per_group {
        None => vec![1],
        Some(_) => asks.of_each(layout)?,
    };
    let unit = each.iter().fold(0_u64, |sum, pes| sum.saturating_add(*pes));
    Some((each, unit))
}

/// How many times what is asked of each can be had, in one block where one has to hold all, of what groups have by kinds.
fn most_units(asks: &Asks, each: &[u64], layout: &Layout, has: impl Fn(u16) -> Vec<u64>) -> u64 {
    let units = |groups: &[u16]| -> u64 {
        let of_group = |group: &u16| {
            let has = has(*group);
            let mut kinds = each.iter().zip(&has);
            match asks.per_group {
                None => has.iter().sum(),
                Some(_) => u64::from(kinds.all(|(asked, has)| asked <= has)),
            }
        };
        groups.iter().map(of_group).sum()
    };
    let eligible: Vec<u16> = asks.eligible(layout).collect();
    match &asks.within {
        Some((level, true)) => {
            let level = layout.level(level).unwrap_or_default();
            let same =
                |one: &u16, other: &u16| layout.block(level, *one) == layout.block(level, *other);
            eligible.chunk_by(same).map(units).max().unwrap_or(0)
        }
        _ => units(&eligible),
    }
}

/// Why no class of what a row asks for can be made, by the name of the reason.
pub(super) fn no_class(asks: &Asks, layout: &Layout) -> Option<&'static str> {
    let mut eligible = asks.eligible(layout);
    if eligible.clone().all(|group| layout.all_of(group) == 0) {
        return Some("nothing-eligible");
    }
    asks.per_group.as_ref()?;
    let Some(each) = asks.of_each(layout) else {
        return Some("uneven-groups");
    };
    let some = each.iter().any(|pes| *pes > 0);
    (!some || !eligible.any(|group| layout.gives(group, &each))).then_some("bad-shape")
}

/// How scattered the jobs lie, by the tables.
pub(super) fn scattered(jobs: &[Job<'_>], layout: &Layout) -> Fragments {
    let from = jobs.iter().map(|job| job.submission_time).min();
    let uses = jobs.iter().flat_map(|job| {
        let start = job.starting_time;
        let kept = job
            .finish_time
            .map(|end| (end, &job.allocated_resources, true));
        let given_back = job.metadata.given_back.iter();
        let given_back = given_back.map(|back| (back.until, &back.pes, false));
        let uses = kept.into_iter().chain(given_back);
        uses.filter_map(move |(end, pes, kept)| {
            Some(Use {
                start: start?,
                end,
                pes: pes.clone(),
                kept,
            })
        })
    });
    fragments(layout, from, uses)
}

/// How often something was moved in space, and for how many newcomers.
pub(super) fn relocations(moves: &[Move]) -> [usize; 2] {
    let moves = moves
        .iter()
        .filter(|row| row.cause == Cause::Relocate.name());
    let newcomers: BTreeSet<Option<u64>> = moves.clone().map(|row| row.cause_job_id).collect();
    [moves.count(), newcomers.len()]
}
