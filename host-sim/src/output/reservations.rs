//! The rows of reservations.csv.

use std::borrow::Cow;

use bookahead::Money;

use super::{Kinds, jobs::site};
use crate::{
    engine::{OnLate, Outcome, Placed, Reason, Story, Strategy, System, outcome::Breach},
    files::{Bit, Decimal, Decision, Kind, Price, Replica, Reservation},
    request::Demand,
    several::in_words,
};

/// One row for each request to reserve; with further cells where there are holds or operations, and where bookings change.
pub(crate) fn rows(system: &System, story: &Story) -> impl Iterator<Item = Reservation> {
    let kinds = Kinds::of(system, story);
    let rows = story.outcomes.iter();
    rows.filter_map(move |outcome| row(outcome, system, kinds))
}

/// The row of a request to reserve, in a run with rows of such kinds.
pub(super) fn row(outcome: &Outcome, system: &System, kinds: Kinds) -> Option<Reservation> {
    let Kinds {
        plain,
        breaks,
        ranges,
        ..
    } = kinds;
    let moves = kinds.has_moves(system);
    let (request, decision) = outcome.reservation()?;
    let placed = decision.ok();
    let reduces = matches!(system.strategy, Strategy::Elastic(_));
    let suggest_max = system.strategy.juggle().map(|juggle| juggle.suggest_max);
    let suggests = suggest_max.flatten().is_some();
    let agreed = |end: usize| {
        placed
            .and_then(|placed| placed.agreed)
            .map(|window| window[end])
    };
    let (op, ttl) = match &outcome.demand {
        Demand::Hold(hold) => (Kind::Hold, hold.ttl),
        _ => (Kind::Reserve, None),
    };
    let overlays = system.strategy.overlay().is_some();
    let on_late = system.strategy.overlay().unwrap_or_default().on_late;
    let compensates = matches!(on_late, OnLate::Compensate(_));
    let several = system.sites > 1;
    let asks = request
        .asks
        .as_ref()
        .map_or_else(Default::default, |asks| asks.cells());
    let [partition, exclude, groups, per_group, within, prefer, on] =
        asks.map(|cell| system.placing.is_some().then_some(Cow::Owned(cell)));
    let [quotas, resources] =
        [system.quotas.is_empty(), system.resources.is_empty()].map(|none| !none);
    let overlay = placed.and_then(|placed| placed.overlay);
    let breach = placed.and_then(Placed::breach);
    let broken = placed.and_then(Placed::broken);
    let (waits, waited) = (system.wait.is_some(), outcome.waited());
    // Of what was promised late, the reason for which it was refused at first.
    let reason = waited.map(|waited| Reason::Kernel(waited.reason));
    let reason = reason.or(decision.err());
    Some(Reservation {
        job_id: request.job_id,
        arrival: request.arrival,
        ready: request.ready,
        duration: request.duration,
        deadline: request.deadline,
        pes: request.pes,
        decision: match decision {
            Ok(placed) if placed.late.is_some() => Decision::PromisedLate,
            Ok(_) => Decision::Accepted,
            Err(Reason::GaveUp(_)) => Decision::GaveUp,
            Err(_) => Decision::Refused,
        },
        reason: Cow::Borrowed(reason.map_or("", Reason::name)),
        start: placed.map(|placed| placed.start),
        end: placed.map(|placed| placed.end),
        slowdown: outcome.slowdown().map(Decimal),
        duration_min: ranges.then_some(request.shortest),
        granted_duration: (reduces || ranges)
            .then(|| placed.map(|placed| placed.granted(request.duration))),
        granted_pes: reduces.then(|| placed.map(Placed::granted_pes)),
        price: system.has_prices().then(|| {
            placed.map(|placed| Price {
                micro: placed.price.get(),
            })
        }),
        flexible: system.moving().map(|_| Bit(request.flexible)),
        agreed_ready: suggests.then(|| agreed(0)),
        agreed_deadline: suggests.then(|| agreed(1)),
        op: (!plain).then_some(op),
        ttl: (!plain).then_some(ttl),
        promised_latest_start: (overlays || system.redundancy.is_some())
            .then(|| placed.map(Placed::latest_start)),
        final_start: (moves || overlays).then(|| placed.map(Placed::final_start)),
        fixed_at: moves.then(|| placed.map(Placed::fixed_at)),
        broken_by: breaks.then(|| broken.map(|(by, _)| by)),
        broken_at: breaks.then(|| broken.map(|(_, at)| at)),
        wait: waits.then_some(Bit(!request.impatient)),
        wait_key: waits.then(|| waited.map(|waited| waited.key.into())),
        promised_at: waits.then(|| placed.and_then(|placed| placed.late).map(|late| late.at)),
        user: system.orders_by_user().then_some(request.user),
        partition,
        exclude,
        groups,
        per_group,
        within,
        prefer,
        on,
        principal: quotas.then(|| {
            let principal = request.principal.and_then(|one| system.quotas.get(one));
            Cow::Owned(principal.map_or(String::new(), |one| one.name.to_string()))
        }),
        needs: resources.then(|| {
            let needs = request.needs.as_deref().unwrap_or_default();
            Cow::Owned(in_words(needs, &system.resources))
        }),
        refused_by: (quotas || resources).then(|| {
            let by = decision.err().and_then(|reason| reason.refuser());
            let by = by.map(|by| by.in_words(&system.quotas, &system.resources));
            Cow::Owned(by.unwrap_or_default())
        }),
        site: several.then(|| site(outcome)),
        actual_end: overlays.then(|| {
            let ran = placed.filter(|placed| placed.has_run());
            ran.map(Placed::finish)
        }),
        overlaid_pes: overlays.then(|| {
            let pes = overlay.map_or(0, |overlay| overlay.pes.into());
            placed.map(|_| pes)
        }),
        probability: overlays
            .then(|| overlay.map(|overlay| Decimal(overlay.probability.get().to_num()))),
        violated: (overlays || several).then(|| placed.map(|_| Bit(breach.is_some()))),
        violation: overlays.then(|| Cow::Borrowed(breach.map_or("", Breach::name))),
        compensation: compensates.then(|| {
            let paid = overlay.map_or(Money::ZERO, |overlay| overlay.compensation);
            placed.map(|_| Price { micro: paid.get() })
        }),
    })
}

/// One row for each copy of an accepted reservation.
pub(crate) fn replicas(outcome: &Outcome) -> impl Iterator<Item = Replica> {
    let accepted = outcome.accepted().into_iter();
    accepted.flat_map(|(request, placed)| {
        placed.replicas.iter().map(|copy| Replica {
            job_id: request.job_id,
            site: copy.site.into(),
            start: copy.start,
            end: copy.end,
            overlaid_pes: copy.overlaid.into(),
            until: copy.until,
        })
    })
}
