//! Books with queues, the caller's own bytes and news survive together: a world that is read anew every so often, and one that follows by records, answer as one that
//! has never stopped.

use bookahead::{
    Advanced, BestEffortJob, BookPart, Class, Commitment, Discipline, Error, Event, EventKind,
    Handle, Joined, JointRequest, Layout, Need, PeCount, Period, Policy, Preference, Quota,
    Request, Several, Shape, Slot, SnapshotError, Span,
};
use bookahead_heap::{
    Binding, BoxedBook, BoxedCountBook, BoxedJobQueue, BoxedPeBook, BoxedPeriods, BoxedPlacedBook,
    BoxedTies, HostColumn, Labels, News, Outbox, PlacedSizes, Queued, Sizes, Survives,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ROWS: usize = 12;
const OUTBOX: usize = 6;

/// Three books with queues, labels for the reservations of the first one, and the news of all.
type World = ((Vec<Queued<BoxedBook>>, Labels), Outbox);

fn world() -> World {
    let books = [
        (Binding::Late, 9),
        (Binding::Early, 7),
        (Binding::Early, 130),
    ];
    let books = books.map(|(binding, pes)| {
        let sizes = Sizes {
            pes,
            slots: 60,
            reservations: ROWS,
        };
        let queue =
            BoxedJobQueue::new(Discipline::Easy, 5).and_then(|queue| queue.with_requests(4));
        let book = BoxedBook::new(binding, sizes).expect("it is small");
        Queued::new(book, queue.expect("it is small"))
    });
    ((books.into(), Labels::new(ROWS)), Outbox::new(OUTBOX))
}

/// What is done to a world.
#[derive(Clone, Copy, Debug)]
enum Act {
    Reserve(Request),
    Submit(BestEffortJob),
    Wait(Request, u32),
    Withdraw(usize),
    Raise(usize, u32),
    Cancel(usize),
    Advance(Slot),
    Acknowledge(u64),
}

fn draw(random: &mut ChaCha8Rng, now: Slot, told: u64) -> Act {
    let ready = now.saturating_add(Span::new(random.random_range(0..30)));
    let duration = Span::new(random.random_range(1..12));
    let request = Request {
        ready,
        duration,
        deadline: ready
            .saturating_add(duration)
            .saturating_add(Span::new(random.random_range(0..40))),
        pes: PeCount::new(random.random_range(1..8)),
    };
    let job = BestEffortJob {
        estimate: duration,
        pes: request.pes,
    };
    match random.random_range(0..16) {
        0..=4 => Act::Reserve(request),
        5..=6 => Act::Submit(job),
        7..=8 => Act::Wait(request, random.random_range(0..3)),
        9 => Act::Withdraw(random.random_range(0..9)),
        10 => Act::Raise(random.random_range(0..4), random.random_range(0..3)),
        11 => Act::Cancel(random.random_range(0..ROWS)),
        12..=14 => Act::Advance(now.saturating_add(Span::new(random.random_range(0..6)))),
        _ => Act::Acknowledge(told),
    }
}

/// Does it in one of the books, and returns what it has answered.
fn act(((books, labels), outbox): &mut World, book: usize, act: Act) -> String {
    let Queued {
        book: desk, queue, ..
    } = &mut books[book];
    let mut queue = queue.view();
    match act {
        Act::Reserve(request) => {
            let booked = desk.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
            if let Ok(booking) = &booked
                && book == 0
            {
                assert!(labels.set(booking.handle, label(booking.handle)));
            }
            format!("{booked:?}")
        }
        Act::Submit(job) => format!("{:?}", desk.submit(&mut queue, &job)),
        Act::Wait(request, key) => {
            format!(
                "{:?}",
                desk.wait(
                    &mut queue,
                    &request,
                    Policy::PeWorstFit,
                    Commitment::Confirmed,
                    key
                )
            )
        }
        Act::Withdraw(place) => {
            let jobs = queue.iter().map(|(ticket, _)| ticket);
            let all = jobs.chain(queue.waiting_requests().map(|(ticket, _)| ticket));
            let ticket = all.collect::<Vec<_>>().get(place).copied();
            format!("{:?}", ticket.map(|ticket| queue.withdraw(ticket)))
        }
        Act::Raise(place, key) => {
            let ticket = queue
                .waiting_requests()
                .nth(place)
                .map(|(ticket, _)| ticket);
            format!("{:?}", ticket.map(|ticket| queue.set_key(ticket, key)))
        }
        Act::Cancel(place) => {
            let handle = desk.iter().get(place).map(|(handle, _)| *handle);
            format!("{:?}", handle.map(|handle| desk.cancel(handle)))
        }
        Act::Advance(to) => {
            let advanced: Result<Advanced, Error> =
                outbox.fill(|| desk.next_of_queue(&mut queue, to));
            format!("{advanced:?}")
        }
        Act::Acknowledge(number) => {
            outbox.acknowledge(number);
            String::new()
        }
    }
}

fn label(handle: Handle) -> [u8; 32] {
    let mut label = [7; 32];
    label[..8].copy_from_slice(&handle.to_bits().to_le_bytes());
    label
}

fn check((books, _): &mut (Vec<Queued<BoxedBook>>, Labels)) {
    for desk in books {
        assert_eq!(desk.book.check_invariants(), Ok(()));
    }
}

#[test]
fn a_world_that_is_read_anew_answers_as_one_that_never_stopped() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let [mut plain, mut lives, mut standby] = [(); 3].map(|()| world());
    lives.keep_journal();
    let mut heard = Vec::<Event>::new();
    for moment in 1..=20_000_u32 {
        let book = random.random_range(0..3);
        let now = plain.0.0[book].book.now();
        let told = plain.1.iter().map(|(number, _)| number).last();
        let drawn = draw(&mut random, now, told.unwrap_or_default());
        if let Act::Acknowledge(_) = drawn {
            heard.extend(plain.1.iter().filter_map(|(_, news)| match news {
                News::Event(event) => Some(*event),
                News::Move(_) => None,
            }));
        }
        let answer = act(&mut plain, book, drawn);
        assert_eq!(act(&mut lives, book, drawn), answer, "{drawn:?}");
        let news = [&plain, &lives].map(|world| {
            world
                .1
                .iter()
                .map(|(n, news)| (n, *news))
                .collect::<Vec<_>>()
        });
        assert_eq!(news[0], news[1]);

        let mut record = Vec::new();
        let changed = lives.write_record(&mut record).expect("it keeps a journal");
        assert_eq!(changed, !record.is_empty(), "{drawn:?}");
        let nothing = lives.write_record(&mut record).expect("it keeps a journal");
        assert!(!nothing);
        if changed {
            // Whoever loses the end of a record does not take it for a whole one.
            let cut = record.len() - 1 - random.random_range(0..record.len());
            assert!(standby.clone().apply_record(&record[..cut]).is_err());
            assert_eq!(standby.apply_record(&record), Ok(()), "{drawn:?}");
        }
        assert_eq!(standby.state_hash(), lives.state_hash(), "{drawn:?}");
        if moment % 50 == 0 {
            let bytes = match moment % 100 {
                0 => standby.snapshot(),
                _ => lives.snapshot(),
            };
            let mut new = world();
            assert_eq!(new.read_snapshot(&bytes), Ok(()));
            assert_eq!(new.state_hash(), lives.state_hash());
            assert_eq!(new.read_snapshot(&bytes), Err(SnapshotError::NotNew));
            (lives, standby) = (new.clone(), new);
            check(&mut lives.0);
            lives.keep_journal();
        }
        for (handle, _) in lives.0.0[0].book.iter() {
            let known = lives.0.1.get(handle);
            assert!(known.is_none_or(|known| *known == label(handle)));
        }
    }
    for kind in [
        EventKind::Started,
        EventKind::BestEffortStarted,
        EventKind::Promised,
        EventKind::GaveUp,
        EventKind::EndReached,
    ] {
        let times = heard.iter().filter(|event| event.kind == kind).count();
        assert!(times > 20, "{kind:?}: {times}");
    }
}

/// A class that was dropped lasts as long as a job waits for it, also where a record tells of classes alone.
#[test]
fn a_class_that_is_waited_for_lasts_in_a_standby() {
    let layout = Layout {
        groups: 4,
        kinds: &[2],
        missing: &[],
        levels: &[],
    };
    let sizes = PlacedSizes {
        slots: 60,
        reservations: 4,
        classes: 2,
        order: 4,
    };
    let new = || {
        let book = BoxedPlacedBook::<u32>::new(&layout, sizes).expect("it is small");
        let queue = BoxedJobQueue::new(Discipline::Fcfs, 2);
        Queued::new(book, queue.expect("it is small"))
    };
    let (mut lives, mut standby) = (new(), new());
    lives.keep_journal();
    let mut follow = |lives: &mut Queued<BoxedPlacedBook<u32>>| {
        let mut record = Vec::new();
        assert_eq!(lives.write_record(&mut record), Ok(true));
        assert_eq!(standby.apply_record(&record), Ok(()));
        standby.clone()
    };
    let taking = |preference| Class {
        shape: Shape::PerGroup(&[1]),
        preference,
        ..Class::ANY
    };
    let job = BestEffortJob {
        estimate: Span::new(3),
        pes: PeCount::new(2),
    };
    let class = lives
        .book
        .view()
        .class_add(&taking(Preference::Lowest))
        .expect("there is room");
    // An equal one is no change.
    follow(&mut lives);
    let again = lives.book.view().class_add(&taking(Preference::Lowest));
    assert_eq!(again, Ok(class));
    assert_eq!(lives.write_record(&mut Vec::new()), Ok(false));
    let submitted = lives
        .queue
        .view()
        .submit(&mut lives.book.view(), (class, &job));
    assert!(submitted.is_ok());
    follow(&mut lives);
    lives.book.view().class_drop(class).expect("it is there");
    let mut standby = follow(&mut lives);
    for desk in [&mut lives, &mut standby] {
        let mut book = desk.book.view();
        assert!(book.class_add(&taking(Preference::Pack)).is_ok());
        assert!(book.class_add(&taking(Preference::Spread)).is_err());
        assert_eq!(desk.queue.view().check_invariants(&mut book), Ok(()));
    }
}

/// Nodes and a quota, decided together.
type Site = (
    (BoxedPeBook<HostColumn>, BoxedTies),
    ((BoxedCountBook, BoxedPeriods), BoxedTies),
);

fn site() -> Site {
    let sizes = |pes| Sizes {
        pes,
        slots: 60,
        reservations: ROWS,
    };
    let nodes = BoxedPeBook::new(sizes(9)).expect("it is small");
    let quota = BoxedCountBook::new(sizes(4)).expect("it is small");
    let periods = [50, 100, 150].map(|until| Period::new(Slot::new(until), 70));
    let periods = BoxedPeriods::new(periods.to_vec());
    (
        (nodes, BoxedTies::new(ROWS)),
        ((quota, periods), BoxedTies::new(ROWS)),
    )
}

fn together<Answer>(
    site: &mut Site,
    action: impl FnOnce(&mut Several<'_, '_>) -> Answer,
) -> Answer {
    let ((nodes, of_nodes), ((used, periods), of_quota)) = site;
    let mut nodes = nodes.view();
    let mut quota = Quota::new(used.view(), periods.periods()).expect("they are in order");
    // A new period for each that is over.
    if let Some(last) = quota.periods().last().copied() {
        let until = last.until().saturating_add(Span::new(50));
        quota.renew(until, 70);
    }
    let mut books = [
        Joined {
            book: &mut nodes,
            ties: of_nodes.ties(),
        },
        Joined {
            book: &mut quota,
            ties: of_quota.ties(),
        },
    ];
    action(&mut Several::new(&mut books).expect("they are alike"))
}

/// What the parts of a joint reservation have to do with each other survives as they do: a standby answers as the site does.
#[test]
fn a_joint_reservation_is_one_record() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let (mut lives, mut standby) = (site(), site());
    lives.keep_journal();
    let (mut parts, mut tied) = (Vec::new(), 0);
    for step in 0..1_000 {
        let now = lives.0.0.view().now();
        let ready = now.saturating_add(Span::new(random.random_range(0..20)));
        let needs = [9, 4].map(|most| Need::new(PeCount::new(random.random_range(0..=most))));
        let request = JointRequest {
            ready,
            duration: Span::new(random.random_range(1..9)),
            deadline: ready.saturating_add(Span::new(30)),
            needs: &needs,
        };
        let (choice, place, by) = (
            random.random_range(0..8),
            random.random_range(0..ROWS),
            random.random_range(0..4),
        );
        let part: Option<BookPart> = parts.iter().rev().nth(place).copied();
        let act = |site: &mut Site| {
            together(site, |books| match (choice, part) {
                (0..=3, _) => format!("{:?}", books.reserve(&request, None, 1_000)),
                (4, Some(part)) => format!("{:?}", books.cancel(part)),
                (5, Some(part)) => {
                    let deadline = now.saturating_add(Span::new(40));
                    format!(
                        "{:?}",
                        books.alter(part, ready, Span::new(3), deadline, 1_000)
                    )
                }
                _ => format!("{:?}", books.next(now.saturating_add(Span::new(by)))),
            })
        };
        let answer = act(&mut lives);
        assert_eq!(act(&mut standby.clone()), answer, "{step}");
        let mut record = Vec::new();
        if lives.write_record(&mut record) == Ok(true) {
            assert_eq!(standby.apply_record(&record), Ok(()));
        }
        assert_eq!(standby.state_hash(), lives.state_hash(), "{step}");
        assert_eq!(together(&mut standby, |books| books.torn()), None);
        let handles = [
            standby
                .0
                .0
                .view()
                .iter()
                .map(|one| one.0)
                .collect::<Vec<_>>(),
            standby.1.0.0.view().iter().map(|one| one.0).collect(),
        ];
        let all = (0..).zip(handles).flat_map(|(book, handles)| {
            let parts = handles.into_iter();
            parts.map(move |handle| BookPart { book, handle })
        });
        parts = all.collect();
        let joint = |part: &&BookPart| {
            together(&mut standby, |books| books.parts(**part)).is_ok_and(|parts| parts.len() > 1)
        };
        tied += parts.iter().filter(joint).count();
        if step % 50 == 49 {
            let mut new = site();
            assert_eq!(new.read_snapshot(&lives.snapshot()), Ok(()));
            assert_eq!(new.state_hash(), lives.state_hash());
            (lives, standby) = (new.clone(), new);
            lives.keep_journal();
        }
    }
    assert!(tied > 1_000, "{tied}");
}

#[test]
fn nothing_is_written_before_a_journal_is_kept() {
    let mut record = Vec::new();
    assert_eq!(
        world().write_record(&mut record),
        Err(SnapshotError::NoJournal)
    );
    assert!(record.is_empty());
}
