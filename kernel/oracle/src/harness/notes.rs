//! What commands came to: what is promised from then on, and what a test may want to have met.

use bookahead::{Alteration, State, Window};
use bookahead_commands::{Command, Ending, InTheWay, Mould, Moved, Number, Outcome, Reply};

use super::Harness;
use crate::Difference;

impl Harness {
    /// Takes in what both sides have answered; `state` is that of the reservation concerned before.
    pub(super) fn take_in(
        &mut self,
        command: &Command,
        reply: &Reply,
        state: &'static str,
    ) -> Result<(), Difference> {
        self.note_conflict(command, reply);
        self.count(command, reply);
        if let (Command::Transact(transact), Reply::Transacted(outcome)) = (command, reply) {
            for (call, (answer, _)) in transact.calls.iter().zip(&outcome.answers) {
                self.note_answer(call, answer, "");
            }
        }
        match reply {
            Reply::Placed(place) => {
                if let Command::Alter(number, alteration, _) = command {
                    self.note_alteration(alteration, state);
                    self.promises.insert(*number, place.window());
                }
            }
            Reply::Made(_) => {
                if let Command::Split(number, ..) = command {
                    self.tally.note("split", state);
                    let first = self.twin.oracle.get(*number).expect("it lives");
                    self.promises.insert(*number, first.window);
                }
            }
            Reply::Done => {
                if let Command::Bind(number, _) = command {
                    self.tally.note("bind", state);
                    self.nodes.remove(number);
                }
            }
            Reply::Pulled(_, _, moves) => {
                for moved in moves {
                    self.tally.note("pulled", "forward");
                    let to = moved.to.expect("nobody leaves");
                    self.promise(moved.whose, to.window());
                }
                return self.pass(command, reply);
            }
            Reply::Passed(..) | Reply::Next(Some(_)) => return self.pass(command, reply),
            // What is asked for any PEs is taken in by the files for juggling, shifting and transactions.
            Reply::Transacted(Outcome {
                answers,
                end: Ok(_),
            }) => {
                if let (Command::Transact(all), Some((_, sight))) = (command, answers.last())
                    && all.ending == Ending::Commit
                {
                    self.committed(&sight.moves);
                }
            }
            // At once it does not say whom it has moved.
            Reply::Juggled(juggled) => {
                let in_space = |to: &Moved| to.from.is_some() && to.from == to.to;
                if juggled.moves.iter().any(in_space) {
                    self.tally.note("make room", "in space");
                }
                let live = self.situation.live.iter();
                for number in live.map(|(number, _)| *number).collect::<Vec<_>>() {
                    if let Ok(known) = self.twin.oracle.get(number) {
                        self.promise(number, known.window);
                    }
                }
            }
            _ => {}
        }
        self.admit();
        self.dismiss();
        Ok(())
    }

    /// Notes what is promised to those that were accepted since the last command.
    pub(super) fn admit(&mut self) {
        for number in self.situation.next..self.twin.oracle.accepted() {
            // What was made and removed in one transaction has ended by now.
            if let Ok(known) = self.twin.oracle.get(number) {
                self.promises.insert(number, known.window);
                self.tally.accepted += u64::from(known.ticket.is_none());
            }
        }
    }

    /// Forgets those that have ended since the last command; who they are.
    pub(super) fn dismiss(&mut self) -> Vec<Number> {
        let oracle = &self.twin.oracle;
        let lived = self.situation.live.iter().map(|(number, _)| *number);
        let made = self.situation.next..oracle.accepted();
        let ended: Vec<Number> = lived
            .chain(made)
            .filter(|number| oracle.get(*number).is_err())
            .collect();
        for number in &ended {
            self.nodes.remove(number);
            self.promises.remove(number);
        }
        ended
    }

    /// The state of a reservation, as the tally names it.
    pub(super) fn state_of(&self, number: Number) -> &'static str {
        match self.twin.oracle.get(number).map(|known| known.state) {
            Ok(State::Running) if self.twin.oracle.is_ending(number) => "ending",
            Ok(state) => state.name(),
            Err(_) => "ended",
        }
    }

    fn note_alteration(&mut self, alteration: &Alteration, state: &'static str) {
        let what = alteration.name();
        self.tally.note(what, state);
        if self.twin.oracle.version() == self.situation.version {
            self.tally.note(what, "unchanged");
        }
    }

    /// Notes that somebody was in the way.
    fn note_conflict(&mut self, command: &Command, reply: &Reply) {
        let what = match command {
            Command::Alter(..) => "in the way of the alteration",
            Command::Series(_) => "in the way of the series",
            Command::Together(_) => "in the way of the parts",
            _ => return,
        };
        if let Reply::Refused(_, conflict) = reply {
            self.note_names(what, conflict);
        }
    }

    fn note_names(&mut self, what: &'static str, conflict: &InTheWay) {
        if !conflict.names.is_empty() {
            self.tally
                .note(what, if conflict.more > 0 { "more" } else { "" });
        }
    }

    /// Counts what was answered.
    fn count(&mut self, command: &Command, reply: &Reply) {
        let tally = &mut self.tally;
        match reply {
            Reply::Moulded(rigid, ..) => {
                if let Command::PlanMouldable(mould) = command {
                    let which = which_form(mould, (rigid.pes, rigid.duration));
                    tally.note(mould.choice.name(), which);
                }
            }
            Reply::Made(_) if matches!(command, Command::Commit(_)) => {
                let planned = self.situation.planned_at;
                let later = planned.is_some_and(|slot| slot < self.twin.oracle.now());
                tally.note("plan", if later { "later" } else { "at once" });
            }
            Reply::Booked(..) => {
                if let Command::Accept(offer, take, _) = command {
                    tally.taken += 1;
                    tally.reduced += u64::from(*take != offer.whole());
                }
            }
            Reply::Offered(offered, offers) => {
                let solutions = u64::from(offered.solution);
                tally.solutions += solutions;
                tally.alternatives += (offers.len() as u64).saturating_sub(solutions);
                tally.more += u64::from(offered.more);
            }
            Reply::Several(start, numbers) => match command {
                Command::Together(all) => {
                    let later = *start > Some(all.window.start);
                    tally.note("together", if later { "later" } else { "at once" });
                }
                _ => tally.note("series", if numbers.len() > 1 { "several" } else { "one" }),
            },
            Reply::Cancelled(number @ 1..) => {
                tally.note("cancel all", if *number > 1 { "several" } else { "one" });
            }
            Reply::Explained(explanation, obstacles) => {
                for (found, there, not_there) in [
                    (explanation.earlier, "earlier", "none earlier"),
                    (explanation.later, "later", "none later"),
                ] {
                    tally.note("explain", if found.is_some() { there } else { not_there });
                }
                for obstacle in obstacles {
                    self.note_names("who holds it", &obstacle.holders);
                }
            }
            Reply::Named(numbers) if !numbers.is_empty() => tally.note("covering", ""),
            Reply::Overlaid((_, _, overlaid, _)) => {
                let plain = overlaid.get() == 0;
                tally.note("overlay", if plain { "plain" } else { "overlaid" });
            }
            Reply::Waits(_) => {
                tally.submitted += u64::from(matches!(command, Command::Submit(_)));
            }
            Reply::Done => tally.withdrawn += u64::from(matches!(command, Command::Withdraw(_))),
            _ => {}
        }
    }

    /// Takes in where a transaction, or others moved in one, have put a reservation.
    pub(super) fn promise(&mut self, number: Number, window: Window) {
        self.promises.insert(number, window);
    }
}

/// Whether the form that was chosen is the first in the table.
fn which_form(mould: &Mould, chosen: (bookahead::PeCount, bookahead::Span)) -> &'static str {
    let nth = mould
        .forms
        .iter()
        .position(|form| (form.pes, form.duration) == chosen);
    if nth == Some(0) { "first" } else { "another" }
}
