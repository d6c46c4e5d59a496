//! States to begin with, and random changes to a state.

use bookahead_oracle::Skyline;
use rand::{Rng, RngExt, seq::IndexedRandom};

use super::{
    Structure,
    layer::{Blend, Layer, Members, Order, Shape},
    state::{LAYERS, State},
};

/// Durations that reach from one slot over the widths of what is summarised to half the ring.
#[must_use]
pub fn durations(slots: u32) -> Vec<u32> {
    let short = [1, 2, 3, 16, 63, 64, 100, 129, 700, 4_097];
    let long = [slots / 16, slots / 4, slots / 2];
    let all = short.into_iter().chain(long);
    all.filter(|duration| (1..=slots).contains(duration))
        .collect()
}

/// A state that looks like `skyline`, with a window of the whole ring, in which the first busy one moves on by `turn`.
#[must_use]
pub fn known(slots: u32, pes: u16, skyline: Skyline, turn: u16) -> State {
    let mut state = State::idle(slots, pes);
    let mut whole = Layer {
        from: 0,
        len: slots,
        shape: Shape::Flat,
        low: 0,
        high: pes,
        phase: 0,
        hold: 1,
        every: 1,
        width: 1,
        members: Members {
            order: Order::Lowest,
            first: 0,
            turn,
        },
        blend: Blend::Instead,
    };
    let saw = |period: u32, falling: bool| match falling {
        true => Shape::Falling { period },
        false => Shape::Rising { period },
    };
    match skyline {
        Skyline::Staircase { falling } => whole.shape = saw(slots, falling),
        Skyline::Saw { period, falling } => whole.shape = saw(period as u32, falling),
        Skyline::Pyramid { valley: true } => whole.shape = Shape::Valley { period: slots },
        Skyline::Pyramid { valley: false } => whole.shape = Shape::Hill { period: slots },
        Skyline::Gaps { period, width } => {
            whole.every = period as u32;
            whole.width = (period - width) as u32;
            whole.phase = whole.width;
        }
        Skyline::Comb { period, falling } => {
            let teeth = Layer {
                every: period as u32,
                ..whole.clone()
            };
            whole.shape = saw(slots, falling);
            whole.hold = period as u32;
            state.layers = vec![whole, teeth];
            return state;
        }
    }
    state.layers = vec![whole];
    state
}

/// A random state: one of the known skylines, or layers without any plan.
#[must_use]
pub fn random(slots: u32, pes: u16, rng: &mut impl Rng) -> State {
    let mut state = if rng.random() {
        let skylines = Skyline::all(slots as usize);
        let turn = *[0, 37 % pes, random_up_to(rng, pes.into()) as u16 - 1]
            .choose(rng)
            .unwrap_or(&0);
        match skylines.choose(rng) {
            Some(skyline) => known(slots, pes, *skyline, turn),
            None => State::idle(slots, pes),
        }
    } else {
        let mut state = State::idle(slots, pes);
        for _ in 0..rng.random_range(1..=3) {
            let layer = random_layer(slots, pes, rng);
            state.layers.push(layer);
        }
        state.now = rng.random_range(0..slots);
        state
    };
    state.request.duration = if rng.random() {
        *durations(slots).choose(rng).unwrap_or(&1)
    } else {
        random_up_to(rng, slots)
    };
    state.fit();
    state
}

/// A few random changes to `state`; `other` may lend it a layer or its request.
#[must_use]
pub fn mutate(state: &State, other: &State, rng: &mut impl Rng) -> State {
    let mut state = state.clone();
    loop {
        let before = state.clone();
        for _ in 0..rng.random_range(1..=3) {
            change(&mut state, other, rng);
        }
        state.fit();
        if state != before {
            return state;
        }
    }
}

/// Every state that has one thing less than `state`: a layer, or a number that is not the usual one.
#[must_use]
pub fn simpler(state: &State) -> Vec<State> {
    let State { slots, pes, .. } = *state;
    let mut all = Vec::new();
    let mut less = |change: &dyn Fn(&mut State)| {
        let mut simpler = state.clone();
        change(&mut simpler);
        simpler.fit();
        if simpler != *state {
            all.push(simpler);
        }
    };
    let usual = State::idle(slots, pes).request;
    for number in 0..state.layers.len() {
        less(&|state| {
            state.layers.remove(number);
        });
    }
    for number in 0..state.layers.len() {
        let simplifications: [fn(&mut Layer, u32, u16); 10] = [
            |layer, slots, _| (layer.from, layer.len) = (0, slots),
            |layer, _, _| (layer.every, layer.width) = (1, 1),
            |layer, _, _| layer.hold = 1,
            |layer, _, _| layer.phase = 0,
            |layer, _, _| layer.low = 0,
            |layer, _, pes| layer.high = pes,
            |layer, _, _| layer.members.turn = 0,
            |layer, _, _| layer.members.first = 0,
            |layer, _, _| layer.members.order = Order::Lowest,
            |layer, _, _| layer.blend = Blend::Instead,
        ];
        for simplify in simplifications {
            less(&|state| simplify(&mut state.layers[number], slots, pes));
        }
    }
    less(&|state| state.now = 0);
    less(&|state| state.request.ready = 0);
    less(&|state| state.request.deadline = usual.deadline);
    less(&|state| state.request.pes = usual.pes);
    all
}

/// The same request and the same slots, without what is hidden by later layers or makes no difference on this structure.
#[must_use]
pub fn tidied(structure: Structure, state: &State) -> State {
    let occupied = |state: &State| match structure {
        Structure::Count => state.counts().into_iter().map(u64::from).collect(),
        Structure::Pe => state.sets(usize::from(state.pes).div_ceil(64)),
    };
    let slots: Vec<u64> = occupied(state);
    let mut tidy = state.clone();
    let mut number = 0;
    while let Some(less) = simpler(&tidy).into_iter().nth(number) {
        let same = (less.now, less.request) == (tidy.now, tidy.request);
        if same && occupied(&less) == slots {
            tidy = less;
        } else {
            number += 1;
        }
    }
    tidy
}

fn change(state: &mut State, other: &State, rng: &mut impl Rng) {
    let (slots, pes) = (state.slots, state.pes);
    match rng.random_range(0..16) {
        0..3 => state.request.duration = nudged(state.request.duration, slots, rng),
        3 => state.request.ready = nudged(state.request.ready, slots, rng),
        4 => state.request.deadline = nudged(state.request.deadline, slots, rng),
        5 => state.request.pes = nudged(state.request.pes.into(), pes.into(), rng) as u16,
        6 => state.now = nudged(state.now, slots, rng),
        7 if state.layers.len() < LAYERS => {
            let layer = random_layer(slots, pes, rng);
            let place = rng.random_range(0..=state.layers.len());
            state.layers.insert(place, layer);
        }
        8 if !state.layers.is_empty() => {
            let place = rng.random_range(0..state.layers.len());
            state.layers.remove(place);
        }
        9 if state.layers.len() < LAYERS => {
            if let Some(layer) = other.layers.choose(rng) {
                let place = rng.random_range(0..=state.layers.len());
                state.layers.insert(place, layer.clone());
            }
        }
        10 if rng.random_range(0..3) == 0 => state.request = other.request,
        _ => {
            if !state.layers.is_empty() {
                let number = rng.random_range(0..state.layers.len());
                change_layer(&mut state.layers[number], slots, pes, rng);
            }
        }
    }
}

fn change_layer(layer: &mut Layer, slots: u32, pes: u16, rng: &mut impl Rng) {
    let machine = u32::from(pes);
    let in_space = |number: u16, rng: &mut _| nudged(number.into(), machine, rng) as u16;
    match rng.random_range(0..16) {
        0 => layer.from = nudged(layer.from, slots, rng),
        1 => layer.len = nudged(layer.len, slots, rng),
        2 => layer.low = in_space(layer.low, rng),
        3 => layer.high = in_space(layer.high, rng),
        4 => layer.phase = nudged(layer.phase, slots, rng),
        5 => layer.hold = nudged(layer.hold, slots, rng),
        6 => layer.every = nudged(layer.every, slots, rng),
        7 => layer.width = nudged(layer.width, slots, rng),
        8 => layer.members.order = random_order(pes, rng),
        9 => layer.members.first = in_space(layer.members.first, rng),
        10 => layer.members.turn = in_space(layer.members.turn, rng),
        11 => layer.blend = random_blend(rng),
        12 => layer.shape = random_shape(slots, rng),
        _ => match layer.period_mut() {
            Some(period) => *period = nudged(*period, slots, rng),
            None => layer.shape = random_shape(slots, rng),
        },
    }
}

fn random_layer(slots: u32, pes: u16, rng: &mut impl Rng) -> Layer {
    let whole = rng.random::<bool>();
    let (from, len) = if whole {
        (0, slots)
    } else {
        (rng.random_range(0..slots), random_up_to(rng, slots))
    };
    let every = if rng.random() {
        1
    } else {
        random_up_to(rng, slots)
    };
    let order = random_order(pes, rng);
    Layer {
        from,
        len,
        shape: random_shape(slots, rng),
        low: if rng.random() {
            0
        } else {
            random_up_to(rng, pes.into()) as u16
        },
        high: pes - (random_up_to(rng, pes.into()) - 1) as u16,
        phase: 0,
        hold: if rng.random() {
            1
        } else {
            random_up_to(rng, slots)
        },
        every,
        width: random_up_to(rng, every),
        members: Members {
            order,
            first: 0,
            turn: if rng.random() {
                0
            } else {
                random_up_to(rng, pes.into()) as u16
            },
        },
        blend: random_blend(rng),
    }
}

fn random_shape(slots: u32, rng: &mut impl Rng) -> Shape {
    let period = random_up_to(rng, slots);
    match rng.random_range(0..6) {
        0 => Shape::Flat,
        1 => Shape::Rising { period },
        2 => Shape::Falling { period },
        3 => Shape::Hill { period },
        4 => Shape::Valley { period },
        _ => Shape::Random { seed: rng.random() },
    }
}

fn random_order(pes: u16, rng: &mut impl Rng) -> Order {
    match rng.random_range(0..3) {
        0 => Order::Lowest,
        1 => Order::Spread {
            gap: random_up_to(rng, pes.into()) as u16,
        },
        _ => Order::Scattered { seed: rng.random() },
    }
}

fn random_blend(rng: &mut impl Rng) -> Blend {
    match rng.random_range(0..4) {
        0 => Blend::With,
        1 => Blend::Without,
        _ => Blend::Instead,
    }
}

/// A number from 1 to `most`, small ones as likely as large ones: uniform in its logarithm.
fn random_up_to(rng: &mut impl Rng, most: u32) -> u32 {
    let log = rng.random::<f64>() * f64::from(most).ln();
    (log.exp().round() as u32).clamp(1, most)
}

/// Another number up to about `most`: mostly one near `number`.
fn nudged(number: u32, most: u32, rng: &mut impl Rng) -> u32 {
    let factor = |rng: &mut _| {
        let log: f64 = Rng::next_u32(rng).into();
        (log / f64::from(u32::MAX) - 0.5).exp2()
    };
    match rng.random_range(0..8) {
        0 => number.saturating_add(1),
        1 => number.saturating_sub(1),
        2 => number / 2,
        3 => number.saturating_mul(2),
        4 | 5 => (f64::from(number) * factor(rng)).round() as u32,
        // Where the summaries of 8 and of 64 slots begin and end.
        6 => *[0, 1, 7, 8, 9, 63, 64, 65, 127, 128, most, most - 1]
            .choose(rng)
            .unwrap_or(&0),
        _ => random_up_to(rng, most),
    }
    .min(most)
}
