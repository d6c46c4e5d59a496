//! The experiments of the papers: runs them again, and says claim by claim what came out.
//!
//! ```text
//!   points x replications x systems --run--> samples --curves--> rules --claims--> claims.csv, evidence.csv
//!                                                          \--figures------------> figures.csv
//! ```
//!
//! A `Paper` holds what is its own: points and systems, the requests of a point in a replication, measures, claims with their rules,
//! figures. All the rest (running, auditing, intervals, verdicts, files, the report) is done here, once. A verdict is never written down:
//! it is computed by a rule, whose words in the row's note are made from the rule.

mod basis;
mod claims;
mod comparison;
mod figures;
mod kept;
mod li;
mod netto;
mod panel;
mod pujiyanta;
mod rule;
mod run;
mod samples;
mod source;
mod store;
pub(crate) mod strategies;
mod sulistio;
pub(crate) mod sweep;
mod xiao;

use std::{
    borrow::Cow,
    fmt::Debug,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use serde_json::{Map, Value, json};

use crate::{
    error::{Error, Result},
    files::{self, ClaimRow},
    output::{self, RunInfo, Timing},
    progress::Progress,
    report, text_file,
};
use {li::Li, netto::Netto, pujiyanta::Pujiyanta, sulistio::Sulistio, xiao::Xiao};

// The words in which papers speak.
use crate::{
    files::Verdict::{Fails, Holds, Undecidable},
    told::{answer, see},
};
use basis::{Audit, Count, refused};
use claims::{Claim, Kind, Reading, Reasons, claim};
use comparison::{Comparison, Finding, Row};
use figures::Figure;
use kept::Kept;
pub(crate) use kept::kept;
use panel::{AxisName, Curves, Panel, Tick};
use rule::Way::{self, Falls, Rises};
use rule::{At, By, Test, above, above_by, alike, all, apart, not_above, parts};
use run::{Assumption, Decide, ENGINE};
use samples::{Measure, Run, Samples, by_system};
use source::Source;
use store::Store;
pub(crate) use store::hash;

pub(crate) const CLAIMS: &str = "claims.csv";

/// The folder of the run that the report shows in detail.
pub const SAMPLE: &str = "sample";

/// A paper whose experiments can be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperId {
    /// Seven policies for parallel jobs with deadlines.
    Li,
    /// Reservations that are juggled until they start.
    Netto,
    /// Reservations that are shifted to the right and to the left.
    Pujiyanta,
    /// Elastic reservations beside best-effort jobs.
    Sulistio,
    /// Reservations on top of others that will probably end early.
    Xiao,
}

impl PaperId {
    /// All papers in the order in which they are repeated.
    pub const ALL: [Self; 5] = [
        Self::Li,
        Self::Netto,
        Self::Pujiyanta,
        Self::Sulistio,
        Self::Xiao,
    ];

    /// The short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Li => "li",
            Self::Netto => "netto",
            Self::Pujiyanta => "pujiyanta",
            Self::Sulistio => "sulistio",
            Self::Xiao => "xiao",
        }
    }
}

/// What an experiment has of its own; `P` is where in the space of settings a run lies.
struct Paper<'a, P> {
    /// The short name.
    name: &'static str,
    source: Source,
    /// Its words and abbreviations, a table with the columns word and meaning.
    glossary: &'static str,
    /// How often the main reading is run where the experiment is not quick.
    in_full: u32,
    /// Stands behind every note; may be empty.
    disclaimer: Cow<'static, str>,
    /// Name of the workload.
    workload: String,
    seed: u64,
    /// What is run: the reading that verdicts are about, and then the others.
    assumptions: Vec<Assumption<'a, P>>,
    /// What is measured in each run.
    measures: &'static [Measure],
    /// The claims about curves, judged by the runs of any reading.
    claims: fn(&Samples<P>) -> Vec<Claim>,
    /// The run that the report shows in detail: its point and system, in the first replication of the first assumption.
    sample: (P, usize),
    found: Find<'a, P>,
}

/// What a paper makes of its runs.
type Find<'a, P> = Box<dyn Fn(&[Ran<P>], &Audit, &Progress) -> Result<PaperResults> + Sync + 'a>;

struct PaperResults {
    /// The claims that are judged once, whatever the reading.
    checks: Vec<Claim>,
    figures: Vec<Figure>,
    /// What else was set, by name.
    settings: Value,
}

/// The disclaimer where a paper's log is missing.
const SYNTHETIC: &str = "The jobs are synthetic, not those of the paper's log.";

/// What was run under one assumption.
struct Ran<P> {
    /// Name of the assumption.
    name: &'static str,
    /// Whether all points of the main assumption were run.
    complete: bool,
    samples: Samples<P>,
}

/// What came out of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproduced {
    /// The short name of the paper.
    pub paper: &'static str,
    /// Authors, year and title of the paper.
    pub citation: String,
    /// How much of the experiment was run, in a sentence or two.
    pub extent: String,
    /// What became of the claims, in words.
    pub verdicts: String,
    /// What the jobs come from.
    pub workload: String,
    /// Runs that were audited: what each wrote agrees with itself.
    pub runs_checked: usize,
}

/// Runs the experiments of a paper into the folder `out`: claims.csv, evidence.csv, figures.csv, settings.json, timing.json, a sample
/// run in a folder of its own, and the report. The same seed gives the same files whatever the number of threads, timing.json excepted.
///
/// `log` is a log in the Standard Workload Format, for papers that use one: `netto` and `sulistio` take their jobs from it, and without
/// it from a model, which results say; `xiao` adds its run times to a figure. `quick` runs every row with fewer and shorter runs.
///
/// Samples are kept in a file until the report is written: the same call goes on where one was cut short, to the same bytes.
///
/// # Errors
/// [`Error::Input`] for a malformed log, [`Error::Io`] when a file cannot be
/// read or written; [`Error::Violated`] when a run broke a promise, which is a defect, as is
/// [`Error::Internal`].
pub fn reproduce(
    paper: PaperId,
    log: Option<&Path>,
    quick: bool,
    seed: u64,
    out: &Path,
    progress: &Progress,
) -> Result<Reproduced> {
    let to = &Target {
        out,
        quick,
        log: log.map(hash).transpose()?,
        progress,
    };
    match paper {
        PaperId::Li => repeat(&Li::new(seed, quick).paper(), to),
        PaperId::Netto => repeat(&Netto::new(log, seed, quick)?.paper(), to),
        PaperId::Pujiyanta => repeat(&Pujiyanta::new(seed, quick).paper(), to),
        PaperId::Sulistio => repeat(&Sulistio::new(log, seed, quick)?.paper(), to),
        PaperId::Xiao => repeat(&Xiao::new(log, seed, quick).paper(), to),
    }
}

/// What came out of an experiment that lies finished in the folder `out`; nothing where a file of it is missing. Which experiment that is, is
/// for the caller to know.
///
/// # Errors
/// [`Error::Input`] for a malformed file, [`Error::Io`] for one that cannot be read.
pub fn finished(paper: PaperId, out: &Path) -> Result<Option<Reproduced>> {
    read(paper.name(), out)
}

/// Where the results of an experiment go, and what tells it from others of the same paper.
struct Target<'a> {
    out: &'a Path,
    quick: bool,
    /// What tells its log from others.
    log: Option<String>,
    progress: &'a Progress,
}

fn repeat<P: Copy + Debug + PartialEq + Send + Sync>(
    paper: &Paper<P>,
    to: &Target<'_>,
) -> Result<Reproduced> {
    let out = to.out;
    let begun = Instant::now();
    output::remove(&out.join(report::FILE))?;
    output::prepare(out)?;
    let decided = AtomicUsize::new(0);
    let (ran, audit) = paper.run(to, &decided)?;
    audit.kept()?;
    let found = (paper.found)(&ran, &audit, to.progress)?;
    let reasons = paper.judge(&ran, found.checks, out)?;
    figures::write(out, &found.figures)?;
    let main = &paper.assumptions[0];
    let (point, system) = paper.sample;
    let info = RunInfo {
        system: main.systems[system].1.clone(),
        workload: paper.workload.clone(),
        seed: paper.seed,
    };
    output::write_story(&out.join(SAMPLE), &info, &main.one(point, 0, system)?)?;
    let decided = decided.load(Ordering::Relaxed);
    output::write_timing(out, &Timing::new(decided, begun.elapsed()))?;
    let mut settings = found.settings;
    settings["quick"] = to.quick.into();
    settings["why_it_fails"] = json!(reasons);
    paper.set(&mut settings, &audit)?;
    text_file::write(&out.join(output::SETTINGS), |file| {
        writeln!(file, "{settings:#}")
    })?;
    report::build(out)?;
    store::clear(out)?;
    read(paper.name, out)?
        .ok_or_else(|| Error::Internal("a file of the reproduction is missing".to_owned()))
}

fn read(paper: &'static str, out: &Path) -> Result<Option<Reproduced>> {
    // The report is written last.
    let others = ["evidence.csv", "figures.csv", output::TIMING, report::FILE];
    let sample = out.join(SAMPLE).join(output::METRICS);
    let are_there = others.iter().all(|name| out.join(name).is_file()) && sample.is_file();
    let claims: Option<Vec<ClaimRow>> = files::read(&out.join(CLAIMS))?;
    let file = out.join(output::SETTINGS);
    let settings = text_file::read_if_there(&file)?;
    let said = report::citation_and_extent(out)?;
    let (Some(claims), Some(settings), Some([citation, extent]), true) =
        (claims, settings, said, are_there)
    else {
        return Ok(None);
    };
    let settings: Value = serde_json::from_str(&settings)
        .map_err(|error| text_file::input_error(&file, None, None, error.to_string()))?;
    let (workload, runs) = (&settings["workload"], &settings["runs_checked"]);
    Ok(Some(Reproduced {
        paper,
        citation,
        extent,
        verdicts: claims::verdicts(&claims),
        workload: workload.as_str().unwrap_or_default().to_owned(),
        runs_checked: runs.as_u64().unwrap_or_default() as usize,
    }))
}

impl<P: Copy + Debug + PartialEq + Send + Sync> Paper<'_, P> {
    fn run(&self, to: &Target<'_>, decided: &AtomicUsize) -> Result<(Vec<Ran<P>>, Audit)> {
        let steps = self.assumptions.iter().map(Assumption::steps).sum();
        let bar = to.progress.bar(&format!("reproduce {}", self.name), steps);
        let mut audit = Audit::default();
        let mut ran = Vec::new();
        let mut before = 0;
        let experiment = self.assumptions.iter();
        let experiment: String = experiment.map(|one| self.experiment(one, to)).collect();
        let store = Store::open(to.out, &experiment, &|_| true)?;
        for assumption in &self.assumptions {
            let kept = Kept {
                store: &store,
                before,
                size: [assumption.systems.len(), self.measures.len()],
                decided,
            };
            before += assumption.points.len();
            let samples = assumption.run(self.measures, &kept, &bar)?;
            audit = audit.and(&samples.audit());
            ran.push(self.ran(assumption.name, samples));
        }
        Ok((ran, audit))
    }

    /// What tells the samples of an assumption from all others that may lie in the same file.
    fn experiment(&self, assumption: &Assumption<'_, P>, to: &Target<'_>) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let Self { name, seed, .. } = self;
        let (quick, log) = (to.quick, &to.log);
        let measures = self.measures.iter().map(|measure| measure.name);
        let measures: Vec<&str> = measures.collect();
        let Assumption {
            name: reading,
            points,
            systems,
            ..
        } = assumption;
        format!(
            "{version} {name} {seed} {quick} {log:?} {reading} {measures:?} {points:?} {systems:?}"
        )
    }

    fn ran(&self, name: &'static str, samples: Samples<P>) -> Ran<P> {
        let mut all = self.assumptions[0].points.iter();
        Ran {
            name,
            complete: all.all(|point| samples.has(*point)),
            samples,
        }
    }

    fn judge(&self, ran: &[Ran<P>], mut claims: Vec<Claim>, out: &Path) -> Result<Reasons> {
        let main = &ran[0];
        claims.extend((self.claims)(&main.samples));
        // The main runs at the points of others, to tell what comes from the assumption and what from the points.
        let at_some_points = ran.iter().find(|other| !other.complete);
        let at_some_points = at_some_points
            .map(|other| self.ran(main.name, main.samples.at_points_of(&other.samples)));
        let readings = ran[1..].iter().chain(&at_some_points).map(|other| Reading {
            name: other.name,
            replications: other.samples.replications(),
            complete: other.complete,
            claims: (self.claims)(&other.samples),
        });
        let readings: Vec<Reading> = readings.collect();
        let (_, reasons) = claims::judge(out, (self.name, &self.disclaimer), claims, &readings)?;
        Ok(reasons)
    }

    /// Names what is set in every experiment.
    fn set(&self, settings: &mut Value, audit: &Audit) -> Result<()> {
        let (main, other) = (&self.assumptions[0], &self.assumptions[1]);
        let system = &main.systems[0].1;
        settings["paper"] = self.name.into();
        settings["paper_title"] = self.source.title.into();
        settings["authors"] = self.source.authors.into();
        settings["year"] = self.source.year.into();
        settings["question"] = self.source.question.into();
        settings["disclaimer"] = self.disclaimer.as_ref().into();
        settings["answer"] = json!(self.source.answer);
        settings["see"] = Map::from_iter(
            self.source
                .see
                .iter()
                .map(|(id, seen)| (id.clone(), json!(seen))),
        )
        .into();
        settings["glossary"] = source::glossary(self.glossary)?;
        settings["workload"] = self.workload.as_str().into();
        settings["seed"] = self.seed.into();
        settings["assumption"] = main.name.into();
        settings["replications"] = main.replications.into();
        settings["replications_in_full"] = self.in_full.into();
        settings["replications_of_other_readings"] = other.replications.into();
        if system.sites > 1 {
            settings["sites"] = system.sites.into();
        }
        settings["pes"] = system.pes.into();
        settings["slots"] = system.slots.into();
        settings["slot_seconds"] = system.slot_seconds.into();
        settings["binding"] = system.binding.name().into();
        settings["runs_checked"] = audit.runs.into();
        settings["violations"] = audit.accepted.wrong.into();
        settings["version"] = env!("CARGO_PKG_VERSION").into();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::{
        Debug, Fails, Holds, Li, Netto, Paper, Pujiyanta, Sulistio, Target, Undecidable, Xiao,
        repeat,
    };
    use crate::{check, files::Verdict, progress::Progress, told::Told};

    /// The claims of an experiment by their numbers: written apart from them, so that none can vanish.
    pub(super) fn ids(name: &str) -> Vec<&'static str> {
        let mut ids: Vec<&str> = [Holds, Fails, Undecidable]
            .iter()
            .flat_map(|verdict| became(name, *verdict))
            .collect();
        ids.sort_unstable();
        ids
    }

    /// Those of which this becomes in a quick reproduction with the seed that is taken where none is said, which CI compares with one.
    fn became(name: &str, verdict: Verdict) -> Vec<&'static str> {
        let begins = format!("{name} {} ", verdict.name());
        let mut lines = include_str!("claims.txt").lines();
        let line = lines.find_map(|line| line.strip_prefix(&begins));
        line.map_or(Vec::new(), |ids| ids.split(' ').collect())
    }

    /// A tiny reproduction of a paper is whole, has all claims, and is the same for any number of threads.
    fn tiny<P: Copy + Debug + PartialEq + Send + Sync>(paper: &Paper<P>) {
        let dir = tempfile::tempdir().unwrap();
        let run = |threads: usize| {
            let out = dir.path().join(threads.to_string());
            let to = Target {
                out: &out,
                quick: true,
                log: None,
                progress: &Progress::new(true),
            };
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let done = pool.install(|| repeat(paper, &to)).unwrap();
            assert!(done.runs_checked > 0);
            out
        };
        let (one, two) = (run(1), run(2));
        for name in [
            "claims.csv",
            "evidence.csv",
            "figures.csv",
            "settings.json",
            "report.html",
        ] {
            let bytes = fs::read(one.join(name)).unwrap();
            assert!(bytes == fs::read(two.join(name)).unwrap(), "{name}");
        }
        assert!(one.join("timing.json").is_file());
        assert!(
            check::folder(&one)
                .unwrap()
                .iter()
                .all(|run| run.violations.is_empty())
        );
        let claims = records(&one.join("claims.csv"));
        let found: Vec<&str> = claims.iter().map(|claim| &claim[0]).collect();
        assert_eq!(found, ids(paper.name));
        for claim in &claims {
            assert!(claim[8].starts_with("Rule: "), "{claim:?}");
            assert!(claim[8].contains(paper.disclaimer.as_ref()), "{claim:?}");
            assert!(
                !claim[5].is_empty() && !claim[5].starts_with("0 of 0"),
                "{claim:?}"
            );
        }
        let lengths = claims
            .iter()
            .map(|claim| (&claim[0], claim[8].chars().count()));
        let long: Vec<_> = lengths.filter(|(_, length)| *length > NOTE).collect();
        assert!(long.is_empty(), "long notes: {long:?}");
        assert!(records(&one.join("evidence.csv")).len() > claims.len());
        let report = fs::read_to_string(one.join("report.html")).unwrap();
        assert!(report.contains("table class=\"evidence\""));
        assert!(report.contains(paper.source.title), "{}", paper.name);
        assert!(
            report
                .contains("<p class=\"extent\">A quick reproduction: 2 replications of each point")
        );
        assert_eq!(unexplained(&report), BTreeSet::new(), "{}", paper.name);
        assert_told(paper.name, &one, &claims);
    }

    /// Whatever fails in a quick reproduction says why, and in this one what fails and nothing else; figures and answers are about claims that there are.
    fn assert_told(name: &str, dir: &Path, claims: &[csv::StringRecord]) {
        let settings = fs::read_to_string(dir.join("settings.json")).unwrap();
        let told: Told = serde_json::from_str(&settings).unwrap();
        let unknown: Vec<_> = became(name, Fails)
            .into_iter()
            .filter(|id| !told.why_it_fails.contains_key(*id))
            .collect();
        assert!(
            unknown.is_empty(),
            "no sentence says why these fail: {unknown:?}"
        );
        let report = fs::read_to_string(dir.join("report.html"))
            .unwrap()
            .replace("&gt;", ">")
            .replace("&lt;", "<");
        for claim in claims {
            let shown = told.why_it_fails.get(&claim[0]).is_some_and(|why| {
                report.contains(&format!(
                    "#claim-{}\">{}</a> {}<p class=\"cause\">{why}",
                    &claim[0], &claim[0], &claim[3]
                ))
            });
            let said = told.why_it_fails.contains_key(&claim[0]);
            assert_eq!(shown, said && &claim[7] == "fails", "{claim:?}");
        }
        let ids = ids(name);
        let because = told
            .answer
            .iter()
            .flat_map(|answer| answer.because.iter().map(|(id, _)| id));
        let seen = told.see.values().flat_map(|seen| &seen.claims);
        let about = because.chain(seen).chain(told.why_it_fails.keys());
        let odd: Vec<_> = about.filter(|id| !ids.contains(&id.as_str())).collect();
        assert!(odd.is_empty(), "{odd:?}");
        assert!(told.answer.len() > 1);
        let figures = records(&dir.join("figures.csv"));
        let drawn: BTreeSet<&str> = figures.iter().map(|point| &point[0]).collect();
        let seen: BTreeSet<&str> = told.see.keys().map(String::as_str).collect();
        assert_eq!(drawn, seen);
    }

    /// The longest note that a stranger still reads.
    const NOTE: usize = 400;

    /// Abbreviations that need no explanation, and names of machines and models.
    const KNOWN: [&str; 4] = ["CSV", "LANL", "CM-5", "SDSC"];

    /// The abbreviations of a page that its words do not explain before anything else uses them. Numbers of a run are no text.
    fn unexplained(report: &str) -> BTreeSet<String> {
        let body = &report[report.find("<body>").unwrap()..report.find("id=\"entries\"").unwrap()];
        let (opening, rest) = body.split_once("id=\"words\"").unwrap();
        // The title of a paper says what it says.
        let (_, opening) = opening.split_once("</h1>").unwrap();
        let (words, rest) = rest.split_once("</section>").unwrap();
        let explained = abbreviations(words);
        let before = abbreviations(opening);
        let behind = &abbreviations(rest) - &explained;
        let mut all = &before | &behind;
        all.retain(|word| !KNOWN.contains(&word.as_str()));
        all
    }

    /// What a page says that looks like no word of the language: capitals inside, digits behind letters, stars, underscores; and Greek letters.
    fn abbreviations(html: &str) -> BTreeSet<String> {
        let mut text = String::new();
        for piece in html.split('<') {
            text += " ";
            text += piece.split_once('>').map_or(piece, |(_, text)| text);
        }
        let text = text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
        let is_part = |c: char| c.is_alphanumeric() || "_*".contains(c);
        let words = text.split(|c| !is_part(c)).map(str::to_owned);
        words.filter(|word| is_abbreviation(word)).collect()
    }

    fn is_abbreviation(word: &str) -> bool {
        let Some(first) = word.chars().next().filter(|first| first.is_alphabetic()) else {
            return false;
        };
        let inside = &word[first.len_utf8()..];
        let odd = |c: char| c.is_uppercase() || c.is_ascii_digit() || "_*".contains(c);
        let greek = ["phi", "mu", "tau", "delta"].contains(&word);
        // A factor such as x16 is a number.
        let factor = first == 'x' && inside.bytes().all(|digit| digit.is_ascii_digit());
        (inside.chars().any(odd) && !factor) || greek || ["bt", "slt"].contains(&word)
    }

    fn records(file: &Path) -> Vec<csv::StringRecord> {
        let mut table = csv::Reader::from_path(file).unwrap();
        table.records().map(Result::unwrap).collect()
    }

    #[test]
    fn a_tiny_li_is_whole() {
        tiny(&Li::tiny(1).paper());
    }

    #[test]
    fn a_tiny_netto_is_whole() {
        tiny(&Netto::tiny(1).paper());
    }

    #[test]
    fn a_tiny_pujiyanta_is_whole() {
        tiny(&Pujiyanta::tiny(1).paper());
    }

    #[test]
    fn a_tiny_sulistio_is_whole() {
        tiny(&Sulistio::tiny(1).paper());
    }

    #[test]
    fn a_tiny_xiao_is_whole() {
        tiny(&Xiao::tiny(1).paper());
    }
}
