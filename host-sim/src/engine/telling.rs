//! What became of demands and operations is told as soon as that is certain, and forgotten.

use std::sync::Arc;

use bookahead::raw::Ring;

use super::{
    defect::{internal, nobody},
    drive::{Part, Run},
    outcome::Outcome,
    story::{Listener, Operated, Told},
};
use crate::{
    error::{Error, Result},
    request::Demand,
};

impl<R: Ring> Run<'_, R> {
    /// Tells what has become certain: whatever happened to bookings, and what became of the demands and operations up to the first one that is
    /// not over.
    pub(super) fn tell(&mut self, listener: &mut dyn Listener) -> Result<()> {
        for moved in self.moves.drain(..) {
            listener.hear(Told::Moved(moved))?;
        }
        for piece in self.pieces.drain(..) {
            listener.hear(Told::Piece(piece))?;
        }
        loop {
            let (index, decision) = self.decisions.first();
            let is_next = |operated: &Operated| operated.operation.after <= index;
            match self.operated.first().1 {
                Some((operated, part)) if is_next(operated) => match part {
                    Some(Part { placed: None, .. }) => return Ok(()),
                    _ => self.tell_operated(listener)?,
                },
                _ if decision.is_some_and(Option::is_some) => self.tell_outcome(listener)?,
                _ => return Ok(()),
            }
        }
    }

    fn tell_operated(&mut self, listener: &mut dyn Listener) -> Result<()> {
        let (operated, part) = self.operated.take_first().ok_or_else(nobody)?;
        let part = part.map(|part| -> Result<Outcome> {
            Ok(Outcome {
                demand: Demand::Reserve(part.request),
                decision: Ok(part.placed.ok_or_else(for_ever)?),
            })
        });
        listener.hear(Told::Operated(Operated {
            part: part.transpose()?,
            ..operated
        }))
    }

    fn tell_outcome(&mut self, listener: &mut dyn Listener) -> Result<()> {
        let (index, _) = self.demands.first();
        let demand = self.demands.take_first().ok_or_else(nobody)?;
        let decision = self.decisions.take_first().flatten();
        let rank = match &mut self.scheduler.waiting {
            Some(waiting) => waiting.forget(index),
            None => None,
        };
        let outcome = Outcome {
            demand: Arc::unwrap_or_clone(demand),
            decision: decision.ok_or_else(for_ever)?,
        };
        let key = rank.filter(|_| self.scheduler.queue_order.is_some());
        listener.hear(Told::Outcome(outcome, key))
    }

    /// Tells the rest, of which nothing is open any more.
    pub(super) fn finish(mut self, listener: &mut dyn Listener) -> Result<()> {
        self.tell(listener)?;
        while self.decisions.first().1.is_some() {
            self.tell_outcome(listener)?;
        }
        while self.operated.first().1.is_some() {
            self.tell_operated(listener)?;
        }
        let mut gone = self.outages.gone.into_iter();
        gone.try_for_each(|gone| listener.hear(Told::Gone(gone)))
    }
}

fn for_ever() -> Error {
    internal("a job waits for ever")
}
