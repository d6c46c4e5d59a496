//! Looks slot by slot whether there was room where the desk has refused. It shares nothing with the kernel: it reads what `serve --audit` has written from its input.

use std::{
    io::{self, BufRead},
    process::ExitCode,
};

fn main() -> ExitCode {
    let (mut refusals, mut by_room, mut wrong) = (0_u32, 0_u32, 0_u32);
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let Some(room) = line.ok().as_deref().and_then(start) else {
            eprintln!(
                "line {}: expected \"NOW HORIZON READY DURATION DEADLINE NODES ELIGIBLE START-END:NODES ...\"",
                number + 1
            );
            return ExitCode::from(2);
        };
        refusals += 1;
        match room {
            Found::NotAsked => (),
            Found::No => by_room += 1,
            Found::Start(slot) => {
                wrong += 1;
                eprintln!("line {}: there was room from slot {slot}", number + 1);
            }
        }
    }
    println!("refusals {refusals} for_want_of_room {by_room} wrong {wrong}");
    if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

enum Found {
    /// The window is too short, over, or beyond the horizon: no room would help.
    NotAsked,
    No,
    Start(u64),
}

/// Tries every slot of the window.
fn start(line: &str) -> Option<Found> {
    let mut words = line.split(' ');
    let mut number = || words.next()?.parse::<u64>().ok();
    let (now, horizon, ready, duration, deadline, nodes) = (
        number()?,
        number()?,
        number()?,
        number()?,
        number()?,
        number()?,
    );
    let list = |text: &str| {
        text.split(',')
            .map(|node| node.parse::<usize>().ok())
            .collect::<Option<Vec<usize>>>()
    };
    let eligible = list(words.next()?)?;
    let mut rows = Vec::new();
    for row in words {
        let (window, nodes) = row.split_once(':')?;
        let (start, end) = window.split_once('-')?;
        rows.push((
            start.parse::<u64>().ok()?,
            end.parse::<u64>().ok()?,
            list(nodes)?,
        ));
    }
    if ready + duration > deadline || deadline > now + horizon || ready < now {
        return Some(Found::NotAsked);
    }
    for start in ready..=deadline - duration {
        let end = start + duration;
        let is_free = |node: &&usize| {
            !rows
                .iter()
                .any(|(from, until, nodes)| *from < end && start < *until && nodes.contains(node))
        };
        if eligible.iter().filter(is_free).count() as u64 >= nodes {
            return Some(Found::Start(start));
        }
    }
    Some(Found::No)
}
