//! Malleable jobs are translated by definition.

use bookahead::{Form, MalleableJob, PeCount};
use bookahead_oracle::rigid_forms;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn malleable_jobs_are_translated_by_definition() {
    let mut most_forms = 0;
    for work in (0..400).chain([1_000, 65_536, 1 << 33, 1 << 47, 1 << 48, u64::MAX]) {
        for (least, most) in [(0, 0), (0, 9), (1, 1), (1, 64), (3, 20), (17, 400), (9, 8)] {
            let job = MalleableJob {
                work,
                least: PeCount::new(least),
                most: PeCount::new(most),
            };
            let forms: Vec<Form> = job.forms().collect();
            assert_eq!(forms, rigid_forms(&job), "{job:?}");
            most_forms = most_forms.max(forms.len());
        }
    }
    assert_eq!(
        most_forms, 384,
        "all numbers of PEs from 17 to 400, for much work"
    );
}

/// The same of many that are small, as they are drawn for random commands.
#[test]
fn random_malleable_jobs_are_translated_by_definition() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut translated = 0;
    for _ in 0..20_000 {
        let most_work = [50, 1_000, u64::from(u16::MAX)][rng.random_range(0..3)];
        let job = MalleableJob {
            work: rng.random_range(0..=most_work),
            least: PeCount::new(rng.random_range(0..40)),
            most: PeCount::new(rng.random_range(0..600)),
        };
        let forms: Vec<Form> = job.forms().collect();
        assert_eq!(forms, rigid_forms(&job), "{job:?}");
        translated += u32::from(forms.len() > 1);
    }
    assert!(translated > 10_000, "{translated}");
}
