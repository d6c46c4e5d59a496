//! The seven policies that choose among candidate starts.

use crate::named::named;

/// The rule that chooses among the [candidate starts](crate::Book::candidate_starts) of a request at which there is room. The earliest of them wins every tie; starts between candidates
/// that may be as good are not looked at. The earliest start with room is always a candidate.
///
/// "Free" is the number of processing elements free throughout the run; the "rectangle" is the longest window around the
/// run in which they all stay free.
///
/// ```
/// use bookahead::Policy;
/// assert_eq!(Policy::from_name("pe-worst-fit"), Some(Policy::PeWorstFit));
/// assert_eq!(Policy::ALL.len(), 7);
/// assert_eq!(Policy::DurationWorstFit.code(), 4);
/// assert_eq!(Policy::from_code(7), None);
/// ```
///
/// Source: `li`, section 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[repr(u8)]
pub enum Policy {
    /// The earliest start.
    FirstFit = 0,
    /// The least free.
    PeBestFit = 1,
    /// The most free.
    PeWorstFit = 2,
    /// The shortest rectangle.
    DurationBestFit = 3,
    /// The longest rectangle.
    DurationWorstFit = 4,
    /// The least free x rectangle length.
    PeDurationBestFit = 5,
    /// The greatest free x rectangle length.
    PeDurationWorstFit = 6,
}

named!(Policy {
    FirstFit => "first-fit",
    PeBestFit => "pe-best-fit",
    PeWorstFit => "pe-worst-fit",
    DurationBestFit => "duration-best-fit",
    DurationWorstFit => "duration-worst-fit",
    PeDurationBestFit => "pe-duration-best-fit",
    PeDurationWorstFit => "pe-duration-worst-fit",
});
