//! Rules as TOML, with the places of their faults.

use std::path::Path;

use toml::de::DeTable;

use super::{Absent, MOST, Name, Rule};
use crate::{
    error::{Error, Result},
    files::PeRanges,
    text_file::{self, input_error},
    toml_text::{self, Part, Source},
};

/// The keys of a rule.
const KEYS: [&str; 7] = [
    "name",
    "phase",
    "period",
    "length",
    "pes",
    "announced",
    "until",
];
const LIST: &str = "rule";
const TABLES: &str = "tables [[rule]], at most 16";
const SECONDS: &str = "a whole number of seconds, 0 or more";

impl Rule {
    /// Reads the rules of a machine of so many processing elements, whose slots have so many seconds.
    ///
    /// # Errors
    /// [`Error::Input`] with file, line and key for whatever is no rule; [`Error::Io`] if the file cannot be read.
    pub fn read(file: &Path, pes: u16, slot_seconds: u32) -> Result<Vec<Self>> {
        Self::parse(file, &text_file::read(file)?, pes, slot_seconds)
    }

    /// Takes a text for the content of a file.
    ///
    /// ```
    /// use bookahead_sim::rule::Rule;
    /// let text = "[[rule]]\nname = \"night\"\nphase = 0\nperiod = 86400\nlength = 28800\npes = \"2-3\"\n";
    /// assert_eq!(Rule::parse("rules.toml".as_ref(), text, 4, 60)?.len(), 1);
    /// let error = Rule::parse("rules.toml".as_ref(), text, 3, 60).unwrap_err();
    /// assert_eq!(error.to_string(), "rules.toml, line 6, field pes: found \"2-3\" in rule night, expected PEs from 0 to 2");
    /// # Ok::<(), bookahead_sim::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(file: &Path, text: &str, pes: u16, slot_seconds: u32) -> Result<Vec<Self>> {
        let document = toml_text::document(file, text)?;
        let reader = Reader {
            source: Source { file, text },
            machine: pes,
            slot: slot_seconds,
        };
        reader.rules(document.get_ref())
    }
}

struct Reader<'a> {
    source: Source<'a>,
    machine: u16,
    slot: u32,
}

/// A rule that is being read.
struct Table<'r, 'd> {
    reader: &'r Reader<'r>,
    line: u64,
    table: &'d DeTable<'d>,
    /// How messages name it.
    of: String,
}

impl Reader<'_> {
    fn rules(&self, document: &DeTable<'_>) -> Result<Vec<Rule>> {
        if let Some((key, _)) = document.iter().find(|(key, _)| key.get_ref() != LIST) {
            let problem = format!("unknown, expected {TABLES}");
            return Err(self.source.wrong(key, key.get_ref(), problem));
        }
        let missing = || self.source.missing(LIST, TABLES);
        let list = document.get(LIST).ok_or_else(missing)?;
        let tables = list.get_ref().as_array();
        let tables = tables.filter(|tables| (1..=MOST).contains(&tables.len()));
        let tables = tables.ok_or_else(|| match list.get_ref().as_array() {
            Some(tables) => {
                let problem = format!("found {} rules, expected {TABLES}", tables.len());
                self.source.wrong(list, LIST, problem)
            }
            None => self.source.unexpected(list, LIST, TABLES),
        })?;
        let mut rules: Vec<Rule> = Vec::with_capacity(tables.len());
        for value in tables {
            let unexpected = || self.source.unexpected(value, LIST, TABLES);
            let table = value.get_ref().as_table().ok_or_else(unexpected)?;
            let mut table = Table {
                reader: self,
                line: self.source.line(value),
                table,
                of: String::new(),
            };
            let rule = table.rule()?;
            if rules.iter().any(|other| other.name == rule.name) {
                return Err(table.unexpected("name", "a name of its own"));
            }
            rules.push(rule);
        }
        Ok(rules)
    }
}

impl Table<'_, '_> {
    fn rule(&mut self) -> Result<Rule> {
        let name = self.needed("name", Name::EXPECTED)?;
        let name = name.get_ref().as_str().and_then(Name::parse);
        let name = name.ok_or_else(|| self.unexpected("name", Name::EXPECTED))?;
        self.of = format!(" in rule {name}");
        if self.table.get("groups").is_some() {
            let expected = "pes instead: rules do not go with a --layout yet";
            return Err(self.unexpected("groups", expected));
        }
        let mut keys = self.table.iter();
        if let Some((key, _)) = keys.find(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())) {
            let problem = toml_text::unknown(key.get_ref(), &self.of, &KEYS);
            return Err(self.reader.source.wrong(key, key.get_ref(), problem));
        }
        let seconds = |key| self.seconds(key).map(Option::unwrap_or_default);
        let rule = Rule {
            name,
            phase: seconds("phase")?,
            period: self.given("period")?,
            length: self.given("length")?,
            pes: self.pes()?,
            announced: seconds("announced")?,
            until: self.seconds("until")?,
        };
        let slot = self.reader.slot;
        if rule.in_slots(slot).is_none() {
            let expected =
                format!("a multiple of {slot}, which a slot lasts, of fewer than 2^32 slots");
            return Err(self.unexpected("period", &expected));
        }
        if let Some(until) = rule.until
            && until <= rule.announced
        {
            let expected = format!("more than {}, when it is announced", rule.announced);
            return Err(self.unexpected("until", &expected));
        }
        Ok(rule)
    }

    /// A key that every rule has.
    fn needed(&self, key: &str, expected: &str) -> Result<&Part<'_>> {
        self.table.get(key).ok_or_else(|| {
            let problem = format!("missing{}, expected {expected}", self.of);
            input_error(self.reader.source.file, Some(self.line), Some(key), problem)
        })
    }

    /// What a key says is not what was expected there.
    fn unexpected(&self, key: &str, expected: &str) -> Error {
        let Some(value) = self.table.get(key) else {
            let file = self.reader.source.file;
            return input_error(file, Some(self.line), Some(key), String::new());
        };
        let found = toml_text::found(value.get_ref());
        let problem = format!("found {found}{}, expected {expected}", self.of);
        self.reader.source.wrong(value, key, problem)
    }

    fn seconds(&self, key: &str) -> Result<Option<u64>> {
        let Some(value) = self.table.get(key) else {
            return Ok(None);
        };
        let seconds = toml_text::integer(value.get_ref());
        let seconds = seconds.and_then(|seconds| seconds.try_into().ok());
        seconds
            .map(Some)
            .ok_or_else(|| self.unexpected(key, SECONDS))
    }

    /// A length of time that every rule has.
    fn given(&self, key: &str) -> Result<u64> {
        const EXPECTED: &str = "a whole number of seconds above 0";
        self.needed(key, EXPECTED)?;
        let seconds = self.seconds(key).ok().flatten();
        let seconds = seconds.filter(|seconds| *seconds > 0);
        seconds.ok_or_else(|| self.unexpected(key, EXPECTED))
    }

    fn pes(&self) -> Result<Absent> {
        const EXPECTED: &str =
            "an interval set such as \"3 7-9\", or with late binding how many PEs";
        let machine = self.reader.machine;
        let value = self.needed("pes", EXPECTED)?.get_ref();
        if let Some(pes) = toml_text::integer(value) {
            let pes = u16::try_from(pes).ok();
            let pes = pes.filter(|pes| (1..=machine).contains(pes));
            let expected = format!("1 to {machine} PEs");
            return pes
                .map(Absent::Number)
                .ok_or_else(|| self.unexpected("pes", &expected));
        }
        let set = value.as_str().and_then(PeRanges::parse);
        let set = set.filter(|set| !set.is_empty());
        let set = set.ok_or_else(|| self.unexpected("pes", EXPECTED))?;
        match set.fault(machine.into(), "PEs") {
            None => Ok(Absent::These(set)),
            Some(expected) => Err(self.unexpected("pes", &expected)),
        }
    }
}
