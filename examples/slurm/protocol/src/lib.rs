//! What the desk, users' commands and slurmctld say to each other.
//!
//! Over the socket they ask and answer in [messages](wire). The desk issues [tokens](Token), `sbatch` carries them in the job's comment, and the [gate](Gate) inside of slurmctld
//! checks them. Desk and gate know a key that users do not.

mod gate;
pub mod wire;

use std::{fmt, str::FromStr};

use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

pub use gate::{Gate, Job, Verdict};

/// For so many seconds a token can be used after it was issued.
pub const LIFETIME: i64 = 30;
/// What the name of a promise begins with, which is also that of its reservation in Slurm.
pub const PREFIX: &str = "bookahead-";
/// What the word in a job's comment begins with.
const WORD: &str = "bookahead=";

/// What a user asks for. A token is for exactly this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Who asks.
    pub uid: u32,
    /// How many whole nodes.
    pub nodes: u32,
    /// The time limit in minutes, as Slurm counts it.
    pub limit: u32,
    /// Not before this Unix time; 0 for at once.
    pub begin: i64,
    /// Over by this Unix time.
    pub deadline: i64,
    /// The features that each node must have, as given to `--constraint`.
    pub features: String,
    /// The partition, empty for Slurm's default.
    pub partition: String,
}

/// What is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A start is promised, and a reservation of the promise's name exists.
    Promised,
    /// Nothing is promised yet: the job is held until it is.
    Waiting,
}

/// The proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What is proved.
    pub kind: Kind,
    /// The number of the promise.
    pub number: u64,
    /// The Unix time of issue.
    pub issued: i64,
    code: [u8; 32],
}

impl Token {
    /// Issues a token.
    #[must_use]
    pub fn issue(key: &[u8], kind: Kind, number: u64, issued: i64, asked: &Asked) -> Self {
        let code = code(key, kind, number, issued, asked)
            .finalize()
            .into_bytes()
            .into();
        Self {
            kind,
            number,
            issued,
            code,
        }
    }

    /// Whether it was issued with this key for exactly this.
    #[must_use]
    pub fn proves(&self, key: &[u8], asked: &Asked) -> bool {
        code(key, self.kind, self.number, self.issued, asked)
            .verify_slice(&self.code)
            .is_ok()
    }

    /// Finds the word of a token in a comment, and returns the token with the comment in which the word is cut back to the name of the promise: what is left proves
    /// nothing. `Err` is a word that is no token.
    #[must_use]
    pub fn find(comment: &str) -> Option<Result<(Self, String), ()>> {
        let mut from = 0;
        for piece in comment.split_inclusive(char::is_whitespace) {
            let word = piece.trim_end();
            if let Some(said) = word.strip_prefix(WORD) {
                let (before, behind) = (&comment[..from], &comment[from + word.len()..]);
                return Some(said.parse::<Self>().map(|token| {
                    let left = format!("{before}{WORD}{}{behind}", token.number);
                    (token, left)
                }));
            }
            from += piece.len();
        }
        None
    }
}

/// The number of a promise in the comment of a job that has passed the gate.
#[must_use]
pub fn number_in(comment: &str) -> Option<u64> {
    comment
        .split_whitespace()
        .find_map(|word| word.strip_prefix(WORD))?
        .parse()
        .ok()
}

/// Each part is preceded by its length, so that no two requests have the same bytes.
fn code(key: &[u8], kind: Kind, number: u64, issued: i64, asked: &Asked) -> Hmac<Sha256> {
    let mut code = Hmac::<Sha256>::new_from_slice(key).expect("keys of all lengths are taken");
    let Asked {
        uid,
        nodes,
        limit,
        begin,
        deadline,
        features,
        partition,
    } = asked;
    code.update(&[kind as u8]);
    code.update(&number.to_le_bytes());
    code.update(&issued.to_le_bytes());
    for part in [uid, nodes, limit] {
        code.update(&part.to_le_bytes());
    }
    code.update(&begin.to_le_bytes());
    code.update(&deadline.to_le_bytes());
    for part in [features, partition] {
        code.update(&(part.len() as u64).to_le_bytes());
        code.update(part.as_bytes());
    }
    code
}

/// As the word in a comment.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Promised => "promised",
            Kind::Waiting => "waiting",
        };
        write!(f, "{WORD}{kind}.{}.{}.", self.number, self.issued)?;
        self.code
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Without the beginning of the word.
impl FromStr for Token {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        let [kind, number, issued, code] = word
            .split('.')
            .collect::<Vec<_>>()
            .try_into()
            .map_err(drop)?;
        let kind = match kind {
            "promised" => Kind::Promised,
            "waiting" => Kind::Waiting,
            _ => return Err(()),
        };
        if code.len() != 64 || !code.is_ascii() {
            return Err(());
        }
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&code[2 * at..2 * at + 2], 16).map_err(drop)?;
        }
        Ok(Self {
            kind,
            number: number.parse().map_err(drop)?,
            issued: issued.parse().map_err(drop)?,
            code: bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn asked() -> Asked {
        Asked {
            uid: 7,
            nodes: 2,
            limit: 30,
            begin: 0,
            deadline: 9_000,
            features: "ib".into(),
            partition: String::new(),
        }
    }

    #[test]
    fn a_word_comes_back_and_what_the_gate_leaves_of_it_proves_nothing() {
        let token = Token::issue(b"key", Kind::Promised, 12, 1_000, &asked());
        let comment = format!("mine {token} too");
        let (found, left) = Token::find(&comment).unwrap().unwrap();
        assert!(found == token && found.proves(b"key", &asked()));
        assert_eq!(left, "mine bookahead=12 too");
        assert_eq!(
            (number_in(&left), Token::find(&left)),
            (Some(12), Some(Err(())))
        );
        assert_eq!(Token::find("mine"), None);
        // The same letters inside of another word are none, and stay.
        let (_, left) = Token::find(&format!("not{token}\t{token}"))
            .unwrap()
            .unwrap();
        assert_eq!(left, format!("not{token}\tbookahead=12"));
    }

    #[test]
    fn a_token_proves_nothing_else() {
        let token = Token::issue(b"key", Kind::Waiting, 12, 1_000, &asked());
        let others: [fn(&mut Asked); 7] = [
            |asked| asked.uid = 8,
            |asked| asked.nodes = 3,
            |asked| asked.limit = 31,
            |asked| asked.begin = 1,
            |asked| asked.deadline = 9_001,
            |asked| asked.features = "i".into(),
            |asked| (asked.features, asked.partition) = ("i".into(), "b".into()),
        ];
        for other in others {
            let mut asked = asked();
            other(&mut asked);
            assert!(!token.proves(b"key", &asked), "{asked:?}");
        }
        assert!(!token.proves(b"kez", &asked()));
        for (from, to) in [
            ("waiting", "promised"),
            (".12.", ".13."),
            (".1000.", ".1001."),
        ] {
            let (other, _) = Token::find(&token.to_string().replace(from, to))
                .unwrap()
                .unwrap();
            assert!(!other.proves(b"key", &asked()), "{other}");
        }
    }
}
