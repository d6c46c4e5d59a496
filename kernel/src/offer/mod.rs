//! Elastic queries: offers of what a job could have instead of, or besides, what it asks for.

mod front;
mod query;
mod shortlist;
mod strip;
mod token;

pub use query::{ElasticRequest, OfferOrder, OfferTerms, Offered, Search};
pub use token::{Offer, Take};

pub(crate) use query::Interval;
pub(crate) use shortlist::Shortlist;
pub(crate) use {front::pareto_front, strip::strip_packing};
