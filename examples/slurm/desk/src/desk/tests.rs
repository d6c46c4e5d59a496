//! A desk beside a Slurm that does what the tests say.

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

#[test]
fn a_user_has_no_more_than_one_may_have() {
    let folder = Folder::new("per-user");
    let mut desk = folder.open(NOW);
    desk.limits.per_user = Some(4);
    let (first, ..) = accepted(&mut desk, 3, 500);
    let ask = |desk: &mut Desk, uid, nodes, wait| {
        let asked = Asked {
            uid,
            ..asked(nodes, 500)
        };
        desk.promise(&asked, PerNode::default(), wait, NOW).unwrap()
    };
    let refused = ask(&mut desk, 7, 2, true);
    assert!(matches!(refused, Answer::Refused(why) if why.contains("1 of the 0 node-hours")));
    // One more, nobody else's, those of root, and again when some are given back.
    assert!(matches!(
        ask(&mut desk, 7, 1, false),
        Answer::Accepted { .. }
    ));
    assert!(matches!(
        ask(&mut desk, 8, 4, false),
        Answer::Accepted { .. }
    ));
    assert!(matches!(
        ask(&mut desk, 0, 4, false),
        Answer::Accepted { .. }
    ));
    assert!(matches!(
        ask(&mut desk, 0, 4, false),
        Answer::Accepted { .. }
    ));
    assert!(matches!(ask(&mut desk, 7, 1, false), Answer::Refused(_)));
    desk.take_back(first).unwrap();
    assert!(matches!(
        ask(&mut desk, 7, 3, false),
        Answer::Accepted { .. }
    ));
    // What waits counts, too; who only asks is told what there is.
    assert!(matches!(
        ask(&mut desk, 9, 4, true),
        Answer::Accepted { .. }
    ));
    let only = desk.ask(&asked(4, 1_900), PerNode::default(), NOW).unwrap();
    assert!(matches!(only, Answer::Accepted { .. }));
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
fn a_job_that_is_given_more_time_than_there_is_before_a_maintenance_keeps_its_nodes_until_then() {
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
fn only_the_partitions_that_are_named_are_promised() {
    let folder = Folder::new("partitions");
    let mut desk = folder.open(NOW);
    desk.limits.partitions = vec!["night".into(), "other".into()];
    let any = PerNode::default();
    let words = "partition batch: jobs of night and other only are promised a start";
    assert_eq!(refused(&mut desk, &asked(1, 300), any), words);
    let asked = |partition: &str| Asked {
        partition: partition.into(),
        ..asked(1, 300)
    };
    assert_eq!(refused(&mut desk, &asked("batch"), any), words);
    // What is refused there is refused for want of nodes.
    assert!(refused(&mut desk, &asked("other"), any).contains("partition other has 0"));
    desk.limits.partitions = vec!["batch".into()];
    accepted(&mut desk, 1, 300);
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
