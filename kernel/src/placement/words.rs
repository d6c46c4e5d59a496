//! Counting in a word that consists of equal parts, for all parts at once. The bits of a part are a power of two, given by its logarithm.

/// For each logarithm, the lowest bit of each part.
const ONES: [u64; 7] = [
    u64::MAX,
    0x5555_5555_5555_5555,
    0x1111_1111_1111_1111,
    0x0101_0101_0101_0101,
    0x0001_0001_0001_0001,
    0x0000_0001_0000_0001,
    1,
];

/// For each logarithm, the lower half of each part of twice that size.
const HALVES: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0F0F_0F0F_0F0F_0F0F,
    0x00FF_00FF_00FF_00FF,
    0x0000_FFFF_0000_FFFF,
    0x0000_0000_FFFF_FFFF,
];

/// Returns the lowest bit of each part in which at least `need` bits are set, which is at least 1 and at most the part's size.
pub(super) fn at_least(word: u64, log: u8, need: u32) -> u64 {
    let ones = ONES.get(usize::from(log)).copied().unwrap_or(1);
    match (log, need) {
        (0, _) => return word,
        // The parts are too narrow for the addition below.
        (1, 1) => return (word | word >> 1) & ones,
        (1, _) => return (word & word >> 1) & ones,
        _ => (),
    }
    let mut counts = word;
    for (step, half) in HALVES.iter().enumerate().take(usize::from(log)) {
        let bits = 1_u32.wrapping_shl(step as u32);
        counts = (counts & half).wrapping_add(counts.wrapping_shr(bits) & half);
    }
    // Adding this carries into the highest bit of a part exactly if its count is at least what is needed.
    let top = 1_u32.wrapping_shl(log.into()).wrapping_sub(1);
    let carry = 1_u64.wrapping_shl(top).wrapping_sub(need.into());
    let sums = counts.wrapping_add(ones.wrapping_mul(carry));
    sums.wrapping_shr(top) & ones
}

/// Collects the lowest bits of all parts at the lower end of the word; no other bit may be set.
pub(super) fn squeeze(word: u64, log: u8) -> u64 {
    let mut squeezed = word;
    // Runs of `len` bits lie 2^apart bits from each other, and each step joins two of them.
    let mut len = 1_u32;
    for apart in log..6 {
        if log == 0 {
            break;
        }
        let gap = 1_u32.wrapping_shl(apart.into()).wrapping_sub(len);
        squeezed |= squeezed.wrapping_shr(gap);
        len = len.wrapping_mul(2);
        let runs = ONES.get(usize::from(apart).wrapping_add(1)).copied();
        squeezed &= runs.unwrap_or(1).wrapping_mul(low_bits(len));
    }
    squeezed
}

/// Returns a word of which the `count` lowest bits are set.
pub(super) const fn low_bits(count: u32) -> u64 {
    if count >= 64 {
        u64::MAX
    } else {
        1_u64.wrapping_shl(count).wrapping_sub(1)
    }
}
