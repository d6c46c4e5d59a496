//! A disk that forgets what it may.

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex},
};

use bookahead_store::Files;

use super::acts::Dice;

/// What a disk writes at once, or not at all: small ones are torn more often.
const SECTORS: [usize; 3] = [32, 128, 512];

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The process is killed: what it has given to the system stays, and is written some time.
    Killed,
    /// The machine loses its power: of what was not synced, any part is lost.
    PowerLost,
    /// There is no more room, until somebody frees some; some time later the power is lost.
    Full,
    /// A sync fails, and what was to be written is lost, whatever is synced later.
    SyncFailed,
}

impl Trouble {
    pub const ALL: [Self; 4] = [Self::Killed, Self::PowerLost, Self::Full, Self::SyncFailed];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::PowerLost => "power-lost",
            Self::Full => "disk-full",
            Self::SyncFailed => "sync-failed",
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Contents {
    durable: Vec<u8>,
    now: Vec<u8>,
    /// What lay in its place before: where nothing was written, it may be found again.
    before: Vec<u8>,
}

#[derive(Clone, Debug)]
enum Naming {
    Given(String, usize),
    Renamed(String, String, usize),
    Taken(String),
}

impl Naming {
    fn apply(&self, names: &mut BTreeMap<String, usize>) {
        match self {
            Self::Given(name, file) => {
                names.insert(name.clone(), *file);
            }
            Self::Renamed(from, to, file) => {
                names.remove(from);
                names.insert(to.clone(), *file);
            }
            Self::Taken(name) => {
                names.remove(name);
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
struct State {
    files: Vec<Contents>,
    names: BTreeMap<String, usize>,
    durable: BTreeMap<String, usize>,
    namings: Vec<Naming>,
    /// How many operations go well from now on, and what happens then.
    left: u64,
    trouble: Option<Trouble>,
    /// How many bytes files may take.
    capacity: Option<usize>,
    dice: Dice,
}

impl State {
    /// Whether files with a name leave no room for so many bytes more.
    fn lacks(&self, more: usize) -> bool {
        let named = self.names.values().map(|file| self.files[*file].now.len());
        let taken: usize = named.sum();
        self.capacity
            .is_some_and(|capacity| taken + more > capacity)
    }

    /// Counts an operation, which may be the one that goes wrong.
    fn step(&mut self) -> io::Result<()> {
        self.left = self.left.saturating_sub(1);
        match self.trouble {
            None | Some(Trouble::Full) => Ok(()),
            Some(trouble) if self.left == 0 => Err(io::Error::other(trouble.name())),
            Some(_) => Ok(()),
        }
    }

    fn is_full(&self) -> bool {
        self.left == 0 && self.trouble == Some(Trouble::Full)
    }

    /// Says that there is no room, where the disk is full and is asked for what may need some.
    fn take_room(&mut self) -> io::Result<()> {
        match self.is_full() && self.dice.below(2) == 0 {
            true => Err(io::ErrorKind::StorageFull.into()),
            false => Ok(()),
        }
    }

    fn file(&self, name: &str) -> io::Result<usize> {
        let file = self.names.get(name).copied();
        file.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn name(&mut self, naming: Naming) {
        naming.apply(&mut self.names);
        self.namings.push(naming);
    }

    /// Forgets any part of what is not durable.
    fn lose_power(&mut self) {
        for naming in std::mem::take(&mut self.namings) {
            if self.dice.below(2) == 0 {
                naming.apply(&mut self.durable);
            }
        }
        let sector = SECTORS[self.dice.below(3) as usize];
        for file in &mut self.files {
            let Contents {
                durable,
                now,
                before,
            } = file;
            if now == durable {
                continue;
            }
            // Each sector is written or not; the file's length follows what was written last.
            let mut kept = durable.clone();
            let stale = self.dice.below(2) == 0;
            for from in (0..now.len()).step_by(sector) {
                let new = &now[from..now.len().min(from + sector)];
                if durable.get(from..from + new.len()) == Some(new) {
                    continue;
                }
                let whole = match self.dice.below(3) {
                    0 => 0,
                    1 => new.len(),
                    _ => self.dice.below(new.len() as u64 + 1) as usize,
                };
                if whole == 0 {
                    continue;
                }
                for at in kept.len()..from + whole {
                    let byte = before.get(at).filter(|_| stale).copied();
                    kept.push(byte.unwrap_or_default());
                }
                kept[from..from + whole].copy_from_slice(&new[..whole]);
            }
            *durable = kept.clone();
            *now = kept;
        }
        self.names = self.durable.clone();
    }
}

/// The disk: all copies are the same one.
#[derive(Clone, Debug, Default)]
pub struct SimulatedDisk(Arc<Mutex<State>>);

impl SimulatedDisk {
    pub fn new(dice: Dice) -> Self {
        let disk = Self::default();
        disk.0.lock().unwrap().dice = dice;
        disk
    }

    /// Files take no more bytes than so many from now on. The example that tells of many crashes has no use for that.
    #[cfg(test)]
    pub fn limit(&self, capacity: usize) {
        self.0.lock().unwrap().capacity = Some(capacity);
    }

    pub fn is_full(&self) -> bool {
        self.0.lock().unwrap().is_full()
    }

    /// Has so many operations go well, and then something happen.
    pub fn plan(&self, left: u64, trouble: Option<Trouble>) {
        let mut state = self.0.lock().unwrap();
        (state.left, state.trouble) = (left, trouble);
    }

    /// What is on it after what has happened, or after nothing.
    pub fn after(&self, trouble: Trouble) {
        let mut state = self.0.lock().unwrap();
        if trouble != Trouble::Killed {
            state.lose_power();
        }
        state.trouble = None;
    }

    /// Nothing goes wrong any more, and nothing that has is mended.
    pub fn works_again(&self) {
        self.0.lock().unwrap().trouble = None;
    }

    /// All files that are there, for whoever damages them.
    pub fn names(&self) -> Vec<String> {
        self.0.lock().unwrap().names.keys().cloned().collect()
    }

    /// Changes the contents of a file, behind everybody's back.
    pub fn damage(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut state = self.0.lock().unwrap();
        let file = state.file(name).unwrap();
        change(&mut state.files[file].now);
        state.files[file].durable = state.files[file].now.clone();
    }

    /// Takes a file away, behind everybody's back.
    pub fn take_away(&self, name: &str) {
        let mut state = self.0.lock().unwrap();
        state.names.remove(name);
        state.durable.remove(name);
    }

    /// A disk of its own with the same contents.
    pub fn copy(&self) -> Self {
        Self(Arc::new(Mutex::new(self.0.lock().unwrap().clone())))
    }
}

impl Files for SimulatedDisk {
    type File = usize;

    fn list(&mut self) -> io::Result<Vec<String>> {
        Ok(self.names())
    }

    fn read(&mut self, name: &str) -> io::Result<Vec<u8>> {
        let state = self.0.lock().unwrap();
        Ok(state.files[state.file(name)?].now.clone())
    }

    fn create(&mut self, name: &str) -> io::Result<usize> {
        let mut state = self.0.lock().unwrap();
        state.step()?;
        let file = state.files.len();
        state.take_room()?;
        // Its place is that of any file before, which may still have its name or not.
        let old = state.dice.below(file as u64 + 1) as usize;
        let before = state.files.get(old).map(|old| old.now.clone());
        state.files.push(Contents {
            before: before.unwrap_or_default(),
            ..Contents::default()
        });
        state.name(Naming::Given(name.into(), file));
        Ok(file)
    }

    fn write(&mut self, file: &mut usize, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        let mut done = state.step();
        let (at, length) = (at as usize, state.files[*file].now.len());
        let mut written = bytes.len();
        let more = (at + written).saturating_sub(length);
        if more > 0 && (state.is_full() || state.lacks(more)) {
            done = Err(io::ErrorKind::StorageFull.into());
        }
        if done.is_err() {
            written = state.dice.below(written as u64 + 1) as usize;
        }
        let now = &mut state.files[*file].now;
        now.resize(length.max(at + written), 0);
        now[at..at + written].copy_from_slice(&bytes[..written]);
        done
    }

    fn truncate(&mut self, file: &mut usize, length: u64) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        state.step()?;
        let contents = &mut state.files[*file];
        assert!(
            contents.durable.len() <= length as usize,
            "what was synced stays"
        );
        contents.now.truncate(length as usize);
        Ok(())
    }

    fn sync(&mut self, file: &mut usize) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        if let Err(error) = state.step() {
            if state.trouble == Some(Trouble::SyncFailed) {
                let contents = &mut state.files[*file];
                contents.now = contents.durable.clone();
            }
            return Err(error);
        }
        let contents = &state.files[*file];
        // Some systems look for room only when what was written is to be synced.
        if contents.now.len() > contents.durable.len() {
            let room = state.take_room();
            let contents = &mut state.files[*file];
            if room.is_err() {
                contents.now = contents.durable.clone();
                return room;
            }
        }
        let contents = &mut state.files[*file];
        contents.durable = contents.now.clone();
        Ok(())
    }

    fn sync_old(&mut self, name: &str) -> io::Result<()> {
        let mut file = self.0.lock().unwrap().file(name)?;
        self.sync(&mut file)
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        state.step()?;
        state.take_room()?;
        let file = state.file(from)?;
        state.name(Naming::Renamed(from.into(), to.into(), file));
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        state.step()?;
        state.file(name)?;
        state.name(Naming::Taken(name.into()));
        Ok(())
    }

    fn sync_names(&mut self) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        state.step()?;
        for naming in std::mem::take(&mut state.namings) {
            naming.apply(&mut state.durable);
        }
        Ok(())
    }

    /// Logs grow often.
    fn segment(&self) -> u64 {
        2_048
    }
}
