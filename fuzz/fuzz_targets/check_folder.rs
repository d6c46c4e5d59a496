//! Result files of anybody: the checker finds them right, wrong or malformed, and never gives up.
#![no_main]

use bookahead_fuzz::{bundle, place};
use bookahead_sim::{check, error::Error};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let dir = bundle::unpack(bytes);
    match check::folder(dir.path()) {
        Ok(runs) => {
            assert!(!runs.is_empty());
            for violation in runs.iter().flat_map(|run| &run.violations) {
                assert!(!violation.to_string().is_empty());
            }
        }
        Err(Error::Usage(problem)) => assert!(problem.contains("nothing to check"), "{problem}"),
        Err(error) => place::check(&error, dir.path(), None),
    }
});
