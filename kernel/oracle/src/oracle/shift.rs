//! Shifting, step by step on a copy of the book.

use bookahead::{
    Commitment, Direction, Error, Insertion, Placement, Policy, Refusal, Request, Shifting, Slot,
    Span, Window,
};

use super::Oracle;
use super::attempt::Attempt;
use crate::Free;
use bookahead_commands::{ClassNumber, JuggleEnd, Juggled, Kind, Number};

/// A run, the PEs that it takes, and their class.
type Run = (Window, u32, ClassNumber);

/// What the slides of one insertion have come to.
struct Slides<'r> {
    rules: &'r Shifting,
    made: u32,
    limited: bool,
}

impl Oracle {
    /// Reserves for a newcomer, and slides others aside for it. The work is not limited.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    ///
    /// # Panics
    ///
    /// For the exact searches, which are beyond the oracle.
    pub fn shift_in(
        &mut self,
        (request, terms): (&Request, Commitment),
        rules: &Shifting,
        log: usize,
        end: JuggleEnd,
    ) -> Result<Juggled, Error> {
        let no_room = Err(Refusal::NoRoom.into());
        if end == JuggleEnd::AtOnce {
            let plain = self.book(request, Policy::FirstFit, terms);
            if plain != no_room {
                let made = Some(plain?);
                let moves = Vec::new();
                return Ok(Juggled { made, moves });
            }
        }
        let mut attempt = self.attempt(log, u64::MAX);
        let mut made = no_room;
        if end != JuggleEnd::AtOnce {
            attempt.note();
            made = attempt.insert_first_fit(request, terms);
        }
        if made == no_room {
            let start = attempt.slide_for(request, rules)?;
            let number = attempt.insert(request, start, terms)?;
            made = Ok((number, start));
        }
        let made = Some(made?);
        let moves = match end {
            JuggleEnd::AtOnce => Vec::new(),
            JuggleEnd::Commit | JuggleEnd::Plan => attempt.moves(),
        };
        if end != JuggleEnd::Plan {
            self.commit_attempt(attempt)?;
        }
        Ok(Juggled { made, moves })
    }
}

impl Attempt {
    fn slide_for(&mut self, request: &Request, rules: &Shifting) -> Result<Slot, Error> {
        let Insertion::Slides { depth } = rules.insertion else {
            panic!("only slides are twins");
        };
        let latest = request.latest_start().expect("it was found to fit");
        let starts = (request.ready.get()..=latest.get()).collect::<Vec<_>>();
        let mut slides = Slides {
            rules,
            made: 0,
            limited: false,
        };
        let run = (request.duration, request.pes.get(), self.book().asked);
        let found = self.make_room(&starts, run, &[], depth, &mut slides)?;
        let limited = if slides.limited {
            Refusal::MoveLimit
        } else {
            Refusal::NoRoom
        };
        Ok(found.ok_or(limited)?)
    }

    /// The first of `starts` at which there is room after some slides, beside the runs `above` for which room is made.
    fn make_room(
        &mut self,
        starts: &[u64],
        (duration, pes, class): (Span, u32, ClassNumber),
        above: &[Run],
        depth: u8,
        slides: &mut Slides<'_>,
    ) -> Result<Option<Slot>, Error> {
        let mut passed: Option<u64> = None;
        for &start in starts {
            let window = Window::starting(Slot::new(start), duration).expect("it is in the ring");
            // A start that leaves it in the slot that could not be cleared is no use.
            if passed.is_some_and(|slot| window.contains(Slot::new(slot))) {
                continue;
            }
            let runs = [above, &[(window, pes, class)]].concat();
            passed = self.clear(&runs, depth, slides)?;
            if passed.is_none() {
                return Ok(Some(window.start));
            }
        }
        Ok(None)
    }

    /// Makes room for the last of `runs`; or says in which slot that fails, and changes nothing.
    fn clear(
        &mut self,
        runs: &[Run],
        depth: u8,
        slides: &mut Slides<'_>,
    ) -> Result<Option<u64>, Error> {
        let first = self.first_short(runs);
        if first.is_none() || depth == 0 {
            return Ok(first);
        }
        let (before, made) = (self.note(), slides.made);
        while let Some(short) = self.first_short(runs) {
            if !self.relieve(runs, short, depth, slides)? {
                self.return_to(&before);
                slides.made = made;
                return Ok(Some(short));
            }
        }
        Ok(None)
    }

    /// The first slot of the last run in which too few PEs are free, for it or for all of the runs together.
    fn first_short(&self, runs: &[Run]) -> Option<u64> {
        let (window, pes, class) = *runs.last().expect("there is one");
        let (all, own) = (self.book().for_class(0), self.book().for_class(class));
        let mut so_far: Option<Free> = None;
        (window.start.get()..window.end.get()).find(|&slot| {
            let there = runs.iter().filter(|run| run.0.contains(Slot::new(slot)));
            let wanted: u32 = there.map(|run| run.1).sum();
            let here = own.free_at(slot);
            let throughout = match so_far.take() {
                Some(before) => before.and(&here),
                None => here,
            };
            let is_short =
                all.free_at(slot).count() < wanted || !own.serves(class, &throughout, pes);
            so_far = Some(throughout);
            is_short
        })
    }

    /// Slides one reservation out of a slot, if one can.
    fn relieve(
        &mut self,
        runs: &[Run],
        short: u64,
        depth: u8,
        slides: &mut Slides<'_>,
    ) -> Result<bool, Error> {
        let book = self.book();
        let begin = runs.last().expect("there is one").0.start;
        let counts = book.kind().binding() == Kind::Counts;
        let window = Window {
            start: if counts { Slot::new(short) } else { begin },
            end: Slot::new(short + 1),
        };
        let mut there: Vec<(u32, Number)> = book
            .covering(window)
            .into_iter()
            .filter(|number| book.is_movable(book.find(*number).expect("it lives")))
            .map(|number| (book.placement(number).expect("it lives").pes.get(), number))
            .collect();
        there.sort_unstable();
        let slot = Window {
            start: Slot::new(short),
            end: Slot::new(short + 1),
        };
        let sides: &[bool] = match slides.rules.direction {
            Direction::Right => &[true],
            Direction::Both => &[true, false],
        };
        // Not if all that can slide out of it left too few.
        let could_leave: u32 = there
            .iter()
            .filter(|(_, number)| book.covering(slot).contains(number))
            .filter(|(_, number)| {
                let starts = |right| self.starts((*number, right), short, slides.rules);
                sides.iter().any(|right| !starts(*right).is_empty())
            })
            .map(|(pes, _)| *pes)
            .sum();
        let there_already = runs.iter().filter(|run| run.0.contains(slot.start));
        let wanted: u32 = there_already.map(|run| run.1).sum();
        let all = book.for_class(0);
        let free = all.free_during(slot).expect("it is in the ring").get();
        if free + could_leave < wanted {
            return Ok(false);
        }
        for depth in 0..depth {
            for (_, number) in there.iter().rev() {
                for right in sides {
                    let row = (*number, *right);
                    if self.slide(row, runs, short, depth, slides)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Slides a reservation out of a slot; or changes nothing.
    fn slide(
        &mut self,
        (number, right): (Number, bool),
        runs: &[Run],
        short: u64,
        depth: u8,
        slides: &mut Slides<'_>,
    ) -> Result<bool, Error> {
        let placed = self.book().placement(number)?;
        let starts = self.starts((number, right), short, slides.rules);
        if starts.is_empty() {
            return Ok(false);
        }
        if slides.made >= slides.rules.max_moves {
            slides.limited = true;
            return Ok(false);
        }
        let (before, made) = (self.note(), slides.made);
        let slid = self.slide_to((number, &placed), &starts, runs, (short, depth), slides);
        if slid == Ok(true) {
            return slid;
        }
        self.return_to(&before);
        slides.made = made;
        if slid == Err(Refusal::MoveLimit.into()) {
            slides.limited = true;
            return Ok(false);
        }
        slid
    }

    /// The starts outside a slot to which a reservation may slide, the nearest first.
    fn starts(&self, (number, right): (Number, bool), short: u64, rules: &Shifting) -> Vec<u64> {
        let book = self.book();
        let placed = book.placement(number).expect("it lives");
        let request = book.get(number).expect("it lives").request;
        let earliest = request.ready.max(book.now()).max(rules.earliest);
        let duration = u64::from(placed.duration.get());
        let mut starts: Vec<u64> = (earliest.get()..=request.deadline.get() - duration)
            .filter(|start| {
                if right {
                    *start > short
                } else {
                    start + duration <= short && *start < placed.start.get()
                }
            })
            .collect();
        if !right {
            starts.reverse();
        }
        starts
    }

    fn slide_to(
        &mut self,
        (number, placed): (Number, &Placement),
        starts: &[u64],
        runs: &[Run],
        (short, depth): (u64, u8),
        slides: &mut Slides<'_>,
    ) -> Result<bool, Error> {
        let until_short = Window {
            start: runs.last().expect("there is one").0.start,
            end: Slot::new(short + 1),
        };
        let class = runs.last().expect("there is one").2;
        let free = self.book().for_class(class).free_during(until_short);
        slides.made += 1;
        self.lift(number)?;
        let own = self.book().find(number)?.class;
        let run = (placed.duration, placed.pes.get(), own);
        let Some(start) = self.make_room(starts, run, runs, depth, slides)? else {
            return Ok(false);
        };
        self.place(number, Placement { start, ..*placed })?;
        let counts = self.book().kind().binding() == Kind::Counts;
        Ok(counts || self.book().for_class(class).free_during(until_short) > free)
    }
}
