//! Options of elastic reservations.

use bookahead::{OfferOrder, Search};
use clap::Args;

use super::names::one_of;
use crate::engine::{Elastic, User};

/// How elastic queries are made and answered.
#[derive(Args, Clone, Debug)]
pub(super) struct ElasticOptions {
    /// elastic: how offers are looked for, strip-packing (from the fullest slots that will do outwards) or pareto-front (every
    /// offer that no other betters in start, length and width at once) [default: strip-packing]
    #[arg(long, value_name = "NAME", value_parser = search)]
    search: Option<Search>,
    /// elastic: what is offered first, discovery (as found), longest, widest, earliest or cheapest [default: discovery]
    #[arg(long, value_name = "ORDER", value_parser = order)]
    offer_order: Option<OfferOrder>,
    /// elastic: offers in an answer at most; the last in the order are left out [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=Elastic::MOST_OFFERS as i64))]
    offers: Option<u16>,
    /// elastic: what the user does when there is not what was asked for. solution-only gives up; alternatives takes the longest
    /// offer of at least half the time on at least half the PEs; ask-again does so too, and if none suits asks once more without
    /// a number of PEs [default: alternatives]
    #[arg(long, value_name = "NAME", value_parser = user)]
    user: Option<User>,
}

impl ElasticOptions {
    /// The strategy's settings.
    pub(super) fn elastic(&self) -> Elastic {
        let default = Elastic::default();
        Elastic {
            search: self.search.unwrap_or(default.search),
            order: self.offer_order.unwrap_or(default.order),
            offers: self.offers.map_or(default.offers, usize::from),
            user: self.user.unwrap_or(default.user),
        }
    }

    /// The first option that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--search", self.search.is_some()),
            ("--offer-order", self.offer_order.is_some()),
            ("--offers", self.offers.is_some()),
            ("--user", self.user.is_some()),
        ];
        given
            .iter()
            .find(|(_, given)| *given)
            .map(|(name, _)| *name)
    }
}

fn search(name: &str) -> Result<Search, String> {
    one_of(name, Search::ALL, Search::name)
}

fn order(name: &str) -> Result<OfferOrder, String> {
    one_of(name, OfferOrder::ALL, OfferOrder::name)
}

fn user(name: &str) -> Result<User, String> {
    one_of(name, User::ALL, User::name)
}
