//! Run times observed so far, as a histogram of integers.

use crate::{risk::probability::Probability, time::Span};

/// A histogram of run times, in counters that the caller lends and keeps: one for each bin, and one more for what ran
/// longer than the last bin.
///
/// It counts either service times, for the law of a resource, or used shares, that is run time / booked duration, for the
/// law of a class of users. Keep one for each resource or class. From n observations of which k ended in time, it
/// promises k / (n + 1): the next run is equally likely to have any rank among them, and k / n would promise certainty
/// after one success. What falls into a bin counts as long as the end of it.
///
/// ```
/// use bookahead::{History, PeCount, Run, RunTimeLaw, Slot, Span, Window};
/// // Four bins of five slots: the last counter is for runs above twenty slots.
/// let mut counters = [0; 5];
/// let mut history = History::of_service_times(Span::new(5), &mut counters).unwrap();
/// for slots in [3, 5, 9, 21] {
///     history.record(Span::new(30), Span::new(slots));
/// }
/// let window = Window { start: Slot::new(0), end: Slot::new(30) };
/// let law = RunTimeLaw::Empirical(&history);
/// let run = Run { pes: PeCount::new(1), window, ran: Span::ZERO, law };
/// assert_eq!(run.finished_by(Slot::new(12)).get().to_num::<f32>(), 0.6); // three of four
/// assert_eq!(counters, [2, 1, 0, 0, 1]);
/// ```
///
/// Source: `xiao`, section 4.1, which asks for distributions from historical information and leaves open how.
#[derive(Debug)]
pub struct History<'m> {
    scale: Scale,
    counters: &'m mut [u32],
}

/// What the bins divide.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// Time, into bins of this length.
    ServiceTime { bin: Span },
    /// The booked duration, into equal bins.
    UsedShare,
}

impl<'m> History<'m> {
    /// Continues the histogram of service times in bins of `bin` slots that `counters` hold; zeros hold none. `None` with
    /// fewer than two counters, or bins of no slots.
    #[must_use]
    pub fn of_service_times(bin: Span, counters: &'m mut [u32]) -> Option<Self> {
        let scale = Scale::ServiceTime { bin };
        (counters.len() >= 2 && bin > Span::ZERO).then_some(Self { scale, counters })
    }

    /// Continues the histogram of used shares that `counters` hold; zeros hold none. The bins divide the booked duration
    /// equally. `None` with fewer than two counters.
    #[must_use]
    pub fn of_used_shares(counters: &'m mut [u32]) -> Option<Self> {
        let scale = Scale::UsedShare;
        (counters.len() >= 2).then_some(Self { scale, counters })
    }

    /// Counts a run that was booked for `booked` and ended by itself after `ran`. When four billion runs have been
    /// counted, all counters are halved first. O(bins).
    pub fn record(&mut self, booked: Span, ran: Span) {
        let bin = self.bins(ran, booked).1.saturating_sub(1);
        self.count(bin);
    }

    /// Counts a run that was stopped at its booked end: all that is known of it is that it takes longer, so it counts
    /// into the last counter. O(bins).
    pub fn record_stopped(&mut self) {
        self.count(usize::MAX);
    }

    /// Counts into a bin, or into the last counter behind all bins.
    fn count(&mut self, bin: usize) {
        if self.sum(0, usize::MAX) >= u32::MAX - 1 {
            for counter in self.counters.iter_mut() {
                *counter /= 2;
            }
        }
        let last = self.counters.len().saturating_sub(1);
        if let Some(counter) = self.counters.get_mut(bin.min(last)) {
            *counter = counter.saturating_add(1);
        }
    }

    /// Returns the probability, rounded down, that a run takes at most `within`, given that it takes longer than `ran`.
    pub(super) fn at_most(&self, booked: Span, ran: Span, within: Span) -> Probability {
        let last = self.counters.len().saturating_sub(1);
        let (first, end) = (self.bins(ran, booked).1, self.bins(within, booked).0);
        self.share(self.sum(first, end.min(last)), booked, ran)
    }

    /// Returns the probability, rounded down, that a run takes longer than `within`, given that it takes longer than
    /// `ran`.
    pub(super) fn longer_than(&self, booked: Span, ran: Span, within: Span) -> Probability {
        let first = self.bins(within, booked).1;
        self.share(self.sum(first, usize::MAX), booked, ran)
    }

    /// Returns the share of `part` in all runs that may have taken longer than `ran`, and one more.
    fn share(&self, part: u32, booked: Span, ran: Span) -> Probability {
        let last = self.counters.len().saturating_sub(1);
        let longer = self.sum(self.bins(ran, booked).0.min(last), usize::MAX);
        Probability::rounding_down(part, longer.saturating_add(1)).unwrap_or_default()
    }

    /// Returns how many bins lie wholly within a length, and how many it reaches into.
    fn bins(&self, length: Span, booked: Span) -> (usize, usize) {
        let (times, divisor) = match self.scale {
            Scale::ServiceTime { bin } => (1, bin),
            Scale::UsedShare => (self.counters.len().saturating_sub(1), booked),
        };
        let scaled = u64::from(length.get()).saturating_mul(times as u64);
        let divisor = u64::from(divisor.get().max(1));
        let down = scaled.checked_div(divisor).unwrap_or_default();
        (down as usize, scaled.div_ceil(divisor) as usize)
    }

    /// Returns the sum of the counters from `first` to before `end`.
    fn sum(&self, first: usize, end: usize) -> u32 {
        let counters = self.counters.iter().take(end).skip(first);
        counters.fold(0, |sum, &counter| sum.saturating_add(counter))
    }
}
