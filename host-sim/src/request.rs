//! A reservation request as files and models state it: seconds, not slots.

/// One request of the input, in seconds; the real run time beside the booked one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRequest {
    /// Number of the job in its input.
    pub job_id: u64,
    /// When the request is made (s).
    pub arrival: u64,
    /// Earliest start (s).
    pub ready: u64,
    /// Length asked for and booked (s).
    pub duration: u64,
    /// Latest end, exclusive (s).
    pub deadline: u64,
    /// Processing elements.
    pub pes: u64,
    /// How long the job really runs (s), at most `duration`; equal to it where the input does not say.
    pub run: u64,
}
