//! How much memory a run, the check of its folder and its report take does not depend on how many jobs there are. In a binary of its own, since it counts every allocation: its tests run one
//! after the other in one test.

use std::{fs, path::Path};

use bookahead::Policy;
use bookahead_sim::{
    arrivals::{Arrivals, Demands, Outline},
    check,
    engine::{self, Binding, Strategy, System},
    error::Result,
    output::{self, Kinds, RunFolder, RunInfo},
    report,
    request::Demand,
    workload::{
        from_swf::{self, Options, record},
        lublin::Lublin,
        reserve::Factors,
        swf::{self, Header, Log},
    },
};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Jobs of the short runs, and how many times as many the long ones have.
const JOBS: usize = 20_000;
const TIMES: usize = 10;
/// How much more the long ones may take: 3 bytes for each job more. What one of them needs while it is open is some hundred bytes.
const MORE: usize = 512 << 10;

/// Jobs of a model as requests, none of which is kept.
struct Made(usize);

impl Demands for Made {
    fn each(&self) -> Result<Box<dyn Iterator<Item = Result<Demand>> + '_>> {
        let jobs = Lublin::default().jobs(7, 0)?.take(self.0);
        let demands = Factors::default().demands(jobs, 7, 0)?;
        Ok(Box::new(demands.map(Ok)))
    }
}

/// The most memory in use at a time while this is done, beside what was in use before.
fn peak<T>(done: impl FnOnce() -> T) -> (T, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = done();
    (result, MEMORY.peak_usage().saturating_sub(before))
}

/// Runs so many jobs and writes the files.
fn simulate(dir: &Path, jobs: usize, binding: Binding) -> usize {
    let strategy = Strategy::Fit(Policy::FirstFit);
    let system = System::new(128, 4096, 300, strategy, binding);
    let made = Made(jobs);
    let outline = Outline::of(&made, None).unwrap();
    let arrivals = Arrivals {
        demands: &made,
        outline: &outline,
        operations: &[],
        notices: &[],
    };
    let kinds = Kinds::arriving(&system, &arrivals);
    let workload = "made".to_owned();
    let info = RunInfo {
        system: system.clone(),
        workload,
        seed: 7,
    };
    let mut files = RunFolder::new(dir, &info, kinds).unwrap();
    engine::follow(&system, arrivals, &mut files, &|| {}).unwrap();
    files.finish().unwrap().accepted
}

/// That the long run takes hardly more memory than the short one.
fn same(what: &str, [short, long]: [usize; 2]) {
    assert!(
        long < short + MORE,
        "{what}: {short} bytes at {JOBS} jobs, {long} at {TIMES} times as many"
    );
}

#[test]
fn memory_does_not_grow_with_jobs() {
    let dir = tempfile::tempdir().unwrap();
    for binding in [Binding::Late, Binding::Early] {
        let run = |jobs| {
            let (accepted, peak) = peak(|| simulate(dir.path(), jobs, binding));
            assert!(accepted > jobs / 10, "{accepted} of {jobs}");
            peak
        };
        let check = || {
            let (checked, peak) = peak(|| check::folder(dir.path()).unwrap());
            assert_eq!(checked[0].violations, []);
            peak
        };
        let report = || {
            let (page, peak) = peak(|| report::build(dir.path()).unwrap());
            assert!(
                fs::read_to_string(page)
                    .unwrap()
                    .contains("An excerpt of the schedule")
            );
            peak
        };
        let [short, long] = [JOBS, TIMES * JOBS].map(|jobs| [run(jobs), check(), report()]);
        same("a run", [short[0], long[0]]);
        same("a check of its folder", [short[1], long[1]]);
        same("its report", [short[2], long[2]]);
    }
    // The same files as from memory.
    let small = dir.path().join("small");
    let written = |name: &str| fs::read(small.join(name)).unwrap();
    simulate(&small, 2_000, Binding::Late);
    let streamed = [output::JOBS, output::RESERVATIONS, output::METRICS].map(written);
    let strategy = Strategy::Fit(Policy::FirstFit);
    let system = System::new(128, 4096, 300, strategy, Binding::Late);
    let demands: Vec<Demand> = Made(2_000).each().unwrap().map(Result::unwrap).collect();
    let outcomes = engine::run(&system, &demands, &|| {}).unwrap();
    let info = RunInfo {
        system,
        workload: "made".to_owned(),
        seed: 7,
    };
    output::write_run(&small, &info, &outcomes).unwrap();
    let whole = [output::JOBS, output::RESERVATIONS, output::METRICS].map(written);
    assert_eq!(streamed, whole);

    let log = dir.path().join("log.swf.gz");
    let read = |jobs: usize| {
        let made = Lublin::default().jobs(7, 0).unwrap().take(jobs);
        swf::write(&log, &Header::default(), made.map(|job| record(&job))).unwrap();
        let read = || {
            let log = Log::read(&log).unwrap();
            let losses = from_swf::check(&log, Options::default()).unwrap();
            let streamed = from_swf::stream(&log, Options::default());
            (losses.jobs, streamed.map(Result::unwrap).count())
        };
        let (counts, peak) = peak(read);
        assert_eq!(counts, (jobs, jobs));
        peak
    };
    same("a log", [read(JOBS), read(TIMES * JOBS)]);
}
