//! Reports of result folders in every layout.

mod fixture;

use std::{
    fs,
    path::{Path, PathBuf},
};

use bookahead::Policy;
use bookahead_sim::{
    engine::{Binding, Strategy, System},
    error::Error,
    report::build,
};
use fixture::{
    BINDINGS, claim_ids, comparison, juggling, moving, queues, reproduction, requests, run,
    simulate,
};

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
        "http:",
        "https:",
        "//www",
        "<script src",
        "<link",
        "<img",
        "import ",
        "fetch(",
        "@import",
        "url(",
    ] {
        assert!(!rest.contains(outside), "{outside} in the report");
    }
    assert!(html.ends_with("</html>"));
    assert!(!html.contains("NaN") && !html.contains("inf%"));
}

#[test]
fn one_run() {
    let dir = kept("one-run");
    let metrics = run(&dir, Policy::FirstFit, Binding::Early, 3000);
    let html = page(&dir);
    assert_self_contained(&html);
    let accepted = format!("{:.1} %", 100.0 * metrics.acceptance_rate.unwrap());
    for words in [
        "<h1>first-fit on poisson</h1>",
        &accepted,
        "<title>job ",
        "slowdown 1.",
    ] {
        assert!(html.contains(words), "{words} is not in the report");
    }
    // Every reason that the engine gave, and at least these.
    for reason in ["no-room", "too-wide", "beyond-horizon", "lost-to-rounding"] {
        assert!(metrics.refusals.contains_key(reason), "{metrics:?}");
    }
    for reason in metrics.refusals.keys() {
        assert!(
            html.contains(&format!("<th scope=\"row\">{reason}</th>")),
            "{reason} is not in the report"
        );
    }
}

#[test]
fn moves_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    moving(dir.path(), 40);
    assert!(page(dir.path()).contains("2 (3 moves)"));
}

#[test]
fn a_move_names_the_request_for_which_it_was_made() {
    let dir = tempfile::tempdir().unwrap();
    // So many that others arrive than are drawn.
    juggling(dir.path(), 1_500);
    let page = page(dir.path());
    let moves = fs::read_to_string(dir.path().join("moves.csv")).unwrap();
    assert!(moves.contains(",juggle,"), "{moves}");
    let told = page.matches("makes room for job ").count();
    assert!(told > 5 && !page.contains("juggle, row "), "{told}");
}

#[test]
fn several_runs_under_one_binding() {
    let dir = kept("policies");
    comparison(&dir, &[Binding::Early]);
    let html = page(&dir);
    assert_self_contained(&html);
    for policy in Policy::ALL {
        assert!(html.contains(policy.name()));
    }
    assert!(
        !html.contains("pe-worst-fit-early</"),
        "the binding says nothing here"
    );
    assert!(html.contains("<h2>Runs compared</h2>"));
    // Whoever reads of single runs is told how little they prove.
    assert!(html.contains("Each is a single run: "));
    assert!(
        !html.contains("best<") && !html.contains(" best "),
        "a verdict on single runs"
    );
}

#[test]
fn what_rounding_loses_is_told_apart_and_how_to_lose_less() {
    let dir = kept("rounding");
    let metrics = run(&dir.join("early"), Policy::FirstFit, Binding::Early, 300);
    run(&dir.join("late"), Policy::FirstFit, Binding::Late, 300);
    let lost = metrics.lost_to_rounding;
    assert!(lost > 3, "{metrics:?}");
    let html = page(&dir);
    // As many in both runs, without a bar.
    let cell = format!("<td class=\"number\">{lost}</td>");
    assert_eq!(html.matches(&cell).count(), 2, "{html}");
    let rest = format!(
        "{:.1} %",
        100.0 * metrics.acceptance_rate_after_rounding.unwrap()
    );
    for words in [
        "<th class=\"number\">lost to rounding</th>",
        "<th class=\"number\">accepted of the rest</th>",
        &format!(">{rest}<"),
        &format!("{lost} of 300 requests ("),
        "fit their windows in seconds, but not in whole slots of 60 s",
        "--slot-seconds ",
        " for the same horizon.",
    ] {
        assert!(html.contains(words), "{words} is not in the report");
    }
    // In slots of a second nothing is lost and nothing said.
    let exact = kept("no-rounding");
    let system = System::new(
        24,
        36_000,
        1,
        Strategy::Fit(Policy::FirstFit),
        Binding::Late,
    );
    simulate(&exact, system, &requests(300));
    let html = page(&exact);
    assert!(!html.contains("-to-rounding") && !html.contains("accepted of the rest"));
}

#[test]
fn runs_of_other_requests_and_machines_are_shown_apart() {
    let dir = kept("groups");
    let first_fit = |pes, slot_seconds| {
        System::new(
            pes,
            600,
            slot_seconds,
            Strategy::Fit(Policy::FirstFit),
            Binding::Late,
        )
    };
    let (many, few) = (requests(200), requests(100));
    let same = System {
        strategy: Strategy::Fit(Policy::PeWorstFit),
        ..first_fit(64, 60)
    };
    simulate(&dir.join("a"), first_fit(64, 60), &many);
    simulate(&dir.join("b"), same, &many);
    simulate(&dir.join("fewer-jobs"), first_fit(64, 60), &few);
    simulate(&dir.join("larger"), first_fit(128, 60), &many);
    simulate(&dir.join("shorter-slots"), first_fit(64, 30), &many);
    let sites = System {
        sites: 4,
        ..first_fit(64, 60)
    };
    simulate(&dir.join("sites"), sites, &many);
    // As many requests by as many jobs, with other windows.
    let other: Vec<_> = many
        .iter()
        .cloned()
        .map(|mut demand| {
            if let bookahead_sim::request::Demand::Reserve(request) = &mut demand {
                request.deadline += 600;
            }
            demand
        })
        .collect();
    simulate(&dir.join("z-other-windows"), first_fit(64, 60), &other);
    let html = page(&dir);
    assert_self_contained(&html);
    assert!(html.contains("<h1>7 runs on poisson</h1>"));
    assert!(html.contains("7 runs in 6 groups."));
    let headings = [
        "<h2>Group 1 of 6: 2 runs</h2>",
        "<h2>Run 2 of 6: first-fit</h2>",
        "<h2>Run 5 of 6: first-fit</h2>",
        "On poisson, 200 requests, 64 PEs, 600 slots of 60 s, seed 1.",
        "On poisson, 100 requests, 64 PEs, 600 slots of 60 s, seed 1.",
        "On poisson, 200 requests, 128 PEs, 600 slots of 60 s, seed 1.",
        "On poisson, 200 requests, 64 PEs, 600 slots of 30 s, seed 1.",
        "On poisson, 200 requests, 64 PEs at each of 4 sites, 600 slots of 60 s, seed 1.",
    ];
    for heading in headings {
        assert!(html.contains(heading), "{heading} is not in the report");
    }
    // Only the two of the same requests stand in one table, and in one plot of bars.
    let tables = html.matches("aria-label=\"Comparison of runs\"").count();
    assert_eq!(tables, 6);
    assert_eq!(
        html.matches("<figcaption>Accepted requests</figcaption>")
            .count(),
        1
    );
    assert!(html.contains("metrics.json of shorter-slots"));
    let ids: Vec<&str> = html.split("<section id=\"").skip(1).collect();
    let ids: Vec<&str> = ids
        .iter()
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    let different: std::collections::BTreeSet<&&str> = ids.iter().collect();
    assert_eq!(different.len(), ids.len(), "{ids:?}");
}

#[test]
fn waiting_is_shown_with_percentiles_and_definitions() {
    let dir = kept("waiting");
    let metrics = run(&dir, Policy::PeWorstFit, Binding::Late, 400);
    let html = page(&dir);
    for measure in bookahead_sim::engine::measures::ALL {
        assert!(html.contains(&format!("<dt>{}</dt>", measure.name)));
        assert!(html.contains(measure.definition), "{}", measure.name);
    }
    for distribution in [metrics.slowdown, metrics.bounded_slowdown, metrics.stretch] {
        let percentiles = distribution.percentiles;
        for number in [
            distribution.mean,
            percentiles.p50,
            percentiles.p90,
            percentiles.p99,
        ] {
            let cell = format!("<td class=\"number\">{:.3}</td>", number.unwrap());
            assert!(html.contains(&cell), "{cell} is not in the report");
        }
    }
}

#[test]
fn several_runs_under_both_bindings() {
    let dir = kept("bindings");
    comparison(&dir, &BINDINGS);
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
        "Best-effort jobs waited for between ",
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
    run(&without, Policy::FirstFit, Binding::Early, 300);
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
    for policy in Policy::ALL {
        assert!(html.contains(policy.name()));
    }
    assert!(html.contains("{5,5}"));
    assert!(html.contains("&lt;script&gt;alert"));
}

#[test]
fn a_reproduction_opens_with_its_paper_its_extent_and_its_words() {
    let dir = tempfile::tempdir().unwrap();
    let table = "id,paper,kind,claim,claimed,measured,ci95,verdict,note\n1,xiao,T,ARROS is steady,steady,,,fails,\n";
    fs::write(dir.path().join("claims.csv"), table).unwrap();
    let settings = r#"{"paper":"xiao","paper_title":"A strategy","authors":"Xiao, Qu, Qu","year":null,"quick":QUICK,
        "replications":2,"replications_in_full":10,"question":"Can it be steady?",
        "answer":[{"says":"It is steady.","because":[["1","holds"]]},{"says":"It falls.","because":[["1","fails"]]}],
        "why_it_fails":{"1":"Copies take <the> room.","2":"Nobody knows."},"see":{"fig2":{"see":"It falls to the right.","claims":["1"]}},"glossary":[{"word":"ARROS","meaning":"the strategy of <the> paper"}]}"#;
    let points = "fig2,Figure 2: one,x,y,ARROS,1,,2,\nfig2,Figure 2: one,x,y,ARROS,2,,1,\n";
    fs::write(
        dir.path().join("figures.csv"),
        format!("{FIGURES}\n{points}"),
    )
    .unwrap();
    let built = |quick| {
        let settings = settings.replace("QUICK", quick);
        fs::write(dir.path().join("settings.json"), settings).unwrap();
        page(dir.path())
    };
    let html = built("true");
    let order = [
        "<h1>A strategy</h1>",
        "A paper by Xiao, Qu, Qu (undated)",
        "Can it be steady?",
        "<p class=\"answer\">It falls. <span class=\"rests\">(<a href=\"#claim-1\">1</a> fails)</span>",
        "1 claim checked by experiment: 0 hold, 1 fail, 0 cannot be decided.",
        "A claim holds when the whole 95 % interval",
        "A quick reproduction: 2 replications of each point",
        "the full experiment takes 10 replications",
        "<code>bookahead reproduce xiao</code>",
        "<dt>ARROS</dt><dd>the strategy of &lt;the&gt; paper</dd>",
        "<a href=\"#claim-1\">1</a> ARROS is steady<p class=\"cause\">Copies take &lt;the&gt; room.</p>",
        "Figure 2: one",
        "<p class=\"see\">It falls to the right.</p>",
        "<a href=\"#claim-1\">1</a> ARROS is steady <span class=\"verdict fails\">fails</span>",
        "<tr id=\"claim-1\"",
        "1 trend</span> ARROS is steady",
    ];
    let places: Vec<usize> = order
        .iter()
        .map(|words| {
            html.find(words)
                .unwrap_or_else(|| panic!("{words}: {html}"))
        })
        .collect();
    assert!(places.is_sorted(), "{places:?}");
    for entry in [
        ">glossary<",
        ">answer<",
        ">why_it_fails<",
        ">see<",
        "Nobody knows",
        "It is steady.",
    ] {
        assert!(!html.contains(entry), "{entry}");
    }
    assert_self_contained(&html);
    let html = built("false");
    assert!(html.contains("The full experiment: 2 replications of each point."));
    assert!(!html.contains("A quick reproduction"));
}

#[test]
fn reproductions_of_all_papers_have_a_page_that_leads_to_each() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = dir.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let manifest = |runs: &str| {
        format!(
            r#"{{"command":"reproduce","options":{{"paper":"all"}},"version":"0.1.0","runs":[{runs}]}}"#
        )
    };
    write("experiment.json", &manifest(r#""li/sample","xiao/sample""#));
    write("li/experiment.json", &manifest(r#""sample""#));
    let table = "id,paper,kind,claim,claimed,measured,ci95,verdict,note\n\
        1,li,T,it rises,,,,holds,\n2,li,T,it falls,,,,undecidable,\n";
    write("li/claims.csv", table);
    write(
        "li/settings.json",
        r#"{"paper_title":"Starts & ends","authors":"Li","year":2014,"question":"Which start?"}"#,
    );
    let html = page(dir.path());
    for words in [
        "2 claims of published papers",
        "<a href=\"li/report.html\">Starts &amp; ends</a>",
        "2 claims checked by experiment: 1 hold, 0 fail, 1 cannot be decided.",
        "Which start?",
        "A paper by Li (2014)",
        "Not finished: xiao.",
        "Not finished: strategies.",
    ] {
        assert!(html.contains(words), "{words}: {html}");
    }
    assert_self_contained(&html);
    // What is beside the claims of one paper is its own report.
    assert!(page(&dir.path().join("li")).contains("<h1>Starts &amp; ends</h1>"));
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

/// The page of a folder with these rows of figures.csv.
fn page_of_figures(header: &str, rows: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("figures.csv"),
        format!("{header}\n{rows}\n"),
    )
    .unwrap();
    page(dir.path())
}

const FIGURES: &str = "figure,title,x_label,y_label,series,x,x_text,mean,ci95";
const DRAWN: &str = "figure,title,x_label,y_label,series,x,x_text,mean,ci95,low,high,least,most";

/// What stands beside the axes of a page's drawings.
fn texts(html: &str) -> Vec<&str> {
    let texts = html.split("<text ").skip(1);
    let text = |rest: &'_ str| -> Option<(usize, usize)> {
        Some((rest.find('>')? + 1, rest.find("</text>")?))
    };
    texts
        .map(|rest| text(rest).map_or("", |(from, to)| rest[from..to].trim()))
        .collect()
}

#[test]
fn an_axis_of_a_share_stays_between_nothing_and_all() {
    let rows = "f,t,x,share,s,1,,50,190,3,97,0,100\nf,t,x,share,s,2,,0,0,,,0,100";
    let html = page_of_figures(DRAWN, rows);
    assert_self_contained(&html);
    let heights = texts(&html)
        .into_iter()
        .filter_map(|text| text.parse::<f64>().ok());
    let heights: Vec<f64> = heights.collect();
    assert!(
        heights.iter().all(|at| (0.0..=100.0).contains(at)),
        "{heights:?}"
    );
    assert!(html.contains("data-least=\"0\" data-most=\"100\""));
    assert!(html.contains("3.00 to 97.00"), "the interval that is drawn");
}

#[test]
fn files_of_earlier_versions_have_symmetric_intervals() {
    let html = page_of_figures(FIGURES, "f,t,x,y,s,1,,50,190\nf,t,x,y,s,2,,50,190");
    assert!(html.contains("-140.0 to 240.0"));
}

#[test]
fn numbers_of_figures_have_six_digits_and_zeros_no_sign() {
    let rows = "f,t,x,y,s,0.15000000000000002,0.15000000000000002,-0.0000001,\n\
                f,t,x,y,s,50.099999999999994,,0.4,\nf,t,x,y,s,70,,-0.4,";
    let html = page_of_figures(FIGURES, rows);
    for text in ["0.15", "50.1", "0.0"] {
        assert!(texts(&html).contains(&text), "{text} in {:?}", texts(&html));
    }
    let texts = texts(&html);
    assert!(
        texts.iter().all(|text| text.len() <= 5 && *text != "-0.0"),
        "{texts:?}"
    );
    assert!(html.contains("<th class=\"number\">50.1</th>"));
}

/// A line of a drawing: its name, and its points with their places and words.
type Line = (String, Vec<(i32, i32, String, String)>);

#[test]
fn each_point_of_a_drawing_has_its_place_and_its_words() {
    let rows =
        "f,t,x,y,a</script>,1,one,0.5,0.125\nf,t,x,y,a</script>,2,,0.25,\nf,t,x,y,b,2,,0.5,0.5";
    let html = page_of_figures(FIGURES, rows);
    let (_, rest) = html
        .split_once("<script type=\"application/json\">")
        .unwrap();
    let (points, _) = rest.split_once("</script>").unwrap();
    let lines: Vec<Line> = serde_json::from_str(points).unwrap();
    let names = lines.iter().map(|(name, _)| name.as_str());
    assert!(names.eq(["a</script>", "b"]), "{lines:?}");
    let words = |(_, points): &Line| -> Vec<String> {
        points
            .iter()
            .map(|(_, _, place, value)| format!("{place}: {value}"))
            .collect()
    };
    assert_eq!(
        words(&lines[0]),
        ["one: 0.5000 (0.3750 to 0.6250)", "2: 0.2500"]
    );
    assert_eq!(words(&lines[1]), ["2: 0.5000 (0.0000 to 1.0000)"]);
    // Where their markers are: the first line has circles.
    for (x, y, ..) in &lines[0].1 {
        assert!(
            html.contains(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"5\"")),
            "{lines:?}"
        );
    }
    // A single line is what the figure is about, and has no name of its own.
    let html = page_of_figures(FIGURES, "f,t,x,y,a,1,,0.5,\nf,t,x,y,a,2,,0.5,");
    assert!(html.contains("<script type=\"application/json\">[[\"\",[["));
    assert!(html.contains("class=\"plot lines solid\""));
}

#[test]
fn names_have_dots_and_numbers_lines() {
    let drawn = |ticks: [&str; 2]| {
        let row = |series, at: usize| format!("f,t,x,y,{series},{at},{},{at},0.5", ticks[at]);
        let rows = [row("s", 0), row("s", 1), row("r", 0), row("r", 1)];
        page_of_figures(FIGURES, &rows.join("\n"))
    };
    // Axes and ticks are thinner, and intervals are no lines.
    let lines = |html: &str| {
        html.matches("<polyline fill=\"none\" opacity=\"1\"")
            .count()
    };
    let (names, levels) = (drawn(["first-fit", "PE_B"]), drawn(["1 h", "\"{2,2}\""]));
    // Each line is in the legend too.
    assert_eq!((lines(&names), lines(&levels)), (0, 4));
    assert_eq!(names.matches("<rect ").count(), 4);
    let bands = |html: &str| html.matches("<polygon opacity=\"0.13\"").count();
    assert_eq!((bands(&names), bands(&levels)), (0, 2));
}

#[test]
fn a_single_dot_is_bars_or_a_table() {
    let bars = page_of_figures(DRAWN, "f,t,at,share,s,0,here,0.5,0.9,0.1,0.9,0,1");
    assert!(!bars.contains("plot lines") && bars.contains("class=\"plot\""));
    let table = page_of_figures(FIGURES, "f,t,at,difference,s,0,here,-0.5,0.9");
    assert!(!table.contains("class=\"plot") && table.contains("<details open><summary>Numbers"));
}

#[test]
fn long_texts_of_claims_are_folded_and_every_number_has_a_name() {
    let dir = tempfile::tempdir().unwrap();
    reproduction(dir.path());
    let long = "FF 0.1234567890 at UMed 5, ".repeat(20);
    fs::write(
        dir.path().join("claims.csv"),
        format!("id,paper,kind,claim,claimed,measured,ci95,verdict,note\n1.01,li,O,c,,\"{long}\",,fails,n\n"),
    )
    .unwrap();
    fs::write(
        dir.path().join("evidence.csv"),
        "id,what,where,value,ci95,verdict\n1.01,a - b,at UMed 5,-0.0000,2327.9830,fails\n",
    )
    .unwrap();
    let html = page(dir.path());
    assert_self_contained(&html);
    for words in [
        "<summary>more</summary>",
        "<summary>evidence, 1 row</summary>",
        "<th scope=\"row\">a - b</th><td data-label=\"where\">at UMed 5</td><td data-label=\"value\">0.0000</td>\
         <td data-label=\"± 95 %\">2327.98</td>",
        "FF 0.123457 at",
    ] {
        assert!(html.contains(words), "{words} is not in the report");
    }
}

#[test]
fn pes_of_several_sites_are_those_of_each() {
    let dir = tempfile::tempdir().unwrap();
    reproduction(dir.path());
    fs::write(
        dir.path().join("settings.json"),
        r#"{"sites":16,"pes":1,"slots":33554432,"seed":1234567}"#,
    )
    .unwrap();
    let html = page(dir.path());
    for words in [
        "<dt>sites</dt><dd>16</dd>",
        "<dt>PEs of each site</dt><dd>1</dd>",
        "<dt>slots</dt><dd>33,554,432</dd>",
        "<dt>seed</dt><dd>1234567</dd>",
    ] {
        assert!(html.contains(words), "{words} is not in the report");
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
        run(whole.path(), Policy::FirstFit, Binding::Early, 40);
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
fn where_nothing_is_accepted_rates_are_dashes() {
    let dir = kept("nothing-accepted");
    // Nothing fits a machine of one slot of a second.
    let system = System::new(24, 1, 1, Strategy::Fit(Policy::FirstFit), Binding::Late);
    let metrics = simulate(&dir, system, &requests(20));
    assert_eq!((metrics.accepted, metrics.slowdown.mean), (0, None));
    let html = page(&dir);
    assert_self_contained(&html);
    assert!(html.contains("0.0 %") && html.contains("<td class=\"number\">–</td>"));
    assert!(!html.contains(">0.000") && !html.contains(">-0"));
}

#[test]
fn equal_folders_give_equal_bytes() {
    let build_one = || {
        let dir = tempfile::tempdir().unwrap();
        reproduction(dir.path());
        comparison(dir.path(), &BINDINGS);
        page(dir.path())
    };
    assert_eq!(build_one(), build_one());
}

#[test]
fn a_report_is_rebuilt_over_an_earlier_one() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), Policy::FirstFit, Binding::Early, 40);
    let first = page(dir.path());
    // Measured times may differ between equal runs and must not show.
    fs::write(dir.path().join("timing.json"), r#"{"wall_seconds":1.5}"#).unwrap();
    assert_eq!(first, page(dir.path()));
    assert_eq!(
        fs::read_dir(dir.path()).unwrap().count(),
        6,
        "nothing but report.html is added"
    );
}

/// Builds a folder in which one file has other contents, and gives the error as file name, line, field and words.
fn error_of(file: &str, contents: &str) -> (String, Option<u64>, Option<String>, String) {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), Policy::FirstFit, Binding::Early, 10);
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
    let header = "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state,\
                  starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,\
                  consumed_energy,metadata\n";
    let job = |start: &str, pes: &str| {
        format!(
            "{header}1,w,reservation,0,4,4,1,COMPLETED_SUCCESSFULLY,{start},4,9,5,9,2.25,{pes},-1,\n"
        )
    };
    let claims = "id,paper,kind,claim,claimed,measured,ci95,verdict,note\n";
    let reservations =
        "job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown\n";
    let figures = "figure,title,x_label,y_label,series,x,x_text,mean,ci95\n";
    let cases = [
        (
            "jobs.csv",
            job("soon", "0-3"),
            Some(2),
            Some("starting_time"),
        ),
        (
            "jobs.csv",
            job("5", "3-0"),
            Some(2),
            Some("allocated_resources"),
        ),
        ("jobs.csv", format!("{header}2,0,1\n"), Some(2), None),
        ("jobs.csv", String::new(), Some(1), Some("job_id")),
        (
            "claims.csv",
            format!("{claims}1.01,li,D,c,,,,maybe,\n"),
            Some(2),
            Some("verdict"),
        ),
        (
            "reservations.csv",
            format!("{reservations}1,0,0,5,9,1,taken,,,,\n"),
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
            "figures.csv",
            format!("{DRAWN}\nf,t,x,y,s,1,,1,1,2,0,,\n"),
            Some(2),
            Some("low"),
        ),
        (
            "metrics.json",
            r#"{"pes":"many"}"#.to_owned(),
            None,
            Some("pes"),
        ),
        ("metrics.json", "{\n\"pes\":".to_owned(), Some(2), None),
        ("metrics.json", r#"{"answer":"yes"}"#.to_owned(), None, None),
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
