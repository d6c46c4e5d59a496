//! Acceptance by time, size and duration.

use std::collections::BTreeMap;

use super::{
    line_plot::{LinePlot, LinePoint, Series},
    requests::Requests,
    run::Run,
    words::unit,
};
use crate::statistics::Limits;

/// How many of some requests were accepted.
#[derive(Clone, Copy, Default)]
pub(super) struct Share {
    accepted: usize,
    pub(super) all: usize,
}

impl Share {
    /// One more.
    pub(super) fn add(&mut self, accepted: bool) {
        self.accepted += usize::from(accepted);
        self.all += 1;
    }

    /// As a point of a line.
    pub(super) fn at(self, x: f64, x_text: String) -> LinePoint {
        LinePoint {
            x,
            x_text,
            mean: 100.0 * self.accepted as f64 / self.all as f64,
            ends: None,
        }
    }
}

/// Upper bounds of the duration classes in seconds, with their names; what is longer comes last.
const DURATIONS: [(f64, &str); 10] = [
    (60.0, "1 min"),
    (300.0, "5 min"),
    (900.0, "15 min"),
    (1800.0, "30 min"),
    (3600.0, "1 h"),
    (10_800.0, "3 h"),
    (43_200.0, "12 h"),
    (86_400.0, "1 day"),
    (604_800.0, "1 wk"),
    (f64::INFINITY, ">1 wk"),
];

/// The three plots of acceptance; none when no run says how its requests were decided.
pub(super) fn plots(runs: &[Run]) -> Vec<LinePlot> {
    let known = || runs.iter().filter_map(|run| run.requests.as_ref());
    let arrivals = known().filter_map(|requests| requests.arrivals);
    let Some([first, last]) = arrivals.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]) else {
        return Vec::new();
    };
    let (seconds, name) = unit(last - first);
    // Classes four times as wide keep the axis of a large machine readable.
    let doublings = match known().any(|requests| requests.most_pes > 256.0) {
        true => 2,
        false => 1,
    };
    vec![
        line_plot(
            runs,
            ("over-time", "Acceptance over time"),
            format!("time since the first request ({name})"),
            |requests| {
                let shares = requests.over_time.iter();
                let points =
                    shares.map(|(at, share)| share.at((at - first) / seconds, String::new()));
                points.collect()
            },
        ),
        line_plot(
            runs,
            ("by-size", "Acceptance by size"),
            "size class: PEs asked for, up to".to_owned(),
            |requests| by_size(&requests.by_size, doublings),
        ),
        line_plot(
            runs,
            ("by-duration", "Acceptance by duration"),
            "duration class: asked for, up to".to_owned(),
            |requests| {
                let classes = requests.by_duration.iter();
                let points = classes
                    .map(|(class, share)| share.at(*class as f64, DURATIONS[*class].1.to_owned()));
                points.collect()
            },
        ),
    ]
}

/// The least power of two that is enough, found by multiplying: a logarithm may land on either side of a whole number.
pub(super) fn size_class(pes: f64) -> u32 {
    let mut power = 0;
    while f64::powi(2.0, power) < pes {
        power += 1;
    }
    power.unsigned_abs()
}

/// The index of the class.
pub(super) fn duration_class(seconds: f64) -> usize {
    let class = DURATIONS.iter().position(|bound| seconds <= bound.0);
    class.unwrap_or(DURATIONS.len() - 1)
}

fn line_plot(
    runs: &[Run],
    (id, title): (&str, &str),
    x_label: String,
    points: impl Fn(&Requests) -> Vec<LinePoint>,
) -> LinePlot {
    let series = runs.iter().filter_map(|run| {
        Some(Series {
            name: run.label.clone(),
            points: points(run.requests.as_ref()?),
        })
    });
    LinePlot {
        id: id.to_owned(),
        title: title.to_owned(),
        x_label,
        y_label: "accepted (%)".to_owned(),
        limits: Limits::PERCENT,
        series: series.collect(),
    }
}

/// In classes each of which is so many times twice as wide as the one before.
fn by_size(shares: &BTreeMap<u32, Share>, doublings: u32) -> Vec<LinePoint> {
    let mut classes: BTreeMap<u32, Share> = BTreeMap::new();
    for (power, share) in shares {
        let class = classes.entry(power.div_ceil(doublings)).or_default();
        class.accepted += share.accepted;
        class.all += share.all;
    }
    let points = classes.into_iter().map(|(class, share)| {
        let most = 1_u128 << (class * doublings);
        share.at(f64::from(class), most.to_string())
    });
    points.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_belongs_to_its_own_size_class() {
        for doublings in [1, 2] {
            let class =
                |pes: f64| by_size(&[(size_class(pes), Share::default())].into(), doublings)[0].x;
            for power in 0..12 {
                let pes = f64::powi(2.0, doublings as i32 * power);
                assert_eq!(class(pes), f64::from(power));
                assert_eq!(class(pes + 1.0), f64::from(power + 1));
            }
        }
    }

    #[test]
    fn durations_go_up_to_their_bound() {
        let names = [60.0, 61.0, 1e9].map(|seconds| DURATIONS[duration_class(seconds)].1);
        assert_eq!(names, ["1 min", "5 min", ">1 wk"]);
    }
}
