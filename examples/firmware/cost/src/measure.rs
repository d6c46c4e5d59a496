//! Measures everything that is published.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use bookahead::{
    CountWorkspace, PeWorkspace,
    raw::{
        PlainScan, count_book_bytes, journal_bytes, pe_book_bytes, placed_book_bytes, queue_bytes,
    },
};

use crate::{
    adversary::{self, Size},
    flash,
    golden::{Case, Cost, Flash, Golden, Levels, Ram},
    meter::{Meter, Ranges},
    operation::{self, Grid, Operation, Takes},
    search::{Effort, Search, WorstCase},
};

/// A book that is measured.
pub struct Subject {
    /// The meter's name for it.
    pub name: &'static str,
    pub size: Size,
    /// The calls tried on the worst states.
    fine: Grid,
    /// The static of that type in the image `books`.
    symbol: &'static str,
    /// The published formula.
    formula: fn(Size) -> usize,
}

const SMALL: Size = Size {
    slots: 256,
    pes: 32,
    rows: 32,
};
const LARGE: Size = Size {
    slots: 1_024,
    pes: 64,
    rows: 64,
};

fn late_bytes(size: Size) -> usize {
    count_book_bytes::<PlainScan>(size.slots, size.pes as u16, size.rows as usize)
}

fn early_bytes(size: Size) -> usize {
    pe_book_bytes::<u32, PlainScan>(size.slots, size.pes as u16, size.rows as usize)
}

/// All of them.
pub const SUBJECTS: [Subject; 4] = [
    Subject {
        name: "late small",
        size: SMALL,
        fine: Grid::FULL,
        symbol: "LATE_SMALL",
        formula: late_bytes,
    },
    Subject {
        name: "early small",
        size: SMALL,
        fine: Grid::FULL,
        symbol: "EARLY_SMALL",
        formula: early_bytes,
    },
    Subject {
        name: "late large",
        size: LARGE,
        fine: Grid::FINE,
        symbol: "LATE_LARGE",
        formula: late_bytes,
    },
    Subject {
        name: "early large",
        size: LARGE,
        fine: Grid::FINE,
        symbol: "EARLY_LARGE",
        formula: early_bytes,
    },
];

/// A step that is weighed.
struct Step {
    /// The name of its image.
    name: &'static str,
    /// Those of [`MODULES`] that it calls. Of the others its image has to be without code.
    calls: &'static [&'static str],
}

impl Step {
    const fn of(name: &'static str, calls: &'static [&'static str]) -> Self {
        Self { name, calls }
    }
}

/// What a program that does not call it must not pay for.
const MODULES: [&str; 7] = [
    "transaction",
    "juggle",
    "shift",
    "mould",
    "overlay",
    "placement",
    "journal",
];

const STEPS: [Step; 17] = [
    Step::of("count-first-fit", &[]),
    Step::of("count-offers", &[]),
    Step::of("count-queue", &[]),
    Step::of("count-transactions", &["transaction"]),
    Step::of("count-alter", &["transaction"]),
    Step::of("count-series", &["transaction"]),
    Step::of("count-one-writer", &["transaction"]),
    Step::of("count-juggle", &["transaction", "juggle"]),
    Step::of("count-alternatives", &["transaction", "juggle"]),
    Step::of("count-shift", &["transaction", "shift"]),
    Step::of("count-overlay", &["overlay"]),
    Step::of("placed", &["placement"]),
    Step::of("count-journal", &["journal"]),
    Step::of("count-mould", &["mould"]),
    Step::of("prices", &[]),
    Step::of("both-seven", &[]),
    // In the usual two kinds of books.
    Step::of("everything", &["transaction", "juggle", "shift", "mould"]),
];

/// The image that most memory is linked into.
const BOOKS: &str = "books";

/// A book with a layout of four groups of six and two PEs, for 256 slots, 32 reservations and four classes, on a processor whose rings are read plainly.
const PLACED: usize = placed_book_bytes::<u32, PlainScan>(256, 2, 32, 4, 0);

/// Memory that is measured beside the books: what it is, its static in the image [`BOOKS`], and its published size.
const BESIDE: [(&str, &str, usize); 3] = [
    ("queue of 32 jobs", "QUEUE", queue_bytes(32)),
    (
        "late workspace of 8 entries",
        "LATE_WORKSPACE",
        CountWorkspace::<8, 0>::BYTES,
    ),
    (
        "early workspace of 8 entries, 32 PEs",
        "EARLY_WORKSPACE",
        PeWorkspace::<u32, 1, 8, 0>::BYTES,
    ),
];

/// The same in images with a feature: which, what it is, its static, and its published size.
const ELSEWHERE: [(&str, &str, &str, usize); 2] = [
    ("placed", "placed, 4 groups of 2 kinds", "PLACED", PLACED),
    (
        "count-journal",
        "journal of 32 reservations",
        "JOURNAL",
        journal_bytes(32),
    ),
];

/// Where the images are, and what compiled them.
pub struct Bench {
    /// A folder for each profile.
    pub images: PathBuf,
    pub compiler: String,
}

impl Bench {
    fn profile(&self, level: usize) -> PathBuf {
        self.images.join(["release", "speed"][level])
    }

    fn meter(&self, level: usize) -> PathBuf {
        self.profile(level).join("meter")
    }

    /// Measures the cases of `golden` anew, and weighs the images.
    pub fn measure(&self, golden: &Golden) -> Result<Golden> {
        let mut operation = golden.operation.clone();
        for cost in &mut operation {
            (cost.instructions, cost.stack) = Default::default();
        }
        for level in 0..2 {
            let mut meter = Meter::start(&self.meter(level))?;
            let mut open = "";
            for cost in &mut operation {
                if open != cost.book {
                    meter.open(&cost.book)?;
                    open = &cost.book;
                }
                for case in &cost.case {
                    meter.build(&case.state)?;
                    let worst = meter.measure(&cost.name, Ranges::point(case.call))?;
                    cost.instructions.raise(level, worst.instructions);
                    cost.stack.raise(level, worst.stack);
                }
            }
            meter.stop()?;
        }
        Ok(Golden {
            compiler: self.compiler.clone(),
            flash: self.weigh()?,
            ram: self.ram()?,
            operation,
        })
    }

    fn weigh(&self) -> Result<Vec<Flash>> {
        let weigh = |step: &Step| {
            let mut bytes = Levels::default();
            for level in 0..2 {
                let folder = self.profile(level);
                bytes.raise(level, flash::weigh(&folder, step.name)?);
                for module in MODULES {
                    let found = flash::has_code_of(&folder.join(step.name), module)?;
                    let called = step.calls.contains(&module);
                    // What is small enough may have been inlined to the last function: at level 3 all of it, mouldable requests at any level.
                    let inlined = level == 1 || module == "mould";
                    ensure!(
                        found == called || (inlined && called),
                        "{}: whether it has code of {module} is {found}",
                        step.name
                    );
                }
            }
            Ok(Flash {
                step: step.name.to_owned(),
                bytes,
            })
        };
        STEPS.iter().map(weigh).collect()
    }

    /// The sizes of the books, and of what stands beside them.
    fn ram(&self) -> Result<Vec<Ram>> {
        let books = SUBJECTS.iter().map(|subject| {
            (
                subject.name,
                subject.symbol,
                (subject.formula)(subject.size),
            )
        });
        books
            .chain(BESIDE)
            .map(|(name, symbol, formula)| (BOOKS, name, symbol, formula))
            .chain(ELSEWHERE)
            .map(|(image, name, symbol, formula)| self.linked(image, name, symbol, formula as u64))
            .collect()
    }

    /// The size of a static as it is linked, which has to be that of the formula.
    fn linked(&self, image: &str, name: &str, symbol: &str, formula: u64) -> Result<Ram> {
        for level in 0..2 {
            let linked = flash::symbol_size(&self.profile(level).join(image), symbol)?;
            ensure!(
                linked == formula,
                "'{name}' is linked with {linked} bytes, and the formula says {formula}"
            );
        }
        Ok(Ram {
            book: name.to_owned(),
            bytes: formula,
        })
    }

    /// Looks for the worst cases of what `only` names, those of `golden` among them.
    pub fn search(&self, golden: &Golden, effort: Effort, only: &[String]) -> Result<Golden> {
        let [small, fast] = std::thread::scope(|scope| {
            let threads = [0, 1]
                .map(|level| scope.spawn(move || self.search_all(golden, effort, only, level)));
            threads.map(|thread| thread.join().expect("a search does not panic"))
        });
        let mut operation = Vec::new();
        for (subject, named, small, fast) in small?
            .into_iter()
            .zip(fast?)
            .map(|((subject, named, small), (_, _, fast))| (subject, named, small, fast))
        {
            let mut case: Vec<Case> = Vec::new();
            let found = [small.slowest, fast.slowest, small.deepest, fast.deepest];
            for found in found.into_iter().flatten().map(Case::from) {
                if !case.contains(&found) {
                    case.push(found);
                }
            }
            operation.push(Cost {
                book: subject.to_owned(),
                name: named,
                instructions: Levels::default(),
                stack: Levels::default(),
                case,
            });
        }
        Ok(golden.with(operation))
    }

    /// The worst of each operation that `only` names, on each book.
    fn search_all(
        &self,
        golden: &Golden,
        effort: Effort,
        only: &[String],
        level: usize,
    ) -> Result<Vec<(&'static str, String, WorstCase)>> {
        let mut all = Vec::new();
        for subject in &SUBJECTS {
            let wanted = |operation: &Operation| {
                let name = format!("{} {}", subject.name, operation.name);
                only.iter().any(|part| name.contains(part))
            };
            let operations: Vec<Operation> = operation::all().into_iter().filter(wanted).collect();
            if operations.is_empty() {
                continue;
            }
            let mut adversaries = golden.states(subject.name)?;
            adversaries.extend(adversary::all(subject.size));
            let costs = golden.operation.iter();
            let known: Vec<&Cost> = costs.filter(|cost| cost.book == subject.name).collect();
            let mut search =
                Search::open(&self.meter(level), subject.name, subject.size, effort.seed)?;
            let found = search.run(&operations, &adversaries, &known, effort, subject.fine)?;
            search.close()?;
            for (operation, found) in operations.into_iter().zip(found) {
                all.push((subject.name, operation.name, found));
            }
        }
        Ok(all)
    }

    /// Raises what was measured by a quick look for worse cases: a few requests on the listed adversaries of the small books.
    pub fn look_around(&self, measured: Golden) -> Result<Golden> {
        let mut seen = measured;
        let searches = operation::all().into_iter();
        let searches: Vec<Operation> = searches
            .filter(|operation| operation.takes == Takes::Request && !operation.akin)
            .collect();
        for subject in SUBJECTS.iter().filter(|subject| subject.size == SMALL) {
            let mut search = Search::open(&self.meter(0), subject.name, subject.size, 0)?;
            let adversaries = adversary::with_a_row_spare(subject.size);
            let found = search.try_grid(&searches, &adversaries, Grid::GLANCE)?;
            search.close()?;
            for (operation, found) in searches.iter().zip(found) {
                if let Some(cost) = seen.find(subject.name, &operation.name) {
                    cost.instructions.raise(0, found.instructions);
                    cost.stack.raise(0, found.stack);
                }
            }
        }
        Ok(seen)
    }
}
