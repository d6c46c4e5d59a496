//! The same by the plain reading of the rules, slot by slot and without the kernel: first fit, on a machine that is looked at whole.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use bookahead_sim::{
    operation::{Action, Alter, Operation, Script},
    request::{Demand, JobRequest},
};

/// What is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    pub pes: u64,
    pub slots: u64,
    pub slot_seconds: u64,
    pub early: bool,
}

/// What became of a reservation, in seconds.
#[derive(Debug, PartialEq, Eq)]
pub struct Fate {
    pub promised: [u64; 2],
    pub final_start: u64,
    /// Nothing for what never ran.
    pub ran: Option<[u64; 2]>,
    pub pes: Vec<u16>,
    pub given_back: Vec<(u64, Vec<u16>)>,
    /// Whose overrun broke the promise, and when.
    pub broken: Option<(u64, u64)>,
}

/// A change of a booking: job, start, end and PEs before and after, in seconds.
pub type Moved = (u64, Option<[u64; 3]>, [u64; 3]);

/// What became of everything.
#[derive(Default)]
pub struct Plain {
    /// By job; the name of the reason for what was refused.
    pub fates: BTreeMap<u64, Result<Fate, &'static str>>,
    /// In order, the reason or the changes.
    pub operations: Vec<Result<Vec<Moved>, &'static str>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Held { expires: u64 },
    Firm,
    Running,
    Ending,
    Gone,
}

type Set = BTreeSet<u16>;

struct Reservation {
    job_id: u64,
    state: State,
    /// In slots.
    ready: u64,
    deadline: u64,
    start: u64,
    length: u64,
    width: u64,
    set: Set,
    promised: [u64; 2],
    /// In seconds.
    ready_second: u64,
    duration: u64,
    began: Option<u64>,
    given_back: Vec<(u64, Vec<u16>)>,
    broken: Option<(u64, u64)>,
}

impl Reservation {
    fn end(&self) -> u64 {
        self.start + self.length
    }

    fn lives(&self) -> bool {
        self.state != State::Gone
    }

    fn is_running(&self) -> bool {
        matches!(self.state, State::Running | State::Ending)
    }
}

struct Book {
    machine: Machine,
    now: u64,
    /// In order of acceptance.
    all: Vec<Reservation>,
}

/// Runs a script.
pub fn run(script: &Script, machine: Machine) -> Plain {
    let mut book = Book {
        machine,
        now: 0,
        all: Vec::new(),
    };
    let mut plain = Plain::default();
    let mut operations = script.operations.iter().peekable();
    for (index, demand) in script.demands.iter().enumerate() {
        while let Some(operation) = operations.next_if(|operation| operation.after <= index) {
            plain.operations.push(book.operate(operation));
        }
        let request = demand.request().unwrap();
        if let Err(reason) = book.decide(request, demand) {
            plain.fates.insert(request.job_id, Err(reason));
        }
    }
    for operation in operations {
        plain.operations.push(book.operate(operation));
    }
    let last = book.all.iter().map(Reservation::end).max().unwrap_or(0);
    book.pass(last + 1);
    let slot = machine.slot_seconds;
    for one in book.all {
        let ran = one
            .began
            .map(|began| [began * slot, began * slot + one.duration]);
        let decision = Fate {
            promised: one.promised.map(|edge| edge * slot),
            final_start: one.start * slot,
            ran,
            pes: ran.map_or_else(Vec::new, |_| one.set.into_iter().collect()),
            given_back: one.given_back,
            broken: one.broken,
        };
        plain.fates.insert(one.job_id, Ok(decision));
    }
    plain
}

impl Book {
    fn up(&self, seconds: u64) -> u64 {
        seconds.div_ceil(self.machine.slot_seconds)
    }

    /// Slot by slot; the present one again, for what was booked in it.
    fn pass(&mut self, to: u64) {
        for slot in self.now..=to {
            self.now = slot;
            for one in &mut self.all {
                match one.state {
                    // The slot of its start was the last in which it could be confirmed.
                    State::Held { .. } if one.start < slot => one.state = State::Gone,
                    State::Held { expires } if expires <= slot && expires < one.start => {
                        one.state = State::Gone;
                    }
                    State::Running | State::Ending if one.end() <= slot => one.state = State::Gone,
                    _ => {}
                }
            }
            for index in 0..self.all.len() {
                if self.all[index].state == State::Firm && self.all[index].start <= slot {
                    self.begin(index);
                }
            }
        }
    }

    fn begin(&mut self, index: usize) {
        if !self.machine.early {
            let taken: Set = self.running().flat_map(|one| one.set.clone()).collect();
            let free = (0..self.machine.pes as u16).filter(|pe| !taken.contains(pe));
            let width = self.all[index].width as usize;
            self.all[index].set = free.take(width).collect();
            assert_eq!(self.all[index].set.len(), width, "there is room at a start");
        }
        let now = self.now;
        let one = &mut self.all[index];
        (one.state, one.began) = (State::Running, Some(now));
    }

    fn running(&self) -> impl Iterator<Item = &Reservation> {
        self.all.iter().filter(|one| one.is_running())
    }

    /// The processing elements that nobody but `except` has booked anywhere in the window, lowest first; with late binding as many as
    /// nobody has.
    fn free(&self, start: u64, length: u64, except: Option<usize>) -> Vec<u16> {
        let mut most = 0;
        let mut taken = Set::new();
        for slot in start.max(self.now)..start + length {
            let others = self.all.iter().enumerate().filter(|(index, one)| {
                let covers = one.start <= slot && slot < one.end();
                one.lives() && covers && Some(*index) != except
            });
            let mut busy = 0;
            for (_, one) in others {
                busy += one.width;
                taken.extend(&one.set);
            }
            most = most.max(busy);
        }
        let all = 0..self.machine.pes as u16;
        match self.machine.early {
            true => all.filter(|pe| !taken.contains(pe)).collect(),
            false => all.skip(most as usize).collect(),
        }
    }

    fn first_fit(
        &self,
        [ready, deadline]: [u64; 2],
        length: u64,
        width: u64,
        except: Option<usize>,
    ) -> Option<u64> {
        let starts = ready.max(self.now)..(deadline + 1).saturating_sub(length);
        let mut starts = starts.into_iter();
        starts.find(|start| self.free(*start, length, except).len() as u64 >= width)
    }

    fn decide(&mut self, request: &JobRequest, demand: &Demand) -> Result<(), &'static str> {
        let slot = self.machine.slot_seconds;
        self.pass(request.arrival / slot);
        let (ready, length) = (self.up(request.ready), self.up(request.duration));
        let deadline = request.deadline / slot;
        if request.ready < request.arrival {
            return Err("ready-in-past");
        }
        if request.pes > self.machine.pes {
            return Err("too-wide");
        }
        if length > self.machine.slots {
            return Err("too-long");
        }
        if deadline < ready + length {
            let fits_in_seconds = request.ready + request.duration <= request.deadline;
            return Err(match fits_in_seconds {
                true => "lost-to-rounding",
                false => "window-too-short",
            });
        }
        if deadline > self.now + self.machine.slots {
            return Err("beyond-horizon");
        }
        let found = self.first_fit([ready, deadline], length, request.pes, None);
        let start = found.ok_or("no-room")?;
        let state = match demand {
            Demand::Hold(hold) => State::Held {
                expires: hold.ttl.map_or(u64::MAX, |ttl| self.now + self.up(ttl)),
            },
            _ => State::Firm,
        };
        let free = self.free(start, length, None);
        self.all.push(Reservation {
            job_id: request.job_id,
            state,
            ready,
            deadline,
            start,
            length,
            width: request.pes,
            set: self.lowest(free, request.pes),
            promised: [start, start + length],
            ready_second: request.ready,
            duration: request.duration,
            began: None,
            given_back: Vec::new(),
            broken: None,
        });
        Ok(())
    }

    /// What is assigned when it is booked: nothing with late binding.
    fn lowest(&self, free: Vec<u16>, width: u64) -> Set {
        let width = if self.machine.early {
            width as usize
        } else {
            0
        };
        free.into_iter().take(width).collect()
    }

    fn operate(&mut self, operation: &Operation) -> Result<Vec<Moved>, &'static str> {
        let slot = self.machine.slot_seconds;
        let arrival = operation.arrival;
        self.pass(arrival / slot);
        let known = |one: &Reservation| one.job_id == operation.target;
        let index = self.all.iter().position(known).ok_or("unknown-target")?;
        if !self.all[index].lives() {
            return Err("ended-target");
        }
        match operation.action {
            Action::Confirm => match self.all[index].state {
                State::Held { .. } => {
                    self.all[index].state = State::Firm;
                    Ok(Vec::new())
                }
                _ => Err("not-held"),
            },
            Action::Cancel => {
                let one = &mut self.all[index];
                if let Some(began) = one.began {
                    one.duration = one.duration.min(arrival - began * slot);
                    one.length = self.now - one.start;
                }
                one.state = State::Gone;
                Ok(Vec::new())
            }
            Action::Complete { at } => self.complete(index, arrival, at.unwrap_or(arrival)),
            Action::Split { at } => self.split(index, operation, at),
            Action::Alter(alter) => self.alter(index, arrival, alter),
            Action::ExtendByForce { duration } => self.force(index, arrival, duration),
        }
    }

    fn complete(
        &mut self,
        index: usize,
        arrival: u64,
        second: u64,
    ) -> Result<Vec<Moved>, &'static str> {
        let (at, slot) = (self.up(second), self.machine.slot_seconds);
        if second < arrival {
            return Err("ready-in-past");
        }
        if !self.all[index].is_running() {
            return Err("not-running");
        }
        if at > self.all[index].end() {
            return Err("after-booked-end");
        }
        let now = self.now;
        let one = &mut self.all[index];
        one.duration = one.duration.min(second - one.start * slot);
        one.length = at - one.start;
        one.state = if at == now {
            State::Gone
        } else {
            State::Ending
        };
        Ok(Vec::new())
    }

    fn seconds(&self, one: &Reservation) -> [u64; 3] {
        let slot = self.machine.slot_seconds;
        [one.start * slot, one.end() * slot, one.width]
    }

    fn split(
        &mut self,
        index: usize,
        operation: &Operation,
        second: u64,
    ) -> Result<Vec<Moved>, &'static str> {
        let (at, slot) = (self.up(second), self.machine.slot_seconds);
        let one = &self.all[index];
        if second < operation.arrival {
            return Err("ready-in-past");
        }
        if !matches!(one.state, State::Firm | State::Running) {
            return Err("wrong-state");
        }
        if at <= one.start || at >= one.end() || (one.is_running() && at <= self.now) {
            return Err("outside-window");
        }
        let before = self.seconds(one);
        let first = (at - one.start) * slot;
        let part = Reservation {
            job_id: operation.job_id,
            state: State::Firm,
            ready: at,
            deadline: one.deadline,
            start: at,
            length: one.end() - at,
            width: one.width,
            set: self.lowest(one.set.iter().copied().collect(), one.width),
            promised: [at, one.end()],
            ready_second: at * slot,
            duration: one.duration - first,
            began: None,
            given_back: Vec::new(),
            broken: None,
        };
        let one = &mut self.all[index];
        (one.length, one.deadline, one.duration) = (at - one.start, at, first);
        let moved = vec![
            (one.job_id, Some(before), self.seconds(&self.all[index])),
            (part.job_id, None, self.seconds(&part)),
        ];
        self.all.push(part);
        Ok(moved)
    }

    fn alter(
        &mut self,
        index: usize,
        arrival: u64,
        alter: Alter,
    ) -> Result<Vec<Moved>, &'static str> {
        let machine = self.machine;
        let one = &self.all[index];
        match alter {
            Alter::Shift { start } if start < arrival => return Err("ready-in-past"),
            Alter::ChangeWindow { ready, .. } if ready < arrival && ready != one.ready_second => {
                return Err("ready-in-past");
            }
            _ => {}
        }
        let moves = matches!(
            alter,
            Alter::Shift { .. } | Alter::Widen { .. } | Alter::ChangeWindow { .. }
        );
        if one.state == State::Ending || (one.is_running() && moves) {
            return Err("wrong-state");
        }
        let (mut start, mut length, mut width) = (one.start, one.length, one.width);
        let (mut ready, mut deadline) = (one.ready, one.deadline);
        let (mut duration, mut ready_second) = (one.duration, one.ready_second);
        let right = match alter {
            Alter::Shift { start: second } => {
                start = self.up(second);
                true
            }
            Alter::Extend { duration: seconds } => {
                (duration, length) = (seconds, self.up(seconds));
                deadline = deadline.max(start + length);
                length > one.length
            }
            Alter::Shorten { duration: seconds } => {
                (duration, length) = (seconds, self.up(seconds));
                length < one.length
            }
            Alter::Widen { pes } => {
                width = pes;
                pes > one.width
            }
            Alter::Narrow { pes } => {
                width = pes;
                pes < one.width
            }
            Alter::ChangeWindow {
                ready: from,
                deadline: to,
            } => {
                (ready, deadline) = (self.up(from), to / machine.slot_seconds);
                ready_second = from;
                true
            }
        };
        if !right {
            return Err("wrong-direction");
        }
        if let Alter::ChangeWindow { .. } = alter {
            if deadline < ready + length {
                return Err("window-too-short");
            }
            if deadline > self.now + machine.slots {
                return Err("beyond-horizon");
            }
            if start < ready || start + length > deadline {
                let found = self.first_fit([ready, deadline], length, width, Some(index));
                start = found.ok_or("no-room")?;
            }
        }
        let end = start + length;
        if length == 0 {
            return Err("zero-duration");
        }
        if width == 0 {
            return Err("zero-pes");
        }
        if width > machine.pes {
            return Err("too-wide");
        }
        if start < ready || end > deadline || (one.is_running() && end <= self.now) {
            return Err("outside-window");
        }
        if end > self.now + machine.slots {
            return Err("beyond-horizon");
        }
        let set = self.place(index, start, length, width)?;
        let before = self.seconds(one);
        let now_running = one.is_running();
        let gone: Vec<u16> = one.set.difference(&set).copied().collect();
        let one = &mut self.all[index];
        if now_running && !gone.is_empty() {
            one.given_back.push((arrival, gone));
        }
        (one.start, one.length, one.width, one.set) = (start, length, width, set);
        (one.ready, one.deadline) = (ready, deadline);
        (one.duration, one.ready_second) = (duration, ready_second);
        let after = self.seconds(&self.all[index]);
        let moved = (self.all[index].job_id, Some(before), after);
        Ok((before != after).then_some(moved).into_iter().collect())
    }

    /// Lets a job go on, whoever is in the way.
    fn force(
        &mut self,
        own: usize,
        arrival: u64,
        duration: u64,
    ) -> Result<Vec<Moved>, &'static str> {
        let one = &self.all[own];
        if one.state != State::Running {
            return Err("wrong-state");
        }
        let taken = one.end()..one.start + self.up(duration);
        if taken.is_empty() {
            return Err("wrong-direction");
        }
        let extend = Alter::Extend { duration };
        match self.alter(own, arrival, extend) {
            Err("no-room") => {}
            extended => return extended,
        }
        // Where those were that have left their places, in that order. Who has no length is nowhere.
        let mut lifted = Vec::new();
        while let Some(index) = self.next_victim(own, taken.clone()) {
            let one = &mut self.all[index];
            lifted.push((index, one.start, one.length, one.set.clone()));
            one.length = 0;
        }
        let mut moved = self.alter(own, arrival, extend)?;
        let mut again = lifted.clone();
        again.sort_unstable();
        for (index, start, length, _) in &again {
            let stays = self.place(*index, *start, *length, self.all[*index].width);
            match stays {
                Ok(set) => self.put(*index, *start, *length, set),
                Err(_) => self.put_first(*index, self.now, *length),
            }
        }
        // Nobody starts in a slot that has begun.
        let edge = self.up(arrival);
        for (index, _, length, _) in &lifted {
            if self.all[*index].length > 0 && self.all[*index].start < edge {
                self.all[*index].length = 0;
                self.put_first(*index, edge, *length);
            }
        }
        let (job, slot) = (self.all[own].job_id, self.machine.slot_seconds);
        for (index, start, length, set) in lifted {
            let before = [start * slot, (start + length) * slot, self.all[index].width];
            let one = &mut self.all[index];
            if one.length == 0 {
                (one.start, one.length, one.state) = (start, length, State::Gone);
                one.broken = Some((job, arrival));
                continue;
            }
            let one = &self.all[index];
            if before != self.seconds(one) || set != one.set {
                moved.push((one.job_id, Some(before), self.seconds(one)));
            }
        }
        Ok(moved)
    }

    /// The last of the holds, then of the others, of those in the way of a job in these slots.
    fn next_victim(&self, own: usize, taken: Range<u64>) -> Option<usize> {
        let (machine, own) = (self.machine, &self.all[own]);
        let covers = |one: &Reservation, slot| one.lives() && one.start <= slot && slot < one.end();
        let short = taken.filter(|slot| {
            let there = self.all.iter().filter(|one| covers(one, *slot));
            let busy: u64 = there.map(|one| one.width).sum();
            machine.early || busy > machine.pes - own.width
        });
        let short: Vec<u64> = short.collect();
        let in_the_way = |(_, one): &(usize, &Reservation)| {
            let there = short.iter().any(|slot| covers(one, *slot));
            let shares = !machine.early || !one.set.is_disjoint(&own.set);
            there && shares && !one.is_running()
        };
        let all = self.all.iter().enumerate().filter(in_the_way);
        all.max_by_key(|(index, one)| (matches!(one.state, State::Held { .. }), *index))
            .map(|(index, _)| index)
    }

    fn put(&mut self, index: usize, start: u64, length: u64, set: Set) {
        let one = &mut self.all[index];
        (one.start, one.length, one.set) = (start, length, set);
    }

    /// At the first start from `earliest` on, if there is any.
    fn put_first(&mut self, index: usize, earliest: u64, length: u64) {
        let one = &self.all[index];
        let (window, width) = ([one.ready.max(earliest), one.deadline], one.width);
        if let Some(start) = self.first_fit(window, length, width, Some(index)) {
            let set = self.place(index, start, length, width);
            self.put(index, start, length, set.unwrap());
        }
    }

    /// Which processing elements it gets: its own as far as possible.
    fn place(
        &self,
        index: usize,
        start: u64,
        length: u64,
        width: u64,
    ) -> Result<Set, &'static str> {
        let one = &self.all[index];
        let free = self.free(start, length, Some(index));
        if (free.len() as u64) < width {
            return Err("no-room");
        }
        if !self.machine.early {
            return Ok(one.set.iter().copied().take(width as usize).collect());
        }
        let own = one.set.iter().copied().take(width as usize);
        if own.clone().all(|pe| free.contains(&pe)) {
            let others = free.iter().copied().filter(|pe| !one.set.contains(pe));
            return Ok(own.chain(others).take(width as usize).collect());
        }
        match one.is_running() {
            true => Err("no-room"),
            false => Ok(self.lowest(free, width)),
        }
    }
}
