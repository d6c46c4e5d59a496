//! Growing stretches over busy counts.

use super::shape::{Field, Stretch};

/// A stretch is as busy as its fullest slot.
pub(crate) struct CountStretch<'r> {
    pub(crate) field: Field<'r>,
    pub(crate) peak: u16,
}

impl Stretch for CountStretch<'_> {
    fn begin(&mut self, offset: usize) {
        self.peak = 0;
        self.extend(offset, u16::MAX);
    }

    fn extend(&mut self, offset: usize, limit: u16) -> bool {
        let Field { axis, counts, .. } = self.field;
        let peak = self.peak.max(counts.at(axis.place(offset)));
        let fits = peak <= limit;
        if fits {
            self.peak = peak;
        }
        fits
    }

    fn busy(&self) -> u16 {
        self.peak
    }
}
