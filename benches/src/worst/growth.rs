//! How the worst cases grow: states that are known to be slow, at several sizes.

use bookahead::Policy;
use bookahead_oracle::Skyline;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{Bed, Find, Hunt, Sought, State, Structure, known};

/// Where only the window becomes larger, no run is longer than this share of the smallest ring.
const SHORT: u32 = 16;

/// What becomes larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Larger {
    /// The ring and the window, with the duration as it was.
    Window,
    /// The ring, the window and the duration.
    Duration,
    /// The machine, and so the columns of its sets.
    Columns,
}

impl Larger {
    /// What may become larger on a structure. Counts do not depend on the size of the machine.
    #[must_use]
    pub const fn all(structure: Structure) -> &'static [Self] {
        match structure {
            Structure::Count => &[Self::Window, Self::Duration],
            Structure::Pe => &[Self::Window, Self::Duration, Self::Columns],
        }
    }

    /// How many times as large it becomes.
    #[must_use]
    pub const fn factors(self) -> &'static [u32] {
        match self {
            Self::Window | Self::Duration => &[1, 2, 4, 8],
            Self::Columns => &[1, 2, 4],
        }
    }

    /// The name in the output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Duration => "window and duration",
            Self::Columns => "columns",
        }
    }

    /// Ring and machine at `factor` times the size.
    const fn size(self, (slots, pes): (u32, u16), factor: u32) -> (u32, u16) {
        match self {
            Self::Window | Self::Duration => (slots * factor, pes),
            Self::Columns => (slots, pes * factor as u16),
        }
    }
}

/// How the worst case of one search grows.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The search.
    pub sought: Sought,
    /// The slowest at each size.
    pub worst: Vec<Find>,
    /// The exponent of these times: the power of the size that they are nearest to.
    pub exponent: f64,
}

/// What is done to find the worst case of each size.
pub struct Effort<'f> {
    /// States that are known.
    pub finds: &'f [Find],
    /// Changes of the slowest of these that are tried.
    pub steps: u32,
    /// Decides which.
    pub seed: u64,
}

/// Looks for the worst case of `sought` at `size`, and at several times that.
///
/// With a larger window the duration is at most what it was, so that it does not grow in secret.
///
/// # Panics
///
/// When there is not enough memory.
#[must_use]
pub fn measure(
    structure: Structure,
    sought: Sought,
    larger: Larger,
    size: (u32, u16),
    effort: &Effort,
) -> Growth {
    let of_structure = |find: &&Find| find.structure == structure;
    let finds = effort.finds.iter().filter(of_structure);
    let mut states = shapes(size);
    states.extend(finds.map(|find| find.state.clone()));
    let factors = larger.factors();
    let ground = |factor: &u32| {
        let (slots, pes) = larger.size(size, *factor);
        let longest = if larger == Larger::Window {
            size.0 / SHORT
        } else {
            slots
        };
        let bed = Bed::new(structure, slots, pes).expect("a host has the memory");
        let rng = ChaCha8Rng::seed_from_u64(effort.seed);
        let hunt = Hunt::new(structure, sought, (slots, pes), rng).up_to(longest);
        (hunt, bed)
    };
    let mut grounds: Vec<(Hunt, Bed)> = factors.iter().map(ground).collect();
    let best = |hunt: &Hunt| hunt.best().expect("each search takes time").clone();
    for (hunt, bed) in &mut grounds {
        for state in &states {
            hunt.start_from(state, bed);
        }
        for _ in 0..effort.steps {
            hunt.step(None, bed);
        }
        // What is slow at one size may be so at the others.
        states.push(best(hunt).state);
    }
    let bests = &states[states.len() - factors.len()..];
    for (hunt, bed) in &mut grounds {
        for state in bests {
            hunt.start_from(state, bed);
        }
    }
    let worst: Vec<Find> = grounds.iter().map(|(hunt, _)| best(hunt)).collect();
    let times: Vec<f64> = worst.iter().map(|find| find.ns).collect();
    Growth {
        sought,
        worst,
        exponent: exponent(factors, &times),
    }
}

/// Some of the known shapes.
fn shapes((slots, pes): (u32, u16)) -> Vec<State> {
    let mut states = Vec::new();
    for falling in [true, false] {
        let shapes = [
            Skyline::Staircase { falling },
            Skyline::Pyramid { valley: falling },
            Skyline::Saw {
                period: 64,
                falling,
            },
            Skyline::Comb {
                period: 64,
                falling,
            },
        ];
        for skyline in shapes {
            for turn in [0, 37] {
                for duration in [1, 31, slots / SHORT, slots / 2] {
                    let mut state = known(slots, pes, skyline, turn);
                    state.request.duration = duration;
                    state.fit();
                    states.push(state);
                }
            }
        }
    }
    states
}

/// The exponent of the power of the size that the times are nearest to: the slope of their logarithms, by least squares.
fn exponent(factors: &[u32], times: &[f64]) -> f64 {
    let points = factors.iter().zip(times);
    let points: Vec<(f64, f64)> = points
        .map(|(factor, time)| (f64::from(*factor).ln(), time.max(1.0).ln()))
        .collect();
    let mean =
        |part: fn(&(f64, f64)) -> f64| points.iter().map(part).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y));
    let width = points.iter().map(|point| (point.0 - x).powi(2));
    slope.sum::<f64>() / width.sum::<f64>()
}

/// What the documentation of the kernel says about the time of a search on hosts.
#[must_use]
pub const fn documented(structure: Structure, sought: Sought) -> &'static str {
    match (structure, sought) {
        (Structure::Count, Sought::Start(Policy::FirstFit)) => "window",
        (Structure::Count, Sought::Start(Policy::PeBestFit | Policy::PeWorstFit)) => {
            "window + window x duration / 4,096"
        }
        (Structure::Count, Sought::Start(_)) => {
            "window + window x duration / 4,096 + starts x horizon / 64"
        }
        (Structure::Count, Sought::Offers { pes: true }) => "interval + groups x list",
        (Structure::Count, Sought::Offers { pes: false }) => {
            "interval + groups x (longest offer / 64 + list)"
        }
        (Structure::Pe, Sought::Start(Policy::FirstFit)) => {
            "window x columns + leaps x columns x log duration"
        }
        (Structure::Pe, Sought::Start(Policy::PeBestFit | Policy::PeWorstFit)) => {
            "window x columns + leaps x columns x log duration"
        }
        (Structure::Pe, Sought::Start(_)) => "window x columns + starts x horizon / 8 x columns",
        (Structure::Pe, Sought::Offers { .. }) => {
            "interval / 8 x columns + groups x (longest offer / 512 x columns + list)"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn squares_have_the_exponent_2() {
        let times = [3.0, 12.0, 48.0, 192.0].map(|time| 100.0 * time);
        assert!((exponent(&[1, 2, 4, 8], &times) - 2.0).abs() < 1e-9);
    }
}
