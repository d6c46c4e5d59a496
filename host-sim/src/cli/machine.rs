//! Options of the systems to simulate.

use bookahead::Policy;
use clap::Args;

use super::memory::Memory;
use crate::engine::{Binding, System};

/// Most processing elements the kernel can count.
pub(super) const MOST_PES: i64 = u16::MAX as i64;
const MOST_SLOTS: i64 = 1 << 20;

/// How starts are chosen and when processing elements are assigned.
#[derive(Args, Clone, Debug)]
pub(super) struct Strategies {
    /// How a start is chosen: one or more of first-fit, pe-best-fit, pe-worst-fit, duration-best-fit, duration-worst-fit,
    /// pe-duration-best-fit, pe-duration-worst-fit, separated by commas, or all
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = policies, default_value = "first-fit")]
    policy: Vec<Vec<Policy>>,
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
    /// Every policy with every binding, each pair once.
    pub(super) fn systems(&self, size: Size) -> Vec<System> {
        let policies = each_once(&self.policy);
        let bindings = each_once(&self.binding);
        let pairs = policies
            .iter()
            .flat_map(|&policy| bindings.iter().map(move |&binding| (policy, binding)));
        pairs
            .map(|(policy, binding)| size.system(policy, binding))
            .collect()
    }
}

impl Size {
    pub(super) fn system(self, policy: Policy, binding: Binding) -> System {
        System {
            pes: self.pes,
            slots: self.slots,
            slot_seconds: self.slot_seconds,
            policy,
            binding,
        }
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

fn policies(name: &str) -> Result<Vec<Policy>, String> {
    if name == "all" {
        return Ok(Policy::ALL.to_vec());
    }
    let known = || Policy::ALL.map(Policy::name).join(", ");
    Policy::from_name(name)
        .map(|policy| vec![policy])
        .ok_or_else(|| format!("expected all or some of {}", known()))
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
