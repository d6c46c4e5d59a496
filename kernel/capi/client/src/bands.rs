//! Bands of likely starts behind the C interface.

use bookahead::{Span, StartBand};
use bookahead_capi as c;

use crate::{
    Careless,
    argument::{Argument, List, Place, any_first, output},
    caller::functions,
    convert::InC,
};

/// A program with its memory.
#[derive(Clone, Debug)]
struct Program {
    memory: List<c::StartBands>,
    careless: Careless,
}

functions! { Program, self:
    note(planned: u32, waited: u32) = bookahead_bands_note(any_first(&self.memory), planned, waited);
    band(planned: u32, per_mille: u32) -> band: c::StartBand, known: bool
        = bookahead_bands_band(any_first(&self.memory), planned, per_mille);
}

/// Bands in memory that a C program owns.
#[derive(Clone, Debug)]
pub struct BandsSide {
    c: Program,
}

impl BandsSide {
    /// Nothing is known yet, to somebody so careless.
    #[must_use]
    pub fn new(careless: Careless) -> Self {
        let zeros = c::StartBands {
            numbers: [0; c::BOOKAHEAD_BANDS_NUMBERS],
        };
        let memory = List::of(&[zeros]);
        Self {
            c: Program { memory, careless },
        }
    }

    /// Notes how long a job was planned to wait, and how long it has waited.
    ///
    /// # Panics
    ///
    /// When the call does not answer that it is done.
    pub fn note(&mut self, planned: Span, waited: Span) {
        let noted = self.c.note(planned.c(), waited.c());
        noted.expect("there is always room");
    }

    /// Between which starts a job is likely to start.
    ///
    /// # Panics
    ///
    /// When the call does not answer that it is done.
    pub fn band(&mut self, planned: Span, per_mille: u16) -> Option<StartBand> {
        let found = self.c.band(planned.c(), per_mille.into());
        let (band, known) = found.expect("one may ask for anything");
        known.then(|| InC::of(band))
    }
}
