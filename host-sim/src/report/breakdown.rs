//! Acceptance by time, size and duration.

use super::{
    line_plot::{LinePlot, LinePoint, Series},
    run::{Reservation, Run},
    words::unit,
};
use crate::statistics::Limits;

/// Points of a line over time; fewer where they would stand for too few requests.
const POINTS: usize = 20;
const REQUESTS_PER_POINT: usize = 25;

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
    let known = || {
        runs.iter()
            .flat_map(|run| run.reservations.iter().flatten())
    };
    let Some(first) = known().map(|r| r.arrival).min_by(f64::total_cmp) else {
        return Vec::new();
    };
    let last = known().map(|r| r.arrival).fold(first, f64::max);
    let largest = known().map(|r| r.pes).fold(1.0, f64::max);
    let (seconds, name) = unit(last - first);
    // Classes four times as wide keep the axis of a large machine readable.
    let base: f64 = if largest > 256.0 { 4.0 } else { 2.0 };
    vec![
        line_plot(
            runs,
            ("over-time", "Acceptance over time"),
            format!("time since the first request ({name})"),
            |reservations| over_time(reservations, first, seconds),
        ),
        line_plot(
            runs,
            ("by-size", "Acceptance by size"),
            "size class: PEs asked for, up to".to_owned(),
            |reservations| by_class(reservations, |r| size_class(r.pes, base)),
        ),
        line_plot(
            runs,
            ("by-duration", "Acceptance by duration"),
            "duration class: asked for, up to".to_owned(),
            |reservations| by_class(reservations, |r| duration_class(r.duration)),
        ),
    ]
}

/// The least power of `base` that is enough, found by multiplying: a logarithm may land on either side of a whole number.
fn size_class(pes: f64, base: f64) -> (f64, String) {
    let mut power = 0;
    while base.powi(power) < pes {
        power += 1;
    }
    (f64::from(power), base.powi(power).to_string())
}

fn duration_class(seconds: f64) -> (f64, String) {
    let class = DURATIONS.iter().position(|bound| seconds <= bound.0);
    let class = class.unwrap_or(DURATIONS.len() - 1);
    (class as f64, DURATIONS[class].1.to_owned())
}

fn line_plot(
    runs: &[Run],
    (id, title): (&str, &str),
    x_label: String,
    points: impl Fn(&[Reservation]) -> Vec<LinePoint>,
) -> LinePlot {
    let series = runs.iter().filter_map(|run| {
        Some(Series {
            name: run.label.clone(),
            points: points(run.reservations.as_ref()?),
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

/// Each point stands for as many requests as any other, so all are equally certain.
fn over_time(reservations: &[Reservation], first: f64, seconds: f64) -> Vec<LinePoint> {
    let points = (reservations.len() / REQUESTS_PER_POINT).clamp(1, POINTS);
    let size = reservations.len().div_ceil(points).max(1);
    let mut by_arrival: Vec<&Reservation> = reservations.iter().collect();
    by_arrival.sort_by(|a, b| a.arrival.total_cmp(&b.arrival));
    by_arrival
        .chunks(size)
        .map(|chunk| {
            let middle = chunk.iter().map(|r| r.arrival).sum::<f64>() / chunk.len() as f64;
            let x = (middle - first) / seconds;
            let accepted = chunk.iter().filter(|r| r.accepted).count();
            point(x, String::new(), accepted, chunk.len())
        })
        .collect()
}

fn by_class(
    reservations: &[Reservation],
    class: impl Fn(&Reservation) -> (f64, String),
) -> Vec<LinePoint> {
    let mut classes: Vec<(f64, String, usize, usize)> = Vec::new();
    for reservation in reservations {
        let (x, name) = class(reservation);
        let accepted = usize::from(reservation.accepted);
        match classes.iter_mut().find(|c| c.0 == x) {
            Some(known) => {
                known.2 += accepted;
                known.3 += 1;
            }
            None => classes.push((x, name, accepted, 1)),
        }
    }
    classes.sort_by(|a, b| a.0.total_cmp(&b.0));
    classes
        .into_iter()
        .map(|(x, name, accepted, all)| point(x, name, accepted, all))
        .collect()
}

fn point(x: f64, x_text: String, accepted: usize, all: usize) -> LinePoint {
    LinePoint {
        x,
        x_text,
        mean: 100.0 * accepted as f64 / all as f64,
        ends: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_belongs_to_its_own_size_class() {
        for base in [2.0, 4.0] {
            for power in 0..12 {
                let pes = f64::powi(base, power);
                assert_eq!(size_class(pes, base).0, f64::from(power));
                assert_eq!(size_class(pes + 1.0, base).0, f64::from(power + 1));
            }
        }
    }

    #[test]
    fn durations_go_up_to_their_bound() {
        assert_eq!(duration_class(60.0).1, "1 min");
        assert_eq!(duration_class(61.0).1, "5 min");
        assert_eq!(duration_class(1e9).1, ">1 wk");
    }
}
