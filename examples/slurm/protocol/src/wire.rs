//! What is said over the socket: a word, lines of a key and a value, and an empty line; and the answer in the same form.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};

/// No question is longer.
const LONGEST: u64 = 16 * 1024;
/// Nobody takes longer to ask.
const PATIENCE: Duration = Duration::from_secs(2);

/// A word with its lines. Keys may come several times in an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// What is asked or answered.
    pub word: String,
    /// Keys and values.
    pub lines: Vec<(String, String)>,
}

impl Message {
    /// A word without lines.
    #[must_use]
    pub fn new(word: &str) -> Self {
        Self {
            word: word.into(),
            lines: Vec::new(),
        }
    }

    /// With another line.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Self {
        // A line break would be another line.
        let value = value.to_string().replace(['\n', '\r'], " ");
        self.lines.push((key.into(), value));
        self
    }

    /// The values of a key.
    pub fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.lines
            .iter()
            .filter(move |(there, _)| there == key)
            .map(|(_, value)| &**value)
    }

    /// The first value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.lines
            .iter()
            .find(|(there, _)| there == key)
            .map(|(_, value)| &**value)
    }

    /// A number, 0 where it is not said.
    ///
    /// # Errors
    ///
    /// For what is no such number.
    pub fn number<T: std::str::FromStr + Default>(&self, key: &str) -> Result<T> {
        match self.get(key) {
            None | Some("") => Ok(T::default()),
            Some(text) => text
                .parse()
                .ok()
                .with_context(|| format!("{key} {text}: expected a number")),
        }
    }

    /// Reads one.
    ///
    /// # Errors
    ///
    /// For what is none, with what was expected.
    pub fn read(from: impl Read) -> Result<Self> {
        let mut lines = BufReader::new(from.take(LONGEST)).lines();
        let word = lines
            .next()
            .context("nothing was asked")?
            .context("expected a word in UTF-8")?;
        ensure!(
            word.len() <= 40
                && word
                    .chars()
                    .all(|letter| letter.is_ascii_lowercase() || letter == '-'),
            "expected a word of small letters"
        );
        let mut message = Self {
            word,
            lines: Vec::new(),
        };
        for line in lines {
            let line = line.context("expected lines in UTF-8")?;
            if line.is_empty() {
                return Ok(message);
            }
            let (key, value) = line.split_once(' ').unwrap_or((&line, ""));
            message.lines.push((key.into(), value.into()));
        }
        bail!("expected an empty line at the end, within {LONGEST} bytes")
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, mut to: impl Write) -> Result<()> {
        let mut text = format!("{}\n", self.word);
        for (key, value) in &self.lines {
            text.push_str(&format!("{key} {value}\n"));
        }
        text.push('\n');
        Ok(to.write_all(text.as_bytes())?)
    }
}

/// Sets the times after which neither end waits any more for the other.
///
/// # Errors
///
/// Those of the system.
pub fn set_patience(stream: &UnixStream, answers: Duration) -> Result<()> {
    stream.set_read_timeout(Some(answers.max(PATIENCE)))?;
    Ok(stream.set_write_timeout(Some(PATIENCE))?)
}

/// Checks that each line of a question is known, and said once.
///
/// # Errors
///
/// For the first that is not, by its key.
pub fn keys(message: &Message, known: &[&str]) -> Result<()> {
    let mut seen = BTreeSet::new();
    for (key, _) in &message.lines {
        ensure!(
            known.contains(&&**key),
            "{}: does not know {key}",
            message.word
        );
        ensure!(seen.insert(key), "{}: {key} is said twice", message.word);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_and_others_are_refused() {
        let message = Message::new("promise")
            .with("nodes", 3)
            .with("features", "a b\nc");
        let mut bytes = Vec::new();
        message.write(&mut bytes).unwrap();
        let read = Message::read(&bytes[..]).unwrap();
        assert_eq!(
            (read.get("features"), read.number("nodes").unwrap()),
            (Some("a b c"), 3_u32)
        );
        assert!(
            Message::read(&bytes[..bytes.len() - 1]).is_err(),
            "without its end"
        );
        assert!(
            Message::read(&b"Pro mise\n\n"[..]).is_err()
                && Message::read(&b""[..]).is_err()
                && Message::read(&[0xff, b'\n', b'\n'][..]).is_err()
        );
        assert!(Message::read(&vec![b'a'; 1 << 20][..]).is_err());
        assert!(read.number::<u32>("features").is_err());
        assert!(
            keys(&read, &["nodes"]).is_err()
                && keys(&read.clone().with("nodes", 1), &["nodes", "features"]).is_err()
        );
    }
}
