//! Makes the calls of the golden stream and logs what the books answer, time being driven by a timer interrupt.
//!
//! Whatever differs between boards is in [`board`]. On a host the decoded log is `answers.txt` and then `overlays.txt` of `examples/stream`, byte for byte.
#![no_std]
#![no_main]

mod board;
mod tick;

use bookahead::{PeCount, Slot, Span};
use bookahead_stream::{
    CALLS, Early, Fault, HEADERS, Late, Line, NO_NOTES, Notes, OVERLAID, OVERLAY_HEADERS, Overlaid,
    PES, Replay, SLOTS, Ticks, overlays,
};
use defmt_semihosting as _;
use static_cell::ConstStaticCell;

/// All the memory that the books and their queues will ever use, and what `main` remembers of their answers.
static LATE_BOOK: ConstStaticCell<Late> = ConstStaticCell::new(Late::zeroed());
static EARLY_BOOK: ConstStaticCell<Early> = ConstStaticCell::new(Early::zeroed());
static OVERLAID_BOOK: ConstStaticCell<Overlaid> = ConstStaticCell::new(Overlaid::zeroed());
static NOTES: ConstStaticCell<[Notes; 2]> = ConstStaticCell::new([NO_NOTES; 2]);

// A book takes the bytes on a device that docs/embedding.md and a host give for it.
const _: () = assert!(Late::BYTES == 4_112 && Early::BYTES == 6_296);

/// What a board does once its timer interrupts.
fn run() -> ! {
    semihosting::process::exit(match replay() {
        Ok(true) => 0,
        Ok(false) => {
            defmt::println!("the clock has lost ticks, or made some up");
            1
        }
        Err(fault) => {
            defmt::println!("{}", defmt::Display2Format(&fault));
            1
        }
    })
}

/// Plays the whole stream. Returns whether time was what the interrupts made it, which the answers do not show.
fn replay() -> Result<bool, Fault> {
    let late = LATE_BOOK.take().init(PeCount::new(PES), Span::new(SLOTS));
    let early = EARLY_BOOK.take().init(PeCount::new(PES), Span::new(SLOTS));
    let (Ok(late), Ok(early)) = (late, early) else {
        unreachable!("the types are made for these sizes");
    };
    let mut replay = Replay::new(CALLS, late, early, NOTES.take());
    let mut ticks = Ticks::starting_at(tick::FIRST);
    for header in HEADERS {
        defmt::println!("{=str}", header);
    }
    loop {
        let reading = tick::reading();
        let now = Slot::new(ticks.total(reading));
        // However many ticks a decision takes, no slot is passed over, so decisions do not depend on it.
        while replay.next_slot() <= now {
            if !replay.pass_slot(log)? {
                let agrees = tick::agrees(now.get(), reading);
                replay_overlays();
                return Ok(agrees);
            }
        }
        // A tick just before this line is seen together with the next one.
        board::sleep();
    }
}

/// Makes the calls on a book with overlays; time does not matter to them.
fn replay_overlays() {
    let book = OVERLAID_BOOK.take();
    let Ok(new) = OVERLAID else {
        unreachable!("the type is made for this size");
    };
    *book = new;
    for header in OVERLAY_HEADERS {
        defmt::println!("{=str}", header);
    }
    overlays(book.view(), |told| {
        defmt::println!("{}", defmt::Display2Format(told));
    });
}

fn log(line: &Line) {
    match line {
        Line::Answer(answer) => defmt::println!(
            "{=str} {=u64} {=str} {=u16} {=u16} {=u64} {=u32:#010x}",
            answer.binding,
            answer.slot.get(),
            answer.what,
            answer.job,
            answer.code,
            answer.start.get(),
            answer.pes
        ),
        Line::Offer(offered) => {
            let offer = &offered.offer;
            defmt::println!(
                "{=str} {=u64} offer {=u16} {=u64} {=u64} {=u64} {=u64} {=u16} {=u64} {=u8} {=u64}",
                offered.binding,
                offered.slot.get(),
                offered.job,
                offer.window.start.get(),
                offer.window.end.get(),
                offer.seed.start.get(),
                offer.seed.end.get(),
                offer.pes.get(),
                offer.price.get(),
                u8::from(offer.solution),
                offer.expires.get()
            );
        }
        // These have lists of any length, so the device formats them.
        Line::Note(noted) => defmt::println!("{}", defmt::Display2Format(noted)),
    }
}

/// Not a word in the log: the logger may be what panicked.
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    semihosting::process::exit(101)
}
