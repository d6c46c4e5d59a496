//! Who is in the way of a step for which there was no room.

use bookahead as kernel;
use kernel::{Alteration, Slot, raw::Ring};

#[cfg(feature = "placement")]
use super::PLACE_EXACTLY;
use super::{ALTER, INSERT, LIFT, PLACE, PLACE_FIRST_FIT, Run, Step};
#[cfg(feature = "placement")]
use crate::pointer::elements;
use crate::{Code, Conflict};

impl<R: Ring> Run<'_, '_, '_, R> {
    /// Who is in the way of a step for which there was no room; the transaction is of no use afterwards.
    ///
    /// # Safety
    ///
    /// As [`handle_of`](Self::handle_of).
    pub(super) unsafe fn in_the_way(
        &mut self,
        step: &Step,
        handle: kernel::Handle,
        number: usize,
    ) -> Option<Conflict> {
        let start = Slot::new(step.placement.start);
        let placement = match step.kind {
            PLACE => step.placement.to_kernel(),
            PLACE_FIRST_FIT => {
                let ready = self.transaction.get(handle).ok()?.request.ready;
                kernel::Placement {
                    start: ready.max(start).max(self.transaction.now()),
                    // SAFETY: passed on.
                    ..unsafe { self.lifted_from(handle, number) }?
                }
            }
            #[cfg(feature = "placement")]
            PLACE_EXACTLY => {
                // SAFETY: passed on.
                let (pes, lifted) = unsafe {
                    let pes = elements(step.pes, step.words).ok()?;
                    (pes, self.lifted_from(handle, number)?)
                };
                let window = kernel::Window::starting(start, lifted.duration)?;
                let there = self.transaction.conflict_exactly(Some(handle), window, pes);
                return Some((&there.ok()?).into());
            }
            INSERT => {
                let request = step.request.to_kernel();
                kernel::Placement {
                    start,
                    duration: request.duration,
                    pes: request.pes,
                }
            }
            ALTER => {
                let old = self.where_booked(handle)?;
                self.wanted(old, step.alteration.to_kernel().ok()?)
            }
            _ => return None,
        };
        let own = (step.kind != INSERT).then_some(handle);
        Some((&self.transaction.conflict(own, &placement)).into())
    }

    /// Where a lifted reservation was when it was lifted, which only the step that did it has been told.
    ///
    /// # Safety
    ///
    /// As [`handle_of`](Self::handle_of).
    unsafe fn lifted_from(
        &self,
        handle: kernel::Handle,
        number: usize,
    ) -> Option<kernel::Placement> {
        (0..number).rev().find_map(|earlier| {
            // SAFETY: before a step that is there.
            let (step, lifted) = unsafe {
                let step = self.steps.get(earlier);
                (step, self.handle_of(&step, earlier))
            };
            let done = step.kind == LIFT && step.code == Code::Ok as u32;
            let found = done && lifted == handle;
            found.then(|| step.booked.to_kernel())
        })
    }

    /// Where a reservation is booked that is not lifted. It is asked for by lifting it; if there is no work left for that, its PEs are taken to
    /// be those that were asked for.
    fn where_booked(&mut self, handle: kernel::Handle) -> Option<kernel::Placement> {
        let reservation = self.transaction.get(handle).ok()?;
        self.transaction.lift(handle).ok().or_else(|| {
            Some(kernel::Placement {
                start: reservation.window.start,
                duration: reservation.window.len()?,
                pes: reservation.request.pes,
            })
        })
    }

    /// Where an alteration wants a reservation that is booked at `old`.
    fn wanted(&self, old: kernel::Placement, alteration: Alteration) -> kernel::Placement {
        let mut wanted = old;
        match alteration {
            Alteration::Shift { start } => wanted.start = start,
            Alteration::Extend { duration } | Alteration::Shorten { duration } => {
                wanted.duration = duration;
            }
            Alteration::Widen { pes } | Alteration::Narrow { pes } => wanted.pes = pes,
            Alteration::ChangeWindow { ready, .. } => {
                wanted.start = ready.max(self.transaction.now());
            }
        }
        wanted
    }
}
