//! Probabilities of overlaps, and what follows from them.

use core::hint::black_box;

use bookahead::{
    Exponential, Guarantee, History, Load, Money, Overlap, PeCount, Probability, Replica, Run,
    RunTimeLaw, Stakes, Steering, Subtask, Threshold,
};

use crate::{
    keep,
    values::{a_slot, a_span, a_window},
};

/// Every function of the feature.
#[inline(never)]
pub fn every_operation() {
    probabilities();
    if let Some(law) = Exponential::new(black_box(3), black_box(40)) {
        overlaps(black_box(RunTimeLaw::Exponential(law)));
    }
    let mut counters = [0; 9];
    let mut times = black_box(History::of_service_times(
        a_span(),
        black_box(&mut counters),
    ));
    if let Some(times) = &mut times {
        History::record(times, a_span(), a_span());
        History::record_stopped(times);
        overlaps(black_box(RunTimeLaw::Empirical(times)));
    }
    keep(History::of_used_shares(black_box(&mut counters)));
    thresholds();
    redundancy();
}

#[inline(never)]
fn probabilities() {
    keep(Probability::rounding_down(black_box(1), black_box(3)));
    keep(Probability::rounding_up(black_box(1), black_box(3)));
    let one = a_probability();
    keep(Probability::new(Probability::get(one)));
    keep(Probability::complement(one));
    keep(Probability::times_rounding_down(one, a_probability()));
    keep(Probability::times_rounding_up(one, a_probability()));
    let stakes = black_box(Stakes {
        price: Money::new(3),
        compensation: Money::new(5),
    });
    keep(Stakes::expected_profit(&stakes, one));
    keep(Stakes::break_even(&stakes));
}

#[inline(never)]
fn overlaps(law: RunTimeLaw<'_>) {
    let run = Run {
        pes: PeCount::new(black_box(3)),
        window: a_window(),
        ran: a_span(),
        law,
    };
    keep(Run::finished_by(&run, a_slot()));
    keep(Run::unfinished_at(&run, a_slot()));
    let predecessors = [run, run];
    let overlap = Overlap {
        newcomer: run,
        free: black_box(-2),
        predecessors: black_box(&predecessors),
    };
    let mut memory = [Probability::ZERO; 8];
    let table = black_box(&mut memory[..]);
    keep(Overlap::free_start(&overlap, table));
    keep(Overlap::late_start(&overlap, table));
    let load = Load {
        at: a_slot(),
        free: black_box(1),
    };
    let loads = [load, load];
    let later: &[Load] = black_box(&loads);
    for guarantee in black_box([Guarantee::Access, Guarantee::Completion]) {
        let later = later.iter().copied();
        keep(Overlap::kept(&overlap, guarantee, later, table));
    }
}

#[inline(never)]
fn thresholds() {
    let steering = black_box(Steering {
        target: a_probability(),
        step: a_probability(),
        least: a_probability(),
        most: a_probability(),
    });
    let mut threshold = black_box(Threshold::adaptive(a_probability(), steering));
    Threshold::observe(&mut threshold, black_box(true));
    keep(Threshold::accepts(&threshold, a_probability()));
    keep(Threshold::get(&threshold));
}

#[inline(never)]
fn redundancy() {
    let replica = black_box(Replica {
        site: 1,
        start: a_slot(),
        late: a_probability(),
        kept: a_probability(),
    });
    let mut replicas = [replica; 4];
    keep(bookahead::kept_by_any(black_box(&replicas)));
    let (each, wanted) = (a_probability(), a_probability());
    keep(bookahead::replicas_needed(each, wanted, black_box(9)));
    let mut application = [Subtask {
        replicas: black_box(&mut replicas),
        chosen: black_box(0),
    }];
    let application = black_box(&mut application[..]);
    keep(bookahead::select_replicas(application, wanted));
}

pub fn a_probability() -> Probability {
    black_box(Probability::ONE)
}
