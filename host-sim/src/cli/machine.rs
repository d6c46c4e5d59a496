//! Options of the systems to simulate.

use bookahead::Policy;
use clap::Args;

use super::memory::Memory;
use crate::engine::{Binding, Strategy, System};

/// Most processing elements the kernel can count.
pub(super) const MOST_PES: i64 = u16::MAX as i64;
const MOST_SLOTS: i64 = 1 << 20;

/// How starts are chosen and when processing elements are assigned.
#[derive(Args, Clone, Debug)]
pub(super) struct Strategies {
    /// How a request becomes a reservation: at a start that one of these chooses: first-fit, pe-best-fit, pe-worst-fit,
    /// duration-best-fit, duration-worst-fit, pe-duration-best-fit, pe-duration-worst-fit; or rigid (at the ready time or not at
    /// all); one or more separated by commas, or all for the first seven
    #[arg(long, visible_alias = "strategy", value_name = "LIST", value_delimiter = ',', value_parser = strategies, default_value = "first-fit")]
    policy: Vec<Vec<Strategy>>,
    /// When PEs are assigned: early (when the reservation is made), late (when the job starts), late-control (late, but over
    /// the starts that early looks at); one or more separated by commas, or all for early,late
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = bindings, default_value = "early")]
    binding: Vec<Vec<Binding>>,
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
    pub(super) fn systems(&self, size: Size) -> Vec<System> {
        let strategies = each_once(&self.policy);
        let bindings = each_once(&self.binding);
        let pairs = strategies
            .iter()
            .flat_map(|&strategy| bindings.iter().map(move |&binding| (strategy, binding)));
        pairs
            .map(|(strategy, binding)| size.system(strategy, binding))
            .collect()
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

fn strategies(name: &str) -> Result<Vec<Strategy>, String> {
    if name == "all" {
        return Ok(Policy::ALL.map(Strategy::Fit).to_vec());
    }
    let policy = Policy::from_name(name).map(Strategy::Fit);
    let known = || Policy::ALL.map(Policy::name).join(", ");
    policy
        .or_else(|| (name == Strategy::Rigid.name()).then_some(Strategy::Rigid))
        .map(|strategy| vec![strategy])
        .ok_or_else(|| format!("expected all or some of {}, rigid", known()))
}

fn bindings(name: &str) -> Result<Vec<Binding>, String> {
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
