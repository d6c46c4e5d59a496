//! The harness itself: it accepts a faithful twin and notices every kind of unfaithfulness.

use bookahead::{
    Alteration, Behind, BestEffortJob, Commitment, Direction, Discipline, Discount, ElasticRequest,
    Form, FormChoice, Insertion, Money, OfferOrder, OfferTerms, Part, PeCount, Placement, Policy,
    PriceTerms, Request, Search, Shifting, Sides, Slot, Span, Take, Ticket, Window,
};
use bookahead_commands::{
    Call, Command, Ending, Group, JuggleEnd, Kind, LONG_HANDLES, LONG_LOG, LONG_OFFERS, Lent,
    Mould, Number, Recurrence, Reply, Rules, Sorting, Subject, Transact, Wanted,
};
use bookahead_oracle::generate::{EVERYTHING, LONG_LIST, tariff};
use bookahead_oracle::{Difference, Harness};
use proptest::prelude::*;

use crate::common::liar::{Liar, Lie};
use crate::common::request;
use crate::common::{World, job, kernels};
use crate::sequences::{commands, follow};

const WORLD: World = World {
    pes: 4,
    slots: 20,
    duration: 6,
    width: 3,
    step: 4,
};

proptest! {
    // 4 x 64 sequences of up to 60 operations.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn accepts_a_faithful_twin(bytes in commands(60)) {
        for kind in [Kind::Counts, Kind::Sets] {
            for discipline in Discipline::ALL {
                let twin = kernels::twin(kind, WORLD.pes, WORLD.slots.into(), 6);
                follow(twin.under(discipline), &WORLD.used_for(EVERYTHING), &bytes)?;
            }
        }
    }
}

/// Two PEs for three slots between 2 and 10.
const ASKED: Request = request(2, 3, 10, 2);

const fn reserve(request: Request) -> Command {
    Command::Book(request, Policy::FirstFit, Commitment::Confirmed)
}

const fn advance(to: u64) -> Command {
    Command::Advance(Slot::new(to), LONG_LIST)
}

/// A pair that has agreed so far: one reservation, from slot 2 to 5.
fn agreed() -> Harness {
    let mut harness = Harness::new(kernels::twin(Kind::Sets, 4, 20, 6));
    harness.apply(&reserve(ASKED)).unwrap();
    harness
}

/// Found by fuzzing: the harness took the second announcement for a change.
#[test]
fn an_end_announced_twice_leaves_a_plan_good() {
    fn announce(subject: Box<dyn Subject>) {
        let mut harness = Harness::new(subject);
        let complete = Command::Complete(0, Slot::new(4));
        let commands = [
            reserve(ASKED),
            advance(2),
            complete.clone(),
            Command::Plan(request(4, 3, 12, 2), Policy::FirstFit),
            complete,
            Command::Commit(Commitment::Confirmed),
        ];
        harness.apply_all(&commands).unwrap();
        assert_eq!((harness.tally.accepted, harness.tally.declined), (2, 0));
    }
    announce(kernels::twin(Kind::Counts, 4, 20, 6));
    announce(kernels::twin(Kind::Sets, 4, 20, 6));
    announce(kernels::counts(4, 20, 6));
    announce(kernels::narrow(4, 20, 6));
}

/// What the harness complains about after `fault` was done behind its back.
fn complaint(fault: impl FnOnce(&mut Box<dyn Subject>), then: &[Command]) -> &'static str {
    let mut harness = agreed();
    fault(&mut harness.subject);
    let verdict = match then {
        [] => harness.compare(),
        commands => harness.apply_all(commands),
    };
    verdict.unwrap_err().what
}

/// One PE for three slots from there.
fn exactly(start: u64) -> Request {
    request(start, 3, start + 3, 1)
}

#[test]
fn notices_a_clock_that_differs() {
    let fault = |twin: &mut Box<dyn Subject>| twin.advance(Slot::new(1), 8).map(drop).unwrap();
    assert_eq!(complaint(fault, &[]), "now");
}

#[test]
fn notices_a_reservation_too_many() {
    let fault = |twin: &mut Box<dyn Subject>| {
        twin.book(&exactly(2), Policy::FirstFit, Commitment::Confirmed)
            .map(drop)
            .unwrap()
    };
    assert_eq!(complaint(fault, &[]), "length");
}

#[test]
fn notices_a_reservation_moved() {
    let fault = |twin: &mut Box<dyn Subject>| {
        twin.cancel(0).unwrap();
        twin.book(&exactly(12), Policy::FirstFit, Commitment::Confirmed)
            .map(drop)
            .unwrap();
    };
    assert_eq!(complaint(fault, &[]), "next event");
}

#[test]
fn notices_a_reservation_of_the_same_shape_with_other_terms() {
    let fault = |twin: &mut Box<dyn Subject>| {
        twin.cancel(0).unwrap();
        twin.book(
            &request(2, 3, 11, 2),
            Policy::FirstFit,
            Commitment::Confirmed,
        )
        .map(drop)
        .unwrap();
    };
    assert_eq!(complaint(fault, &[]), "reservations by start");
}

#[test]
fn notices_a_search_that_differs() {
    let fault = |twin: &mut Box<dyn Subject>| *twin = kernels::twin(Kind::Sets, 4, 20, 6);
    // Two of four PEs are free beside the first reservation, so four start later on one side.
    let wide = request(2, 3, 10, 4);
    assert_eq!(complaint(fault, &[reserve(wide)]), "first-fit");
    let find = Command::Find(wide, Policy::FirstFit);
    assert_eq!(complaint(fault, &[find]), "first-fit");
}

#[test]
fn notices_an_event_that_is_missing() {
    let fault = |twin: &mut Box<dyn Subject>| twin.cancel(0).unwrap();
    assert_eq!(complaint(fault, &[advance(3)]), "events");
}

#[test]
fn notices_an_answer_that_differs() {
    let fault = |twin: &mut Box<dyn Subject>| twin.cancel(0).unwrap();
    assert_eq!(
        complaint(fault, &[Command::Confirm(0)]),
        "answer to the owner"
    );
}

/// Two PEs for three slots.
fn offers() -> Command {
    let query = ElasticRequest {
        ready: Slot::new(0),
        deadline: Slot::new(10),
        duration: Some(Span::new(3)),
        pes: Some(PeCount::new(2)),
    };
    let terms = OfferTerms {
        search: Search::ALL[0],
        order: OfferOrder::ALL[0],
        ttl: Span::new(4),
        tariff: tariff(1),
    };
    Command::Offers(query, terms, LONG_OFFERS)
}

#[test]
fn notices_offers_that_differ() {
    let fault = |twin: &mut Box<dyn Subject>| twin.cancel(0).unwrap();
    assert_eq!(complaint(fault, &[offers()]), "offers");
}

#[test]
fn notices_an_offer_that_is_good_on_one_side_only() {
    let mut harness = agreed();
    let Ok(Reply::Offered(_, offers)) = harness.apply(&offers()) else {
        panic!("there is room");
    };
    let reserved = harness.subject.book(
        &request(0, 20, 20, 2),
        Policy::FirstFit,
        Commitment::Confirmed,
    );
    assert!(reserved.is_ok());
    let take: Take = offers[0].whole();
    let accept = Command::Accept(offers[0], take, Commitment::Confirmed);
    let what = harness.apply(&accept).unwrap_err().what;
    assert_eq!(what, "start of what is accepted");
}

#[test]
fn notices_a_version_that_differs() {
    let fault = |twin: &mut Box<dyn Subject>| {
        let (number, _) = twin
            .book(&exactly(12), Policy::FirstFit, Commitment::Confirmed)
            .unwrap();
        twin.cancel(number).unwrap();
    };
    assert_eq!(complaint(fault, &[]), "version");
    let incarnation = |twin: &mut Box<dyn Subject>| drop(twin.perform(&Command::SetIncarnation(1)));
    assert_eq!(complaint(incarnation, &[]), "version");
    assert_eq!(complaint(incarnation, &[offers()]), "offers");
}

const fn waiting(estimate: u32, pes: u32) -> BestEffortJob {
    BestEffortJob {
        estimate: Span::new(estimate),
        pes: PeCount::new(pes),
    }
}

const fn advance_queue() -> Command {
    Command::AdvanceQueue(Slot::new(0), LONG_LIST)
}

#[test]
fn notices_a_job_that_waits_on_one_side_only() {
    let job = waiting(3, 2);
    let fault = |twin: &mut Box<dyn Subject>| twin.submit(&job).map(drop).unwrap();
    assert_eq!(complaint(fault, &[]), "waiting jobs");
    assert_eq!(complaint(fault, &[Command::Submit(job)]), "ticket");
}

#[test]
fn notices_a_job_that_starts_on_one_side_only() {
    let mut harness = agreed();
    harness.apply(&Command::Submit(waiting(3, 2))).unwrap();
    let ticket = Ticket::from_number(1).unwrap();
    harness.subject.withdraw(ticket).unwrap();
    assert_eq!(harness.apply(&advance_queue()).unwrap_err().what, "events");
}

#[test]
fn notices_a_queue_that_was_not_looked_at() {
    let mut harness = agreed();
    let job = waiting(3, 4);
    harness
        .apply_all(&[Command::Submit(job), advance_queue()])
        .unwrap();
    // The same jobs in a queue that has seen nothing yet.
    harness.subject.perform(&Command::Queue(Discipline::Fcfs));
    harness.subject.submit(&job).unwrap();
    assert_eq!(
        harness.compare().unwrap_err().what,
        "next event with the queue"
    );
}

#[test]
fn notices_another_discipline() {
    let mut harness = agreed();
    harness.subject = harness.subject.clone().under(Discipline::Easy);
    // The first waits for the reservation from 2 to 5, the second ends before it.
    let commands = [waiting(3, 4), waiting(2, 1)].map(Command::Submit);
    harness.apply_all(&commands).unwrap();
    assert_eq!(harness.apply(&advance_queue()).unwrap_err().what, "events");
}

/// Two PEs from 2 to 5, and four from 6 to 8: one after the other.
fn two() -> [Command; 2] {
    [reserve(ASKED), job(6, 8, 4)]
}

/// What the harness complains about when the side under test tells `lie` in `then`, after the two reservations.
fn complaint_about(lie: Lie, then: &[Command]) -> &'static str {
    let told = |mut harness: Harness| -> Result<(), Difference> {
        harness.apply_all(&two())?;
        harness.apply_all(then)
    };
    // An honest twin passes.
    told(Harness::new(kernels::twin(Kind::Sets, 4, 20, 6))).unwrap();
    match told(Harness::new(Box::new(Liar::new(Kind::Sets, lie)))) {
        Ok(()) => "nothing",
        Err(difference) => difference.what,
    }
}

/// The reservation from 2 to 5.
const FIRST: Number = 0;

const LATER: Alteration = Alteration::Shift {
    start: Slot::new(3),
};

#[test]
fn notices_lies_about_alterations() {
    let blocked = Alteration::Extend {
        duration: Span::new(5),
    };
    let alter = |alteration| [Command::Alter(FIRST, alteration, 1)];
    let what = complaint_about(Lie::Altered, &alter(LATER));
    assert_eq!(what, "where it is after the alteration");
    let what = complaint_about(Lie::AlteredConflict, &alter(blocked));
    assert_eq!(what, "where it is after the alteration");
    let split = Command::Split(FIRST, Slot::new(3), 2);
    assert_eq!(complaint_about(Lie::Split, &[split]), "split");
}

#[test]
fn notices_lies_about_transactions() {
    let transaction = |calls: &[Call], ending| {
        [Command::Transact(Transact {
            log: LONG_LOG,
            work: u64::MAX,
            calls: calls.to_vec(),
            ending,
            watched: vec![0, 1],
        })]
    };
    // The second call is refused.
    let calls = [Call::Alter(FIRST, LATER), Call::Remove(Number::MAX)];
    let commit = transaction(&calls, Ending::Commit);
    let one_call = transaction(&calls[..1], Ending::Commit);
    for lie in [
        Lie::Covering,
        Lie::Known,
        Lie::Moves,
        Lie::WorkLeft,
        Lie::Logged,
    ] {
        let what = complaint_about(lie, &one_call);
        assert_eq!(what, "what the step shows", "{lie:?}");
    }
    assert_eq!(complaint_about(Lie::Step, &commit), "answer to the step");
    let what = complaint_about(Lie::RefusedStep, &commit);
    assert_eq!(what, "a refused step changes nothing");
    let what = complaint_about(Lie::StepsMade, &commit);
    assert_eq!(what, "steps that were made");
    let what = complaint_about(Lie::Commit, &commit);
    assert_eq!(what, "end of the transaction");
    let plan = transaction(&calls, Ending::Plan(LONG_HANDLES));
    let what = complaint_about(Lie::PlanMore, &plan);
    assert_eq!(what, "end of the transaction");
    assert_eq!(complaint_about(Lie::Trace, &plan), "a plan changes nothing");
    let dropped = transaction(&calls, Ending::Drop);
    let what = complaint_about(Lie::Trace, &dropped);
    assert_eq!(what, "a dropped transaction changes nothing");
}

#[test]
fn notices_lies_about_several() {
    let series = |first| {
        [Command::Series(Recurrence {
            first,
            period: Span::new(4),
            count: 2,
            exceptions: vec![9, 9],
            policy: Policy::FirstFit,
            terms: Commitment::Confirmed,
            limits: (2, 2),
        })]
    };
    assert_eq!(complaint_about(Lie::Series, &series(ASKED)), "series");
    let what = complaint_about(Lie::SeriesConflict, &series(request(2, 3, 5, 4)));
    assert_eq!(what, "series");
    let part = |pes| Part {
        offset: Span::new(1),
        duration: Span::new(2),
        pes: PeCount::new(pes),
    };
    let together = |pes, end| {
        [Command::Together(Group {
            window: window(1, end),
            parts: vec![part(pes), part(1)],
            terms: Commitment::Confirmed,
            limits: (2, 2),
        })]
    };
    let what = complaint_about(Lie::Together, &together(1, 10));
    assert_eq!(what, "parts that start together");
    let what = complaint_about(Lie::TogetherConflict, &together(3, 5));
    assert_eq!(what, "parts that start together");
    let cancel = Command::CancelAll(vec![FIRST, FIRST]);
    let what = complaint_about(Lie::Cancelled, &[cancel]);
    assert_eq!(what, "how many are cancelled");
    let what = complaint_about(Lie::CancelTrace, &[Command::CancelAll(Vec::new())]);
    assert_eq!(what, ASKING);
}

/// What is not true of a lie that leaves a trace.
const ASKING: &str = "what only asks changes nothing";

const fn window(start: u64, end: u64) -> Window {
    Window {
        start: Slot::new(start),
        end: Slot::new(end),
    }
}

#[test]
fn notices_lies_about_explanations() {
    let explain = [Command::Explain(request(2, 3, 10, 4), LONG_HANDLES)];
    for (lie, what) in [
        (Lie::Explanation, "explanation"),
        (Lie::Obstacles, "explanation"),
        (Lie::Lacking, "explanation"),
        (Lie::Holders, "explanation"),
        (Lie::ExplainTrace, ASKING),
    ] {
        assert_eq!(complaint_about(lie, &explain), what);
    }
    let covering = [Command::Covering(window(0, 20))];
    let what = complaint_about(Lie::WhoCovers, &covering);
    assert_eq!(what, "who covers the window");
}

#[test]
fn notices_lies_about_shifting() {
    let rules = Shifting {
        direction: Direction::Both,
        insertion: Insertion::Slides { depth: 2 },
        earliest: Slot::new(0),
        max_moves: u32::MAX,
        work: u64::MAX,
    };
    let newcomer = (ASKED, Commitment::Confirmed);
    let shift = |end| [Command::ShiftIn(newcomer, rules, Lent::ENOUGH.log, end)];
    let what = complaint_about(Lie::Juggled, &shift(JuggleEnd::AtOnce));
    assert_eq!(what, "shifting");
    let what = complaint_about(Lie::JuggledMoves, &shift(JuggleEnd::Commit));
    assert_eq!(what, "shifting");
    let what = complaint_about(Lie::JuggleTrace, &shift(JuggleEnd::Plan));
    assert_eq!(what, "a plan leaves no trace");
}

#[test]
fn notices_lies_about_juggling() {
    let rules = Rules {
        sorting: Sorting::Deadline,
        always: true,
        retry: true,
        earliest: Slot::new(0),
        max_moves: u32::MAX,
    };
    let newcomer = Some((ASKED, Commitment::Confirmed));
    let juggle = |end| [Command::Juggle(newcomer, rules, Lent::ENOUGH, end)];
    let at_once = juggle(JuggleEnd::AtOnce);
    assert_eq!(complaint_about(Lie::Juggled, &at_once), "juggling");
    let what = complaint_about(Lie::JuggledMoves, &juggle(JuggleEnd::Commit));
    assert_eq!(what, "juggling");
    let what = complaint_about(Lie::JuggleTrace, &juggle(JuggleEnd::Plan));
    assert_eq!(what, "a plan leaves no trace");
    assert_eq!(complaint_about(Lie::Frozen, &at_once), "reservations");
    let wanted = Wanted {
        sides: Sides::ALL[0],
        max_percent: u32::MAX,
        behind: Behind::Deadline,
        room: LONG_HANDLES,
    };
    let asked = request(2, 3, 5, 4);
    let terms = Commitment::Confirmed;
    let alternatives = [Command::Alternatives(
        asked,
        terms,
        rules,
        Lent::ENOUGH,
        wanted,
    )];
    for (lie, what) in [
        (Lie::Alternatives, "alternatives"),
        (Lie::AlternativesTrace, ASKING),
    ] {
        assert_eq!(complaint_about(lie, &alternatives), what);
    }
}

#[test]
fn notices_lies_about_events_and_books() {
    let next = [Command::Next(Slot::new(4))];
    assert_eq!(complaint_about(Lie::Next, &next), "the next event");
    assert_eq!(complaint_about(Lie::Whose, &next), "the next event");
    // The queue is that of another book from then on.
    let restored = Command::SetIncarnation(1);
    let now = Slot::new(0);
    for (lie, command, what) in [
        (Lie::ForeignSubmit, Command::Submit(waiting(1, 1)), "ticket"),
        (Lie::ForeignAdvance, advance_queue(), "events"),
        (
            Lie::ForeignNext,
            Command::NextOfQueue(now),
            "the next event",
        ),
    ] {
        assert_eq!(complaint_about(lie, &[restored.clone(), command]), what);
    }
    let plan = [
        Command::Plan(ASKED, Policy::FirstFit),
        advance(1),
        Command::Commit(Commitment::Confirmed),
    ];
    assert_eq!(complaint_about(Lie::Stale, &plan), "commit");
    let refused = reserve(request(2, 3, 10, 5));
    let what = complaint_about(Lie::RefusalTrace, &[refused]);
    assert_eq!(what, "a call that fails changes nothing");
    let nothing = Command::Covering(window(0, 1));
    let what = complaint_about(Lie::Window, &[nothing]);
    assert_eq!(what, "the window that was promised");
}

#[test]
fn notices_lies_about_forms() {
    let form = |(pes, slots)| Form {
        pes: PeCount::new(pes),
        duration: Span::new(slots),
    };
    let mould = [Command::PlanMouldable(Mould {
        ready: Slot::new(0),
        deadline: Slot::new(9),
        forms: [(2, 3), (1, 5), (3, 2), (4, 1)].map(form).to_vec(),
        policy: Policy::FirstFit,
        choice: FormChoice::ALL[1],
        terms: PriceTerms {
            tariff: tariff(1),
            discount: Discount {
                per_duration: 1 << 29,
                most: 1 << 31,
            },
            budget: Money::MAX,
        },
    })];
    let what = complaint_about(Lie::Price, &mould);
    assert_eq!(what, "the form that is chosen");
    assert_eq!(complaint_about(Lie::MouldTrace, &mould), ASKING);
}

#[test]
fn notices_a_handle_that_is_given_out_twice() {
    let mut harness = Harness::new(Box::new(Liar::new(Kind::Counts, Lie::Handle)));
    let [first, _] = two();
    harness
        .apply_all(&[first, Command::Submit(waiting(2, 1))])
        .unwrap();
    let what = harness.apply(&advance_queue()).unwrap_err().what;
    assert_eq!(what, "events");
}

/// Where the reservation from 2 to 5 is placed.
#[test]
fn places_are_those_of_the_twin() {
    let harness = agreed();
    let place = Placement {
        start: Slot::new(2),
        duration: Span::new(3),
        pes: PeCount::new(2),
    };
    assert_eq!(harness.situation.place_of(FIRST), place);
}
