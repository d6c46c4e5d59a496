//! Small host programs that embed the kernel; each lives in `src/bin/`.

/// The examples of the pages for embedders, compiled and run.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../README.md")]
    struct Readme;
    #[doc = include_str!("../../docs/embedding.md")]
    struct Embedding;
}
