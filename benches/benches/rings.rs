//! The rings without a ledger: every policy, adding and removing, on both rings.

// Criterion's macro makes a public function without a word.
#![allow(missing_docs)]

use std::hint::black_box;

use bookahead::Policy;
use bookahead_benches::kernel;
use bookahead_benches::{Early, Late, Paper, Scene, Structure};
use criterion::{Criterion, criterion_group, criterion_main};

const LIVE: usize = 1_000;
const QUERIES: usize = 512;
const SEED: u64 = 1;

fn policies(criterion: &mut Criterion, name: &str, structure: &mut impl Structure, scene: &Scene) {
    let mut group = criterion.benchmark_group(format!("find/{name}"));
    for policy in Policy::ALL {
        let mut queries = scene.queries.iter().cycle();
        group.bench_function(policy.name(), |bencher| {
            bencher.iter(|| {
                queries
                    .next()
                    .and_then(|request| structure.find(black_box(request), policy))
            });
        });
    }
}

/// Takes live bookings out and puts them back, so that one measurement covers both.
fn writes(criterion: &mut Criterion, name: &str, structure: &mut impl Structure, scene: &Scene) {
    let bookings = scene.bookings();
    let known: Vec<_> = bookings
        .iter()
        .map(|booking| structure.know(booking))
        .collect();
    let mut turns = known.iter().cycle();
    criterion.bench_function(&format!("remove and add/{name}"), |bencher| {
        bencher.iter(|| {
            if let Some(known) = turns.next() {
                structure.remove(black_box(known));
                structure.add(black_box(known));
            }
        });
    });
}

fn rings(criterion: &mut Criterion) {
    let scene = Scene::new(LIVE, QUERIES, SEED);
    let bookings = scene.bookings();
    let mut memory = kernel::early(&scene);
    let mut early = Early(kernel::early_ring(&mut memory, &scene));
    early.fill(&bookings);
    policies(criterion, "pe", &mut early, &scene);
    writes(criterion, "pe", &mut early, &scene);
    let mut memory = kernel::late(&scene);
    let mut late = Late(kernel::late_ring(&mut memory, &scene));
    late.fill(&bookings);
    policies(criterion, "count", &mut late, &scene);
    writes(criterion, "count", &mut late, &scene);
    let mut paper = Paper {
        ring: scene.ring(),
        list: scene.paper.clone(),
    };
    policies(criterion, "paper", &mut paper, &scene);
    writes(criterion, "paper", &mut paper, &scene);
}

criterion_group!(benches, rings);
criterion_main!(benches);
