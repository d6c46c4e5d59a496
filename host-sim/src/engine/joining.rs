//! What goes with quotas and resources beside the machine, and what does not.

use bookahead::Policy;

use super::{binding::Binding, strategy::Strategy, system::System};
use crate::{
    arrivals::{Outline, Unusual},
    error::{Error, Result},
    operation::{Action, Operation},
    several::{MOST_RESOURCES, Principal, chain},
};

impl System {
    /// Whether requests are decided by more than the machine: by quotas, or by further resources.
    #[must_use]
    pub fn joins(&self) -> bool {
        !self.quotas.is_empty() || !self.resources.is_empty()
    }

    /// The option that makes it so.
    fn joining_option(&self) -> &'static str {
        match self.quotas.is_empty() {
            true => "--resources",
            false => "--quota",
        }
    }

    /// Whether several books can be decided as one: by first fit, for reservations that stay as they are.
    pub(super) fn check_joint(&self) -> Result<()> {
        if !self.joins() {
            return Ok(());
        }
        let option = self.joining_option();
        let (strategy, binding) = (self.strategy, self.binding);
        let problem = match strategy {
            Strategy::Fit(Policy::FirstFit) => None,
            Strategy::Fit(policy) => Some(format!(
                "--policy {}: several books are decided as one by first fit only; say --policy first-fit",
                policy.name()
            )),
            _ => Some(format!(
                "--strategy {} knows no book but that of the machine; say --strategy fit",
                strategy.name()
            )),
        };
        let beside = [
            ("--sites", self.sites > 1),
            ("--queue", self.best_effort.is_some()),
            ("--wait", self.wait.is_some()),
            ("--overrun", self.overrun),
            ("--rules", !self.rules.is_empty()),
            ("--pull-forward", self.pull_forward),
            ("--relocate", self.relocates()),
            ("--preempt", self.preempt.is_some()),
        ];
        let beside = beside.into_iter().find(|(_, there)| *there);
        let depth = |number| {
            let chain = chain(&self.quotas, number);
            let limited =
                chain.filter(|one| self.quotas.get(*one).is_some_and(Principal::is_limited));
            limited.count()
        };
        let deepest = (0..self.quotas.len()).map(depth).max().unwrap_or(0);
        let problem = match (problem, beside) {
            (Some(problem), _) => problem,
            (None, Some((other, _))) => {
                format!("it does not go with {other} yet; leave out one of them")
            }
            _ if binding == Binding::LateControl => format!(
                "{} binding looks at the machine only; say early or late",
                binding.name()
            ),
            _ if self.resources.len() + deepest > MOST_RESOURCES => format!(
                "{} resources and {deepest} levels of quotas: expected {MOST_RESOURCES} of both together at most",
                self.resources.len()
            ),
            _ => return Ok(()),
        };
        Err(Error::Usage(format!("{option}: {problem}")))
    }

    /// Whether requests ask for one length and for any processing elements of their class, which is all that several books decide as one.
    pub(super) fn check_joint_demands(&self, demands: &Outline) -> Result<()> {
        let [_, unusual] = demands.first_unusual;
        let Some(Unusual { job_id, exact }) = unusual.filter(|_| self.joins()) else {
            return Ok(());
        };
        let option = self.joining_option();
        let problem = match exact {
            true => "asks for exactly these PEs",
            false => "has a duration_min",
        };
        Err(Error::Usage(format!(
            "{option}: several books are asked for one length and for any PEs of a class, but request {job_id} {problem}"
        )))
    }

    /// Whether these operations leave the parts of a reservation as they are, or end them.
    pub(super) fn check_joint_operations(&self, operations: &[Operation]) -> Result<()> {
        let kept = |operation: &&Operation| {
            !matches!(
                operation.action,
                Action::Confirm | Action::Cancel | Action::Complete { .. }
            )
        };
        let Some(operation) = operations.iter().find(kept).filter(|_| self.joins()) else {
            return Ok(());
        };
        let option = self.joining_option();
        Err(Error::Usage(format!(
            "{option}: reservations are confirmed, cancelled and completed only, but row {} is the operation {}",
            operation.job_id,
            operation.action.name()
        )))
    }
}
