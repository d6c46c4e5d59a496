//! A queue in memory that somebody else has written to.

use bookahead::{BestEffortJob, CountBook, Discipline, PeCount, Span, raw::WaitingJob};
use bookahead_heap::BoxedJobQueue;

use crate::damage::{Blow, How, places};

/// Memory of an empty queue for so many jobs.
///
/// # Panics
///
/// When there is not that much memory.
#[must_use]
pub fn queue(discipline: Discipline, jobs: usize) -> BoxedJobQueue {
    BoxedJobQueue::new(discipline, jobs).expect("the sizes are small")
}

/// Writes to a queue.
pub fn strike(memory: &mut BoxedJobQueue, blow: &Blow) {
    let parts = memory.parts();
    if blow.array.is_multiple_of(4) {
        let discipline = Discipline::ALL[usize::from(blow.other) % Discipline::ALL.len()];
        *parts.state = *busy(discipline, usize::from(blow.place % 20)).parts().state;
        return;
    }
    let Some((place, other)) = places(parts.jobs.len(), blow) else {
        return;
    };
    match blow.how {
        How::Set(slots) => {
            let mut busy = busy(Discipline::Fcfs, slots as usize % 20 + 1);
            parts.jobs[place] = busy.parts().jobs[0];
        }
        How::Flip(_) => parts.jobs[place] = WaitingJob::NONE,
        How::Copy => parts.jobs[place] = parts.jobs[other],
        How::Swap => parts.jobs.swap(place, other),
    }
}

/// A queue in which so many jobs wait, each as long and as wide as their number.
fn busy(discipline: Discipline, jobs: usize) -> BoxedJobQueue {
    let mut memory = queue(discipline, jobs);
    let mut book = CountBook::<1, 20, 1>::new(PeCount::new(20), Span::new(20)).expect("it fits");
    for _ in 0..jobs {
        let job = BestEffortJob {
            estimate: Span::new(jobs as u32),
            pes: PeCount::new((jobs as u16).into()),
        };
        let ticket = memory.view().submit(&book.view(), &job);
        assert!(ticket.is_ok(), "there is room for all");
    }
    memory
}
