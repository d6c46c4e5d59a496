//! Points of a grid by number, and which shard each belongs to.

use std::{fmt, str::FromStr};

/// All combinations of the axes' values, the last axis fastest.
pub(super) struct Grid<'a, T> {
    axes: Vec<&'a [T]>,
}

impl<'a, T> Grid<'a, T> {
    pub(super) fn new(axes: Vec<&'a [T]>) -> Self {
        Self { axes }
    }

    /// How many points there are, or nothing for more than can be counted.
    pub(super) fn points(&self) -> Option<usize> {
        let lengths = self.axes.iter().map(|values| values.len());
        lengths.into_iter().try_fold(1, usize::checked_mul)
    }

    /// The points that differ from this one on one axis at most.
    pub(super) fn along(&self, axis: usize, point: usize) -> impl Iterator<Item = usize> {
        let length = |axis: &&[T]| axis.len();
        let step: usize = self.axes.iter().skip(axis + 1).map(length).product();
        let length = self.axes.get(axis).map_or(1, length);
        let first = point - point / step % length * step;
        (0..length).map(move |value| first + value * step)
    }

    /// The values of a point, one for each axis.
    pub(super) fn at(&self, point: usize) -> Vec<&'a T> {
        let mut rest = point;
        let backwards = self.axes.iter().rev().filter_map(|values| {
            let value = values.get(rest.checked_rem(values.len())?);
            rest /= values.len();
            value
        });
        let mut values: Vec<_> = backwards.collect();
        values.reverse();
        values
    }
}

/// A share of the points: number `index` of `count`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// All points.
    pub(crate) const WHOLE: Self = Self { index: 1, count: 1 };

    /// All shards of as many.
    pub(super) fn siblings(self) -> impl Iterator<Item = Self> {
        let count = self.count;
        (1..=count).map(move |index| Self { index, count })
    }

    /// Whether a point, counted from 0, belongs to it.
    pub(super) fn has(self, point: usize) -> bool {
        point % self.count + 1 == self.index
    }

    /// Whether it is not the whole.
    pub(super) fn is_part(self) -> bool {
        self != Self::WHOLE
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(index, count)| {
            let (index, count) = (index.parse().ok()?, count.parse().ok()?);
            (1..=count)
                .contains(&index)
                .then_some(Self { index, count })
        });
        parts.ok_or_else(|| "expected I/N with I from 1 to N, such as 2/8".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::{Grid, Shard};

    #[test]
    fn the_last_axis_is_the_fastest() {
        let grid = Grid::new(vec![&["a", "b"][..], &["x", "y", "z"]]);
        let point = |point| grid.at(point).into_iter().copied().collect::<String>();
        let points: Vec<String> = (0..grid.points().unwrap()).map(point).collect();
        assert_eq!(points, ["ax", "ay", "az", "bx", "by", "bz"]);
        assert_eq!(Grid::<u8>::new(Vec::new()).points(), Some(1));
    }

    #[test]
    fn each_point_belongs_to_one_shard() {
        let third: Shard = "3/8".parse().unwrap();
        assert_eq!(
            (0..20)
                .filter(|point| third.has(*point))
                .collect::<Vec<_>>(),
            [2, 10, 18]
        );
        for point in 0..20 {
            assert_eq!(third.siblings().filter(|shard| shard.has(point)).count(), 1);
        }
        for wrong in ["", "3", "0/8", "9/8", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
