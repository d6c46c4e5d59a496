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
    /// Runs `decide` with a listener that hands on what it is told to `listener`, on another thread. Returns how long that took without waiting for the other thread.
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
            let began = Instant::now();
            let decided = decide(&mut aside).and_then(|()| aside.hand_over());
            let deciding = began.elapsed().saturating_sub(aside.waited);
            drop(aside);
            let heard = hearing.join();
            heard.unwrap_or_else(|panicked| panic::resume_unwind(panicked))?;
            decided.map(|()| deciding)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::story::Piece;

    /// Notes in which order it is told, and fails at some place.
    struct Place {
        seen: Vec<u64>,
        end: u64,
        panics: bool,
    }

    impl Listener for Place {
        fn hear(&mut self, told: Told) -> Result<()> {
            let Told::Piece(Piece { job_id, .. }) = told else {
                unreachable!("only pieces are told");
            };
            if job_id == self.end {
                assert!(!self.panics, "as it was told to");
                return Err(Error::Usage("no more".to_owned()));
            }
            self.seen.push(job_id);
            Ok(())
        }
    }

    fn piece(job_id: u64) -> Piece {
        Piece {
            job_id,
            window: [0, 9],
            pes: Vec::new(),
        }
    }

    fn tell(place: &mut Place, count: u64, ends: Result<()>) -> Result<Duration> {
        Aside::of(place, |aside| {
            for job_id in 0..count {
                aside.hear(Told::Piece(piece(job_id)))?;
            }
            ends
        })
    }

    #[test]
    fn all_is_heard_in_order_and_whatever_fails_is_told() {
        const MANY: u64 = 5 * BATCH as u64 + 3;
        let place = |end, panics| Place {
            seen: Vec::new(),
            end,
            panics,
        };
        let mut whole = place(u64::MAX, false);
        tell(&mut whole, MANY, Ok(())).unwrap();
        assert!(whole.seen.iter().copied().eq(0..MANY));

        let decided = Err(Error::Usage("undecided".to_owned()));
        let told = tell(&mut place(u64::MAX, false), MANY, decided).unwrap_err();
        assert_eq!(told.to_string(), "undecided");

        // The error of the listener, and not that nobody hears any more.
        for end in [0, 700, MANY - 1] {
            let mut broken = place(end, false);
            let told = tell(&mut broken, MANY, Ok(())).unwrap_err();
            assert_eq!(told.to_string(), "no more");
            assert!(broken.seen.iter().copied().eq(0..end));
        }
        let panicked = panic::catch_unwind(|| tell(&mut place(700, true), MANY, Ok(())));
        assert!(panicked.is_err());
    }
}
