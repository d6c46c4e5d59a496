//! What one row says: a request, or an operation on one.

use std::{array, path::Path, sync::Arc};

use csv::StringRecord;

use super::{Asked, COLUMNS, KINDS, OPERATION_COLUMNS, TRAIT_COLUMNS};
use crate::{
    error::{Error, Result},
    layout::{self, Asks, Layout},
    operation::{Action, Operation},
    request::{BestEffortRequest, Demand, Hold, JobRequest},
    several::{self, Principal},
    text_file::input_error,
};

/// The words for a request, beside an empty cell for the first.
const REQUESTS: [&str; 2] = ["reserve", "hold"];

/// Something for each of [`TRAIT_COLUMNS`].
type Traits<T> = [T; TRAIT_COLUMNS.len()];

/// Something for each of [`layout::COLUMNS`].
type Placing<T> = [T; layout::COLUMNS.len()];

/// Something for each of [`several::COLUMNS`].
type Beside<T> = [T; several::COLUMNS.len()];

/// A row as it reads.
pub(super) enum ScriptRow {
    Demand(Demand),
    /// The number of demands before it is not known here.
    Operation(Operation),
}

/// Where the columns stand.
pub(super) struct Columns<'l> {
    /// Those of [`COLUMNS`].
    places: [usize; COLUMNS.len()],
    /// Those of [`OPERATION_COLUMNS`].
    operations: [Option<usize>; OPERATION_COLUMNS.len()],
    /// Those of [`TRAIT_COLUMNS`].
    traits: Traits<Option<usize>>,
    /// Those of [`layout::COLUMNS`], with the layout that they are about.
    placing: Option<(&'l Layout, Placing<Option<usize>>)>,
    /// Those of [`several::COLUMNS`] that are read.
    beside: Beside<Option<usize>>,
    /// What those are about.
    asked: Asked<'l>,
    width: usize,
}

impl<'l> Columns<'l> {
    pub(super) fn find(
        file: &Path,
        line: u64,
        header: &StringRecord,
        asked: Asked<'l>,
    ) -> Result<Self> {
        let find = |name: &str| {
            let mut found = header.iter().enumerate().filter(|(_, cell)| *cell == name);
            match (found.next(), found.next()) {
                (Some(_), Some(_)) => {
                    let problem = "found the column twice in the header, expected it once";
                    Err(input_error(
                        file,
                        Some(line),
                        Some(name),
                        problem.to_owned(),
                    ))
                }
                (first, _) => Ok(first.map(|(place, _)| place)),
            }
        };
        let mut places = [0; COLUMNS.len()];
        for (place, name) in places.iter_mut().zip(COLUMNS) {
            *place = find(name)?.ok_or_else(|| {
                let problem = format!(
                    "found no such column in the header, expected {}",
                    COLUMNS.join(",")
                );
                input_error(file, Some(line), Some(name), problem)
            })?;
        }
        let mut operations = [None; OPERATION_COLUMNS.len()];
        for (place, name) in operations.iter_mut().zip(OPERATION_COLUMNS) {
            *place = find(name)?;
        }
        let mut traits = [None; TRAIT_COLUMNS.len()];
        for (place, name) in traits.iter_mut().zip(TRAIT_COLUMNS) {
            *place = find(name)?;
        }
        let mut beside = [None; several::COLUMNS.len()];
        let names = several::COLUMNS.into_iter().zip(asked.reads());
        for (place, (name, _)) in beside.iter_mut().zip(names).filter(|(_, name)| name.1) {
            *place = find(name)?;
        }
        let placing = match asked.layout {
            None => None,
            Some(layout) => {
                let mut placing = [None; layout::COLUMNS.len()];
                for (place, name) in placing.iter_mut().zip(layout::COLUMNS) {
                    *place = find(name)?;
                }
                Some((layout, placing))
            }
        };
        Ok(Self {
            places,
            operations,
            traits,
            placing,
            beside,
            asked,
            width: header.len(),
        })
    }

    pub(super) fn row(&self, file: &Path, line: u64, record: &StringRecord) -> Result<ScriptRow> {
        if record.len() != self.width {
            let problem = format!(
                "found {} cells, expected {} as in the header",
                record.len(),
                self.width
            );
            return Err(input_error(file, Some(line), None, problem));
        }
        let cells = Cells { file, line };
        let mut texts = [""; COLUMNS.len()];
        for (text, place) in texts.iter_mut().zip(self.places) {
            *text = record.get(place).unwrap_or_default();
        }
        let cell = |place: Option<usize>| place.and_then(|place| record.get(place));
        let [op, target, ttl] = self.operations.map(|place| cell(place).unwrap_or_default());
        let traits = self.traits.map(|place| cell(place).unwrap_or_default());
        let [kind, ..] = traits;
        let op = if op.is_empty() { "reserve" } else { op };
        let asks = match self.placing {
            None => None,
            Some((layout, places)) => {
                let asked = places.map(|place| cell(place).unwrap_or_default());
                let named: Placing<_> =
                    array::from_fn(|place| (layout::COLUMNS[place], asked[place]));
                let asks_of = REQUESTS.contains(&op);
                if !asks_of {
                    cells.unused(op, named)?;
                }
                if kind == KINDS[1] {
                    let [.., on] = named;
                    cells.unused(kind, [on])?;
                }
                let asks = Asks::of_cells(layout, asked).map_err(|(place, problem)| {
                    let column = layout::COLUMNS.get(place).copied();
                    input_error(file, Some(line), column, problem)
                })?;
                asks.filter(|_| asks_of).map(|asks| (layout, asks))
            }
        };
        let beside = self.beside.map(|place| cell(place).unwrap_or_default());
        let [reservation, best_effort] = KINDS;
        let is_request = REQUESTS.contains(&op) && kind != best_effort;
        if !is_request {
            let named: Beside<_> = array::from_fn(|place| (several::COLUMNS[place], beside[place]));
            let what = if kind == best_effort { kind } else { op };
            cells.unused(what, named)?;
        }
        let beside = (beside, self.asked);
        match op {
            "reserve" if kind == best_effort => {
                cells.unused(kind, [("target", target), ("ttl", ttl)])?;
                let job = cells.best_effort(texts, traits, asks)?;
                Ok(ScriptRow::Demand(Demand::BestEffort(job)))
            }
            "reserve" | "hold" if !["", reservation].contains(&kind) => {
                let expected = match op {
                    "hold" => format!("{reservation} or an empty cell beside a hold"),
                    _ => format!("{} or an empty cell", KINDS.join(", ")),
                };
                Err(cells.wrong("kind", kind, &expected))
            }
            "reserve" => {
                cells.unused(op, [("target", target), ("ttl", ttl)])?;
                Ok(ScriptRow::Demand(Demand::Reserve(
                    cells.request(texts, traits, asks, beside)?,
                )))
            }
            "hold" => {
                cells.unused(op, [("target", target)])?;
                let request = cells.request(texts, traits, asks, beside)?;
                let ttl = cells.optional("ttl", ttl)?;
                Ok(ScriptRow::Demand(Demand::Hold(Hold { request, ttl })))
            }
            _ => {
                let operation = cells.operation(op, texts, target)?;
                cells.unused(op, [("ttl", ttl)])?;
                let named = |place| (TRAIT_COLUMNS[place], traits[place]);
                let named: Traits<_> = array::from_fn(named);
                cells.unused(op, named)?;
                Ok(ScriptRow::Operation(operation))
            }
        }
    }
}

/// Makes numbers of the cells of a line.
struct Cells<'a> {
    file: &'a Path,
    line: u64,
}

impl Cells<'_> {
    fn best_effort(
        &self,
        texts: [&str; COLUMNS.len()],
        traits: Traits<&str>,
        asks: Option<(&Layout, Asks)>,
    ) -> Result<BestEffortRequest> {
        let [
            kind,
            user,
            shortest,
            flexible,
            run_time,
            wait,
            preemptible,
            min_run,
        ] = traits;
        let [job_id, arrival, ready, duration, deadline, pes] = texts;
        let unused = [("ready", ready), ("deadline", deadline)];
        self.unused(kind, unused)?;
        let unused = [
            ("duration_min", shortest),
            ("flexible", flexible),
            ("wait", wait),
        ];
        self.unused(kind, unused)?;
        let estimate = self.number("duration", duration)?;
        Ok(BestEffortRequest {
            job_id: self.number("job_id", job_id)?,
            arrival: self.number("arrival", arrival)?,
            pes: match width(asks.as_ref()) {
                Some(width) => self.same("pes", pes, width)?,
                None => self.number("pes", pes)?,
            },
            estimate,
            run: match run_time {
                "" => estimate,
                text => self.number("run_time", text)?,
            },
            window: None,
            pinned: !self.yes("preemptible", preemptible)?,
            min_run: self.optional("min_run", min_run)?,
            user: self.user(user)?,
            asks: asks.map(|(_, asks)| Arc::new(asks)),
        })
    }

    fn request(
        &self,
        texts: [&str; COLUMNS.len()],
        traits: Traits<&str>,
        asks: Option<(&Layout, Asks)>,
        ([principal, needs], asked): (Beside<&str>, Asked<'_>),
    ) -> Result<JobRequest> {
        let [
            _,
            user,
            shortest,
            flexible,
            run_time,
            wait,
            preemptible,
            min_run,
        ] = traits;
        let unused = [("preemptible", preemptible), ("min_run", min_run)];
        self.unused(KINDS[0], unused)?;
        let mut values = [0; COLUMNS.len()];
        let width = width(asks.as_ref());
        for ((value, text), name) in values.iter_mut().zip(texts).zip(COLUMNS) {
            *value = match (name, width) {
                ("pes", Some(width)) => self.same(name, text, width)?,
                _ => self.number(name, text)?,
            };
        }
        let [job_id, arrival, ready, duration, deadline, pes] = values;
        let shortest = match shortest {
            "" => None,
            text => Some(self.shortest(text, duration)?),
        };
        let run = match run_time {
            "" => duration,
            text => self.number("run_time", text)?,
        };
        let user = self.user(user)?;
        let needs = several::needs(needs, asked.resources)
            .map_err(|expected| self.wrong("needs", needs, &expected))?;
        Ok(JobRequest {
            job_id,
            arrival,
            ready,
            duration,
            shortest,
            deadline,
            pes,
            run,
            flexible: self.yes("flexible", flexible)?,
            impatient: !self.yes("wait", wait)?,
            user,
            asks: asks.map(|(_, asks)| Arc::new(asks)),
            principal: self.principal(principal, user, asked.quotas)?,
            needs: needs.map(Arc::from),
        })
    }

    /// Whose quotas a request is charged to: a name has to be there, and of users only some may be.
    fn principal(
        &self,
        text: &str,
        user: Option<u64>,
        quotas: &[Principal],
    ) -> Result<Option<usize>> {
        if text.is_empty() {
            return Ok(several::of_user(quotas, user));
        }
        let found = several::find(quotas, text);
        let wrong = || {
            self.wrong(
                "principal",
                text,
                "a name that the file of quotas has, or an empty cell",
            )
        };
        found.map(Some).ok_or_else(wrong)
    }

    /// A number that other cells say already.
    fn same(&self, name: &str, text: &str, said: u64) -> Result<u64> {
        match text {
            "" => Ok(said),
            _ if whole_number(text) == Some(said) => Ok(said),
            _ => {
                let expected = format!("{said}, as other cells of the row say, or an empty cell");
                Err(self.wrong(name, text, &expected))
            }
        }
    }

    fn operation(&self, op: &str, texts: [&str; COLUMNS.len()], target: &str) -> Result<Operation> {
        let Some(form) = Action::from_cells(op, [1; 4]) else {
            let names = [REQUESTS.as_slice(), Action::NAMES.as_slice()].concat();
            let expected = format!("{} or an empty cell", names.join(", "));
            return Err(self.wrong("op", op, &expected));
        };
        let [job_id, arrival, rest @ ..] = texts;
        let [id_name, arrival_name, names @ ..] = COLUMNS;
        let job_id = self.number(id_name, job_id)?;
        let arrival = self.number(arrival_name, arrival)?;
        let mut values = [0; 4];
        for (((value, text), name), used) in
            values.iter_mut().zip(rest).zip(names).zip(form.cells())
        {
            match (used, form) {
                (None, _) => self.unused(op, [(name, text)])?,
                (Some(_), Action::Complete { .. }) => {
                    *value = self.optional(name, text)?.unwrap_or(0);
                }
                (Some(_), _) => *value = self.number(name, text)?,
            }
        }
        let target = whole_number(target).ok_or_else(|| {
            self.wrong("target", target, "the job_id that the operation is about")
        })?;
        Ok(Operation {
            job_id,
            arrival,
            target,
            action: Action::from_cells(op, values).unwrap_or(form),
            after: 0,
        })
    }

    fn number(&self, name: &str, text: &str) -> Result<u64> {
        whole_number(text).ok_or_else(|| self.wrong(name, text, "a whole number of 0 or more"))
    }

    /// Yes, where nothing else is said.
    fn yes(&self, name: &str, text: &str) -> Result<bool> {
        match text {
            "" | "1" => Ok(true),
            "0" => Ok(false),
            _ => Err(self.wrong(name, text, "1, 0 or an empty cell")),
        }
    }

    fn user(&self, text: &str) -> Result<Option<u64>> {
        match (text, whole_number(text)) {
            ("", _) => Ok(None),
            (_, Some(user)) => Ok(Some(user)),
            _ => Err(self.wrong("user", text, "the number of a user or an empty cell")),
        }
    }

    /// A length that is of use, and no longer than the longest.
    fn shortest(&self, text: &str, longest: u64) -> Result<u64> {
        let shortest = whole_number(text).filter(|shortest| (1..=longest).contains(shortest));
        let expected =
            || format!("a whole number from 1 to the duration {longest}, or an empty cell");
        shortest.ok_or_else(|| self.wrong("duration_min", text, &expected()))
    }

    /// A number; nothing for an empty cell or 0.
    fn optional(&self, name: &str, text: &str) -> Result<Option<u64>> {
        match text {
            "" => Ok(None),
            _ => Ok(Some(self.number(name, text)?).filter(|number| *number > 0)),
        }
    }

    /// A cell that would have no effect would be taken for one with effect.
    fn unused<const N: usize>(&self, op: &str, cells: [(&str, &str); N]) -> Result<()> {
        let given = cells
            .into_iter()
            .find(|(_, text)| !text.is_empty() && whole_number(text) != Some(0));
        match given {
            Some((name, text)) => {
                let expected = format!("an empty cell or 0, which {op} does not use");
                Err(self.wrong(name, text, &expected))
            }
            None => Ok(()),
        }
    }

    fn wrong(&self, name: &str, text: &str, expected: &str) -> Error {
        let problem = format!("found {text:?}, expected {expected}");
        input_error(self.file, Some(self.line), Some(name), problem)
    }
}

/// Digits only: Rust's own parser would also take `+5`.
fn whole_number(cell: &str) -> Option<u64> {
    cell.parse()
        .ok()
        .filter(|_| cell.bytes().all(|byte| byte.is_ascii_digit()))
}

/// How many processing elements are asked for, where what is asked of groups says so.
fn width(asks: Option<&(&Layout, Asks)>) -> Option<u64> {
    asks.and_then(|(layout, asks)| asks.pes(layout))
}
