//! What the gate inside of slurmctld decides: from the submission and the token alone, without waiting for anybody.

use std::{borrow::Cow, collections::BTreeMap};

use crate::{Asked, Kind, LIFETIME, PREFIX, Token, number_in};

/// What the gate sees of a job that is submitted, or of the changes to one.
#[derive(Clone, Debug, Default)]
pub struct Job<'a> {
    /// Features that it asks for.
    pub features: Cow<'a, str>,
    /// Its partition.
    pub partition: Cow<'a, str>,
    /// The reservation it names.
    pub reservation: Cow<'a, str>,
    /// Its comment.
    pub comment: Cow<'a, str>,
    /// Whether it says any of these, if only that there is none.
    pub says: bool,
    /// Whether it is an array.
    pub array: bool,
    /// Whether it is a part of several.
    pub heterogeneous: bool,
    /// Not before, 0 for at once.
    pub begin: i64,
    /// Over by, 0 for no deadline.
    pub deadline: i64,
    /// Whose it is.
    pub uid: u32,
    /// Its number, or what stands for several, of a change.
    pub id: Cow<'a, str>,
    /// At least so many nodes.
    pub min_nodes: Option<u32>,
    /// At most so many.
    pub max_nodes: Option<u32>,
    /// The time limit in minutes.
    pub limit: Option<u32>,
    /// Its priority, 0 to hold it.
    pub priority: Option<u32>,
}

/// What becomes of a submission.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is none of ours.
    Leave,
    /// It is admitted to this reservation, or held without one, with this comment.
    Admit(Option<String>, String),
    /// It is refused, with what its user is told.
    Refuse(&'static str),
}

/// So many tokens are remembered at once; nobody is admitted while there are as many.
const REMEMBERED: usize = 65_536;

/// The gate.
#[derive(Debug)]
pub struct Gate {
    key: Vec<u8>,
    /// Tokens issued before this time are worth nothing: slurmctld may have forgotten who used them.
    since: i64,
    /// Promises whose tokens were used, with the time of issue and the user.
    used: BTreeMap<u64, (i64, u32)>,
}

impl Gate {
    /// A gate that takes tokens issued with this key, from this time on.
    #[must_use]
    pub const fn new(key: Vec<u8>, since: i64) -> Self {
        Self {
            key,
            since,
            used: BTreeMap::new(),
        }
    }

    /// Decides about a submission. O(log of the tokens of the last half minute).
    pub fn submit(&mut self, job: &Job<'_>, now: i64) -> Verdict {
        let Some(token) = Token::find(&job.comment) else {
            return match job.deadline {
                0 if job.reservation.starts_with(PREFIX) => Verdict::Refuse(
                    "this reservation belongs to a promise; only the job that it was given to runs in it",
                ),
                0 => Verdict::Leave,
                _ => Verdict::Refuse(
                    "a job with --deadline needs a promise: submit it by sbatch, salloc or srun on a machine whose slurm.conf has CliFilterPlugins=lua",
                ),
            };
        };
        let (Some(min), Some(max), Some(limit)) = (job.min_nodes, job.max_nodes, job.limit) else {
            return Verdict::Refuse(
                "a promise is for a number of nodes (-N) and a time limit (-t)",
            );
        };
        let Ok((token, comment)) = token else {
            return Verdict::Refuse("the word bookahead= in the comment is no token");
        };
        if job.array || job.heterogeneous || min != max || !job.reservation.is_empty() {
            return Verdict::Refuse(
                "a promise is for one job of one part on a fixed number of nodes, without --reservation",
            );
        }
        let asked = Asked {
            uid: job.uid,
            nodes: min,
            limit,
            begin: job.begin,
            deadline: job.deadline,
            features: job.features.clone().into_owned(),
            partition: job.partition.clone().into_owned(),
        };
        if !token.proves(&self.key, &asked) {
            return Verdict::Refuse(
                "the token is not for this: it was forged, or given to another user or for other nodes, times, features or another partition",
            );
        }
        // A second of what clocks are apart when slurmctld starts again: it refuses more then.
        if token.issued <= self.since || !(-1..=LIFETIME).contains(&(now - token.issued)) {
            return Verdict::Refuse(
                "the token has expired, or slurmctld was restarted: submit again",
            );
        }
        self.used.retain(|_, (issued, _)| now - *issued <= LIFETIME);
        if self.used.len() >= REMEMBERED {
            return Verdict::Refuse("too many submissions in half a minute: submit again");
        }
        if self
            .used
            .insert(token.number, (token.issued, job.uid))
            .is_some()
        {
            return Verdict::Refuse("the token was used already: submit again");
        }
        let reservation =
            (token.kind == Kind::Promised).then(|| format!("{PREFIX}{}", token.number));
        Verdict::Admit(reservation, comment)
    }

    /// Why a user may not change a job so; `promised` are the numbers of the jobs to which something was promised, with the number of the promise.
    #[must_use]
    pub fn modify(
        &self,
        change: &Job<'_>,
        by: u32,
        promised: &BTreeMap<u32, u64>,
        now: i64,
    ) -> Option<&'static str> {
        // What the desk does, and an operator, who knows; the desk sees it.
        if by == 0 {
            return None;
        }
        let touches = change.limit.is_some()
            || change.min_nodes.is_some()
            || change.max_nodes.is_some()
            || change.deadline != 0
            || change.begin != 0
            || change.priority.is_some()
            || change.says;
        if !touches {
            return None;
        }
        if change.reservation.starts_with(PREFIX)
            || Token::find(&change.comment).is_some()
            || number_in(&change.comment).is_some()
        {
            return Some("this reservation belongs to a promise");
        }
        let is_promised = match change.id.parse() {
            Ok(id) => promised.contains_key(&id),
            // Parts of arrays, which are promised nothing, or several jobs.
            Err(_) => change
                .id
                .split(|letter: char| !letter.is_ascii_digit())
                .any(|id| id.parse().is_ok_and(|id| promised.contains_key(&id))),
        };
        if is_promised {
            return Some(
                "what was promised for this job cannot be changed: cancel it and submit again",
            );
        }
        // The desk has not told yet which job this user's last promise went to.
        let unknown = |(number, (issued, uid)): (&u64, &(i64, u32))| {
            *uid == by
                && now - *issued <= LIFETIME
                && !promised.values().any(|known| known == number)
        };
        self.used
            .iter()
            .any(unknown)
            .then_some("a job of yours was promised a start a moment ago: try again in a second")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::asked;

    const NOW: i64 = 1_000;

    /// A submission that carries a token for what it asks.
    fn job(kind: Kind, number: u64, issued: i64) -> Job<'static> {
        let comment = Token::issue(b"key", kind, number, issued, &asked())
            .to_string()
            .into();
        Job {
            comment,
            uid: 7,
            features: "ib".into(),
            deadline: 9_000,
            min_nodes: Some(2),
            max_nodes: Some(2),
            limit: Some(30),
            ..Job::default()
        }
    }

    fn gate() -> Gate {
        Gate::new(b"key".to_vec(), 900)
    }

    #[test]
    fn who_has_a_token_gets_in_once() {
        let mut gate = gate();
        let admitted = Verdict::Admit(Some("bookahead-5".into()), "bookahead=5".into());
        assert_eq!(
            gate.submit(&job(Kind::Promised, 5, NOW), NOW + LIFETIME),
            admitted
        );
        assert!(
            matches!(
                gate.submit(&job(Kind::Promised, 5, NOW), NOW + 1),
                Verdict::Refuse(_)
            ),
            "used already"
        );
        assert_eq!(
            gate.submit(&job(Kind::Waiting, 6, NOW), NOW),
            Verdict::Admit(None, "bookahead=6".into())
        );
    }

    #[test]
    fn who_has_none_or_another_does_not() {
        let refused = |job: &Job<'_>, now| {
            assert!(
                matches!(gate().submit(job, now), Verdict::Refuse(_)),
                "{job:?}"
            )
        };
        let good = job(Kind::Promised, 5, NOW);
        refused(&good, NOW + LIFETIME + 1);
        refused(&good, NOW - 2);
        refused(&job(Kind::Promised, 5, 900), 901);
        let others: [fn(&mut Job<'_>); 10] = [
            |job| job.uid = 8,
            |job| job.limit = Some(31),
            |job| job.limit = None,
            |job| job.max_nodes = Some(3),
            |job| job.deadline = 9_001,
            |job| job.features = "big".into(),
            |job| job.array = true,
            |job| job.heterogeneous = true,
            |job| job.reservation = "bookahead-5".into(),
            |job| job.comment = "bookahead=promised.5.1000.00".into(),
        ];
        for other in others {
            let mut job = good.clone();
            other(&mut job);
            refused(&job, NOW);
        }
        refused(
            &Job {
                deadline: 5,
                ..Job::default()
            },
            NOW,
        );
        refused(
            &Job {
                reservation: "bookahead-5".into(),
                ..Job::default()
            },
            NOW,
        );
        assert_eq!(
            gate().submit(
                &Job {
                    reservation: "mine".into(),
                    ..Job::default()
                },
                NOW
            ),
            Verdict::Leave
        );
    }

    #[test]
    fn users_do_not_change_what_was_promised() {
        let mut gate = gate();
        let known = BTreeMap::from([(12, 5)]);
        let change = |id: u32| Job {
            id: id.to_string().into(),
            limit: Some(60),
            ..Job::default()
        };
        assert!(
            gate.modify(&change(12), 7, &known, NOW).is_some()
                && gate.modify(&change(12), 0, &known, NOW).is_none()
        );
        assert!(gate.modify(&change(13), 7, &known, NOW).is_none());
        assert!(
            gate.modify(
                &Job {
                    id: "12".into(),
                    ..Job::default()
                },
                7,
                &known,
                NOW
            )
            .is_none(),
            "nothing that matters"
        );
        for reservation in ["bookahead-5", "bookahead-9"] {
            assert!(
                gate.modify(
                    &Job {
                        id: "13".into(),
                        reservation: reservation.into(),
                        says: true,
                        ..Job::default()
                    },
                    7,
                    &known,
                    NOW
                )
                .is_some()
            );
        }
        let none = Job {
            id: "12".into(),
            says: true,
            ..Job::default()
        };
        assert!(
            gate.modify(&none, 7, &known, NOW).is_some(),
            "no reservation"
        );
        // One whose job the desk has not seen yet: it may be any.
        assert!(matches!(
            gate.submit(&job(Kind::Promised, 6, NOW), NOW),
            Verdict::Admit(..)
        ));
        assert!(
            gate.modify(&change(13), 7, &known, NOW).is_some()
                && gate.modify(&change(13), 8, &known, NOW).is_none()
        );
        assert!(
            gate.modify(&change(13), 7, &BTreeMap::from([(12, 5), (14, 6)]), NOW)
                .is_none()
        );
    }
}
