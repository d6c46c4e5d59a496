//! The seven policies that choose among feasible starts.

/// Which feasible start a request gets. Every tie goes to the earliest start.
///
/// "Free" is the number of processing elements free throughout the run; the "rectangle" is the longest stretch around the
/// run in which they stay free.
///
/// ```
/// use bookahead::Policy;
/// assert_eq!(Policy::from_name("pe-worst-fit"), Some(Policy::PeWorstFit));
/// assert_eq!(Policy::ALL.len(), 7);
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

impl Policy {
    /// All seven, in the order of the paper.
    pub const ALL: [Self; 7] = [
        Self::FirstFit,
        Self::PeBestFit,
        Self::PeWorstFit,
        Self::DurationBestFit,
        Self::DurationWorstFit,
        Self::PeDurationBestFit,
        Self::PeDurationWorstFit,
    ];

    /// The permanent number, 0..=6.
    ///
    /// ```
    /// use bookahead::Policy;
    /// assert_eq!(Policy::DurationWorstFit.code(), 4);
    /// ```
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The policy of that number.
    ///
    /// ```
    /// use bookahead::Policy;
    /// assert_eq!(Policy::from_code(4), Some(Policy::DurationWorstFit));
    /// assert_eq!(Policy::from_code(7), None);
    /// ```
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The permanent name, as commands and files show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FirstFit => "first-fit",
            Self::PeBestFit => "pe-best-fit",
            Self::PeWorstFit => "pe-worst-fit",
            Self::DurationBestFit => "duration-best-fit",
            Self::DurationWorstFit => "duration-worst-fit",
            Self::PeDurationBestFit => "pe-duration-best-fit",
            Self::PeDurationWorstFit => "pe-duration-worst-fit",
        }
    }

    /// The policy of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }
}
