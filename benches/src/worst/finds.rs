//! The file of the slowest states: a line of JSON for each search.

use std::{fs, io, path::Path};

use serde::{Deserialize, Serialize};

use super::{Sought, State, Structure};

/// The slowest state that was found of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Find {
    /// The structure.
    pub structure: Structure,
    /// The search.
    pub search: Sought,
    /// How many times as long as one pass over all slots it took when it was found.
    pub over_floor: f64,
    /// How long it took then (ns).
    pub ns: f64,
    /// The state, and the request.
    pub state: State,
}

/// The finds that are kept with these benches.
///
/// # Panics
///
/// When the file is damaged, which a test finds out.
#[must_use]
pub fn kept() -> Vec<Find> {
    parse(include_str!("../../finds.jsonl")).expect("a test reads it")
}

/// The finds of a text.
///
/// # Errors
///
/// What is wrong with which line.
pub fn parse(text: &str) -> Result<Vec<Find>, String> {
    let lines = (1..).zip(text.lines());
    let find = |(number, line): (usize, &str)| {
        let find: Find =
            serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
        let mut valid = find.state.clone();
        valid.fit();
        if valid != find.state {
            return Err(format!(
                "line {number}: numbers beyond their ranges; the nearest state is {valid}"
            ));
        }
        Ok(find)
    };
    lines.map(find).collect()
}

/// Reads a file; one that does not exist has no finds.
///
/// # Errors
///
/// When it cannot be read, or a line is wrong.
pub fn read(path: &Path) -> Result<Vec<Find>, String> {
    let explain = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    match fs::read_to_string(path) {
        Ok(text) => parse(&text).map_err(|error| explain(&error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(explain(&error)),
    }
}

/// Writes a file, which is the old one or the new one whenever the program is stopped.
///
/// # Errors
///
/// When it cannot be written.
pub fn write(path: &Path, finds: &[Find]) -> Result<(), String> {
    let explain = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let mut text = String::new();
    for find in finds {
        text += &serde_json::to_string(find).map_err(|error| explain(&error))?;
        text.push('\n');
    }
    let new = path.with_added_extension("new");
    fs::write(&new, text)
        .and_then(|()| fs::rename(&new, path))
        .map_err(|error| explain(&error))
}

/// The same finds, with `find` in place of the one for the same search; in order of structures and searches.
pub fn replace(finds: &mut Vec<Find>, find: &Find) {
    let place = |find: &Find| {
        let number = Sought::all()
            .iter()
            .position(|sought| *sought == find.search);
        (find.structure, number)
    };
    match finds.binary_search_by_key(&place(find), place) {
        Ok(known) => finds[known] = find.clone(),
        Err(gap) => finds.insert(gap, find.clone()),
    }
}
