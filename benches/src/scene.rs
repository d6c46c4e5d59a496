//! A steady state of the workload: which bookings live, and what is asked next.

use bookahead::{Policy, Request, Slot, Window};
use bookahead_oracle::papers::li::{Bits, list::PaperList};

use crate::{MACHINE, Workload};

/// A booking with its PEs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booking {
    /// Its slots.
    pub window: Window,
    /// Its PEs.
    pub pes: Bits,
}

/// One step on the way to the steady state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A booking is made; its PEs are the lowest-numbered that are free throughout.
    Add(Booking),
    /// The booking made by the step of that number is given up.
    Remove(usize),
}

/// The way to a steady state, and requests that meet it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Slots of the ring.
    pub slots: u32,
    /// What has been booked and given up, in order.
    pub steps: Vec<Step>,
    /// What is asked then.
    pub queries: Vec<Request>,
    /// The steady state in the paper's structure.
    pub paper: PaperList,
}

impl Scene {
    /// Fills up to `live` reservations by first fit, goes on for 2 x `live` steps, and draws `queries` requests.
    #[must_use]
    pub fn new(live: usize, queries: usize, seed: u64) -> Self {
        let mut workload = Workload::new(live, seed);
        let mut scene = Self {
            slots: workload.slots(),
            steps: Vec::new(),
            queries: Vec::new(),
            paper: PaperList::new(MACHINE),
        };
        let mut alive = Vec::with_capacity(live);
        while alive.len() < live {
            scene.step(&mut workload, &mut alive);
        }
        for _ in 0..2 * live {
            scene.step(&mut workload, &mut alive);
        }
        scene.queries = (0..queries).map(|_| workload.request()).collect();
        scene
    }

    /// The stretch from now to the horizon.
    #[must_use]
    pub fn ring(&self) -> Window {
        Window {
            start: Slot::new(0),
            end: Slot::new(self.slots.into()),
        }
    }

    /// What lives in the steady state.
    #[must_use]
    pub fn bookings(&self) -> Vec<&Booking> {
        let mut live: Vec<Option<&Booking>> = Vec::new();
        for step in &self.steps {
            match step {
                Step::Add(booking) => live.push(Some(booking)),
                Step::Remove(number) => {
                    live.push(None);
                    live[*number] = None;
                }
            }
        }
        live.into_iter().flatten().collect()
    }

    /// Asks for one more, and gives one up when there are too many.
    fn step(&mut self, workload: &mut Workload, alive: &mut Vec<usize>) {
        let request = workload.request();
        let found = self
            .paper
            .find_allocation(self.ring(), &request, Policy::FirstFit);
        let Some(found) = found else {
            return;
        };
        let window = Window::starting(found.start, request.duration).expect("it fits");
        self.paper.add_allocation(window, &found.pes);
        alive.push(self.steps.len());
        self.steps.push(Step::Add(Booking {
            window,
            pes: found.pes,
        }));
        if alive.len() > workload.live() {
            let number = alive.swap_remove(workload.below(alive.len()));
            let Step::Add(booking) = &self.steps[number] else {
                unreachable!("only bookings are alive");
            };
            self.paper.delete_allocation(booking.window, &booking.pes);
            self.steps.push(Step::Remove(number));
        }
    }
}
