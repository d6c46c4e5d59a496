//! Models against the statistics of the reference program (400,000 jobs) and against exact tables.

use std::collections::HashSet;

use bookahead_sim::workload::{
    Job,
    lublin::{
        JobType, JobTypes, Lublin, RunTimes, Sizes,
        six_class::{CLASSES, Reconstruction},
    },
    poisson::Poisson,
    rng::{self, Purpose},
    swf,
};
use rand::RngExt;

use crate::{assert_near, quantiles};

fn take(model: &Lublin, count: usize) -> Vec<Job> {
    model.jobs(1, 0).unwrap().take(count).collect()
}

fn share(jobs: &[Job], of: impl Fn(&Job) -> bool) -> f64 {
    jobs.iter().filter(|job| of(job)).count() as f64 / jobs.len() as f64
}

fn mean(values: impl ExactSizeIterator<Item = u64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<u64>() as f64 / count
}

fn assert_close(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{what}: found {found}, expected {expected} within {tolerance}"
    );
}

fn gaps(jobs: &[Job]) -> Vec<u64> {
    jobs.windows(2)
        .map(|pair| pair[1].submit as u64 - pair[0].submit as u64)
        .collect()
}

#[test]
fn combined_model_has_the_reference_statistics() {
    let jobs = take(&Lublin::default(), 400_000);
    // The reference cuts every gap to whole seconds, which moves short gaps by up to one second.
    assert_near(
        "gaps",
        &quantiles(gaps(&jobs)),
        &[11, 18, 41, 115, 378, 1241, 2673, 13_283],
        0.05,
    );
    let runs = jobs.iter().map(|job| job.run);
    let run_quantiles = quantiles(runs.clone().collect());
    assert_eq!(
        run_quantiles[..3],
        [4, 7, 19],
        "short run times are cut to whole seconds"
    );
    assert_near(
        "run times",
        &run_quantiles[3..],
        &[107, 6968, 14_608, 19_791, 33_836],
        0.03,
    );
    assert_close("mean run time", mean(runs.clone()), 4346.0, 100.0);
    assert!(
        runs.max().unwrap() <= 162_754,
        "the longest run time is e^12"
    );
    assert_close(
        "mean size",
        mean(jobs.iter().map(|job| job.pes)),
        12.17,
        0.2,
    );
    // A share of 400,000 has a standard error of at most 0.0008.
    for (size, expected) in [
        (1, 0.243),
        (2, 0.115),
        (4, 0.150),
        (8, 0.141),
        (16, 0.138),
        (32, 0.033),
        (64, 0.033),
        (128, 0.016),
    ] {
        assert_close(
            &format!("share of size {size}"),
            share(&jobs, |job| job.pes == size),
            expected,
            0.003,
        );
    }
    let power_of_two = share(&jobs, |job| job.pes > 1 && job.pes.is_power_of_two());
    assert_close("powers of two above 1", power_of_two, 0.626, 0.004);
    for (size, expected) in [
        (1, 3595.0),
        (8, 4055.0),
        (32, 5509.0),
        (64, 7881.0),
        (128, 12_167.0),
    ] {
        let of_size: Vec<u64> = jobs
            .iter()
            .filter(|job| job.pes == size)
            .map(|job| job.run)
            .collect();
        assert_close(
            &format!("mean run time at {size}"),
            mean(of_size.into_iter()),
            expected,
            0.05 * expected,
        );
    }
}

#[test]
fn combined_model_follows_the_day() {
    // From 1,000,000 jobs with a clock that keeps its fractions.
    const SHARES: [f64; 24] = [
        0.0197, 0.0156, 0.0127, 0.0103, 0.0079, 0.0085, 0.0163, 0.0262, 0.0377, 0.0489, 0.0600,
        0.0679, 0.0734, 0.0761, 0.0761, 0.0736, 0.0695, 0.0631, 0.0567, 0.0491, 0.0419, 0.0349,
        0.0298, 0.0241,
    ];
    let jobs = take(&Lublin::default(), 400_000);
    for (hour, expected) in (0..).zip(SHARES) {
        let found = share(&jobs, |job| job.submit as u64 / 3600 % 24 == hour);
        // Jobs come in bursts, so shares scatter more than independent draws would.
        assert_close(&format!("share of hour {hour}"), found, expected, 0.004);
    }
}

#[test]
fn two_type_model_has_the_reference_statistics() {
    let jobs = take(&Lublin::two_types(), 400_000);
    assert!(
        jobs.is_sorted_by(|a, b| a.submit <= b.submit),
        "merged streams are in order"
    );
    assert_close(
        "share of interactive jobs",
        share(&jobs, |job| job.queue == Some(0)),
        0.85,
        0.02,
    );
    let expected = [
        (0, 620.0, 242.0, 13, 8.03, 45),
        (1, 3527.0, 9525.0, 815, 13.88, 128),
    ];
    for (queue, gap, mean_run, median_run, mean_size, largest) in expected {
        let of_type: Vec<Job> = jobs
            .iter()
            .filter(|job| job.queue == Some(queue))
            .copied()
            .collect();
        let found_gap = of_type.last().unwrap().submit / of_type.len() as f64;
        // Gaps are heavy-tailed: their mean scatters by several percent even at this length.
        assert_close(
            &format!("mean gap of queue {queue}"),
            found_gap,
            gap,
            0.1 * gap,
        );
        let runs: Vec<u64> = of_type.iter().map(|job| job.run).collect();
        assert_close(
            &format!("mean run of queue {queue}"),
            mean(runs.iter().copied()),
            mean_run,
            0.05 * mean_run,
        );
        assert_near(
            &format!("median run of queue {queue}"),
            &[quantiles(runs)[3]],
            &[median_run],
            0.05,
        );
        let sizes = of_type.iter().map(|job| job.pes);
        assert_close(
            &format!("mean size of queue {queue}"),
            mean(sizes.clone()),
            mean_size,
            0.02 * mean_size,
        );
        assert_eq!(sizes.max(), Some(largest), "largest size of queue {queue}");
    }
}

#[test]
fn lanl_cm5_sizes_are_those_of_the_exact_table() {
    const TABLE: [(f64, [f64; 6], f64); 5] = [
        (5.0, [0.8380, 0.0360, 0.0360, 0.0360, 0.0360, 0.0180], 79.8),
        (6.0, [0.5467, 0.2958, 0.0450, 0.0450, 0.0450, 0.0225], 99.8),
        (7.0, [0.3280, 0.3280, 0.1940, 0.0600, 0.0600, 0.0300], 133.1),
        (8.0, [0.2343, 0.2343, 0.2343, 0.1621, 0.0900, 0.0450], 186.2),
        (9.0, [0.1822, 0.1822, 0.1822, 0.1822, 0.1811, 0.0900], 272.4),
    ];
    for (u_med, shares, mean_size) in TABLE {
        let jobs = take(&Lublin::lanl_cm5(u_med, Reconstruction::LogSample), 100_000);
        for (size, expected) in [32, 64, 128, 256, 512, 1024].into_iter().zip(shares) {
            let found = share(&jobs, |job| job.pes == size);
            // Four standard errors of the commonest share.
            assert_close(
                &format!("UMed {u_med}, size {size}"),
                found,
                expected,
                0.0063,
            );
        }
        assert!(
            jobs.iter()
                .all(|job| job.pes.is_power_of_two() && (32..=1024).contains(&job.pes)),
            "UMed {u_med}: other sizes"
        );
        assert_close(
            &format!("UMed {u_med}, mean size"),
            mean(jobs.iter().map(|job| job.pes)),
            mean_size,
            0.02 * mean_size,
        );
    }
}

#[test]
fn six_class_run_times_have_the_shares_of_their_reconstruction() {
    // Per mille.
    const LOG_SAMPLE: [(u64, [u32; 6]); 6] = [
        (32, [179, 319, 126, 56, 253, 68]),
        (64, [60, 318, 113, 93, 384, 33]),
        (128, [21, 68, 219, 42, 547, 104]),
        (256, [20, 0, 0, 102, 82, 796]),
        (512, [13, 62, 175, 125, 113, 512]),
        // 256 and 512 together, weighted by their 49 and 80 jobs.
        (1024, [16, 39, 109, 116, 101, 620]),
    ];
    const MODEL_ROUNDED: [(u64, [u32; 6]); 6] = [
        (32, [364, 142, 49, 20, 17, 409]),
        (64, [259, 101, 38, 13, 15, 573]),
        (128, [53, 20, 8, 3, 11, 906]),
        (256, [0, 0, 0, 0, 11, 989]),
        (512, [0, 0, 0, 0, 11, 989]),
        (1024, [0, 0, 0, 0, 11, 989]),
    ];
    for (reconstruction, table) in [
        (Reconstruction::LogSample, LOG_SAMPLE),
        (Reconstruction::ModelRounded, MODEL_ROUNDED),
    ] {
        let jobs = take(&Lublin::lanl_cm5(9.0, reconstruction), 200_000);
        for (size, shares) in table {
            let of_size: Vec<Job> = jobs.iter().filter(|job| job.pes == size).copied().collect();
            for (class, expected) in CLASSES.into_iter().zip(shares) {
                let expected = f64::from(expected) / 1000.0;
                let found = share(&of_size, |job| job.run == class);
                assert_close(
                    &format!("{reconstruction:?}, size {size}, class {class}"),
                    found,
                    expected,
                    0.014,
                );
            }
        }
    }
}

#[test]
fn six_class_mean_run_time_grows_with_the_sizes() {
    for reconstruction in [Reconstruction::LogSample, Reconstruction::ModelRounded] {
        let means = [5.0, 6.0, 7.0, 8.0, 9.0].map(|u_med| {
            mean(
                take(&Lublin::lanl_cm5(u_med, reconstruction), 50_000)
                    .iter()
                    .map(|job| job.run),
            )
        });
        assert!(
            means.is_sorted_by(|a, b| a < b),
            "{reconstruction:?}: {means:?}"
        );
    }
}

#[test]
fn time_divisor_divides_submissions_and_nothing_else() {
    let scaled = Lublin {
        time_divisor: Lublin::LANL_CM5_TIME_DIVISOR,
        ..Lublin::default()
    };
    for (plain, scaled) in take(&Lublin::default(), 1000)
        .into_iter()
        .zip(take(&scaled, 1000))
    {
        assert_eq!(
            scaled,
            Job {
                submit: plain.submit / 1.80,
                ..plain
            }
        );
    }
}

#[test]
fn a_parameter_of_one_purpose_leaves_the_others_alone() {
    let small = take(&Lublin::lanl_cm5(5.0, Reconstruction::LogSample), 1000);
    let large = take(&Lublin::lanl_cm5(9.0, Reconstruction::LogSample), 1000);
    assert!(
        small
            .iter()
            .zip(&large)
            .all(|(a, b)| a.submit == b.submit && a.pes <= b.pes)
    );
    assert!(small.iter().zip(&large).any(|(a, b)| a.pes < b.pes));
}

fn written(jobs: &[Job]) -> Vec<u8> {
    let records: Vec<swf::Record> = jobs
        .iter()
        .map(bookahead_sim::workload::from_swf::record)
        .collect();
    let mut bytes = Vec::new();
    swf::write_to(&mut bytes, &swf::Header::default(), &records).unwrap();
    bytes
}

#[test]
fn every_purpose_and_replication_has_its_own_stream() {
    let purposes = [
        Purpose::Arrivals,
        Purpose::BatchArrivals,
        Purpose::Sizes,
        Purpose::RunTimes,
        Purpose::Reservations,
    ];
    let first_words: HashSet<u64> = (0..20)
        .flat_map(|replication| {
            purposes.map(|purpose| rng::stream(1, purpose, replication).random())
        })
        .collect();
    assert_eq!(first_words.len(), 100);
}

#[test]
fn same_seed_gives_same_bytes_and_another_seed_or_replication_others() {
    let bytes = |seed, replication| {
        written(
            &Lublin::two_types()
                .jobs(seed, replication)
                .unwrap()
                .take(2000)
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(bytes(42, 3), bytes(42, 3));
    assert_ne!(bytes(42, 3), bytes(43, 3));
    assert_ne!(bytes(42, 3), bytes(42, 4));
}

/// Published results name a seed: a change of generator, sampler or stream numbers must not go unnoticed.
#[test]
fn seed_one_gives_the_jobs_it_always_gave() {
    let first_three = |jobs: Vec<Job>| {
        [0, 1, 2].map(|i: usize| (jobs[i].submit as u64, jobs[i].run, jobs[i].pes))
    };
    let lublin = first_three(take(&Lublin::default(), 3));
    assert_eq!(lublin, [(191, 79, 4), (657, 16, 64), (823, 9150, 1)]);
    let two_types = first_three(take(&Lublin::two_types(), 3));
    assert_eq!(two_types, [(75, 16, 3), (268, 5, 16), (333, 48, 8)]);
    let poisson = first_three(Poisson::default().jobs(1, 0).unwrap().take(3).collect());
    assert_eq!(poisson, [(134, 1147, 21), (181, 1988, 10), (545, 167, 3)]);
}

#[test]
fn poisson_model_has_its_gaps_sizes_and_durations() {
    let model = Poisson {
        mean_gap: 120.0,
        pes: (1, 16),
        duration: (10, 1000),
    };
    let jobs: Vec<Job> = model.jobs(1, 0).unwrap().take(100_000).collect();
    let mean_gap = jobs.last().unwrap().submit / jobs.len() as f64;
    assert_close("mean gap", mean_gap, 120.0, 2.0);
    assert_close(
        "gaps above their mean",
        share_of_gaps_above(&jobs, 120.0),
        (-1.0_f64).exp(),
        0.006,
    );
    for size in 1..=16 {
        let expected = (f64::from(size + 1) / f64::from(size)).ln() / 17.0_f64.ln();
        assert_close(
            &format!("share of size {size}"),
            share(&jobs, |job| job.pes == u64::from(size as u32)),
            expected,
            0.006,
        );
    }
    assert!(
        jobs.iter()
            .all(|job| (10..=1000).contains(&job.duration) && job.run == job.duration)
    );
    assert_close(
        "durations up to 99",
        share(&jobs, |job| job.run <= 99),
        10.0_f64.ln() / 100.1_f64.ln(),
        0.006,
    );
}

fn share_of_gaps_above(jobs: &[Job], limit: f64) -> f64 {
    let above = jobs
        .windows(2)
        .filter(|pair| pair[1].submit - pair[0].submit > limit)
        .count();
    above as f64 / (jobs.len() - 1) as f64
}

fn refusal(model: &Lublin) -> String {
    let Err(error) = model.jobs(1, 0) else {
        panic!("{model:?} was taken")
    };
    assert_eq!(error.exit_status(), 2);
    error.to_string()
}

fn with(change: impl FnOnce(&mut JobType)) -> Lublin {
    let mut job_type = JobType::COMBINED;
    change(&mut job_type);
    Lublin {
        types: JobTypes::Combined(job_type),
        time_divisor: 1.0,
    }
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let cases = [
        (
            with(|t| t.sizes.serial = 1.5),
            "share of serial jobs 1.5: expected a probability from 0 to 1",
        ),
        (
            with(|t| t.sizes.first_stage = f64::NAN),
            "weight of the first size stage NaN: expected a probability from 0 to 1",
        ),
        (
            with(|t| {
                t.sizes = Sizes {
                    medium: 8.0,
                    ..Sizes::COMBINED
                }
            }),
            "size stages 0.8, 8, 7: expected 0 <= low <= medium <= high <= 32",
        ),
        (
            with(|t| t.arrivals.scale = 5.0),
            "gaps: Gamma(10.46048175, 5): expected more than 1 % of the draws to be at most 13",
        ),
        (
            with(|t| t.arrivals.cycle_scale = 0.01),
            "daily cycle: Gamma(8.1737, 0.01): expected some weight in every half hour of the day",
        ),
        (
            Lublin {
                time_divisor: 0.0,
                ..Lublin::default()
            },
            "time divisor 0: expected a finite number above 0",
        ),
    ];
    for (model, message) in cases {
        assert_eq!(refusal(&model), message);
    }
    let short_first = with(|t| {
        if let RunTimes::HyperGamma(model) = &mut t.run_times {
            model.first = (4.2, 40.0);
        }
    });
    assert_eq!(
        refusal(&short_first),
        "first stage of run times: Gamma(4.2, 40): expected more than 1 % of the draws to be at most 12"
    );
    let poisson = |model: Poisson| {
        model
            .jobs(1, 0)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    assert_eq!(
        poisson(Poisson {
            mean_gap: -1.0,
            ..Poisson::default()
        }),
        "--mean-gap -1: expected a finite number above 0"
    );
    assert_eq!(
        poisson(Poisson {
            pes: (0, 4),
            ..Poisson::default()
        }),
        "--job-pes 0-4: expected a least number of 1 or more, and a most that is no less"
    );
    assert_eq!(
        poisson(Poisson {
            duration: (9, 4),
            ..Poisson::default()
        }),
        "--job-seconds 9-4: expected a least number of 1 or more, and a most that is no less"
    );
}
