//! The text of a table that has been written, plain or compressed.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

use crate::text_file::{GZIP_MAGIC, Gunzip};

/// Content decides whether it is compressed, as of every file that is read.
pub(super) enum Text {
    Plain(BufReader<File>),
    Gzip {
        decoder: Box<Gunzip<BufReader<File>>>,
        /// How many bytes of the text have been read.
        at: u64,
    },
}

impl Text {
    pub(super) fn open(file: &Path) -> io::Result<Self> {
        let mut file = BufReader::new(File::open(file)?);
        Ok(match file.fill_buf()?.starts_with(&GZIP_MAGIC) {
            true => Self::compressed(file),
            false => Self::Plain(file),
        })
    }

    pub(super) fn is_compressed(&self) -> bool {
        matches!(self, Self::Gzip { .. })
    }

    fn compressed(file: BufReader<File>) -> Self {
        Self::Gzip {
            decoder: Box::new(Gunzip::new(file)),
            at: 0,
        }
    }
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.read(buffer),
            Self::Gzip { decoder, at } => {
                let count = decoder.read(buffer)?;
                *at += count as u64;
                Ok(count)
            }
        }
    }
}

/// Of a compressed text only from its beginning: what stands before is read again.
impl Seek for Text {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (at, to) = match (&mut *self, to) {
            (Self::Plain(file), to) => return file.seek(to),
            (Self::Gzip { at, .. }, SeekFrom::Start(to)) => (*at, to),
            _ => return Err(io::ErrorKind::Unsupported.into()),
        };
        if to < at
            && let Self::Gzip { decoder, .. } = self
        {
            let mut file = decoder.get_ref().get_ref().try_clone()?;
            file.rewind()?;
            *self = Self::compressed(BufReader::new(file));
        }
        let ahead = match self {
            Self::Gzip { at, .. } => to - *at,
            Self::Plain(_) => 0,
        };
        io::copy(&mut self.by_ref().take(ahead), &mut io::sink())?;
        Ok(to)
    }
}
