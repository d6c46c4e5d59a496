//! A queue in memory that somebody else has written to.

use bookahead::{
    BestEffortJob, CountBook, Discipline, PeCount, Queue, QueueParts, QueueState, Span, WaitingJob,
};

use crate::damage::{Blow, How, places};

/// Jobs that wait.
pub struct Waiting {
    state: QueueState,
    jobs: Vec<WaitingJob>,
}

impl Waiting {
    /// Memory of an empty queue for so many jobs.
    #[must_use]
    pub fn new(discipline: Discipline, jobs: usize) -> Self {
        let mut memory = Self {
            state: QueueState::default(),
            jobs: vec![WaitingJob::NONE; jobs],
        };
        let _ = memory.parts().format(discipline);
        memory
    }

    fn parts(&mut self) -> QueueParts<'_> {
        QueueParts {
            state: &mut self.state,
            jobs: &mut self.jobs,
        }
    }

    /// The queue in the memory.
    pub fn view(&mut self) -> Queue<'_> {
        self.parts().view()
    }

    /// Writes to it.
    pub fn strike(&mut self, blow: &Blow) {
        if blow.array.is_multiple_of(4) {
            let discipline = Discipline::ALL[usize::from(blow.other) % Discipline::ALL.len()];
            self.state = busy(discipline, usize::from(blow.place % 20)).state;
            return;
        }
        let Some((place, other)) = places(self.jobs.len(), blow) else {
            return;
        };
        match blow.how {
            How::Set(slots) => {
                self.jobs[place] = busy(Discipline::Fcfs, slots as usize % 20 + 1).jobs[0]
            }
            How::Flip(_) => self.jobs[place] = WaitingJob::NONE,
            How::Copy => self.jobs[place] = self.jobs[other],
            How::Swap => self.jobs.swap(place, other),
        }
    }
}

/// A queue in which so many jobs wait, each as long and as wide as their number.
fn busy(discipline: Discipline, jobs: usize) -> Waiting {
    let mut memory = Waiting::new(discipline, jobs);
    let mut book = CountBook::<1, 20, 1>::new(20, 20).expect("it fits");
    for _ in 0..jobs {
        let job = BestEffortJob {
            estimate: Span::new(jobs as u32),
            pes: PeCount::new(jobs as u16),
        };
        let ticket = memory.view().submit(&book.view(), &job);
        assert!(ticket.is_ok(), "there is room for all");
    }
    memory
}
