//! The first and the last of several counts that are above a bound, or within it, many at a time.

use crate::ring::count::Count;

/// Returns the last of `counts` above `max_busy`, `LANES` at a time, so that the compiler can vectorise the comparison.
pub(super) fn last_above<const LANES: usize, N: Count>(counts: &[N], max_busy: N) -> Option<usize> {
    last_with::<LANES, N>(
        counts,
        |chunk| any_above(chunk, max_busy),
        |busy| busy > max_busy,
    )
}

/// Returns the first of `counts` above `max_busy`, as [`last_above`] returns the last.
pub(super) fn first_above<const LANES: usize, N: Count>(
    counts: &[N],
    max_busy: N,
) -> Option<usize> {
    first_with::<LANES, N>(
        counts,
        |chunk| any_above(chunk, max_busy),
        |busy| busy > max_busy,
    )
}

/// Returns the last of `counts` that is at most `max_busy`, as [`last_above`].
pub(super) fn last_within<const LANES: usize, N: Count>(
    counts: &[N],
    max_busy: N,
) -> Option<usize> {
    last_with::<LANES, N>(
        counts,
        |chunk| any_within(chunk, max_busy),
        |busy| busy <= max_busy,
    )
}

/// Returns the first of `counts` that is at most `max_busy`, as [`last_above`] returns the last.
pub(super) fn first_within<const LANES: usize, N: Count>(
    counts: &[N],
    max_busy: N,
) -> Option<usize> {
    first_with::<LANES, N>(
        counts,
        |chunk| any_within(chunk, max_busy),
        |busy| busy <= max_busy,
    )
}

/// How many of the counts that are left are compared at once.
const FEWER: usize = 8;

/// Returns the last of `counts` that is `wanted`. One in a chunk is if `any` is.
#[inline(always)]
fn last_with<const LANES: usize, N: Count>(
    counts: &[N],
    any: impl Fn(&[N]) -> bool,
    wanted: impl Fn(N) -> bool,
) -> Option<usize> {
    let last = |counts: &[N]| counts.iter().rposition(|busy| wanted(*busy));
    let rest = match last_in_chunks::<LANES, N>(counts, &any, last) {
        Ok(found) => return Some(found),
        Err(rest) => rest,
    };
    match last_in_chunks::<FEWER, N>(rest, &any, last) {
        Ok(found) => Some(found),
        Err(few) => last(few),
    }
}

/// Returns the `last` in the last chunk with `any`, or what comes before the chunks.
#[inline(always)]
fn last_in_chunks<const LANES: usize, N: Count>(
    counts: &[N],
    any: impl Fn(&[N]) -> bool,
    last: impl Fn(&[N]) -> Option<usize>,
) -> Result<usize, &[N]> {
    let (rest, chunks) = counts.as_rchunks::<LANES>();
    for (index, chunk) in chunks.iter().enumerate().rev() {
        if any(chunk) {
            let before = index.wrapping_mul(LANES).wrapping_add(rest.len());
            return Ok(before.wrapping_add(last(chunk).unwrap_or_default()));
        }
    }
    Err(rest)
}

/// Returns the first of `counts` that is `wanted`, as [`last_with`] returns the last.
#[inline(always)]
fn first_with<const LANES: usize, N: Count>(
    counts: &[N],
    any: impl Fn(&[N]) -> bool,
    wanted: impl Fn(N) -> bool,
) -> Option<usize> {
    let first = |counts: &[N]| counts.iter().position(|busy| wanted(*busy));
    let within =
        |rest: &[N], found: usize| counts.len().wrapping_sub(rest.len()).wrapping_add(found);
    let rest = match first_in_chunks::<LANES, N>(counts, &any, first) {
        Ok(found) => return Some(found),
        Err(rest) => rest,
    };
    match first_in_chunks::<FEWER, N>(rest, &any, first) {
        Ok(found) => Some(within(rest, found)),
        Err(few) => first(few).map(|found| within(few, found)),
    }
}

/// Returns the `first` in the first chunk with `any`, or what comes behind the chunks.
#[inline(always)]
fn first_in_chunks<const LANES: usize, N: Count>(
    counts: &[N],
    any: impl Fn(&[N]) -> bool,
    first: impl Fn(&[N]) -> Option<usize>,
) -> Result<usize, &[N]> {
    let (chunks, rest) = counts.as_chunks::<LANES>();
    for (index, chunk) in chunks.iter().enumerate() {
        if any(chunk) {
            let before = index.wrapping_mul(LANES);
            return Ok(before.wrapping_add(first(chunk).unwrap_or_default()));
        }
    }
    Err(rest)
}

/// Returns whether any of `counts` is above `max_busy`. What is above is joined bit by bit, which vector instructions test at once; a maximum
/// would have to be found among their lanes first. Inlined, so that the bound is spread over the lanes once in a loop.
#[inline(always)]
fn any_above<N: Count>(counts: &[N], max_busy: N) -> bool {
    let above = |all, busy: &N| all | busy.above(max_busy);
    counts.iter().fold(N::ZERO, above) != N::ZERO
}

/// Returns whether any of `counts` is at most `max_busy`, as [`any_above`]; nothing is above the greatest bound.
#[inline(always)]
fn any_within<N: Count>(counts: &[N], max_busy: N) -> bool {
    let Some(beyond) = max_busy.next() else {
        return !counts.is_empty();
    };
    let within = |all, busy: &N| all | beyond.above(*busy);
    counts.iter().fold(N::ZERO, within) != N::ZERO
}
