//! The mistakes of a caller.

/// The bytes by which a caller is careless, used again and again; without any it never is.
#[derive(Clone, Debug, Default)]
pub struct Careless {
    bytes: Vec<u8>,
    next: usize,
    /// How many calls were made with a mistake.
    pub mistakes: u64,
}

impl Careless {
    /// Careless as these bytes say.
    #[must_use]
    pub const fn by(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            next: 0,
            mistakes: 0,
        }
    }

    /// The next byte; each time around they say something else.
    pub fn byte(&mut self) -> Option<u8> {
        let round = self.next.checked_div(self.bytes.len())?;
        let byte = self.bytes[self.next % self.bytes.len()];
        self.next += 1;
        Some(byte.wrapping_add(37_usize.wrapping_mul(round) as u8))
    }

    /// The next eight bytes as a number; about half of them are small, and some as large as can be.
    pub fn number(&mut self) -> u64 {
        let bytes = [(); 8].map(|()| self.byte().unwrap_or(0));
        let number = u64::from_le_bytes(bytes);
        match number % 8 {
            0..4 => number >> 58,
            4..6 => number >> 40,
            6 => u64::MAX - (number >> 60),
            _ => number,
        }
    }

    /// Which argument of the next call is wrong, and how, given in how many ways each can be.
    pub fn mistake(&mut self, ways: &[u32]) -> Option<Mistake> {
        let byte = self.byte().filter(|byte| *byte >= 160)?;
        let all: u32 = ways.iter().sum();
        let mut how = (u32::from(byte) + self.next as u32).checked_rem(all)?;
        for (place, ways) in ways.iter().enumerate() {
            match how.checked_sub(*ways) {
                Some(rest) => how = rest,
                None => return Some(Mistake { place, how }),
            }
        }
        None
    }
}

/// An argument that is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Mistake {
    place: usize,
    how: u32,
}

impl Mistake {
    /// How the argument at that place is wrong, if it is.
    pub fn at(self, place: Option<usize>) -> Option<u32> {
        (place == Some(self.place)).then_some(self.how)
    }

    /// It was noticed, and nothing was written.
    pub fn check(self, name: &str, code: u32, is_kept: bool) {
        assert_ne!(code, 0, "{name} does not notice {self:?}");
        assert!(is_kept, "{name} has written for {self:?}, {code}");
    }
}
