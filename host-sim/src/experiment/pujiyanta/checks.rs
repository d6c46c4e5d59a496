//! Claims 5.01 to 5.09 and 5.28 to 5.30: worked examples, failed insertions, the mapping to actual nodes, and what f means.

use bookahead::{CountBook, PeCount, Request, Shifting, Slot, Span};
use bookahead_oracle::papers::pujiyanta::{
    example::{
        FIGURE_4, NODES as FIVE, NODES_2A, Row as User, SECTION_2A, SLOTS as FIGURE, TABLE_3,
        USER_9, USER_13, booked, component, literally, request, shift_in, starts, times,
    },
    literal::VirtualNodes,
    mapping::{
        NEXT, NOW, actual, common, complete, difference, inverse, nobody_moves, partial_identity,
        times as product,
    },
};

use super::{
    Pujiyanta,
    measures::busy,
    points::{NODES, Point, RATES, SHARES, SLOT, TABLE_4, point},
    systems::{BASELINES, LRH, NAMES, WITHOUT, assumptions},
    views::Views,
};
use crate::experiment::{Claim, Count, Finding, Kind, Row, claim, refused};
use crate::{
    engine::{Outcome, Story},
    error::Result,
    statistics::Verdict,
};

const EXACTLY: &str = "each answer is just what the paper prints; one difference fails";
const KERNEL: &str =
    "the kernel and the algorithms by the letter answer just this; one difference fails";

const NO_WHOLE_TRANSCRIPT: &str =
    "The values of the figure are lost; here they follow from the algorithm by the letter.";

/// The claims.
pub(super) fn claims(paper: &Pujiyanta, views: &Views) -> Result<Vec<Claim>> {
    let runs = runs(paper)?;
    let looks = paper.looks()?.iter().flat_map(|look| &look.found);
    let failed: Count = looks.map(|found| &found.failed).sum();
    let direct = runs.direct.found("jobs are not").with(columns(views));
    Ok(vec![
        claim("5.01", Kind::Worked, "Tables I and II: with S(t) = [3 7 4 5 8] and S(t+1) = [8 - 7 6 4] jobs 3 and 5 end, 6 is new, 8, 7 and 4 run on; Y is the matrix printed, and S(t+1) Y = [- 7 4 6 8].", "[3 5], [6], [8 7 4], Y, [- 7 4 6 8]",
            tables().by_rule(EXACTLY)),
        claim("5.02", Kind::Worked, "The partial identity has ones at nodes 2, 3 and 5: jobs 7, 4 and 8 stay on their nodes.", "7 on N2; 4 on N3; 8 on N5",
            identity().by_rule(EXACTLY)),
        claim("5.03", Kind::Worked, "Table II: 3 on N1 at t, 4 on N3 from t to t+1, 5 on N4 at t, 6 on N4 at t+1, 7 on N2 and 8 on N5 from t to t+1.", "[3 7 4 5 8]; [- 7 4 6 8]",
            table_2().by_rule(EXACTLY)),
        claim("5.04", Kind::Worked, "Table III and figure 4: on five nodes the twelve reservations are all allocated, in slots 2 to 12; user 6 has node v2 in slot 5 and v1 in slot 6.", "12 of 12; v2, v1",
            table_3()?.by_rule(KERNEL))
            .remark(NO_WHOLE_TRANSCRIPT),
        claim("5.05", Kind::Worked, "Figures 5 and 6: a rigid reservation for user 13 is rejected, FCFS-LRH accepts it.", "rejected, accepted",
            user_13()?.by_rule(KERNEL))
            .remark("The paper contradicts itself: user 13 orders \"timeslot 8 to 13\", yet has t_lsr = 13, which ends with slot 15."),
        claim("5.06", Kind::Worked, "Figures 2 and 3: when user 1 has cancelled and user 9 asks for slots 13 to 15, user 2 is shifted to the left and user 9 fits; to the right alone it does not.", "left: accepted, right: rejected",
            section_2a()?.by_rule(KERNEL))
            .remark("The other rows of the figures are lost; those here leave one way only. The text says that user 3 is given the space, and means user 9, whose 10 minutes from 13 to 15 are three slots of 5 minutes if both ends count; here they are two."),
        claim("5.07", Kind::Definition, "Figure 1: t_lsr = t_esl - t_e, the notification interval is t_lsr - t_esr, t_r1 + t_r2 = t_esl - t_esr - t_e, f = t_f / t_e >= 1; with f = 1 and t_esr = now scheduling is immediate.", "formulas",
            formulas()?.by_rule("the formulas at every start of user 2 of section II.A, and a job that takes all nodes with f = 1 and t_esr = now starts at once, a second one is rejected; one difference fails"))
            .remark("The paper contradicts itself: t_n is t_lsr in figure 1 and the difference of t_lsr and t_esr in the text. That t_f is at most 12 and f at least 1 bounds t_e by 12."),
        claim("5.08", Kind::Definition, "Algorithms I to V: if no place is found, all jobs return to where they were.", "unchanged",
            failed.found("failures change something").by_rule("in streams at every point, whenever no place is found by EDS or LRH, by slides of depth 1 or 2 or by an exact search, all reservations are where they were; one difference fails"))
            .remark("As printed, slides for one start are taken back only when all starts have failed, so those for a start that failed stay if a later one succeeds. The kernel takes them back before it tries the next."),
        claim("5.09", Kind::Definition, "Every allocation of virtual nodes is mapped to actual nodes, and no running job changes its node (section II.E).", "all mapped",
            runs.mapped.found("slots are not mapped").by_rule("the final starts of runs with FCFS-LRH, planned on virtual nodes: by the paper's permutations the same jobs are on the actual nodes of each slot, and nobody changes nodes; one exception fails"))
            .remark("Which nodes new jobs get is open: here that of the same number, else the lowest free. The kernel takes the lowest free nodes at the start."),
        claim("5.28", Kind::Number, "There are 30 nodes, and no job takes more than all of them (JumCN <= MaxCN).", "30 nodes at most",
            runs.within.found("slots and requests take more").by_rule("no request of these runs takes more than 30 nodes, and no slot has more busy, with any system; one exception fails")),
        claim("5.29", Kind::Worked, "Figure 4: the whole virtual view of table III, the lowest free node in each slot.", "1 2 3 4 4; ... ; 12 12 - - -",
            figure_4().by_rule(EXACTLY))
            .remark(NO_WHOLE_TRANSCRIPT),
        claim("5.30", Kind::Definition, "Figure 1: with f = infinity a job is not in reservation mode, with f = 1 and t_esr = now it is scheduled directly.", "all queued jobs run; all direct ones start at once",
            direct.by_rule("in these runs every job of the queue runs in the end, and every accepted reservation with f = 1 and t_esr = now starts in the slot of its request; one exception fails"))
            .remark("The paper does not define \"without reservation\". The evidence has the columns of both meanings of f beside table IV: a queue (f = infinity), first come, first served, or with backfilling, and rigid reservations (f = 1)."),
    ])
}

fn all(answers: impl Into<Vec<Row>>) -> Finding {
    let answers = answers.into();
    let right = answers
        .iter()
        .filter(|row| row.verdict == Some(Verdict::Holds));
    let measured = format!("{} of {} answers as printed", right.count(), answers.len());
    Finding::all_of(measured, answers)
}

/// Users or starts with spaces between them; `-` for nobody.
fn list<T: ToString + Default + PartialEq>(values: &[T]) -> String {
    let text = |value: &T| match *value == T::default() {
        true => "-".to_owned(),
        false => value.to_string(),
    };
    values.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn ones(matrix: &[Vec<u8>]) -> String {
    let places = matrix.iter().enumerate().flat_map(|(i, row)| {
        let ones = row.iter().enumerate().filter(|(_, one)| **one == 1);
        ones.map(move |(j, _)| format!("({},{})", i + 1, j + 1))
    });
    places.collect::<Vec<_>>().join(" ")
}

fn tables() -> Finding {
    let y = complete(inverse(&NOW, &NEXT), &NEXT);
    all([
        Row::exact("ending", "3 5", list(&difference(&NOW, &NEXT))),
        Row::exact("new", "6", list(&difference(&NEXT, &NOW))),
        Row::exact("common", "8 7 4", list(&common(&NOW, &NEXT))),
        Row::exact("ones of Y", "(1,5) (3,2) (4,4) (5,3)", ones(&y)),
        Row::exact("S(t+1) Y", "- 7 4 6 8", list(&product(&NEXT, &y))),
    ])
}

fn identity() -> Finding {
    let identity = partial_identity(&inverse(&NOW, &NEXT));
    all([
        Row::exact(
            "ones of the partial identity",
            "(2,2) (3,3) (5,5)",
            ones(&identity),
        ),
        Row::exact("who stays", "- 7 4 - 8", list(&product(&NOW, &identity))),
    ])
}

fn table_2() -> Finding {
    let mapped = actual(&[NOW.to_vec(), NEXT.to_vec()]);
    let slot = |slot: usize| list(&mapped[slot]);
    all([
        Row::exact("t", "3 7 4 5 8", slot(0)),
        Row::exact("t+1", "- 7 4 6 8", slot(1)),
    ])
}

/// A book for worked examples.
fn book(nodes: u16) -> Result<CountBook<1, 5, 16>> {
    CountBook::new(PeCount::new(nodes.into()), Span::new(32)).map_err(refused)
}

fn answer(booking: std::result::Result<bookahead::Booking, bookahead::Error>) -> String {
    match booking {
        Ok(booking) => format!("starts at {}", booking.start.get()),
        Err(reason) => reason.name().to_owned(),
    }
}

fn table_3() -> Result<Finding> {
    let mut memory = book(FIVE)?;
    let mut book = memory.view();
    let users = booked(&mut book, &TABLE_3, &Shifting::LRH);
    let plan = literally(FIVE, &TABLE_3);
    let by_letter: Vec<usize> = plan.planned().iter().map(|job| job.start).collect();
    let busy = FIGURE.map(|slot| u32::from(FIVE) - plan.free(slot as usize));
    let at = "2 2 2 2 4 5 5 6 7 8 8 10";
    Ok(all([
        Row::exact("starts, kernel", at, list(&starts(&book, &users))),
        Row::exact("starts by the letter", at, list(&by_letter)),
        Row::exact(
            "busy nodes",
            "5 5 5 5 5 4 5 5 3 3 2",
            list(&busy.collect::<Vec<_>>()),
        ),
        Row::exact(
            "v2 in slot 5, v1 in slot 6",
            "6 6",
            list(&[plan.view(5)[2], plan.view(6)[1]]),
        ),
    ]))
}

fn user_13() -> Result<Finding> {
    let mut memory = book(FIVE)?;
    let mut book = memory.view();
    let users = booked(&mut book, &TABLE_3, &Shifting::LRH);
    let before = starts(&book, &users);
    let (user, earliest, _, duration, nodes) = USER_13;
    let rigid = (user, earliest, earliest, duration, nodes);
    let mut shift = |row: User| answer(shift_in(&mut book, &request(row), &Shifting::LRH));
    let (rejected, accepted) = (shift(rigid), shift(USER_13));
    let mut plan = literally(FIVE, &TABLE_3);
    let by_letter = [rigid, USER_13].map(|row| plan.search_slot_free(&component(row), true));
    Ok(all([
        Row::exact("rigid", "no-room", rejected),
        Row::exact("FCFS-LRH", "starts at 10", accepted),
        Row::exact("the others", list(&before), list(&starts(&book, &users))),
        Row::exact("by the letter", "[false, true]", format!("{by_letter:?}")),
    ]))
}

fn section_2a() -> Result<Finding> {
    let mut memory = book(NODES_2A)?;
    let mut book = memory.view();
    let users = booked(&mut book, &SECTION_2A, &Shifting::LRH);
    let cancelled = users.first().map(|(_, handle)| book.cancel(*handle));
    cancelled.transpose().map_err(refused)?;
    let mut shift = |rules| answer(shift_in(&mut book, &request(USER_9), &rules));
    let (right, both) = (shift(Shifting::EDS), shift(Shifting::LRH));
    Ok(all([
        Row::exact("FCFS-EDS", "no-room", right),
        Row::exact("FCFS-LRH", "starts at 13", both),
        Row::exact("user 2, from 11", "10", list(&starts(&book, &users[3..4]))),
    ]))
}

fn formulas() -> Result<Finding> {
    let two = request(SECTION_2A[3]);
    let mut answers = Vec::new();
    for (start, printed) in [
        (10, "12 13 2 0+2 5 1666"),
        (11, "12 13 2 1+1 5 1666"),
        (12, "12 13 2 2+0 5 1666"),
    ] {
        let seen = times(&two, Slot::new(start)).map_or_else(String::new, |times| {
            format!(
                "{} {} {} {}+{} {} {}",
                times.latest,
                times.earliest_end,
                times.notification,
                times.left,
                times.right,
                times.flexibility,
                times.level_per_mille
            )
        });
        answers.push(Row::exact(
            "t_lsr, t_edi, notification, t_r1 + t_r2, t_f, f in thousandths",
            printed,
            seen,
        ));
    }
    let mut memory = book(FIVE)?;
    let mut book = memory.view();
    let direct = Request {
        deadline: Slot::new(3),
        ..request((1, 0, 0, 3, FIVE))
    };
    for printed in ["starts at 0", "no-room"] {
        let seen = answer(shift_in(&mut book, &direct, &Shifting::LRH));
        answers.push(Row::exact("f = 1 and t_esr = now", printed, seen));
    }
    Ok(all(answers))
}

fn figure_4() -> Finding {
    let plan = literally(FIVE, &TABLE_3);
    let slots = FIGURE.zip(FIGURE_4);
    let answers = slots.map(|(slot, users)| {
        Row::exact(
            "a slot of figure 4",
            list(&users),
            list(plan.view(slot as usize)),
        )
    });
    all(answers.collect::<Vec<_>>())
}

/// What some runs show.
#[derive(Default)]
struct Shown {
    mapped: Count,
    within: Count,
    direct: Count,
}

/// The first replication at all points without cancellations.
fn runs(paper: &Pujiyanta) -> Result<Shown> {
    let main = &assumptions(paper)[0];
    let mut shown = Shown::default();
    for at in RATES
        .iter()
        .flat_map(|rate| SHARES.map(|share| point(*rate, share, false)))
    {
        for (system, name) in NAMES.iter().enumerate() {
            let story = main.one(at, 0, system)?;
            shown.look(&story, (at, name), system);
        }
    }
    Ok(shown)
}

impl Shown {
    fn look(&mut self, story: &Story, (at, name): (Point, &str), system: usize) {
        let place = |what: String| format!("{what}, {name}, mu = {}, {} %", at.rate, at.share);
        for (slot, busy) in busy(&story.outcomes).into_iter().enumerate() {
            let problem = || place(format!("{busy} busy in slot {slot}"));
            self.within.case(busy <= u64::from(NODES), problem);
        }
        for outcome in &story.outcomes {
            let job = outcome.demand.job_id();
            let narrow = outcome.demand.pes() <= u64::from(NODES);
            self.within
                .case(narrow, || place(format!("job {job} is too wide")));
            let queued = system == WITHOUT;
            if queued {
                let runs = outcome.decision.is_ok();
                self.direct
                    .case(runs, || place(format!("job {job} never runs")));
            }
            if let Some((request, placed)) = outcome.accepted().filter(|_| system == LRH) {
                let strict = request.deadline - request.ready == request.duration;
                if strict && request.ready == request.arrival {
                    let at_once = placed.began == request.arrival;
                    self.direct
                        .case(at_once, || place(format!("job {job} waits")));
                }
            }
        }
        if system == LRH {
            self.map(&story.outcomes, place);
        }
    }

    fn map(&mut self, outcomes: &[Outcome], place: impl Fn(String) -> String) {
        let (view, refused) = virtual_view(outcomes);
        let all = refused.is_empty();
        self.mapped
            .case(all, || place(format!("no virtual nodes for {refused:?}")));
        let mapped = actual(&view);
        let sorted = |users: &Vec<u32>| {
            let mut users = users.clone();
            users.sort_unstable();
            users
        };
        for (slot, (virtually, actually)) in view.iter().zip(&mapped).enumerate() {
            let stays = slot == 0 || nobody_moves(&mapped[slot - 1..=slot]);
            let complete = sorted(virtually) == sorted(actually);
            self.mapped
                .case(stays && complete, || place(format!("slot {slot}")));
        }
    }
}

/// The virtual nodes of a run by its final starts, in order of acceptance; and the jobs for which there are none.
fn virtual_view(outcomes: &[Outcome]) -> (Vec<Vec<u32>>, Vec<u32>) {
    let accepted = outcomes.iter().filter_map(Outcome::accepted);
    let jobs: Vec<User> = accepted
        .map(|(request, placed)| {
            let start = placed.began / SLOT;
            let duration = (request.duration / SLOT) as u32;
            (
                request.job_id as u32,
                start,
                start,
                duration,
                request.pes as u16,
            )
        })
        .collect();
    let end = jobs.iter().map(|job| job.1 + u64::from(job.3)).max();
    let slots = end.unwrap_or(0) as usize;
    let mut plan = VirtualNodes::new(NODES.into(), slots);
    let mut planned = |job: &User| plan.search_slot_free(&component(*job), false);
    let refused: Vec<User> = jobs.into_iter().filter(|job| !planned(job)).collect();
    let view = (0..slots).map(|slot| plan.view(slot).to_vec());
    (view.collect(), refused.iter().map(|job| job.0).collect())
}

/// The columns that "without reservation" may mean, beside the printed one.
fn columns(views: &Views) -> Vec<Row> {
    let mut rows = Vec::new();
    for (panel, printed) in views.used.panels.iter().zip(TABLE_4) {
        for (tick, printed) in printed.iter().enumerate() {
            let column =
                |system: usize| format!("{} {:.2}", NAMES[system], panel.mean(system, tick));
            let columns = BASELINES.map(column).join(", ");
            let beside = format!("{columns}, printed {}", printed.without);
            rows.push(Row::fact("without reservation", beside).at(panel.at(tick)));
        }
    }
    rows
}
