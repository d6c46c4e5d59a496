//! Algorithms I to V as they are printed, on an array of slots and a table of cells.
//!
//! What the paper leaves open is read so: `time` is the slot that `nodeFree` found; the last condition of step 6 is for `insRes` that has
//! failed; a component counts for every slot that it covers, though it is listed at its start only. `insRes` is not printed. Algorithm V
//! takes slides back that were one slot to the right each, so here those that cover the slot, the last appended first, slide to the
//! right slot by slot until they have left it, as long as the slot behind them has room.
//!
//! As printed, slides are taken back only when the whole search has failed: those made for a start that failed stay when a later start
//! succeeds. And jobs that are put back get the lowest free cells, which need not be those that they had.
//!
//! Source: `pujiyanta`, section 2.C.

/// A component: a job and where it is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Component {
    /// `userId`.
    pub user: u32,
    /// `tesTime`: the earliest start.
    pub earliest: usize,
    /// `startTime`.
    pub start: usize,
    /// `tlsstartTime`: the last start.
    pub latest: usize,
    /// `execTime`.
    pub duration: usize,
    /// `jumCN`.
    pub nodes: u32,
}

impl Component {
    /// Behind its last slot.
    const fn end(&self) -> usize {
        self.start + self.duration
    }
}

/// An element of `pSlot`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PlanSlot {
    free: u32,
    /// `listComp`: the jobs that start in this slot.
    components: Vec<Component>,
}

/// The virtual nodes of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualNodes {
    slots: Vec<PlanSlot>,
    /// `cell`: for each slot the user of each node, 0 for none.
    cells: Vec<Vec<u32>>,
    /// Slides to the right that may have to be taken back: the user, and where it started then.
    stack: Vec<(u32, usize)>,
}

impl VirtualNodes {
    /// `MaxCN` free nodes in each of so many slots.
    #[must_use]
    pub fn new(nodes: u32, slots: usize) -> Self {
        let slot = PlanSlot {
            free: nodes,
            components: Vec::new(),
        };
        Self {
            slots: vec![slot; slots],
            cells: vec![vec![0; nodes as usize]; slots],
            stack: Vec::new(),
        }
    }

    /// Algorithm I, `searchSlotFree`: whether the job of `wanted`, at any start, is planned. `shifting` says whether steps 5 and 6 are
    /// taken.
    pub fn search_slot_free(&mut self, wanted: &Component, shifting: bool) -> bool {
        let flexibility = wanted.latest - wanted.earliest;
        let mut planned = *wanted;
        // Steps 3 and 4.
        planned.start = wanted.earliest;
        while planned.start - wanted.earliest <= flexibility {
            let (least, time) = self.node_free(planned.start, planned.end());
            if wanted.nodes <= least {
                self.alloc(planned);
                return true;
            }
            planned.start = time + 1;
        }
        // Steps 5 and 6.
        planned.start = wanted.earliest;
        while shifting && planned.start - wanted.earliest <= flexibility {
            let (least, time) = self.node_free(planned.start, planned.end());
            if wanted.nodes <= least {
                self.alloc(planned);
                self.stack.clear();
                return true;
            }
            if !self.ins_res(time, wanted.nodes - least) {
                planned.start = time + 1;
            }
        }
        // Step 7.
        self.back_ins_job();
        false
    }

    /// Algorithm II, `nodeFree`: the fewest free nodes in the slots before `end`, and the first slot with so few.
    fn node_free(&self, start: usize, end: usize) -> (u32, usize) {
        let mut least = (self.slots[start].free, start);
        for slot in start..end {
            if self.slots[slot].free < least.0 {
                least = (self.slots[slot].free, slot);
            }
        }
        least
    }

    /// Algorithm III, `alloc`: plans a job at its start, for which there is room.
    pub fn alloc(&mut self, component: Component) {
        self.slots[component.start].components.push(component);
        self.alloc_ff(&component);
        for slot in component.start..component.end() {
            self.slots[slot].free -= component.nodes;
        }
    }

    /// Algorithm IV, `AllocFF`: the lowest free cells of each slot.
    fn alloc_ff(&mut self, component: &Component) {
        for _ in 0..component.nodes {
            for slot in component.start..component.end() {
                let free = self.cells[slot].iter_mut().find(|cell| **cell == 0);
                *free.expect("so many nodes are free") = component.user;
            }
        }
    }

    /// `insRes`: frees `missing` nodes in the slot `time`, or fails, possibly with some slides made.
    fn ins_res(&mut self, time: usize, missing: u32) -> bool {
        let mut covering: Vec<Component> = self.slots[..=time]
            .iter()
            .flat_map(|slot| slot.components.iter().copied())
            .filter(|component| component.end() > time)
            .collect();
        let mut freed = 0;
        while let Some(mut component) = covering.pop().filter(|_| freed < missing) {
            while component.start <= time && self.can_slide(&component) {
                self.stack.push((component.user, component.start + 1));
                component = self.slide(component, component.start + 1);
            }
            if component.start > time {
                freed += component.nodes;
            }
        }
        freed >= missing
    }

    fn can_slide(&self, component: &Component) -> bool {
        let behind = self.slots.get(component.end());
        component.start < component.latest
            && behind.is_some_and(|slot| slot.free >= component.nodes)
    }

    /// Moves a component by a slot.
    fn slide(&mut self, component: Component, start: usize) -> Component {
        let list = &mut self.slots[component.start].components;
        list.retain(|other| other.user != component.user);
        for slot in component.start..component.end() {
            self.slots[slot].free += component.nodes;
            for cell in &mut self.cells[slot] {
                if *cell == component.user {
                    *cell = 0;
                }
            }
        }
        let slid = Component { start, ..component };
        self.alloc(slid);
        slid
    }

    /// Algorithm V, `backInsJob`.
    fn back_ins_job(&mut self) {
        while let Some((user, start)) = self.stack.pop() {
            let list = &self.slots[start].components;
            let component = list.iter().find(|component| component.user == user);
            let component = *component.expect("it was slid there");
            self.slide(component, start - 1);
        }
    }

    /// Removes a job that was cancelled.
    pub fn cancel(&mut self, user: u32) {
        for slot in 0..self.slots.len() {
            let list = &mut self.slots[slot].components;
            let Some(place) = list.iter().position(|component| component.user == user) else {
                continue;
            };
            let component = list.remove(place);
            for slot in component.start..component.end() {
                self.slots[slot].free += component.nodes;
                self.cells[slot]
                    .iter_mut()
                    .filter(|cell| **cell == user)
                    .for_each(|cell| *cell = 0);
            }
        }
    }

    /// What is planned, by user.
    #[must_use]
    pub fn planned(&self) -> Vec<Component> {
        let mut all: Vec<Component> = self
            .slots
            .iter()
            .flat_map(|slot| slot.components.clone())
            .collect();
        all.sort_unstable();
        all
    }

    /// The users of all nodes in a slot, 0 for none: what figure 4 shows.
    #[must_use]
    pub fn view(&self, slot: usize) -> &[u32] {
        &self.cells[slot]
    }

    /// How many nodes are free in a slot.
    #[must_use]
    pub fn free(&self, slot: usize) -> u32 {
        self.slots[slot].free
    }
}
