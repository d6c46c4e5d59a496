//! Several reservations at once, and what is asked about them, on both sides.

use bookahead::{Commitment, Part, PeCount, Request, Series, Slot, Span, Window};

use super::{Harness, policy};
use crate::difference::{same, sound};
use crate::{Ask, Difference, LONG_HANDLES, LONG_LOG, Number, Obstruction, Pick, Share, Subject};

/// How many entries an undo log and how many elements a list has.
type Limits = (usize, usize);

fn limited((log, room): Limits) -> Limits {
    (log.min(LONG_LOG), long(room))
}

/// Short lists have the length asked for; a long one holds whatever can come.
fn long(room: usize) -> usize {
    if room < 8 { room } else { LONG_HANDLES }
}

impl<S: Subject> Harness<S> {
    pub(super) fn series(
        &mut self,
        ask: Ask,
        commitment: Commitment,
        period: u8,
        (count, without): (u8, [u8; 2]),
        limits: Limits,
    ) -> Result<(), Difference> {
        let (log, room) = limited(limits);
        let exceptions = without.map(u32::from);
        let series = Series {
            first: self.request(ask),
            period: Span::new(period.into()),
            count: u32::from(count % 16),
            exceptions: &exceptions,
        };
        let policy = policy(ask.policy);
        let before = self.subject.clone();
        let (reserved, conflict) = self
            .subject
            .reserve_series(&series, policy, commitment, log, room);
        let (expected, in_the_way) = self
            .oracle
            .reserve_series(&series, policy, commitment, log, room);
        let length = |list: &Vec<_>| list.len();
        same(
            "series",
            &reserved.as_ref().map(length),
            &expected.as_ref().map(|list| list.len()),
        )?;
        self.same_conflict("in the way of the series", &conflict, &in_the_way)?;
        match (reserved, expected) {
            (Ok(handles), Ok(numbers)) => {
                self.tally
                    .note("series", if numbers.len() > 1 { "several" } else { "one" });
                self.accepted_all(&numbers, &handles)
            }
            (Err(reason), _) | (_, Err(reason)) => self.declined(&before, reason),
        }
    }

    pub(super) fn together(
        &mut self,
        window: Window,
        shares: &[Share],
        commitment: Commitment,
        limits: Limits,
    ) -> Result<(), Difference> {
        let (log, room) = limited(limits);
        let part = |share: &Share| Part {
            offset: Span::new(share.offset.into()),
            duration: Span::new(share.duration.into()),
            pes: PeCount::new(share.pes),
        };
        let parts: Vec<Part> = shares.iter().map(part).collect();
        let before = self.subject.clone();
        let (reserved, conflict) = self
            .subject
            .reserve_together(window, &parts, commitment, log, room);
        let (expected, in_the_way) = self
            .oracle
            .reserve_together(window, &parts, commitment, log, room);
        same(
            "common start",
            &reserved.as_ref().map(|(start, list)| (*start, list.len())),
            &expected.as_ref().map(|(start, list)| (*start, list.len())),
        )?;
        self.same_conflict("in the way of the parts", &conflict, &in_the_way)?;
        match (reserved, expected) {
            (Ok((start, handles)), Ok((_, numbers))) => {
                let later = if start > window.start {
                    "later"
                } else {
                    "at once"
                };
                self.tally.note("together", later);
                self.accepted_all(&numbers, &handles)
            }
            (Err(reason), _) | (_, Err(reason)) => self.declined(&before, reason),
        }
    }

    fn accepted_all(
        &mut self,
        numbers: &[Number],
        handles: &[S::Handle],
    ) -> Result<(), Difference> {
        for (number, handle) in numbers.iter().zip(handles) {
            self.accepted(*number, *handle)?;
        }
        Ok(())
    }

    pub(super) fn cancel_all(&mut self, picks: &[Pick]) -> Result<(), Difference> {
        let picked: Vec<_> = picks.iter().filter_map(|pick| self.picked(*pick)).collect();
        let (numbers, handles): (Vec<_>, Vec<_>) = picked.into_iter().unzip();
        let before = self.subject.clone();
        let cancelled = self.subject.cancel_all(&handles);
        let expected = self.oracle.cancel_all(&numbers);
        same("how many are cancelled", &cancelled, &expected)?;
        match expected {
            Ok(0) => sound("cancelling nothing changes nothing", self.subject == before),
            Ok(cancelled) => {
                self.tally
                    .note("cancel all", if cancelled > 1 { "several" } else { "one" });
                let ended = |number: &Number| self.oracle.get(*number).is_err();
                let ended: Vec<Number> = self.live.keys().copied().filter(ended).collect();
                ended.into_iter().for_each(|number| self.end(number));
                Ok(())
            }
            Err(reason) => self.declined(&before, reason),
        }
    }

    pub(super) fn explain(&mut self, request: &Request, room: usize) -> Result<(), Difference> {
        let room = long(room);
        let before = self.subject.clone();
        let answer = self.subject.explain(request, room);
        sound("explaining changes nothing", self.subject == before)?;
        let expected = self.oracle.explain(request, room);
        same(
            "explanation",
            &answer.as_ref().map(|(explanation, _)| explanation),
            &expected.as_ref().map(|(explanation, _)| explanation),
        )?;
        let (obstacles, expected) = match (answer, expected) {
            (Ok((_, obstacles)), Ok((explanation, expected))) => {
                let (earlier, later) = (explanation.earlier.is_some(), explanation.later.is_some());
                self.tally
                    .note("explain", if earlier { "earlier" } else { "none earlier" });
                self.tally
                    .note("explain", if later { "later" } else { "none later" });
                (obstacles, expected)
            }
            (Err(reason), _) | (_, Err(reason)) => {
                self.tally.decline(reason);
                return Ok(());
            }
        };
        same("how many obstacles", &obstacles.len(), &expected.len())?;
        for (obstacle, expected) in obstacles.iter().zip(&expected) {
            let plain = |start: Slot, lacking: PeCount, at: Slot| (start, lacking, at);
            let Obstruction {
                start, lacking, at, ..
            } = *expected;
            same(
                "obstacle",
                &plain(obstacle.start, obstacle.lacking, obstacle.at),
                &plain(start, lacking, at),
            )?;
            self.same_conflict("who holds it", &obstacle.holders, &expected.holders)?;
        }
        Ok(())
    }

    pub(super) fn covering(&mut self, window: Window) -> Result<(), Difference> {
        let covering = self.subject.covering(window);
        let numbered: Vec<_> = covering.iter().map(|handle| self.number(*handle)).collect();
        let expected: Vec<_> = self.oracle.covering(window).into_iter().map(Some).collect();
        if !expected.is_empty() {
            self.tally.note("covering", "");
        }
        same("who covers the window", &numbered, &expected)
    }
}
