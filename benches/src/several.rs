//! What it costs to reserve in several books as one decision, beside reserving in each of them.

use bookahead::{
    BookPart, Commitment, Handle, Joined, JointRequest, Need, Period, Policy, Quota, Request,
    Resource, Several, Slot, Tie,
};
use bookahead_heap::{BoxedCountBook, Sizes};

use crate::{MACHINE, Mean, Stopwatch, Workload};

/// Requests between two looks at the clock.
const BATCH: usize = 16;

/// Mean nanoseconds of a first fit in so many books with late binding, each with other reservations: as one decision, and the sum of those in each. All but the first book are
/// quotas with so many periods, none of which is used up, unless there are none.
///
/// # Panics
///
/// When there is not enough memory.
#[must_use]
pub fn reserve(
    watch: &Stopwatch,
    (number, live): (u64, usize),
    periods: u64,
    requests: usize,
    seed: u64,
    rounds: usize,
) -> [Mean; 2] {
    let mut workload = Workload::new(live, seed);
    let sizes = Sizes {
        pes: MACHINE.into(),
        slots: workload.slots(),
        reservations: live + BATCH,
    };
    let books = (0..number).map(|book| {
        let mut memory = BoxedCountBook::new(sizes).expect("a host has the memory");
        Workload::new(live, seed + 1 + book).fill(&mut memory.view(), |book, request, _| {
            book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
        });
        memory
    });
    let mut memories: Vec<BoxedCountBook> = books.collect();
    let mut ties = vec![vec![Tie::NONE; live + BATCH]; memories.len()];
    let requests: Vec<Request> = (0..requests).map(|_| workload.request()).collect();
    let mut means = [Mean::over(BATCH), Mean::over(BATCH)];
    for _ in 0..rounds {
        for (turn, batch) in requests.chunks_exact(BATCH).enumerate() {
            let mut views: Vec<_> = memories.iter_mut().map(BoxedCountBook::view).collect();
            let mut booked: Vec<(usize, Handle)> = Vec::with_capacity(BATCH * views.len());
            let sum = watch.time(batch, |request| {
                for (place, book) in views.iter_mut().enumerate() {
                    let one = book.reserve(request, Policy::FirstFit, Commitment::Confirmed);
                    booked.extend(one.map(|booking| (place, booking.handle)));
                }
            });
            means[1].add(turn, sum);
            for (place, handle) in booked {
                views[place].cancel(handle).expect("it lives");
            }
            let ends = (1..=periods)
                .map(|period| Slot::new(period * u64::from(workload.slots()) / periods));
            let ends: Vec<Period> = ends.map(|until| Period::new(until, u64::MAX / 2)).collect();
            let mut charged = vec![ends; views.len()];
            let books = views.into_iter().zip(&mut charged).enumerate();
            let mut books: Vec<Box<dyn Resource + '_>> = books
                .map(|(place, (book, charged))| match place > 0 && periods > 0 {
                    true => Box::new(Quota::new(book, charged).expect("they are in order")) as _,
                    false => Box::new(book) as _,
                })
                .collect();
            let joined = books.iter_mut().zip(&mut ties);
            let mut joined: Vec<_> = joined
                .map(|(book, ties)| Joined {
                    book: &mut **book,
                    ties,
                })
                .collect();
            let mut several = Several::new(&mut joined).expect("they are alike");
            let mut booked: Vec<BookPart> = Vec::with_capacity(BATCH);
            let sum = watch.time(batch, |request| {
                let needs = [Need::new(request.pes); Several::MOST];
                let request = JointRequest {
                    ready: request.ready,
                    duration: request.duration,
                    deadline: request.deadline,
                    needs: &needs[..number as usize],
                };
                let one = several.reserve(&request, None, u64::MAX);
                booked.extend(one.map(|booking| booking.part));
            });
            means[0].add(turn, sum);
            for part in booked {
                several.cancel(part).expect("it lives");
            }
        }
    }
    means
}
