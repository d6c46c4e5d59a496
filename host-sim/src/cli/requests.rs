//! Options that make reservation requests of jobs.

use std::{path::PathBuf, sync::Arc};

use clap::Args;

use super::{jobs::Jobs, queue, several::Beside, values};
use crate::{
    arrivals::{Demands, Outline},
    error::{Error, Result},
    layout::Layout,
    request::Demand,
    several::of_user,
    workload::{
        Job,
        needs::Needs,
        place::{ByNode, place},
        reserve::Factors,
    },
};

/// How jobs become requests.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Requests")]
pub(super) struct FactorOptions {
    /// Divides the times of submission: above 1 jobs come faster [default: 1]
    #[arg(long, value_name = "X", value_parser = values::real)]
    arrival_factor: Option<f64>,
    /// Longest time between request and ready, in durations [default: 3]
    #[arg(long, value_name = "X", value_parser = values::real)]
    book_ahead_factor: Option<f64>,
    /// Longest slack between ready and deadline, in durations [default: 3]
    #[arg(long, value_name = "X", value_parser = values::real)]
    deadline_factor: Option<f64>,
    /// Share of the jobs that reserve, chosen at random, 0 to 1; the others are best effort [default: 1]
    #[arg(long, value_name = "X", value_parser = values::real)]
    reservation_share: Option<f64>,
    /// Share of the reservations that are flexible, chosen at random, 0 to 1: the strategies juggle, shift and juggle-shift, and --pull-forward,
    /// may move them in their windows until they start; the others keep the starts they were accepted with [default: 1]
    #[arg(long, value_name = "X", value_parser = values::real)]
    flexible_share: Option<f64>,
    /// Mean slack of flexible reservations in percent of their durations, from a Poisson distribution; the others get none [default:
    /// slack by --deadline-factor]
    #[arg(long, value_name = "PCT", value_parser = values::real, conflicts_with = "deadline_factor")]
    interval: Option<f64>,
    /// Let jobs book more than they run: each A to B times as much, by a factor of its own, whatever a log says; so not with --duration
    #[arg(long, value_name = "A-B", value_parser = factors_over, allow_hyphen_values = true, conflicts_with = "duration")]
    k_over: Option<(f64, f64)>,
    /// Let lead time and slack of a request come from the same draw
    #[arg(long)]
    same_draw: bool,
}

impl FactorOptions {
    /// The factors.
    pub(super) fn factors(&self) -> Factors {
        let default = Factors::default();
        Factors {
            arrival: self.arrival_factor.unwrap_or(default.arrival),
            book_ahead: self.book_ahead_factor.unwrap_or(default.book_ahead),
            deadline: self.deadline_factor.unwrap_or(default.deadline),
            same_draw: self.same_draw,
            share: self.reservation_share.unwrap_or(default.share),
            flexible: self.flexible_share.unwrap_or(default.flexible),
            interval: self.interval,
            over: self.k_over,
        }
    }

    /// The first option given that only requests have, not jobs.
    pub(super) fn first_for_requests(&self) -> Option<&'static str> {
        let given = [
            ("--book-ahead-factor", self.book_ahead_factor.is_some()),
            ("--deadline-factor", self.deadline_factor.is_some()),
            ("--reservation-share", self.reservation_share.is_some()),
            ("--flexible-share", self.flexible_share.is_some()),
            ("--interval", self.interval.is_some()),
            ("--k-over", self.k_over.is_some()),
            ("--same-draw", self.same_draw),
        ];
        given
            .iter()
            .find(|(_, given)| *given)
            .map(|(name, _)| *name)
    }
}

/// A range of factors of 1 or more, such as `1.2-1.5`.
fn factors_over(text: &str) -> std::result::Result<(f64, f64), String> {
    let parts = text
        .split_once('-')
        .and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    parts
        .filter(|(least, most)| 1.0 <= *least && least <= most && *most <= 1_000.0)
        .ok_or_else(|| "expected two numbers of 1 or more such as 1.2-1.5".to_owned())
}

/// What jobs ask for, made anew each time.
pub(super) struct Requests {
    pub(super) jobs: Jobs,
    pub(super) factors: Factors,
    pub(super) seed: u64,
    /// The file of the log, or the name of the model.
    pub(super) source: PathBuf,
    pub(super) layout: Option<Arc<Layout>>,
    /// How they ask for what they need of a machine with a layout.
    pub(super) by_node: Option<ByNode>,
    /// Whether those that would reserve are queued.
    pub(super) queue_all: bool,
    /// The quotas of users, by their numbers, and what lies beside the machine.
    pub(super) beside: Beside,
}

impl Requests {
    /// Of these jobs, on a machine without a layout.
    pub(super) fn of(jobs: Jobs, factors: Factors, seed: u64) -> Self {
        Self {
            source: PathBuf::from(&jobs.name),
            jobs,
            factors,
            seed,
            layout: None,
            by_node: None,
            queue_all: false,
            beside: Beside::default(),
        }
    }

    /// What is known of them in advance; there is at least one.
    pub(super) fn outline(&self, longer: Option<u32>) -> Result<Outline> {
        let outline = Outline::of(self, longer)?;
        if outline.demands == 0 {
            let name = &self.jobs.name;
            return Err(Error::Usage(format!("{name} has no job that runs")));
        }
        Ok(outline)
    }

    fn place(&self, demand: &mut Demand, job: &Job) -> Result<()> {
        let Some(layout) = &self.layout else {
            return Ok(());
        };
        place(demand, (&self.source, job), layout, self.by_node.as_ref())
    }
}

impl Demands for Requests {
    fn each(&self) -> Result<Box<dyn Iterator<Item = Result<Demand>> + '_>> {
        let mut maker = self.factors.maker(self.seed, 0)?;
        let mut needs = Needs::new(&self.beside.resources, self.seed);
        let jobs = self.jobs.each()?;
        Ok(Box::new(jobs.map(move |job| {
            let job = job?;
            let mut demand = maker.demand(job);
            self.place(&mut demand, &job)?;
            if let Demand::Reserve(request) = &mut demand {
                request.principal = of_user(&self.beside.quotas, request.user);
                needs.draw(request);
            }
            match self.queue_all {
                true => queue::without_promise(demand),
                false => Ok(demand),
            }
        })))
    }
}
