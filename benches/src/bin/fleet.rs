//! Measures a meta-scheduler over many books: decisions in a second by how many books there are, on one thread and on two.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Instant,
};

use bookahead::Request;
use bookahead_benches::{
    Stopwatch,
    fleet::{self, Fleet, Part, Ready},
};
use bookahead_heap::Binding;
use clap::Parser;

/// Decisions that are taken by asking all books, too.
const COMPARED: usize = 2_000;

/// Measures a meta-scheduler over many books: decisions in a second, and how many books are searched for each.
///
/// A decision finds the best book for a request, reserves there, and cancels another reservation. The books are filled by such decisions first. On two
/// threads, each has
/// half of the books: either both look for the best place for one request, and the better one of them reserves, or each decides other requests by itself.
#[derive(Parser)]
struct Cli {
    /// Numbers of books.
    #[arg(long, value_delimiter = ',', default_values_t = [10, 100, 1_000], value_parser = even)]
    books: Vec<usize>,
    /// Reservations in each book.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    live: u32,
    /// Decisions that are measured.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    decisions: u32,
    /// When processing elements are assigned: late or early.
    #[arg(long, default_value = "late", value_parser = binding)]
    binding: Binding,
    /// Jobs are ready now, instead of at any time.
    #[arg(long)]
    now: bool,
    /// Decides what is asked for.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn binding(name: &str) -> Result<Binding, String> {
    Binding::from_name(name).ok_or_else(|| "expected late or early".into())
}

fn even(number: &str) -> Result<usize, String> {
    let number = number
        .parse()
        .ok()
        .filter(|number: &usize| number.is_multiple_of(2));
    number
        .filter(|number| *number > 0)
        .ok_or_else(|| "expected an even number from 2 on".into())
}

fn main() {
    let cli = Cli::parse();
    let ready = if cli.now { Ready::Now } else { Ready::Sometime };
    for books in cli.books {
        let fleet = Fleet {
            books,
            live: cli.live as usize,
            binding: cli.binding,
            ready,
            seed: cli.seed,
        };
        report(fleet, cli.decisions as usize);
    }
}

fn report(fleet: Fleet, decisions: usize) {
    let books = fleet.books;
    let start = Instant::now();
    let (scheduler, accepted) = fleet.filled();
    let filled = accepted.len() as f64 / start.elapsed().as_secs_f64();
    let [memory, summaries] = fleet.bytes();
    println!("{books} books: {memory} bytes, and {summaries} beside them");
    println!("{books} books: filled with {filled:.0} reservations a second");
    let requests: Vec<Request> = fleet.requests(fleet.seed + 1).take(decisions).collect();

    let few = decisions.min(COMPARED);
    let costs = fleet::measure(&Stopwatch::calibrated(), fleet, scheduler.clone(), few, 1);
    for (what, [summaries, all]) in [
        ("to find the best", costs.plan),
        ("to decide", costs.decision),
    ] {
        let [summaries, all] = [summaries, all].map(|mean| mean.median());
        println!("{books} books: {summaries:.0} ns {what}, {all:.0} ns by asking all");
    }

    let mut whole = Part::of(1, scheduler.clone(), &accepted);
    let before = whole[0].searches();
    let start = Instant::now();
    let mut accepted_of_all = 0;
    for request in &requests {
        accepted_of_all += usize::from(whole[0].propose(request).is_some());
        let _ = whole[0].decide();
    }
    say(books, "one thread", start, decisions);
    let searched = (whole[0].searches() - before) as f64 / decisions as f64;
    println!("{books} books: {searched:.1} searched, {accepted_of_all} of {decisions} accepted");
    drop(whole);

    // The same decisions on one thread, for comparison with those on two.
    let mut halves = Part::of(2, scheduler.clone(), &accepted);
    let alone: Vec<_> = requests
        .iter()
        .map(|request| {
            let starts = [0, 1].map(|half: usize| halves[half].propose(request));
            halves[winner(starts.map(said))?].decide()
        })
        .collect();
    drop(halves);
    let halves = Part::of(2, scheduler.clone(), &accepted);
    let start = Instant::now();
    let together = in_step(halves, &requests);
    say(
        books,
        "two threads, one request at a time",
        start,
        decisions,
    );
    assert_eq!(together, alone);

    let halves = Part::of(2, scheduler, &accepted);
    let start = Instant::now();
    thread::scope(|scope| {
        for (half, requests) in halves
            .into_iter()
            .zip(requests.chunks(decisions.div_ceil(2)))
        {
            scope.spawn(move || {
                let mut half = half;
                requests.iter().for_each(|request| {
                    let _ = half.propose(request);
                    let _ = half.decide();
                });
                // Not in the time of the measurement: it takes long to give the memory back.
                std::mem::forget(half);
            });
        }
    });
    say(books, "two threads, each by itself", start, decisions);
}

fn say(books: usize, how: &str, start: Instant, decisions: usize) {
    let seconds = start.elapsed().as_secs_f64();
    let rate = decisions as f64 / seconds;
    println!("{books} books: {rate:.0} decisions a second, {how}");
}

/// A start as a number that is not 0.
fn said(start: Option<bookahead::Slot>) -> u64 {
    start.map_or(u64::MAX, |start| start.get() + 1)
}

/// Which half has the better start; the first one if they are equal.
fn winner(said: [u64; 2]) -> Option<usize> {
    let better = usize::from(said[1] < said[0]);
    (said[better] != u64::MAX).then_some(better)
}

/// Decides each request on two threads, of which each has half of the books.
fn in_step(halves: Vec<Part>, requests: &[Request]) -> Vec<Option<(bookahead::Slot, usize)>> {
    let starts: Vec<[AtomicU64; 2]> = requests.iter().map(|_| Default::default()).collect();
    let starts = &starts;
    let decided = thread::scope(|scope| {
        let threads = halves.into_iter().enumerate().map(|(me, mut half)| {
            scope.spawn(move || {
                let decisions = requests.iter().zip(starts).map(|(request, starts)| {
                    starts[me].store(said(half.propose(request)), Ordering::Release);
                    let mut spins = 0_u32;
                    let other = loop {
                        match starts[1 - me].load(Ordering::Acquire) {
                            0 if spins < 1_000 => std::hint::spin_loop(),
                            // There may be fewer cores than threads.
                            0 => thread::yield_now(),
                            start => break start,
                        }
                        spins += 1;
                    };
                    let mine = starts[me].load(Ordering::Relaxed);
                    let both = if me == 0 {
                        [mine, other]
                    } else {
                        [other, mine]
                    };
                    let wins = winner(both) == Some(me);
                    if wins { half.decide() } else { None }
                });
                let decisions: Vec<_> = decisions.collect();
                std::mem::forget(half);
                decisions
            })
        });
        let threads: Vec<_> = threads.collect();
        let results = threads.into_iter().map(|thread| thread.join());
        results
            .map(|result| result.expect("it has not failed"))
            .collect::<Vec<_>>()
    });
    let both = decided[0].iter().zip(&decided[1]);
    both.map(|(one, other)| one.or(*other)).collect()
}
