//! The worked example of the paper on the kernel, with both rings.
//!
//! Time t_i is slot i, the machine has N = 4 processing elements; job1 holds {0} from t0 to t3, job2 {1} from t0 to t1, job3
//! {0, 1} from t8 to t10; the new request asks for one.
//!
//! Source: `li`, sections 4.2 and 5, figure 1.

use bookahead::{
    Book, Booking, CountBook, Error as Denied, Event, PeBook, PeCount, Policy, Request, Slot, Span,
    raw::Ring,
};

use crate::error::{Error, Result};

/// Pairs of a time and the number of busy processing elements.
pub(super) type Records = Vec<(u64, u16)>;

/// What the kernel answered. Compared with what the paper says, so every field can come out wrong.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    /// Step 0: the records with three jobs.
    pub(super) records: Records,
    /// Step 1: the starts that are looked at.
    pub(super) candidates: Vec<u64>,
    /// Step 2: for t2, t3, t6 and t7 the begin and the end of the rectangle and what is free in it.
    pub(super) rectangles: Vec<(u64, u64, u16)>,
    /// The start each policy chooses.
    pub(super) starts: Vec<(Policy, u64)>,
    /// Step 3: the records with the new job.
    pub(super) added: Records,
    /// Step 4: the records after job2 is deleted, seen from t0.
    pub(super) deleted: Records,
    /// Step 4: the records when t1 is reached and job2 ends there.
    pub(super) advanced: Records,
    /// The start each policy gives the request in an empty book.
    pub(super) empty: Vec<(Policy, u64)>,
}

/// The example with early binding, then with late binding.
pub(super) fn both_rings() -> Result<[Seen; 2]> {
    let no_room = || Error::Internal("the example does not fit its book".to_owned());
    let new_pes =
        || PeBook::<u32, 1, 1, 8>::new(PeCount::new(4), Span::new(64)).map_err(|_| no_room());
    let new_counts =
        || CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(64)).map_err(|_| no_room());
    let (mut first, mut second, mut empty) = (new_pes()?, new_pes()?, new_pes()?);
    let early = play(first.view(), second.view(), empty.view()).map_err(refused)?;
    let (mut first, mut second, mut empty) = (new_counts()?, new_counts()?, new_counts()?);
    let late = play(first.view(), second.view(), empty.view()).map_err(refused)?;
    Ok([early, late])
}

fn refused(error: Denied) -> Error {
    Error::Internal(format!("the example was refused: {error}"))
}

/// `first` goes through all steps; `second` ends job2 by reaching t1 instead of deleting it; `empty` stays so.
fn play<R: Ring>(
    mut first: Book<'_, R>,
    mut second: Book<'_, R>,
    mut empty: Book<'_, R>,
) -> std::result::Result<Seen, Denied> {
    let new = request(2, 2, 9, 1);
    let job2 = three_jobs(&mut first)?;
    three_jobs(&mut second)?;
    let records = records(&first);
    let candidates: Vec<u64> = first.candidate_starts(&new)?.map(Slot::get).collect();
    let rectangles = [2, 3, 6, 7]
        .iter()
        .filter_map(|&start| first.rectangle(Slot::new(start), Span::new(2)))
        .map(|found| {
            let window = found.window;
            (window.start.get(), window.end.get(), found.free.get())
        })
        .collect();
    let starts = starts(&mut first, &new)?;
    first.reserve(&new, Policy::PeWorstFit)?;
    second.reserve(&new, Policy::PeWorstFit)?;
    let added = self::records(&first);
    first.cancel(job2.handle)?;
    let mut events = heapless::Vec::<Event, 8>::new();
    let _ = second.advance(Slot::new(1), &mut events)?;
    Ok(Seen {
        records,
        candidates,
        rectangles,
        starts,
        added,
        deleted: self::records(&first),
        advanced: self::records(&second),
        empty: self::starts(&mut empty, &new)?,
    })
}

/// Books the three jobs and returns job2.
fn three_jobs<R: Ring>(book: &mut Book<'_, R>) -> std::result::Result<Booking, Denied> {
    book.reserve(&request(0, 3, 3, 1), Policy::FirstFit)?;
    let job2 = book.reserve(&request(0, 1, 1, 1), Policy::FirstFit)?;
    book.reserve(&request(8, 2, 10, 2), Policy::FirstFit)?;
    Ok(job2)
}

fn starts<R: Ring>(
    book: &mut Book<'_, R>,
    request: &Request,
) -> std::result::Result<Vec<(Policy, u64)>, Denied> {
    let mut starts = Vec::new();
    for policy in Policy::ALL {
        let plan = book.plan(request, policy)?;
        starts.push((policy, plan.window().start.get()));
    }
    Ok(starts)
}

fn records<R: Ring>(book: &Book<'_, R>) -> Records {
    book.records()
        .map(|record| (record.at.get(), record.busy.get()))
        .collect()
}

const fn request(ready: u64, duration: u32, deadline: u64, pes: u16) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(deadline),
        pes: PeCount::new(pes),
    }
}
