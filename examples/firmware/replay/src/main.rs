//! Replays the golden histories on books in `static`s, time being driven by a timer interrupt.
//!
//! Whatever differs between boards is in [`board`]. A reply that is not the expected one ends the program with an error, and is logged with
//! its line. Only the text of commands and replies needs an allocator; what the books need is in the `static`s.
#![no_std]
#![no_main]

extern crate alloc;

mod board;
mod heap;
mod player;
mod tick;

use bookahead::{
    CountBook, Discipline, JobQueue, OverlayBook, PeBook, PeCount, Slot, Span,
    raw::{blocks, columns},
};
use bookahead_commands::Kernel;
use bookahead_stream::{COUNT, OVERLAY, PE, Ticks};
use defmt_semihosting as _;
use player::{Ended, Player};
use static_cell::StaticCell;

/// How many slots the rings cover, how many processing elements the machine has, and how many reservations there is room for.
const SLOTS: u32 = 256;
const PES: u16 = 32;
const ROWS: usize = 32;

/// The books.
type Late = CountBook<{ blocks(SLOTS) }, { PES as usize }, ROWS>;
type Early = PeBook<u32, { blocks(SLOTS) }, { columns::<u32>(PES) }, ROWS>;
type Overlaid = OverlayBook<1, 16, 24>;
/// Beside each, the queue of jobs that wait.
type Waiting = JobQueue<8>;

/// All the memory that the books and their queues will ever use.
static LATE: StaticCell<Kernel<Late, Waiting>> = StaticCell::new();
static EARLY: StaticCell<Kernel<Early, Waiting>> = StaticCell::new();
static OVERLAID: StaticCell<Kernel<Overlaid, Waiting>> = StaticCell::new();

// A book takes the bytes on a device that docs/embedding.md and a host give for it.
const _: () = assert!(Late::BYTES == 4_112 && Early::BYTES == 6_296);

/// What a board does once its timer interrupts.
fn run() -> ! {
    heap::init();
    semihosting::process::exit(match replay() {
        Ok(true) => 0,
        Ok(false) => {
            defmt::println!("the clock has lost ticks, or made some up");
            1
        }
        Err(ended) => {
            defmt::println!("{}", defmt::Display2Format(&ended));
            1
        }
    })
}

/// Replays all histories side by side. Returns whether time was what the interrupts made it, which the replies do not show.
fn replay() -> Result<bool, Ended> {
    let mut players = open()?;
    let mut ticks = Ticks::starting_at(tick::FIRST);
    loop {
        let reading = tick::reading();
        let now = Slot::new(ticks.total(reading));
        let mut waits = false;
        for player in &mut players {
            // However many ticks a decision takes, each history names every slot, so decisions do not depend on it.
            waits |= player.pass(now)?;
        }
        if !waits {
            for player in &players {
                let (name, agreed) = (player.name, player.agreed);
                defmt::println!("{=str}: {=u32} replies are as expected", name, agreed);
            }
            return Ok(tick::agrees(now.get(), reading));
        }
        // A tick just before this line is seen together with the next one.
        board::sleep();
    }
}

fn open() -> Result<[Player; 3], Ended> {
    let (pes, slots) = (PeCount::new(PES.into()), Span::new(SLOTS));
    let queue = || Waiting::new(Discipline::Fcfs);
    let late = LATE.init(Kernel::new(Late::new(pes, slots)?, queue()));
    let early = EARLY.init(Kernel::new(Early::new(pes, slots)?, queue()));
    let overlaid = Overlaid::new(PeCount::new(16), Span::new(64))?;
    let overlaid = OVERLAID.init(Kernel::new(overlaid, queue()));
    Ok([
        Player::new("count", COUNT, late)?,
        Player::new("pe", PE, early)?,
        Player::new("overlay", OVERLAY, overlaid)?,
    ])
}

/// Not a word in the log: the logger may be what panicked.
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    semihosting::process::exit(101)
}
