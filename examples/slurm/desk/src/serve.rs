//! The service: it answers on a socket, and again and again it compares Slurm with the book.

use std::{
    collections::BTreeMap,
    fs, io,
    net::{TcpListener, TcpStream},
    os::unix::{
        fs::PermissionsExt,
        net::{UnixListener, UnixStream},
    },
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, ensure};
use bookahead_slurm_protocol::{
    Asked, Kind, PREFIX,
    wire::{Message, keys, set_patience},
};

use crate::{
    cluster::{Cluster, Job, Reservation, default_partition, reservation_of, run, scontrol},
    desk::{Answer, Booked, Desk, Limits, PerNode, Settings, Standing, Told, at},
    munge,
    table::Place,
};

/// So many ask at once; others are told to come back.
const CALLERS: usize = 64;

/// The Unix time.
#[must_use]
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

/// Who asks, and how he is answered.
trait Caller: Send + 'static {
    /// Reads the question, and says whose it is.
    fn question(&self) -> Result<(u32, Message)>;
    fn tell(&self, answer: &Message) -> Result<()>;
}

/// On this machine the system says who asks.
impl Caller for UnixStream {
    fn question(&self) -> Result<(u32, Message)> {
        set_patience(self, Duration::ZERO)?;
        let uid = rustix::net::sockopt::socket_peercred(self)?.uid.as_raw();
        Ok((uid, Message::read(self)?))
    }

    fn tell(&self, answer: &Message) -> Result<()> {
        answer.write(self)
    }
}

/// From other machines munge does.
impl Caller for TcpStream {
    fn question(&self) -> Result<(u32, Message)> {
        let patience = Some(Duration::from_secs(2));
        self.set_read_timeout(patience)?;
        self.set_write_timeout(patience)?;
        munge::unseal(&Message::read(self)?)
    }

    fn tell(&self, answer: &Message) -> Result<()> {
        answer.write(self)
    }
}

/// Answers all who come.
struct Counter {
    desk: Mutex<AtHand>,
    callers: AtomicUsize,
}

impl Counter {
    fn serve<C: Caller>(self: &Arc<Self>, coming: impl Iterator<Item = io::Result<C>>) {
        for caller in coming {
            let Ok(caller) = caller else { continue };
            let counter = Arc::clone(self);
            if counter.callers.fetch_add(1, Ordering::SeqCst) >= CALLERS {
                counter.callers.fetch_sub(1, Ordering::SeqCst);
                let _ = caller
                    .tell(&Message::new("refused").with("text", "too many ask at once: try again"));
                continue;
            }
            thread::spawn(move || {
                let answer = hear(&counter.desk, &caller).unwrap_or_else(|error| {
                    Message::new("refused").with("text", format!("{error:#}"))
                });
                let _ = caller.tell(&answer);
                counter.callers.fetch_sub(1, Ordering::SeqCst);
            });
        }
    }
}

/// Serves until it is ended, and looks at Slurm with so long a pause between. Other machines are answered at the address.
///
/// # Errors
///
/// When Slurm, the folder or the socket cannot be had.
pub fn serve(
    folder: &Path,
    settings: Settings,
    limits: Limits,
    pause: Duration,
    audit: Option<&Path>,
    address: Option<&str>,
) -> Result<()> {
    patiently(Cluster::look)?;
    let open = move |folder: &Path, audit: Option<&Path>| {
        let partition = default_partition()?;
        let mut desk = Desk::open(
            folder,
            settings,
            audit,
            &Cluster::look()?,
            &partition,
            now(),
        )?;
        desk.limits = limits.clone();
        tick(&mut desk)?;
        Ok(desk)
    };
    let mut desk = AtHand {
        open: Box::new({
            let (folder, audit) = (folder.to_owned(), audit.map(Path::to_owned));
            move || open(&folder, audit.as_deref())
        }),
        desk: None,
    };
    desk.get()?;
    let path = folder.join("socket");
    // The store's lock says that no other desk has this folder, so a socket that is there is left over.
    let _ = fs::remove_file(&path);
    let listener = UnixListener::bind(&path).with_context(|| path.display().to_string())?;
    // Everybody may ask: who asks is seen from the socket.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666))?;
    let beyond = address.map(|address| {
        TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))
    });
    let beyond = beyond.transpose()?;
    println!("serving on {}", path.display());
    let counter = Arc::new(Counter {
        desk: Mutex::new(desk),
        callers: AtomicUsize::new(0),
    });
    let ticking = Arc::clone(&counter);
    thread::spawn(move || {
        loop {
            thread::sleep(pause);
            let mut desk = ticking.desk.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = desk.tick() {
                eprintln!("{error:#}");
            }
        }
    });
    if let Some(listener) = beyond {
        let counter = Arc::clone(&counter);
        thread::spawn(move || counter.serve(listener.incoming()));
    }
    counter.serve(listener.incoming());
    Ok(())
}

/// The desk, which is put away when it could not write down what it had decided, as where the disk is full, and read anew from what was
/// written when it is next wanted.
struct AtHand {
    open: Box<dyn Fn() -> Result<Desk> + Send>,
    desk: Option<Desk>,
}

impl AtHand {
    fn get(&mut self) -> Result<&mut Desk> {
        if self.desk.is_none() {
            self.desk = Some((self.open)()?);
        }
        self.desk.as_mut().context("a desk that is open")
    }

    fn tick(&mut self) -> Result<()> {
        let done = tick(self.get()?);
        if let Err(error) = &done
            && error.is::<bookahead_store::StoreError>()
        {
            self.desk = None;
        }
        done
    }
}

/// Slurm may start at the same time as we.
fn patiently<T>(look: impl Fn() -> Result<T>) -> Result<T> {
    let mut left = 30;
    loop {
        match look() {
            Err(error) if left > 0 => {
                eprintln!("{error:#}; trying again");
                left -= 1;
                thread::sleep(Duration::from_secs(1));
            }
            done => return done,
        }
    }
}

/// Looks at Slurm, lets the book follow, and lets Slurm follow the book.
fn tick(desk: &mut Desk) -> Result<()> {
    let cluster = Cluster::look()?;
    let now = now();
    let told = desk.follow(&cluster, now)?;
    desk.write_down(&told, now)?;
    for Told {
        job,
        what,
        start,
        text,
        ..
    } in &told
    {
        println!("{what}: {text}");
        // Whoever looks at the job sees it; a job that is over has nobody to look.
        if let (Some(job), false) = (job, matches!(*what, "over" | "lost" | "kept")) {
            let comment = format!("AdminComment={what} {start}: {text}");
            complain(scontrol(["update", &format!("JobId={job}"), &comment]));
        }
    }
    desk.list_for_gate()?;
    keep(desk, &cluster, now)
}

fn complain<T>(done: Result<T>) -> bool {
    done.inspect_err(|error| eprintln!("{error:#}")).is_ok()
}

/// Makes Slurm's reservations and jobs what the book says. What does not work now is tried at the next look.
fn keep(desk: &mut Desk, cluster: &Cluster, now: i64) -> Result<()> {
    let standing = desk.promises()?;
    let mut wanted = BTreeMap::new();
    for Standing {
        number,
        promise,
        booked,
    } in &standing
    {
        if let Some(booked) = booked {
            wanted.insert(reservation_of(*number), (promise.asked.uid, booked));
        }
    }
    // Room first.
    for name in cluster
        .reservations
        .keys()
        .filter(|name| name.starts_with(PREFIX) && !wanted.contains_key(*name))
    {
        complain(delete(cluster, name));
    }
    for (name, (uid, booked)) in &wanted {
        match cluster.reservations.get(name) {
            None => drop(complain(create(name, *uid, booked, now))),
            Some(there) if differs(there, booked, now) => {
                complain(update(name, there, booked, now));
            }
            Some(_) => (),
        }
    }
    for job in cluster
        .jobs
        .iter()
        .filter(|job| desk.is_back_from_the_dead(job))
    {
        complain(run("scancel", [&*job.id.to_string()]));
    }
    for job in cluster.jobs.iter().filter(|job| job.is_pending()) {
        let Some(number) = job.promise else { continue };
        let id = format!("JobId={}", job.id);
        let name = reservation_of(number);
        let promise = standing.iter().find(|standing| standing.number == number);
        match promise.map(|standing| (standing.promise.place, &standing.booked)) {
            // It waited and is promised now.
            Some((Place::Booked(_), Some(_))) if job.reservation != name => {
                let admitted = complain(scontrol([
                    "update",
                    &id,
                    &format!("ReservationName={name}"),
                ]));
                if admitted && job.held {
                    complain(scontrol(["release", &job.id.to_string()]));
                }
            }
            Some((Place::Booked(_), Some(_))) if job.held => {
                complain(scontrol(["release", &job.id.to_string()]));
            }
            Some(_) => (),
            // Nothing was found for it.
            None if job.held => drop(complain(run("scancel", [&*job.id.to_string()]))),
            None => (),
        }
    }
    Ok(())
}

/// A reservation that has begun keeps its start.
fn differs(there: &Reservation, booked: &Booked, now: i64) -> bool {
    let mut nodes = (there.nodes.clone(), booked.nodes.clone());
    nodes.0.sort();
    nodes.1.sort();
    nodes.0 != nodes.1
        || there.end != booked.end
        || there.start != booked.start && (there.start > now || booked.start > now)
}

/// Slurm takes no start that has passed.
fn times(booked: &Booked, now: i64) -> (String, String) {
    let start = if booked.start <= now {
        "StartTime=now".into()
    } else {
        format!("StartTime=uts{}", booked.start)
    };
    (start, format!("EndTime=uts{}", booked.end))
}

fn create(name: &str, uid: u32, booked: &Booked, now: i64) -> Result<()> {
    ensure!(booked.end > now, "{name} is over");
    let (start, end) = times(booked, now);
    let nodes = format!("Nodes={}", booked.nodes.join(","));
    // Two that change places overlap for a moment; the book sees to it that nothing else does.
    scontrol([
        "create",
        "reservation",
        &format!("ReservationName={name}"),
        &start,
        &end,
        &nodes,
        &format!("Users={uid}"),
        "Flags=OVERLAP",
    ])
    .map(drop)
}

fn update(name: &str, there: &Reservation, booked: &Booked, now: i64) -> Result<()> {
    let (start, end) = times(booked, now);
    let (name, nodes) = (
        format!("ReservationName={name}"),
        format!("Nodes={}", booked.nodes.join(",")),
    );
    if there.start <= now {
        return scontrol(["update", &name, &end, &nodes]).map(drop);
    }
    scontrol(["update", &name, &start, &end, &nodes]).map(drop)
}

/// A job that has lost its promise goes on without the reservation; what runs in it is let end.
fn delete(cluster: &Cluster, name: &str) -> Result<()> {
    let inside = |job: &&Job| job.reservation == name;
    for job in cluster.jobs.iter().filter(inside) {
        if job.is_pending() {
            scontrol(["update", &format!("JobId={}", job.id), "ReservationName="])?;
        } else if job.runs() {
            return Ok(());
        }
    }
    scontrol(["delete", &format!("ReservationName={name}")]).map(drop)
}

const ASKED: [&str; 8] = [
    "nodes",
    "limit",
    "begin",
    "deadline",
    "features",
    "partition",
    "cpus",
    "gpus",
];

/// Hears a question, and answers it.
fn hear(desk: &Mutex<AtHand>, caller: &impl Caller) -> Result<Message> {
    let (uid, question) = caller.question()?;
    let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
    let desk = desk.get()?;
    match &*question.word {
        "ask" => {
            keys(&question, &ASKED)?;
            let (asked, per_node) = asked(&question, uid)?;
            Ok(match desk.ask(&asked, per_node, now())? {
                Answer::Accepted { start, .. } => Message::new("accepted")
                    .with("start", start)
                    .with("text", format!("it would start at {}", at(start))),
                Answer::Waits { why, .. } | Answer::Refused(why) => {
                    Message::new("refused").with("text", why)
                }
            })
        }
        "promise" => promise(desk, &question, uid),
        "show" => show(desk),
        "bars" => bars(desk),
        "why" => why(desk, &question),
        "alternatives" => alternatives(desk, &question),
        "drain" => drain(desk, &question),
        other => Ok(Message::new("refused").with(
            "text",
            format!("{other}: expected ask, promise, show, bars, why, alternatives or drain"),
        )),
    }
}

fn asked(question: &Message, uid: u32) -> Result<(Asked, PerNode)> {
    let text = |key| question.get(key).unwrap_or_default().to_string();
    let asked = Asked {
        uid,
        nodes: question.number("nodes")?,
        limit: question.number("limit")?,
        begin: question.number("begin")?,
        deadline: question.number("deadline")?,
        features: text("features"),
        partition: text("partition"),
    };
    ensure!(asked.limit > 0, "say for how many minutes at most (-t)");
    ensure!(asked.deadline > now(), "the deadline has passed");
    Ok((
        asked,
        PerNode {
            cpus: question.number("cpus")?,
            gpus: question.number("gpus")?,
        },
    ))
}

fn promise(desk: &mut Desk, question: &Message, uid: u32) -> Result<Message> {
    let known: Vec<&str> = ASKED.into_iter().chain(["wait"]).collect();
    keys(question, &known)?;
    let (asked, per_node) = asked(question, uid)?;
    ensure!(
        !desk.is_closed(),
        "nothing new is promised at present; without --deadline the job is Slurm's own"
    );
    let wait = question.get("wait") == Some("1");
    let mut tries = 2;
    loop {
        tries -= 1;
        match desk.promise(&asked, per_node, wait, now())? {
            Answer::Accepted {
                number,
                start,
                nodes,
            } => {
                let standing = desk
                    .promises()?
                    .into_iter()
                    .find(|standing| standing.number == number);
                let booked = standing
                    .and_then(|standing| standing.booked)
                    .context("what was booked is there")?;
                let Err(error) = create(&reservation_of(number), uid, &booked, now()) else {
                    let token = desk.token(Kind::Promised, number, &asked, now());
                    let text = format!(
                        "promise {number}: starts by {} on {}",
                        at(start + desk.settings.guard),
                        nodes.join(",")
                    );
                    return Ok(Message::new("accepted")
                        .with("start", start)
                        .with("token", token)
                        .with("text", text));
                };
                // Slurm knows something that the book does not yet: look, and decide once more.
                desk.take_back(number)?;
                eprintln!("{error:#}");
                if tries == 0 {
                    return Ok(Message::new("refused").with(
                        "text",
                        format!("Slurm did not take the reservation: {error:#}"),
                    ));
                }
                tick(desk)?;
            }
            Answer::Waits { number, until, why } => {
                let token = desk.token(Kind::Waiting, number, &asked, now());
                let text = format!(
                    "request {number} waits for room until {}, nothing is promised yet: {why}",
                    at(until)
                );
                return Ok(Message::new("waits")
                    .with("token", token)
                    .with("text", text));
            }
            Answer::Refused(why) => return Ok(Message::new("refused").with("text", why)),
        }
    }
}

fn show(desk: &mut Desk) -> Result<Message> {
    let mut answer = Message::new("shown");
    for Standing {
        number,
        promise,
        booked,
    } in desk.promises()?
    {
        let job = promise
            .job
            .map_or("not submitted yet".into(), |job| format!("job {job}"));
        let line = match booked {
            Some(booked) => {
                let state = if promise.started {
                    "runs since"
                } else {
                    "starts at"
                };
                format!(
                    "{number}: {job}, user {}, {state} {}, until {} on {}",
                    promise.asked.uid,
                    at(booked.start),
                    at(booked.end),
                    booked.nodes.join(",")
                )
            }
            None if promise.started => format!(
                "{number}: {job}, user {}, goes on beyond what was booked",
                promise.asked.uid
            ),
            None => format!(
                "{number}: {job}, user {}, waits for room for {} nodes",
                promise.asked.uid, promise.asked.nodes
            ),
        };
        answer = answer.with("text", line);
    }
    if answer.lines.is_empty() {
        answer = answer.with("text", "nothing is promised");
    }
    Ok(answer)
}

/// The rows of a plan: a kind, a name, the times, and the nodes.
fn bars(desk: &mut Desk) -> Result<Message> {
    let mut answer = Message::new("shown").with("now", now());
    for name in desk.node_names() {
        answer.lines.push(("node".into(), name.into()));
    }
    for Standing {
        number,
        booked,
        promise,
    } in desk.promises()?
    {
        let Some(booked) = booked else { continue };
        let name = promise.job.map_or(format!("promise {number}"), |job| {
            format!("job {job} (promise {number})")
        });
        answer = answer.with(
            "bar",
            format!(
                "promise\t{name}\t{}\t{}\t{}",
                booked.start,
                booked.end,
                booked.nodes.join(",")
            ),
        );
    }
    for (name, booked) in desk.out()? {
        answer = answer.with(
            "bar",
            format!(
                "out\t{name}\t{}\t{}\t{}",
                booked.start,
                booked.end,
                booked.nodes.join(",")
            ),
        );
    }
    Ok(answer)
}

/// Where a job stands, and what it was told so far.
fn why(desk: &mut Desk, question: &Message) -> Result<Message> {
    keys(question, &["job"])?;
    let job: u32 = question.number("job")?;
    let mut answer = Message::new("shown");
    let found = desk
        .promises()?
        .into_iter()
        .find(|standing| standing.promise.job == Some(job));
    for line in desk.told_of(job)? {
        answer = answer.with("text", line);
    }
    let now_it = match found {
        Some(Standing {
            booked: Some(booked),
            promise,
            ..
        }) if promise.started => {
            format!("it runs, and its nodes are booked until {}", at(booked.end))
        }
        Some(Standing {
            booked: Some(booked),
            ..
        }) => format!(
            "it starts by {} on {}",
            at(booked.start + desk.settings.guard),
            booked.nodes.join(",")
        ),
        Some(Standing {
            booked: None,
            promise,
            ..
        }) => match desk.ask(&promise.asked, promise.per_node, now())? {
            Answer::Accepted { .. } => "it is about to be promised a start".into(),
            Answer::Waits { why, .. } | Answer::Refused(why) => format!("it waits: {why}"),
        },
        None => "nothing is promised to it now".into(),
    };
    Ok(answer.with("text", now_it))
}

fn alternatives(desk: &mut Desk, question: &Message) -> Result<Message> {
    keys(question, &["job"])?;
    let job: u32 = question.number("job")?;
    let found = desk
        .promises()?
        .into_iter()
        .find(|standing| standing.promise.job == Some(job));
    let Some(Standing { promise, .. }) = found else {
        return Ok(Message::new("refused").with(
            "text",
            format!("job {job} has no promise and waits for none"),
        ));
    };
    let lines = desk.alternatives(&promise.asked, promise.per_node, now())?;
    let answer = lines.iter().fold(Message::new("shown"), |answer, line| {
        answer.with("text", line)
    });
    Ok(if lines.is_empty() {
        answer.with("text", "nothing else is near")
    } else {
        answer
    })
}

fn drain(desk: &mut Desk, question: &Message) -> Result<Message> {
    keys(question, &["nodes", "from", "until"])?;
    let names: Vec<String> = crate::cluster::hosts(question.get("nodes").unwrap_or_default())?;
    let until: i64 = question.number("until")?;
    ensure!(!names.is_empty(), "say which nodes");
    ensure!(until > now(), "expected an end that has not passed");
    let lines = desk.drain(&names, question.number("from")?, until, now())?;
    let mut answer = Message::new("shown");
    for line in &lines {
        answer = answer.with("text", line);
    }
    Ok(if lines.is_empty() {
        answer.with("text", "no promise would change")
    } else {
        answer
    })
}
