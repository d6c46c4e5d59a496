//! When a waiting job will probably start. Only in libraries built with `--features plan`.

use bookahead as kernel;
use kernel::{Span, StartBands as Known};

use crate::{
    code::answer,
    pointer::{Out, elements, elements_mut},
};

/// Of how many jobs of each doubling of the planned wait `struct bookahead_start_bands` remembers how long they waited.
pub const BOOKAHEAD_BANDS_LAST: usize = 256;

/// How many numbers that takes.
pub const BOOKAHEAD_BANDS_NUMBERS: usize = 8_224;

// As the kernel has them, of which any numbers are some, and zeros know nothing.
const _: () = assert!(size_of::<StartBands>() == size_of::<Known<BOOKAHEAD_BANDS_LAST>>());
const _: () = assert!(align_of::<StartBands>() == align_of::<Known<BOOKAHEAD_BANDS_LAST>>());

/// How long jobs have waited beside how long they were planned to: of each doubling of the planned wait, the last BOOKAHEAD_BANDS_LAST of them. Zeros, with which it begins, say that nothing is known. It
/// may be copied and kept as any other value.
///
/// A planned start is sure as long as jobs take what they were estimated to take. Most end earlier, so that most start earlier than planned, and where reservations are made meanwhile, some
/// start later. From those of whom it is known, this says between which starts a job will start as often as is asked for, as long as things go on as they lately did. It promises
/// nothing, and neither reads nor changes a book or a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct StartBands {
    /// To be left alone.
    pub numbers: [u32; BOOKAHEAD_BANDS_NUMBERS],
}

/// Slots from when on and until when a job is likely to start, counted from when that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct StartBand {
    /// The first of these starts.
    pub earliest: u32,
    /// The last of them.
    pub latest: u32,
}

impl From<kernel::StartBand> for StartBand {
    fn from(band: kernel::StartBand) -> Self {
        Self {
            earliest: band.earliest.get(),
            latest: band.latest.get(),
        }
    }
}

/// Notes that a job that was planned to wait for so many slots, see `bookahead_queue_starts`, has waited for `waited` until it started. Who was planned to start at once says nothing of others. O(1). Only
/// in libraries built with plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_bands_note(
    bands: *mut StartBands,
    planned: u32,
    waited: u32,
) -> u32 {
    // SAFETY: by the contract of the crate; the kernel's are as long and as well aligned, and any numbers are some.
    answer(|| unsafe {
        for bands in elements_mut(bands.cast::<Known<BOOKAHEAD_BANDS_LAST>>(), 1)? {
            bands.note(Span::new(planned), Span::new(waited));
        }
        Ok(())
    })
}

/// Gives in which slots, counted from now on, a job starts that is planned to wait for so many of them, so that this is right at least `per_mille` times of a thousand. As many start before the band as
/// behind it. As long as too few are known for that, one less than 2,000 / (1,000 - `per_mille`) of the same doubling, and always for a thousand or more, `known` becomes false, and `band` is left alone; whoever is planned
/// to wait for nothing starts now, whatever is known.
/// O(BOOKAHEAD_BANDS_LAST). Only in libraries built with plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_bands_band(
    bands: *const StartBands,
    planned: u32,
    per_mille: u32,
    band: *mut StartBand,
    known: *mut bool,
) -> u32 {
    // SAFETY: by the contract of the crate; as above.
    answer(|| unsafe {
        let (band, known) = (Out::new(band)?, Out::new(known)?);
        let per_mille = u16::try_from(per_mille).unwrap_or(u16::MAX);
        let bands = elements(bands.cast::<Known<BOOKAHEAD_BANDS_LAST>>(), 1)?.first();
        let found = bands.and_then(|bands| bands.band(Span::new(planned), per_mille));
        known.set(found.is_some());
        if let Some(found) = found {
            band.set(found);
        }
        Ok(())
    })
}
