//! The command `bookahead`.
fn main() {}
