//! What a book consists of, for those who build on its insides: bindings for other languages, owners of memory whose sizes are known at
//! run time, simulators and benchmarks.
//!
//! A program with one kind of book needs none of it: [`CountBook`](crate::CountBook) and [`PeBook`](crate::PeBook) own their memory. Functions that take
//! books of either binding are generic over [`Ring`].
//!
//! | here | what it is for |
//! |---|---|
//! | [`CountParts`], [`UnitParts`], [`PeParts`], [`QueueParts`] | the arrays of a book or a queue in memory that the caller owns, and how long each has to be |
//! | [`BookState`], [`QueueState`], [`Row`], [`Timer`], [`WaitingJob`] | what these arrays hold: plain data of a fixed layout, for which no bit pattern is invalid |
//! | [`Column`] | the integers that sets of processing elements are made of |
//! | [`Workspace`], [`UndoEntry`], [`Movable`], [`SetParts`], [`SetPart`] | the memory of a transaction |
//! | [`CountMemory`], [`CountArrays`], [`LateWorkspace`], [`Width`], [`Unnumbered`] | how wide the counts of a book are, and what stands for sets where units have no numbers |
//! | [`count_book_bytes`], [`pe_book_bytes`], [`unit_book_bytes`], [`queue_bytes`], [`workspace_bytes`], [`blocks`], [`columns`] | how much memory that is |
//! | [`Ring`], [`CountRing`], [`PeRing`], [`find`] | the circular arrays without a ledger, and the search for a start in them |
//! | [`Scan`], [`PlainScan`], [`BulkScan`], [`NativeScan`] | how searches read the rings, with the same answers |
//! | `PlacedParts`, `PlacedRing`, `ClassEntry`, `Geometry`, `placed_book_bytes`, `choose` | the same of a book on a machine with a layout (feature `placement`), and its choice by itself |
//! | `Kept`, `JournalParts`, `JournalState`, `Note`, `journal_bytes`, `record_bytes`, `class_table_bytes` | the bound of functions that write books of either binding, and the memory of a journal (feature `journal`) |
//! | `WaitingListParts`, `WaitingListState`, `WaitingRequest`, `waiting_list_bytes` | the same of a list of waiting requests (feature `plan`) |
//! | `ScheduleParts`, `ScheduleState`, `PlannedJob`, `schedule_bytes` | the same of a schedule of queued jobs (feature `plan`) |
//! | `RuleParts`, `RuleEntry`, `RuleEdge`, `RuledRing` | the memory of the rules of a book, and its ring (feature `outages`) |
//! | [`ProfileStep`] | a stretch of time in which equally much is busy, as the literature keeps its records |

#[cfg(all(feature = "placement", feature = "journal"))]
pub use crate::placement::class_table_bytes;
#[cfg(feature = "plan")]
pub use crate::queue::{
    PlannedJob, ScheduleParts, ScheduleState, WaitingListParts, WaitingListState, WaitingRequest,
    schedule_bytes, waiting_list_bytes,
};
pub use crate::{
    book::ProfileStep,
    column::Column,
    fit::find,
    ledger::{Row, Timer},
    queue::{QueueParts, QueueState, WaitingJob, queue_bytes},
    ring::{
        BulkScan, CountRing, NativeScan, PeRing, PlainScan, Ring, Scan, SetPart, SetParts,
        Unnumbered, Width,
    },
    storage::{
        BookState, CountArrays, CountMemory, CountParts, PeParts, UnitParts, blocks, columns,
        count_book_bytes, pe_book_bytes, unit_book_bytes,
    },
    transaction::{LateWorkspace, Movable, UndoEntry, Workspace, workspace_bytes},
};
#[cfg(feature = "placement")]
pub use crate::{
    book::choose,
    placement::{ClassEntry, Geometry},
    ring::PlacedRing,
    storage::{PlacedParts, placed_book_bytes},
};
#[cfg(feature = "journal")]
pub use crate::{
    journal::{journal_bytes, record_bytes},
    ledger::{JournalParts, JournalState, Note},
    ring::Kept,
};
#[cfg(feature = "risk")]
pub use crate::{
    ring::OverlayRing,
    storage::{OverlayParts, overlay_book_bytes},
};
#[cfg(feature = "outages")]
pub use crate::{
    ring::{RuleParts, RuledRing},
    rule::{RuleEdge, RuleEntry},
};
