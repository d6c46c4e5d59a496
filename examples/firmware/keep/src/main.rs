//! Keeps its reservations in flash, is reset at random instants, and counts what it has promised and lost.
//!
//! A life begins with what the flash says. It books, cancels, completes and advances, writes each change to the flash, and only then tells whoever asked. A timer, or a flash whose power
//! goes in the middle of a word, resets the processor. [`log`] and [`owners`] are what a product would take over; the flash and the [`witness`] are memory that a reset leaves
//! as it is.
#![no_std]
#![no_main]

mod flash;
mod log;
mod owners;
mod witness;

use core::{
    mem::MaybeUninit,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use bookahead::{
    Commitment, Event, Handle, Journal, PeBook, PeCount, PeView, Policy, Request, Slot, Span,
    raw::{blocks, columns},
};
use cortex_m::peripheral::{Peripherals, SCB, syst::SystClkSource};
use cortex_m_rt::{entry, exception};
use defmt_semihosting as _;
use fastrand::Rng;

use flash::{Cells, Flash, add};
use log::{Log, Message};
use owners::Owners;
use witness::Witness;

/// How many slots the ring covers, how many processing elements the machine has, and how many reservations there is room for.
const SLOTS: u32 = 256;
const PES: u16 = 32;
const ROWS: usize = 32;

type Memory = PeBook<u32, { blocks(SLOTS) }, { columns::<u32>(PES) }, ROWS>;

/// How often the processor is reset.
const RESETS: u32 = 1_000;
/// How many words a life writes at most, and how many ticks it lasts: some twenty decisions.
const WORDS: u32 = 1_500;
const TICKS: u32 = 4_000_000;

/// What a reset leaves as it is. Any bits will do.
struct Kept {
    /// [`ALIVE`] from the first life on.
    alive: AtomicU32,
    resets: AtomicU32,
    decisions: AtomicU32,
    lost: AtomicU32,
    cells: Cells,
    witness: Witness,
}

const ALIVE: u32 = 0x600D_B00C;

// SAFETY: the start-up code neither clears nor fills this section, and needs nothing else of it.
#[unsafe(link_section = ".uninit.KEPT")]
static KEPT: MaybeUninit<Kept> = MaybeUninit::uninit();

#[entry]
fn main() -> ! {
    static mut BOOK: Memory = Memory::zeroed();
    static mut JOURNAL: Journal<ROWS> = Journal::new();
    static mut OWNERS: Owners = Owners::new();
    static mut MESSAGE: Message = Message::new();

    // SAFETY: memory of a microcontroller has some bits, which are valid for the atomic numbers that it consists of.
    let kept: &'static Kept = unsafe { KEPT.assume_init_ref() };
    let book = BOOK.init(PeCount::new(PES.into()), Span::new(SLOTS));
    let mut book = book.expect("the sizes are right");
    if kept.alive.load(Relaxed) != ALIVE {
        kept.cells.clear();
        kept.witness.clear(&book, OWNERS);
        for count in [&kept.resets, &kept.decisions, &kept.lost] {
            count.store(0, Relaxed);
        }
        kept.alive.store(ALIVE, Relaxed);
    } else {
        add(&kept.resets, 1);
    }
    let life = kept.resets.load(Relaxed);
    let mut random = Rng::with_seed(life.into());
    // Every other life ends in the middle of a write, the others anywhere.
    match life {
        RESETS => kept.cells.power_on(u32::MAX),
        _ if random.bool() => kept.cells.power_on(random.u32(..WORDS)),
        _ => {
            kept.cells.power_on(u32::MAX);
            reset_after(random.u32(1..TICKS));
        }
    }

    let log = Log::open(Flash(&kept.cells), &mut book, OWNERS, MESSAGE);
    let mut log = log.expect("the log can be read");
    add(&kept.lost, kept.witness.lost(&book, OWNERS));
    if life == RESETS {
        conclude(kept, log.snapshots());
    }
    book.keep_journal(JOURNAL.parts()).expect("it is new");
    loop {
        decide(&mut book, OWNERS, &mut random);
        kept.witness.ask(&book, OWNERS);
        let changed = log.keep(&mut book, OWNERS).expect("the log can be written");
        kept.witness.tell();
        add(&kept.decisions, changed.into());
    }
}

/// Asks the book something. Whether it refuses makes no difference here.
fn decide(book: &mut PeView<'_, u32>, owners: &mut Owners, random: &mut Rng) {
    let now = book.now();
    let after = |slots: u32| Slot::new(now.get() + u64::from(slots));
    let any = random.usize(..ROWS);
    let any: Option<Handle> = book.iter().nth(any).map(|(handle, _)| handle);
    let _ = match (random.u32(..8), any) {
        (0, Some(handle)) => book.cancel(handle),
        (1, Some(handle)) => book.complete(handle, now),
        (2, Some(handle)) => book.confirm(handle),
        (3, _) => {
            let to = after(random.u32(1..8));
            let mut events = heapless::Vec::<Event, ROWS>::new();
            book.advance(to, &mut events).map(drop)
        }
        _ => {
            let (ready, duration) = (random.u32(..100), random.u32(1..30));
            let request = Request {
                ready: after(ready),
                duration: Span::new(duration),
                deadline: after(ready + duration + random.u32(..100)),
                pes: PeCount::new(random.u32(1..=PES.into())),
            };
            let commitment = match random.u32(..4) {
                0 => Commitment::Held { ttl: Span::new(5) },
                _ => Commitment::Confirmed,
            };
            let booked = book.reserve(&request, Policy::FirstFit, commitment);
            booked.map(|booking| owners.set(book, booking.handle, random.u32(..)))
        }
    };
}

/// Says what happened, and ends QEMU.
fn conclude(kept: &Kept, snapshots: u32) -> ! {
    let [resets, decisions, lost, torn, words, pages] = [
        &kept.resets,
        &kept.decisions,
        &kept.lost,
        &kept.cells.torn,
        &kept.cells.written,
        &kept.cells.erased,
    ]
    .map(|count| count.load(Relaxed));
    defmt::println!(
        "lost={=u32} resets={=u32} torn={=u32} decisions={=u32} words_per_decision={=u32} bytes_per_decision={=u32} snapshots={=u32} pages_erased={=u32}",
        lost,
        resets,
        torn,
        decisions,
        words / decisions,
        words * 4 / decisions,
        snapshots,
        pages
    );
    // A run without them would show little.
    let tried = torn > resets / 10 && snapshots > resets / 10;
    semihosting::process::exit(i32::from(lost > 0 || !tried))
}

/// Lets the timer reset the processor.
fn reset_after(ticks: u32) {
    if let Some(mut core) = Peripherals::take() {
        core.SYST.set_clock_source(SystClkSource::Core);
        core.SYST.set_reload(ticks);
        core.SYST.clear_current();
        core.SYST.enable_interrupt();
        core.SYST.enable_counter();
    }
}

#[exception]
fn SysTick() {
    SCB::sys_reset();
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    defmt::println!("{}", defmt::Display2Format(info));
    semihosting::process::exit(101)
}
