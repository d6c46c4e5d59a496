//! The worked example of the paper, on whatever keeps reservations.
//!
//! Time t_i is slot i, the machine has N = 4 processing elements; job1 holds {0} from t0 to t3, job2 {1} from t0 to t1, job3
//! {0, 1} from t8 to t10; the new request asks for one.
//!
//! Source: `li`, sections 4.2 and 5, figure 1.

use bookahead::{
    Commitment, CountBook, Discipline, Error, JobQueue, PeBook, PeCount, Policy, Request, Slot,
    Span, raw::ProfileStep,
};

use crate::papers::exactly;
use bookahead_commands::{Kernel, Subject};

/// N.
pub const PES: u16 = 4;
/// job1, job2 and job3: from, to, processing elements.
pub const JOBS: [(u64, u64, u16); 3] = [(0, 3, 1), (0, 1, 1), (8, 10, 2)];
/// The request {t2, t4 - t2, t9, n} with n = 1.
pub const NEW: Request = Request {
    ready: Slot::new(2),
    duration: Span::new(2),
    deadline: Slot::new(9),
    pes: PeCount::new(1),
};
/// Step 0: {t0, n1+n2} {t1, n1} {t3, 0} {t8, n3} {t10, 0}.
pub const RECORDS: [(u64, u16); 5] = [(0, 2), (1, 1), (3, 0), (8, 2), (10, 0)];
/// Step 1.
pub const CANDIDATES: [u64; 4] = [2, 3, 6, 7];
/// The start that each policy chooses, in the order of [`Policy::ALL`]. PE worst fit's is the paper's; the others follow from the
/// rectangles when the horizon lies beyond t10: t3 and t6 share theirs, and t3 wins.
pub const STARTS: [u64; 7] = [2, 7, 3, 3, 7, 3, 7];
/// Step 3: the new job gets t3 and the processing element of job1, so its record merges with that of t1.
pub const ADDED: [(u64, u16); 5] = [(0, 2), (1, 1), (5, 0), (8, 2), (10, 0)];
/// Step 4, seen from t0: {t1} merges into {t0, n1}.
pub const DELETED: [(u64, u16); 4] = [(0, 1), (5, 0), (8, 2), (10, 0)];
/// Step 4 as the paper prints it: the view from t1.
pub const ADVANCED: [(u64, u16); 4] = [(1, 1), (5, 0), (8, 2), (10, 0)];

/// Step 2: begin, end and what is free of the rectangles of [`CANDIDATES`]. The paper gives those of t2 and t3, and says of t6 that it
/// shares the latter; that of t7 nothing limits, so it lasts to the `horizon`.
#[must_use]
pub const fn rectangles(horizon: u64) -> [(u64, u64, u16); 4] {
    [(1, 8, 3), (3, 8, 4), (3, 8, 4), (0, horizon, 2)]
}

/// Pairs of a time and the number of busy processing elements.
pub type Records = Vec<(u64, u16)>;

/// What was answered. Compared with what the paper says, so every field can come out wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Step 0: the records with three jobs.
    pub records: Records,
    /// Step 1: the starts that are looked at.
    pub candidates: Vec<u64>,
    /// Step 2: for t2, t3, t6 and t7 the begin and the end of the rectangle and what is free in it.
    pub rectangles: Vec<(u64, u64, u16)>,
    /// The start each policy chooses.
    pub starts: Vec<(Policy, u64)>,
    /// Step 3: the records with the new job.
    pub added: Records,
    /// Step 4: the records after job2 is deleted, seen from t0.
    pub deleted: Records,
    /// Step 4: the records when t1 is reached and job2 ends there.
    pub advanced: Records,
    /// The start each policy gives the request in an empty book.
    pub empty: Vec<(Policy, u64)>,
}

/// The example on the kernel with early binding, then with late binding.
///
/// # Errors
///
/// Why the kernel does not take a step of it.
pub fn both_rings() -> Result<[Seen; 2], Error> {
    let (pes, horizon) = (PeCount::new(PES.into()), Span::new(64));
    let early = PeBook::<u32, 1, 1, 8>::new(pes, horizon).expect("it fits");
    let late = CountBook::<1, 4, 8>::new(pes, horizon).expect("it fits");
    Ok([
        play(&Kernel::new(early, JobQueue::<1>::new(Discipline::Fcfs)))?,
        play(&Kernel::new(late, JobQueue::<1>::new(Discipline::Fcfs)))?,
    ])
}

/// The example, beginning with an empty book of four processing elements: one goes through all steps, one ends job2 by reaching t1
/// instead of deleting it, one stays empty.
///
/// # Errors
///
/// Why the book does not take a step of it.
pub fn play(book: &dyn Subject) -> Result<Seen, Error> {
    let (mut first, mut empty) = (book.copy(), book.copy());
    let mut jobs = Vec::new();
    for (start, end, pes) in JOBS {
        let job = exactly(start, end, pes);
        let (handle, _) = first.book(&job, Policy::FirstFit, Commitment::Confirmed)?;
        jobs.push(handle);
    }
    let records = records(&mut *first);
    let candidates = first.candidate_starts(&NEW)?;
    let rectangles = CANDIDATES
        .iter()
        .filter_map(|&start| first.rectangle(Slot::new(start), NEW.duration))
        .map(|found| {
            let window = found.window;
            (
                window.start.get(),
                window.end.get(),
                found.free.get() as u16,
            )
        })
        .collect();
    let starts = starts(&mut *first)?;
    first.book(&NEW, Policy::PeWorstFit, Commitment::Confirmed)?;
    let added = self::records(&mut *first);
    let mut second = first.clone();
    first.cancel(jobs[1])?;
    let _ = second.advance(Slot::new(1), 8)?;
    Ok(Seen {
        records,
        candidates: candidates.into_iter().map(Slot::get).collect(),
        rectangles,
        starts,
        added,
        deleted: self::records(&mut *first),
        advanced: self::records(&mut *second),
        empty: self::starts(&mut *empty)?,
    })
}

fn starts(book: &mut dyn Subject) -> Result<Vec<(Policy, u64)>, Error> {
    let start = |policy| Ok((policy, book.find(&NEW, policy)?.get()));
    Policy::ALL.into_iter().map(start).collect()
}

fn records(book: &mut dyn Subject) -> Records {
    let pair = |record: ProfileStep| (record.at.get(), record.busy.get() as u16);
    book.state().records.into_iter().map(pair).collect()
}
