//! The desk: the one writer of the book. What it promises it has written down before anybody hears of it.

mod axis;
mod decide;
mod follow;
mod look;
#[cfg(test)]
mod tests;
mod told;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use bookahead::{
    Advanced, Broken, Class, ClassId, Commitment, Eligible, Error, Event, EventKind, Flexibility,
    Freeze, Handle, Layout, Move, Obstacle, Outage, PeCount, Policy, Preference, Refusal, Request,
    Shape, Slot, Span, State, Ticket, Window, Within,
};
use bookahead_heap::{
    BoxedJobQueue, BoxedPlacedBook, BoxedWorkspace, HostColumn, PlacedSizes, Queued,
};
use bookahead_slurm_protocol::{Asked, Kind, LIFETIME, Token};
use bookahead_store::Store;
use serde::{Deserialize, Serialize};

use crate::{
    cluster::{Cluster, Job, Node, Service},
    table::{Place, Promise, Table},
};

use axis::Axis;
use decide::{eligible, let_wait};
use follow::release;
pub use look::{Booked, Standing};
pub use told::{Told, at};
use told::{is_completion, told_of};

type Book<'a> = bookahead::PlacedView<'a, HostColumn>;
type QueuedBook = Queued<BoxedPlacedBook<HostColumn>>;
type Kept = (QueuedBook, Table);
type Lists<T> = heapless::Vec<T, 64>;

/// What an administrator chooses. Written down with the first start: a book is not read with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Seconds of a slot.
    pub slot: i64,
    /// How many slots the book looks ahead.
    pub horizon: u32,
    /// Seconds by which Slurm may start a job late.
    pub guard: i64,
    /// How many promises, what is out of service among them, and how many requests that wait there can be at once.
    pub rows: u16,
}

/// How many kinds of nodes are asked for at once.
const CLASSES: usize = 200;
/// Seconds until Slurm has heard of a move: starts that are nearer stay.
const LEAD: i64 = 1;
/// What a transaction may look at; more than any of a cluster of this size needs.
const WORK: u64 = 100_000_000;

/// Beyond what a token is for, what a node must have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerNode {
    /// Processors.
    pub cpus: u32,
    /// GPUs.
    pub gpus: u32,
}

/// An answer to a question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A start, with the nodes if it was booked.
    Accepted {
        /// The promise, 0 if nothing was booked.
        number: u64,
        /// The start.
        start: i64,
        /// The nodes.
        nodes: Vec<String>,
    },
    /// It waits, until this time at most.
    Waits {
        /// The request.
        number: u64,
        /// The latest start.
        until: i64,
        /// Why nothing is promised yet.
        why: String,
    },
    /// No, and why.
    Refused(String),
}

/// Whom the desk promises how much; may be other ones with each start.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// How many node-minutes one user may have promised, or wait for, at once; root is no user.
    pub per_user: Option<u64>,
    /// Of which partitions jobs are promised; of any where there are none.
    pub partitions: Vec<String>,
}

/// The desk.
pub struct Desk {
    store: Store<Kept>,
    workspace: BoxedWorkspace<HostColumn>,
    folder: PathBuf,
    key: Vec<u8>,
    /// What an administrator chose.
    pub settings: Settings,
    /// The same, of other things.
    pub limits: Limits,
    /// The Unix time of slot 0.
    epoch: i64,
    nodes: Vec<Node>,
    partition: String,
    /// Promises whose jobs have completed. A slurmctld that is killed forgets what its last seconds brought, an end too: then it thinks that such a job still runs.
    over: BTreeSet<u64>,
    /// Where refusals are written to with all that is booked, so that another program can look whether there was room.
    audit: Option<fs::File>,
}

impl Desk {
    /// Whether an administrator has said that nothing new is promised, by a file.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.folder.join("closed").exists()
    }

    /// Opens the desk in a folder, or begins one for these nodes.
    pub fn open(
        folder: &Path,
        settings: Settings,
        audit: Option<&Path>,
        cluster: &Cluster,
        partition: &str,
        now: i64,
    ) -> Result<Self> {
        ensure!(!cluster.nodes.is_empty(), "Slurm has no nodes");
        let key = fs::read(folder.join("key")).with_context(|| {
            format!(
                "{}: the key that the gate reads too",
                folder.join("key").display()
            )
        })?;
        let names: Vec<&str> = cluster.nodes.iter().map(|node| &*node.name).collect();
        let file = folder.join("desk");
        // Slot 0 lies a little back, so that nothing is before it.
        let wanted = |epoch| {
            format!(
                "epoch {epoch}\nslot {}\nhorizon {}\nguard {}\nrows {}\nnodes {}\n",
                settings.slot,
                settings.horizon,
                settings.guard,
                settings.rows,
                names.join(",")
            )
        };
        let epoch = match fs::read_to_string(&file) {
            Ok(text) => {
                let epoch = text
                    .lines()
                    .next()
                    .and_then(|line| line.strip_prefix("epoch ")?.parse().ok());
                let epoch = epoch.with_context(|| {
                    format!("{}: expected the line \"epoch SECONDS\"", file.display())
                })?;
                ensure!(
                    text == wanted(epoch),
                    "{}: the book in this folder was begun with other settings or nodes:\n{text}expected:\n{}Wait until its promises are over and begin another folder",
                    file.display(),
                    wanted(epoch)
                );
                epoch
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let epoch = now - settings.slot;
                fs::write(&file, wanted(epoch)).with_context(|| file.display().to_string())?;
                epoch
            }
            Err(error) => return Err(error).with_context(|| file.display().to_string()),
        };
        let layout = Layout {
            groups: names.len().try_into().context("more than 65,535 nodes")?,
            kinds: &[1],
            missing: &[],
            levels: &[],
        };
        let sizes = PlacedSizes {
            slots: settings.horizon,
            reservations: settings.rows.into(),
            classes: CLASSES,
            order: 0,
        };
        let book = BoxedPlacedBook::<HostColumn>::new(&layout, sizes)?;
        let queue = BoxedJobQueue::new(bookahead::Discipline::Fcfs, 0)?
            .with_requests(settings.rows.into())?;
        let store = Store::open(
            &folder.join("store"),
            (Queued::new(book, queue), Table::default()),
        )?;
        Ok(Self {
            store,
            workspace: BoxedWorkspace::with_columns(
                layout.columns::<HostColumn>(),
                settings.rows.into(),
                settings.rows.into(),
            )?,
            folder: folder.into(),
            key,
            settings,
            limits: Limits::default(),
            epoch,
            nodes: cluster.nodes.clone(),
            partition: partition.into(),
            over: told_of(folder, |parts| is_completion(&parts[4], &parts[6]))?
                .iter()
                .filter_map(|parts| parts[1].parse().ok())
                .collect(),
            audit: audit
                .map(fs::File::create)
                .transpose()
                .context("the file for refusals")?,
        })
    }

    const fn axis(&self) -> Axis {
        Axis {
            settings: self.settings,
            epoch: self.epoch,
        }
    }
}

fn number_of(table: &Table, handle: Handle) -> Option<u64> {
    let found = table
        .promises()
        .iter()
        .find(|(_, promise)| promise.place == Place::Booked(handle));
    found.map(|(number, _)| *number)
}
