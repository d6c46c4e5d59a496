//! Which axis of a sweep goes where, so that what its plan compares stands in one plot.

use std::cmp::Reverse;

use super::sweep::Axis;

/// Small plots of a measure; the values of further axes are told apart by the names of lines.
const MOST_PANELS: usize = 24;

/// Axes that are there to be compared, whatever others have more values.
const COMPARED: [&str; 2] = ["strategy", "policy"];

/// The places of the axes that have more than one value.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// What is compared: an axis of names, or of numbers where there is no other.
    pub(crate) compared: Option<usize>,
    /// Along the plots: numbers, or else the names that are compared.
    pub(crate) x: Option<usize>,
    /// A line for each value.
    pub(crate) lines: Option<usize>,
    /// A plot for each combination of their values.
    pub(crate) panels: Vec<usize>,
    /// The rest, in the names of the lines.
    pub(crate) others: Vec<usize>,
}

impl Layout {
    pub(crate) fn of(axes: &[Axis]) -> Self {
        let open: Vec<usize> = (0..axes.len())
            .filter(|at| axes[*at].values.len() > 1)
            .collect();
        let (numbers, mut names): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|at| axes[**at].is_of_numbers());
        // Else as in the plan.
        names.sort_by_key(|at| {
            let Axis { name, values } = &axes[*at];
            Reverse((COMPARED.contains(&name.as_str()), values.len()))
        });
        let (x, lines) = match (&numbers[..], &names[..]) {
            ([x, ..], [lines, ..]) | ([x, lines, ..], []) | ([], [x, lines, ..]) => {
                (Some(*x), Some(*lines))
            }
            ([x], []) | ([], [x]) => (Some(*x), None),
            ([], []) => (None, None),
        };
        let rest = open
            .into_iter()
            .filter(|at| ![x, lines].contains(&Some(*at)));
        let mut plots = 1;
        let (panels, others) = rest.partition(|at| {
            plots *= axes[*at].values.len();
            plots <= MOST_PANELS
        });
        Self {
            compared: names.first().copied().or(lines).or(x),
            x,
            lines,
            panels,
            others,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Layout};

    const POLICIES: (&str, &[&str]) = ("policy", &["first-fit", "pe-worst-fit"]);
    const BINDINGS: (&str, &[&str]) = ("binding", &["early", "late", "late-control"]);
    const SIZES: (&str, &[&str]) = ("umed", &["5", "7", "9"]);
    const SLOTS: (&str, &[&str]) = ("slots", &["100", "200"]);

    fn layout(axes: &[(&str, &[&str])]) -> [Vec<usize>; 5] {
        let axes = axes.iter().map(|(name, values)| Axis {
            name: (*name).to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        });
        let found = Layout::of(&axes.collect::<Vec<_>>());
        let one = |at: Option<usize>| at.into_iter().collect();
        let Layout {
            compared,
            x,
            lines,
            panels,
            others,
        } = found;
        [one(compared), one(x), one(lines), panels, others]
    }

    #[test]
    fn names_are_compared_as_lines_over_numbers_or_along_the_plot() {
        let none = Vec::new;
        let one_value: (&str, &[&str]) = ("pes", &["64"]);
        let cases = [
            (vec![], [none(), none(), none(), none(), none()]),
            (vec![one_value], [none(), none(), none(), none(), none()]),
            (vec![SIZES], [vec![0], vec![0], none(), none(), none()]),
            (vec![POLICIES], [vec![0], vec![0], none(), none(), none()]),
            (
                vec![POLICIES, SIZES],
                [vec![0], vec![1], vec![0], none(), none()],
            ),
            (
                vec![SIZES, SLOTS],
                [vec![1], vec![0], vec![1], none(), none()],
            ),
            (
                vec![BINDINGS, POLICIES],
                [vec![1], vec![1], vec![0], none(), none()],
            ),
            (
                vec![SIZES, BINDINGS, one_value, POLICIES],
                [vec![3], vec![0], vec![3], vec![1], none()],
            ),
            (
                vec![SIZES, SLOTS, POLICIES, BINDINGS],
                [vec![2], vec![0], vec![2], vec![1, 3], none()],
            ),
        ];
        for (axes, expected) in cases {
            assert_eq!(layout(&axes), expected, "{axes:?}");
        }
    }

    #[test]
    fn too_many_plots_become_lines() {
        let many: Vec<String> = (0..25).map(|value| value.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let found = layout(&[SIZES, POLICIES, ("jobs", &many), SLOTS]);
        assert_eq!(found, [vec![1], vec![0], vec![1], vec![], vec![2, 3]]);
    }
}
