//! What somebody gets who asks, and why not.

use super::*;

impl Desk {
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

    pub(super) fn decide(
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
        let (partition, promised) = (
            partition_of(asked, &self.partition),
            &self.limits.partitions,
        );
        if !promised.is_empty() && !promised.iter().any(|one| one == partition) {
            return Ok(Answer::Refused(format!(
                "partition {partition}: jobs of {} only are promised a start",
                promised.join(" and ")
            )));
        }
        let axis = self.axis();
        let request = axis.request(asked, now);
        let (nodes, audit) = (&self.nodes, &mut self.audit);
        let most = self.limits.per_user.filter(|_| book_it && asked.uid != 0);
        let decided = self.store.call(|(kept, table)| {
            let promised = table.promises().values().map(|promise| &promise.asked);
            let all = promised.filter(|other| other.uid == asked.uid).chain([asked]);
            let all: u64 = all.map(node_minutes).sum();
            if let Some(most) = most.filter(|most| all > *most) {
                return Err(format!(
                    "with this job you would have {} of the {} node-hours that one user may have promised at once",
                    all.div_ceil(60),
                    most / 60
                ));
            }
            let mut book = kept.book.view();
            let class = book.class_add(&class_of(&set)).map_err(|error| {
                format!("{error:?}: too many different kinds of nodes are asked for at once")
            })?;
            let promise = |place, start| Promise {
                asked: asked.clone(),
                per_node,
                place,
                issued: now,
                start,
                job: None,
                started: false,
            };
            let query = (class, &request);
            let refusal = if book_it {
                match book.reserve(query, Policy::FirstFit, axis.commitment()) {
                    Ok(booked) => {
                        let number = table.next_number();
                        let start = axis.time(booked.start);
                        let place = Place::Booked(booked.handle);
                        table.set(number, Some(promise(place, start)));
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
                        table.set(number, Some(promise(place, 0)));
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
}

/// What somebody asks for counts so much for him.
fn node_minutes(asked: &Asked) -> u64 {
    u64::from(asked.nodes) * u64::from(asked.limit)
}

/// The partition that is asked for, where nothing is said the usual one.
fn partition_of<'a>(asked: &'a Asked, usual: &'a str) -> &'a str {
    match asked.partition.as_str() {
        "" => usual,
        partition => partition,
    }
}

/// The nodes that may serve, or why there are too few.
pub(super) fn eligible(
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
    let partition = partition_of(asked, partition);
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

/// So many of these nodes.
pub(super) const fn class_of(set: &[u32]) -> Class<'_> {
    Class {
        eligible: Eligible::Pes(set),
        shape: Shape::Number,
        within: Within::Anywhere,
        preference: Preference::Lowest,
    }
}

/// Lets a request wait. Whoever has to start first is tried first, and the more a job asks for, the earlier: by the time that all nodes together would take for it.
pub(super) fn let_wait(
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

/// A line: what was asked for in slots, the nodes that might serve, and each row of the book with its slots and nodes.
pub(super) fn write_refusal(
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
pub(super) fn words_of(
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
pub(super) fn alternatives(
    book: &mut Book<'_>,
    class: ClassId,
    request: &Request,
    axis: Axis,
) -> Vec<String> {
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
