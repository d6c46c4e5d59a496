//! Runs the grid and keeps what the claims need of it.

use rayon::prelude::*;

use super::{
    audit::{Audit, audit},
    measures::Cell,
    points::{HOUR, Point, Reading, SLOT},
    strategies::{NAMES, systems},
    workload::Workload,
};
use crate::{
    engine::{self, Outcome},
    error::Result,
    experiment::{curves::Curves, grid},
    progress::Bar,
    request::{BestEffortRequest, Demand, JobRequest},
    workload::Job,
};

/// A figure of a run.
pub(super) type Measure = fn(&Cell) -> f64;

/// What is run.
#[derive(Clone, Copy)]
pub(super) struct Order<'a> {
    pub(super) workload: &'a Workload,
    pub(super) reading: Reading,
    pub(super) replications: u32,
    pub(super) seed: u64,
}

/// All runs of one reading.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    /// The points.
    pub(super) points: Vec<Point>,
    /// By point, replication and strategy.
    pub(super) cells: Vec<Vec<Vec<Cell>>>,
    /// What the audits of all runs found.
    pub(super) audit: Audit,
}

impl Order<'_> {
    /// Runs all strategies at all points in all replications; one tick of the bar for each point and replication.
    pub(super) fn run(&self, points: &[Point], bar: &Bar) -> Result<Sheet> {
        let rounds = grid::run(points, self.replications, |&point, replication| {
            let round = self.round(point, replication);
            bar.tick();
            round
        })?;
        let mut found = Audit::default();
        let mut cells = Vec::new();
        for rounds in rounds {
            let mut at_point = Vec::new();
            for round in rounds {
                let (audits, cells): (Vec<Audit>, Vec<Cell>) = round.into_iter().unzip();
                found = audits.into_iter().fold(found, Audit::and);
                at_point.push(cells);
            }
            cells.push(at_point);
        }
        Ok(Sheet {
            points: points.to_vec(),
            cells,
            audit: found,
        })
    }

    fn round(&self, point: Point, replication: u32) -> Result<Vec<(Audit, Cell)>> {
        let demands = self.demands(point, replication);
        systems()?
            .into_par_iter()
            .map(|system| {
                let outcomes = engine::run(&system, &demands, &|| {})?;
                Ok((audit(&system, &outcomes)?, Cell::of(&outcomes)))
            })
            .collect()
    }

    /// The run of one strategy.
    pub(super) fn outcomes(
        &self,
        point: Point,
        replication: u32,
        strategy: usize,
    ) -> Result<Vec<Outcome>> {
        let system = systems()?[strategy];
        engine::run(&system, &self.demands(point, replication), &|| {})
    }

    /// What arrives.
    pub(super) fn demands(&self, point: Point, replication: u32) -> Vec<Demand> {
        let Reading {
            compute_node,
            estimates,
            ..
        } = self.reading;
        let jobs = self.workload.jobs(compute_node, estimates);
        let reserving = self.workload.reserving(self.seed, replication);
        let demand = |(job, reserves): (Job, bool)| match reserves {
            true => Demand::Reserve(reservation(&job, point)),
            false => Demand::BestEffort(BestEffortRequest {
                job_id: job.id,
                arrival: job.submit as u64,
                pes: job.pes,
                estimate: job.duration,
                run: job.run,
            }),
        };
        jobs.into_iter().zip(reserving).map(demand).collect()
    }
}

/// The query of a job: its interval begins with a slot and has room for the slots that the job needs, and slt more.
fn reservation(job: &Job, point: Point) -> JobRequest {
    let arrival = job.submit as u64;
    let ready = (arrival + point.book_ahead * HOUR).next_multiple_of(SLOT);
    JobRequest {
        job_id: job.id,
        arrival,
        ready,
        duration: job.duration,
        deadline: ready + job.duration.next_multiple_of(SLOT) + point.search_limit * HOUR,
        pes: job.pes,
        run: job.run,
    }
}

impl Sheet {
    /// How many replications there are.
    pub(super) fn replications(&self) -> usize {
        self.cells.first().map_or(0, Vec::len)
    }

    /// The search limit times that were run.
    fn search_limits(&self) -> Vec<u64> {
        let mut limits: Vec<u64> = self.points.iter().map(|point| point.search_limit).collect();
        limits.sort_unstable();
        limits.dedup();
        limits
    }

    /// A measure of a strategy in each replication at a point; nothing at a point that was not run.
    pub(super) fn at(
        &self,
        point: Point,
        strategy: usize,
        measure: impl Fn(&Cell) -> f64,
    ) -> Vec<f64> {
        let place = self.points.iter().position(|other| *other == point);
        let cells = place.map_or(&[][..], |place| &self.cells[place]);
        cells
            .iter()
            .map(|cells| measure(&cells[strategy]))
            .collect()
    }

    /// A measure of every strategy over the search limit times at one book-ahead time.
    pub(super) fn curves(&self, book_ahead: u64, measure: Measure) -> Curves {
        let limits = self.search_limits();
        let along = |strategy| -> Vec<Vec<f64>> {
            let points = limits.iter().map(|&limit| Point::new(book_ahead, limit));
            points
                .map(|point| self.at(point, strategy, measure))
                .collect()
        };
        Curves {
            axis: format!("bt {book_ahead} h, slt (h)"),
            ticks: limits.iter().map(u64::to_string).collect(),
            names: NAMES.map(str::to_owned).to_vec(),
            samples: (0..NAMES.len()).map(along).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, reservation};
    use crate::workload::Job;

    #[test]
    fn a_query_has_room_for_whole_slots_and_the_search_limit() {
        let job = Job {
            id: 1,
            submit: 85.4,
            run: 301,
            duration: 301,
            pes: 2,
            queue: None,
        };
        let request = reservation(&job, Point::new(1, 0));
        // 01:01:25 begins at 01:05:00, and 301 s take two slots.
        assert_eq!((request.arrival, request.ready), (85, 3_900));
        assert_eq!(request.deadline, 3_900 + 600);
        let later = reservation(&job, Point::new(5, 2));
        assert_eq!(
            (later.ready, later.deadline),
            (18_300, 18_300 + 600 + 7_200)
        );
    }
}
