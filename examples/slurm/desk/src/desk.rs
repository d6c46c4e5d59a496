//! The desk: the one writer of the book. What it promises it has written down before anybody hears of it.

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

/// What somebody has to hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The promise.
    pub number: u64,
    /// Its job.
    pub job: Option<u32>,
    /// Whose it is.
    pub uid: u32,
    /// What has happened, in a word for programs.
    pub what: &'static str,
    /// The start it is about, 0 for none.
    pub start: i64,
    /// A sentence.
    pub text: String,
}

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

/// Times as slots.
#[derive(Clone, Copy)]
struct Axis {
    settings: Settings,
    /// The Unix time of slot 0.
    epoch: i64,
}

impl Axis {
    /// The slot in which a time lies.
    fn slot(self, time: i64) -> Slot {
        Slot::new(
            (time - self.epoch)
                .div_euclid(self.settings.slot)
                .try_into()
                .unwrap_or(0),
        )
    }

    /// The first slot that begins no earlier.
    fn slot_from(self, time: i64) -> Slot {
        self.slot(time + self.settings.slot - 1)
    }

    /// The time at which a slot begins.
    fn time(self, slot: Slot) -> i64 {
        i64::try_from(slot.get())
            .unwrap_or(i64::MAX)
            .saturating_mul(self.settings.slot)
            .saturating_add(self.epoch)
    }

    fn request(self, asked: &Asked, now: i64) -> Request {
        let length = i64::from(asked.limit) * 60 + self.settings.guard;
        let slots = (length + self.settings.slot - 1).div_euclid(self.settings.slot);
        Request {
            ready: self.slot_from(asked.begin.max(now)),
            duration: Span::new(slots.try_into().unwrap_or(u32::MAX)),
            deadline: self.slot(asked.deadline),
            pes: PeCount::new(asked.nodes),
        }
    }

    /// A promise may start earlier than it was given, until so shortly before its start that Slurm would not hear of it in time.
    fn commitment(self) -> Commitment {
        let lead = Span::new((LEAD / self.settings.slot + 1) as u32);
        Commitment::Flexible {
            kind: Flexibility::Interval,
            freeze: Freeze::Lead { lead },
        }
    }
}

/// The desk.
pub struct Desk {
    store: Store<Kept>,
    workspace: BoxedWorkspace<HostColumn>,
    folder: PathBuf,
    key: Vec<u8>,
    /// What an administrator chose.
    pub settings: Settings,
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

    /// What somebody would get: nothing is booked.
    pub fn ask(&mut self, asked: &Asked, per_node: PerNode, now: i64) -> Result<Answer> {
        self.decide(asked, per_node, now, false, false)
    }

    /// Books a start, if there is one; else the request waits, if that is wanted.
    pub fn promise(
        &mut self,
        asked: &Asked,
        per_node: PerNode,
        wait: bool,
        now: i64,
    ) -> Result<Answer> {
        self.decide(asked, per_node, now, true, wait)
    }

    fn decide(
        &mut self,
        asked: &Asked,
        per_node: PerNode,
        now: i64,
        book_it: bool,
        wait: bool,
    ) -> Result<Answer> {
        let set = match eligible(&self.nodes, &self.partition, asked, per_node) {
            Ok(set) => set,
            Err(why) => return Ok(Answer::Refused(why)),
        };
        let axis = self.axis();
        let request = axis.request(asked, now);
        let asked_here = asked.clone();
        let (nodes, audit) = (&self.nodes, &mut self.audit);
        let decided = self.store.call(|(kept, table)| {
            let mut book = kept.book.view();
            let class = book.class_add(&class_of(&set)).map_err(|error| {
                format!("{error:?}: too many different kinds of nodes are asked for at once")
            })?;
            let query = (class, &request);
            let refusal = if book_it {
                match book.reserve(query, Policy::FirstFit, axis.commitment()) {
                    Ok(booked) => {
                        let number = table.next_number();
                        let start = axis.time(booked.start);
                        let place = Place::Booked(booked.handle);
                        table.set(
                            number,
                            Some(Promise {
                                asked: asked_here,
                                per_node,
                                place,
                                issued: now,
                                start,
                                job: None,
                                started: false,
                            }),
                        );
                        let pes = book.pes_of(booked.handle).map(|pes| {
                            pes.map(|pe| nodes[usize::from(pe.get())].name.clone())
                                .collect()
                        });
                        return Ok(Answer::Accepted {
                            number,
                            start,
                            nodes: pes.unwrap_or_default(),
                        });
                    }
                    Err(error) => error,
                }
            } else {
                match book.plan(query, Policy::FirstFit) {
                    Ok(plan) => {
                        return Ok(Answer::Accepted {
                            number: 0,
                            start: axis.time(plan.window().start),
                            nodes: Vec::new(),
                        });
                    }
                    Err(error) => error,
                }
            };
            if let Some(file) = audit {
                // A refusal is given all the same.
                let _ = write_refusal(file, &book, &request, &set);
            }
            let why = words_of(&mut book, class, &request, refusal, table, axis);
            if book_it && wait {
                match let_wait(kept, &set, &request, axis) {
                    Ok(ticket) => {
                        let number = table.next_number();
                        let place = Place::Waiting(ticket);
                        table.set(
                            number,
                            Some(Promise {
                                asked: asked_here,
                                per_node,
                                place,
                                issued: now,
                                start: 0,
                                job: None,
                                started: false,
                            }),
                        );
                        let latest = axis.time(request.deadline)
                            - i64::from(request.duration.get()) * axis.settings.slot;
                        return Ok(Answer::Waits {
                            number,
                            until: latest,
                            why,
                        });
                    }
                    Err(error) => return Err(format!("{why}; it cannot wait either: {error}")),
                }
            }
            Err(why)
        })?;
        Ok(decided.wait()?.unwrap_or_else(Answer::Refused))
    }

    /// The proof for the gate.
    pub fn token(&self, kind: Kind, number: u64, asked: &Asked, now: i64) -> Token {
        Token::issue(&self.key, kind, number, now, asked)
    }

    /// Takes back what was promised or waits, when Slurm could not be told.
    pub fn take_back(&mut self, number: u64) -> Result<()> {
        let taken = self.store.call(|(kept, table)| {
            if let Some(promise) = table.promises().get(&number) {
                release(kept, promise.place);
            }
            table.set(number, None);
        })?;
        Ok(taken.wait()?)
    }

    /// What else could be had.
    ///
    /// # Errors
    ///
    /// Those of the store.
    pub fn alternatives(
        &mut self,
        asked: &Asked,
        per_node: PerNode,
        now: i64,
    ) -> Result<Vec<String>> {
        let set = match eligible(&self.nodes, &self.partition, asked, per_node) {
            Ok(set) => set,
            Err(why) => return Ok(vec![why]),
        };
        let axis = self.axis();
        let request = axis.request(asked, now);
        let found = self.store.call(|(kept, _)| {
            let mut book = kept.book.view();
            let class = book.class_add(&class_of(&set)).ok()?;
            Some(alternatives(&mut book, class, &request, axis))
        })?;
        Ok(found.wait()?.unwrap_or_default())
    }

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
    fn outs(
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
    fn live(&mut self) -> Result<BTreeSet<u64>> {
        let live = self.store.call_within(0, |(kept, table)| {
            let book = kept.book.view();
            let lives = |promise: &Promise| matches!(promise.place, Place::Booked(handle) if book.get(handle).is_ok());
            table.promises().iter().filter(|(_, promise)| lives(promise)).map(|(number, _)| *number).collect()
        })?;
        Ok(live.wait()?)
    }

    /// All promises, with where they are in the book.
    pub fn promises(&mut self) -> Result<Vec<Standing>> {
        let axis = self.axis();
        let nodes = &self.nodes;
        let standing = self.store.call_within(0, |(kept, table)| {
            let book = kept.book.view();
            let standing = |(number, promise): (&u64, &Promise)| {
                let booked = match promise.place {
                    Place::Booked(handle) => book.get(handle).ok().map(|row| Booked {
                        start: axis.time(row.window.start),
                        end: axis.time(row.window.end),
                        nodes: book
                            .pes_of(handle)
                            .map(|pes| {
                                pes.map(|pe| nodes[usize::from(pe.get())].name.clone())
                                    .collect()
                            })
                            .unwrap_or_default(),
                        started: row.state != State::Confirmed,
                    }),
                    Place::Waiting(_) => None,
                };
                Standing {
                    number: *number,
                    promise: promise.clone(),
                    booked,
                }
            };
            table.promises().iter().map(standing).collect()
        })?;
        Ok(standing.wait()?)
    }

    /// What is out of service, by name, with its times.
    pub fn out(&mut self) -> Result<Vec<(String, Booked)>> {
        let axis = self.axis();
        let nodes = &self.nodes;
        let out = self.store.call_within(0, |(kept, table)| {
            let book = kept.book.view();
            let parts = table
                .outs()
                .iter()
                .flat_map(|(name, parts)| parts.iter().map(move |part| (name, *part)));
            parts
                .filter_map(|(name, part)| {
                    let row = book.get(part).ok()?;
                    let pes = book.pes_of(part).ok()?;
                    let nodes = pes
                        .map(|pe| nodes[usize::from(pe.get())].name.clone())
                        .collect();
                    Some((
                        name.clone(),
                        Booked {
                            start: axis.time(row.window.start),
                            end: axis.time(row.window.end),
                            nodes,
                            started: row.state != State::Confirmed,
                        },
                    ))
                })
                .collect()
        })?;
        Ok(out.wait()?)
    }

    /// What taking nodes out would do to promises, as sentences. Nothing is changed.
    pub fn drain(
        &mut self,
        names: &[String],
        from: i64,
        until: i64,
        now: i64,
    ) -> Result<Vec<String>> {
        let mut set = vec![0_u32; self.nodes.len().div_ceil(32)];
        for name in names {
            let at = self
                .nodes
                .iter()
                .position(|node| node.name == *name)
                .with_context(|| format!("Slurm has no node {name}"))?;
            set[at / 32] |= 1 << (at % 32);
        }
        let window = Window {
            start: self.axis().slot(from.max(now)),
            end: self.axis().slot_from(until),
        };
        let axis = self.axis();
        let workspace = &mut self.workspace;
        let looked = self
            .store
            .call_within(0, |(kept, table)| -> Result<Vec<String>, Error> {
                let mut book = kept.book.view();
                let (mut parts, mut broken) = (
                    heapless::Vec::<Handle, 1024>::new(),
                    heapless::Vec::<Broken, 1024>::new(),
                );
                let window = Window {
                    start: window.start.max(book.now()),
                    ..window
                };
                let mut transaction = book.transaction(workspace.view(), WORK);
                transaction.take_out(
                    Outage::Maintenance { window },
                    &set,
                    &mut parts,
                    &mut broken,
                )?;
                let mut lines = Vec::new();
                for change in transaction.moves() {
                    let (Some(from), Some(number)) = (change.from, number_of(table, change.handle))
                    else {
                        continue;
                    };
                    lines.push(match change.to {
                        Some(to) if to.start == from.start => {
                            format!("promise {number} would move to other nodes")
                        }
                        Some(to) => format!(
                            "promise {number} would move from {} to {}",
                            at(axis.time(from.start)),
                            at(axis.time(to.start))
                        ),
                        None => format!(
                            "promise {number} of {} would be broken",
                            at(axis.time(from.start))
                        ),
                    });
                }
                Ok(lines)
            })?;
        looked.wait()?.context("nothing can be taken out so")
    }

    /// Appends what was told to a file for people and programs.
    pub fn write_down(&self, told: &[Told], now: i64) -> Result<()> {
        use std::io::Write as _;
        if told.is_empty() {
            return Ok(());
        }
        let file = self.folder.join("told");
        let mut out = fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&file)
            .with_context(|| file.display().to_string())?;
        let mut text = String::new();
        for Told {
            number,
            job,
            uid,
            what,
            start,
            text: sentence,
        } in told
        {
            let job = job.map_or("-".into(), |job| job.to_string());
            writeln!(
                text,
                "{now}\t{number}\t{job}\t{uid}\t{what}\t{start}\t{sentence}"
            )?;
        }
        out.write_all(text.as_bytes())
            .with_context(|| file.display().to_string())
    }

    /// What was told about a job, the oldest first.
    ///
    /// # Errors
    ///
    /// When the file of what was told cannot be read.
    pub fn told_of(&self, job: u32) -> Result<Vec<String>> {
        let about = told_of(&self.folder, |parts| parts[2].parse() == Ok(job))?;
        let sentence = |parts: &[String; 7]| {
            let time = parts[0].parse().map_or_else(|_| parts[0].clone(), at);
            format!("{time} {}: {}", parts[4], parts[6])
        };
        Ok(about.iter().map(sentence).collect())
    }

    /// Whether a job has completed that Slurm shows as running.
    #[must_use]
    pub fn is_back_from_the_dead(&self, job: &Job) -> bool {
        job.runs()
            && job
                .promise
                .is_some_and(|number| self.over.contains(&number))
    }

    /// Tells the gate which jobs something is promised to.
    pub fn list_for_gate(&mut self) -> Result<()> {
        let standing = self.promises()?;
        let lines = standing
            .iter()
            .filter_map(|standing| Some((standing.promise.job?, standing.number)));
        let text: String = lines
            .map(|(job, number)| format!("{job} {number}\n"))
            .collect();
        let file = self.folder.join("promised");
        if fs::read_to_string(&file).is_ok_and(|there| there == text) {
            return Ok(());
        }
        let new = self.folder.join("promised.new");
        fs::write(&new, text).with_context(|| new.display().to_string())?;
        fs::rename(&new, &file).with_context(|| file.display().to_string())
    }

    /// The names of the nodes, in the order of the book.
    pub fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|node| &*node.name)
    }
}

/// A promise and its place in the book, if it has one.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Its number.
    pub number: u64,
    /// What was promised.
    pub promise: Promise,
    /// Its place.
    pub booked: Option<Booked>,
}

/// Times and nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booked {
    /// The start.
    pub start: i64,
    /// The end.
    pub end: i64,
    /// The nodes.
    pub nodes: Vec<String>,
    /// Whether the book has started it.
    pub started: bool,
}

/// Nodes that somebody else has, or nobody can have.
#[derive(Clone, Debug)]
struct Out {
    /// From now on if there is no such time.
    from: Option<Slot>,
    until: Slot,
    /// Whether what runs there is lost.
    fails: bool,
    set: Vec<u32>,
}

/// The nodes that may serve, or why there are too few.
fn eligible(
    nodes: &[Node],
    partition: &str,
    asked: &Asked,
    per_node: PerNode,
) -> Result<Vec<u32>, String> {
    if asked.features.contains(['|', '[', ']', '(', ')', '*']) {
        return Err(format!(
            "--constraint={}: a promise is for features that each node must have, joined by &",
            asked.features
        ));
    }
    let partition = if asked.partition.is_empty() {
        partition
    } else {
        &asked.partition
    };
    let mut set = vec![0_u32; nodes.len().div_ceil(32)];
    let mut found = 0;
    for (at, node) in nodes.iter().enumerate() {
        let mut features = asked
            .features
            .split([',', '&'])
            .filter(|feature| !feature.is_empty());
        let serves = node.partitions.contains(partition)
            && node.cpus >= per_node.cpus
            && node.gpus >= per_node.gpus
            && features.all(|feature| node.features.contains(feature));
        if serves {
            set[at / 32] |= 1 << (at % 32);
            found += 1;
        }
    }
    match asked.nodes {
        0 => Err("say on how many nodes (-N)".into()),
        wanted if wanted > found => Err(format!(
            "{wanted} nodes: partition {partition} has {found} with what each must have"
        )),
        _ => Ok(set),
    }
}

/// The lines of what was told that are wanted, in their parts.
fn told_of(folder: &Path, wanted: impl Fn(&[String; 7]) -> bool) -> Result<Vec<[String; 7]>> {
    let file = folder.join("told");
    let text = match fs::read_to_string(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        read => read.with_context(|| file.display().to_string())?,
    };
    let parts = |line: &str| {
        line.split('\t')
            .map(String::from)
            .collect::<Vec<_>>()
            .try_into()
            .ok()
    };
    // A line may be torn where a disk was full.
    Ok(text.lines().filter_map(parts).filter(wanted).collect())
}

fn is_completion(what: &str, text: &str) -> bool {
    what == "over" && text.ends_with(": completed")
}

/// A time as people read it.
pub fn at(time: i64) -> String {
    let read = jiff::Timestamp::from_second(time);
    read.map_or_else(
        |_| "never".into(),
        |time| {
            time.to_zoned(jiff::tz::TimeZone::system())
                .strftime("%F %T")
                .to_string()
        },
    )
}

/// So many of these nodes.
const fn class_of(set: &[u32]) -> Class<'_> {
    Class {
        eligible: Eligible::Pes(set),
        shape: Shape::Number,
        within: Within::Anywhere,
        preference: Preference::Lowest,
    }
}

fn number_of(table: &Table, handle: Handle) -> Option<u64> {
    let found = table
        .promises()
        .iter()
        .find(|(_, promise)| promise.place == Place::Booked(handle));
    found.map(|(number, _)| *number)
}

/// Gives the room of a promise back.
fn release(kept: &mut QueuedBook, place: Place) {
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
fn jobs(
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
fn promised(table: &mut Table, event: &Event, told: &mut Vec<Told>) {
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

fn give_up(table: &mut Table, number: u64, promise: &Promise, told: &mut Vec<Told>) {
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

/// Lets a request wait. Whoever has to start first is tried first, and the more a job asks for, the earlier: by the time that all nodes together would take for it.
fn let_wait(
    kept: &mut QueuedBook,
    set: &[u32],
    request: &Request,
    axis: Axis,
) -> Result<Ticket, Error> {
    let mut book = kept.book.view();
    let class = book
        .class_add(&class_of(set))
        .map_err(|_| Error::Refused(Refusal::TableFull))?;
    let latest = request
        .deadline
        .get()
        .saturating_sub(request.duration.get().into());
    let work = u64::from(request.pes.get()) * u64::from(request.duration.get())
        / u64::from(book.pes().get());
    let key = u32::MAX - u32::try_from(latest.saturating_sub(work)).unwrap_or(u32::MAX);
    kept.queue.view().wait(
        &mut book,
        (class, request),
        Policy::FirstFit,
        axis.commitment(),
        key,
    )
}

/// Lets time pass, and takes down what happens.
fn pass(
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
fn moved(kept: &mut QueuedBook, table: &mut Table, axis: Axis, told: &mut Vec<Told>) {
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
fn take_out(
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
            let left = transaction.take_out(outage, &out.set, &mut added, &mut broken);
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

/// A line: what was asked for in slots, the nodes that might serve, and each row of the book with its slots and nodes.
fn write_refusal(
    file: &mut fs::File,
    book: &Book<'_>,
    request: &Request,
    set: &[u32],
) -> Result<()> {
    use std::io::Write as _;
    let eligible = (0..set.len() * 32).filter(|at| set[at / 32] >> (at % 32) & 1 == 1);
    let list = |nodes: &mut dyn Iterator<Item = usize>| {
        nodes
            .map(|node| node.to_string())
            .collect::<Vec<_>>()
            .join(",")
    };
    let mut line = format!(
        "{} {} {} {} {} {} {}",
        book.now().get(),
        book.horizon().get(),
        request.ready.get(),
        request.duration.get(),
        request.deadline.get(),
        request.pes.get(),
        list(&mut eligible.into_iter())
    );
    for (handle, row) in book.iter() {
        let nodes = list(&mut book.pes_of(handle)?.map(|pe| pe.get().into()));
        write!(
            line,
            " {}-{}:{nodes}",
            row.window.start.get(),
            row.window.end.get()
        )?;
    }
    line.push('\n');
    Ok(file.write_all(line.as_bytes())?)
}

/// Why there is no start, who is in the way, and what else could be had.
fn words_of(
    book: &mut Book<'_>,
    class: ClassId,
    request: &Request,
    error: Error,
    table: &Table,
    axis: Axis,
) -> String {
    let mut text = match error {
        Error::Refused(Refusal::NoRoom) => "no room before the deadline".into(),
        Error::Refused(Refusal::WindowTooShort) => {
            "the time limit and the guard do not fit between begin and deadline".into()
        }
        Error::Refused(Refusal::BeyondHorizon) => format!(
            "the deadline lies beyond {}, as far as the book looks ahead",
            at(axis.time(book.now().saturating_add(book.horizon())))
        ),
        Error::Refused(Refusal::ReadyInPast) => "the begin has passed".into(),
        Error::Refused(Refusal::TableFull) => {
            "the book is full: it keeps no more promises at once".into()
        }
        other => other.to_string(),
    };
    let mut obstacles = heapless::Vec::<Obstacle, 1>::new();
    if let (Ok(_), Some(first)) = (
        book.explain((class, request), &mut obstacles),
        obstacles.first(),
    ) {
        let mut who = BTreeSet::new();
        for holder in first.holders.handles() {
            let out = table
                .outs()
                .iter()
                .find(|(_, parts)| parts.contains(holder));
            who.insert(match (number_of(table, *holder), out) {
                (Some(number), _) => match table.promises()[&number].job {
                    Some(job) => format!("job {job}"),
                    None => format!("promise {number}"),
                },
                (None, Some((name, _))) => {
                    format!("what runs on {name}, or that it is out of service")
                }
                (None, None) => "somebody else".into(),
            });
        }
        let _ = write!(
            text,
            "; at {} {} nodes are lacking",
            at(axis.time(first.start)),
            first.lacking.get()
        );
        if !who.is_empty() {
            let _ = write!(
                text,
                ", in the way: {}",
                who.into_iter().collect::<Vec<_>>().join(", ")
            );
        }
    }
    let alternatives = alternatives(book, class, request, axis);
    if !alternatives.is_empty() {
        let _ = write!(text, "; instead there is {}", alternatives.join(", or "));
    }
    text
}

/// The nearest things that could be had: a later deadline, fewer nodes, a shorter limit. Who has a start with more has one with less, so the most is found by halving.
fn alternatives(book: &mut Book<'_>, class: ClassId, request: &Request, axis: Axis) -> Vec<String> {
    let mut found = Vec::new();
    let later = Request {
        deadline: book.now().saturating_add(book.horizon()),
        ..*request
    };
    let mut start = |request: &Request| {
        book.plan((class, request), Policy::FirstFit)
            .ok()
            .map(|plan| plan.window().start)
    };
    if let Some(start) = start(&later) {
        found.push(format!(
            "{} with a deadline of {} or later",
            at(axis.time(start)),
            at(axis.time(start.saturating_add(request.duration)))
        ));
    }
    let mut most = |below: u32, with: &dyn Fn(u32) -> Request| {
        let (mut low, mut high, mut best) = (1, below, None);
        while low < high {
            let middle = low + (high - low) / 2;
            match start(&with(middle)) {
                Some(start) => (best, low) = (Some((middle, start)), middle + 1),
                None => high = middle,
            }
        }
        best
    };
    if let Some((pes, start)) = most(request.pes.get(), &|pes| Request {
        pes: PeCount::new(pes),
        ..*request
    }) {
        found.push(format!("{} with {pes} nodes", at(axis.time(start))));
    }
    if let Some((slots, start)) = most(request.duration.get(), &|slots| Request {
        duration: Span::new(slots),
        ..*request
    }) {
        let minutes = (axis.time(start.saturating_add(Span::new(slots))) - axis.time(start)) / 60;
        if minutes > 0 {
            found.push(format!(
                "{} with a limit of {minutes} min, the guard included",
                at(axis.time(start))
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Reservation;

    const NOW: i64 = 1_000_000;
    const SETTINGS: Settings = Settings {
        slot: 1,
        horizon: 2_000,
        guard: 5,
        rows: 200,
    };

    /// A Slurm of four nodes that does what the tests say.
    fn cluster() -> Cluster {
        let node = |number: usize| Node {
            name: format!("n{number}"),
            cpus: 4,
            gpus: u32::from(number == 3),
            features: [format!("f{}", number / 2)].into(),
            partitions: ["batch".into()].into(),
            service: Service::Up,
        };
        Cluster {
            nodes: (0..4).map(node).collect(),
            ..Cluster::default()
        }
    }

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("bookahead-desk-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join("key"), b"key").unwrap();
            Self(path)
        }

        fn open(&self, now: i64) -> Desk {
            Desk::open(&self.0, SETTINGS, None, &cluster(), "batch", now).unwrap()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// So many nodes for a minute, over in so many seconds.
    fn asked(nodes: u32, within: i64) -> Asked {
        Asked {
            uid: 7,
            nodes,
            limit: 1,
            begin: 0,
            deadline: NOW + within,
            features: String::new(),
            partition: String::new(),
        }
    }

    fn accepted(desk: &mut Desk, nodes: u32, within: i64) -> (u64, i64, Vec<String>) {
        match desk
            .promise(&asked(nodes, within), PerNode::default(), false, NOW)
            .unwrap()
        {
            Answer::Accepted {
                number,
                start,
                nodes,
            } => (number, start - NOW, nodes),
            other => panic!("{other:?}"),
        }
    }

    fn refused(desk: &mut Desk, asked: &Asked, per_node: PerNode) -> String {
        match desk.promise(asked, per_node, false, NOW).unwrap() {
            Answer::Refused(why) => why,
            other => panic!("{other:?}"),
        }
    }

    /// What was told, in words for programs.
    fn follow(desk: &mut Desk, cluster: &Cluster, now: i64) -> Vec<(u64, &'static str)> {
        let told = desk.follow(cluster, NOW + now).unwrap();
        told.iter().map(|told| (told.number, told.what)).collect()
    }

    fn job(id: u32, promise: Option<u64>, state: &str, nodes: &[&str]) -> Job {
        Job {
            id,
            state: state.into(),
            start: (state != "PENDING").then_some(NOW),
            end: Some(NOW + 61),
            reservation: String::new(),
            nodes: nodes.iter().map(|node| node.to_string()).collect(),
            held: false,
            promise,
        }
    }

    #[test]
    fn a_promise_is_kept_and_its_early_end_lets_others_start_earlier() {
        let folder = Folder::new("kept");
        let mut desk = folder.open(NOW);
        let (first, start, nodes) = accepted(&mut desk, 3, 300);
        assert_eq!((start, nodes.join(",").as_str()), (0, "n0,n1,n2"));
        let (second, start, _) = accepted(&mut desk, 2, 300);
        assert_eq!(start, 65, "a minute and the guard");
        let Answer::Waits { number: third, .. } = desk
            .promise(&asked(2, 100), PerNode::default(), true, NOW)
            .unwrap()
        else {
            panic!("it waits")
        };
        let mut slurm = cluster();
        slurm.jobs = vec![
            job(1, Some(first), "RUNNING", &["n0", "n1", "n2"]),
            job(2, Some(second), "PENDING", &[]),
            job(3, Some(third), "PENDING", &[]),
        ];
        assert_eq!(follow(&mut desk, &slurm, 1), [(first, "kept")]);
        slurm.jobs[0].state = "COMPLETED".into();
        // Who waits comes first; whoever has a promise loses nothing by it.
        assert_eq!(
            follow(&mut desk, &slurm, 11),
            [(first, "over"), (second, "earlier"), (third, "promised")]
        );
        let standing = desk.promises().unwrap();
        let starts: Vec<_> = standing
            .iter()
            .map(|standing| {
                (
                    standing.number,
                    standing.booked.as_ref().unwrap().start - NOW,
                )
            })
            .collect();
        assert_eq!(starts, [(second, 11), (third, 11)]);
    }

    #[test]
    fn what_slurm_forgets_or_never_saw_gives_its_room_back() {
        let folder = Folder::new("lost");
        let mut desk = folder.open(NOW);
        let (first, ..) = accepted(&mut desk, 4, 300);
        let (second, ..) = accepted(&mut desk, 4, 300);
        let mut slurm = cluster();
        slurm.jobs = vec![job(1, Some(first), "PENDING", &[])];
        assert_eq!(follow(&mut desk, &slurm, 1), []);
        slurm.jobs.clear();
        assert_eq!(
            follow(&mut desk, &slurm, 2),
            [(first, "lost"), (second, "earlier")]
        );
        assert_eq!(
            follow(&mut desk, &slurm, LIFETIME + 1),
            [(second, "unused")]
        );
        assert!(desk.promises().unwrap().is_empty());
    }

    #[test]
    fn nodes_that_fail_break_what_runs_and_move_what_can_move() {
        let folder = Folder::new("fails");
        let mut desk = folder.open(NOW);
        let (first, ..) = accepted(&mut desk, 1, 300);
        let (second, ..) = accepted(&mut desk, 3, 70);
        let (third, start, nodes) = accepted(&mut desk, 2, 300);
        assert_eq!((start, nodes.join(",").as_str()), (65, "n0,n1"));
        let mut slurm = cluster();
        slurm.jobs = vec![
            job(1, Some(first), "RUNNING", &["n0"]),
            job(2, Some(second), "RUNNING", &["n1", "n2", "n3"]),
            job(3, Some(third), "PENDING", &[]),
        ];
        assert_eq!(
            follow(&mut desk, &slurm, 2),
            [(first, "kept"), (second, "kept")]
        );
        slurm.nodes[0].service = Service::Down;
        slurm.jobs[0].state = "NODE_FAIL".into();
        // Its job is over as well; the other has other nodes at the same start.
        assert_eq!(follow(&mut desk, &slurm, 3), [(first, "over")]);
        let booked = desk
            .promises()
            .unwrap()
            .into_iter()
            .find(|standing| standing.number == third)
            .unwrap()
            .booked
            .unwrap();
        assert_eq!(
            (booked.start - NOW, booked.nodes.join(",").as_str()),
            (65, "n1,n2")
        );
        // Three more go, and nobody can have two.
        for node in &mut slurm.nodes[1..] {
            node.service = Service::Draining;
        }
        assert_eq!(follow(&mut desk, &slurm, 4), [(third, "broken")]);
        // What runs goes on where a node is only drained.
        assert_eq!(
            desk.promises()
                .unwrap()
                .iter()
                .map(|standing| standing.number)
                .collect::<Vec<_>>(),
            [second]
        );
        slurm.nodes[0].service = Service::Up;
        let why = refused(
            &mut desk,
            &Asked {
                features: "f1".into(),
                begin: NOW + 10,
                ..asked(2, 200)
            },
            PerNode::default(),
        );
        assert!(why.contains("no room before the deadline"), "{why}");
        assert_eq!(follow(&mut desk, &slurm, 5), []);
        assert!(
            matches!(
                desk.ask(&asked(1, 200), PerNode::default(), NOW + 5)
                    .unwrap(),
                Answer::Accepted { .. }
            ),
            "it is back"
        );
    }

    #[test]
    fn what_others_run_and_reserve_is_where_it_is() {
        let folder = Folder::new("others");
        let mut desk = folder.open(NOW);
        let mut slurm = cluster();
        slurm.jobs = vec![
            job(1, None, "RUNNING", &["n0", "n1"]),
            Job {
                end: None,
                ..job(2, None, "RUNNING", &["n2"])
            },
        ];
        let end = NOW + 500;
        slurm.reservations.insert(
            "maintenance".into(),
            Reservation {
                start: NOW + 100,
                end,
                nodes: vec!["n3".into()],
            },
        );
        assert_eq!(follow(&mut desk, &slurm, 1), []);
        let starts: Vec<_> = [(1, 90), (1, 150), (2, 200), (3, 300), (3, 1_000)]
            .into_iter()
            .map(|(nodes, within)| {
                match desk
                    .ask(&asked(nodes, within), PerNode::default(), NOW + 1)
                    .unwrap()
                {
                    Answer::Accepted { start, .. } => Some(start - NOW),
                    _ => None,
                }
            })
            .collect();
        // n3 until the maintenance, n0 and n1 after the first job's limit and the guard, three with n3 behind the maintenance: n2 has no end.
        assert_eq!(starts, [Some(1), Some(1), Some(66), None, Some(500)]);
        // The far end of the endless job moves with time.
        assert_eq!(follow(&mut desk, &slurm, 30), []);
        let out = desk.out().unwrap();
        let endless = out.iter().find(|(name, _)| name == "n2").unwrap();
        assert_eq!(endless.1.end - NOW, 30 + i64::from(SETTINGS.horizon));
        slurm.jobs.clear();
        assert_eq!(follow(&mut desk, &slurm, 31), []);
        assert!(
            matches!(desk.ask(&asked(3, 98), PerNode::default(), NOW + 31).unwrap(), Answer::Accepted { start, .. } if start == NOW + 31)
        );
    }

    #[test]
    fn a_job_that_is_given_more_time_than_there_is_before_a_maintenance_keeps_its_nodes_until_then()
    {
        let folder = Folder::new("meets");
        let mut desk = folder.open(NOW);
        let mut slurm = cluster();
        slurm.jobs = vec![job(1, None, "RUNNING", &["n2"])];
        let end = NOW + 500;
        let maintenance = Reservation {
            start: NOW + 150,
            end,
            nodes: vec!["n2".into()],
        };
        slurm.reservations.insert("maintenance".into(), maintenance);
        let start = |desk: &mut Desk| match desk
            .ask(&asked(4, 700), PerNode::default(), NOW + 1)
            .unwrap()
        {
            Answer::Accepted { start, .. } => start - NOW,
            other => panic!("{other:?}"),
        };
        assert_eq!(follow(&mut desk, &slurm, 1), []);
        assert_eq!(start(&mut desk), 66);
        slurm.jobs[0].end = Some(NOW + 200);
        assert_eq!(follow(&mut desk, &slurm, 1), []);
        assert_eq!(start(&mut desk), 500);
    }

    #[test]
    fn a_job_that_has_completed_takes_no_nodes_where_slurm_has_forgotten_its_end() {
        let folder = Folder::new("dead");
        let mut desk = folder.open(NOW);
        let (first, ..) = accepted(&mut desk, 4, 300);
        let mut slurm = cluster();
        slurm.jobs = vec![job(1, Some(first), "COMPLETED", &["n0", "n1", "n2", "n3"])];
        assert_eq!(
            follow(&mut desk, &slurm, 5),
            [(first, "kept"), (first, "over")]
        );
        desk.write_down(
            &[Told {
                number: first,
                job: Some(1),
                uid: 7,
                what: "over",
                start: NOW,
                text: "job 1 is over: completed".into(),
            }],
            NOW,
        )
        .unwrap();
        slurm.jobs[0].state = "RUNNING".into();
        assert_eq!(follow(&mut desk, &slurm, 6), []);
        assert!(desk.is_back_from_the_dead(&slurm.jobs[0]) && desk.out().unwrap().is_empty());
        drop(desk);
        // Another start reads it from what was told.
        let mut desk = folder.open(NOW + 7);
        assert_eq!(follow(&mut desk, &slurm, 7), []);
        assert!(desk.out().unwrap().is_empty());
    }

    #[test]
    fn nobody_is_promised_a_start_that_has_passed() {
        let folder = Folder::new("gap");
        let mut desk = folder.open(NOW);
        let beyond = asked(1, i64::from(SETTINGS.horizon) + 100);
        let answer = desk
            .promise(&beyond, PerNode::default(), true, NOW)
            .unwrap();
        let Answer::Waits { number, .. } = answer else {
            panic!("{answer:?}")
        };
        // Nobody looked while the horizon came to the deadline.
        assert_eq!(follow(&mut desk, &cluster(), 25), []);
        let mut slurm = cluster();
        slurm.jobs = vec![job(1, Some(number), "PENDING", &[])];
        assert_eq!(follow(&mut desk, &slurm, 26), []);
        assert_eq!(follow(&mut desk, &slurm, 150), [(number, "promised")]);
        assert_eq!(
            desk.promises().unwrap()[0].booked.as_ref().unwrap().start,
            NOW + 150
        );
    }

    #[test]
    fn another_start_finds_what_was_promised_and_other_nodes_are_refused() {
        let folder = Folder::new("again");
        let promised = {
            let mut desk = folder.open(NOW);
            accepted(&mut desk, 2, 300);
            let Answer::Waits { .. } = desk
                .promise(&asked(4, 100), PerNode::default(), true, NOW)
                .unwrap()
            else {
                panic!("it waits")
            };
            desk.promises().unwrap()
        };
        let mut desk = folder.open(NOW + 20);
        let again = desk.promises().unwrap();
        assert_eq!(format!("{promised:?}"), format!("{again:?}"));
        assert_eq!(
            accepted(&mut desk, 1, 300).0,
            3,
            "numbers are not given twice"
        );
        drop(desk);
        let mut fewer = cluster();
        fewer.nodes.pop();
        let error = Desk::open(&folder.0, SETTINGS, None, &fewer, "batch", NOW)
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("other settings or nodes"), "{error}");
    }

    #[test]
    fn who_cannot_be_served_is_told_why() {
        let folder = Folder::new("why");
        let mut desk = folder.open(NOW);
        let any = PerNode::default();
        for (asked, per_node, words) in [
            (asked(5, 300), any, "partition batch has 4"),
            (asked(0, 300), any, "say on how many nodes"),
            (
                Asked {
                    features: "f1".into(),
                    ..asked(3, 300)
                },
                any,
                "has 2",
            ),
            (
                Asked {
                    features: "f0&f1".into(),
                    ..asked(1, 300)
                },
                any,
                "has 0",
            ),
            (
                Asked {
                    features: "f0|f1".into(),
                    ..asked(1, 300)
                },
                any,
                "joined by &",
            ),
            (
                Asked {
                    partition: "other".into(),
                    ..asked(1, 300)
                },
                any,
                "partition other has 0",
            ),
            (asked(2, 300), PerNode { gpus: 1, ..any }, "has 1"),
            (asked(1, 300), PerNode { cpus: 5, ..any }, "has 0"),
            (asked(1, 60), any, "do not fit between begin and deadline"),
            (asked(1, 5_000), any, "as far as the book looks ahead"),
        ] {
            let why = refused(&mut desk, &asked, per_node);
            assert!(why.contains(words), "{why}");
        }
        let (first, ..) = accepted(&mut desk, 2, 300);
        let why = refused(&mut desk, &asked(3, 100), any);
        assert!(
            why.contains(&format!("in the way: promise {first}")) && why.contains("with 2 nodes"),
            "{why}"
        );
        let drained = desk
            .drain(&["n1".into()], NOW + 10, NOW + 100, NOW)
            .unwrap();
        assert_eq!(
            drained,
            [format!("promise {first} would move to other nodes")]
        );
        assert!(desk.drain(&["n9".into()], NOW, NOW + 100, NOW).is_err());
    }
}
