//! Late binding over the candidate starts of early binding: the control experiment.

use std::collections::{BTreeMap, BTreeSet};

use bookahead::{
    Book, Booking, Error as Denied, Plan, Policy, Rectangle, Refusal, Request, Slot, Span,
    UsageError, Window, raw::Ring,
};

use super::admission::{Admission, Ask};
use crate::saved::{Saving, put, take};

/// Decides by the plain reading of `li`, section 4.2, over every start and end of a booking.
pub(super) struct Control {
    policy: Policy,
    edges: EdgeCounts,
}

impl Control {
    pub(super) fn new(policy: Policy) -> Self {
        Self {
            policy,
            edges: EdgeCounts::default(),
        }
    }

    fn candidates(&self, request: &Request) -> BTreeSet<Slot> {
        let Some(latest) = request.latest_start() else {
            return BTreeSet::new();
        };
        let edges = self.edges.between(request.ready, request.deadline);
        let less = |slot: Slot| slot.get().checked_sub(u64::from(request.duration.get()));
        edges
            .chain([request.ready, request.deadline])
            .flat_map(|slot| [Some(slot), less(slot).map(Slot::new)])
            .flatten()
            .filter(|slot| (request.ready..=latest).contains(slot))
            .collect()
    }
}

impl<R: Ring> Admission<R> for Control {
    fn admit(&mut self, book: &mut Book<'_, R>, ask: &Ask) -> Result<Booking, Denied> {
        let request = &ask.request;
        // The kernel says whether the request makes sense; its own choice of a start is not used.
        let version = book.plan(request, Policy::FirstFit)?.version();
        self.edges.forget_before(book.now());
        let mut best: Option<(u64, Slot)> = None;
        for start in self.candidates(request) {
            let found = book.rectangle(start, request.duration);
            let Some(rectangle) = found.filter(|rectangle| rectangle.free >= request.pes) else {
                continue;
            };
            let badness = badness(self.policy, start, &rectangle);
            if best.is_none_or(|(least, _)| badness < least) {
                best = Some((badness, start));
            }
        }
        let (_, start) = best.ok_or(Refusal::NoRoom)?;
        let plan = Plan::new(*request, start, version).ok_or(UsageError::StalePlan)?;
        let handle = book.commit(&plan, ask.commitment)?;
        self.edges.add(start);
        self.edges.add(start.saturating_add(request.duration));
        Ok(Booking { handle, start })
    }

    fn rebooked(&mut self, old: Option<Window>, new: Option<Window>) {
        if let Some(window) = old {
            self.edges.remove(window.start);
            self.edges.remove(window.end);
        }
        if let Some(window) = new {
            self.edges.add(window.start);
            self.edges.add(window.end);
        }
    }

    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        put(&self.edges, to)
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        self.edges = take(from)?;
        Ok(())
    }
}

/// What the policy makes least of. Every tie goes to the earliest start, which is looked at first.
fn badness(policy: Policy, start: Slot, rectangle: &Rectangle) -> u64 {
    let free = u64::from(rectangle.free.get());
    let length = u64::from(rectangle.window.len().unwrap_or(Span::ZERO).get());
    match policy {
        Policy::FirstFit => start.get(),
        Policy::PeBestFit => free,
        Policy::PeWorstFit => u64::MAX - free,
        Policy::DurationBestFit => length,
        Policy::DurationWorstFit => u64::MAX - length,
        Policy::PeDurationBestFit => free * length,
        Policy::PeDurationWorstFit => u64::MAX - free * length,
    }
}

/// Counts how often each slot is a start or an end of a booking.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct EdgeCounts(BTreeMap<Slot, u32>);

impl EdgeCounts {
    fn add(&mut self, slot: Slot) {
        *self.0.entry(slot).or_default() += 1;
    }

    fn remove(&mut self, slot: Slot) {
        if let Some(count) = self.0.get_mut(&slot) {
            *count -= 1;
            if *count == 0 {
                self.0.remove(&slot);
            }
        }
    }

    fn between(&self, from: Slot, to: Slot) -> impl Iterator<Item = Slot> {
        self.0.range(from..=to).map(|(slot, _)| *slot)
    }

    fn forget_before(&mut self, slot: Slot) {
        self.0 = self.0.split_off(&slot);
    }
}
