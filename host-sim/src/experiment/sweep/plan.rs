//! The plan of a sweep, read with the places of its keys.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use serde_json::{Value as Json, json};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    PLAN,
    grid::{Grid, Shard},
};
use crate::{
    error::{Error, Result},
    experiment::store::hash_of,
    manifest::Manifest,
    report::words::grouped,
    text_file::{self, input_error},
    toml_text::{self, Source, found, integer},
};

/// The keys beside the options of a run.
pub(super) const KEYS: [&str; 7] = [
    "seed",
    "replications",
    "measures",
    "compare",
    "parts",
    "run",
    "exclude",
];

/// More replications than any interval needs; a larger number is a mistake.
const MOST_REPLICATIONS: i64 = 1_000_000;

/// With all replications behind it, still a number that every reader of tables takes exactly.
const MOST_SEED: i64 = 1 << 52;

/// What is to be run and what is to be measured.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(super) file: PathBuf,
    /// The file as it is.
    pub(super) text: String,
    /// Seed of the first replication.
    pub(super) seed: u64,
    pub(crate) replications: u32,
    /// Keys of metrics.json; a dot reaches nested keys.
    pub(super) measures: Vec<Placed<String>>,
    /// Options of a run in the order of the file.
    pub(super) settings: Vec<Setting>,
    /// The line of `[run]`.
    pub(super) run_line: Option<u64>,
    /// Tables `[[exclude]]`, each with some axes and values of them: a point that has one of the values on every axis of such a table is
    /// left out.
    excluded: Vec<Vec<Setting>>,
    /// What is compared, pair by pair. It says nothing of runs, so that it may change behind them.
    pub(super) compared: Option<Compared>,
    /// Hashes of the files that runs read, in the order in which points name them.
    pub(super) inputs: Vec<String>,
}

/// Axes by their places among the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Compared {
    /// The axis whose values are compared.
    pub(super) axis: usize,
    /// The axis whose values are samples of what they are compared on, such as parts of a log.
    pub(super) parts: Option<usize>,
}

/// Something and the line it stands on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed<T> {
    pub(super) value: T,
    pub(super) line: u64,
}

/// An option of a run with its value, or an axis with its values.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    /// Its name in the plan.
    pub(super) key: String,
    pub(super) line: u64,
    pub(super) values: Vec<Placed<Value>>,
    /// Whether it is a list in the plan: then it is a column of the results, with one value too.
    pub(super) is_axis: bool,
}

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// true or false.
    Flag(bool),
    /// A number or text, as it would be on a command line.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Setting {
    /// The long option of that name.
    pub(super) fn option(&self) -> String {
        self.key.replace('_', "-")
    }

    fn lists(&self, value: &Placed<Value>) -> bool {
        self.values.iter().any(|known| known.value == value.value)
    }

    /// It as JSON.
    fn entry(&self) -> (String, Json) {
        let mut values = self.values.iter().map(|value| value.value.to_string());
        let value = match self.is_axis {
            true => values.collect::<Vec<_>>().into(),
            false => Json::from(values.next()),
        };
        (self.option(), value)
    }
}

impl Plan {
    /// Reads a plan. Whether its options exist and its values are possible is another question.
    ///
    /// # Errors
    /// [`Error::Input`] with file, line and key for whatever is no plan, several of them at once in an [`Error::Several`];
    /// [`Error::Io`] if the file cannot be read.
    pub(crate) fn read(file: &Path) -> Result<Self> {
        Self::parse(file, text_file::read(file)?)
    }

    /// Takes a text for the content of a file.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn parse(file: &Path, text: String) -> Result<Self> {
        let document = toml_text::document(file, &text)?;
        let mut reader = Reader {
            source: Source { file, text: &text },
            errors: Vec::new(),
        };
        let plan = reader.plan(document.get_ref());
        Error::unless_empty(reader.errors)?;
        Ok(Self { text, ..plan })
    }

    /// The plan of the sweep in a result folder, with the files that its runs have read.
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`Error::Usage`] for a sweep with a file for each run.
    pub(crate) fn of(dir: &Path, held: &Manifest) -> Result<Self> {
        if held.is_outdated() {
            return Err(Error::Usage(format!(
                "{}: holds a sweep with a file for each run, as earlier versions kept them, which this one does not read: use that version, or make \
                 the sweep again, into another folder or with --force into this one",
                dir.display()
            )));
        }
        let hashes = held.options.get("inputs").and_then(Json::as_array);
        let hashes = hashes.into_iter().flatten().filter_map(Json::as_str);
        Ok(Self {
            inputs: hashes.map(str::to_owned).collect(),
            ..Self::read(&dir.join(PLAN))?
        })
    }

    /// A seed said elsewhere must be the plan's, which is what the results are known by.
    ///
    /// # Errors
    /// [`Error::Usage`] if it is another.
    pub(crate) fn check_seed(&self, given: Option<u64>) -> Result<()> {
        match given.filter(|seed| *seed != self.seed) {
            None => Ok(()),
            Some(seed) => Err(Error::Usage(format!(
                "--seed {seed}: {} says seed = {}; change it there",
                self.file.display(),
                self.seed
            ))),
        }
    }

    /// The axes in their order.
    pub(super) fn axes(&self) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(|setting| setting.is_axis)
    }

    /// The name of the axis whose values are compared, if any are.
    pub(crate) fn compares(&self) -> Option<&str> {
        let axis = self.axes().nth(self.compared?.axis)?;
        Some(&axis.key)
    }

    /// All points.
    pub(super) fn grid(&self) -> Grid<'_, Placed<Value>> {
        Grid::new(self.axes().map(|axis| axis.values.as_slice()).collect())
    }

    /// How many points to be run differ from this one in this setting at most.
    pub(super) fn alike(&self, key: &str, point: usize) -> usize {
        let axis = self.axes().position(|axis| axis.key == key);
        axis.map_or(1, |axis| {
            let grid = self.grid();
            let points = grid.along(axis, point);
            points
                .filter(|point| self.has(*point, Shard::WHOLE))
                .count()
        })
    }

    /// The value of each setting at a point.
    pub(super) fn at(&self, point: usize) -> impl Iterator<Item = (&Setting, &Placed<Value>)> {
        let mut on_axes = self.grid().at(point).into_iter();
        self.settings.iter().filter_map(move |setting| {
            let value = match setting.is_axis {
                true => on_axes.next(),
                false => setting.values.first(),
            };
            Some((setting, value?))
        })
    }

    /// How many points there are with those that are left out.
    pub(super) fn size(&self) -> usize {
        self.grid().points().unwrap_or_default()
    }

    /// The points of a shard that are to be run.
    pub(super) fn points(&self, shard: Shard) -> impl Iterator<Item = usize> {
        (0..self.size()).filter(move |point| self.has(*point, shard))
    }

    /// Whether a shard has a point, and it is to be run.
    pub(super) fn has(&self, point: usize, shard: Shard) -> bool {
        let is_at = |excluded: &Setting| {
            let mut here = self.at(point);
            here.any(|(axis, value)| axis.key == excluded.key && excluded.lists(value))
        };
        let mut excluded = self.excluded.iter();
        shard.has(point) && point < self.size() && !excluded.any(|table| table.iter().all(is_at))
    }

    /// The seed of a replication, counted from 1: the same at all points.
    pub(super) fn seed_of(&self, replication: u32) -> u64 {
        self.seed + u64::from(replication) - 1
    }

    /// What tells this experiment from others, whatever its file looks like.
    pub(super) fn experiment(&self) -> BTreeMap<String, Json> {
        let table = |settings: &[Setting]| -> Json {
            let entries = settings.iter().map(Setting::entry);
            entries.collect::<serde_json::Map<_, _>>().into()
        };
        let axes: Vec<String> = self.axes().map(Setting::option).collect();
        let measures: Vec<&str> = self.measures.iter().map(|m| m.value.as_str()).collect();
        let mut experiment = BTreeMap::from([
            ("seed".to_owned(), json!(self.seed)),
            ("replications".to_owned(), json!(self.replications)),
            ("measures".to_owned(), json!(measures)),
            ("axes".to_owned(), json!(axes)),
            ("run".to_owned(), table(&self.settings)),
        ]);
        if !self.excluded.is_empty() {
            let excluded = self.excluded.iter().map(|settings| table(settings));
            experiment.insert("exclude".to_owned(), excluded.collect());
        }
        if !self.inputs.is_empty() {
            experiment.insert("inputs".to_owned(), json!(self.inputs));
        }
        experiment
    }

    /// That in a word.
    pub(super) fn hash(&self) -> String {
        let experiment = Json::from_iter(self.experiment());
        format!("{:016x}", hash_of(&experiment.to_string()))
    }

    /// What is wrong with a key.
    pub(super) fn error(&self, line: Option<u64>, key: &str, problem: String) -> Error {
        input_error(&self.file, line, Some(key), problem)
    }
}

/// Reads a document and collects what is wrong with it.
struct Reader<'a> {
    source: Source<'a>,
    errors: Vec<Error>,
}

impl Reader<'_> {
    fn wrong<T>(&mut self, place: &Spanned<T>, key: &str, problem: String) {
        self.errors.push(self.source.wrong(place, key, problem));
    }

    fn plan(&mut self, document: &DeTable<'_>) -> Plan {
        for (key, _) in document {
            if !KEYS.contains(&key.get_ref().as_ref()) {
                let problem = toml_text::unknown(key.get_ref(), "", &KEYS);
                self.wrong(key, key.get_ref(), problem);
            }
        }
        let seed = self.whole(document, "seed", 0..=MOST_SEED);
        let replications = self.whole(document, "replications", 1..=MOST_REPLICATIONS);
        let measures = self.measures(document);
        let run = document.get("run");
        let settings = match run.map(|run| (run, run.get_ref().as_table())) {
            None => Vec::new(),
            Some((_, Some(table))) => self.settings(table),
            Some((run, None)) => {
                let problem = format!("found {}, expected a table [run]", found(run.get_ref()));
                self.wrong(run, "run", problem);
                Vec::new()
            }
        };
        let excluded = self.excluded(document, &settings);
        let compared = self.compared(document, &settings);
        Plan {
            file: self.source.file.to_owned(),
            text: String::new(),
            seed: seed.unwrap_or(1) as u64,
            replications: replications.unwrap_or(1) as u32,
            measures,
            settings,
            run_line: run.map(|run| self.source.line(run)),
            excluded,
            compared,
            inputs: Vec::new(),
        }
    }

    /// What is compared, and on which parts.
    fn compared(&mut self, document: &DeTable<'_>, settings: &[Setting]) -> Option<Compared> {
        let axis = self.named_axis(document, "compare", settings);
        let parts = self.named_axis(document, "parts", settings);
        if let Some(place) = document.get("parts") {
            let problem = match document.get("compare") {
                None => "compares nothing by itself, expected compare = \"AXIS\" beside it",
                Some(_) if parts.is_some() && parts == axis => {
                    "found the axis that is compared, expected another one"
                }
                Some(_) => return Some(Compared { axis: axis?, parts }),
            };
            self.wrong(place, "parts", problem.to_owned());
        }
        Some(Compared { axis: axis?, parts })
    }

    /// Which of the axes a key names.
    fn named_axis(
        &mut self,
        document: &DeTable<'_>,
        key: &str,
        settings: &[Setting],
    ) -> Option<usize> {
        let value = document.get(key)?;
        let axes = || settings.iter().filter(|setting| setting.is_axis);
        let several = |axis: &&Setting| axis.values.len() > 1;
        let name = value.get_ref().as_str();
        let named = axes().position(|axis| several(&axis) && Some(axis.key.as_str()) == name);
        if named.is_none() {
            let known: Vec<&str> = axes()
                .filter(several)
                .map(|axis| axis.key.as_str())
                .collect();
            let expected = match known[..] {
                [] => "an axis with several values, and [run] has none".to_owned(),
                _ => format!("an axis with several values, one of {}", known.join(", ")),
            };
            let found = found(value.get_ref());
            self.wrong(value, key, format!("found {found}, expected {expected}"));
        }
        named
    }

    fn whole(
        &mut self,
        document: &DeTable<'_>,
        key: &str,
        limits: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
        let value = document.get(key)?;
        let number = integer(value.get_ref()).filter(|number| limits.contains(number));
        if number.is_none() {
            let [least, most] =
                [limits.start(), limits.end()].map(|limit| grouped(*limit as usize));
            let found = found(value.get_ref());
            let problem = format!("found {found}, expected a whole number from {least} to {most}");
            self.wrong(value, key, problem);
        }
        number
    }

    fn measures(&mut self, document: &DeTable<'_>) -> Vec<Placed<String>> {
        const EXPECTED: &str =
            "expected a list of keys of metrics.json, such as [\"acceptance_rate\"]";
        let Some(list) = document.get("measures") else {
            let problem = format!("missing, {EXPECTED}");
            self.errors.push(input_error(
                self.source.file,
                None,
                Some("measures"),
                problem,
            ));
            return Vec::new();
        };
        let items = list.get_ref().as_array().filter(|items| !items.is_empty());
        let Some(items) = items else {
            let problem = format!("found {}, {EXPECTED}", found(list.get_ref()));
            self.wrong(list, "measures", problem);
            return Vec::new();
        };
        let mut measures: Vec<Placed<String>> = Vec::new();
        for item in items.iter() {
            match item.get_ref().as_str() {
                Some(name) if measures.iter().any(|known| known.value == name) => {
                    self.wrong(item, "measures", format!("found {name} a second time"));
                }
                Some(name) => measures.push(Placed {
                    value: name.to_owned(),
                    line: self.source.line(item),
                }),
                None => {
                    let problem = format!("found {}, {EXPECTED}", found(item.get_ref()));
                    self.wrong(item, "measures", problem);
                }
            }
        }
        measures
    }

    /// The options in the order of the file, which the parser sorts by name.
    fn settings(&mut self, table: &DeTable<'_>) -> Vec<Setting> {
        let mut keys: Vec<_> = table.iter().collect();
        keys.sort_by_key(|(key, _)| key.span().start);
        let settings = keys.into_iter().map(|(key, value)| {
            let name = key.get_ref().to_string();
            let items = value.get_ref().as_array();
            let values = match items {
                Some(items) => self.axis(&name, value, items.iter()),
                None => Vec::from_iter(self.value(&name, value)),
            };
            Setting {
                line: self.source.line(key),
                is_axis: items.is_some(),
                key: name,
                values,
            }
        });
        settings.collect()
    }

    /// The tables that leave points out. Each names axes of the plan, and values that they have.
    fn excluded(&mut self, document: &DeTable<'_>, settings: &[Setting]) -> Vec<Vec<Setting>> {
        const EXPECTED: &str =
            "expected tables [[exclude]] with values of axes, such as binding = \"early\"";
        let Some(list) = document.get("exclude") else {
            return Vec::new();
        };
        let is_list = list.get_ref().as_array().is_some();
        let mut tables = Vec::new();
        for item in list.get_ref().as_array().into_iter().flatten() {
            match item.get_ref().as_table().filter(|table| !table.is_empty()) {
                Some(table) => {
                    let table = self.settings(table);
                    table
                        .iter()
                        .for_each(|excluded| self.on_axis(excluded, settings));
                    tables.push(table);
                }
                None => {
                    let problem = format!("found {}, {EXPECTED}", found(item.get_ref()));
                    self.wrong(item, "exclude", problem);
                }
            }
        }
        if !is_list {
            let problem = format!("found {}, {EXPECTED}", found(list.get_ref()));
            self.wrong(list, "exclude", problem);
        }
        tables
    }

    /// What is left out has to be there.
    fn on_axis(&mut self, excluded: &Setting, settings: &[Setting]) {
        let axes = || settings.iter().filter(|setting| setting.is_axis);
        let names = |names: Vec<String>| names.join(", ");
        let mut wrong = |line, problem| {
            let key = Some(excluded.key.as_str());
            self.errors
                .push(input_error(self.source.file, Some(line), key, problem));
        };
        let Some(axis) = axes().find(|axis| axis.key == excluded.key) else {
            let known = names(axes().map(|axis| axis.key.clone()).collect());
            let problem = format!("no axis of [run], expected one of {known}");
            return wrong(excluded.line, problem);
        };
        for value in excluded.values.iter().filter(|value| !axis.lists(value)) {
            let known = names(axis.values.iter().map(|v| v.value.to_string()).collect());
            let problem = format!("found {}, expected one of {known}", value.value);
            wrong(value.line, problem);
        }
    }

    fn axis<'v, 'i: 'v>(
        &mut self,
        key: &str,
        list: &Spanned<DeValue<'_>>,
        items: impl Iterator<Item = &'v Spanned<DeValue<'i>>>,
    ) -> Vec<Placed<Value>> {
        let mut values: Vec<Placed<Value>> = Vec::new();
        let mut is_empty = true;
        for item in items {
            is_empty = false;
            let Some(value) = self.value(key, item) else {
                continue;
            };
            if values.iter().any(|known| known.value == value.value) {
                self.wrong(item, key, format!("found {} a second time", value.value));
            } else {
                values.push(value);
            }
        }
        if is_empty {
            let problem = "found an empty list, expected at least one value".to_owned();
            self.wrong(list, key, problem);
        }
        values
    }

    fn value(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Placed<Value>> {
        let read = match value.get_ref() {
            DeValue::Boolean(flag) => Some(Value::Flag(*flag)),
            DeValue::String(text) => Some(Value::Text(text.to_string())),
            DeValue::Float(float) => {
                let number: Option<f64> = float.as_str().parse().ok();
                number.map(|number| Value::Text(number.to_string()))
            }
            other => integer(other).map(|number| Value::Text(number.to_string())),
        };
        if read.is_none() {
            let found = found(value.get_ref());
            let problem =
                format!("found {found}, expected text, a number, true, false or a list of these");
            self.wrong(value, key, problem);
        }
        Some(Placed {
            value: read?,
            line: self.source.line(value),
        })
    }
}
