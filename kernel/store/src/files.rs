//! What a store needs of a disk.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::StoreError;

/// A folder of files. What has been written, created, renamed or removed is certain to outlast a crash only once it has been synced: tests put a disk in
/// this place that forgets what it may.
pub trait Files {
    /// A file that is being written.
    type File;

    /// Returns the names of all files.
    ///
    /// # Errors
    ///
    /// What the system says; as of all that follow.
    fn list(&mut self) -> io::Result<Vec<String>>;

    /// Returns the contents of a file.
    ///
    /// # Errors
    ///
    /// See [`list`](Self::list).
    fn read(&mut self, name: &str) -> io::Result<Vec<u8>>;

    /// Creates an empty file, also in the place of another.
    ///
    /// # Errors
    ///
    /// See [`list`](Self::list).
    fn create(&mut self, name: &str) -> io::Result<Self::File>;

    /// Writes bytes at a place in a file, which grows where it ends before.
    ///
    /// # Errors
    ///
    /// See [`list`](Self::list). A kind of [`StorageFull`](io::ErrorKind::StorageFull) or [`QuotaExceeded`](io::ErrorKind::QuotaExceeded), here and in other calls, when there is
    /// no room.
    fn write(&mut self, file: &mut Self::File, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// Makes a file end earlier, behind all that was synced.
    ///
    /// # Errors
    ///
    /// See [`list`](Self::list).
    fn truncate(&mut self, file: &mut Self::File, length: u64) -> io::Result<()>;

    /// Returns once the contents of a file are certain to outlast a crash.
    ///
    /// # Errors
    ///
    /// See [`list`](Self::list).
    fn sync(&mut self, file: &mut Self::File) -> io::Result<()>;

    /// As [`sync`](Self::sync), of a file that somebody has written before.
    ///
    /// # Errors
    ///
    /// See [`list`](Self::list).
    fn sync_old(&mut self, name: &str) -> io::Result<()>;

    /// Gives a file another name, also that of another file, which is no more then.
    ///
    /// # Errors
    ///
    /// See [`list`](Self::list).
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// See [`list`](Self::list).
    fn remove(&mut self, name: &str) -> io::Result<()>;

    /// Returns once all names that were given and taken are certain to outlast a crash.
    ///
    /// # Errors
    ///
    /// See [`list`](Self::list).
    fn sync_names(&mut self) -> io::Result<()>;

    /// Returns by how many bytes a log grows at a time. A quarter of it has to be free for each call, see [`Store::call`](crate::Store::call).
    fn segment(&self) -> u64 {
        1 << 20
    }
}

/// A folder of the system, with an advisory lock on it that lasts until it is dropped.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    /// There is none where there has never been one.
    lock: Option<File>,
}

impl Drop for Disk {
    /// Closing alone is not enough: a child that was forked and has not begun its own program yet has the file as well.
    fn drop(&mut self) {
        if let Some(lock) = &self.lock {
            let _ = lock.unlock();
        }
    }
}

impl Disk {
    /// Opens a folder, which is created if it is not there.
    ///
    /// # Errors
    ///
    /// [`StoreError::Locked`]; [`StoreError::Failed`] with what the system said.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let failed = |error| StoreError::failed(opening(folder))(error);
        // Of a file, creating says that it exists; opening the lock says that it is no folder.
        if !folder.exists() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let lock = folder.join("lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(lock);
        let lock = lock.map_err(failed)?;
        locked(lock.try_lock(), folder)?;
        Ok(Self {
            folder: folder.into(),
            lock: Some(lock),
        })
    }

    /// Opens a folder for reading only, beside others who do so. Nothing is created.
    ///
    /// # Errors
    ///
    /// [`StoreError::Locked`]; [`StoreError::Failed`] with what the system said.
    pub fn look(folder: &Path) -> Result<Self, StoreError> {
        let lock = match File::open(folder.join("lock")) {
            Ok(lock) => Some(lock),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(StoreError::failed(opening(folder))(error)),
        };
        if let Some(lock) = &lock {
            locked(lock.try_lock_shared(), folder)?;
        }
        Ok(Self {
            folder: folder.into(),
            lock,
        })
    }

    /// Opens a folder for reading only, beside the program that has it open: what is read is what a crash at that time would have left. A compaction meanwhile may take files away
    /// in the middle, which fails then; try again.
    #[must_use]
    pub fn beside(folder: &Path) -> Self {
        Self {
            folder: folder.into(),
            lock: None,
        }
    }
}

fn opening(folder: &Path) -> String {
    format!("opening {}", folder.display())
}

fn locked(tried: Result<(), TryLockError>, folder: &Path) -> Result<(), StoreError> {
    tried.map_err(|error| match error {
        TryLockError::WouldBlock => StoreError::Locked,
        TryLockError::Error(error) => StoreError::failed(opening(folder))(error),
    })
}

impl Files for Disk {
    type File = File;

    fn list(&mut self) -> io::Result<Vec<String>> {
        let names = fs::read_dir(&self.folder)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect()
    }

    fn read(&mut self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(self.folder.join(name))
    }

    fn create(&mut self, name: &str) -> io::Result<File> {
        File::create(self.folder.join(name))
    }

    fn write(&mut self, file: &mut File, at: u64, bytes: &[u8]) -> io::Result<()> {
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)
    }

    fn truncate(&mut self, file: &mut File, length: u64) -> io::Result<()> {
        file.set_len(length)
    }

    fn sync(&mut self, file: &mut File) -> io::Result<()> {
        file.sync_data()
    }

    fn sync_old(&mut self, name: &str) -> io::Result<()> {
        File::open(self.folder.join(name))?.sync_all()
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.folder.join(from), self.folder.join(to))
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        fs::remove_file(self.folder.join(name))
    }

    fn sync_names(&mut self) -> io::Result<()> {
        File::open(&self.folder)?.sync_all()
    }
}
