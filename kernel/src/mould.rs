//! Requests that can run in several forms: mouldable ones, and malleable ones translated into such forms.

use core::iter;

use crate::{
    error::{Error, UsageError},
    named::named,
    pe::PeCount,
    request::Request,
    time::{Slot, Span},
};

/// One form of a mouldable request: how long the job runs on how many processing elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Form {
    /// The number of processing elements.
    pub pes: PeCount,
    /// Length of the run on so many.
    pub duration: Span,
}

/// A mouldable request: the job runs in one of `forms`, which is chosen when it is accepted and stays, within a window that is the same
/// for all of them. A rigid request with a budget is a mouldable one with a single form.
///
/// ```
/// use bookahead::{Form, MouldableRequest, PeCount, Slot, Span};
/// let form = |pes, slots| Form { pes: PeCount::new(pes), duration: Span::new(slots) };
/// // Twice the processing elements do not halve the time.
/// let request = MouldableRequest {
///     ready: Slot::new(10),
///     deadline: Slot::new(40),
///     forms: &[form(1, 18), form(2, 10), form(4, 6)],
/// };
/// assert_eq!(request.rigid(&request.forms[1]).latest_start(), Some(Slot::new(30)));
/// ```
///
/// Source: `netto`, section 2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MouldableRequest<'f> {
    /// Earliest start.
    pub ready: Slot,
    /// Latest end, exclusive.
    pub deadline: Slot,
    /// What the job can run as, in any order. Each form costs a search, so the table bounds the work.
    pub forms: &'f [Form],
}

impl MouldableRequest<'_> {
    /// Returns the rigid request for one form.
    #[must_use]
    pub const fn rigid(&self, form: &Form) -> Request {
        Request {
            ready: self.ready,
            duration: form.duration,
            deadline: self.deadline,
            pes: form.pes,
        }
    }

    /// Checks that each form has slots and processing elements.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for form in self.forms {
            if form.duration == Span::ZERO {
                return Err(UsageError::ZeroDuration.into());
            }
            if form.pes == PeCount::ZERO {
                return Err(UsageError::ZeroPes.into());
            }
        }
        Ok(())
    }
}

/// The choice among the forms of a mouldable request that can be booked. Ties go to the earliest end, then to the fewest PE-slots
/// (processing elements times slots), then to the first in the table.
///
/// ```
/// use bookahead::FormChoice;
/// assert_eq!(FormChoice::from_name("cheapest"), Some(FormChoice::Cheapest));
/// assert_eq!(FormChoice::FewestPeSlots.code(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[repr(u8)]
pub enum FormChoice {
    /// The earliest end.
    #[default]
    EarliestEnd = 0,
    /// The fewest PE-slots.
    FewestPeSlots = 1,
    /// The lowest price. Without a discount it is the form with the fewest PE-slots.
    Cheapest = 2,
}

named!(FormChoice {
    EarliestEnd => "earliest-end",
    FewestPeSlots => "fewest-pe-slots",
    Cheapest => "cheapest",
});

/// A malleable requirement: work that any number of processing elements from `least` to `most` can share evenly.
///
/// ```
/// use bookahead::{Form, MalleableJob, PeCount, Span};
/// let job = MalleableJob { work: 12, least: PeCount::new(2), most: PeCount::new(7) };
/// let forms: heapless::Vec<Form, 8> = job.forms().take(8).collect();
/// let forms: Vec<_> = forms.iter().map(|form| (form.pes.get(), form.duration.get())).collect();
/// // Five processing elements take three slots as four do, and seven take two as six do.
/// assert_eq!(forms, [(2, 6), (3, 4), (4, 3), (6, 2)]);
/// ```
///
/// Source: `li`, section 7, which suggests the translation and leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MalleableJob {
    /// The total work, in PE-slots.
    pub work: u64,
    /// The fewest processing elements.
    pub least: PeCount,
    /// The most processing elements.
    pub most: PeCount,
}

impl MalleableJob {
    /// Returns the rigid forms that the requirement translates into, narrowest first: on `n` processing elements the job takes
    /// `work / n` slots, rounded up. Of several numbers of processing elements that take equally long, only the least is listed, so each
    /// form is wider and shorter than the one before. Forms that are longer than a [`Span`] are left out, and there is none without
    /// work or when the range is empty.
    ///
    /// O(1) for each form. Of these there are at most as many as numbers in the range, and at most 2 x sqrt(work) + 1.
    pub fn forms(&self) -> impl Iterator<Item = Form> + use<> {
        let Self { work, least, most } = *self;
        // The same division says how many slots so many processing elements take, and how many so many slots need at least.
        let form = move |pes: u64| {
            let pes = u32::try_from(pes).ok().filter(|pes| *pes <= most.get())?;
            let duration = u32::try_from(shared(work, pes)?).ok()?;
            Some(Form {
                pes: PeCount::new(pes),
                duration: Span::new(duration),
            })
        };
        let first = shared(work, u32::MAX).and_then(|pes| form(pes.max(least.get().into())));
        iter::successors(first, move |last| {
            let shorter = last.duration.get().checked_sub(1)?;
            form(shared(work, shorter)?)
        })
    }
}

/// Returns `work / by`, rounded up; `None` for no work and by nothing.
fn shared(work: u64, by: u32) -> Option<u64> {
    work.checked_sub(1)?.checked_div(by.into())?.checked_add(1)
}

#[cfg(test)]
mod tests {
    use super::{Form, MalleableJob};
    use crate::{pe::PeCount, time::Span};

    fn count(work: u64, least: u16, most: u16) -> (usize, Option<Form>) {
        let (least, most) = (PeCount::new(least.into()), PeCount::new(most.into()));
        let job = MalleableJob { work, least, most };
        (job.forms().count(), job.forms().last())
    }

    fn form(pes: u16, slots: u32) -> Option<Form> {
        let (pes, duration) = (PeCount::new(pes.into()), Span::new(slots));
        Some(Form { pes, duration })
    }

    #[test]
    fn ranges_at_their_limits() {
        assert_eq!(count(0, 1, 9), (0, None));
        assert_eq!(count(12, 5, 4), (0, None));
        assert_eq!(count(12, 1, 0), (0, None));
        assert_eq!(count(12, 0, 1), (1, form(1, 12)), "on no PE nothing runs");
        assert_eq!(count(1, 1, u16::MAX), (1, form(1, 1)));
        assert_eq!(count(5, 9, 9), (1, form(9, 1)));
        // 2^32 - 1 slots on one PE are a span, one more is not.
        assert_eq!(count(u32::MAX.into(), 1, 1), (1, form(1, u32::MAX)));
        assert_eq!(count(1 << 32, 1, 2), (1, form(2, 1 << 31)));
        assert_eq!(count(u64::MAX, 1, u16::MAX), (0, None));
        // From 257 on the durations fit, and none repeats.
        let (forms, last) = count(1 << 40, 1, u16::MAX);
        assert_eq!((forms, last), (65_279, form(u16::MAX, 16_777_473)));
    }

    #[test]
    fn no_more_forms_than_twice_the_root_of_the_work() {
        for work in [1_u64, 2, 3, 10, 99, 100, 101, 10_000] {
            let (forms, _) = count(work, 1, u16::MAX);
            assert!(
                forms as u64 <= work.isqrt().saturating_mul(2).saturating_add(1),
                "{work}: {forms}"
            );
        }
    }
}
