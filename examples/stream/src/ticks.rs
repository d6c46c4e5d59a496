//! A tick counter that wraps, widened to one that does not.

/// Counts the ticks since it was made, from readings of a 32-bit counter that wraps.
///
/// The counter has to be read at least once in 2^32 ticks, or a whole turn of it goes unnoticed. A counter of fewer bits is read
/// shifted to the top: `counter << 8` for one of 24 bits, and the total is shifted back down.
///
/// ```
/// use bookahead_stream::Ticks;
///
/// let mut ticks = Ticks::starting_at(u32::MAX - 1);
/// assert_eq!(ticks.total(u32::MAX), 1);
/// assert_eq!(ticks.total(3), 5);
/// assert_eq!(ticks.total(3), 5);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ticks {
    reading: u32,
    total: u64,
}

impl Ticks {
    /// Counts from now on, `reading` being what the counter says now.
    #[must_use]
    pub const fn starting_at(reading: u32) -> Self {
        Self { reading, total: 0 }
    }

    /// How many ticks have passed, `reading` being what the counter says now. O(1).
    pub const fn total(&mut self, reading: u32) -> u64 {
        // Modulo 2^32 the difference is right whether or not the counter wrapped in between.
        self.total += reading.wrapping_sub(self.reading) as u64;
        self.reading = reading;
        self.total
    }
}
