//! Random streams that do not disturb each other.

use rand::RngExt;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

/// What a stream of random numbers is used for.
///
/// The discriminants are part of the stream's identity: changing one changes every workload made with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Purpose {
    /// Gaps between submissions; in a two-type model those of the interactive jobs.
    Arrivals = 0,
    /// Gaps between the batch jobs of a two-type model.
    BatchArrivals = 1,
    /// Processing elements per job.
    Sizes = 2,
    /// Run times.
    RunTimes = 3,
    /// Who reserves, how far ahead and with how much slack.
    Reservations = 4,
    /// Which reservations are flexible, and how much.
    Flexibility = 5,
    /// Who cancels, and when.
    Cancellations = 6,
    /// How much more than they run jobs book.
    Overestimates = 7,
    /// When groups fail, and when they come back.
    Failures = 8,
    /// Who needs what lies beside the machine.
    Needs = 9,
}

/// The stream for one purpose in one replication of an experiment.
///
/// Streams of one seed are disjoint parts of one ChaCha8 keystream family (same key, different nonce), so a parameter that
/// only one purpose reads leaves the draws of the others as they were. Two policies, or two points of a parameter sweep, given
/// the same seed and replication therefore see the same jobs, and their difference is not blurred by luck.
///
/// ```
/// use bookahead_sim::workload::rng::{Purpose, stream};
/// use rand::RngExt;
///
/// let draw = |purpose, replication| stream(7, purpose, replication).random::<u64>();
/// assert_eq!(draw(Purpose::Sizes, 0), draw(Purpose::Sizes, 0));
/// assert_ne!(draw(Purpose::Sizes, 0), draw(Purpose::RunTimes, 0));
/// assert_ne!(draw(Purpose::Sizes, 0), draw(Purpose::Sizes, 1));
/// ```
#[must_use]
pub fn stream(seed: u64, purpose: Purpose, replication: u32) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream((u64::from(replication) << 8) | purpose as u64);
    rng
}

/// Which of some things a random choice of so many of them takes.
pub(crate) fn some_of(all: usize, count: usize, mut luck: ChaCha8Rng) -> Vec<bool> {
    let mut drawn: Vec<(u64, usize)> = (0..all).map(|one| (luck.random(), one)).collect();
    drawn.sort_unstable();
    let mut taken = vec![false; all];
    for (_, one) in drawn.into_iter().take(count) {
        taken[one] = true;
    }
    taken
}
