//! Memory that stands for a flash, and whose power goes: a reset leaves it as it is, with the word that was being written in part.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use cortex_m::peripheral::SCB;
use embedded_storage_async::nor_flash::{ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash};
use fastrand::Rng;

use crate::log::PAGES;

/// The bytes of a page, as of many microcontrollers.
const PAGE: usize = 4096;
const WORD: usize = 4;
const WORDS: usize = 2 * PAGES * PAGE / WORD;
/// How many words are erased while one would be written: a page is not as good as never cut.
const ERASED_AT_ONCE: usize = 16;

/// The words, and what happened to them. Any bits will do.
pub struct Cells {
    words: [AtomicU32; WORDS],
    /// How many words are written until the power goes.
    power: AtomicU32,
    /// 1 while words are written or erased.
    busy: AtomicU32,
    /// How many words have been written, and pages erased.
    pub written: AtomicU32,
    pub erased: AtomicU32,
    /// How many writes and erasures were cut.
    pub torn: AtomicU32,
}

impl Cells {
    /// All erased, as it comes from the factory.
    pub fn clear(&self) {
        self.words
            .iter()
            .for_each(|word| word.store(u32::MAX, Relaxed));
        for count in [&self.busy, &self.written, &self.erased, &self.torn] {
            count.store(0, Relaxed);
        }
    }

    /// The power is there again, until so many words have been written.
    pub fn power_on(&self, words: u32) {
        add(&self.torn, self.busy.load(Relaxed));
        self.busy.store(0, Relaxed);
        self.power.store(words, Relaxed);
    }

    /// Changes words one by one, and the last one in part only when the power goes.
    fn change(&self, first: usize, values: impl Iterator<Item = u32>, at_once: usize) {
        self.busy.store(1, Relaxed);
        for (index, (word, new)) in self.words[first..].iter().zip(values).enumerate() {
            let power = self.power.load(Relaxed);
            if power == 0 {
                let some_bits = Rng::with_seed(self.written.load(Relaxed).into()).u32(..);
                let old = word.load(Relaxed);
                word.store(old & some_bits | new & !some_bits, Relaxed);
                SCB::sys_reset();
            }
            if index % at_once == 0 {
                self.power.store(power - 1, Relaxed);
            }
            word.store(new, Relaxed);
        }
        self.busy.store(0, Relaxed);
    }
}

/// Adds to a count. There is one core, and no interrupt counts.
pub fn add(count: &AtomicU32, more: u32) {
    count.store(count.load(Relaxed) + more, Relaxed);
}

/// The driver. Who leaves the flash panics.
#[derive(Clone, Copy)]
pub struct Flash(pub &'static Cells);

impl ErrorType for Flash {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = WORD;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        let words = &self.0.words[offset as usize / WORD..];
        for (bytes, word) in bytes.chunks_exact_mut(WORD).zip(words) {
            bytes.copy_from_slice(&word.load(Relaxed).to_le_bytes());
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        WORDS * WORD
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = PAGE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        let words = (to - from) as usize / WORD;
        self.0.change(
            from as usize / WORD,
            core::iter::repeat_n(u32::MAX, words),
            ERASED_AT_ONCE,
        );
        add(&self.0.erased, (words * WORD / PAGE) as u32);
        Ok(())
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        let first = offset as usize / WORD;
        let (words, _) = bytes.as_chunks::<WORD>();
        let values = words.iter().copied().map(u32::from_le_bytes);
        // Only an erasure sets bits.
        let cells = &self.0.words[first..];
        if !cells
            .iter()
            .zip(values.clone())
            .all(|(word, new)| word.load(Relaxed) & new == new)
        {
            return Err(NorFlashErrorKind::Other);
        }
        self.0.change(first, values, 1);
        add(&self.0.written, words.len() as u32);
        Ok(())
    }
}
