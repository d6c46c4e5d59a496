//! How much of what lies beside the machine, such as licences, a request needs that is made of a job.

use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::rng::{Purpose, stream};
use crate::{
    request::JobRequest,
    several::{Amount, Resource},
};

/// Draws what each request needs, one request after the other. Each resource has draws of its own, so that another one beside it changes none of them.
pub struct Needs<'r> {
    resources: &'r [Resource],
    luck: Vec<ChaCha8Rng>,
}

impl<'r> Needs<'r> {
    /// Of these resources. Of one that says nothing about requests, none is needed.
    #[must_use]
    pub fn new(resources: &'r [Resource], seed: u64) -> Self {
        let numbers = (0..).take(resources.len());
        Self {
            resources,
            luck: numbers
                .map(|number| stream(seed, Purpose::Needs, number))
                .collect(),
        }
    }

    /// What the next request needs.
    pub fn draw(&mut self, request: &mut JobRequest) {
        let draws = self.resources.iter().zip(&mut self.luck);
        let needs: Vec<u32> = draws
            .map(|(resource, luck)| {
                let drawn: f64 = luck.random();
                match resource.asked {
                    Some(asked) if drawn < asked.share => match asked.amount {
                        Amount::PerRequest(units) => units,
                        // More than there can be is refused as too wide.
                        Amount::PerPe(units) => u32::try_from(request.pes)
                            .unwrap_or(u32::MAX)
                            .saturating_mul(units),
                    },
                    _ => 0,
                }
            })
            .collect();
        if needs.iter().any(|units| *units > 0) {
            request.needs = Some(Arc::from(needs));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(toml: &str) -> Vec<Resource> {
        Resource::parse("resources.toml".as_ref(), toml).unwrap()
    }

    fn drawn(resources: &[Resource], seed: u64) -> Vec<[u32; 2]> {
        let mut needs = Needs::new(resources, seed);
        let one = |pes| {
            let mut request = JobRequest {
                pes,
                ..JobRequest::default()
            };
            needs.draw(&mut request);
            let needed = request.needed();
            [needed[0], needed[1]]
        };
        (0..1_000).map(|number| 1 + number % 7).map(one).collect()
    }

    #[test]
    fn a_share_of_the_requests_needs_so_much_each_or_for_each_pe() {
        let licence = "[licence]\nunits = 20\nshare = 0.3\nper_request = 4\n";
        let both = resource(&format!("{licence}[memory]\nunits = 500\nper_pe = 3\n"));
        let needs = drawn(&both, 7);
        let some = needs.iter().filter(|[licence, _]| *licence > 0).count();
        assert!((250..350).contains(&some), "{some}");
        for (number, [licences, memory]) in needs.iter().enumerate() {
            assert!([0, 4].contains(licences));
            assert_eq!(*memory, 3 * (1 + number as u32 % 7));
        }
        assert_ne!(drawn(&both, 8), needs);
        // By itself it is drawn as beside another one.
        let alone = drawn(&resource(licence), 7);
        assert!(alone.iter().zip(&needs).all(|(one, two)| one[0] == two[0]));
    }
}
