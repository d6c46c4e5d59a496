//! Crashes stores on a simulated disk, damages them, and kills processes: what was lost, and what was there that never happened.
//!
//! `cargo run --release -p bookahead-store --example store-crash -- --points 1000 --seed 1`

use std::process::{Command, ExitCode};

use clap::Parser;

// The tests run the same, for a shorter time.
#[path = "../tests/store/campaign/mod.rs"]
mod campaign;

/// Have stores crash, and print a line for each kind of fault; exit status 1 if anything was lost, or there without having happened, or damaged without a word
#[derive(Parser)]
struct Arguments {
    /// How often each kind of fault happens
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    points: u64,
    /// Of the numbers that look random
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How often a process is killed, which takes some 80 ms each
    #[arg(long, value_name = "N", default_value_t = 20)]
    kills: u64,
}

fn main() -> ExitCode {
    // In a process that is to be killed this does not return.
    campaign::kills::child();
    let arguments = Arguments::parse();
    let this = || Command::new(std::env::current_exe().expect("this program is a file"));
    let mut tallies = campaign::run(arguments.points, arguments.seed);
    tallies.push(campaign::kills::run(arguments.kills, this));
    for tally in &tallies {
        println!("{tally}");
    }
    match tallies.iter().all(campaign::Tally::is_clean) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
