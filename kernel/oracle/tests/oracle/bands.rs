//! Bands of likely starts beside ranks of sorted ratios.

use bookahead::{Span, StartBand, StartBands};
use rand::{Rng, RngExt};

use crate::common::lives::{operations, random};

/// How many are remembered of each doubling.
const LAST: usize = 19;

/// All that was noted, in order: the planned and the real wait.
type Noted = Vec<(u32, u32)>;

/// The band by the definition: all of the last ones of the doubling are sorted by waited / planned, and the band reaches from one rank to another.
fn by_ranks(noted: &Noted, planned: u32, per_mille: u16) -> Option<[u32; 2]> {
    if planned == 0 {
        return Some([0, 0]);
    }
    let alike = |other: u32| other > 0 && other.ilog2() == planned.ilog2();
    let mut last: Vec<(u32, u32)> = noted
        .iter()
        .copied()
        .filter(|(other, _)| alike(*other))
        .collect();
    last.drain(..last.len().saturating_sub(LAST));
    // As fractions, without a quotient.
    last.sort_by_key(|&(planned, waited)| {
        // 2^16 parts are what is told apart.
        (u128::from(waited) << 16) / u128::from(planned)
    });
    let outside = f64::from(1_000 - per_mille) / 1_000.0;
    let side = (outside / 2.0 * (last.len() + 1) as f64 + 1e-9).floor() as usize;
    if side == 0 {
        return None;
    }
    let ratio = |rank: usize| {
        let (planned, waited) = last[rank - 1];
        ((u128::from(waited) << 16) / u128::from(planned)).min(u32::MAX.into())
    };
    let (low, high) = (ratio(side), ratio(last.len() + 1 - side));
    let planned = u128::from(planned);
    // The last slot before so many parts more.
    let latest = (planned * (high + 1)).div_ceil(1 << 16) - 1;
    let earliest = (planned * low) >> 16;
    Some([earliest, latest].map(|slots| slots.min(u32::MAX.into()) as u32))
}

/// A number of so many bits at most.
fn number(random: &mut impl Rng, bits: u32) -> u32 {
    let bits = random.random_range(0..=bits);
    random.random::<u32>() & ((1_u64 << bits) - 1) as u32
}

#[test]
fn bands_are_those_between_ranks() {
    let random = &mut random(31);
    let (mut bands, mut noted) = (StartBands::<LAST>::new(), Noted::new());
    let mut said = 0;
    for _ in 0..operations(20_000, 1) {
        let planned = number(random, 5);
        let planned = if random.random_bool(0.1) {
            number(random, 32)
        } else {
            planned
        };
        let waited = match random.random_range(0..10) {
            0 => number(random, 32),
            1..5 => planned,
            _ => random.random_range(0..=planned),
        };
        bands.note(Span::new(planned), Span::new(waited));
        noted.push((planned, waited));
        let (asked, per_mille) = (number(random, 6), random.random_range(0..=1_000));
        let asked = if random.random_bool(0.1) {
            planned
        } else {
            asked
        };
        let band = bands.band(Span::new(asked), per_mille);
        let of = |band: StartBand| [band.earliest, band.latest].map(Span::get);
        assert_eq!(
            band.map(of),
            by_ranks(&noted, asked, per_mille),
            "{asked} slots, {per_mille}"
        );
        said += usize::from(asked > 0 && band.is_some());
        assert_eq!(bands.band(Span::new(asked), 1_001).is_some(), asked == 0);
    }
    assert!(said > 1_000, "{said}");
}

/// What comes next is like what came: so the band is right at least as often as it says, and hardly more often.
#[test]
fn bands_are_right_as_often_as_they_say() {
    let random = &mut random(32);
    let mut bands = StartBands::<100>::new();
    let shares = [500, 800, 900, 950];
    let (mut right, mut all) = ([0_u32; 4], 0_u32);
    for turn in 0..6_000 {
        // Of one doubling.
        let planned = Span::new(random.random_range(512..1_024));
        let waited = Span::new(planned.get() * random.random_range(0..=1_000) / 1_000);
        if turn >= 100 {
            all += 1;
            for (right, share) in right.iter_mut().zip(shares) {
                let band = bands.band(planned, share).expect("enough is known");
                *right += u32::from(band.holds(waited));
            }
        }
        bands.note(planned, waited);
    }
    for (right, share) in right.into_iter().zip(shares) {
        let found = f64::from(right) / f64::from(all);
        let said = f64::from(share) / 1_000.0;
        // Of 5,900, three standard deviations are two in a hundred; a rank of 101 is one more.
        assert!(
            (said - 0.02..said + 0.03).contains(&found),
            "{said}: {found}"
        );
    }
}
