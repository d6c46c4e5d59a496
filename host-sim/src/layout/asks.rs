//! What a request asks of its processing elements, cell by cell.

use std::{fmt, str::FromStr};

use super::{Layout, contains, ranges};
use crate::files::PeRanges;

/// The columns of request files that say it, in the order in which they are written.
pub(crate) const COLUMNS: [&str; 7] = [
    "partition",
    "exclude",
    "groups",
    "per_group",
    "within",
    "prefer",
    "on",
];

/// The cells of a request that asks for a number of processing elements and takes any.
const NO_CELLS: [&str; COLUMNS.len()] = [""; COLUMNS.len()];

/// What a request asks of its processing elements, beside how many they are. Names are those of a layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    /// Only groups of this partition.
    pub(crate) partition: String,
    /// None of these groups.
    pub(crate) exclude: PeRanges,
    /// From how many groups.
    pub(crate) groups: Option<u64>,
    /// How many from each of them; nothing where they may lie anyhow.
    pub(crate) per_group: Option<PerGroup>,
    /// The level of which a block holds all, and whether it has to.
    pub(crate) within: Option<(String, bool)>,
    /// Which of those that are free are taken; by the rule of the machine where nothing is said.
    pub(crate) prefer: Option<Prefer>,
    /// Exactly these processing elements.
    pub(crate) on: PeRanges,
}

/// How many processing elements are taken from each of some groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PerGroup {
    /// So many of these kinds.
    Kinds(Vec<(String, u64)>),
    /// All that the groups have.
    All,
}

/// Which of the eligible processing elements that are free are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// The lowest numbers, of the lowest groups.
    #[default]
    Lowest,
    /// Those of the groups that are fullest.
    Pack,
    /// Those of the groups that are emptiest.
    Spread,
    /// Those of as few blocks of a level as possible.
    Compact(String),
}

impl Prefer {
    /// What may be said, in help texts and messages.
    pub const EXPECTED: &'static str =
        "lowest, pack, spread, or compact: and a level of the layout";
}

/// As in commands and files.
impl fmt::Display for Prefer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lowest => f.write_str("lowest"),
            Self::Pack => f.write_str("pack"),
            Self::Spread => f.write_str("spread"),
            Self::Compact(level) => write!(f, "compact:{level}"),
        }
    }
}

impl FromStr for Prefer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.strip_prefix("compact:")) {
            ("lowest", _) => Ok(Self::Lowest),
            ("pack", _) => Ok(Self::Pack),
            ("spread", _) => Ok(Self::Spread),
            (_, Some(level)) if !level.is_empty() => Ok(Self::Compact(level.to_owned())),
            _ => Err(format!("expected {}", Self::EXPECTED)),
        }
    }
}

impl fmt::Display for PerGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Kinds(kinds) = self else {
            return f.write_str("all");
        };
        for (place, (kind, pes)) in kinds.iter().enumerate() {
            let gap = if place > 0 { " " } else { "" };
            write!(f, "{gap}{kind}={pes}")?;
        }
        Ok(())
    }
}

impl Asks {
    /// Reads the cells of a request, in the order of [`COLUMNS`]; nothing where all are empty.
    ///
    /// # Errors
    /// The first cell that is wrong, by its place among the columns, and what was found and expected there.
    pub(crate) fn of_cells(
        layout: &Layout,
        cells: [&str; COLUMNS.len()],
    ) -> Result<Option<Self>, (usize, String)> {
        if cells == NO_CELLS {
            return Ok(None);
        }
        let [partition, exclude, groups, per_group, within, prefer, on] = cells;
        let asks = Self {
            partition: named_partition(layout, partition).map_err(|problem| (0, problem))?,
            exclude: set_of_groups(layout, exclude).map_err(|problem| (1, problem))?,
            groups: number_of_groups(groups).map_err(|problem| (2, problem))?,
            per_group: numbers_per_group(layout, per_group).map_err(|problem| (3, problem))?,
            within: level_within(layout, within).map_err(|problem| (4, problem))?,
            prefer: preference(layout, prefer).map_err(|problem| (5, problem))?,
            on: named_pes(layout, on).map_err(|problem| (6, problem))?,
        };
        asks.check(layout, cells)?;
        Ok(Some(asks))
    }

    /// What no single cell can show.
    fn check(&self, layout: &Layout, cells: [&str; COLUMNS.len()]) -> Result<(), (usize, String)> {
        let [.., on] = cells;
        if !on.is_empty() {
            let others = cells.iter().take(COLUMNS.len() - 1);
            if let Some(place) = others.clone().position(|cell| !cell.is_empty()) {
                let found = cells[place];
                let problem = format!(
                    "found {found:?}, expected an empty cell beside on, which names all processing elements"
                );
                return Err((place, problem));
            }
        }
        if self.groups.is_some() && self.per_group.is_none() {
            let example = layout.kinds.first().map_or("", |kind| kind.name.as_str());
            let problem = format!(
                "found an empty cell beside groups, expected all or numbers such as {example}=1"
            );
            return Err((3, problem));
        }
        if self.eligible(layout).next().is_none() {
            let place = if cells[1].is_empty() { 0 } else { 1 };
            let problem = format!(
                "found {:?}, which leaves no group, expected at least one",
                cells[place]
            );
            return Err((place, problem));
        }
        Ok(())
    }

    /// The cells, in the order of [`COLUMNS`].
    pub(crate) fn cells(&self) -> [String; COLUMNS.len()] {
        let within = self
            .within
            .as_ref()
            .map(|(level, required)| match required {
                true => level.clone(),
                false => format!("{level}?"),
            });
        [
            self.partition.clone(),
            self.exclude.to_string(),
            text(self.groups),
            text(self.per_group.as_ref()),
            text(within),
            text(self.prefer.as_ref()),
            self.on.to_string(),
        ]
    }

    /// Whether exactly these processing elements are asked for.
    pub(crate) fn is_exact(&self) -> bool {
        !self.on.is_empty()
    }

    /// The level of which a block has to hold all.
    pub(crate) fn block_of(&self) -> Option<&str> {
        let (level, required) = self.within.as_ref()?;
        required.then_some(level)
    }

    /// The groups that it may have, in increasing order.
    pub(crate) fn eligible<'l>(
        &'l self,
        layout: &'l Layout,
    ) -> impl Iterator<Item = u16> + Clone + 'l {
        let partition = layout.partition(&self.partition);
        (0..layout.groups).filter(move |&group| {
            let group = u32::from(group);
            let inside = partition.is_none_or(|partition| contains(&partition.groups, group));
            inside && !contains(&self.exclude, group)
        })
    }

    /// The processing elements that it may have.
    pub(crate) fn may_have(&self, layout: &Layout) -> PeRanges {
        if self.is_exact() {
            return self.on.clone();
        }
        let each = self.of_each(layout);
        // Those that lack something of what it asks of each are none for it.
        let gives = |group: &u16| each.as_ref().is_none_or(|each| layout.gives(*group, each));
        let groups: Vec<u16> = self.eligible(layout).filter(gives).collect();
        let is_asked = |kind: usize| each.as_ref().is_none_or(|each| each.get(kind) > Some(&0));
        let numbers = 0..layout.numbers();
        ranges(numbers.filter(|number| {
            let place = layout.place(*number);
            place.is_some_and(|(kind, group)| is_asked(kind) && groups.contains(&group))
        }))
    }

    /// How many of each kind it asks of each of its groups; nothing where its processing elements may lie anyhow, and where it asks for all
    /// of groups that differ.
    pub(crate) fn of_each(&self, layout: &Layout) -> Option<Vec<u64>> {
        match self.per_group.as_ref()? {
            PerGroup::Kinds(kinds) => {
                let mut numbers = vec![0_u64; layout.kinds.len()];
                for (kind, pes) in kinds {
                    if let Some(number) = layout.kind(kind).and_then(|kind| numbers.get_mut(kind)) {
                        *number = *pes;
                    }
                }
                Some(numbers)
            }
            PerGroup::All => {
                let mut groups = self.eligible(layout);
                let first = layout.of_each_kind(groups.next()?);
                let like = |group| layout.of_each_kind(group) == first;
                groups.all(like).then_some(first)
            }
        }
    }

    /// How many processing elements it asks for, where its cells say that. Of groups that differ, all that the largest has.
    pub(crate) fn pes(&self, layout: &Layout) -> Option<u64> {
        if self.is_exact() {
            return Some(self.on.width());
        }
        let groups = self.groups?;
        let largest = || {
            self.eligible(layout)
                .map(|group| layout.all_of(group).into())
                .max()
        };
        let each = match self.of_each(layout) {
            Some(numbers) => numbers
                .iter()
                .fold(0, |sum: u64, pes| sum.saturating_add(*pes)),
            None => largest()?,
        };
        Some(groups.saturating_mul(each))
    }
}

/// An empty cell where nothing is said.
fn text(cell: Option<impl fmt::Display>) -> String {
    cell.map_or(String::new(), |cell| cell.to_string())
}

fn named_partition(layout: &Layout, text: &str) -> Result<String, String> {
    if text.is_empty() || layout.partition(text).is_some() {
        return Ok(text.to_owned());
    }
    Err(format!(
        "found {text:?}, expected {}",
        layout.partition_names()
    ))
}

fn set_of_groups(layout: &Layout, text: &str) -> Result<PeRanges, String> {
    if text.is_empty() {
        return Ok(PeRanges::default());
    }
    let groups = PeRanges::parse(text)
        .ok_or_else(|| format!("found {text:?}, expected a set of groups such as 3 7-9"))?;
    match layout.fault_in(&groups) {
        Some(problem) => Err(format!("{problem}, in {text:?}")),
        None => Ok(groups),
    }
}

fn number_of_groups(text: &str) -> Result<Option<u64>, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match (text, text.parse()) {
        ("", _) => Ok(None),
        (_, Ok(groups)) if digits => Ok(Some(groups)),
        _ => Err(format!(
            "found {text:?}, expected a number of groups or an empty cell"
        )),
    }
}

fn numbers_per_group(layout: &Layout, text: &str) -> Result<Option<PerGroup>, String> {
    match text {
        "" => return Ok(None),
        "all" => return Ok(Some(PerGroup::All)),
        _ => {}
    }
    let mut kinds: Vec<(String, u64)> = Vec::new();
    for part in text.split_whitespace() {
        let (kind, number) = part.split_once('=').unwrap_or((part, ""));
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|_| digits);
        let known = layout.kind(kind).is_some() && kinds.iter().all(|(known, _)| known != kind);
        match number.filter(|_| known) {
            Some(number) => kinds.push((kind.to_owned(), number)),
            None => {
                return Err(format!(
                    "found {part:?}, expected all, or a number for each of some kinds once, such as {}=2; the kinds are {}",
                    layout.kinds.first().map_or("", |kind| kind.name.as_str()),
                    layout.kind_names()
                ));
            }
        }
    }
    Ok(Some(PerGroup::Kinds(kinds)))
}

fn level_within(layout: &Layout, text: &str) -> Result<Option<(String, bool)>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let (level, required) = match text.strip_suffix('?') {
        Some(level) => (level, false),
        None => (text, true),
    };
    match layout.level(level) {
        Some(_) => Ok(Some((level.to_owned(), required))),
        None => Err(format!("found {text:?}, expected {}", layout.level_names())),
    }
}

fn preference(layout: &Layout, text: &str) -> Result<Option<Prefer>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let prefer: Prefer = text
        .parse()
        .map_err(|expected| format!("found {text:?}, {expected}"))?;
    match layout.fault_of(&prefer) {
        Some(problem) => Err(problem),
        None => Ok(Some(prefer)),
    }
}

impl Layout {
    /// What is wrong with a preference on a machine with this layout.
    pub(crate) fn fault_of(&self, prefer: &Prefer) -> Option<String> {
        let Prefer::Compact(level) = prefer else {
            return None;
        };
        let unknown = self.level(level).is_none();
        unknown.then(|| format!("found level {level:?}, expected {}", self.level_names()))
    }
}

/// Processing elements that all exist, in increasing order.
fn named_pes(layout: &Layout, text: &str) -> Result<PeRanges, String> {
    if text.is_empty() {
        return Ok(PeRanges::default());
    }
    let set = PeRanges::parse(text)
        .ok_or_else(|| format!("found {text:?}, expected a set of PEs such as 0-3 5"))?;
    let last = layout.numbers().saturating_sub(1);
    if let Some((_, beyond)) = set.0.iter().find(|(_, to)| *to > last) {
        return Err(format!("found PE {beyond}, expected PEs from 0 to {last}"));
    }
    let mut members: Vec<u32> = set
        .0
        .iter()
        .flat_map(|(first, last)| *first..=*last)
        .collect();
    members.sort_unstable();
    members.dedup();
    match members.iter().find(|pe| layout.place(**pe).is_none()) {
        Some(pe) => Err(format!(
            "found PE {pe}, which is missing in its group, expected PEs that exist"
        )),
        None => Ok(ranges(members.into_iter())),
    }
}
