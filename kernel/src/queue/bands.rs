//! When a queued job is likely to start: a band around its planned start, from how long others have waited.

use crate::time::Span;

/// How many classes of planned waits there are: one for each doubling.
const CLASSES: usize = 32;

/// The ratio of a job that waited as long as planned.
const ONE: u64 = 1 << 16;

/// Slots from when on and until when a job is likely to start, counted from when that is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StartBand {
    /// The first of these starts.
    pub earliest: Span,
    /// The last of them.
    pub latest: Span,
}

impl StartBand {
    /// Returns whether a wait of so many slots ends in the band. O(1).
    #[must_use]
    pub fn holds(&self, waited: Span) -> bool {
        self.earliest <= waited && waited <= self.latest
    }
}

/// How long jobs have waited beside how long they were planned to: of each doubling of the planned wait, the last `N` of them.
///
/// A planned start is sure as long as jobs take what they were estimated to take. Most end earlier, so that most start earlier than planned, and where reservations are made
/// meanwhile, some start later. From those of whom it is known, this says between which starts a job will start as often as is asked for, as long as things
/// go on as they lately did: then the next job is equally likely to have any rank among the last ones. It promises nothing.
///
/// It is arithmetic on arguments, and neither reads nor changes a book or a queue. Ask when a job is submitted, with the start for which a
/// [`PlannedQueue`](crate::PlannedQueue) has planned it, and [note](Self::note) how long it has waited once it starts. 128 N + 128 bytes, all of them plain numbers.
///
/// ```
/// use bookahead::{Span, StartBands};
/// let mut bands = StartBands::<64>::new();
/// // All were planned to wait for 60 slots.
/// for waited in [10, 55, 30, 20, 60, 45, 15, 25, 50] {
///     bands.note(Span::new(60), Span::new(waited));
/// }
/// // Four of five wait for 9 to 60, since a ratio of 10 / 60 is rounded down, and half of them for 15 to 55. Nine others know no band that is right nine times of ten.
/// let band = |planned, per_mille| {
///     let band = bands.band(Span::new(planned), per_mille);
///     band.map(|band| (band.earliest.get(), band.latest.get()))
/// };
/// assert_eq!([band(60, 800), band(60, 500), band(60, 900)], [Some((9, 60)), Some((15, 55)), None]);
/// // Nothing is known of who is planned to wait for a day, and who starts at once starts at once.
/// assert_eq!([band(1_440, 500), band(0, 999)], [None, Some((0, 0))]);
/// ```
///
/// Source: a band of ranks is that of split conformal prediction, here of the ratio of both waits: Lei et al., "Distribution-free predictive inference for
/// regression" (2018), section 2.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct StartBands<const N: usize> {
    /// Waited by planned, in 65,536ths rounded down: in each class those noted last, in a circle.
    ratios: [[u32; N]; CLASSES],
    /// How many have been noted in each class.
    noted: [u32; CLASSES],
}

impl<const N: usize> StartBands<N> {
    /// Nothing is known yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            ratios: [[0; N]; CLASSES],
            noted: [0; CLASSES],
        }
    }

    /// Notes that a job that was planned to wait for so many slots has waited for `waited` until it started. Who was planned to start at once says nothing of others. O(1).
    pub fn note(&mut self, planned: Span, waited: Span) {
        let Some(class) = class(planned) else {
            return;
        };
        let (Some(ratios), Some(noted)) = (self.ratios.get_mut(class), self.noted.get_mut(class))
        else {
            return;
        };
        let next = (*noted as usize).checked_rem(N).unwrap_or_default();
        if let Some(ratio) = ratios.get_mut(next) {
            *ratio = ratio_of(waited, planned);
        }
        // Beyond N, what counts is whose turn it is.
        *noted = match *noted as usize {
            full if full >= N.saturating_mul(2).saturating_sub(1) => N as u32,
            _ => noted.saturating_add(1),
        };
    }

    /// Returns in which slots, counted from now on, a job starts that is planned to wait for so many of them, so that this is right at least `per_mille` times of a thousand. As many
    /// start before the band as behind it. `None` as long as too few are known for that, one less than 2,000 / (1,000 - `per_mille`) of the same doubling, and
    /// always for a thousand; whoever is planned to wait for nothing starts now, whatever is known. Ratios are rounded so that the band grows. O(N).
    #[must_use]
    pub fn band(&self, planned: Span, per_mille: u16) -> Option<StartBand> {
        let Some(class) = class(planned) else {
            return Some(StartBand::default());
        };
        let ratios = self.ratios.get(class)?;
        let known = ratios.get(..(*self.noted.get(class)? as usize).min(N))?;
        let outside = 1_000_u32.checked_sub(per_mille.into())?;
        // Of so many and the next one, each side of the band has this share.
        let ranks = (known.len() as u64).saturating_add(1);
        let side = ranks.saturating_mul(outside.into()) / 2_000;
        let [low, high] = [side, ranks.saturating_sub(side)];
        if low == 0 {
            return None;
        }
        let slots = |ratio: u64| u64::from(planned.get()).saturating_mul(ratio);
        let earliest = slots(ranked(known, low).into()) / ONE;
        // What was noted was rounded down.
        let latest = slots(u64::from(ranked(known, high)).saturating_add(1));
        let span = |slots| Span::new(u32::try_from(slots).unwrap_or(u32::MAX));
        Some(StartBand {
            earliest: span(earliest),
            latest: span(latest.saturating_sub(1) / ONE),
        })
    }
}

impl<const N: usize> Default for StartBands<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the class of those who are planned to wait so long; `None` for those who are not.
fn class(planned: Span) -> Option<usize> {
    planned.get().checked_ilog2().map(|class| class as usize)
}

/// Returns waited by planned, rounded down.
fn ratio_of(waited: Span, planned: Span) -> u32 {
    let ratio = u64::from(waited.get()).saturating_mul(ONE);
    let ratio = ratio.checked_div(planned.get().into()).unwrap_or_default();
    u32::try_from(ratio).unwrap_or(u32::MAX)
}

/// Returns the smallest ratio that so many of them do not exceed. Bit by bit, so that they stay in the order in which they came. O(ratios).
fn ranked(ratios: &[u32], rank: u64) -> u32 {
    let mut below = 0_u32;
    for bit in (0..u32::BITS).rev() {
        let tried = below | 1 << bit;
        let fewer = ratios.iter().filter(|ratio| **ratio < tried).count() as u64;
        if fewer < rank {
            below = tried;
        }
    }
    below
}
