//! The summaries of many books: which of them may have a start in a stretch of time.

use alloc::{boxed::Box, vec::Vec};
use core::ops::Range;

use bookahead::{PeCount, Slot, Span, Window, raw::ProfileStep};

use crate::{SizeError, arrays::Arrays};

/// Books whose entries lie side by side, and are compared together.
pub(super) const GROUP: usize = 64;
/// The most buckets that a horizon is divided into. A bucket has as many slots, a power of two, as that takes.
const MOST_BUCKETS: u32 = 2_048;
/// How far behind the end of a bucket the runs that begin in it are followed, in buckets and in slots at least. Longer ones count as endless, so that a
/// change leaves entries of far buckets as they are.
const REACH: (u64, u64) = (4, 64);
/// The entry of a book that may have a run of any length.
const ANY: u8 = u8::MAX;
/// The leading bits of numbers of slots that are kept, behind the first one: lengths differ by an eighth at most where they are taken for equal.
const LENGTH_BITS: u32 = 3;
/// The most classes of numbers of processing elements.
const MOST_CLASSES: usize = class(u32::MAX);

/// For each bucket of time, each class of numbers of processing elements and each book: how long a run of slots, each with so many free, begins in the
/// bucket at most.
///
/// Invariant: if a job of `pes` processing elements for `duration` slots can start in a slot of a bucket in a book, [`may_start`](Self::may_start) has the
/// bit of that book. What
/// is not known is [`ANY`]. Lengths are rounded by [`code`], which is monotone, so no rounding can break this.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    /// Ordered by bucket, circularly, then by class, then by group.
    entries: Box<[u8]>,
    groups: usize,
    classes: usize,
    buckets: u64,
    /// The slots of a bucket, as a power of two.
    shift: u32,
    /// The number of the first bucket that there are entries of.
    first: u64,
}

impl Summary {
    /// Creates a summary of so many groups of books, of up to `pes` processing elements and `horizon` slots, of which nothing is known.
    pub(super) fn new(groups: usize, pes: PeCount, horizon: Span) -> Result<Self, SizeError> {
        let bytes = Self::bytes(groups, pes, horizon);
        let mut entries = Arrays::within(bytes, usize::MAX)?.array(bytes)?;
        entries.fill(ANY);
        Ok(Self {
            entries,
            groups,
            classes: class(pes.get()),
            buckets: buckets(horizon),
            shift: shift(horizon),
            first: 0,
        })
    }

    /// Returns the bytes of the entries of so many groups of books.
    pub(super) const fn bytes(groups: usize, pes: PeCount, horizon: Span) -> usize {
        groups * GROUP * class(pes.get()) * buckets(horizon) as usize
    }

    /// Forgets the buckets before that of `now`, in favour of those that the horizon reaches next. O(entries of a bucket) for each of them.
    pub(super) fn move_on(&mut self, now: Slot) {
        let first = self.bucket(now).max(self.first);
        let moved = (first - self.first).min(self.buckets);
        for number in first - moved..first {
            let start = self.place(number, 0, 0);
            let all = start..self.place(number, self.classes, 0);
            self.entries[all].fill(ANY);
        }
        self.first = first;
    }

    /// Returns for each book of a group, as a bit, whether a job may start in a bucket: all of them where nothing is known. O(1).
    pub(super) fn may_start(&self, number: u64, group: usize, pes: PeCount, duration: Span) -> u64 {
        if !self.numbers().contains(&number) {
            return u64::MAX;
        }
        // No book has so many, or the request is for none: that is for the books to say.
        let class = class(pes.get()).wrapping_sub(1);
        if class >= self.classes {
            return u64::MAX;
        }
        let start = self.place(number, class, group);
        let entries = &self.entries[start..start + GROUP];
        let least = code(duration.get());
        if entries.iter().fold(0, |most, entry| most.max(*entry)) < least {
            return 0;
        }
        let bits = entries.iter().enumerate();
        bits.fold(0, |bits, (place, entry)| {
            bits | u64::from(*entry >= least) << place
        })
    }

    /// Returns the stretch of its profile that has to be known of a book, in which something has changed in `window`.
    pub(super) fn to_know(&self, window: Window) -> Window {
        let behind = self.start_of(self.bucket(window.end) + 1);
        Window {
            start: self.start_of(self.bucket(self.before(window.start))),
            end: Slot::new(behind.get().saturating_add(self.reach())),
        }
    }

    /// Notes how a book is, of which something has changed in `window`; `steps` are its profile [there](Self::to_know). O(steps + buckets x classes).
    pub(super) fn note(
        &mut self,
        book: usize,
        pes: PeCount,
        window: Window,
        steps: &[ProfileStep],
    ) {
        if window.is_empty() {
            return;
        }
        let last = self.bucket(Slot::new(window.end.get() - 1));
        let known = self.numbers();
        let range =
            self.bucket(self.before(window.start)).max(known.start)..(last + 1).min(known.end);
        for number in range.clone() {
            for class in 0..self.classes {
                *self.entry(number, class, book) = 0;
            }
        }
        // Where the runs began that have not ended, one for each class: that of a higher one begins no earlier and ends no later.
        let mut runs = Vec::with_capacity(MOST_CLASSES);
        for step in steps {
            let free = class(pes.get().saturating_sub(step.busy.get()));
            while runs.len() > free {
                let start = runs.pop().unwrap_or(step.at);
                self.note_run(
                    book,
                    runs.len(),
                    Window {
                        start,
                        end: step.at,
                    },
                    &range,
                );
            }
            if step.at < self.start_of(range.end) {
                runs.resize(free, step.at);
            }
        }
        while let Some(start) = runs.pop() {
            let end = Slot::new(u64::MAX);
            self.note_run(book, runs.len(), Window { start, end }, &range);
        }
    }

    /// Notes a run in the buckets of `range` in which it begins, or is under way.
    fn note_run(&mut self, book: usize, class: usize, run: Window, range: &Range<u64>) {
        let last = self.bucket(Slot::new(run.end.get() - 1)) + 1;
        for number in self.bucket(run.start).max(range.start)..last.min(range.end) {
            let start = run.start.max(self.start_of(number));
            let behind = self.start_of(number + 1).get();
            let endless = behind.saturating_add(self.reach()) <= run.end.get();
            let length = (run.end.get() - start.get()) as u32;
            let noted = if endless { ANY } else { code(length) };
            let entry = self.entry(number, class, book);
            *entry = noted.max(*entry);
        }
    }

    fn entry(&mut self, number: u64, class: usize, book: usize) -> &mut u8 {
        let start = self.place(number, class, book / GROUP);
        &mut self.entries[start + book % GROUP]
    }

    /// Returns where the entries of a bucket, a class and a group begin.
    fn place(&self, number: u64, class: usize, group: usize) -> usize {
        let row = (number % self.buckets) as usize * self.classes + class;
        (row * self.groups + group) * GROUP
    }

    /// Returns the number of the bucket in which a slot lies.
    pub(super) const fn bucket(&self, slot: Slot) -> u64 {
        slot.get() >> self.shift
    }

    /// Returns the first slot of a bucket.
    pub(super) const fn start_of(&self, number: u64) -> Slot {
        Slot::new(number.saturating_mul(1 << self.shift))
    }

    /// Returns how many slots behind the end of a bucket are looked at.
    fn reach(&self) -> u64 {
        REACH.1.max(REACH.0 << self.shift)
    }

    /// Returns a slot in the first bucket whose runs may end at `slot`.
    fn before(&self, slot: Slot) -> Slot {
        Slot::new(slot.get().saturating_sub(self.reach()))
    }

    /// Returns the numbers of the buckets that there are entries of.
    fn numbers(&self) -> Range<u64> {
        self.first..self.first + self.buckets
    }
}

/// Returns how many buckets a horizon reaches into, however it lies.
const fn buckets(horizon: Span) -> u64 {
    horizon.get().div_ceil(1 << shift(horizon)) as u64 + 1
}

/// Returns the least power of two by which a horizon is divided into no more than [`MOST_BUCKETS`].
const fn shift(horizon: Span) -> u32 {
    let mut shift = 0;
    while horizon.get().div_ceil(1 << shift) > MOST_BUCKETS {
        shift += 1;
    }
    shift
}

/// Returns the number of classes of up to so many processing elements: 0, 1, 2 to 3, 4 to 7, and so on.
const fn class(pes: u32) -> usize {
    (u32::BITS - pes.leading_zeros()) as usize
}

/// Returns the magnitude of a number of slots, and the [`LENGTH_BITS`] bits behind its first one: a number that is no smaller has a code that is no smaller.
/// All are less than [`ANY`].
const fn code(slots: u32) -> u8 {
    let code = match slots >> LENGTH_BITS {
        0 => slots,
        high => {
            let magnitude = high.ilog2();
            let behind = (slots >> magnitude) & ((1 << LENGTH_BITS) - 1);
            ((magnitude + 1) << LENGTH_BITS) | behind
        }
    };
    code as u8
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{ANY, code};

    #[test]
    fn codes_are_in_the_order_of_what_they_stand_for() {
        let few = 0..1_u32 << 16;
        let many =
            (16..32).flat_map(|bits| (0..1_000).map(move |at| (1 << bits) + (at << (bits - 10))));
        let codes: Vec<u8> = few.chain(many).chain([u32::MAX]).map(code).collect();
        assert!(codes.is_sorted());
        assert!(codes.iter().all(|code| *code < ANY));
        // Lengths that count as equal differ by less than an eighth.
        assert_eq!([63, 64, 71, 72].map(code), [31, 32, 32, 33]);
    }
}
