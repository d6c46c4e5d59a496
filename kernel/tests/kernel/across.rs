//! Two-phase booking at several sites of which each may fail at every step.

use std::{cell::RefCell, collections::HashSet};

use bookahead::{
    Advanced, Application, Commitment, CountBook, Event, Handle, LengthRange, PeCount, Policy,
    Refusal, Request, Site, SiteError, SitePart, Slot, Span, Stage, State, UsageError,
};

type Memory = CountBook<1, 4, 8>;

const SITES: usize = 3;
const HELD: u32 = 3;
/// Two subtasks, each at two sites: eight calls, and two more when both have started.
const PARTS: [(usize, u32, u64); 4] = [(0, 0, 10), (1, 0, 12), (1, 1, 20), (2, 1, 22)];
const STEPS: usize = 12;

fn request(start: u64) -> Request {
    Request {
        ready: Slot::new(start),
        duration: Span::new(4),
        deadline: Slot::new(start + 4),
        pes: PeCount::new(3),
    }
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// It is lost.
    Lost,
    /// It is done, and the answer is lost.
    AnswerLost,
    /// It is done some calls after the caller has given up.
    Late,
    /// It is lost with its site, which comes back some time with all that it knew.
    DiesBefore,
    /// The same after it was done.
    DiesAfter,
    /// Somebody else has booked the site.
    Full,
}

const FAULTS: [Fault; 6] = [
    Fault::Lost,
    Fault::AnswerLost,
    Fault::Late,
    Fault::DiesBefore,
    Fault::DiesAfter,
    Fault::Full,
];

#[derive(Clone, Copy)]
enum Message {
    Hold(Request, Span),
    Confirm(Handle),
    Release(Handle),
}

/// The sites and the way to them.
struct Network {
    sites: [Memory; SITES],
    charged: [HashSet<u64>; SITES],
    dead: [bool; SITES],
    /// How many calls there have been.
    calls: usize,
    faults: Vec<(usize, Fault)>,
    /// Calls on their way, and when they are done.
    late: Vec<(usize, usize, Message)>,
}

impl Network {
    fn new(faults: &[(usize, Fault)]) -> Self {
        let memory = || Memory::new(PeCount::new(4), Span::new(48)).unwrap();
        Self {
            sites: [memory(), memory(), memory()],
            charged: Default::default(),
            dead: [false; SITES],
            calls: 0,
            faults: faults.to_vec(),
            late: Vec::new(),
        }
    }

    /// What the site itself does: it charges what it confirms, and pays back what is given back.
    fn deliver(&mut self, at: usize, message: Message) -> Result<Option<Handle>, SiteError> {
        let book = &mut self.sites[at].view();
        match message {
            Message::Hold(request, ttl) => Site::hold(book, &request, ttl).map(Some),
            Message::Confirm(handle) => {
                Site::confirm(book, handle)?;
                assert!(self.charged[at].insert(handle.to_bits()), "charged twice");
                Ok(None)
            }
            Message::Release(handle) => {
                self.charged[at].remove(&handle.to_bits());
                Site::release(book, handle).map(|()| None)
            }
        }
    }

    fn deliver_late(&mut self, upto: usize) {
        let (due, later) = self.late.iter().partition(|(when, ..)| *when <= upto);
        self.late = later;
        let due: Vec<(usize, usize, Message)> = due;
        for (_, at, message) in due {
            if !self.dead[at] {
                let _ = self.deliver(at, message);
            }
        }
    }

    fn call(&mut self, at: usize, message: Message) -> Result<Option<Handle>, SiteError> {
        let number = self.calls;
        self.calls += 1;
        self.deliver_late(number);
        if self.dead[at] {
            return Err(SiteError::NoAnswer);
        }
        let fault = self.faults.iter().find(|(when, _)| *when == number);
        match fault.map(|(_, fault)| *fault) {
            None => return self.deliver(at, message),
            Some(Fault::Lost) => {}
            Some(Fault::AnswerLost) => {
                let _ = self.deliver(at, message);
            }
            Some(Fault::Late) => self.late.push((number + 3, at, message)),
            Some(Fault::DiesBefore) => self.dead[at] = true,
            Some(Fault::DiesAfter) => {
                let _ = self.deliver(at, message);
                self.dead[at] = true;
            }
            Some(Fault::Full) if matches!(message, Message::Hold(..)) => {
                return Err(SiteError::Refused(Refusal::NoRoom.into()));
            }
            // Confirmed too late, and given back in vain.
            Some(Fault::Full) => {
                self.pass(HELD.into());
                return self.deliver(at, message);
            }
        }
        Err(SiteError::NoAnswer)
    }

    /// Time passes everywhere.
    fn pass(&mut self, slots: u64) {
        for memory in &mut self.sites {
            let mut book = memory.view();
            let to = book.now().saturating_add(Span::new(slots as u32));
            let mut events = heapless::Vec::<Event, 32>::new();
            assert_eq!(book.advance(to, &mut events), Ok(Advanced::Done));
        }
    }

    /// Everybody is there again, and nothing is on its way any more.
    fn calm(&mut self) {
        self.faults.clear();
        self.dead = [false; SITES];
        self.deliver_late(usize::MAX);
    }

    fn reserved(&mut self) -> usize {
        self.sites.iter_mut().map(|site| site.view().len()).sum()
    }

    fn charges(&self) -> usize {
        self.charged.iter().map(HashSet::len).sum()
    }
}

/// A site far away.
struct Remote<'n> {
    network: &'n RefCell<Network>,
    at: usize,
}

impl Site for Remote<'_> {
    type Ticket = Handle;

    fn hold(&mut self, request: &Request, ttl: Span) -> Result<Handle, SiteError> {
        let message = Message::Hold(*request, ttl);
        let held = self.network.borrow_mut().call(self.at, message)?;
        Ok(held.expect("a hold has a ticket"))
    }

    fn confirm(&mut self, ticket: Handle) -> Result<(), SiteError> {
        let message = Message::Confirm(ticket);
        self.network.borrow_mut().call(self.at, message).map(drop)
    }

    fn release(&mut self, ticket: Handle) -> Result<(), SiteError> {
        let message = Message::Release(ticket);
        self.network.borrow_mut().call(self.at, message).map(drop)
    }
}

/// Books through a network with these faults, and checks the end; returns whether it was booked.
fn live(faults: &[(usize, Fault)]) -> bool {
    let network = RefCell::new(Network::new(faults));
    let mut sites: Vec<Remote<'_>> = (0..SITES)
        .map(|at| Remote {
            network: &network,
            at,
        })
        .collect();
    let mut parts = PARTS.map(|(site, subtask, start)| SitePart {
        site,
        subtask,
        request: request(start),
        stage: Stage::Open,
    });
    let mut application = Application {
        sites: &mut sites,
        parts: &mut parts,
    };
    let booked = application.reserve(Span::new(HELD)).is_ok();
    if booked {
        // The promise stands at all sites, paid once each.
        for part in application.parts.iter() {
            let Stage::Firm(handle) = part.stage else {
                panic!("{faults:?}: {part:?}");
            };
            let mut network = network.borrow_mut();
            let book = network.sites[part.site].view();
            assert_eq!(
                book.get(handle).unwrap().state,
                State::Confirmed,
                "{faults:?}"
            );
            assert!(network.charged[part.site].contains(&handle.to_bits()));
        }
        application.started(0);
        application.started(2);
    }
    network.borrow_mut().calm();
    assert!(application.settle(), "{faults:?}");
    // A hold that nobody knows of expires.
    network.borrow_mut().pass(HELD.into());
    let kept: Vec<usize> = (0..PARTS.len())
        .filter(|at| matches!(application.parts[*at].stage, Stage::Firm(_)))
        .collect();
    let expected: &[usize] = if booked { &[0, 2] } else { &[] };
    assert_eq!(kept, expected, "{faults:?}");
    let mut network = network.borrow_mut();
    let counts = [network.reserved(), network.charges()];
    assert_eq!(counts, [expected.len(); 2], "{faults:?}");
    for memory in &mut network.sites {
        assert_eq!(memory.view().check_invariants(), Ok(()));
    }
    booked
}

#[test]
fn without_faults_it_is_booked_and_replicas_are_given_back() {
    assert!(live(&[]));
}

#[test]
fn a_fault_at_any_step_leaks_nothing_and_loses_nothing() {
    for step in 0..STEPS {
        for fault in FAULTS {
            let booked = live(&[(step, fault)]);
            // The first eight calls hold and confirm; the others give back, and are tried again.
            assert_eq!(booked, step >= 2 * PARTS.len(), "{step} {fault:?}");
        }
    }
}

#[test]
fn two_faults_at_any_steps_leak_nothing_and_lose_nothing() {
    let all = || (0..STEPS + 4).flat_map(|step| FAULTS.map(|fault| (step, fault)));
    for one in all() {
        for other in all().filter(|other| other.0 > one.0) {
            live(&[one, other]);
        }
    }
}

#[test]
fn a_site_that_is_not_there_gives_no_answer() {
    let mut memory = Memory::new(PeCount::new(4), Span::new(48)).unwrap();
    let mut sites = [memory.view()];
    let mut parts = [(0, 10), (7, 20)].map(|(site, start)| SitePart {
        site,
        subtask: 0,
        request: request(start),
        stage: Stage::Open,
    });
    let mut application = Application {
        sites: &mut sites,
        parts: &mut parts,
    };
    let reserved = application.reserve(Span::new(2));
    assert_eq!(reserved, Err((1, SiteError::NoAnswer)));
    assert!(sites[0].is_empty());
}

#[test]
fn the_longest_length_is_the_one_that_trying_each_finds() {
    let range = |lengths: (u32, u32), starts: (u64, u64), deadline| LengthRange {
        first_start: Slot::new(starts.0),
        last_start: Slot::new(starts.1),
        deadline: Slot::new(deadline),
        shortest: Span::new(lengths.0),
        longest: Span::new(lengths.1),
        pes: PeCount::new(2),
    };
    let mut granted = HashSet::new();
    for (busy, starts) in (5..30).flat_map(|busy| [(2, 2), (2, 9), (0, 14)].map(|s| (busy, s))) {
        let mut memory = Memory::new(PeCount::new(4), Span::new(48)).unwrap();
        let mut book = memory.view();
        for start in [busy, busy + 11] {
            book.reserve(&request(start), Policy::FirstFit, Commitment::Confirmed)
                .unwrap();
        }
        let lengths = [(1, 1), (1, 12), (3, 25)].into_iter();
        for (lengths, deadline) in lengths.flat_map(|l| [(l, 17), (l, u64::MAX)]) {
            let range = range(lengths, starts, deadline);
            let each = (lengths.0..=lengths.1).rev();
            let best = each
                .map(|length| book.plan(&range.rigid(Span::new(length)), Policy::FirstFit))
                .find(Result::is_ok);
            let plan = range.plan(&mut book, Policy::FirstFit);
            assert_eq!(plan.ok(), best.map(Result::unwrap), "{busy} {range:?}");
            granted.extend(plan.map(|plan| plan.window().len()));
        }
    }
    assert!(granted.len() > 5, "{granted:?}");
    let mut memory = Memory::new(PeCount::new(4), Span::new(48)).unwrap();
    let mut book = memory.view();
    let mut refused = |lengths, starts| {
        let range = range(lengths, starts, u64::MAX);
        range.plan(&mut book, Policy::FirstFit)
    };
    assert_eq!(
        refused((0, 3), (2, 4)),
        Err(UsageError::ZeroDuration.into())
    );
    for (lengths, starts) in [((4, 3), (2, 4)), ((1, 3), (5, 4))] {
        let short = Err(Refusal::WindowTooShort.into());
        assert_eq!(refused(lengths, starts), short);
    }
}
