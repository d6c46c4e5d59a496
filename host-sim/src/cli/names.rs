//! Options whose values are the names of a closed set.

/// The one of that name, or what names there are.
pub(super) fn one_of<T: Copy, const N: usize>(
    name: &str,
    all: [T; N],
    name_of: fn(T) -> &'static str,
) -> Result<T, String> {
    let found = all.into_iter().find(|one| name_of(*one) == name);
    found.ok_or_else(|| format!("expected one of {}", all.map(name_of).join(", ")))
}
