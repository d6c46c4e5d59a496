//! Outages as CSV: `id,announced,start,end,groups_or_pes,kind`, times in seconds, in the order in which they become known.
//!
//! `kind` is `failure`, which is known when it begins, or `maintenance`. `groups_or_pes` is an interval set such as `3 7-9`, of groups where the machine
//! has a layout, else of processing elements. A row with the `id` of an earlier one says what is known now: other times, or, with `end` = `start`, that the outage
//! is taken back.

use std::{collections::HashMap, path::Path};

use serde::Deserialize;

use crate::{
    error::{Error, Result},
    files::{self, PeRanges, TableRow},
    layout::Layout,
    outage::{Notice, OutageKind},
};

/// The columns.
pub const COLUMNS: [&str; 6] = ["id", "announced", "start", "end", "groups_or_pes", "kind"];

/// A row of the file.
#[derive(serde::Serialize, Deserialize)]
struct Line {
    id: u64,
    announced: u64,
    start: u64,
    end: u64,
    groups_or_pes: String,
    kind: OutageKind,
}

impl files::Row for Line {
    const COLUMNS: &'static [&'static str] = &COLUMNS;

    fn check(&self) -> std::result::Result<(), (&'static str, String)> {
        let &Self {
            announced,
            start,
            end,
            kind,
            ..
        } = self;
        if end < start {
            return Err(("end", format!("{start} or later, as the start is")));
        }
        if kind == OutageKind::Failure && start > announced {
            let expected = format!("{announced} or earlier: a failure is known when it begins");
            return Err(("start", expected));
        }
        Ok(())
    }
}

/// Reads the outages of a machine of so many processing elements, which may have a layout.
///
/// # Errors
/// [`Error::Usage`] where there is no such file; [`Error::Io`] if it cannot be read; [`Error::Input`] with line and column if something in it is wrong.
pub fn read(file: &Path, pes: u16, layout: Option<&Layout>) -> Result<Vec<Notice>> {
    let mut latest = 0;
    let mut known: HashMap<u64, (String, OutageKind)> = HashMap::new();
    let lines = files::read_lines(file, &COLUMNS, |line| {
        Ok((
            line.row::<Line>()?,
            parse_set(line, pes, layout)?,
            line.number(),
        ))
    })?;
    let lines =
        lines.ok_or_else(|| Error::Usage(format!("--outages {}: no such file", file.display())))?;
    let mut notices = Vec::with_capacity(lines.len());
    for (line, set, number) in lines {
        let wrong = |column, problem| {
            Err(crate::text_file::input_error(
                file,
                number,
                Some(column),
                problem,
            ))
        };
        if line.announced < latest {
            let problem = format!(
                "found {}, expected {latest} or later: rows are in the order in which they become known",
                line.announced
            );
            return wrong("announced", problem);
        }
        latest = line.announced;
        let over = line.start < line.end && line.end <= line.announced;
        if over && !known.contains_key(&line.id) {
            let problem = format!(
                "found {}, expected a second before the end, {}: an outage that is over takes nothing",
                line.announced, line.end
            );
            return wrong("announced", problem);
        }
        let same = (line.groups_or_pes.clone(), line.kind);
        match known.get(&line.id) {
            Some((set, kind)) if (set, kind) != (&same.0, &same.1) => {
                let problem = format!(
                    "found another set or kind for outage {}, expected {set:?} and {kind} as before",
                    line.id
                );
                return wrong("id", problem);
            }
            _ => known.insert(line.id, same),
        };
        notices.push(Notice {
            id: line.id,
            announced: line.announced,
            start: line.start,
            end: line.end,
            pes: set,
            kind: line.kind,
        });
    }
    Ok(notices)
}

/// The processing elements of a row.
fn parse_set(line: &TableRow<'_>, pes: u16, layout: Option<&Layout>) -> Result<Vec<(u16, u16)>> {
    const COLUMN: &str = "groups_or_pes";
    let cell = line.cell(COLUMN);
    if cell.starts_with("n:") {
        let expected = "an interval set such as 3 7-9: which processing elements leave, not how many, since they are assigned when a reservation is made";
        return Err(line.wrong(COLUMN, expected));
    }
    let set = PeRanges::parse(cell).filter(|set| !set.is_empty());
    let set = set.ok_or_else(|| line.wrong(COLUMN, "an interval set such as 3 7-9"))?;
    let (count, these) = layout.map_or((pes, "PEs"), |layout| (layout.groups, "groups"));
    if let Some(expected) = set.fault(count.into(), these) {
        return Err(line.wrong(COLUMN, &expected));
    }
    Ok(layout
        .map_or(set.clone(), |layout| layout.pes_of(&set))
        .narrow())
}
