//! Result files of anybody: the report shows them or says what is malformed, and is whole or absent.
#![no_main]

use std::fs;

use bookahead_fuzz::{bundle, place};
use bookahead_sim::{error::Error, report};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let dir = bundle::unpack(bytes);
    match report::build(dir.path()) {
        Ok(file) => {
            let page = fs::read_to_string(file).expect("the report is text");
            assert!(page.ends_with("</html>\n") || page.ends_with("</html>"));
            assert!(!page.contains("NaN") || bytes.windows(3).any(|word| word == b"NaN"));
        }
        Err(error) => {
            assert!(!dir.path().join(report::FILE).exists());
            match error {
                Error::Usage(problem) => {
                    assert!(problem.contains("nothing to report"), "{problem}")
                }
                error => place::check(&error, dir.path(), None),
            }
        }
    }
});
