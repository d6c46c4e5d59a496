//! Stores that crash, on a disk that forgets what it may, and on a real one.

mod acts;
mod crashes;
mod disk;
mod kills;
mod nodes;
