//! The workload on which everything is measured.

use bookahead::{Book, Booking, Error, PeCount, Request, Slot, Span, raw::Ring};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// PEs of the machine.
pub const MACHINE: u16 = 1024;

/// The longest run, in slots.
const LONGEST: u32 = 200;
/// The widest window, in durations.
const FLEXIBILITY: f64 = 5.0;
/// The share of the machine that the live reservations fill.
const FILL: f64 = 0.6;

/// How large a workload is.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// PEs of the machine.
    pub machine: u16,
    /// The widest request takes one of so many parts of the machine.
    pub parts: u16,
    /// The longest run, in slots.
    pub longest: u32,
    /// How many reservations live at once.
    pub live: usize,
}

impl Scale {
    /// `live` reservations on the usual machine, with the usual durations.
    #[must_use]
    pub const fn of(live: usize) -> Self {
        Self {
            machine: MACHINE,
            parts: 4,
            longest: LONGEST,
            live,
        }
    }

    fn widest(self) -> u32 {
        u32::from(self.machine / self.parts)
    }
}

/// Requests whose durations and sizes are log-uniform and whose ready times are uniform over a stretch that `live` of them fill to 60 %.
///
/// ```
/// let mut first = bookahead_benches::Workload::new(100, 1);
/// let mut second = bookahead_benches::Workload::new(100, 1);
/// assert_eq!(first.request(), second.request());
/// ```
#[derive(Clone, Debug)]
pub struct Workload {
    rng: ChaCha8Rng,
    scale: Scale,
    ready_slots: u64,
}

impl Workload {
    /// The workload for `live` live reservations.
    #[must_use]
    pub fn new(live: usize, seed: u64) -> Self {
        Self::scaled(Scale::of(live), seed)
    }

    /// The workload of another scale.
    #[must_use]
    pub fn scaled(scale: Scale, seed: u64) -> Self {
        let each = mean_log_uniform(scale.longest) * mean_log_uniform(scale.widest());
        let work = scale.live as f64 * each;
        let ready_slots = (work / (FILL * f64::from(scale.machine))).ceil() as u64;
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            scale,
            ready_slots,
        }
    }

    /// How many reservations are to live at once.
    #[must_use]
    pub fn live(&self) -> usize {
        self.scale.live
    }

    /// Slots that a ring needs so that no deadline lies behind its horizon.
    #[must_use]
    pub fn slots(&self) -> u32 {
        self.ready_slots as u32 + self.scale.longest * (1 + FLEXIBILITY as u32)
    }

    /// The next request.
    pub fn request(&mut self) -> Request {
        let duration = log_uniform(&mut self.rng, self.scale.longest);
        let pes = log_uniform(&mut self.rng, self.scale.widest()) as u16;
        let ready = Slot::new(self.rng.random_range(0..self.ready_slots));
        let factor = 1.0 + self.rng.random_range(0.0..=FLEXIBILITY);
        let window = Span::new((factor * f64::from(duration)) as u32);
        Request {
            ready,
            duration: Span::new(duration),
            deadline: ready.saturating_add(window),
            pes: PeCount::new(pes.into()),
        }
    }

    /// Reserves in a book up to as many as are to live, and then as many again, each for one that is cancelled. `reserve` gets each request and how many came
    /// before it.
    ///
    /// # Panics
    ///
    /// When what was reserved cannot be cancelled.
    pub fn fill<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        reserve: impl Fn(&mut Book<'_, R>, Request, usize) -> Result<Booking, Error>,
    ) {
        let live = self.live();
        let mut alive = Vec::with_capacity(live + 1);
        let mut made = 0;
        let mut number = 0;
        while made < 2 * live {
            let request = self.request();
            let reserved = reserve(book, request, number);
            number += 1;
            let Ok(booking) = reserved else {
                continue;
            };
            made += 1;
            alive.push(booking.handle);
            if alive.len() > live {
                let cancelled = alive.swap_remove(self.below(alive.len()));
                book.cancel(cancelled).expect("it lives");
            }
        }
    }

    /// A number below `bound`, for choosing whom to cancel.
    pub fn below(&mut self, bound: usize) -> usize {
        self.rng.random_range(0..bound)
    }
}

/// An integer of 1..=`most`, n with the weight ln(n + 1) - ln(n).
pub(crate) fn log_uniform(rng: &mut ChaCha8Rng, most: u32) -> u32 {
    let exponent: f64 = rng.random_range(0.0..f64::from(most + 1).ln());
    (exponent.exp() as u32).clamp(1, most)
}

/// A number of 0..1.
pub(crate) fn unit(rng: &mut ChaCha8Rng) -> f64 {
    rng.random_range(0.0..1.0)
}

/// The mean of what [`log_uniform`] draws.
fn mean_log_uniform(most: u32) -> f64 {
    let weight = |n: u32| (f64::from(n + 1) / f64::from(n)).ln();
    let sum: f64 = (1..=most).map(|n| f64::from(n) * weight(n)).sum();
    sum / f64::from(most + 1).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_those_of_the_draws() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let draws = 200_000;
        let sum: u64 = (0..draws)
            .map(|_| u64::from(log_uniform(&mut rng, LONGEST)))
            .sum();
        let mean = sum as f64 / f64::from(draws);
        assert!(
            (mean / mean_log_uniform(LONGEST) - 1.0).abs() < 0.01,
            "{mean}"
        );
    }

    #[test]
    fn requests_stay_in_the_ring() {
        let mut workload = Workload::new(100, 5);
        for _ in 0..10_000 {
            let request = workload.request();
            assert!(request.latest_start().is_some());
            assert!(request.deadline.get() <= u64::from(workload.slots()));
            assert!((1..=256).contains(&request.pes.get()));
        }
    }
}
