//! How series look: colour, dashes and marker, so that they can be told apart without seeing colours.
//!
//! The drawings name plain colours; the page's style sheet maps each to its light or dark shade and gives the line its
//! dashes, so one drawing serves both schemes and a dashed line stays one element.

use std::{collections::BTreeMap, fmt::Write};

use plotters::prelude::RGBColor;

/// Text and axes in the drawings.
pub(super) const INK: RGBColor = RGBColor(0, 0, 0);

/// Light and dark shade per hue: after Okabe and Ito, moved until each has a contrast of 3:1 to its background.
const SHADES: [([u8; 3], [u8; 3]); 7] = [
    ([0x33, 0x33, 0x33], [0xE6, 0xE6, 0xE6]),
    ([0xD5, 0x5E, 0x00], [0xFF, 0x8A, 0x3D]),
    ([0x00, 0x72, 0xB2], [0x4D, 0xA6, 0xF2]),
    ([0x00, 0x87, 0x5F], [0x2C, 0xC7, 0x9A]),
    ([0xB8, 0x4A, 0x9B], [0xEE, 0x97, 0xDA]),
    ([0xA8, 0x7B, 0x00], [0xF0, 0xC5, 0x4A]),
    ([0x3A, 0x98, 0xCF], [0x9A, 0xDD, 0xFF]),
];

const DASHES: [&str; 7] = [
    "none",
    "9 4",
    "2 4",
    "16 4",
    "9 3 2 3",
    "5 3",
    "14 3 2 3 2 3",
];

/// Looks before they repeat: each hue twice, with other dashes and another marker the second time.
const LOOKS: usize = 2 * SHADES.len();

/// How many of the strategies are policies, which look otherwise with late binding.
const POLICIES: usize = SHADES.len();

/// The ways to find room in the order in which they get their looks, the same in every report: the policies, and then the others.
pub(crate) const STRATEGIES: [&str; POLICIES + 6] = [
    "first-fit",
    "pe-best-fit",
    "pe-worst-fit",
    "duration-best-fit",
    "duration-worst-fit",
    "pe-duration-best-fit",
    "pe-duration-worst-fit",
    "rigid",
    "elastic",
    "juggle",
    "shift",
    "juggle-shift",
    "overlay",
];

/// How one series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeriesStyle(usize);

/// The looks of all series of a page: a name has the same in each of its figures, as far as no two of a figure have one.
#[derive(Default)]
pub(super) struct Looks(BTreeMap<String, usize>);

impl Looks {
    /// A look for each name of a figure: policies (also with a binding behind) and strategies get their own, anything else the first that is free.
    /// A single one that is not known is told apart from nothing and gets the plainest.
    pub(super) fn of<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> Vec<SeriesStyle> {
        let names: Vec<&str> = names.into_iter().collect();
        let mut taken: Vec<Option<usize>> = names.iter().map(|name| self.known(name)).collect();
        if let [None] = taken[..] {
            return vec![SeriesStyle(0)];
        }
        for at in 1..taken.len() {
            let (before, rest) = taken.split_at_mut(at);
            rest[0] = rest[0].filter(|look| !before.contains(&Some(*look)));
        }
        for (at, name) in names
            .iter()
            .enumerate()
            .filter(|(_, name)| !name.is_empty())
        {
            if taken[at].is_none() {
                let look = self.free(&taken).unwrap_or(at % LOOKS);
                self.0.entry((*name).to_owned()).or_insert(look);
                taken[at] = Some(look);
            }
        }
        let looks = taken.into_iter().map(Option::unwrap_or_default);
        looks.map(SeriesStyle).collect()
    }

    fn known(&self, name: &str) -> Option<usize> {
        let fixed = policy_look(name).or_else(|| place(name));
        fixed.or_else(|| self.0.get(name).copied())
    }

    /// Of the looks that a figure has not, the first that the fewest names of the page have.
    fn free(&self, taken: &[Option<usize>]) -> Option<usize> {
        let free = (0..LOOKS).filter(|look| !taken.contains(&Some(*look)));
        free.min_by_key(|look| self.0.values().filter(|used| *used == look).count())
    }
}

/// The looks of a figure that stands by itself.
pub(super) fn looks<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<SeriesStyle> {
    Looks::default().of(names)
}

fn place(strategy: &str) -> Option<usize> {
    STRATEGIES.iter().position(|known| *known == strategy)
}

fn policy_look(name: &str) -> Option<usize> {
    let policy = name.trim_end_matches("-early").trim_end_matches("-late");
    let at = place(policy).filter(|at| *at < POLICIES)?;
    let second = name.ends_with("-late");
    Some(at + usize::from(second) * POLICIES)
}

/// The place of a policy among the policies; anything else comes behind them.
pub(super) fn rank(policy: &str) -> usize {
    place(policy).unwrap_or(POLICIES).min(POLICIES)
}

impl SeriesStyle {
    /// The colour in drawings; a second round differs by one bit, which tells it apart in the style sheet only.
    pub(super) fn colour(self) -> RGBColor {
        let [red, green, blue] = SHADES[self.0 % SHADES.len()].0;
        RGBColor(red, green, blue ^ u8::from(self.0 >= SHADES.len()))
    }

    fn hex(self) -> String {
        let RGBColor(red, green, blue) = self.colour();
        format!("#{red:02X}{green:02X}{blue:02X}")
    }

    fn dashes(self) -> &'static str {
        DASHES[(self.0 + 3 * (self.0 / SHADES.len())) % DASHES.len()]
    }

    /// The shape of its markers, of seven.
    pub(super) fn marker(self) -> usize {
        (self.0 + 2 * (self.0 / SHADES.len())) % 7
    }
}

/// The part of the style sheet that gives the drawings their shades and dashes.
pub(super) fn css() -> String {
    let mut css = String::from(
        "svg [fill=\"#000000\"]{fill:var(--ink)}svg [stroke=\"#000000\"]{stroke:var(--ink)}\n",
    );
    let mut dark = String::new();
    for at in 0..LOOKS {
        let hex = SeriesStyle(at).hex();
        let [red, green, blue] = SHADES[at % SHADES.len()].1;
        let dashes = SeriesStyle(at).dashes();
        // Writing to a string cannot fail.
        let _ = writeln!(
            css,
            "svg polyline[stroke=\"{hex}\"]{{stroke-dasharray:{dashes}}}"
        );
        let _ = writeln!(
            dark,
            "svg [fill=\"{hex}\"]{{fill:rgb({red},{green},{blue})}}svg [stroke=\"{hex}\"]{{stroke:rgb({red},{green},{blue})}}"
        );
    }
    let _ = write!(css, "@media (prefers-color-scheme:dark){{\n{dark}}}\n");
    css
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn looks_differ_without_their_hues() {
        let all = || (0..LOOKS).map(SeriesStyle);
        let without_hue: BTreeSet<_> = all().map(|look| (look.dashes(), look.marker())).collect();
        assert_eq!(without_hue.len(), LOOKS);
        let in_style_sheet: BTreeSet<_> = all().map(SeriesStyle::hex).collect();
        assert_eq!(in_style_sheet.len(), LOOKS);
    }

    #[test]
    fn a_policy_looks_the_same_among_others() {
        let here = looks(["first-fit", "pe-worst-fit"]);
        let there = looks(["pe-worst-fit-early", "pe-worst-fit-late", "first-fit-early"]);
        assert_eq!([here[1], here[0]], [there[0], there[2]]);
        assert_ne!(there[0], there[1]);
        assert_eq!(
            looks(["first-fit", "osp"]),
            [SeriesStyle(0), SeriesStyle(1)]
        );
    }

    #[test]
    fn a_name_looks_the_same_in_all_figures_of_a_page_and_never_like_another_beside_it() {
        let mut page = Looks::default();
        let first = page.of(["osp", "elastic", "first-fit"]);
        assert_eq!(first[1..], [SeriesStyle(8), SeriesStyle(0)]);
        assert_eq!(page.of(["osp"]), [first[0]]);
        assert_eq!(page.of(["unknown"]), [SeriesStyle(0)]);
        let second = page.of(["other", "osp"]);
        assert_eq!(second[1], first[0]);
        let many: Vec<String> = (0..LOOKS).map(|at| format!("series {at}")).collect();
        let many = page.of(many.iter().map(String::as_str));
        let different: BTreeSet<_> = many.iter().map(|look| look.0).collect();
        assert_eq!(different.len(), LOOKS);
        // Both are known to look alike by now.
        let alike: Vec<String> = (0..LOOKS)
            .map(|at| format!("series {at}"))
            .chain(["osp".to_owned()])
            .collect();
        let found = alike
            .iter()
            .filter(|name| page.known(name) == Some(first[0].0))
            .map(String::as_str);
        let together = page.of(found.collect::<Vec<_>>());
        assert!(together.len() > 1 && together[0] != together[1]);
    }
}
