//! Bands of likely starts behind the C interface beside the kernel's own.

use bookahead::{Span, StartBands};
use bookahead_capi::BOOKAHEAD_BANDS_LAST;
use bookahead_capi_client::{BandsSide, Careless};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn bands_are_those_of_the_kernel() {
    let mut random = ChaCha8Rng::from_seed([7; 32]);
    let mut mistakes = vec![0; 10_007];
    random.fill_bytes(&mut mistakes);
    let mut own = StartBands::<BOOKAHEAD_BANDS_LAST>::new();
    let mut c = BandsSide::new(Careless::by(mistakes));
    let mut said = 0;
    for _ in 0..10_000 {
        // Few doublings, so that more are noted of each than are remembered.
        let bits = if random.random_bool(0.05) { 32 } else { 4 };
        let mut span = || Span::new(random.random::<u32>() >> (32 - bits));
        let (planned, waited, asked) = (span(), span(), span());
        own.note(planned, waited);
        c.note(planned, waited);
        let per_mille = random.random_range(0..=1_001);
        let band = own.band(asked, per_mille);
        assert_eq!(c.band(asked, per_mille), band, "{asked:?}, {per_mille}");
        said += u32::from(asked > Span::ZERO && band.is_some());
    }
    assert!(said > 1_000, "{said}");
}
