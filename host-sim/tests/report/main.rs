//! Reports of result folders in every layout.

mod fixture;

use std::{
    fs,
    path::{Path, PathBuf},
};

use bookahead_sim::{error::Error, report::build};
use fixture::{POLICIES, claim_ids, comparison, queues, reproduction, run};

fn page(dir: &Path) -> String {
    fs::read_to_string(build(dir).unwrap()).unwrap()
}

/// A fresh folder that stays after the test, in cargo's folder for test files, so that its report can be looked at.
fn kept(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("report")
        .join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn assert_self_contained(html: &str) {
    let namespace = "xmlns=\"http://www.w3.org/2000/svg\"";
    let rest = html.replace(namespace, "");
    for outside in [
        "http:", "https:", "//www", "<script", "<link", "<img", "@import", "url(",
    ] {
        assert!(!rest.contains(outside), "{outside} in the report");
    }
    assert!(html.ends_with("</html>"));
    assert!(!html.contains("NaN") && !html.contains("inf%"));
}

#[test]
fn one_run() {
    let dir = kept("one-run");
    run(&dir, POLICIES[0], "early", 3000);
    fs::write(
        dir.join("moves.csv"),
        "time,job_id,old_start,new_start,cause_job_id,cause\n5,1,10,20,2,insert\n6,1,20,30,3,insert\n",
    )
    .unwrap();
    let html = page(&dir);
    assert_self_contained(&html);
    for words in [
        "first-fit",
        "58.5 %",
        "NoRoom",
        "1 (2 moves)",
        "<title>job ",
        "slowdown 1.",
    ] {
        assert!(html.contains(words), "{words} is not in the report");
    }
}

#[test]
fn several_runs_under_one_binding() {
    let dir = kept("policies");
    comparison(&dir, &["early"]);
    let html = page(&dir);
    assert_self_contained(&html);
    for (policy, ..) in POLICIES {
        assert!(html.contains(policy));
    }
    assert!(
        !html.contains("pe-worst-fit-early</"),
        "the binding says nothing here"
    );
    assert!(html.contains("<strong>pe-worst-fit</strong> accepted most, 63.4 %"));
}

#[test]
fn several_runs_under_both_bindings() {
    let dir = kept("bindings");
    comparison(&dir, &["early", "late"]);
    let html = page(&dir);
    assert_self_contained(&html);
    assert!(html.contains("pe-worst-fit-late"));
}

#[test]
fn runs_with_a_queue_and_prices() {
    let dir = kept("queue");
    queues(&dir);
    let html = page(&dir);
    assert_self_contained(&html);
    for words in [
        "policy, binding, queue",
        "late, fcfs",
        "late, easy",
        "easy, fcfs",
        "best-effort wait",
        "Mean wait of best-effort jobs",
        "Revenue of reservations",
        "Best-effort jobs waited least beside",
        "best effort, without a reservation",
        "time since the first submission",
        "class=\"queued ",
        "best effort, submitted at ",
    ] {
        assert!(html.contains(words), "{words} is not in the report");
    }
    // Of one run it is said in a sentence.
    let html = page(&dir.join("elastic-easy"));
    assert!(html.contains(" Beside them ran 35 best-effort jobs, which waited for "));
    // Runs without a queue do not speak of one.
    let without = kept("no-queue");
    run(&without, POLICIES[0], "early", 300);
    let html = page(&without);
    assert!(!html.contains("best-effort") && !html.contains("evenue"));
}

#[test]
fn a_reproduction() {
    let dir = kept("reproduction");
    reproduction(&dir);
    let html = page(&dir);
    assert_self_contained(&html);
    for id in claim_ids() {
        assert!(html.contains(&id), "claim {id} is not in the report");
    }
    for (policy, ..) in POLICIES {
        assert!(html.contains(policy));
    }
    assert!(html.contains("{5,5}"));
    assert!(html.contains("&lt;script&gt;alert"));
}

#[test]
fn file_texts_are_escaped_in_drawings_too() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("figures.csv"),
        "figure,title,x_label,y_label,series,x,x_text,mean,ci95\n\
         f,<script>a,<script>b,<script>c,<script>d,1,<script>e,2,0.1\nf,,,,</svg><script>f,1,,2,\n",
    )
    .unwrap();
    assert_self_contained(&page(dir.path()));
}

#[test]
fn odd_figures_are_drawn() {
    let rows = [
        "alone,t,x,y,s,1,,2,0.5",
        "flat,t,x,y,s,1,,0,\nflat,t,x,y,s,2,,0,0",
        "huge,t,x,y,s,-1e18,,-1e18,1e18\nhuge,t,x,y,s,1e18,,1e18,1e18",
        "tiny,t,x,y,s,1e-9,,1e-12,\ntiny,t,x,y,s,2e-9,,2e-12,",
        "gap,t,x,y,s,1,a,,\ngap,t,x,y,s,2,b,3,\ngap,t,x,y,r,1,a,,",
        "empty,t,x,y,s,1,a,,",
    ];
    for row in rows {
        let dir = tempfile::tempdir().unwrap();
        let header = "figure,title,x_label,y_label,series,x,x_text,mean,ci95";
        fs::write(dir.path().join("figures.csv"), format!("{header}\n{row}\n")).unwrap();
        assert_self_contained(&page(dir.path()));
    }
}

#[test]
fn equal_names_of_different_papers_are_different_figures() {
    let dir = tempfile::tempdir().unwrap();
    let rows = "figure,title,x_label,y_label,series,x,x_text,mean,ci95\n\
                fig2,one,x,y,s,1,,2,\nfig2,other,x,y,s,1,,2,\n";
    fs::write(dir.path().join("figures.csv"), rows).unwrap();
    assert_eq!(page(dir.path()).matches("<figure>").count(), 2);
}

#[test]
fn parts_of_a_folder_are_enough() {
    for file in ["metrics.json", "jobs.csv", "reservations.csv"] {
        let whole = tempfile::tempdir().unwrap();
        run(whole.path(), POLICIES[0], "early", 40);
        let part = tempfile::tempdir().unwrap();
        fs::copy(whole.path().join(file), part.path().join(file)).unwrap();
        let html = page(part.path());
        assert_self_contained(&html);
        assert!(
            html.contains("Not in the folder"),
            "{file} alone is not the whole"
        );
    }
}

#[test]
fn runs_without_jobs_and_values_have_a_report() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), ("first-fit", 0.0, 1.0), "early", 0);
    let metrics = r#"{"requests":0,"accepted":0,"acceptance_rate":null,"average_slowdown":null}"#;
    fs::write(dir.path().join("metrics.json"), metrics).unwrap();
    assert_self_contained(&page(dir.path()));
}

#[test]
fn equal_folders_give_equal_bytes() {
    let build_one = || {
        let dir = tempfile::tempdir().unwrap();
        reproduction(dir.path());
        comparison(dir.path(), &["early", "late"]);
        page(dir.path())
    };
    assert_eq!(build_one(), build_one());
}

#[test]
fn a_report_is_rebuilt_over_an_earlier_one() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), POLICIES[0], "early", 40);
    let first = page(dir.path());
    // Measured times may differ between equal runs and must not show.
    fs::write(dir.path().join("timing.json"), r#"{"wall_seconds":1.5}"#).unwrap();
    assert_eq!(first, page(dir.path()));
    assert_eq!(
        fs::read_dir(dir.path()).unwrap().count(),
        5,
        "nothing but report.html is added"
    );
}

/// Builds a folder in which one file has other contents, and gives the error as file name, line, field and words.
fn error_of(file: &str, contents: &str) -> (String, Option<u64>, Option<String>, String) {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), POLICIES[0], "early", 10);
    fs::write(dir.path().join(file), contents).unwrap();
    let error = build(dir.path()).unwrap_err();
    assert!(!dir.path().join("report.html").exists());
    match error {
        Error::Input {
            file,
            line,
            field,
            problem,
        } => (
            file.file_name().unwrap().to_string_lossy().into_owned(),
            line,
            field,
            problem,
        ),
        other => panic!("{other}"),
    }
}

#[test]
fn malformed_files_are_named_with_line_and_field() {
    let jobs = "job_id,submission_time,success,starting_time,finish_time,allocated_resources\n1,0,1,5,9,0-3\n";
    let claims = "id,paper,kind,claim,claimed,measured,ci95,verdict,note\n";
    let reservations = "job_id,arrival,ready,duration,deadline,pes,decision,reason,slowdown\n";
    let figures = "figure,title,x_label,y_label,series,x,x_text,mean,ci95\n";
    let cases = [
        (
            "jobs.csv",
            format!("{jobs}2,0,1,soon,9,0-3\n"),
            Some(3),
            Some("starting_time"),
        ),
        (
            "jobs.csv",
            format!("{jobs}2,0,1,5,9,3-0\n"),
            Some(3),
            Some("allocated_resources"),
        ),
        (
            "jobs.csv",
            format!("{jobs}2,0,1,5,4,0\n"),
            Some(3),
            Some("finish_time"),
        ),
        ("jobs.csv", format!("{jobs}2,0,1\n"), Some(3), None),
        ("jobs.csv", String::new(), Some(1), Some("job_id")),
        (
            "claims.csv",
            format!("{claims}1.01,li,D,c,,,,maybe,\n"),
            Some(2),
            Some("verdict"),
        ),
        (
            "reservations.csv",
            format!("{reservations}1,0,0,5,9,1,taken,,\n"),
            Some(2),
            Some("decision"),
        ),
        (
            "figures.csv",
            format!("{figures}f,t,x,y,s,NaN,,1,\n"),
            Some(2),
            Some("x"),
        ),
        (
            "figures.csv",
            format!("{figures}f,t,x,y,s,1,,1,-1\n"),
            Some(2),
            Some("ci95"),
        ),
        (
            "metrics.json",
            r#"{"pes":"many"}"#.to_owned(),
            None,
            Some("pes"),
        ),
        ("metrics.json", "{\n\"pes\":".to_owned(), Some(2), None),
    ];
    for (file, contents, line, field) in cases {
        let (found, at, column, problem) = error_of(file, &contents);
        assert_eq!(
            (found.as_str(), at, column.as_deref()),
            (file, line, field),
            "{problem}"
        );
    }
}

#[test]
fn folders_without_results_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let absent = dir.path().join("absent");
    for (folder, words) in [
        (dir.path(), "claims.csv"),
        (absent.as_path(), "no such folder"),
    ] {
        match build(folder).unwrap_err() {
            Error::Usage(problem) => assert!(problem.contains(words), "{problem}"),
            other => panic!("{other}"),
        }
    }
}
