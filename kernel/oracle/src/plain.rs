//! The plain reading of the search: every candidate, every rectangle, then the policy.

use bookahead::{PeCount, Rectangle, Request, Slot, Span, Window, raw::ProfileStep};

use crate::papers::li::search::{self, candidate_starts};

/// What is free in a slot, or throughout several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Free {
    /// So many PEs, no matter which.
    Count(u32),
    /// For each PE whether it is free.
    Set(Vec<bool>),
}

impl Free {
    /// How many PEs.
    #[must_use]
    pub fn count(&self) -> u32 {
        match self {
            Self::Count(count) => *count,
            Self::Set(set) => set.iter().map(|&free| u32::from(free)).sum(),
        }
    }

    /// What is free both here and there: the smaller number, or the PEs that both have.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        match (&mut self, other) {
            (Self::Count(a), Self::Count(b)) => *a = *b.min(a),
            (Self::Set(a), Self::Set(b)) => {
                for (a, b) in a.iter_mut().zip(b) {
                    *a &= *b;
                }
            }
            _ => unreachable!("one timetable has one kind"),
        }
        self
    }

    /// Whether at least `wanted` is free here.
    #[must_use]
    pub(crate) fn covers(&self, wanted: &Self) -> bool {
        match (self, wanted) {
            (Self::Count(here), Self::Count(wanted)) => here >= wanted,
            (Self::Set(here), Self::Set(wanted)) => here
                .iter()
                .zip(wanted)
                .all(|(here, wanted)| *here || !*wanted),
            _ => unreachable!("one timetable has one kind"),
        }
    }
}

/// A start at which the request fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feasible {
    /// The start.
    pub start: Slot,
    /// What is free throughout the run.
    pub free: Free,
    /// The longest stretch around the run in which all of it stays free.
    pub rectangle: Rectangle,
}

impl search::Rectangle for Feasible {
    fn free(&self) -> u64 {
        self.free.count().into()
    }
    fn length(&self) -> u64 {
        self.rectangle.window.end.get() - self.rectangle.window.start.get()
    }
}

/// What is free in each slot of the ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timetable {
    /// The first slot.
    pub now: Slot,
    /// How many PEs there are.
    pub pes: u32,
    /// One entry per slot.
    pub slots: Vec<Free>,
}

impl Timetable {
    /// The end of the horizon.
    #[must_use]
    pub fn end(&self) -> Slot {
        Slot::new(self.now.get() + self.slots.len() as u64)
    }

    fn at(&self, slot: u64) -> &Free {
        &self.slots[usize::try_from(slot - self.now.get()).expect("inside the ring")]
    }

    /// What is free throughout `window`; `None` for an empty window and one that leaves the ring.
    #[must_use]
    pub fn free_during(&self, window: Window) -> Option<Free> {
        let inside =
            self.now <= window.start && window.start < window.end && window.end <= self.end();
        inside.then(|| {
            let first = self.at(window.start.get()).clone();
            (window.start.get()..window.end.get()).fold(first, |free, slot| free.and(self.at(slot)))
        })
    }

    /// The maximal rectangle around the run; `None` when the run leaves the ring or has no length.
    #[must_use]
    pub fn rectangle(&self, start: Slot, duration: Span) -> Option<Rectangle> {
        let window = Window::starting(start, duration)?;
        let free = self.free_during(window)?;
        let (mut begin, mut end) = (window.start.get(), window.end.get());
        while begin > self.now.get() && self.at(begin - 1).covers(&free) {
            begin -= 1;
        }
        while end < self.end().get() && self.at(end).covers(&free) {
            end += 1;
        }
        Some(Rectangle {
            window: Window {
                start: Slot::new(begin),
                end: Slot::new(end),
            },
            free: PeCount::new(free.count()),
        })
    }

    /// The slots that differ from the one before.
    fn changes(&self) -> Vec<u64> {
        (self.now.get() + 1..self.end().get())
            .filter(|&slot| self.at(slot) != self.at(slot - 1))
            .collect()
    }

    /// The changes, preceded by the first slot unless all is free there.
    #[must_use]
    pub fn records(&self) -> Vec<ProfileStep> {
        let busy_now = self
            .slots
            .first()
            .is_some_and(|free| free.count() < self.pes);
        let first = busy_now.then_some(self.now.get());
        first
            .into_iter()
            .chain(self.changes())
            .map(|slot| ProfileStep {
                at: Slot::new(slot),
                busy: PeCount::new(self.pes - self.at(slot).count()),
            })
            .collect()
    }

    /// The starts worth trying: changes in the window, its two ends, and all of them a duration earlier.
    #[must_use]
    pub fn candidate_starts(&self, request: &Request) -> Vec<Slot> {
        let (ready, deadline) = (request.ready.get(), request.deadline.get());
        let duration = u64::from(request.duration.get());
        candidate_starts(self.changes(), ready, duration, deadline)
            .into_iter()
            .map(Slot::new)
            .collect()
    }

    /// Every one of these starts at which what is free `serves`, in increasing order.
    #[must_use]
    pub fn feasible(
        &self,
        request: &Request,
        starts: &[Slot],
        serves: impl Fn(&Free) -> bool,
    ) -> Vec<Feasible> {
        let mut found = Vec::new();
        for &start in starts {
            let window = Window::starting(start, request.duration).expect("candidates end in time");
            let free = self
                .free_during(window)
                .expect("the window lies in the ring");
            if serves(&free) {
                let rectangle = self.rectangle(start, request.duration).expect("as above");
                found.push(Feasible {
                    start,
                    free,
                    rectangle,
                });
            }
        }
        found
    }
}
