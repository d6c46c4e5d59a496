//! A look at the queue: who starts now.

use super::{Discipline, Queue};
use crate::{
    book::{Ahead, Book, Launch},
    event::Event,
    ring::Ring,
};

/// What comes next while time passes.
pub(super) enum Next {
    Event(Event),
    /// There is an event, but no room to report it.
    Unreported,
}

impl Queue<'_> {
    /// Starts the next job from index `first` on that may start now, if it can be reported.
    pub(super) fn look<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        first: usize,
        reportable: bool,
    ) -> Option<Next> {
        let mut index = first;
        // What the others must not delay, once the first job has to wait.
        let mut ahead = if index > 0 { self.ahead(book) } else { None };
        // Each round goes to the next job.
        while let Some((ticket, job)) = self.job_at(index) {
            match book.launch(ticket, &job, ahead.as_ref(), reportable) {
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

    /// The look goes on at `index`, unless the book changes meanwhile.
    fn look_on_at<R: Ring>(&mut self, index: usize, book: &Book<'_, R>) {
        self.state.resume = (index as u32).saturating_add(1);
        self.state.seen = book.version().revision;
    }

    /// Where the first job would start, if anywhere.
    fn ahead<R: Ring>(&self, book: &mut Book<'_, R>) -> Option<Ahead> {
        let (_, head) = self.job_at(0)?;
        Some(Ahead {
            offset: self.shadow_of(book, &head)?,
            duration: head.estimate.get() as usize,
            max_busy: u32::from(book.pes().get().saturating_sub(head.pes.get())),
        })
    }
}
