//! Options of the systems to simulate.

use bookahead::Policy;
use clap::Args;

use super::{elastic::ElasticOptions, memory::Memory, prices::PriceOptions};
use crate::{
    engine::{Binding, Elastic, Strategy, System},
    error::{Error, Result},
};

/// Most processing elements the kernel can count.
pub(super) const MOST_PES: i64 = u16::MAX as i64;
const MOST_SLOTS: i64 = 1 << 20;

/// How starts are chosen and when processing elements are assigned.
#[derive(Args, Clone, Debug)]
pub(super) struct Strategies {
    /// How a request becomes a reservation: where a policy puts it in its window, which is one of first-fit, pe-best-fit,
    /// pe-worst-fit, duration-best-fit, duration-worst-fit, pe-duration-best-fit, pe-duration-worst-fit; rigid, at its ready
    /// time or not at all; or elastic, as one of the offers that answer a query, with less time or fewer PEs if need be. One or
    /// more separated by commas, or all for the seven policies
    #[arg(long, visible_alias = "strategy", value_name = "LIST", value_delimiter = ',', value_parser = strategies, default_value = "first-fit")]
    policy: Vec<Vec<Strategy>>,
    /// When PEs are assigned: early (when the reservation is made), late (when the job starts), late-control (late, but over
    /// the starts that early looks at); one or more separated by commas, or all for early,late
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = bindings, default_value = "early")]
    binding: Vec<Vec<Binding>>,
    #[command(flatten)]
    elastic: ElasticOptions,
    #[command(flatten)]
    prices: PriceOptions,
    #[command(flatten)]
    pub(super) memory: Memory,
}

/// The size of the machine but for its processing elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) pes: u16,
    pub(super) slots: u32,
    pub(super) slot_seconds: u32,
}

impl Strategies {
    /// Every strategy with every binding, each pair once.
    pub(super) fn systems(&self, size: Size) -> Result<Vec<System>> {
        let strategies = each_once(&self.policy)
            .into_iter()
            .map(|strategy| match strategy {
                Strategy::Elastic(_) => Strategy::Elastic(self.elastic.elastic()),
                other => other,
            });
        let strategies: Vec<Strategy> = strategies.collect();
        self.check_elastic(&strategies)?;
        let tariff = self.prices.tariff(size.slot_seconds)?;
        let bindings = each_once(&self.binding);
        let mut systems = Vec::new();
        for strategy in strategies {
            for &binding in &bindings {
                let system = System {
                    tariff,
                    ..size.system(strategy, binding)
                };
                system.check()?;
                systems.push(system);
            }
        }
        Ok(systems)
    }

    /// An option without effect would be taken for one with effect.
    fn check_elastic(&self, strategies: &[Strategy]) -> Result<()> {
        let elastic = |strategy: &Strategy| matches!(strategy, Strategy::Elastic(_));
        match self.elastic.first_given() {
            Some(option) if !strategies.iter().any(elastic) => Err(Error::Usage(format!(
                "{option} is only for --policy elastic"
            ))),
            _ => Ok(()),
        }
    }
}

impl Size {
    pub(super) fn system(self, strategy: Strategy, binding: Binding) -> System {
        System::new(self.pes, self.slots, self.slot_seconds, strategy, binding)
    }
}

fn each_once<T: Copy + PartialEq>(lists: &[Vec<T>]) -> Vec<T> {
    let mut once = Vec::new();
    for &item in lists.iter().flatten() {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}

fn strategies(name: &str) -> std::result::Result<Vec<Strategy>, String> {
    let policies = Policy::ALL.map(Strategy::Fit);
    if name == "all" {
        return Ok(policies.to_vec());
    }
    let others = [Strategy::Rigid, Strategy::Elastic(Elastic::default())];
    let known = policies.into_iter().chain(others);
    let names = || {
        known
            .clone()
            .map(Strategy::name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let unknown = || format!("expected all or some of {}", names());
    let found = known.clone().find(|strategy| strategy.name() == name);
    found.map(|strategy| vec![strategy]).ok_or_else(unknown)
}

fn bindings(name: &str) -> std::result::Result<Vec<Binding>, String> {
    let all = [Binding::Early, Binding::Late, Binding::LateControl];
    if name == "all" {
        return Ok(vec![Binding::Early, Binding::Late]);
    }
    all.into_iter()
        .find(|binding| binding.name() == name)
        .map(|binding| vec![binding])
        .ok_or_else(|| "expected all or some of early, late, late-control".to_owned())
}

/// A number of processing elements that the kernel can count.
pub(super) fn pes() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=MOST_PES)
}

/// A number of slots that the kernel can cover.
pub(super) fn slots() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=MOST_SLOTS)
}

/// The length of a slot.
pub(super) fn slot_seconds() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..)
}
