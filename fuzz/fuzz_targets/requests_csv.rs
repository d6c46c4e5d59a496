//! Requests and operations as CSV, plain or gzip: what is taken comes back as it went, and what is not is refused with its place.
#![no_main]

use std::{io::Write, path::Path};

use bookahead_fuzz::place;
use bookahead_sim::{operation::Script, request::Demand, workload::requests_csv};
use flate2::{Compression, write::GzEncoder};
use libfuzzer_sys::fuzz_target;

fn written(script: &Script) -> Vec<u8> {
    let mut out = Vec::new();
    requests_csv::write_to(&mut out, script).expect("memory takes everything");
    out
}

fn packed(plain: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(plain).expect("memory takes everything");
    gzip.finish().expect("memory takes everything")
}

fuzz_target!(|bytes: &[u8]| {
    let file = Path::new("requests.csv");
    let is_plain = !bytes.starts_with(&[0x1f, 0x8b]);
    match requests_csv::parse(file, bytes.to_vec()) {
        Ok(script) => {
            assert!(script.demands.is_sorted_by_key(Demand::arrival));
            assert!(script.operations.is_sorted_by_key(|row| row.arrival));
            let again = requests_csv::parse(file, packed(&written(&script)));
            assert_eq!(again.expect("what was written can be read"), script);
        }
        Err(error) => place::check(&error, file, is_plain.then_some(bytes)),
    }
});
