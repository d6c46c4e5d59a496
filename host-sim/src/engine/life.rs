//! What is known of a reservation while it lives in the book.

use bookahead::{Money, PeCount, Slot, SlotClock, Span, Window};

use super::{
    defect::internal,
    outcome::{Breach, Changed, Ended, GivenBack, Late, Overlaid, Placed, Stretch},
    strategy::OnLate,
};
use crate::{
    error::Result,
    request::{BestEffortRequest, JobRequest},
};

/// Who it belongs to.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub(super) enum Owner {
    /// The demand of this number.
    Demand(usize),
    /// The second part that the operation of this number made.
    Part(usize),
}

/// What is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Booked {
    pub(super) window: Window,
    pub(super) pes: PeCount,
}

/// A reservation from its acceptance on, or a best-effort job from its start on.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Life {
    pub(super) owner: Owner,
    /// What was booked when it was accepted.
    promised: Booked,
    price: Money,
    /// What is booked now.
    pub(super) booked: Booked,
    /// Its earliest start (s).
    pub(super) ready: u64,
    /// How long it may run (s).
    pub(super) duration: u64,
    /// How long it really runs (s).
    pub(super) run: u64,
    pub(super) began: Option<Slot>,
    /// When it is over, if that is before the end of its booking; that end, if it takes longer.
    pub(super) early_end: Option<Slot>,
    /// Processing elements it runs on, in increasing order.
    pub(super) pes: PeRanges,
    /// Whether an operation was done to it, or a strategy moved it.
    pub(super) touched: bool,
    /// Whether it is one of several copies.
    pub(super) copied: bool,
    /// What was promised to it, if it is on top of others.
    pub(super) overlay: Option<Overlaid>,
    /// From when to when it may run (s), if that is not what was asked for.
    pub(super) agreed: Option<[u64; 2]>,
    /// When it was promised, if it had to wait for that.
    pub(super) late: Option<Late>,
    /// The start for which it was first planned, of a job of a queue that plans.
    pub(super) planned: Option<Slot>,
    /// Whether it is a job of the queue that may be ended for a reservation.
    pub(super) is_preemptible: bool,
    /// When its start became fixed, if that was before it came.
    pub(super) fixed_at: Option<Slot>,
    /// What was booked of it until it was narrowed while it ran.
    pieces: Vec<(Window, PeCount)>,
    /// Since when it has been booked on as many processing elements as now.
    piece_start: Slot,
    given_back: Vec<GivenBack>,
}

impl Life {
    /// Of a job that is granted `duration` seconds and runs for `run` of them.
    fn new(owner: Owner, booked: Booked, [ready, duration, run]: [u64; 3]) -> Self {
        Self {
            owner,
            promised: booked,
            price: Money::ZERO,
            booked,
            ready,
            duration,
            run,
            began: None,
            early_end: None,
            pes: Vec::new(),
            touched: false,
            copied: false,
            overlay: None,
            agreed: None,
            late: None,
            planned: None,
            is_preemptible: false,
            fixed_at: None,
            pieces: Vec::new(),
            piece_start: booked.window.start,
            given_back: Vec::new(),
        }
    }

    /// Of a reservation that has just been accepted. Granted less time or fewer processing elements than it asked for, it runs for its real
    /// time all the same, and is over at the latest when what it was granted is.
    pub(super) fn reserved(
        owner: Owner,
        request: &JobRequest,
        booked: Booked,
        (seconds, price): (u64, Money),
        overruns: bool,
    ) -> Self {
        let granted = request.duration.min(seconds);
        let run = match overruns {
            true => request.run,
            false => request.run.min(granted),
        };
        Self {
            price,
            ..Self::new(owner, booked, [request.ready, granted, run])
        }
    }

    /// Of a best-effort job that starts.
    pub(super) fn best_effort(
        owner: Owner,
        job: &BestEffortRequest,
        booked: Booked,
        seconds: u64,
    ) -> Self {
        let granted = job.estimate.min(seconds);
        Self::new(owner, booked, [job.arrival, granted, job.run.min(granted)])
    }

    /// Whether it is a job of the queue that is to end for a reservation.
    pub(super) fn is_cut(&self) -> bool {
        self.is_preemptible && self.booked.window.end < self.promised.window.end
    }

    /// The start that it was promised.
    pub(super) fn promised_start(&self) -> Slot {
        self.promised.window.start
    }

    pub(super) fn with_price(self, price: Money) -> Self {
        Self { price, ..self }
    }

    /// The second part of what is split at the slot edge `at`, which is `seconds` in; this is the first from now on.
    pub(super) fn split(&mut self, at: Slot, [at_seconds, start]: [u64; 2], owner: Owner) -> Self {
        let first = at_seconds.saturating_sub(start);
        let window = self.booked.window;
        let rest = Booked {
            window: Window {
                start: at,
                ..window
            },
            ..self.booked
        };
        let times = [
            at_seconds,
            self.duration.saturating_sub(first),
            self.run.saturating_sub(first),
        ];
        self.booked.window.end = at;
        self.duration = self.duration.min(first);
        self.run = self.run.min(first);
        Self::new(owner, rest, times)
    }

    /// Its length changes. A job that used all it had uses all it has then; one that takes longer goes on to.
    pub(super) fn resize(&mut self, duration: u64) {
        self.run = if self.run > self.duration {
            self.run
        } else if self.run == self.duration {
            duration
        } else {
            self.run.min(duration)
        };
        self.duration = duration;
    }

    /// It starts at `at` on these processing elements.
    pub(super) fn start(&mut self, at: Slot, pes: PeRanges) {
        self.began = Some(at);
        self.piece_start = self.booked.window.start;
        self.pes = pes;
    }

    /// The promise made to it is broken, if it was not before.
    pub(super) fn violate(&mut self, breach: Breach) {
        if let Some(overlay) = &mut self.overlay {
            overlay.breach.get_or_insert(breach);
        }
        self.touched = true;
    }

    /// It cannot start on time: unless it is to be waited for, nothing is paid for it, and perhaps a compensation.
    pub(super) fn cannot_start(&mut self, on_late: OnLate) {
        self.violate(Breach::LateStart);
        if on_late == OnLate::Wait {
            return;
        }
        if let Some(overlay) = &mut self.overlay {
            overlay.compensation = on_late.compensation(self.price);
        }
        self.price = Money::ZERO;
    }

    /// It starts at `at`, later than it was booked, and has so many seconds left.
    pub(super) fn late(&mut self, at: Slot, left: u64) {
        self.booked.window.start = at;
        self.run = self.run.min(left);
    }

    /// It is stopped after so many seconds.
    pub(super) fn stop(&mut self, after: u64) {
        self.run = self.run.min(after);
    }

    /// While it runs, it keeps no more than these processing elements from `now` on, which is in the slot of `second`.
    pub(super) fn keep(&mut self, pes: PeRanges, now: Slot, second: u64) {
        let kept: Vec<u16> = members(&pes).collect();
        let gone = members(&self.pes).filter(|pe| kept.binary_search(pe).is_err());
        let gone: Vec<u16> = gone.collect();
        if gone.is_empty() {
            return;
        }
        let piece = Window {
            start: self.piece_start,
            end: now,
        };
        let before = PeCount::new(
            u16::try_from(members(&self.pes).count())
                .unwrap_or(u16::MAX)
                .into(),
        );
        self.pieces.push((piece, before));
        self.piece_start = now;
        self.given_back.push(GivenBack {
            until: second,
            pes: ranges(gone.into_iter()),
        });
        self.pes = pes;
    }

    /// When the running job is over by itself. One that ends inside a slot keeps it to its end, and one that ends at once keeps its first.
    pub(super) fn natural_end(&self, clock: SlotClock) -> Option<Slot> {
        let took = clock.span_rounding_up(self.run);
        let took = took.map_or(1, |span| span.get().max(1));
        Some(self.began?.saturating_add(Span::new(took)))
    }

    /// What it got, now that it is over.
    pub(super) fn placed(mut self, ended: Ended, clock: SlotClock) -> Result<Placed> {
        let began = self.began.unwrap_or(self.booked.window.start);
        let changed = self.touched || self.fixed_at.is_some() || ended != Ended::Over;
        let changed = match changed {
            true => Some(Box::new(self.changed(ended, clock)?)),
            false => None,
        };
        Ok(Placed {
            start: seconds(clock, self.promised.window.start)?,
            end: seconds(clock, self.promised.window.end)?,
            site: 0,
            began: seconds(clock, began)?,
            ran: if self.began.is_some() { self.run } else { 0 },
            pes: self.pes,
            price: self.price,
            agreed: self.agreed,
            overlay: self.overlay,
            replicas: Vec::new(),
            late: self.late,
            planned: self.planned.map(|slot| seconds(clock, slot)).transpose()?,
            changed,
        })
    }

    fn changed(&mut self, ended: Ended, clock: SlotClock) -> Result<Changed> {
        if self.began.is_some() {
            let last = Window {
                start: self.piece_start,
                end: self.booked.window.end,
            };
            self.pieces.push((last, self.booked.pes));
        }
        let pieces = self.pieces.iter().filter(|(window, _)| !window.is_empty());
        let booked = pieces.map(|(window, pes)| {
            Ok(Stretch {
                start: seconds(clock, window.start)?,
                end: seconds(clock, window.end)?,
                pes: pes.get().into(),
            })
        });
        Ok(Changed {
            start: seconds(clock, self.booked.window.start)?,
            fixed_at: self.fixed_at.map(|at| seconds(clock, at)).transpose()?,
            pes: self.promised.pes.get().into(),
            booked: booked.collect::<Result<_>>()?,
            given_back: std::mem::take(&mut self.given_back),
            ended,
        })
    }
}

/// The second at which `slot` begins.
pub(super) fn seconds(clock: SlotClock, slot: Slot) -> Result<u64> {
    let seconds = clock.seconds(slot);
    seconds.ok_or_else(|| internal("a slot beyond the end of time"))
}

/// Processing elements as inclusive ranges in increasing order.
pub(super) type PeRanges = Vec<(u16, u16)>;

/// The numbers in ranges.
fn members(ranges: &[(u16, u16)]) -> impl Iterator<Item = u16> {
    ranges.iter().flat_map(|&(first, last)| first..=last)
}

/// Increasing numbers as inclusive ranges.
fn ranges(numbers: impl Iterator<Item = u16>) -> PeRanges {
    let mut ranges = PeRanges::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}
