//! What users were told, in a file.

use super::*;

/// What somebody has to hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The promise.
    pub number: u64,
    /// Its job.
    pub job: Option<u32>,
    /// Whose it is.
    pub uid: u32,
    /// What has happened, in a word for programs.
    pub what: &'static str,
    /// The start it is about, 0 for none.
    pub start: i64,
    /// A sentence.
    pub text: String,
}

impl Desk {
    /// Appends what was told to a file for people and programs.
    pub fn write_down(&self, told: &[Told], now: i64) -> Result<()> {
        use std::io::Write as _;
        if told.is_empty() {
            return Ok(());
        }
        let file = self.folder.join("told");
        let mut out = fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&file)
            .with_context(|| file.display().to_string())?;
        let mut text = String::new();
        for Told {
            number,
            job,
            uid,
            what,
            start,
            text: sentence,
        } in told
        {
            let job = job.map_or("-".into(), |job| job.to_string());
            writeln!(
                text,
                "{now}\t{number}\t{job}\t{uid}\t{what}\t{start}\t{sentence}"
            )?;
        }
        out.write_all(text.as_bytes())
            .with_context(|| file.display().to_string())
    }

    /// What was told about a job, the oldest first.
    ///
    /// # Errors
    ///
    /// When the file of what was told cannot be read.
    pub fn told_of(&self, job: u32) -> Result<Vec<String>> {
        let about = told_of(&self.folder, |parts| parts[2].parse() == Ok(job))?;
        let sentence = |parts: &[String; 7]| {
            let time = parts[0].parse().map_or_else(|_| parts[0].clone(), at);
            format!("{time} {}: {}", parts[4], parts[6])
        };
        Ok(about.iter().map(sentence).collect())
    }
}

/// The lines of what was told that are wanted, in their parts.
pub(super) fn told_of(
    folder: &Path,
    wanted: impl Fn(&[String; 7]) -> bool,
) -> Result<Vec<[String; 7]>> {
    let file = folder.join("told");
    let text = match fs::read_to_string(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        read => read.with_context(|| file.display().to_string())?,
    };
    let parts = |line: &str| {
        line.split('\t')
            .map(String::from)
            .collect::<Vec<_>>()
            .try_into()
            .ok()
    };
    // A line may be torn where a disk was full.
    Ok(text.lines().filter_map(parts).filter(wanted).collect())
}

pub(super) fn is_completion(what: &str, text: &str) -> bool {
    what == "over" && text.ends_with(": completed")
}

/// A time as people read it.
pub fn at(time: i64) -> String {
    let read = jiff::Timestamp::from_second(time);
    read.map_or_else(
        |_| "never".into(),
        |time| {
            time.to_zoned(jiff::tz::TimeZone::system())
                .strftime("%F %T")
                .to_string()
        },
    )
}
