//! Copies of reservations at several sites. Rule 20.

use super::{findings::Findings, settings::Settings};
use crate::{
    engine::Redundancy,
    files::{Replica, Reservation},
    output::REPLICAS,
};

/// Every accepted reservation has its copies, one of which is used; the others were given back when it started, or when they
/// could not start on time.
pub(super) fn check(
    reservations: &[Reservation],
    replicas: Option<&[Replica]>,
    settings: &Settings,
    found: &mut Findings,
) {
    let Some(redundancy) = settings.redundancy() else {
        if replicas.is_some() {
            let problem = format!("{REPLICAS} is there, although reservations are booked once");
            found.add(None, problem);
        }
        return;
    };
    let Some(mut rest) = replicas else {
        found.add(None, format!("{REPLICAS} is missing"));
        return;
    };
    for row in reservations.iter().filter(|row| row.is_accepted()) {
        let own = rest.iter().take_while(|copy| copy.job_id == row.job_id);
        let (own, others) = rest.split_at(own.count());
        rest = others;
        copies(row, own, redundancy, settings, found);
    }
    if let Some(copy) = rest.first() {
        let problem = format!("a row of {REPLICAS} that is of no reservation, or in another place");
        found.add(Some(copy.job_id), problem);
    }
}

fn copies(
    row: &Reservation,
    own: &[Replica],
    redundancy: Redundancy,
    settings: &Settings,
    found: &mut Findings,
) {
    let id = row.job_id;
    let mut sites: Vec<u64> = own.iter().map(|copy| copy.site).collect();
    sites.sort_unstable();
    sites.dedup();
    let apart = sites.len() == own.len() && sites.last() < Some(&settings.sites());
    let right = match redundancy {
        Redundancy::Copies(copies) => own.len() == usize::from(copies),
        Redundancy::Kept(_) => !own.is_empty(),
    };
    found.require(id, apart && right, || {
        format!(
            "{} copies at {} sites, by {redundancy}",
            own.len(),
            sites.len()
        )
    });
    let used: Vec<&Replica> = own.iter().filter(|copy| copy.until.is_none()).collect();
    let is_used = |copy: &Replica| {
        Some(copy.site) == row.site.flatten() && Some([copy.start, copy.end]) == row.booked()
    };
    found.require(id, used.len() == 1 && is_used(used[0]), || {
        format!(
            "{} copies that are used, or another than the reservation",
            used.len()
        )
    });
    let latest = own.iter().map(|copy| copy.start).max();
    found.expect(
        id,
        "promised_latest_start",
        row.promised_latest_start.flatten(),
        latest,
    );
    let length = row.booked().map(|[start, end]| end.saturating_sub(start));
    for copy in own {
        let inside = row.ready <= copy.start
            && copy.end <= row.deadline
            && Some(copy.end.saturating_sub(copy.start)) == length
            && copy.overlaid_pes <= row.pes;
        // One that is late is given back at its own start.
        let back = copy.until.is_none_or(|until| {
            Some(until) == row.last_start() || until == copy.start && copy.overlaid_pes > 0
        });
        found.require(id, inside && back, || {
            let Replica {
                site,
                start,
                end,
                until,
                ..
            } = copy;
            format!("a copy at site {site} from {start} to {end}, given back at {until:?}")
        });
    }
}
