//! The first and the last of several counts that are above a bound, or within it, many at a time.

/// Returns the last of `counts` above `max_busy`, `N` at a time, so that the compiler can vectorise the comparison.
pub(super) fn last_above<const N: usize>(counts: &[u16], max_busy: u16) -> Option<usize> {
    last_with::<N>(
        counts,
        |chunk| any_above(chunk, max_busy),
        |busy| busy > max_busy,
    )
}

/// Returns the first of `counts` above `max_busy`, as [`last_above`] returns the last.
pub(super) fn first_above<const N: usize>(counts: &[u16], max_busy: u16) -> Option<usize> {
    first_with::<N>(
        counts,
        |chunk| any_above(chunk, max_busy),
        |busy| busy > max_busy,
    )
}

/// Returns the last of `counts` that is at most `max_busy`, as [`last_above`].
pub(super) fn last_within<const N: usize>(counts: &[u16], max_busy: u16) -> Option<usize> {
    last_with::<N>(
        counts,
        |chunk| any_within(chunk, max_busy),
        |busy| busy <= max_busy,
    )
}

/// Returns the first of `counts` that is at most `max_busy`, as [`last_above`] returns the last.
pub(super) fn first_within<const N: usize>(counts: &[u16], max_busy: u16) -> Option<usize> {
    first_with::<N>(
        counts,
        |chunk| any_within(chunk, max_busy),
        |busy| busy <= max_busy,
    )
}

/// How many of the counts that are left are compared at once.
const FEWER: usize = 8;

/// Returns the last of `counts` that is `wanted`. One in a chunk is if `any` is.
#[inline(always)]
fn last_with<const N: usize>(
    counts: &[u16],
    any: impl Fn(&[u16]) -> bool,
    wanted: impl Fn(u16) -> bool,
) -> Option<usize> {
    let last = |counts: &[u16]| counts.iter().rposition(|busy| wanted(*busy));
    let rest = match last_in_chunks::<N>(counts, &any, last) {
        Ok(found) => return Some(found),
        Err(rest) => rest,
    };
    match last_in_chunks::<FEWER>(rest, &any, last) {
        Ok(found) => Some(found),
        Err(few) => last(few),
    }
}

/// Returns the `last` in the last chunk with `any`, or what comes before the chunks.
#[inline(always)]
fn last_in_chunks<const N: usize>(
    counts: &[u16],
    any: impl Fn(&[u16]) -> bool,
    last: impl Fn(&[u16]) -> Option<usize>,
) -> Result<usize, &[u16]> {
    let (rest, chunks) = counts.as_rchunks::<N>();
    for (index, chunk) in chunks.iter().enumerate().rev() {
        if any(chunk) {
            let before = index.wrapping_mul(N).wrapping_add(rest.len());
            return Ok(before.wrapping_add(last(chunk).unwrap_or_default()));
        }
    }
    Err(rest)
}

/// Returns the first of `counts` that is `wanted`, as [`last_with`] returns the last.
#[inline(always)]
fn first_with<const N: usize>(
    counts: &[u16],
    any: impl Fn(&[u16]) -> bool,
    wanted: impl Fn(u16) -> bool,
) -> Option<usize> {
    let first = |counts: &[u16]| counts.iter().position(|busy| wanted(*busy));
    let within =
        |rest: &[u16], found: usize| counts.len().wrapping_sub(rest.len()).wrapping_add(found);
    let rest = match first_in_chunks::<N>(counts, &any, first) {
        Ok(found) => return Some(found),
        Err(rest) => rest,
    };
    match first_in_chunks::<FEWER>(rest, &any, first) {
        Ok(found) => Some(within(rest, found)),
        Err(few) => first(few).map(|found| within(few, found)),
    }
}

/// Returns the `first` in the first chunk with `any`, or what comes behind the chunks.
#[inline(always)]
fn first_in_chunks<const N: usize>(
    counts: &[u16],
    any: impl Fn(&[u16]) -> bool,
    first: impl Fn(&[u16]) -> Option<usize>,
) -> Result<usize, &[u16]> {
    let (chunks, rest) = counts.as_chunks::<N>();
    for (index, chunk) in chunks.iter().enumerate() {
        if any(chunk) {
            let before = index.wrapping_mul(N);
            return Ok(before.wrapping_add(first(chunk).unwrap_or_default()));
        }
    }
    Err(rest)
}

/// Returns whether any of `counts` is above `max_busy`. What is above is joined bit by bit, which vector instructions test at once; a maximum
/// would have to be found among their lanes first. Inlined, so that the bound is spread over the lanes once in a loop.
#[inline(always)]
fn any_above(counts: &[u16], max_busy: u16) -> bool {
    let above = |all, busy: &u16| all | busy.saturating_sub(max_busy);
    counts.iter().fold(0, above) != 0
}

/// Returns whether any of `counts` is at most `max_busy`, as [`any_above`]; nothing is above the greatest bound.
#[inline(always)]
fn any_within(counts: &[u16], max_busy: u16) -> bool {
    let Some(beyond) = max_busy.checked_add(1) else {
        return !counts.is_empty();
    };
    let within = |all, busy: &u16| all | beyond.saturating_sub(*busy);
    counts.iter().fold(0, within) != 0
}
