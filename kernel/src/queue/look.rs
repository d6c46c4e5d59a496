//! A pass over the queue: which jobs start now.

use super::{Discipline, Queue};
use crate::{
    book::{Ahead, Book, Launch},
    event::Event,
    ring::Ring,
};

/// What happens next while time advances.
pub(super) enum Next {
    Event(Event),
    /// There is an event, but the event list is full.
    Unreported,
}

impl Queue<'_> {
    /// Starts the first job, from index `first` on, that may start now, if it can be reported.
    pub(super) fn look<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        first: usize,
        reportable: bool,
    ) -> Option<Next> {
        let mut index = first;
        // The start of the first job, which the others must not delay; `None` until the first job turns out not to start now.
        let mut ahead = if index > 0 { self.ahead(book) } else { None };
        // Each round examines the next job.
        while let Some((ticket, job, class)) = self.job_at::<R>(index) {
            let before = book.ring.ask(class);
            let launched = book.launch(ticket, &job, ahead.as_ref(), reportable);
            book.ring.ask(before);
            match launched {
                Launch::Started(event) => {
                    self.remove(index);
                    self.look_on_at(index, book);
                    return Some(Next::Event(event));
                }
                Launch::Unreported => {
                    self.look_on_at(index, book);
                    return Some(Next::Unreported);
                }
                Launch::Waits if self.discipline() == Discipline::Fcfs => break,
                Launch::Waits => {
                    if index == 0 {
                        ahead = self.ahead(book);
                    }
                    index = index.saturating_add(1);
                }
            }
        }
        self.state.resume = 0;
        None
    }

    /// Lets the next pass continue at `index`, unless the book changes before.
    fn look_on_at<R: Ring>(&mut self, index: usize, book: &Book<'_, R>) {
        self.state.resume = (index as u32).saturating_add(1);
        self.state.seen = book.version().revision;
    }

    /// Returns the earliest start of the first job, if it has one within the horizon.
    fn ahead<R: Ring>(&self, book: &mut Book<'_, R>) -> Option<Ahead<R::Class>> {
        let (_, head, class) = self.job_at::<R>(0)?;
        Some(Ahead {
            class,
            offset: self.shadow_of(book, &head, class)?,
            duration: head.estimate.get() as usize,
            max_busy: book.pes().get().saturating_sub(head.pes.get()),
        })
    }
}
