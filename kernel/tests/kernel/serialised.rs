//! The value types as JSON: the names are the permanent ones.

use bookahead::{
    Discipline, Error, Event, EventKind, FormChoice, Handle, OfferOrder, PeCount, Policy, Refusal,
    Request, Search, Slot, Span, State, Ticket, UsageError,
};
use serde_json::{from_str, to_string};

#[test]
fn names_are_the_permanent_ones() {
    for refusal in Refusal::ALL {
        assert_eq!(to_string(refusal).unwrap(), format!("{:?}", refusal.name()));
    }
    for misuse in UsageError::ALL {
        assert_eq!(to_string(misuse).unwrap(), format!("{:?}", misuse.name()));
    }
    for policy in Policy::ALL {
        assert_eq!(to_string(&policy).unwrap(), format!("{:?}", policy.name()));
    }
    for search in Search::ALL {
        assert_eq!(to_string(&search).unwrap(), format!("{:?}", search.name()));
    }
    for choice in FormChoice::ALL {
        assert_eq!(to_string(&choice).unwrap(), format!("{:?}", choice.name()));
    }
    for order in OfferOrder::ALL {
        assert_eq!(to_string(&order).unwrap(), format!("{:?}", order.name()));
    }
    for discipline in Discipline::ALL {
        let name = format!("{:?}", discipline.name());
        assert_eq!(to_string(&discipline).unwrap(), name);
    }
    for kind in EventKind::ALL {
        assert_eq!(to_string(kind).unwrap(), format!("{:?}", kind.name()));
    }
    let held = State::Held {
        expires: Slot::new(4),
    };
    assert_eq!(to_string(&held).unwrap(), r#"{"held":{"expires":4}}"#);
}

#[test]
fn values_come_back_as_they_went() {
    let request = Request {
        ready: Slot::new(3),
        duration: Span::new(5),
        deadline: Slot::new(20),
        pes: PeCount::new(7),
    };
    let text = to_string(&request).unwrap();
    assert_eq!(text, r#"{"ready":3,"duration":5,"deadline":20,"pes":7}"#);
    assert_eq!(from_str::<Request>(&text).unwrap(), request);
    let error = Error::from(UsageError::StaleHandle);
    assert_eq!(
        from_str::<Error>(&to_string(&error).unwrap()).unwrap(),
        error
    );
    let event = Event {
        at: Slot::new(9),
        handle: Handle::from_bits(1 << 32),
        kind: EventKind::BestEffortStarted,
        ticket: Ticket::from_number(3),
    };
    assert_eq!(
        from_str::<Event>(&to_string(&event).unwrap()).unwrap(),
        event
    );
}
