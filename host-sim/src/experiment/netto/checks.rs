//! Claims 2.15 to 2.19: algorithms 1 and 2, flexibility and phi, against the paper's algorithms by the letter.
//!
//! Runs are decided once more from their jobs alone, and refused jobs are put to a kernel of their own beside algorithm 2.

use bookahead::{
    Admission, AfterFailure, Alternative, Behind as KernelBehind, Book, Commitment, Flexibility,
    Freeze, Handle, Juggling, Order as KernelOrder, PeCount, Refusal, Request, Slot, Span,
    Suggesting, Version, Window, heapless::Vec as List, raw::Ring,
};
use bookahead_heap::{BoxedCountBook, BoxedWorkspace, Sizes};
use bookahead_oracle::papers::netto::literal::{Behind, Job, Provider, Reading};
use rayon::prelude::*;

use super::{
    Netto,
    points::{LOADS, PES, SLOT, SLOTS, point},
    systems::{SORTED, SUGGESTING, assumptions},
};
use crate::experiment::{Claim, Count, Kind, claim, refused};
use crate::{
    engine::{Order, Placed, Story, System},
    error::Result,
    progress::Progress,
};

/// Admissions answered again, at most, with each criterion.
const ADMISSIONS: usize = 400;

/// What was found in a run.
#[derive(Default)]
struct Rechecked {
    decisions: Count,
    options: Count,
    phis: Count,
    windows: Count,
}

/// The claims.
pub(super) fn claims(paper: &Netto, progress: &Progress) -> Result<Vec<Claim>> {
    let main = &assumptions(paper)[0];
    let [lff, others @ ..] = SORTED;
    let last = SUGGESTING[SUGGESTING.len() - 1];
    let runs: Vec<(usize, u64)> = [(lff, 100)]
        .into_iter()
        .chain(others.map(|system| (system, 100)))
        .chain([(last, 0)])
        .collect();
    let bar = progress.bar("netto: admissions again", runs.len() as u64);
    let found: Vec<Rechecked> = runs
        .into_par_iter()
        .map(|(system, interval)| {
            let highest = point(LOADS[LOADS.len() - 1], interval, false);
            let story = main.one(highest, 0, system)?;
            let found = recheck(&story, &main.systems[system].1);
            bar.tick();
            found
        })
        .collect::<Result<_>>()?;
    let all = |count: fn(&Rechecked) -> &Count| found.iter().map(count).sum::<Count>();
    // The run with suggestions is the last; what it accepted by them belongs to algorithm 2.
    let (sorted, suggested) = found.split_at(SORTED.len());
    let decisions = |found: &[Rechecked]| found.iter().map(|one| &one.decisions).sum::<Count>();
    let options = all(|found| &found.options).and(&decisions(suggested));
    Ok(vec![
        claim("2.15", Kind::Definition, "Algorithm 1: the queue is sorted with the new job and all from its place on are scheduled again; if the new job fails it is rejected; if another fails the two change positions, those between return to where they were, and the rest is tried again.", "algorithm 1",
            decisions(sorted).found("admissions differ").by_rule(format!("{ADMISSIONS} admissions at the highest load with long intervals are decided once more by algorithm 1 taken literally, with each order of the queue but Shuffle: decision and all starts must be the kernel's; one difference fails")))
            .remark("As printed it looks for options as soon as two jobs have changed positions; here it tries again first."),
        claim("2.16", Kind::Definition, "Algorithm 2: for each job that is in the way the new job is tried before its start and after its deadline; options are sorted by phi; the original window is restored.", "algorithm 2",
            options.found("lists of options differ").by_rule(format!("requests refused among {ADMISSIONS} at the highest load with fixed intervals are put to the kernel and to algorithm 2 taken literally: the same options in the same order, of which the run takes the first, and an unchanged book; one difference fails"))),
        claim("2.17", Kind::Definition, "The time flexibility is D - max(Ts, CT) - Te of an advance reservation and D - CT - Te of a job with a deadline.", "Delta_j",
            decisions(&sorted[..1]).found("admissions differ").by_rule("admissions sorted by least flexibility first, as for 2.15, where the letter computes Delta_j as printed; one difference fails")),
        claim("2.18", Kind::Definition, "A job with a deadline starts in [CT, D - Te], an advance reservation in [Tr, D - Te].", "start in the window",
            all(|found| &found.windows).found("starts lie outside").by_rule("every start of these admissions, at acceptance and after each move, lies in [max(CT, Tr), D - Te]; one exception fails")),
        claim("2.19", Kind::Definition, "phi is (OPT_D - D) / Te of an option after a job, and (OPT_Tr - Tr) / Te of one before it.", "phi",
            all(|found| &found.phis).found("differ").by_rule("phi of each option of 2.16 is (OPT_D - D) / Te behind a job and (OPT_Tr - Tr) / Te before one, to the thousandth; one difference fails")),
    ])
}

/// An accepted job.
struct Accepted {
    job: Job,
    /// When it is over (s).
    finish: u64,
    flexible: bool,
}

impl Accepted {
    /// Whether its slots are free again.
    fn is_over(&self, now: u64) -> bool {
        let Job { start, .. } = self.job;
        start <= now && self.finish.div_ceil(SLOT).max(start + 1) <= now
    }
}

fn recheck(story: &Story, system: &System) -> Result<Rechecked> {
    let Some(juggle) = system.strategy.juggle() else {
        return Ok(Rechecked::default());
    };
    let mut found = Rechecked::default();
    let mut live: Vec<Accepted> = Vec::new();
    let mut moves = story.moves.iter().peekable();
    for (number, outcome) in story.outcomes.iter().enumerate().take(ADMISSIONS) {
        let Some((request, decision)) = outcome.reservation() else {
            continue;
        };
        // The letter knows no horizon.
        if decision.is_err_and(|why| why.name() != Refusal::NoRoom.name()) {
            continue;
        }
        let (now, earliest) = (request.arrival / SLOT, request.arrival.div_ceil(SLOT));
        live.retain(|accepted| !accepted.is_over(now));
        let new = Job {
            number: number as u64,
            ready: request.ready.div_ceil(SLOT),
            deadline: request.deadline / SLOT,
            duration: request.duration.div_ceil(SLOT),
            pes: request.pes as u32,
            deadline_only: request.ready.div_ceil(SLOT) <= earliest,
            start: request.ready.div_ceil(SLOT),
        };
        let jobs = live.iter();
        let mut scene = Machine {
            provider: Provider::new(PES.into(), now, now + u64::from(SLOTS)),
            order: juggle.order,
            jobs: jobs
                .map(|it| (it.job, it.flexible && it.job.start > now))
                .collect(),
        };
        scene.provider.earliest = earliest;
        for (job, waits) in &scene.jobs {
            scene.provider.accept(*job, *waits);
        }
        let literal = scene.decide(new, juggle.suggest_max, &mut found)?;
        let kernel = decision.ok().map(|placed: &Placed| {
            let shift = placed
                .agreed
                .map_or(0, |[ready, _]| (ready / SLOT) as i64 - new.ready as i64);
            (shift, placed.start / SLOT)
        });
        while let Some(moved) = moves.next_if(|moved| moved.cause_job_id == Some(request.job_id)) {
            let start = moved.to.start / SLOT;
            let places = live.iter_mut();
            for other in places.filter(|other| other.job.number + 1 == moved.job_id) {
                other.job.start = start;
                let Job {
                    ready,
                    deadline,
                    duration,
                    ..
                } = other.job;
                let inside = start >= ready.max(earliest) && start + duration <= deadline;
                found
                    .windows
                    .case(inside, || format!("job {} at {start}", moved.job_id));
            }
        }
        if let (Some((shift, start)), Ok(placed)) = (kernel, decision) {
            let job = shifted(Job { start, ..new }, shift);
            let inside = start >= job.ready.max(now) && start + job.duration <= job.deadline;
            found
                .windows
                .case(inside, || format!("job {} at {start}", request.job_id));
            let finish = placed.finish();
            let flexible = request.flexible;
            live.push(Accepted {
                job,
                finish,
                flexible,
            });
        }
        let waits = |accepted: &&Accepted| accepted.flexible && accepted.job.start > now;
        let mut kept: Vec<(u64, u64)> = live.iter().filter(waits).map(place).collect();
        let places = scene.provider.waiting().iter();
        let mut by_letter: Vec<(u64, u64)> = places.map(|job| (job.number, job.start)).collect();
        // One that starts at once does not wait, for the kernel; for the letter it does until the next job.
        by_letter.retain(|(_, start)| *start > now);
        kept.sort_unstable();
        by_letter.sort_unstable();
        if !request.flexible {
            by_letter.retain(|(number, _)| *number != new.number);
        }
        found
            .decisions
            .case(literal == kernel && kept == by_letter, || {
                format!(
                    "job {}: {kernel:?}, by the letter {literal:?}",
                    request.job_id
                )
            });
    }
    Ok(found)
}

fn place(accepted: &Accepted) -> (u64, u64) {
    (accepted.job.number, accepted.job.start)
}

fn shifted(job: Job, shift: i64) -> Job {
    Job {
        ready: job.ready.saturating_add_signed(shift),
        deadline: job.deadline.saturating_add_signed(shift),
        ..job
    }
}

/// The machine when a request is made.
struct Machine {
    provider: Provider,
    order: Order,
    /// The jobs with whether they wait, in order of acceptance.
    jobs: Vec<(Job, bool)>,
}

impl Machine {
    fn key(&self) -> impl Fn(&Job) -> u64 + use<> {
        let (order, now) = (self.order, self.provider.now);
        move |job| match order {
            Order::LeastFlexible => job.time_flexibility(now),
            Order::BiggestFirst => u64::MAX - job.duration * u64::from(job.pes),
            Order::Fifo => 0,
            _ => job.deadline,
        }
    }

    /// The shift of the window and the start that algorithms 1 and 2 give; algorithm 2 up to a greatest phi, where there is one.
    fn decide(
        &mut self,
        new: Job,
        suggest_max: Option<u32>,
        found: &mut Rechecked,
    ) -> Result<Option<(i64, u64)>> {
        let key = self.key();
        let before = match self.provider.algorithm_1(new, &key, Reading::Retry) {
            Ok(start) => return Ok(Some((0, start))),
            Err(before) => before,
        };
        let Some(most) = suggest_max else {
            return Ok(None);
        };
        let mut first = None;
        for (behind, kernel) in [
            (Behind::Deadline, KernelBehind::Deadline),
            (Behind::End, KernelBehind::End),
        ] {
            let options = self.provider.options(&new, before, &key, behind);
            let possible = self
                .provider
                .algorithm_2(&new, &options, &key, Reading::Retry);
            let limit = u64::from(most) * new.duration / 100;
            let near = |option: &&(i64, u64)| option.0 < 0 && option.0.unsigned_abs() <= limit;
            first = first.or_else(|| possible.iter().find(near).copied());
            self.compare(&new, kernel, &possible, found)?;
        }
        if let Some((shift, _)) = first {
            // The user agrees.
            let moved = shifted(
                Job {
                    start: new.ready.saturating_add_signed(shift),
                    ..new
                },
                shift,
            );
            let _ = self.provider.algorithm_1(moved, &key, Reading::Retry);
        }
        Ok(first)
    }

    /// Puts a refused job to a kernel of its own in the same state.
    fn compare(
        &self,
        new: &Job,
        behind: KernelBehind,
        possible: &[(i64, u64)],
        found: &mut Rechecked,
    ) -> Result<()> {
        let jobs = &self.jobs;
        let memory = BoxedCountBook::new(Sizes {
            pes: PES.into(),
            slots: SLOTS,
            reservations: jobs.len() + 1,
        });
        let mut memory = memory.map_err(refused)?;
        let mut book = memory.view();
        let entries = 2 * jobs.len() + 2;
        let mut workspace = BoxedWorkspace::late(entries, jobs.len()).map_err(refused)?;
        let mut transaction = book.transaction(workspace.view(), u64::MAX);
        for (job, waits) in jobs {
            let start = job.start.max(self.provider.now);
            let request = Request {
                duration: Span::new((job.start + job.duration - start) as u32),
                ..self.request(job)
            };
            let commitment = if *waits {
                terms(job)
            } else {
                Commitment::Confirmed
            };
            let start = self.slot(start);
            transaction
                .insert(&request, start, commitment)
                .map_err(refused)?;
        }
        transaction.commit().map_err(refused)?;
        let rules = Juggling {
            admission: Admission::Always,
            after_failure: AfterFailure::Retry,
            earliest: self.slot(self.provider.earliest),
            ..Juggling::by(KernelOrder::EarliestDeadline)
        };
        let wanted = Suggesting {
            behind,
            ..Suggesting::ALL
        };
        let mut list = List::<Alternative, 1024>::new();
        let request = self.request(new);
        let before = state(&book);
        book.alternatives(
            &request,
            terms(new),
            &rules,
            &wanted,
            workspace.view(),
            &mut list,
        )
        .map_err(refused)?;
        let now = self.provider.now;
        let kernel: Vec<(i64, u64)> = list
            .iter()
            .map(|option| (option.shift, option.start.get() + now))
            .collect();
        let untouched = before == state(&book);
        found.options.case(kernel == possible && untouched, || {
            format!(
                "job {}: {kernel:?}, by the letter {possible:?}",
                new.number + 1
            )
        });
        for option in &list {
            let difference = match option.shift > 0 {
                true => {
                    i128::from(option.request.deadline.get()) - i128::from(request.deadline.get())
                }
                false => i128::from(option.request.ready.get()) - i128::from(request.ready.get()),
            };
            let phi = 1_000 * difference / i128::from(request.duration.get());
            let right = i128::from(option.phi_per_mille()) == phi;
            found
                .phis
                .case(right, || format!("job {}: phi {phi}", new.number + 1));
        }
        Ok(())
    }

    /// A slot as seen from now.
    fn slot(&self, slot: u64) -> Slot {
        Slot::new(slot.saturating_sub(self.provider.now))
    }

    fn request(&self, job: &Job) -> Request {
        Request {
            ready: self.slot(job.ready),
            duration: Span::new(job.duration as u32),
            deadline: self.slot(job.deadline),
            pes: PeCount::new((job.pes as u16).into()),
        }
    }
}

/// Where everything is booked, and how often that has changed.
fn state<R: Ring>(book: &Book<'_, R>) -> (Version, Vec<(Handle, Window)>) {
    let places = book.iter().map(|(handle, booked)| (handle, booked.window));
    (book.version(), places.collect())
}

fn terms(job: &Job) -> Commitment {
    Commitment::Flexible {
        kind: match job.deadline_only {
            true => Flexibility::Deadline,
            false => Flexibility::Interval,
        },
        freeze: Freeze::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::{LOADS, point, recheck};
    use crate::engine::{Juggle, Order, Strategy, System};
    use crate::experiment::netto::{
        Netto,
        systems::{EDF, SUGGESTING, assumptions},
        workload::Workload,
    };

    #[test]
    fn runs_are_confirmed_and_another_order_is_noticed() {
        let workload = Workload::synthetic(1).unwrap().first(120);
        let paper = Netto {
            workload,
            ..Netto::new(None, 1, false).unwrap()
        };
        let main = &assumptions(&paper)[0];
        let look = |system: usize, interval, order: Option<Order>| {
            let story = main.one(point(LOADS[2], interval, false), 3, system);
            let story = story.unwrap();
            let was = main.systems[system].1.clone();
            let Strategy::Juggle(juggle, moving) = was.strategy else {
                panic!("{was:?}");
            };
            let order = order.unwrap_or(juggle.order);
            let strategy = Strategy::Juggle(Juggle { order, ..juggle }, moving);
            recheck(&story, &System { strategy, ..was }).unwrap()
        };
        let right = look(EDF, 100, None);
        assert_eq!((right.decisions.looked_at, right.decisions.wrong), (120, 0));
        assert!(right.windows.looked_at > 100 && right.windows.wrong == 0);
        let wrong = look(EDF, 100, Some(Order::BiggestFirst));
        assert!(wrong.decisions.wrong > 0);
        let suggested = look(SUGGESTING[2], 0, None);
        for count in [&suggested.options, &suggested.phis, &suggested.decisions] {
            assert!(count.looked_at > 0 && count.wrong == 0, "{count:?}");
        }
    }
}
