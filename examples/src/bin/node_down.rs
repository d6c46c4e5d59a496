//! A small cluster whose nodes fail, come back, and are serviced every week.
//!
//! A failure breaks what runs on the node at once; whoever was promised the node later moves to another one, if need be to a later start in the own window. It
//! takes longer than thought, and the node comes back. Maintenance waits for what runs. Everybody who loses a promise is told.
//! Then, on a cluster without a layout, a job runs until further notice: a weekly window takes one of its nodes, which it is told, and it has the node all the same.
//!
//! `cargo run -p bookahead-examples --bin node_down`

use std::{error::Error, fmt::Write as _};

use bookahead::{
    Absent, Broken, Class, Commitment, Conflict, Event, Handle, Layout, Meeting, Outage, PeBook,
    PeCount, PeWorkspace, PlacedBook, PlacedView, Policy, Request, Rule, Rules, Shape, Slot, Span,
    Transaction, Window,
    heapless::{self, VecView},
    raw::PlacedRing,
};

const NODES: u16 = 4;
const CORES: u16 = 8;
const CLUSTER: Layout<'_> = Layout {
    groups: NODES,
    kinds: &[CORES as u8],
    missing: &[],
    levels: &[],
};
/// A slot is an hour.
const WEEK: u64 = 7 * 24;

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}{}", three_weeks()?, until_further_notice()?);
    Ok(())
}

/// What happens, and who is told what.
fn three_weeks() -> Result<String, Box<dyn Error>> {
    let mut memory = PlacedBook::<u32, 9, 1, 24, 1, 0>::zeroed();
    let mut desk = Desk {
        book: memory.init(&CLUSTER, Span::new(3 * WEEK as u32 + 24))?,
        names: Vec::new(),
        log: String::new(),
    };
    let nodes = desk.book.class_add(&Class {
        shape: Shape::WholeGroups,
        ..Class::ANY
    })?;
    // Whole nodes: when they are ready, for how long, by when.
    for (name, nodes_of, ready, duration, deadline) in [
        ("simulation", 2, 0, 30, 40),
        ("rendering", 1, 0, 12, 24),
        ("training", 3, 30, 10, 60),
        ("backup", 2, 41, 4, 45),
        ("audit", 1, 31, 12, 43),
    ] {
        let request = Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new(deadline),
            pes: PeCount::new(u32::from(CORES * nodes_of)),
        };
        match desk
            .book
            .reserve((nodes, &request), Policy::FirstFit, Commitment::Confirmed)
        {
            Ok(booking) => desk.promise(name, booking.handle)?,
            Err(reason) => writeln!(desk.log, "{name}: {reason}")?,
        }
    }

    desk.advance(5)?;
    // Node 0 fails; it is thought to be back in 30 hours.
    let until = Slot::new(35);
    let parts = desk.take_out("outage of node 0", Outage::Failure { until }, 0)?;
    desk.advance(6)?;
    // It takes until the third day, so others make way again.
    desk.change("outage of node 0 takes longer", |transaction, broken| {
        let until = Slot::new(50);
        transaction
            .extend_by_force(parts[0], until, broken)
            .map(drop)
    })?;
    // The part that was ordered arrives early.
    desk.advance(38)?;
    desk.book.complete(parts[0], Slot::new(38))?;
    writeln!(desk.log, "38: node 0 is back")?;

    // Every week node 1 is serviced for four hours.
    for week in 0..3 {
        let start = Slot::new(44 + week * WEEK);
        let window = Window {
            start,
            end: start.saturating_add(Span::new(4)),
        };
        desk.take_out("service", Outage::Maintenance { window }, 1)?;
    }
    desk.advance(3 * WEEK)?;
    desk.book
        .check_invariants()
        .map_err(|broken| format!("{broken:?}"))?;
    Ok(desk.log)
}

/// What a job without a known end is told, of four nodes that can be booked for two days.
fn until_further_notice() -> Result<String, Box<dyn Error>> {
    let mut memory = PeBook::<u32, 1, 1, 8>::zeroed();
    let mut rules = Rules::<u32, 1>::new();
    let book = memory.init(PeCount::new(NODES.into()), Span::new(48))?;
    let mut book = book.with_rules(rules.view()).ok_or("another size")?;
    // Every week node 1 is serviced for four hours.
    let service = Rule {
        phase: Span::new(44),
        period: Span::new(WEEK as u32),
        length: Span::new(4),
    };
    let mut workspace = PeWorkspace::<u32, 1, 4, 0>::new();
    let mut broken = heapless::Vec::<Broken, 4>::new();
    let mut transaction = book.transaction(workspace.view(), 1_000);
    transaction.set_rule(0, Some((service, Absent::These(&[0b10]))), &mut broken)?;
    transaction.commit()?;

    let (mut log, mut conflict) = (String::new(), Conflict::NONE);
    let nodes = PeCount::new(4);
    if let Err(reason) = book.reserve_open(nodes, Meeting::Refuse, &mut conflict) {
        let rules: Vec<usize> = conflict.rules().collect();
        writeln!(
            log,
            "0: four nodes without service: {reason}, rules {rules:?}"
        )?;
    }
    let job = book.reserve_open(nodes, Meeting::Allow, &mut conflict)?;
    writeln!(log, "0: telescope has four nodes until further notice")?;
    let weeks = Slot::new(2 * WEEK);
    let end = weeks.saturating_add(Span::new(20));
    for until in [weeks, end] {
        while let Some(Event { at, kind, .. }) = book.next(until)? {
            writeln!(log, "{}: telescope {}", at.get(), kind.name())?;
        }
        if until == weeks {
            book.announce_end(job, end)?;
            writeln!(log, "{}: telescope ends at {}", until.get(), end.get())?;
        }
    }
    Ok(log)
}

type Changing<'t, 'a> = Transaction<'t, 'a, PlacedRing<'a, u32>>;

/// The book, and who has what in it.
struct Desk<'a> {
    book: PlacedView<'a, u32>,
    names: Vec<(Handle, &'static str)>,
    log: String,
}

impl Desk<'_> {
    fn name_of(&self, handle: Handle) -> &'static str {
        let found = self.names.iter().find(|(known, _)| *known == handle);
        found.map_or("nobody", |(_, name)| name)
    }

    /// Tells somebody where and when the reservation is.
    fn promise(&mut self, name: &'static str, handle: Handle) -> Result<(), Box<dyn Error>> {
        if self.name_of(handle) != name {
            self.names.push((handle, name));
        }
        let Window { start, end } = self.book.get(handle)?.window;
        let mut nodes: Vec<u16> = self
            .book
            .pes_of(handle)?
            .map(|pe| pe.get() / CORES)
            .collect();
        nodes.dedup();
        writeln!(
            self.log,
            "{name} has nodes {nodes:?} from {} to {}",
            start.get(),
            end.get()
        )?;
        Ok(())
    }

    /// Takes a node out of service, and returns the parts of the outage.
    fn take_out(
        &mut self,
        what: &'static str,
        outage: Outage,
        node: u16,
    ) -> Result<Vec<Handle>, Box<dyn Error>> {
        let set = [((1_u32 << CORES) - 1) << (node * CORES)];
        let mut parts = heapless::Vec::<Handle, 8>::new();
        self.change(what, |transaction, broken| {
            transaction.take_out(outage, Absent::These(&set), &mut parts, broken)
        })?;
        for part in &parts {
            self.promise(what, *part)?;
        }
        Ok(parts.to_vec())
    }

    /// Makes a change, and tells those who lose something or are moved.
    fn change(
        &mut self,
        what: &str,
        change: impl FnOnce(&mut Changing<'_, '_>, &mut VecView<Broken>) -> Result<(), bookahead::Error>,
    ) -> Result<(), Box<dyn Error>> {
        let mut workspace = PeWorkspace::<u32, 1, 16, 0>::new();
        let mut broken = heapless::Vec::<Broken, 8>::new();
        let mut transaction = self.book.transaction(workspace.view(), 10_000);
        change(&mut transaction, &mut broken)?;
        let moves = transaction.moves();
        let moved = moves.filter(|to| to.from.is_some() && to.to.is_some());
        let moved: Vec<Handle> = moved.map(|to| to.handle).collect();
        transaction.commit()?;
        writeln!(self.log, "{}: {what}", self.book.now().get())?;
        for lost in &broken {
            let name = self.name_of(lost.handle);
            writeln!(self.log, "{name} has lost what it was promised")?;
        }
        for handle in moved {
            let name = self.name_of(handle);
            self.promise(name, handle)?;
        }
        Ok(())
    }

    /// Lets time pass, from one event to the next, and writes down what happens.
    fn advance(&mut self, to: u64) -> Result<(), Box<dyn Error>> {
        let to = Slot::new(to);
        loop {
            let stop = self.book.next_event().map_or(to, |event| event.min(to));
            if let Some(Event {
                at, handle, kind, ..
            }) = self.book.next(stop)?
            {
                let name = self.name_of(handle);
                writeln!(self.log, "{}: {name} {}", at.get(), kind.name())?;
            } else if stop == to {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weeks_go_as_told() {
        let expected = "\
simulation has nodes [0, 1] from 0 to 30
rendering has nodes [2] from 0 to 12
training has nodes [0, 1, 2] from 30 to 40
backup has nodes [0, 1] from 41 to 45
audit has nodes [3] from 31 to 43
0: simulation started
0: rendering started
5: outage of node 0
simulation has lost what it was promised
training has nodes [0, 1, 2] from 45 to 55
outage of node 0 has nodes [0] from 5 to 35
5: outage of node 0 started
6: outage of node 0 takes longer
backup has nodes [1, 2] from 41 to 45
training has nodes [1, 2, 3] from 45 to 55
outage of node 0 has nodes [0] from 5 to 50
12: rendering overran
31: audit started
38: node 0 is back
38: service
training has nodes [0, 2, 3] from 45 to 55
backup has nodes [0, 2] from 41 to 45
service has nodes [1] from 44 to 48
38: service
service has nodes [1] from 212 to 216
38: service
service has nodes [1] from 380 to 384
41: backup started
43: audit overran
44: service started
45: backup overran
45: training started
48: service overran
55: training overran
212: service started
216: service overran
380: service started
384: service overran
";
        assert_eq!(three_weeks().unwrap(), expected);
    }

    #[test]
    fn the_job_without_an_end_is_told_each_week() {
        let expected = "\
0: four nodes without service: refused: no-room, rules [0]
0: telescope has four nodes until further notice
44: telescope rule-met
212: telescope rule-met
336: telescope ends at 356
356: telescope overran
";
        assert_eq!(until_further_notice().unwrap(), expected);
    }
}
