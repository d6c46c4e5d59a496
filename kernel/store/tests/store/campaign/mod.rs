//! What a store goes through, for tests and for the program `store-crash`: what was lost, and what was there that never happened, is counted by kind of fault.

pub mod acts;
pub mod disk;
pub mod kills;
pub mod life;
pub mod media;

use std::fmt;

/// What has been seen of one kind of fault.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub kind: &'static str,
    pub points: u64,
    /// How often a confirmed change was missing.
    pub lost: u64,
    /// How often a book was as it never had been.
    pub phantom: u64,
    /// How often damage was neither named with its place nor reported as a tail, and did matter.
    pub unnamed: u64,
    /// What else there is to say, which shows that something was tried.
    pub notes: Vec<(&'static str, u64)>,
}

impl Tally {
    pub fn new(kind: &'static str) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }

    pub fn note(&mut self, what: &'static str, count: u64) {
        match self.notes.iter_mut().find(|note| note.0 == what) {
            Some(note) => note.1 += count,
            None => self.notes.push((what, count)),
        }
    }

    pub const fn is_clean(&self) -> bool {
        self.lost == 0 && self.phantom == 0 && self.unnamed == 0
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} points={} lost={} phantom={} damaged_unnamed={}",
            self.kind, self.points, self.lost, self.phantom, self.unnamed
        )?;
        let all: Vec<_> = self
            .notes
            .iter()
            .map(|(what, n)| format!("{n} {what}"))
            .collect();
        write!(f, "\n  {}", all.join(", "))
    }
}

/// Has all kinds of faults of a simulated disk happen, each so many times.
pub fn run(points: u64, seed: u64) -> Vec<Tally> {
    let crashes = disk::Trouble::ALL.map(|trouble| life::crash(trouble, points, seed));
    let media = media::Damage::ALL.map(|damage| media::damage(damage, points, seed));
    crashes.into_iter().chain(media).collect()
}
