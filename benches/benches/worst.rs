//! The worst cases that were found: each search in the state in which it took longest.

// Criterion's macro makes a public function without a word.
#![allow(missing_docs)]

use bookahead_benches::worst::{Bed, finds};
use criterion::{Criterion, criterion_group, criterion_main};

fn worst(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("worst");
    // Some take tens of milliseconds.
    group.sample_size(10);
    for find in finds::kept() {
        let mut bed = Bed::of(&find);
        let name = format!("{}/{}", find.structure.name(), find.search);
        group.bench_function(name, |bencher| {
            bencher.iter(|| bed.search(&find.state, find.search));
        });
    }
}

criterion_group!(benches, worst);
criterion_main!(benches);
