//! A cluster of twelve nodes with GPUs in three racks.
//!
//! A class says which nodes a job may have, how much of each, and whether one rack has to hold all. An administrator takes a rack out of service, and a job
//! that needs a rack for itself fits only after another one, which has not started, has moved to other nodes at its own start.
//!
//! `cargo run -p bookahead-examples --bin gpu_cluster`

use std::{collections::BTreeSet, error::Error, fmt::Write as _, ops::Range};

use bookahead::{
    Class, ClassId, Commitment, Conflict, Eligible, Failing, Handle, Layout, PeCount, PeWorkspace,
    PlacedBook, PlacedView, Policy, Preference, Refusal, Request, Shape, Slot, Span, Window,
    Within,
};

const NODES: u16 = 12;
const CORES: u16 = 4;
const GPUS: u16 = 2;
/// What racks are among the levels of blocks.
const RACK: u8 = 0;
const CLUSTER: Layout<'_> = Layout {
    groups: NODES,
    kinds: &[CORES as u8, GPUS as u8],
    missing: &[],
    levels: &[4],
};
const COLUMNS: usize = CLUSTER.columns::<u32>();

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", an_evening()?);
    Ok(())
}

/// What happens one evening; slots are half hours.
fn an_evening() -> Result<String, Box<dyn Error>> {
    // Two blocks of 64 slots, 16 reservations, three classes that list up to two nodes: all the memory that the book will ever use.
    let mut memory = PlacedBook::<u32, 2, COLUMNS, 16, 3, 2>::zeroed();
    let mut book = memory.init(&CLUSTER, Span::new(128))?;
    let classes = Classes::add(&mut book)?;
    let mut log = String::new();

    // The third rack gets a new switch. If somebody was there, it would be said who.
    let window = Window {
        start: Slot::new(8),
        end: Slot::new(16),
    };
    let rack = set(8..12, CORES, GPUS);
    let mut there = Conflict::NONE;
    let service = book.reserve_exactly(window, &rack, Commitment::Confirmed, &mut there)?;
    tell(&mut log, &book, "service", service)?;
    let again = book.reserve_exactly(window, &rack, Commitment::Confirmed, &mut there);
    assert_eq!(again, Err(Refusal::NoRoom.into()));
    assert_eq!(there.handles(), [service]);

    let debugging = reserve(&mut book, classes.debug, 3)?;
    tell(&mut log, &book, "debugging", debugging)?;
    let training = reserve(&mut book, classes.training, 8)?;
    tell(&mut log, &book, "training", training)?;

    // Five nodes are idle, but no rack has four of them.
    let solver = request(u32::from(4 * (CORES + GPUS)));
    let asked = (classes.tight, &solver);
    let refused = book.reserve(asked, Policy::FirstFit, Commitment::Confirmed);
    assert_eq!(refused, Err(Refusal::NoRoom.into()));
    let failing = book.failing(asked, solver.ready)?;
    assert_eq!(failing, Some(Failing::Block { lacking: 1 }));
    writeln!(log, "solver refused: a rack lacks one node")?;

    // The training has not started, so it may move to other nodes at its own start, and nothing that was promised changes.
    let mut workspace = PeWorkspace::<u32, COLUMNS, 4, 0>::new();
    let mut transaction = book.transaction(workspace.view(), 1_000);
    let solver = transaction
        .relocate(asked, Commitment::Confirmed, 3)?
        .handle;
    assert!(
        transaction
            .moves()
            .any(|to| to.handle == training && to.from == to.to)
    );
    transaction.commit()?;
    tell(&mut log, &book, "training", training)?;
    tell(&mut log, &book, "solver", solver)?;
    book.check_invariants()
        .map_err(|broken| format!("{broken:?}"))?;
    Ok(log)
}

/// The classes of jobs.
struct Classes {
    /// Anything on the first two nodes.
    debug: ClassId,
    /// Two cores and two GPUs on each of some other nodes, at first those with the fast disks.
    training: ClassId,
    /// Whole nodes of one rack.
    tight: ClassId,
}

impl Classes {
    fn add(book: &mut PlacedView<'_, u32>) -> Result<Self, Box<dyn Error>> {
        let [first, others] = [(0, 2), (1, NODES)].map(|(start, end)| [Range { start, end }]);
        let nodes = |groups| Eligible::Groups {
            groups,
            kinds: 0b11,
        };
        Ok(Self {
            debug: book.class_add(&Class {
                eligible: nodes(&first),
                ..Class::ANY
            })?,
            training: book.class_add(&Class {
                eligible: nodes(&others),
                shape: Shape::PerGroup(&[2, 2]),
                preference: Preference::Order(&[1, 4]),
                ..Class::ANY
            })?,
            tight: book.class_add(&Class {
                shape: Shape::WholeGroups,
                within: Within::Required(RACK),
                ..Class::ANY
            })?,
        })
    }
}

/// A job that starts in slot 8 or never.
fn request(pes: u32) -> Request {
    let (ready, duration) = (Slot::new(8), Span::new(4));
    Request {
        ready,
        duration,
        deadline: ready.saturating_add(duration),
        pes: PeCount::new(pes),
    }
}

fn reserve(
    book: &mut PlacedView<'_, u32>,
    class: ClassId,
    pes: u32,
) -> Result<Handle, bookahead::Error> {
    let request = request(pes);
    let booking = book.reserve((class, &request), Policy::FirstFit, Commitment::Confirmed)?;
    Ok(booking.handle)
}

/// A bit for each core and GPU: the first ones of each node. All cores have lower numbers than all GPUs.
fn set(nodes: Range<u16>, cores: u16, gpus: u16) -> [u32; 3] {
    let mut set = [0; 3];
    for node in nodes {
        let cores = (0..cores).map(|core| node * CORES + core);
        let gpus = (0..gpus).map(|gpu| NODES * CORES + node * GPUS + gpu);
        for number in cores.chain(gpus) {
            set[usize::from(number / 32)] |= 1 << (number % 32);
        }
    }
    set
}

/// Writes down who has how much of which nodes.
fn tell(
    log: &mut String,
    book: &PlacedView<'_, u32>,
    who: &str,
    handle: Handle,
) -> Result<(), Box<dyn Error>> {
    let all = NODES * CORES;
    let node_of = |number: u16| match number.checked_sub(all) {
        None => number / CORES,
        Some(gpu) => gpu / GPUS,
    };
    let numbers: Vec<u16> = book.pes_of(handle)?.map(|pe| pe.get()).collect();
    let nodes: BTreeSet<u16> = numbers.iter().map(|number| node_of(*number)).collect();
    let gpus = numbers.iter().filter(|number| **number >= all).count();
    let cores = numbers.len() - gpus;
    writeln!(
        log,
        "{who} has {cores} cores and {gpus} GPUs of nodes {nodes:?}"
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_evening_goes_as_told() {
        let expected = "\
service has 16 cores and 8 GPUs of nodes {8, 9, 10, 11}
debugging has 3 cores and 0 GPUs of nodes {0}
training has 4 cores and 4 GPUs of nodes {1, 4}
solver refused: a rack lacks one node
training has 4 cores and 4 GPUs of nodes {1, 2}
solver has 16 cores and 8 GPUs of nodes {4, 5, 6, 7}
";
        assert_eq!(an_evening().unwrap(), expected);
    }
}
