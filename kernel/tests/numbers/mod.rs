//! Numbers that look random and are always the same.

/// By Marsaglia's shifts, from a seed that is not 0.
pub struct Numbers(pub u64);

impl Numbers {
    /// One below the limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
