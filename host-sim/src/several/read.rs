//! Quotas and resources as TOML, with the places of their faults.

use std::path::Path;

use toml::de::DeTable;

use super::{Amount, Asking, Budget, LEVELS, MOST_RESOURCES, Name, Principal, Resource, chain};
use crate::{
    error::{Error, Result},
    text_file::{self, input_error},
    toml_text::{self, Part, Source},
};

const PES: &str = "a whole number from 1 to 65,535";
/// The keys that say how much requests need.
const PER_REQUEST: &str = "per_request";
const PER_PE: &str = "per_pe";
const UNITS: &str = "a whole number from 1 to 2,147,483,647";

/// A table with a name, of which each is about something else.
struct Named<'d> {
    source: Source<'d>,
    name: Name,
    line: u64,
    table: &'d DeTable<'d>,
}

impl Principal {
    /// Reads the principals of a machine whose slots have so many seconds.
    ///
    /// # Errors
    /// [`Error::Input`] with file, line and key for whatever is no principal; [`Error::Io`] if the file cannot be read.
    pub fn read(file: &Path, slot_seconds: u32) -> Result<Vec<Self>> {
        Self::parse(file, &text_file::read(file)?, slot_seconds)
    }

    /// Takes a text for the content of a file.
    ///
    /// ```
    /// use bookahead_sim::several::Principal;
    /// let text = "[physics]\npe_seconds = 7200\nperiod = 3600\n\n[ada]\nparent = \"physics\"\npes = 8\n";
    /// assert_eq!(Principal::parse("quota.toml".as_ref(), text, 60)?.len(), 2);
    /// let error = Principal::parse("quota.toml".as_ref(), text, 7).unwrap_err();
    /// assert_eq!(error.to_string(), "quota.toml, line 3, field period: found 3600 in physics, expected a multiple of 7 seconds, which a slot lasts");
    /// # Ok::<(), bookahead_sim::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(file: &Path, text: &str, slot_seconds: u32) -> Result<Vec<Self>> {
        let document = toml_text::document(file, text)?;
        let source = Source { file, text };
        let tables = tables(source, document.get_ref(), "principals such as [ada]")?;
        let read = tables.iter().map(|table| table.principal(slot_seconds));
        let principals: Vec<Self> = read.collect::<Result<_>>()?;
        for (number, (table, one)) in tables.iter().zip(&principals).enumerate() {
            let Some(parent) = one.parent else { continue };
            if !principals.iter().any(|other| other.name == parent) {
                return Err(table.unexpected("parent", "the name of another table of the file"));
            }
            let last = chain(&principals, number).last();
            if last.is_some_and(|last| principals[last].parent.is_some()) {
                let expected = format!("no more than {LEVELS} levels, and nobody above itself");
                return Err(table.unexpected("parent", &expected));
            }
        }
        Ok(principals)
    }
}

impl Resource {
    /// Reads the resources beside a machine.
    ///
    /// # Errors
    /// [`Error::Input`] with file, line and key for whatever is no resource; [`Error::Io`] if the file cannot be read.
    pub fn read(file: &Path) -> Result<Vec<Self>> {
        Self::parse(file, &text_file::read(file)?)
    }

    /// Takes a text for the content of a file.
    ///
    /// ```
    /// use bookahead_sim::several::Resource;
    /// let read = |text| Resource::parse("resources.toml".as_ref(), text);
    /// assert_eq!(read("[licence]\nunits = 20\n\n[bandwidth]\nunits = 100\n")?.len(), 2);
    /// let error = read("[licence]\nunits = 0\n").unwrap_err();
    /// assert_eq!(error.to_string(), "resources.toml, line 2, field units: found 0 in licence, expected a whole number from 1 to 2,147,483,647");
    /// # Ok::<(), bookahead_sim::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(file: &Path, text: &str) -> Result<Vec<Self>> {
        let document = toml_text::document(file, text)?;
        let source = Source { file, text };
        let expected = format!("1 to {MOST_RESOURCES} resources such as [licence]");
        let tables = tables(source, document.get_ref(), &expected)?;
        if let Some(table) = tables.get(MOST_RESOURCES) {
            let name = table.name.to_string();
            let problem = format!("one too many, expected {expected}");
            return Err(input_error(file, Some(table.line), Some(&name), problem));
        }
        let read = tables.iter().map(|table| {
            table.keys(&["units", "share", PER_REQUEST, PER_PE])?;
            Ok(Self {
                name: table.name,
                units: table
                    .units("units")?
                    .ok_or_else(|| table.missing("units", UNITS))?,
                asked: table.asked()?,
            })
        });
        read.collect()
    }
}

/// The tables of a document in their order.
fn tables<'d>(
    source: Source<'d>,
    document: &'d DeTable<'d>,
    expected: &str,
) -> Result<Vec<Named<'d>>> {
    let mut entries: Vec<_> = document.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    if entries.is_empty() {
        let problem = format!("found nothing, expected {expected}");
        return Err(input_error(source.file, None, None, problem));
    }
    let read = entries.into_iter().map(|(key, value)| {
        let said = key.get_ref();
        let name = Name::parse(said).ok_or_else(|| {
            let problem = format!("found such a name, expected {}", Name::EXPECTED);
            source.wrong(key, said, problem)
        })?;
        let table = value.get_ref().as_table();
        Ok(Named {
            source,
            name,
            line: source.line(key),
            table: table.ok_or_else(|| source.unexpected(value, said, expected))?,
        })
    });
    read.collect()
}

impl Named<'_> {
    fn principal(&self, slot_seconds: u32) -> Result<Principal> {
        const AMOUNT: &str = "a whole number of PE-seconds above 0";
        const LENGTH: &str = "a whole number of seconds above 0";
        self.keys(&["parent", "pes", "pe_seconds", "period"])?;
        let parent = match self.table.get("parent") {
            None => None,
            Some(value) => {
                let name = value.get_ref().as_str().and_then(Name::parse);
                Some(name.ok_or_else(|| self.unexpected("parent", Name::EXPECTED))?)
            }
        };
        let pe_seconds = self.whole("pe_seconds", AMOUNT)?;
        let period = self.whole("period", LENGTH)?;
        let budget = match (pe_seconds, period) {
            (Some(pe_seconds), Some(period)) => Some(Budget { pe_seconds, period }),
            (None, None) => None,
            (Some(_), None) => return Err(self.missing("period", LENGTH)),
            (None, Some(_)) => return Err(self.missing("pe_seconds", AMOUNT)),
        };
        if budget.is_some_and(|budget| budget.in_slots(slot_seconds).is_none()) {
            let expected = format!("a multiple of {slot_seconds} seconds, which a slot lasts");
            return Err(self.unexpected("period", &expected));
        }
        Ok(Principal {
            name: self.name,
            parent,
            pes: self.number("pes", (u16::MAX, PES))?,
            budget,
        })
    }

    fn units(&self, key: &str) -> Result<Option<u32>> {
        self.number(key, (i32::MAX.unsigned_abs(), UNITS))
    }

    /// How much requests need that do not say it themselves.
    fn asked(&self) -> Result<Option<Asking>> {
        let amount = match (self.units(PER_REQUEST)?, self.units(PER_PE)?) {
            (None, None) if self.table.get("share").is_none() => return Ok(None),
            (Some(units), None) => Amount::PerRequest(units),
            (None, Some(units)) => Amount::PerPe(units),
            (None, None) => {
                let expected = format!("it or {PER_PE} beside share");
                return Err(self.missing(PER_REQUEST, &expected));
            }
            (Some(_), Some(_)) => {
                return Err(self.unexpected(PER_PE, &format!("it or {PER_REQUEST}, not both")));
            }
        };
        let share = match self.table.get("share") {
            None => 1.0,
            Some(value) => {
                let share = toml_text::number(value.get_ref());
                share
                    .filter(|share| (0.0..=1.0).contains(share))
                    .ok_or_else(|| self.unexpected("share", "a number from 0 to 1"))?
            }
        };
        Ok(Some(Asking { share, amount }))
    }

    /// There are no other keys.
    fn keys(&self, known: &[&str]) -> Result<()> {
        let mut keys = self.table.iter();
        match keys.find(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            None => Ok(()),
            Some((key, _)) => {
                let known = known.join(", ");
                let problem = format!("unknown in {}, expected one of {known}", self.name);
                Err(self.source.wrong(key, key.get_ref(), problem))
            }
        }
    }

    fn number<N: TryFrom<u64> + PartialOrd>(
        &self,
        key: &str,
        (most, expected): (N, &str),
    ) -> Result<Option<N>> {
        let number = self.whole(key, expected)?;
        let small = number.map(|number| N::try_from(number).ok().filter(|number| *number <= most));
        let unexpected = || self.unexpected(key, expected);
        small
            .map(|number| number.ok_or_else(unexpected))
            .transpose()
    }

    fn whole(&self, key: &str, expected: &str) -> Result<Option<u64>> {
        let Some(value) = self.table.get(key) else {
            return Ok(None);
        };
        let number = toml_text::integer(value.get_ref());
        let number = number.and_then(|number| u64::try_from(number).ok());
        let number = number.filter(|number| *number > 0);
        let unexpected = || self.unexpected(key, expected);
        number.map(Some).ok_or_else(unexpected)
    }

    fn missing(&self, key: &str, expected: &str) -> Error {
        let problem = format!("missing in {}, expected {expected}", self.name);
        input_error(self.source.file, Some(self.line), Some(key), problem)
    }

    /// What a key says is not what was expected there.
    fn unexpected(&self, key: &str, expected: &str) -> Error {
        let value: Option<&Part<'_>> = self.table.get(key);
        let Some(value) = value else {
            return self.missing(key, expected);
        };
        let found = toml_text::found(value.get_ref());
        let problem = format!("found {found} in {}, expected {expected}", self.name);
        self.source.wrong(value, key, problem)
    }
}
