//! Layouts as TOML, with the places of their faults.

use std::{collections::BTreeMap, path::Path};

use toml::de::DeTable;

use super::{Fault, Kind, Layout, Level, Missing, Partition};
use crate::{
    error::{Error, Result},
    files::PeRanges,
    text_file::{self, input_error},
    toml_text::{self, Part, Source},
};

/// The keys of a layout.
const KEYS: [&str; 5] = ["groups", "kinds", "missing", "levels", "partitions"];

impl Layout {
    /// Reads a layout.
    ///
    /// # Errors
    /// [`Error::Input`] with file, line and key for whatever is no layout or does not add up; [`Error::Io`] if the file cannot be read.
    pub fn read(file: &Path) -> Result<Self> {
        Self::parse(file, &text_file::read(file)?)
    }

    /// Takes a text for the content of a file.
    ///
    /// ```
    /// use bookahead_sim::layout::Layout;
    /// let text = "groups = 4\nkinds = { core = 4, gpu = 2 }\n[partitions]\ndebug = \"0\"\n";
    /// assert!(Layout::parse("layout.toml".as_ref(), text).is_ok());
    /// let error = Layout::parse("layout.toml".as_ref(), &text.replace("\"0\"", "\"4\"")).unwrap_err();
    /// assert_eq!(error.to_string(), "layout.toml, line 4, field debug: found group 4, expected groups from 0 to 3");
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        let document = toml_text::document(file, text)?;
        let mut reader = Reader {
            source: Source { file, text },
            places: BTreeMap::new(),
        };
        let layout = reader.layout(document.get_ref())?;
        match layout.fault().or_else(|| layout.fault_by_kernel()) {
            None => Ok(layout),
            Some(fault) => Err(reader.located(&fault)),
        }
    }
}

struct Reader<'a> {
    source: Source<'a>,
    /// The line and the key of each part of the layout, and of each entry of it.
    places: BTreeMap<(&'static str, Option<usize>), (u64, String)>,
}

impl Reader<'_> {
    /// A fault at its place in the file.
    fn located(&self, fault: &Fault) -> Error {
        let place = self.places.get(&(fault.list, fault.entry));
        let (line, key) = place.map_or((None, fault.list), |(line, key)| {
            (Some(*line), key.as_str())
        });
        input_error(self.source.file, line, Some(key), fault.problem.clone())
    }

    fn layout(&mut self, document: &DeTable<'_>) -> Result<Layout> {
        let unknown = document
            .iter()
            .find(|(key, _)| !KEYS.contains(&key.get_ref().as_ref()));
        if let Some((key, _)) = unknown {
            let problem = toml_text::unknown(key.get_ref(), "", &KEYS);
            return Err(self.source.wrong(key, key.get_ref(), problem));
        }
        for list in KEYS {
            let key = document.iter().find(|(key, _)| key.get_ref() == list);
            if let Some((key, _)) = key {
                self.places
                    .insert((list, None), (self.source.line(key), list.to_owned()));
            }
        }
        let needed = |key, expected| {
            let missing = || self.source.missing(key, expected);
            document.get(key).ok_or_else(missing)
        };
        let (groups, kinds) = (needed("groups", GROUPS)?, needed("kinds", KINDS)?);
        let groups = self.number(groups, "groups", u16::MAX.into(), GROUPS)?;
        let kinds = self.entries("kinds", kinds, KINDS)?;
        let kinds = kinds.into_iter().map(|(name, value)| {
            let per_group = self.number(value, &name, u8::MAX.into(), "a number from 1 to 64")?;
            Ok(Kind {
                name,
                per_group: per_group as u8,
            })
        });
        let kinds = kinds.collect::<Result<_>>()?;
        let levels = self.optional(
            document,
            "levels",
            "a table of levels such as rack = 16, from the smallest",
        )?;
        let levels = levels.into_iter().map(|(name, value)| {
            let groups =
                self.number(value, &name, u16::MAX.into(), "how many groups a block has")?;
            Ok(Level { name, groups })
        });
        let levels = levels.collect::<Result<_>>()?;
        let partitions = self.optional(
            document,
            "partitions",
            "a table of partitions such as debug = \"0-7\"",
        )?;
        let partitions = partitions.into_iter().map(|(name, value)| {
            let groups = self.set(value, &name)?;
            Ok(Partition { name, groups })
        });
        let partitions = partitions.collect::<Result<_>>()?;
        Ok(Layout {
            groups,
            kinds,
            missing: self.missing(document.get("missing"))?,
            levels,
            partitions,
        })
    }

    /// The entries of a table in the order of the file, which the parser sorts by name.
    fn entries<'d>(
        &mut self,
        list: &'static str,
        value: &'d Part<'_>,
        expected: &str,
    ) -> Result<Vec<(String, &'d Part<'d>)>> {
        let table = value.get_ref().as_table();
        let table = table.ok_or_else(|| self.source.unexpected(value, list, expected))?;
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (entry, (key, _)) in entries.iter().enumerate() {
            let place = (self.source.line(key), key.get_ref().to_string());
            self.places.insert((list, Some(entry)), place);
        }
        let entries = entries.into_iter();
        Ok(entries
            .map(|(key, value)| (key.get_ref().to_string(), value))
            .collect())
    }

    fn optional<'d>(
        &mut self,
        document: &'d DeTable<'_>,
        list: &'static str,
        expected: &str,
    ) -> Result<Vec<(String, &'d Part<'d>)>> {
        match document.get(list) {
            None => Ok(Vec::new()),
            Some(value) => self.entries(list, value, expected),
        }
    }

    fn missing(&mut self, list: Option<&Part<'_>>) -> Result<Vec<Missing>> {
        const EXPECTED: &str = "tables [[missing]] with groups = \"120-127\" and kinds = [\"gpu\"]";
        let Some(list) = list else {
            return Ok(Vec::new());
        };
        let tables = list.get_ref().as_array();
        let tables = tables.ok_or_else(|| self.source.unexpected(list, "missing", EXPECTED))?;
        let mut all = Vec::new();
        for (entry, value) in tables.iter().enumerate() {
            let place = (self.source.line(value), "missing".to_owned());
            self.places.insert(("missing", Some(entry)), place);
            let wrong = |reader: &Self| reader.source.unexpected(value, "missing", EXPECTED);
            let table = value.get_ref().as_table().ok_or_else(|| wrong(self))?;
            let (Some(groups), Some(kinds), 2) =
                (table.get("groups"), table.get("kinds"), table.len())
            else {
                return Err(wrong(self));
            };
            let names = kinds.get_ref().as_array().filter(|names| !names.is_empty());
            let names = names.ok_or_else(|| {
                self.source
                    .unexpected(kinds, "kinds", "a list of kinds such as [\"gpu\"]")
            })?;
            let name = |name: &Part<'_>| {
                let text = name.get_ref().as_str().map(str::to_owned);
                text.ok_or_else(|| self.source.unexpected(name, "kinds", "the name of a kind"))
            };
            all.push(Missing {
                groups: self.set(groups, "groups")?,
                kinds: names.iter().map(name).collect::<Result<_>>()?,
            });
        }
        Ok(all)
    }

    fn number(&self, value: &Part<'_>, key: &str, most: i64, expected: &str) -> Result<u16> {
        let number = toml_text::integer(value.get_ref());
        let number = number.filter(|number| (0..=most).contains(number));
        number
            .map(|number| number as u16)
            .ok_or_else(|| self.source.unexpected(value, key, expected))
    }

    fn set(&self, value: &Part<'_>, key: &str) -> Result<PeRanges> {
        let set = value.get_ref().as_str().and_then(PeRanges::parse);
        set.ok_or_else(|| {
            self.source
                .unexpected(value, key, "a set of groups such as \"3 7-9\"")
        })
    }
}

const GROUPS: &str = "how many groups (nodes) the machine has, 1 to 65535";
const KINDS: &str = "a table of kinds such as core = 16, with how many a group has";
