//! What it costs that processing elements leave, beside a first fit in the same book.

use std::hint::black_box;

use bookahead::{
    Absent, Broken, ClassId, Handle, Outage, Policy, Request, Slot, Span, Window, heapless,
};
use bookahead_heap::{BoxedWorkspace, HostColumn};

use crate::placed::{MACHINE, Nodes, search};
use crate::{Mean, Stopwatch};

/// How many processing elements leave: one GPU, those of two nodes, and all. GPUs have the highest numbers.
pub const SIZES: [u16; 3] = [1, 16, 1_024];
/// For so many slots.
const LENGTH: u32 = 200;
/// Outages of each size, evenly spread over the first half of the horizon.
const WINDOWS: u64 = 32;
/// As much as is needed.
const WORK: u64 = u64::MAX;
const ENTRIES: usize = 4_096;

/// What outages of one size cost.
pub struct Cost {
    /// How many processing elements leave.
    pub pes: u16,
    /// Nanoseconds of an outage that is looked at and put back.
    pub outage: Mean,
    /// How many reservations it moves, on average, and how many promises it breaks.
    pub moved: f64,
    /// See [`Self::moved`].
    pub broken: f64,
}

/// Measures outages in a book, and the first fit of these requests: its mean in nanoseconds, and outages of each size.
///
/// # Panics
///
/// When an outage is refused.
#[must_use]
pub fn measure(
    watch: &Stopwatch,
    mut book: Nodes<'_>,
    requests: &[(ClassId, Request)],
    rounds: usize,
) -> (Mean, [Cost; 3]) {
    let mut first_fit = Mean::over(requests.len());
    let columns = MACHINE.columns::<HostColumn>();
    let mut workspace = BoxedWorkspace::<HostColumn>::with_columns(columns, ENTRIES, 0)
        .expect("a host has the memory");
    let mut costs = SIZES.map(|pes| Cost {
        pes,
        outage: Mean::over(1),
        moved: 0.0,
        broken: 0.0,
    });
    let now = book.now().get();
    let step = u64::from(book.horizon().get()) / 2 / WINDOWS;
    for _ in 0..rounds {
        first_fit.add(
            0,
            watch.time(requests, |asked| search(&mut book, asked, Policy::FirstFit)),
        );
        for cost in &mut costs {
            let set = leaving(cost.pes);
            let (mut moved, mut broken) = (0, 0);
            for turn in 0..WINDOWS {
                let start = Slot::new(now + turn * step);
                let end = start.saturating_add(Span::new(LENGTH));
                let outage = Outage::Maintenance {
                    window: Window { start, end },
                };
                let mut left = heapless::Vec::<Broken, 4_096>::new();
                let sum = watch.time(&[outage], |outage| {
                    let mut parts = heapless::Vec::<Handle, 4>::new();
                    let mut transaction = book.transaction(workspace.view(), WORK);
                    let taken = transaction.take_out(
                        *outage,
                        Absent::These(black_box(&set)),
                        &mut parts,
                        &mut left,
                    );
                    taken.expect("there are rows and entries for it");
                    moved += transaction.moves().count() - parts.len();
                });
                broken += left.len();
                cost.outage.add(turn as usize, sum);
            }
            cost.moved = moved as f64 / WINDOWS as f64;
            cost.broken = broken as f64 / WINDOWS as f64;
        }
    }
    (first_fit, costs)
}

/// The last so many.
fn leaving(pes: u16) -> Vec<u32> {
    let all = usize::from(MACHINE.pes());
    let mut set = vec![0_u32; all.div_ceil(32)];
    for number in all - usize::from(pes)..all {
        set[number / 32] |= 1 << (number % 32);
    }
    set
}
