//! Keys of requests that wait, as CSV: `user,key` or `job_id,key`, in any order. Who has the highest key comes first; who has none has 0.

use std::{collections::HashMap, path::Path};

use crate::{
    engine::{KeyOwner, Keys},
    error::{Error, Result},
    files::{self, TableRow},
};

/// The columns that say whose a key is.
const OWNERS: [(&str, KeyOwner); 2] = [("user", KeyOwner::User), ("job_id", KeyOwner::Job)];

/// The column of keys.
const KEY: &str = "key";

/// Reads a file.
///
/// # Errors
/// [`Error::Usage`] where there is no such file; [`Error::Io`] if it cannot be read; [`Error::Input`] with line and column if something in it is wrong.
pub fn read(file: &Path) -> Result<Keys> {
    let mut known = Keys {
        of: KeyOwner::User,
        keys: HashMap::new(),
    };
    let lines = files::read_lines(file, &[KEY], |line| Ok((parse(line)?, line.number())))?;
    let lines = lines
        .ok_or_else(|| Error::Usage(format!("--priority {}: no such file", file.display())))?;
    for ((column, of, number, key), line) in lines {
        let problem = match known.of == of || known.keys.is_empty() {
            false => "found keys of users and of jobs, expected one of them".to_owned(),
            true if known.keys.insert(number, key).is_some() => {
                format!("found {number} a second time, expected one key for each")
            }
            true => {
                known.of = of;
                continue;
            }
        };
        return Err(crate::text_file::input_error(
            file,
            line,
            Some(column),
            problem,
        ));
    }
    Ok(known)
}

/// Whose key a row has, and which.
fn parse(line: &TableRow<'_>) -> Result<(&'static str, KeyOwner, u64, u32)> {
    let named = OWNERS.map(|(column, of)| (column, of, line.cell(column)));
    let mut filled = named.into_iter().filter(|(.., cell)| !cell.is_empty());
    let (Some((column, of, cell)), None) = (filled.next(), filled.next()) else {
        if OWNERS.iter().all(|(column, _)| !line.has(column)) {
            return Err(line.lacks("the column user or the column job_id"));
        }
        return Err(line.wrong(
            OWNERS[0].0,
            "a number in the column user or in the column job_id",
        ));
    };
    let number = cell.parse();
    let number = number.map_err(|_| line.wrong(column, "a whole number of 0 or more"))?;
    let key = line.cell(KEY).parse();
    let key = key.map_err(|_| line.wrong(KEY, "a whole number from 0 to 4,294,967,295"))?;
    Ok((column, of, number, key))
}
