//! The states of the worst cases: their text, what a hunt tries, and the kernel's answers in those that are kept, which are the plain ones.

use bookahead::{Policy, Window};
use bookahead_benches::worst::{
    Bed, Hunt, Judge, Measured, Sought, State, Structure, finds, mutate, random, tidied,
};
use bookahead_oracle::papers::li::{Bits, list::PaperList};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The processing elements of a set.
fn members(set: &[u64], pes: u16) -> Bits {
    let busy = |pe: &u16| set[usize::from(pe / 64)] >> (pe % 64) & 1 == 1;
    Bits::of(pes, (0..pes).filter(busy))
}

/// The paper's list of a state. Where PEs are alike, the lowest ones are busy.
fn list(structure: Structure, state: &State) -> PaperList {
    let words = usize::from(state.pes).div_ceil(64);
    let sets = state.sets(words);
    let counts = state.counts();
    let mut list = PaperList::new(state.pes);
    for slot in 0..state.slots {
        let number = slot as usize;
        let busy = match structure {
            Structure::Count => Bits::of(state.pes, 0..counts[number]),
            Structure::Pe => members(&sets[number * words..][..words], state.pes),
        };
        let window = Window {
            start: state.slot(slot),
            end: state.slot(slot + 1),
        };
        if !busy.is_empty() {
            list.add_allocation(window, &busy);
        }
    }
    list
}

/// Each policy gets the start from the kernel that it gets from the paper's list. Returns how many find one.
fn agree(structure: Structure, state: &State) -> usize {
    let ring = Window {
        start: state.slot(0),
        end: state.slot(state.slots),
    };
    let list = list(structure, state);
    let mut bed = Bed::new(structure, state.slots, state.pes).unwrap();
    bed.build(state);
    let plain = Policy::ALL.map(|policy| {
        let found = list.find_allocation(ring, &state.request(), policy);
        found.map(|found| found.start)
    });
    let kernel = Policy::ALL.map(|policy| bed.start(state, policy));
    assert_eq!(kernel, plain, "{structure:?} {state}");
    plain.into_iter().flatten().count()
}

/// The states are smaller, since the paper's list takes hours on the states as they are.
#[test]
fn the_answers_in_the_kept_states_are_the_plain_ones() {
    let finds = finds::kept();
    assert_eq!(finds.len(), 2 * Sought::all().len(), "one for each search");
    let mut found = 0;
    for find in &finds {
        for (slots, pes) in [(500, 300), (321, 1_000)] {
            for stretched in [true, false] {
                let state = find.state.resized(slots, pes, stretched);
                found += agree(find.structure, &state);
            }
        }
    }
    assert!(found > 0, "somewhere there is room");
}

#[test]
fn the_answers_in_random_states_are_the_plain_ones() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut found = 0;
    for _ in 0..60 {
        let state = random(150, 530, &mut rng);
        for structure in Structure::ALL {
            found += agree(structure, &state);
        }
    }
    assert!(found > 0, "somewhere there is room");
}

#[test]
fn a_state_is_the_same_when_it_is_read_again() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..1_000 {
        let state = random(5_000, 700, &mut rng);
        let text = state.to_string();
        assert!(!text.contains('\n'));
        let again: State = serde_json::from_str(&text).unwrap();
        assert_eq!(again, state);
        let mut fitted = state.clone();
        fitted.fit();
        assert_eq!(fitted, state, "it is valid");
    }
}

#[test]
fn a_tidied_state_has_the_same_slots() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut fewer = 0;
    for _ in 0..100 {
        let mut state = random(300, 100, &mut rng);
        for _ in 0..20 {
            state = mutate(&state, &state, &mut rng);
        }
        let counts = tidied(Structure::Count, &state);
        assert_eq!(counts.counts(), state.counts(), "{state}");
        let sets = tidied(Structure::Pe, &state);
        assert_eq!(sets.sets(2), state.sets(2), "{state}");
        for tidy in [counts, sets] {
            assert_eq!((tidy.now, tidy.request), (state.now, state.request));
            fewer += state.layers.len() - tidy.layers.len();
        }
    }
    assert!(fewer > 0);
}

/// Judges by what is busy instead of by the clock.
#[derive(Default)]
struct Counted {
    tried: Vec<State>,
}

impl Judge for Counted {
    fn judge(&mut self, state: &State, _: Sought, _: f64) -> Measured {
        self.tried.push(state.clone());
        let busy: u64 = state.counts().into_iter().map(u64::from).sum();
        let ns = busy as f64 * f64::from(state.request.duration);
        Measured {
            ns,
            over_floor: ns / f64::from(state.slots),
        }
    }
}

/// A hunt of a few hundred steps on a small ring.
fn hunt(seed: u64) -> (Vec<State>, State) {
    let mut judge = Counted::default();
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let sought = Sought::Start(Policy::FirstFit);
    let mut hunt = Hunt::new(Structure::Count, sought, (300, 50), rng);
    for _ in 0..400 {
        hunt.step(None, &mut judge);
    }
    (judge.tried, hunt.best().unwrap().state.clone())
}

#[test]
fn a_seed_decides_what_is_tried() {
    let (tried, best) = hunt(1);
    assert_eq!((tried.clone(), best.clone()), hunt(1));
    assert_ne!(tried, hunt(2).0);
    // And the slower are kept: nearly everything is busy, and a long run is asked for.
    let busy: u64 = best.counts().into_iter().map(u64::from).sum();
    assert!(
        busy * 10 > 9 * 300 * 50 && best.request.duration > 270,
        "{best}"
    );
}

#[test]
fn what_is_wrong_in_a_file_is_named_with_its_line() {
    let good = serde_json::to_string(&finds::kept()[0]).unwrap();
    let refused = |line: &str| finds::parse(&format!("{good}\n{line}\n")).unwrap_err();
    assert!(refused("{").starts_with("line 2: "));
    let wide = good.replacen("\"pes\":65535", "\"pes\":0", 1);
    assert!(refused(&wide).contains("the nearest state is"), "{wide}");
    let unknown = good.replacen("first-fit", "last-fit", 1);
    assert!(refused(&unknown).contains("last-fit"), "{unknown}");
}

#[test]
fn a_file_is_written_and_read_again() {
    let folder = std::env::temp_dir().join(format!("bookahead-finds-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("finds.jsonl");
    assert_eq!(finds::read(&path), Ok(Vec::new()));
    let mut kept = Vec::new();
    for find in finds::kept().iter().rev() {
        finds::replace(&mut kept, find);
        finds::replace(&mut kept, find);
    }
    assert_eq!(kept, finds::kept());
    finds::write(&path, &kept).unwrap();
    assert_eq!(finds::read(&path).unwrap(), kept);
    std::fs::remove_dir_all(&folder).unwrap();
}
