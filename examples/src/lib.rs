//! Small host programs that embed the kernel; each lives in `src/bin/`.

/// The examples of the page, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/embedding.md")]
struct Embedding;
