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

/// Returns the last of `counts` that is `wanted`. One in a chunk is if `any` is.
#[inline(always)]
fn last_with<const N: usize>(
    counts: &[u16],
    any: impl Fn(&[u16; N]) -> bool,
    wanted: impl Fn(u16) -> bool,
) -> Option<usize> {
    let (rest, chunks) = counts.as_rchunks::<N>();
    for (index, chunk) in chunks.iter().enumerate().rev() {
        if any(chunk) {
            let found = chunk.iter().rposition(|busy| wanted(*busy))?;
            let before = index.wrapping_mul(N).wrapping_add(rest.len());
            return Some(before.wrapping_add(found));
        }
    }
    rest.iter().rposition(|busy| wanted(*busy))
}

/// Returns the first of `counts` that is `wanted`. One in a chunk is if `any` is.
#[inline(always)]
fn first_with<const N: usize>(
    counts: &[u16],
    any: impl Fn(&[u16; N]) -> bool,
    wanted: impl Fn(u16) -> bool,
) -> Option<usize> {
    let (chunks, rest) = counts.as_chunks::<N>();
    for (index, chunk) in chunks.iter().enumerate() {
        if any(chunk) {
            let found = chunk.iter().position(|busy| wanted(*busy))?;
            return Some(index.wrapping_mul(N).wrapping_add(found));
        }
    }
    let found = rest.iter().position(|busy| wanted(*busy))?;
    Some(chunks.len().wrapping_mul(N).wrapping_add(found))
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
