//! What is looked up.

use bookahead::{Discipline, Handle, PeCount, Reservation, Slot, Span, Version, Violation, Window};
use bookahead_capi::{self as c, Code};
use bookahead_commands::{Command, Known, Layer, Reply, Size, State, starts};

use crate::{
    CapiSide,
    convert::{self, InC, error, reservation, waiting, window},
};

/// What was found, if the code does not say that there is none.
fn unless<T>(found: Result<T, u32>, none: Code) -> Option<T> {
    assert!(found.as_ref().err().is_none_or(|code| *code == none as u32));
    found.ok()
}

impl CapiSide {
    /// The reply to a command that looks something up.
    pub(crate) fn look_up(&mut self, command: &Command) -> Result<Reply, u32> {
        Ok(match command {
            Command::Size => Reply::Size(self.size()),
            Command::Look => Reply::State(Box::new(self.state())),
            Command::Get(number) => Reply::Reservation(self.get(self.handle(*number))?),
            Command::PesOf(number) => Reply::Pes(self.pes_of(self.handle(*number))?),
            Command::Covering(window) => {
                let handles = self.covering(*window);
                Reply::Named(self.numbers(handles))
            }
            Command::FreeDuring(window) => {
                let free = unless(self.c.free_during(window.c()), Code::OutsideRing);
                Reply::Free(free.map(PeCount::of))
            }
            Command::Rectangle(start, duration) => {
                let found = self.c.rectangle(start.c(), duration.c());
                let found = unless(found, Code::OutsideRing);
                Reply::Rectangle(found.map(|found| bookahead::Rectangle {
                    window: window(found.start, found.end),
                    free: InC::of(found.free),
                }))
            }
            Command::Layer(number) => {
                let layer = self.layer(self.handle(*number));
                layer.map_or(Reply::NoLayer, Reply::Layer)
            }
            Command::CandidateStarts(request) => {
                let request = request.c();
                let starts = self
                    .c
                    .all(|c, skip, list| c.candidate_starts(&request, skip, list));
                Reply::Starts(starts?.into_iter().map(Slot::of).collect())
            }
            Command::Shadow => Reply::Shadow(self.shadow()),
            Command::Requests => {
                let requests = self.c.all(|c, skip, list| c.requests(skip, list));
                Reply::Requests(requests?.into_iter().map(waiting).collect())
            }
            Command::RulesDuring(window) => {
                let rules = self.c.rules_during(window.c())?;
                Reply::Named(convert::rules(rules))
            }
            other => panic!("{other:?} looks nothing up"),
        })
    }

    fn size(&mut self) -> Size {
        let status = self.c.status().expect("it is a book");
        let queue = self.c.queue_status().expect("it is a queue");
        let mut disciplines = Discipline::ALL.into_iter();
        let discipline = disciplines.find(|one| u32::from(one.code()) == queue.discipline);
        Size {
            kind: convert::kind(status.binding),
            pes: InC::of(status.pes),
            horizon: Span::of(status.horizon),
            capacity: status.capacity as usize,
            discipline: discipline.expect("a discipline"),
            jobs: queue.capacity as usize,
            has_layer: status.binding == c::Binding::Overlaid as u32,
        }
    }

    pub(crate) fn get(&mut self, name: c::Handle) -> Result<Reservation, u32> {
        self.c.get(name).map(reservation)
    }

    fn pes_of(&mut self, name: c::Handle) -> Result<Vec<u16>, u32> {
        self.c.all(|c, skip, list| c.pes_of(name, skip, list))
    }

    fn layer(&mut self, name: c::Handle) -> Option<Layer> {
        let overlaid = self.c.overlaid(name);
        if overlaid == Err(Code::NoOverlays as u32) {
            return None;
        }
        let waits_for = self.c.all(|c, skip, list| c.waits_for(name, skip, list));
        let waits_for = waits_for.map(|handles| self.numbers(handles));
        Some((
            overlaid.map(PeCount::of).map_err(error),
            waits_for.map_err(error),
        ))
    }

    pub(crate) fn covering(&mut self, window: Window) -> Vec<c::Handle> {
        let covering = self
            .c
            .all(|c, skip, list| c.covering(window.c(), skip, list));
        covering.expect("any window will do")
    }

    fn shadow(&mut self) -> Option<Slot> {
        unless(self.c.shadow(), Code::NoShadow).map(Slot::of)
    }

    /// What the checkers say.
    fn check(&mut self) -> Result<(), Violation> {
        let verdict = self.c.check().and_then(|()| self.c.queue_check());
        verdict.map_err(|code| {
            let mut violations = Violation::ALL.iter();
            let known = violations.find(|violation| u32::from(violation.code()) == code);
            *known.expect("a violation")
        })
    }

    fn known(&mut self, name: c::Handle) -> Known {
        Known {
            reservation: self.get(name).map_err(error),
            frozen: self.c.is_frozen(name).map_err(error),
            pes: self.pes_of(name).map_err(error),
            layer: self.layer(name),
        }
    }

    fn state(&mut self) -> State {
        let status = self.c.status().expect("it is a book");
        let handles = self
            .c
            .all(|c, skip, list| c.reservations(skip, list))
            .expect("it is a book");
        let known: Vec<_> = handles.iter().map(|name| self.known(*name)).collect();
        let listed = |(name, known): (&c::Handle, &Known)| {
            let reservation = known.reservation.expect("it is listed");
            (self.names.number(Handle::of(*name)), reservation)
        };
        let by_start: Vec<_> = handles.iter().zip(&known).map(listed).collect();
        let now = Slot::of(status.now);
        let starting = |slot: Slot| {
            let starting = self
                .c
                .all(|c, skip, list| c.starting_at(slot.c(), skip, list));
            (slot, self.numbers(starting.expect("any slot will do")))
        };
        let starting = starts(&by_start, now).into_iter().map(starting).collect();
        let records = self
            .c
            .all(|c, skip, list| c.records(skip, list))
            .expect("it is a book");
        let jobs = self
            .c
            .all(|c, skip, list| c.jobs(skip, list))
            .expect("it is a queue");
        let planned = self.c.all(|c, skip, list| c.starts(skip, list));
        let planned = planned.expect("it is a queue");
        let waits = self.c.queue_status().map(|status| status.jobs as usize);
        assert_eq!(waits, Ok(jobs.len()));
        let job = |waiting: c::WaitingJob| {
            let ticket = Option::of(waiting.ticket);
            (ticket.expect("no job has ticket 0"), InC::of(waiting.job))
        };
        let planned_start = |planned: c::PlannedStart| {
            let ticket = Option::of(planned.ticket);
            let ticket = ticket.expect("no job has ticket 0");
            (ticket, Slot::of(planned.start))
        };
        State {
            invariants: self.check(),
            now,
            length: status.reservations as usize,
            next_event: unless(self.c.next_event(), Code::NothingDue).map(Slot::of),
            records: records.into_iter().map(InC::of).collect(),
            by_start,
            known,
            starting,
            waiting: jobs.into_iter().map(job).collect(),
            planned: planned.into_iter().map(planned_start).collect(),
            shadow: self.shadow(),
            next_queue_event: unless(self.c.queue_next_event(), Code::NothingDue).map(Slot::of),
            version: Version {
                revision: status.version,
                incarnation: status.incarnation,
            },
        }
    }
}
