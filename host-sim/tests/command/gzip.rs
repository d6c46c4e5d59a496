//! Tables that are compressed.

use std::{fs, io::Read, path::Path};

use flate2::read::MultiGzDecoder;

use crate::{assert_says, ends, fail, files, folder, resume::cut_short, succeed, write_requests};

const TABLES: [&str; 4] = ["jobs.csv", "reservations.csv", "moves.csv", "outages.csv"];

fn unpacked(file: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    let mut packed = MultiGzDecoder::new(fs::File::open(file).unwrap());
    packed.read_to_end(&mut text).unwrap();
    text
}

/// The same run, and whatever reads it says the same.
#[test]
fn compressed_tables_say_what_plain_ones_do() {
    let dir = folder();
    let dir = dir.path();
    let run = "simulate --workload poisson --jobs 9000 --mean-gap 120 --slots 4096 --mtbf 900000 --mttr 7200 --binding early -q";
    // Written by whoever decides, and by another thread.
    succeed(dir, &format!("{run} --threads 1 --out plain"));
    succeed(dir, &format!("{run} --threads 2 --gzip --out packed"));
    let (plain, mut packed) = (files(&dir.join("plain")), files(&dir.join("packed")));
    let name = |name: &str| std::path::PathBuf::from(name);
    for table in TABLES {
        assert!(
            packed.remove(&name(&format!("{table}.gz"))).is_some(),
            "{table}"
        );
        let text = unpacked(&dir.join(format!("packed/{table}.gz")));
        assert!(text == plain[&name(table)], "{table}");
    }
    for file in ["metrics.json", "schedule.csv"] {
        assert!(packed[&name(file)] == plain[&name(file)], "{file}");
    }
    let report = |out: &str| {
        let page = fs::read_to_string(dir.join(out).join("report.html")).unwrap();
        page.replace(" --gzip", "")
    };
    let whole = report("plain");
    assert!(report("packed") == whole);
    // Left in the middle of a block, behind several.
    let kept = format!("{run} --gzip --out kept --checkpoint");
    let table = dir.join("kept/.bookahead-jobs.csv.gz.partial");
    let has_blocks = || fs::metadata(&table).is_ok_and(|table| table.len() > 100_000);
    let first = format!("{kept} 5ms");
    let first: Vec<&str> = first.split_whitespace().collect();
    cut_short(dir, &first, has_blocks, "-KILL");
    assert!(dir.join("kept/checkpoint.bin").exists());
    succeed(dir, &format!("{kept} 1h"));
    for table in TABLES {
        let [packed, kept] =
            ["packed", "kept"].map(|out| fs::read(dir.join(format!("{out}/{table}.gz"))).unwrap());
        assert!(packed == kept, "{table}");
    }
    for command in ["check", "report"] {
        let [plain, packed] = ["plain", "packed"]
            .map(|out| succeed(dir, &format!("{command} {out}")).replace(out, ""));
        assert_eq!(plain, packed);
    }
    for job in [1, 4_500, 9_000] {
        let [plain, packed] =
            ["plain", "packed"].map(|out| succeed(dir, &format!("explain {out} {job}")));
        assert_eq!(plain, packed);
    }
    assert!(report("packed") == whole);

    // Another run in the same folder leaves nothing of them, whichever way it is written.
    for (options, there, gone) in [("", "", ".gz"), ("--gzip", ".gz", ""), ("", "", ".gz")] {
        let other = "simulate --workload poisson --jobs 30 --slots 4096 -q --force --out packed";
        succeed(dir, &format!("{other} {options}"));
        for table in ["jobs.csv", "reservations.csv"] {
            assert!(dir.join(format!("packed/{table}{there}")).exists());
            assert!(!dir.join(format!("packed/{table}{gone}")).exists());
        }
        assert!(!dir.join("packed/moves.csv.gz").exists());
        succeed(dir, "check packed");
    }
}

#[test]
fn replay_compresses_too_and_what_is_damaged_is_named() {
    let dir = folder();
    let dir = dir.path();
    write_requests(dir, "1,0,10,50,900,4\n2,5,10,50,900,4\n");
    succeed(
        dir,
        "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 10 -q --gzip --out out",
    );
    succeed(dir, "check out");
    let table = dir.join("out/jobs.csv.gz");
    let bytes = fs::read(&table).unwrap();
    fs::write(&table, &bytes[..bytes.len() - 9]).unwrap();
    let [_, told] = ends(dir, "check out", 2);
    assert_says(&told, "out/jobs.csv.gz: found broken gzip data (");
    assert_says(
        &fail(dir, "report out", 2),
        "out/jobs.csv.gz: found broken gzip data (",
    );
    assert_says(
        &fail(dir, "simulate --gzip --replications 3", 2),
        "the argument '--gzip' cannot be used with '--replications <N>'",
    );
}

/// What somebody else has packed in the folder is theirs.
#[test]
fn compressed_files_of_other_names_stay() {
    let dir = folder();
    let dir = dir.path();
    let run = "simulate --workload poisson --jobs 30 --slots 4096 -q --force --out out";
    succeed(dir, run);
    for name in ["report.html.gz", "metrics.json.gz", "schedule.csv.gz"] {
        fs::write(dir.join("out").join(name), "mine").unwrap();
    }
    fs::write(dir.join("out/jobs.csv.gz"), "not mine").unwrap();
    succeed(dir, run);
    succeed(dir, &format!("{run} --gzip"));
    succeed(dir, run);
    for name in ["report.html.gz", "metrics.json.gz", "schedule.csv.gz"] {
        assert_eq!(fs::read(dir.join("out").join(name)).unwrap(), b"mine");
    }
    assert!(!dir.join("out/jobs.csv.gz").exists());
    // A table of a run may lie there compressed; an input is what it is called.
    fs::write(dir.join("away.csv.gz"), "begin,end,pes\n").unwrap();
    assert_says(
        &fail(dir, &format!("{run} --outages away.csv"), 2),
        "away.csv: no such file",
    );
}
