//! When processing elements are assigned.

/// When processing elements are assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binding {
    /// When the reservation is made.
    Early,
    /// When the job starts.
    Late,
    /// When the job starts, but among the candidate starts that early binding would look at: every start and end of a booking,
    /// whether the count changes there or not. It tells the effect of binding from that of having other candidates.
    LateControl,
}

impl Binding {
    /// The name in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Early => "early",
            Self::Late => "late",
            Self::LateControl => "late-control",
        }
    }
}
