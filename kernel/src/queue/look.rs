//! A look at the queue: who starts now.

use heapless::VecView;

use super::{Discipline, Queue};
use crate::{
    Advanced, Book, Event, Ring,
    book::{Ahead, Launch},
};

impl Queue<'_> {
    /// Starts every job from place `first` on that may start now, as far as there is room to report it.
    pub(super) fn look<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        first: usize,
        events: &mut VecView<Event>,
    ) -> Advanced {
        let mut place = first;
        // What the others must not delay, once the first job has to wait.
        let mut ahead = if place > 0 { self.ahead(book) } else { None };
        // Each round goes to the next place or takes a job out.
        while let Some((ticket, job)) = self.job_at(place) {
            match book.launch(ticket, &job, ahead.as_ref(), !events.is_full()) {
                Launch::Started(event) => {
                    self.remove(place);
                    // There is room, as was just said.
                    let _ = events.push(event);
                }
                Launch::Unreported => {
                    self.state.resume = (place as u32).saturating_add(1);
                    self.state.seen = book.version();
                    return Advanced::EventsWaiting;
                }
                Launch::Waits if self.state.discipline == Discipline::Fcfs => break,
                Launch::Waits => {
                    if place == 0 {
                        ahead = self.ahead(book);
                    }
                    place = place.saturating_add(1);
                }
            }
        }
        self.state.resume = 0;
        Advanced::Done
    }

    /// Where the first job would start, if anywhere.
    fn ahead<R: Ring>(&self, book: &mut Book<'_, R>) -> Option<Ahead> {
        let (_, head) = self.job_at(0)?;
        Some(Ahead {
            offset: self.shadow_of(book, &head)?,
            duration: head.estimate.get() as usize,
            limit: u32::from(book.pes().get().saturating_sub(head.pes.get())),
        })
    }
}
