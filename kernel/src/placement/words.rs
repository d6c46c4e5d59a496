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

/// Returns of each word the lowest bit of each part in which at least `need` bits are set, which is at least 1 and at most the part's size.
pub(crate) fn at_least<const WORDS: usize>(
    words: [u64; WORDS],
    log: u8,
    need: u32,
) -> [u64; WORDS] {
    let ones = ONES.get(usize::from(log)).copied().unwrap_or(1);
    let halves = (0..log).rev().map(|step| 1_u32.wrapping_shl(step.into()));
    // Whole parts, and any bit of them, take fewer steps than counting; parts of up to two bits are too narrow for the addition below.
    if need == 1_u32.wrapping_shl(log.into()) {
        let whole = |all: [u64; WORDS], half| all.map(|word| word & word.wrapping_shr(half));
        return halves.fold(words, whole).map(|word| word & ones);
    }
    if need == 1 {
        let any = |any: [u64; WORDS], half| any.map(|word| word | word.wrapping_shr(half));
        return halves.fold(words, any).map(|word| word & ones);
    }
    let mut counts = words;
    for (step, half) in HALVES.iter().enumerate().take(usize::from(log)) {
        let bits = 1_u32.wrapping_shl(step as u32);
        counts = counts.map(|word| (word & half).wrapping_add(word.wrapping_shr(bits) & half));
    }
    // Adding this carries into the highest bit of a part exactly if its count is at least what is needed.
    let top = 1_u32.wrapping_shl(log.into()).wrapping_sub(1);
    let carry = 1_u64.wrapping_shl(top).wrapping_sub(need.into());
    let add = ones.wrapping_mul(carry);
    counts.map(|word| word.wrapping_add(add).wrapping_shr(top) & ones)
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
