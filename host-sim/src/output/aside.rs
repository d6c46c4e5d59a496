//! A run that is decided on one thread and written on another.

use std::{
    mem, panic,
    sync::mpsc::{self, SyncSender},
    thread,
    time::{Duration, Instant},
};

use crate::{
    engine::{Listener, story::Told},
    error::{Error, Result},
};

/// Handing over so many at a time costs little beside writing them.
const BATCH: usize = 256;
/// So many batches wait at the most.
const WAITING: usize = 2;

/// Hands on what it is told.
pub(crate) struct Aside {
    to: SyncSender<Vec<Told>>,
    batch: Vec<Told>,
    /// How long it has waited for the listener.
    waited: Duration,
}

impl Aside {
    /// Runs `decide` with a listener that hands on what it is told to `listener`, on another thread. Returns how long that listener was waited for.
    ///
    /// # Errors
    ///
    /// Those of the listener, or else of `decide`.
    pub(crate) fn of(
        listener: &mut (impl Listener + Send),
        decide: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Duration> {
        let (to, batches) = mpsc::sync_channel::<Vec<Told>>(WAITING);
        let mut aside = Self {
            to,
            batch: Vec::new(),
            waited: Duration::ZERO,
        };
        thread::scope(|scope| {
            let hearing = scope.spawn(|| {
                let mut told = batches.into_iter().flatten();
                told.try_for_each(|told| listener.hear(told))
            });
            let decided = decide(&mut aside).and_then(|()| aside.hand_over());
            let waited = aside.waited;
            drop(aside);
            let heard = hearing.join();
            heard.unwrap_or_else(|panicked| panic::resume_unwind(panicked))?;
            decided.map(|()| waited)
        })
    }

    fn hand_over(&mut self) -> Result<()> {
        let began = Instant::now();
        let batch = mem::replace(&mut self.batch, Vec::with_capacity(BATCH));
        let sent = self.to.send(batch);
        self.waited += began.elapsed();
        // The listener says itself what was wrong.
        sent.map_err(|_| Error::Internal("nobody hears what a run tells".to_owned()))
    }
}

impl Listener for Aside {
    fn hear(&mut self, told: Told) -> Result<()> {
        self.batch.push(told);
        match self.batch.len() < BATCH {
            true => Ok(()),
            false => self.hand_over(),
        }
    }
}
