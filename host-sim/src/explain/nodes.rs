//! What a job asks of nodes and blocks, and how many of them there are, in sentences.

use super::{pes, whole, words};
use crate::{
    check::{Amount, Extent, Known, PerGroup},
    report::words::plural,
};

/// So much of what a job may have, by what decides about it.
pub(super) fn counted(known: &Known, count: u64) -> String {
    words(known.so_many(count)) + &in_one_block(known.block())
}

pub(super) fn in_one_block(level: Option<&str>) -> String {
    level.map_or(String::new(), |level| format!(" in one {level}"))
}

/// How much of the machine a job may have.
pub(super) fn may_have(known: &Known, [some, all]: [u64; 2]) -> String {
    let some = pes(some);
    if let Some([nodes, of]) = known.some_groups() {
        return format!(
            "By what it asks for, {} of the {} nodes of the machine would do, with {some} that it may have; only of these is told what was free and who had some.\n",
            whole(nodes),
            whole(of),
        );
    }
    let told = match known.knows_sets() {
        true => "only of these is told what was free and who had some",
        false => {
            "which PEs were free then is not known, as reservations may have been given others since, so that what follows is about all of them"
        }
    };
    let all = whole(all);
    format!("It may have {some} of the {all} of the machine, by what it asks for; {told}.\n")
}

/// What a job asks of nodes and blocks, behind its number of PEs.
pub(super) fn shape(known: &Known) -> String {
    let nodes = known.per_group().map(|each| of_nodes(&each));
    let block = known.within().map(|(level, required)| match required {
        true => format!("in one {level}"),
        false => format!("in one {level} where that is possible"),
    });
    let shape: Vec<String> = nodes.into_iter().chain(block).collect();
    match shape.is_empty() {
        true => String::new(),
        false => format!(", {},", shape.join(" ")),
    }
}

fn of_nodes(asked: &PerGroup) -> String {
    let kinds = asked.kinds.iter().map(|(kind, pes)| match pes {
        1 => format!("1 {kind}"),
        // A name may be a plural itself.
        _ => format!("{} {}s", whole(*pes), kind.trim_end_matches('s')),
    });
    let kinds = kinds.collect::<Vec<_>>().join(" and ");
    let whole = if asked.is_all { "whole " } else { "" };
    let nodes = match asked.groups {
        Some(groups) => plural(
            usize::try_from(groups).unwrap_or(usize::MAX),
            &format!("{whole}node"),
        ),
        None => format!("{whole}nodes"),
    };
    let of = if asked.is_all { "of" } else { "with" };
    let each = if asked.groups == Some(1) { "" } else { " each" };
    match kinds.is_empty() {
        true => format!("on {nodes}"),
        false => format!("on {nodes} {of} {kinds}{each}"),
    }
}

/// All that a job may have, by what decides about it.
pub(super) fn of_all(known: &Known) -> String {
    let would_do = match known.all() {
        Amount::Groups(_) => " that would do",
        _ => "",
    };
    let block = in_one_block(known.block());
    format!("{}{would_do}{block}", whole(known.all().count()))
}

/// How many nodes a job asks for, or PEs of one block; nothing where its number of PEs, which was told before, is all that it asks for.
pub(super) fn wanted(known: &Known) -> Option<String> {
    let extent = known.extent().filter(|_| known.is_shaped())?;
    Some(words(extent.asked) + &in_one_block(extent.within))
}

/// What a machine never has enough of.
pub(super) fn lacks(extent: &Extent<'_>) -> String {
    let (asked, most) = (words(extent.asked), words(extent.most));
    let each = match extent.asked {
        Amount::Groups(_) => " with what it asks of each",
        _ => "",
    };
    match extent.within {
        Some(level) => {
            format!(
                "It asks for {asked} in one {level}; of those that it accepts, none has more than {most}{each}.\n"
            )
        }
        None => format!("It asks for {asked}; where it accepts them there are {most}{each}.\n"),
    }
}
