//! Looks for the states and requests on which the searches take longest.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

use bookahead_benches::{
    Stopwatch,
    worst::{
        Bed, Find, Hunt, Sought, Structure, families, finds,
        growth::{self, Effort, Growth, Larger},
    },
};
use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// Looks for the states and requests on which the searches of the kernel take longest.
///
/// Random changes are made to states, and the slower ones are kept. The seed decides what is tried. Times decide what is kept, so two runs with one seed
/// need not find the same. A time counts beside one pass over all slots, measured in turns with it, and a new worst case is timed twice.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    hunting: Hunting,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Goes once through staircases, saws, pyramids, combs and gaps, and prints the slowest of these.
    Families,
    /// Looks for the worst cases at one, two, four and eight times a size, and prints how their times grow beside what the documentation says.
    Growth(Growing),
}

#[derive(clap::Args)]
struct Growing {
    /// States to start from, which are brought to each size; by default those that are kept with these benches.
    #[arg(long, value_name = "FILE")]
    finds: Option<PathBuf>,
    /// Only this search, or these.
    #[arg(long = "policy", value_name = "SEARCH", value_parser = sought)]
    policies: Vec<Sought>,
    /// Only this structure: count or pe.
    #[arg(long, value_parser = structure)]
    structure: Option<Structure>,
    /// Slots of the smallest ring; by default 8,192 of counts and 2,048 of sets.
    #[arg(long, value_parser = clap::value_parser!(u32).range(64..=1 << 17))]
    slots: Option<u32>,
    /// How many states are tried at each size for each search, after those that are known.
    #[arg(long, default_value_t = 100)]
    steps: u32,
    /// Decides which states are tried.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also prints the slowest states of the greatest size.
    #[arg(long)]
    states: bool,
}

#[derive(clap::Args)]
struct Hunting {
    /// How long to look, in minutes.
    #[arg(long, default_value_t = 2.0, value_parser = minutes)]
    minutes: f64,
    /// Only this search, or these: a policy, `offers`, or `offers-without-pes`.
    #[arg(long = "policy", value_name = "SEARCH", value_parser = sought)]
    policies: Vec<Sought>,
    /// Only this structure: count or pe.
    #[arg(long, value_parser = structure)]
    structure: Option<Structure>,
    /// Slots of the ring; by default those of the worst cases in `ratios`.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    slots: Option<u32>,
    /// Processing elements of the machine; by default those of the worst cases in `ratios`.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pes: Option<u16>,
    /// Decides which states are tried.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Starts from the states of this file, and writes the slowest back, one line for each search, as they are found.
    #[arg(long, value_name = "FILE")]
    finds: Option<PathBuf>,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(minutes) if minutes > 0.0 && minutes < 1e6 => Ok(minutes),
        _ => Err("expected a number of minutes above 0".to_owned()),
    }
}

fn sought(text: &str) -> Result<Sought, String> {
    let names: Vec<_> = Sought::all().into_iter().map(Sought::name).collect();
    Sought::from_name(text).ok_or_else(|| format!("expected one of {}", names.join(", ")))
}

fn structure(text: &str) -> Result<Structure, String> {
    let named = Structure::ALL.into_iter().find(|one| one.name() == text);
    named.ok_or_else(|| "expected count or pe".to_owned())
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Some(Command::Families) => {
            families();
            Ok(())
        }
        Some(Command::Growth(options)) => grow(&options),
        None => hunt(&cli.hunting),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// The slowest of the fixed states.
fn families() {
    let watch = Stopwatch::calibrated();
    for (structure, found) in [
        ("count", families::counts(&watch)),
        ("pe", families::sets(&watch)),
    ] {
        for worst in found {
            let name = worst.name;
            println!(
                "{structure}_worst_{name}_over_floor_ratio {:.3}  {:.0} ns: {}",
                worst.over_floor, worst.ns, worst.on
            );
        }
    }
}

/// How the worst cases grow.
fn grow(options: &Growing) -> Result<(), String> {
    let found = match &options.finds {
        Some(path) => finds::read(path)?,
        None => finds::kept(),
    };
    let all = Sought::all().into_iter();
    let searches: Vec<Sought> = all
        .filter(|sought| asked(&options.policies, *sought))
        .collect();
    let structures = Structure::ALL.into_iter();
    let structures: Vec<Structure> = structures
        .filter(|one| options.structure.is_none_or(|only| only == *one))
        .collect();
    let effort = Effort {
        finds: &found,
        steps: options.steps,
        seed: options.seed,
    };
    let kinds = structures.iter().flat_map(|one| Larger::all(*one));
    let bar = bar((kinds.count() * searches.len()) as u64);
    for structure in structures {
        let (slots, pes) = match structure {
            Structure::Count => (8_192, 65_535),
            Structure::Pe => (2_048, 1_024),
        };
        let size = (options.slots.unwrap_or(slots), pes);
        for larger in Larger::all(structure) {
            bar.suspend(|| print_head(structure, *larger, size));
            for sought in &searches {
                let grown = growth::measure(structure, *sought, *larger, size, &effort);
                bar.inc(1);
                bar.suspend(|| print_growth(structure, &grown, options.states));
            }
        }
    }
    bar.finish_and_clear();
    Ok(())
}

fn print_head(structure: Structure, larger: Larger, (slots, pes): (u32, u16)) {
    let times = |factor: &u32| format!("{:>12}", format!("us at {factor}x"));
    let times: String = larger.factors().iter().map(times).collect();
    let (name, larger) = (structure.name(), larger.name());
    println!("{name}, from {slots} slots and {pes} PEs on, larger {larger}");
    println!("{:22}{times}  exponent  documented", "search");
}

fn print_growth(structure: Structure, growth: &Growth, states: bool) {
    let times = growth.worst.iter().map(|find| find.ns / 1e3);
    let times: String = times.map(|us| format!("{us:>12.1}")).collect();
    println!(
        "{:22}{times}  {:>8.2}  {}",
        growth.sought.name(),
        growth.exponent,
        growth::documented(structure, growth.sought),
    );
    if states && let Some(last) = growth.worst.last() {
        println!("    {}", last.state);
    }
}

/// A hunt, and how long it has been going on.
struct Turn {
    hunt: Hunt,
    spent: Duration,
}

/// The hunts on one structure.
struct Ground {
    bed: Bed,
    turns: Vec<Turn>,
}

fn hunt(options: &Hunting) -> Result<(), String> {
    let mut found = match &options.finds {
        Some(path) => finds::read(path)?,
        None => Vec::new(),
    };
    let mut grounds = grounds(options)?;
    let bar = bar((60.0 * options.minutes) as u64);
    let begin = Instant::now();
    let all = Duration::from_secs_f64(60.0 * options.minutes);
    for Ground { bed, turns } in &mut grounds {
        for Turn { hunt, spent } in turns {
            let since = Instant::now();
            if let Some(find) = found.iter().find(|find| hunt.seeks(find)) {
                hunt.start_from(&find.state, bed);
            }
            *spent += since.elapsed();
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let mut written = begin;
    let mut news = true;
    // Each hunt tries something, however short the time.
    while begin.elapsed() < all || hunts(&grounds).any(|hunt| hunt.best().is_none()) {
        news |= step(&mut grounds, &mut rng);
        bar.set_position(begin.elapsed().min(all).as_secs());
        if news && written.elapsed() > BETWEEN_WRITES {
            bar.set_message(format!("{} states tried", tried(&grounds)));
            write(options.finds.as_deref(), &grounds, &mut found)?;
            (news, written) = (false, Instant::now());
        }
    }
    bar.finish_and_clear();
    for Ground { turns, .. } in &mut grounds {
        turns.iter_mut().for_each(|turn| turn.hunt.tidy());
    }
    write(options.finds.as_deref(), &grounds, &mut found)?;
    print_table(&grounds);
    Ok(())
}

/// How often the finds are written at most.
const BETWEEN_WRITES: Duration = Duration::from_secs(5);
/// The most processing elements of sets: above, the tables of the layers become large.
const WIDEST: u16 = 16_384;

/// Whether a search is among those asked for, which are all if none is named.
fn asked(named: &[Sought], sought: Sought) -> bool {
    named.is_empty() || named.contains(&sought)
}

/// Memory for the structures that are asked for, and their hunts. The random numbers of a hunt do not depend on what other hunts there are.
fn grounds(options: &Hunting) -> Result<Vec<Ground>, String> {
    let wanted = |structure: &Structure| options.structure.is_none_or(|only| only == *structure);
    let ground = |structure: Structure| {
        let (slots, pes) = structure.usual_size();
        let size = (options.slots.unwrap_or(slots), options.pes.unwrap_or(pes));
        if structure == Structure::Pe && size.1 > WIDEST {
            return Err(format!(
                "--pes {}: sets are looked at up to {WIDEST}",
                size.1
            ));
        }
        let bed = Bed::new(structure, size.0, size.1).map_err(|error| error.to_string())?;
        let turn = |(stream, sought): (u64, _)| {
            let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
            rng.set_stream(1 + stream);
            Turn {
                hunt: Hunt::new(structure, sought, size, rng),
                spent: Duration::ZERO,
            }
        };
        let all = (0..).zip(Sought::all());
        let asked = all.filter(|(_, sought)| asked(&options.policies, *sought));
        Ok(Ground {
            bed,
            turns: asked.map(turn).collect(),
        })
    };
    Structure::ALL
        .into_iter()
        .filter(wanted)
        .map(ground)
        .collect()
}

/// Lets the hunt try a state that has had the least time so far; returns whether that is the slowest state of its search.
fn step(grounds: &mut [Ground], rng: &mut ChaCha8Rng) -> bool {
    let spent = |ground: &Ground| ground.turns.iter().map(|turn| turn.spent).min();
    let Some(Ground { bed, turns }) = grounds.iter_mut().min_by_key(|ground| spent(ground)) else {
        return false;
    };
    let lent = turns.choose(rng).and_then(|turn| turn.hunt.best());
    let lent = lent.map(|find| find.state.clone());
    let Some(Turn { hunt, spent }) = turns.iter_mut().min_by_key(|turn| turn.spent) else {
        return false;
    };
    let since = Instant::now();
    let news = hunt.step(lent.as_ref(), bed);
    *spent += since.elapsed();
    news
}

fn hunts(grounds: &[Ground]) -> impl Iterator<Item = &Hunt> {
    grounds
        .iter()
        .flat_map(|ground| &ground.turns)
        .map(|turn| &turn.hunt)
}

fn tried(grounds: &[Ground]) -> u64 {
    hunts(grounds).map(Hunt::tried).sum()
}

fn write(path: Option<&Path>, grounds: &[Ground], found: &mut Vec<Find>) -> Result<(), String> {
    let Some(path) = path else { return Ok(()) };
    for find in hunts(grounds).filter_map(Hunt::best) {
        finds::replace(found, find);
    }
    finds::write(path, found)
}

fn print_table(grounds: &[Ground]) {
    println!(
        "{:9}  {:22}  {:>10}  {:>12}  {:>7}  state",
        "structure", "search", "over floor", "ns", "tried"
    );
    for hunt in hunts(grounds) {
        let Some(best) = hunt.best() else { continue };
        println!(
            "{:9}  {:22}  {:>10.2}  {:>12.0}  {:>7}  {}",
            best.structure.name(),
            best.search.name(),
            best.over_floor,
            best.ns,
            hunt.tried(),
            best.state
        );
    }
}

/// A bar of so many steps; it is drawn on a terminal only.
fn bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    let style = ProgressStyle::with_template("{msg:28} {wide_bar} {percent:>3} % {eta:>4} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
