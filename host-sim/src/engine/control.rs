//! Late binding over the candidate starts of early binding: the control experiment.

use std::collections::{BTreeMap, BTreeSet};

use bookahead::{
    Book, Booking, Error as Denied, Policy, Rectangle, Refusal, Request, Ring, Slot, Span, Window,
};

use super::desk::Desk;

/// Decides by the plain reading of `li`, section 4.2, over every start and end of a booking.
pub(super) struct ControlledDesk {
    policy: Policy,
    edges: EdgeCounts,
}

impl ControlledDesk {
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

impl<R: Ring> Desk<R> for ControlledDesk {
    fn decide(&mut self, book: &mut Book<'_, R>, request: &Request) -> Result<Booking, Denied> {
        // The kernel says whether the request makes sense; its own choice of a start is not used.
        match book.plan(request, Policy::FirstFit) {
            Ok(_) => {}
            Err(reason) => return Err(reason),
        }
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
        let booking = book.reserve(&exactly_at(request, start), Policy::FirstFit)?;
        self.edges.add(start);
        self.edges.add(start.saturating_add(request.duration));
        Ok(booking)
    }

    fn best_effort_started(&mut self, booked: Window) {
        self.edges.add(booked.start);
        self.edges.add(booked.end);
    }

    fn ended_early(&mut self, booked: Slot, end: Slot) {
        self.edges.remove(booked);
        self.edges.add(end);
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

fn exactly_at(request: &Request, start: Slot) -> Request {
    Request {
        ready: start,
        deadline: start.saturating_add(request.duration),
        ..*request
    }
}

/// Counts how often each slot is a start or an end of a booking.
#[derive(Default)]
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
