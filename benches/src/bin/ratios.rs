//! Measures the kernel beside the paper's own structure and the streaming floor, in one interleaved run, and prints lines `NAME VALUE`.

use std::collections::BTreeMap;

use bookahead::{Policy, Request};
use bookahead_benches::{Booking, Floor, MACHINE, Mask, Mean, Paper, Scene, Stopwatch, Structure};

const SEED: u64 = 20_090_715;
/// Queries per scene.
const QUERIES: usize = 2_048;
/// Calls between two looks at the clock: enough for the fastest, few enough that structures take turns often.
const BATCH: usize = 16;

fn main() {
    let watch = Stopwatch::calibrated();
    println!("clock_overhead_ns {:.1}", watch.overhead());
    let scene = Scene::new(10_000, QUERIES, SEED);
    let report = measure(&watch, &scene);
    for (name, mean) in report.means {
        println!("{name}_ns {:.1}", mean.value());
    }
}

#[derive(Default)]
struct Report {
    means: BTreeMap<String, Mean>,
}

impl Report {
    fn add(&mut self, name: String, sum: f64, count: usize) {
        self.means.entry(name).or_default().add(sum, count);
    }
}

fn find_name(structure: &str, policy: Policy) -> String {
    let what = match policy {
        Policy::FirstFit => "first",
        Policy::PeBestFit => "pe_best",
        Policy::PeWorstFit => "pe_worst",
        Policy::DurationBestFit => "duration_best",
        Policy::DurationWorstFit => "duration_worst",
        Policy::PeDurationBestFit => "pe_duration_best",
        Policy::PeDurationWorstFit => "pe_duration_worst",
    };
    format!("{structure}_find_{what}")
}

fn measure(watch: &Stopwatch, scene: &Scene) -> Report {
    let mut report = Report::default();
    let mut floor = Floor::new(scene.slots as usize);
    for booking in scene.bookings() {
        floor.flip(slots(booking), booking.pes.words());
    }
    let mut paper = Paper {
        ring: scene.ring(),
        list: scene.paper.clone(),
    };
    for batch in scene.queries.chunks_exact(BATCH) {
        for policy in Policy::ALL {
            let sum = watch.time(batch, |request| paper.find(request, policy));
            report.add(find_name("paper", policy), sum, BATCH);
        }
        floors(watch, &floor, batch, &mut report);
    }
    report
}

fn slots(booking: &Booking) -> std::ops::Range<usize> {
    booking.window.start.get() as usize..booking.window.end.get() as usize
}

fn floors(watch: &Stopwatch, floor: &Floor, batch: &[Request], report: &mut Report) {
    let first = |request: &Request| {
        let ready = request.ready.get() as usize;
        ready..ready + request.duration.get() as usize
    };
    let window = |request: &Request| request.ready.get() as usize..request.deadline.get() as usize;
    report.add(
        "floor_first".into(),
        watch.time(batch, |request| floor.union(first(request))),
        BATCH,
    );
    report.add(
        "floor_first_again".into(),
        watch.time(batch, |request| floor.union(first(request))),
        BATCH,
    );
    report.add(
        "floor_window".into(),
        watch.time(batch, |request| floor.union(window(request))),
        BATCH,
    );
    report.add(
        "plain_window".into(),
        watch.time(batch, |request| floor.plain_fold(window(request))),
        BATCH,
    );
    report.add(
        "plain_first".into(),
        watch.time(batch, |request| floor.plain_fold(first(request))),
        BATCH,
    );
    let bytes: usize = batch
        .iter()
        .map(|r| first(r).len() * size_of::<Mask>())
        .sum();
    report.add("floor_first_bytes".into(), bytes as f64, BATCH);
    let _ = MACHINE;
}
