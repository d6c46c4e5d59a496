//! Options that say how room is found for a request: strategies, and policies within them.

use bookahead::Policy;
use clap::{Args, builder::TypedValueParser};

use super::values::{self, Named};
use crate::engine::{Elastic, Juggle, Moving, Overlay, Shift, Strategy};

/// How room is found for a request.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Strategy")]
pub(super) struct Placement {
    /// How room is found for a request; one or more separated by commas. Each fit runs once for each policy; the name of a policy is fit with that one [default: fit]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = strategies())]
    strategy: Vec<Choice>,
    /// Which start is taken where there are several; one or more separated by commas. rigid, elastic and juggle leave a policy no choice:
    /// each runs once, whatever the policies [default: first-fit]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = policies())]
    policy: Vec<Choice>,
}

/// What a name among strategies or policies stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Fit,
    Rigid,
    Elastic,
    Juggle,
    Shift,
    JuggleShift,
    Overlay,
    Policy(Policy),
    AllPolicies,
}

impl Choice {
    /// Whether a policy is all that it needs.
    const fn fits(&self) -> bool {
        matches!(self, Self::Fit | Self::Policy(_) | Self::AllPolicies)
    }
}

/// The settings of the strategies that have some.
pub(super) struct Settings {
    pub(super) elastic: Elastic,
    /// With first fit; each policy has a strategy of its own.
    pub(super) shift: Shift,
    pub(super) juggle: Juggle,
    /// Of a strategy that does not shift, and of one that does.
    pub(super) moving: [Moving; 2],
    /// With first fit; each policy has a strategy of its own.
    pub(super) overlay: Overlay,
}

impl Placement {
    /// The strategies in the order in which they are named, each once. Names of strategies among the policies, and of policies among the
    /// strategies, count as well: one option had both before.
    pub(super) fn strategies(&self, settings: &Settings) -> Vec<Strategy> {
        let policies = self.policies();
        let fits_by_policy = self.strategy.is_empty() || self.strategy.iter().any(Choice::fits);
        let named = self
            .policy
            .iter()
            .filter(|choice| fits_by_policy || !choice.fits());
        let &Settings {
            elastic,
            juggle,
            moving: [moving, shifting],
            ..
        } = settings;
        let shifts = policies.iter().map(|&policy| Shift {
            policy,
            ..settings.shift
        });
        let choices = self.strategy.iter().chain(named);
        let mut found: Vec<Strategy> = Vec::new();
        for choice in choices {
            match choice {
                Choice::Fit => found.extend(policies.iter().copied().map(Strategy::Fit)),
                Choice::Rigid => found.push(Strategy::Rigid),
                Choice::Elastic => found.push(Strategy::Elastic(elastic)),
                Choice::Juggle => found.push(Strategy::Juggle(juggle, moving)),
                Choice::Shift => {
                    let shifts = shifts.clone();
                    found.extend(shifts.map(|shift| Strategy::Shift(shift, shifting)));
                }
                Choice::JuggleShift => {
                    let both = |shift| Strategy::JuggleShift(shift, juggle, shifting);
                    found.extend(shifts.clone().map(both));
                }
                Choice::Overlay => {
                    let overlay = settings.overlay;
                    let policies = policies.iter();
                    found.extend(
                        policies.map(|&policy| Strategy::Overlay(Overlay { policy, ..overlay })),
                    );
                }
                Choice::Policy(policy) => found.push(Strategy::Fit(*policy)),
                Choice::AllPolicies => found.extend(Policy::ALL.map(Strategy::Fit)),
            }
        }
        if found.is_empty() {
            found.push(Strategy::Fit(Policy::FirstFit));
        }
        values::each_once(found)
    }

    /// The policies named as such.
    fn policies(&self) -> Vec<Policy> {
        let named = self.policy.iter().flat_map(|choice| match choice {
            Choice::Policy(policy) => vec![*policy],
            Choice::AllPolicies => Policy::ALL.to_vec(),
            _ => Vec::new(),
        });
        let named: Vec<Policy> = named.collect();
        match named.is_empty() {
            true => vec![Policy::FirstFit],
            false => named,
        }
    }
}

fn strategies() -> impl TypedValueParser<Value = Choice> {
    let others = policy_names().into_iter().map(hidden);
    values::one_of(strategy_names().into_iter().chain(others).collect())
}

fn policies() -> impl TypedValueParser<Value = Choice> {
    let others = strategy_names().into_iter().map(hidden);
    values::one_of(policy_names().into_iter().chain(others).collect())
}

fn hidden((name, choice): Named<Choice>) -> Named<Choice> {
    (name.hide(true), choice)
}

fn strategy_names() -> Vec<Named<Choice>> {
    vec![
        values::named(
            "fit",
            "somewhere in its window, at a start that a policy chooses",
            Choice::Fit,
        ),
        values::named("rigid", "at its ready time, or not at all", Choice::Rigid),
        values::named(
            "elastic",
            "as one of the offers that answer a query, with less time or fewer PEs if need be",
            Choice::Elastic,
        ),
        values::named(
            "juggle",
            "somewhere in its window, where flexible reservations are placed anew in theirs",
            Choice::Juggle,
        ),
        values::named(
            "shift",
            "somewhere in its window, where flexible reservations are shifted aside in theirs",
            Choice::Shift,
        ),
        values::named(
            "juggle-shift",
            "by shifting, and by juggling where that finds no room",
            Choice::JuggleShift,
        ),
        values::named(
            "overlay",
            "somewhere in its window, on top of others that will probably end early where there is no room; with --binding late",
            Choice::Overlay,
        ),
    ]
}

fn policy_names() -> Vec<Named<Choice>> {
    let named = |policy| {
        values::named(
            Policy::name(policy),
            meaning(policy),
            Choice::Policy(policy),
        )
    };
    let mut names = Policy::ALL.map(named).to_vec();
    names.push(values::named(
        "all",
        "the seven policies",
        Choice::AllPolicies,
    ));
    names
}

/// What the policy chooses. Free are the PEs that are free throughout the run; the rectangle is the longest window around the run in
/// which they all stay free.
const fn meaning(policy: Policy) -> &'static str {
    match policy {
        Policy::FirstFit => {
            "the earliest start; of candidates that are equal, the others take the earliest, too"
        }
        Policy::PeBestFit => "the fewest PEs free throughout the run",
        Policy::PeWorstFit => "the most PEs free throughout the run",
        Policy::DurationBestFit => "the shortest time around the run in which these PEs stay free",
        Policy::DurationWorstFit => "the longest time around the run in which these PEs stay free",
        Policy::PeDurationBestFit => "the least product of both",
        Policy::PeDurationWorstFit => "the greatest product of both",
    }
}

#[cfg(test)]
mod tests {
    use bookahead::Policy::{FirstFit, PeWorstFit};
    use clap::{Args, Command, FromArgMatches};

    use super::{Placement, Settings};
    use crate::engine::{Elastic, Juggle, Moving, Overlay, Shift, Strategy};

    fn strategies(options: &str) -> Vec<Strategy> {
        let command = Placement::augment_args(Command::new("test").no_binary_name(true));
        let matches = command.get_matches_from(options.split_whitespace());
        let placement = Placement::from_arg_matches(&matches).unwrap();
        placement.strategies(&Settings {
            elastic: Elastic::default(),
            shift: Shift::default(),
            juggle: Juggle::default(),
            moving: [Moving::FREELY; 2],
            overlay: Overlay::default(),
        })
    }

    #[test]
    fn strategies_and_policies_are_accepted_by_either_option() {
        let [first, worst] = [FirstFit, PeWorstFit].map(Strategy::Fit);
        let elastic = Strategy::Elastic(Elastic::default());
        let juggle = Strategy::Juggle(Juggle::default(), Moving::FREELY);
        let shift = |policy| {
            let shift = Shift {
                policy,
                ..Shift::default()
            };
            Strategy::Shift(shift, Moving::FREELY)
        };
        let cases = [
            ("", vec![first]),
            ("--strategy fit", vec![first]),
            ("--policy pe-worst-fit", vec![worst]),
            (
                "--strategy fit --policy first-fit,pe-worst-fit",
                vec![first, worst],
            ),
            (
                "--strategy rigid --policy pe-worst-fit",
                vec![Strategy::Rigid],
            ),
            (
                "--strategy rigid,fit --policy pe-worst-fit",
                vec![Strategy::Rigid, worst],
            ),
            (
                "--policy first-fit,rigid,elastic",
                vec![first, Strategy::Rigid, elastic],
            ),
            ("--strategy first-fit,rigid", vec![first, Strategy::Rigid]),
            (
                "--strategy first-fit --policy pe-worst-fit",
                vec![first, worst],
            ),
            ("--policy rigid", vec![Strategy::Rigid]),
            ("--strategy juggle --policy pe-worst-fit", vec![juggle]),
            (
                "--strategy shift --policy first-fit,pe-worst-fit",
                vec![shift(FirstFit), shift(PeWorstFit)],
            ),
        ];
        for (options, expected) in cases {
            assert_eq!(strategies(options), expected, "{options}");
        }
        assert_eq!(strategies("--strategy fit --policy all,first-fit").len(), 7);
    }
}
