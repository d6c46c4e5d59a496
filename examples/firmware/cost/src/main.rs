//! Finds out what the kernel costs on a microcontroller.

mod adversary;
mod flash;
mod meter;
mod state;

use std::path::PathBuf;
use anyhow::Result;
use adversary::{Size, listed};
use meter::{Meter, Ranges};

fn main() -> Result<()> {
    let images = PathBuf::from(std::env::args().nth(1).unwrap());
    for (opt, profile) in [("s", "release"), ("3", "speed")] {
        for step in ["count-first-fit", "both-seven", "everything"] {
            println!("flash opt {opt} {step}: {} B", flash::weigh(&images.join(profile), step)?);
        }
    }
    let size = Size { slots: 256, pes: 32, rows: 32 };
    for (opt, profile) in [("s", "release"), ("3", "speed")] {
    for book in ["late small", "early small"] {
        let mut meter = Meter::start(&images.join(profile).join("meter"))?;
        meter.open(book)?;
        let mut found = Vec::new();
        for head in [0, 100] {
            for a in listed(size, 1, head) {
                let live = meter.build(&a.state.to_string())?;
                let worst = meter.measure("reserve:first-fit", Ranges([(0, 0, 1), (1, 256, 5), (256, 256, 1), (1, 32, 3)]))?;
                found.push((worst, live, a));
            }
        }
        found.sort_by_key(|(w, _, _)| w.instructions);
        println!("reserve first fit opt {opt} {book}: {} states", found.len());
        for (w, live, a) in found.iter().rev().take(3) {
            println!("{} {:?} stack {} live {live} {} | {}", w.instructions, w.slowest, w.stack, a.name, a.state);
        }
        meter.stop()?;
    }
    }
    Ok(())
}
