//! The book follows what Slurm says, and time.

use super::*;

/// Nodes that somebody else has, or nobody can have.
#[derive(Clone, Debug)]
pub(super) struct Out {
    /// From now on if there is no such time.
    from: Option<Slot>,
    until: Slot,
    /// Whether what runs there is lost.
    fails: bool,
    set: Vec<u32>,
}

impl Desk {
    /// Follows what Slurm says, lets time pass, and returns what has to be told.
    pub fn follow(&mut self, cluster: &Cluster, now: i64) -> Result<Vec<Told>> {
        let to = self.axis().slot(now);
        let mut told = Vec::new();
        // Features and partitions may change; nodes may not.
        for node in &mut self.nodes {
            if let Some(there) = cluster.nodes.iter().find(|there| there.name == node.name) {
                node.clone_from(there);
            }
        }
        let live = self.live()?;
        let outs = self.outs(cluster, &live, now)?;
        let guard = self.settings.guard;
        let axis = self.axis();
        let (workspace, nodes, partition) = (&mut self.workspace, &self.nodes, &self.partition);
        let news = &mut told;
        let followed = self.store.call(|(kept, table)| -> Result<(), Error> {
            let to = to.max(kept.book.view().now());
            // Nobody is promised a start that has passed: those who wait are asked for anew behind a gap in which nobody looked.
            let gap = to.get() - kept.book.view().now().get() > 1;
            let waiting: Vec<(u64, Promise)> = match gap {
                true => table.waiting().collect(),
                false => Vec::new(),
            };
            for (_, promise) in &waiting {
                release(kept, promise.place);
            }
            pass(kept, table, to, news)?;
            jobs(kept, table, cluster, now, guard, news);
            let gone = table.outs().keys().filter(|name| !outs.contains_key(*name));
            let gone: Vec<String> = gone.cloned().collect();
            let changes = outs.iter().map(|(name, out)| (name, Some(out)));
            for (name, out) in changes.chain(gone.iter().map(|name| (name, None))) {
                // Another look tries it again; what is known of all others counts meanwhile.
                if let Err(error) = take_out(kept, table, name, out, workspace, axis, news) {
                    eprintln!("{name} cannot be taken out of the book: {error}");
                }
            }
            for (number, promise) in waiting {
                let request = axis.request(&promise.asked, now);
                let ticket = eligible(nodes, partition, &promise.asked, promise.per_node)
                    .ok()
                    .and_then(|set| let_wait(kept, &set, &request, axis).ok());
                match ticket {
                    Some(ticket) => {
                        let place = Place::Waiting(ticket);
                        table.set(number, Some(Promise { place, ..promise }));
                    }
                    None => give_up(table, number, &promise, news),
                }
            }
            // Room that has become free goes to those who have no promise yet: those who have one lose nothing when they start later than they could.
            pass(kept, table, to, news)?;
            let mut moves = Lists::<Move>::new();
            while kept
                .book
                .view()
                .pull_forward(to, &mut workspace.view(), &mut moves)?
                != Advanced::Done
            {
                moves.clear();
            }
            moved(kept, table, axis, news);
            Ok(())
        })?;
        // What was found until then has to be told all the same.
        if let Err(error) = followed.wait()? {
            eprintln!("the book cannot follow: {error}");
        }
        let completed = told
            .iter()
            .filter(|told| is_completion(told.what, &told.text));
        self.over.extend(completed.map(|told| told.number));
        Ok(told)
    }

    /// What is out of service, by the name under which it is kept: until when, and whether what runs there is lost.
    pub(super) fn outs(
        &self,
        cluster: &Cluster,
        live: &BTreeSet<u64>,
        now: i64,
    ) -> Result<BTreeMap<String, Out>> {
        let far = self
            .axis()
            .slot(now)
            .saturating_add(Span::new(self.settings.horizon));
        let places: BTreeMap<&str, usize> = self
            .nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (&*node.name, at))
            .collect();
        let mut outs = BTreeMap::<String, Out>::new();
        let mut add = |name: String, out: Out| {
            let known = outs.entry(name).or_insert_with(|| out.clone());
            known.until = known.until.max(out.until);
            known.fails |= out.fails;
        };
        let set = |names: &[String]| {
            let mut set = vec![0_u32; self.nodes.len().div_ceil(32)];
            for at in names.iter().filter_map(|name| places.get(&**name)) {
                set[at / 32] |= 1 << (at % 32);
            }
            set
        };
        for node in &cluster.nodes {
            ensure!(
                places.contains_key(&*node.name),
                "node {} has joined Slurm since the book was begun",
                node.name
            );
            if node.service != Service::Up {
                let set = set(std::slice::from_ref(&node.name));
                add(
                    node.name.clone(),
                    Out {
                        from: None,
                        until: far,
                        fails: node.service == Service::Down,
                        set,
                    },
                );
            }
        }
        // Nodes that are gone from Slurm.
        for node in &self.nodes {
            if !cluster.nodes.iter().any(|there| there.name == node.name) {
                add(
                    node.name.clone(),
                    Out {
                        from: None,
                        until: far,
                        fails: true,
                        set: set(std::slice::from_ref(&node.name)),
                    },
                );
            }
        }
        for job in cluster
            .jobs
            .iter()
            .filter(|job| job.runs() && !self.is_back_from_the_dead(job))
            .filter(|job| !job.promise.is_some_and(|number| live.contains(&number)))
        {
            // One that is about to end is there for a moment still.
            let until = job.end.map_or(far, |end| {
                self.axis()
                    .slot_from(end.max(now) + self.settings.guard)
                    .min(far)
            });
            for node in &job.nodes {
                add(
                    node.clone(),
                    Out {
                        from: None,
                        until,
                        fails: false,
                        set: set(std::slice::from_ref(node)),
                    },
                );
            }
        }
        for (name, reservation) in &cluster.reservations {
            if name.starts_with(bookahead_slurm_protocol::PREFIX) || reservation.end <= now {
                continue;
            }
            let from = self.axis().slot(reservation.start.max(now));
            let until = self.axis().slot_from(reservation.end).min(far);
            if from < until {
                add(
                    format!("reservation {name}"),
                    Out {
                        from: Some(from),
                        until,
                        fails: false,
                        set: set(&reservation.nodes),
                    },
                );
            }
        }
        outs.retain(|_, out| out.set.iter().any(|word| *word != 0));
        Ok(outs)
    }

    /// The promises that still have a row in the book: when it has ended there, the job is as any other.
    pub(super) fn live(&mut self) -> Result<BTreeSet<u64>> {
        let live = self.store.call_within(0, |(kept, table)| {
            let book = kept.book.view();
            let lives = |promise: &Promise| matches!(promise.place, Place::Booked(handle) if book.get(handle).is_ok());
            table.promises().iter().filter(|(_, promise)| lives(promise)).map(|(number, _)| *number).collect()
        })?;
        Ok(live.wait()?)
    }

    /// Whether a job has completed that Slurm shows as running.
    #[must_use]
    pub fn is_back_from_the_dead(&self, job: &Job) -> bool {
        job.runs()
            && job
                .promise
                .is_some_and(|number| self.over.contains(&number))
    }
}

/// Gives the room of a promise back.
pub(super) fn release(kept: &mut QueuedBook, place: Place) {
    let mut book = kept.book.view();
    // Whoever has left already has no room to give back.
    let _ = match place {
        Place::Booked(handle) => match book.get(handle).map(|row| row.state) {
            Ok(State::Running) => book.complete(handle, book.now()),
            _ => book.cancel(handle),
        },
        Place::Waiting(ticket) => kept.queue.view().withdraw(ticket),
    };
}

/// Looks at what has become of the jobs to which something was promised.
pub(super) fn jobs(
    kept: &mut QueuedBook,
    table: &mut Table,
    cluster: &Cluster,
    now: i64,
    guard: i64,
    told: &mut Vec<Told>,
) {
    let by_number: BTreeMap<u64, &Job> = cluster
        .jobs
        .iter()
        .filter_map(|job| Some((job.promise?, job)))
        .collect();
    for (number, promise) in table.promises().clone() {
        let mut tell = |what, text: String| {
            told.push(Told {
                number,
                job: promise.job,
                uid: promise.asked.uid,
                what,
                start: promise.start,
                text,
            })
        };
        let job = by_number.get(&number);
        match job {
            Some(job) if job.is_pending() => {
                let known = Promise {
                    job: Some(job.id),
                    ..promise.clone()
                };
                table.set(number, Some(known));
                continue;
            }
            Some(job) if job.runs() && promise.started => continue,
            Some(job) => {
                // It runs, or it has ended before anybody saw it run.
                if let Some(start) = job.start.filter(|_| !promise.started) {
                    let late = start - promise.start;
                    let what = if late > guard { "late" } else { "kept" };
                    tell(
                        what,
                        format!(
                            "job {} started at {}, {late} s after what was promised",
                            job.id,
                            at(start)
                        ),
                    );
                }
                if job.runs() {
                    table.set(
                        number,
                        Some(Promise {
                            job: Some(job.id),
                            started: true,
                            ..promise.clone()
                        }),
                    );
                    continue;
                }
                tell(
                    "over",
                    format!("job {} is over: {}", job.id, job.state.to_lowercase()),
                );
            }
            None if promise.job.is_some() => tell(
                "lost",
                "Slurm has forgotten this job; submit it again".into(),
            ),
            None if now > promise.issued + LIFETIME => {
                tell("unused", "the job was never submitted".into())
            }
            None => continue,
        }
        release(kept, promise.place);
        table.set(number, None);
    }
}

/// Takes down who of those waiting was promised a start, and who was not.
pub(super) fn promised(table: &mut Table, event: &Event, told: &mut Vec<Told>) {
    let Some(ticket) = event.ticket else { return };
    let found = table
        .promises()
        .iter()
        .find(|(_, promise)| promise.place == Place::Waiting(ticket));
    let Some((number, promise)) = found.map(|(number, promise)| (*number, promise.clone())) else {
        return;
    };
    match event.kind {
        EventKind::Promised => {
            let place = Place::Booked(event.handle);
            table.set(number, Some(Promise { place, ..promise }));
        }
        EventKind::GaveUp => give_up(table, number, &promise, told),
        _ => (),
    }
}

pub(super) fn give_up(table: &mut Table, number: u64, promise: &Promise, told: &mut Vec<Told>) {
    let text = "no room was found until the latest start".into();
    told.push(Told {
        number,
        job: promise.job,
        uid: promise.asked.uid,
        what: "gave-up",
        start: 0,
        text,
    });
    table.set(number, None);
}

/// Lets time pass, and takes down what happens.
pub(super) fn pass(
    kept: &mut QueuedBook,
    table: &mut Table,
    to: Slot,
    told: &mut Vec<Told>,
) -> Result<(), Error> {
    loop {
        let mut events = Lists::<Event>::new();
        let done = kept
            .queue
            .view()
            .advance(&mut kept.book.view(), to, &mut events)?;
        for event in &events {
            promised(table, event, told);
        }
        if done == Advanced::Done {
            return Ok(());
        }
    }
}

/// Tells those whose start is another one than they were told.
pub(super) fn moved(kept: &mut QueuedBook, table: &mut Table, axis: Axis, told: &mut Vec<Told>) {
    let book = kept.book.view();
    for (number, promise) in table.promises().clone() {
        let Place::Booked(handle) = promise.place else {
            continue;
        };
        let Ok(row) = book.get(handle) else { continue };
        let start = axis.time(row.window.start);
        if start == promise.start || promise.started {
            continue;
        }
        let (what, text) = match promise.start {
            0 => ("promised", format!("a start is promised: {}", at(start))),
            told if start < told => (
                "earlier",
                format!("starts earlier than promised: {}", at(start)),
            ),
            _ => (
                "moved",
                format!("has to start later, inside its window: {}", at(start)),
            ),
        };
        told.push(Told {
            number,
            job: promise.job,
            uid: promise.asked.uid,
            what,
            start,
            text,
        });
        table.set(number, Some(Promise { start, ..promise }));
    }
}

/// Takes nodes out of the book, or gives them back.
pub(super) fn take_out(
    kept: &mut QueuedBook,
    table: &mut Table,
    name: &str,
    out: Option<&Out>,
    workspace: &mut BoxedWorkspace<HostColumn>,
    axis: Axis,
    told: &mut Vec<Told>,
) -> Result<(), Error> {
    let mut book = kept.book.view();
    let now = book.now();
    let mut parts = table.outs().get(name).cloned().unwrap_or_default();
    parts.retain(|part| book.get(*part).is_ok());
    let mut broken = heapless::Vec::<Broken, 1024>::new();
    // Who has left with the parts that cannot stay as they are.
    let ends = out.map(|out| out.until);
    let (mut kept_parts, mut taken) = (Vec::new(), Ok(()));
    for part in parts {
        let window = book.get(part)?.window;
        let starts =
            out.is_some_and(|out| out.from.is_none_or(|from| window.start >= from.min(now)));
        let running = window.start <= now;
        match ends {
            Some(until) if starts && window.end <= until => {
                if running && window.end < until {
                    let mut transaction = book.transaction(workspace.view(), WORK);
                    let longer = transaction.extend_by_force(part, until, &mut broken);
                    // Where something stays in its way, such as another that is out, what is left of the time is taken below.
                    let _ = longer.and_then(|_| transaction.commit());
                }
                kept_parts.push(part);
            }
            _ if running => book.complete(part, now)?,
            _ => book.cancel(part)?,
        }
    }
    if let Some(out) = out {
        let start = out.from.map_or(now, |from| from.max(now));
        let covered = kept_parts.iter().any(|part| {
            book.get(*part)
                .is_ok_and(|row| row.window.start <= start && row.window.end >= out.until)
        });
        if !covered && start < out.until {
            let outage = if out.fails {
                Outage::Failure { until: out.until }
            } else {
                Outage::Maintenance {
                    window: Window {
                        start,
                        end: out.until,
                    },
                }
            };
            let mut added = heapless::Vec::<Handle, 1024>::new();
            let mut transaction = book.transaction(workspace.view(), WORK);
            let left = transaction.take_out(
                outage,
                bookahead::Absent::These(&out.set),
                &mut added,
                &mut broken,
            );
            taken = left.and_then(|()| transaction.commit());
            if taken.is_ok() {
                kept_parts.extend(added);
            }
        }
    }
    table.set_out(name, kept_parts);
    for lost in &broken {
        let Some(number) = number_of(table, lost.handle) else {
            continue;
        };
        let Some(promise) = table.promises().get(&number).cloned() else {
            continue;
        };
        let text = format!(
            "the promise of {} is broken by {name}; the job goes on without one",
            at(axis.time(lost.placement.start))
        );
        told.push(Told {
            number,
            job: promise.job,
            uid: promise.asked.uid,
            what: "broken",
            start: promise.start,
            text,
        });
        table.set(number, None);
    }
    taken
}
