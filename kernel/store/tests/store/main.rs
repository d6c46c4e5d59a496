//! Stores that crash, on a disk that forgets what it may, and on a real one.

mod campaign;
mod crashes;
mod files;
mod formats;
mod kills;
mod nodes;
mod replaced;
mod rules;
mod sizes;
