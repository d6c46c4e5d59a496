//! What a log says about itself.

/// The comment lines of a log, verbatim and in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub(super) lines: Vec<String>,
}

impl Header {
    /// A header with a line `; key: value` for each pair.
    #[must_use]
    pub fn from_pairs(pairs: &[(&str, &str)]) -> Self {
        Self {
            lines: pairs
                .iter()
                .map(|(key, value)| format!("; {key}: {value}"))
                .collect(),
        }
    }

    /// The lines as they stand in the file, without line ends.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The value of the first line `; key: value`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.lines.iter().find_map(|line| {
            let (name, value) = line.trim_start_matches(';').split_once(':')?;
            (name.trim() == key).then(|| value.trim())
        })
    }

    /// The whole number a value begins with: archives write `MaxNodes: 144 (each an 8-way SMP)`.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<u64> {
        let value = self.get(key)?;
        let digits = value
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(value.len());
        value[..digits].parse().ok()
    }

    /// Processors of the machine: `MaxProcs`, or `MaxNodes` in logs of machines with one processor per node.
    #[must_use]
    pub fn processors(&self) -> Option<u64> {
        self.number("MaxProcs").or_else(|| self.number("MaxNodes"))
    }

    /// When the log starts (s since 1970).
    #[must_use]
    pub fn unix_start_time(&self) -> Option<u64> {
        self.number("UnixStartTime")
    }
}
