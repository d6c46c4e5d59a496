//! Options of elastic reservations.

use bookahead::{OfferOrder, Search};
use clap::{Args, builder::TypedValueParser};

use super::values;
use crate::engine::{Elastic, User};

/// How elastic queries are made and answered.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Details of strategies")]
pub(super) struct ElasticOptions {
    /// elastic: how offers are looked for [default: strip-packing]
    #[arg(long, value_name = "NAME", value_parser = searches())]
    search: Option<Search>,
    /// elastic: what is offered first [default: discovery]
    #[arg(long, value_name = "ORDER", value_parser = orders())]
    offer_order: Option<OfferOrder>,
    /// elastic: offers in an answer at most; the last in the order are left out [default: 64]
    #[arg(long, value_name = "N", value_parser = values::whole::<u16>(1..=Elastic::MOST_OFFERS as u64))]
    offers: Option<u16>,
    /// elastic: what the user does when there is not what was asked for [default: alternatives]
    #[arg(long, alias = "user", value_name = "NAME", value_parser = users())]
    user_policy: Option<User>,
}

impl ElasticOptions {
    /// The strategy's settings.
    pub(super) fn elastic(&self) -> Elastic {
        let default = Elastic::default();
        Elastic {
            search: self.search.unwrap_or(default.search),
            order: self.offer_order.unwrap_or(default.order),
            offers: self.offers.map_or(default.offers, usize::from),
            user: self.user_policy.unwrap_or(default.user),
        }
    }

    /// The first option that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        values::first_given([
            ("--search", self.search.is_some()),
            ("--offer-order", self.offer_order.is_some()),
            ("--offers", self.offers.is_some()),
            ("--user-policy", self.user_policy.is_some()),
        ])
    }
}

fn searches() -> impl TypedValueParser<Value = Search> {
    let meaning = |search| match search {
        Search::StripPacking => "from the fullest slots that will do outwards",
        Search::ParetoFront => {
            "every offer that no other betters in start, length and width at once"
        }
    };
    values::each(Search::ALL, Search::name, meaning)
}

fn orders() -> impl TypedValueParser<Value = OfferOrder> {
    values::one_of(OfferOrder::ALL.map(|one| (one.name().into(), one)).to_vec())
}

fn users() -> impl TypedValueParser<Value = User> {
    let meaning = |user| match user {
        User::SolutionOnly => "gives up",
        User::Alternatives => {
            "takes the longest offer of at least half the time on at least half the PEs; of fewer PEs than were asked for there are offers with --search pareto-front only"
        }
        User::AskAgain => {
            "does so too, and if none suits asks once more without a number of PEs, so that offers of fewer PEs come of every search"
        }
    };
    values::each(User::ALL, User::name, meaning)
}
