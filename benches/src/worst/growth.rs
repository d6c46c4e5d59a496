//! How the worst cases grow.
