//! The hunt for the worst state of one search: changes at random, of which the slower are kept.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{
    Find, Sought, State, Structure,
    bed::Measured,
    mutation::{mutate, random, simpler, tidied},
};

/// How many changes in a row may bring nothing, before the hunt begins elsewhere.
const PATIENCE: u32 = 40;

/// What a simpler state has to keep of how slow the best is, to take its place.
const ALMOST: f64 = 0.98;

/// Says how slow a search is.
pub trait Judge {
    /// Builds `state` and times the search on it, in no more detail than is needed to see that it is no slower than `enough` times the floor.
    fn judge(&mut self, state: &State, sought: Sought, enough: f64) -> Measured;
}

/// A climb from random states to slower and slower ones, again and again.
///
/// Its random numbers decide what is tried and the judge what is kept.
pub struct Hunt {
    structure: Structure,
    sought: Sought,
    slots: u32,
    pes: u16,
    /// The longest duration that is asked for.
    longest: u32,
    rng: ChaCha8Rng,
    /// The state that is being changed.
    current: Option<(State, f64)>,
    /// How many changes in a row have brought nothing.
    failures: u32,
    best: Option<Find>,
    /// How slow the best was before it was made simpler.
    record: f64,
    /// How many attempts have been made to make the best simpler.
    simplified: usize,
    tried: u64,
}

impl Hunt {
    /// A hunt for states of this size.
    #[must_use]
    pub fn new(
        structure: Structure,
        sought: Sought,
        (slots, pes): (u32, u16),
        rng: ChaCha8Rng,
    ) -> Self {
        Self {
            structure,
            sought,
            slots,
            pes,
            longest: slots,
            rng,
            current: None,
            failures: 0,
            best: None,
            record: 0.0,
            simplified: 0,
            tried: 0,
        }
    }

    /// The same hunt, in which no longer duration is asked for.
    #[must_use]
    pub fn up_to(mut self, longest: u32) -> Self {
        self.longest = longest;
        self
    }

    /// Tries a state that is known, at the size of this hunt; what it was measured as before does not count.
    pub fn start_from(&mut self, state: &State, judge: &mut impl Judge) {
        for stretched in [false, true] {
            let state = state.resized(self.slots, self.pes, stretched);
            self.consider(state, judge);
        }
    }

    /// Tries one state and returns whether it is the best so far. `lent` may lend it layers: the best state of another search.
    pub fn step(&mut self, lent: Option<&State>, judge: &mut impl Judge) -> bool {
        if self.failures > PATIENCE {
            if let Some(simpler) = self.next_simpler() {
                return self.simplify(simpler, judge);
            }
            (self.current, self.failures) = (None, 0);
        }
        let state = self.propose(lent);
        self.consider(state, judge)
    }

    /// The next state to try.
    fn propose(&mut self, lent: Option<&State>) -> State {
        let best = self.best.as_ref().map(|best| &best.state);
        let other = lent.or(best);
        match (&self.current, best) {
            (Some((current, _)), _) => {
                let other = other.unwrap_or(current);
                mutate(current, other, &mut self.rng)
            }
            // Half of the climbs go on from the best, or from what is the best for another search.
            (None, Some(best)) if self.rng.random() => {
                let begin = lent.filter(|_| self.rng.random()).unwrap_or(best);
                mutate(begin, other.unwrap_or(best), &mut self.rng)
            }
            _ => random(self.slots, self.pes, &mut self.rng),
        }
    }

    /// Times `state`, keeps it if it is slower than what was changed to get it, and returns whether it is the slowest so far.
    fn consider(&mut self, mut state: State, judge: &mut impl Judge) -> bool {
        self.tried += 1;
        state.request.duration = state.request.duration.min(self.longest);
        let enough = self.current.as_ref().map_or(0.0, |(_, over)| *over);
        let mut measured = judge.judge(&state, self.sought, enough);
        if measured.over_floor <= enough {
            self.failures += 1;
            return false;
        }
        if measured.over_floor > self.record {
            // Another program may have run meanwhile.
            let again = judge.judge(&state, self.sought, self.record);
            if again.over_floor < measured.over_floor {
                measured = again;
            }
        }
        (self.current, self.failures) = (Some((state.clone(), measured.over_floor)), 0);
        if measured.over_floor <= self.record {
            return false;
        }
        self.record = measured.over_floor;
        self.simplified = 0;
        self.keep(state, measured);
        true
    }

    /// The next attempt at a simpler state than the best.
    fn next_simpler(&mut self) -> Option<State> {
        let best = self.best.as_ref()?;
        let next = simpler(&best.state).into_iter().nth(self.simplified);
        self.simplified += 1;
        next
    }

    /// Keeps a state that is simpler than the best if it is almost as slow, and returns whether it is.
    fn simplify(&mut self, state: State, judge: &mut impl Judge) -> bool {
        self.tried += 1;
        let enough = ALMOST * self.record;
        let measured = judge.judge(&state, self.sought, enough);
        if measured.over_floor <= enough {
            return false;
        }
        // What could not be left out before may be left out now, but the rest comes first.
        self.simplified -= 1;
        self.keep(state, measured);
        true
    }

    fn keep(&mut self, state: State, measured: Measured) {
        self.best = Some(Find {
            structure: self.structure,
            search: self.sought,
            over_floor: measured.over_floor,
            ns: measured.ns,
            state,
        });
    }

    /// Whether `find` is of the same search.
    #[must_use]
    pub fn seeks(&self, find: &Find) -> bool {
        (find.structure, find.search) == (self.structure, self.sought)
    }

    /// The slowest state so far, or one that is simpler and almost as slow.
    #[must_use]
    pub fn best(&self) -> Option<&Find> {
        self.best.as_ref()
    }

    /// Leaves out of the best what makes no difference to any slot.
    pub fn tidy(&mut self) {
        if let Some(best) = &mut self.best {
            best.state = tidied(self.structure, &best.state);
        }
    }

    /// How many states were tried.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.tried
    }
}
