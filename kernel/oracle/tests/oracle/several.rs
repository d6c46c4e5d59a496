//! Series, co-allocation and explanations, worked by hand.

use crate::common::kernels;
use crate::common::worked::{everywhere, on_sets, request, reserve, window_of};
use bookahead::{
    Alteration, Commitment, Error, Part, PeCount, Policy, Refusal, Request, Series, Slot, Span,
    UsageError, Window,
};
use bookahead_commands::{Kind, Subject};

/// A series stands where each instance is free, or nowhere.
#[test]
fn series() {
    fn example(mut subject: Box<dyn Subject>) {
        let blocker = reserve(&mut subject, request(13, 2, 15, 3), Commitment::Confirmed);
        let fresh = subject.clone();
        let series = Series {
            first: request(2, 2, 5, 2),
            period: Span::new(10),
            count: 3,
            exceptions: &[],
        };
        let tight = Series {
            first: request(3, 2, 5, 2),
            ..series
        };
        let reserve = |subject: &mut Box<dyn Subject>, series: &Series<'_>, log, room| {
            subject.reserve_series(series, Policy::FirstFit, Commitment::Confirmed, log, room)
        };
        let (refused, conflict) = reserve(&mut subject, &tight, 3, 3);
        assert_eq!(refused, Err(Refusal::NoRoom.into()));
        assert_eq!((conflict.names, conflict.more), (vec![blocker], 0));
        let without = Series {
            exceptions: &[1, 7],
            ..tight
        };
        let (reserved, _) = reserve(&mut subject.clone(), &without, 2, 2);
        assert_eq!(reserved.unwrap().len(), 2);
        // The second fits nowhere, which decides, although a later one would lie beyond the horizon: the conflict stays known.
        let far = Series { count: 4, ..tight };
        let (refused, conflict) = reserve(&mut subject, &far, 4, 4);
        assert_eq!(refused, Err(Refusal::NoRoom.into()));
        assert_eq!((conflict.names, conflict.more), (vec![blocker], 0));
        // With the second left out, the horizon is the first obstacle.
        let far = Series {
            exceptions: &[1],
            ..far
        };
        let none = Series {
            exceptions: &[0, 1, 2],
            ..series
        };
        let at_once = Series {
            period: Span::ZERO,
            ..series
        };
        let nothing = Series {
            first: request(2, 0, 5, 2),
            ..series
        };
        let slack = Series {
            first: request(2, 2, 9, 2),
            ..series
        };
        let cases: [(Series<'_>, usize, usize, Error); 6] = [
            (none, 3, 3, UsageError::BadSeries.into()),
            (at_once, 3, 3, UsageError::BadSeries.into()),
            (slack, 3, 2, UsageError::TooManyParts.into()),
            (slack, 2, 3, Refusal::MoveLimit.into()),
            (far, 4, 4, Refusal::BeyondHorizon.into()),
            (nothing, 3, 3, UsageError::ZeroDuration.into()),
        ];
        for (series, log, room, reason) in cases {
            assert_eq!(reserve(&mut subject, &series, log, room).0, Err(reason));
            assert!(*subject == *fresh);
        }
        // The second instance slips, inside its own window.
        let late = Series {
            first: request(1, 2, 9, 2),
            period: Span::new(11),
            ..series
        };
        let (reserved, conflict) = reserve(&mut subject, &late, 3, 3);
        assert!(conflict.names.is_empty());
        let starts: Vec<u64> = reserved
            .unwrap()
            .into_iter()
            .map(|handle| window_of(&mut subject, handle).0)
            .collect();
        assert_eq!(starts, [1, 15, 23]);
    }
    everywhere!(example);
}

/// Parts start together, at the first start that suits all of them; what they are given is all they may have.
#[test]
fn together() {
    fn example(mut subject: Box<dyn Subject>) {
        let blocker = reserve(&mut subject, request(3, 5, 8, 3), Commitment::Confirmed);
        let part = |offset, duration, pes| Part {
            offset: Span::new(offset),
            duration: Span::new(duration),
            pes: PeCount::new(pes),
        };
        let parts = [part(0, 4, 1), part(2, 3, 2)];
        let window = Window {
            start: Slot::new(1),
            end: Slot::new(14),
        };
        let reserve = |subject: &mut Box<dyn Subject>, window, parts: &[Part], log, room| {
            subject.reserve_together(window, parts, Commitment::Confirmed, log, room)
        };
        // The second part would meet the blocker unless all start at 6: then it begins at 8.
        let (reserved, conflict) = reserve(&mut subject, window, &parts, 2, 2);
        assert!(conflict.names.is_empty());
        let (start, handles) = reserved.unwrap();
        assert_eq!(start, Slot::new(6));
        for (handle, expected) in handles.iter().zip([(6, 10), (8, 11)]) {
            assert_eq!(window_of(&mut subject, *handle), expected);
            let request = subject.get(*handle).unwrap().request;
            assert_eq!((request.ready.get(), request.deadline.get()), expected);
            let moved = Alteration::Shift {
                start: Slot::new(20),
            };
            let outside = Err(Refusal::OutsideWindow.into());
            assert_eq!(subject.alter(*handle, moved, 1).0, outside);
        }
        assert_eq!(subject.cancel_all(&handles), Ok(2));
        let fresh = subject.clone();
        let short = Window {
            end: Slot::new(10),
            ..window
        };
        let (refused, conflict) = reserve(&mut subject, short, &parts, 2, 2);
        assert_eq!(refused, Err(Refusal::NoRoom.into()));
        assert_eq!((conflict.names, conflict.more), (vec![blocker], 0));
        let past = Window {
            end: Slot::new(5),
            ..window
        };
        let far = Window {
            end: Slot::new(33),
            ..window
        };
        let cases: [(Window, &[Part], usize, usize, Error); 9] = [
            (window, &[], 2, 2, UsageError::TooManyParts.into()),
            (window, &parts, 2, 1, UsageError::TooManyParts.into()),
            (window, &parts, 1, 2, Refusal::MoveLimit.into()),
            (
                window,
                &[part(0, 0, 1)],
                2,
                2,
                UsageError::ZeroDuration.into(),
            ),
            (window, &[part(0, 1, 0)], 2, 2, UsageError::ZeroPes.into()),
            (window, &[part(0, 1, 5)], 2, 2, Refusal::TooWide.into()),
            (past, &parts, 2, 2, Refusal::WindowTooShort.into()),
            (far, &parts, 2, 2, Refusal::BeyondHorizon.into()),
            (
                window,
                &[part(0, 1, 4), part(0, 1, 1)],
                2,
                2,
                Refusal::NoRoom.into(),
            ),
        ];
        for (window, parts, log, room, reason) in cases {
            let (refused, _) = reserve(&mut subject, window, parts, log, room);
            assert_eq!(refused.map(drop), Err(reason), "{parts:?}");
            assert!(*subject == *fresh);
        }
    }
    everywhere!(example);
}

/// Why three PEs for four slots cannot be had from 2 to 12 beside two PEs from 0 to 5 and two from 7 to 9.
#[test]
fn explanations() {
    fn example(mut subject: Box<dyn Subject>) {
        let first = reserve(&mut subject, request(0, 5, 5, 2), Commitment::Confirmed);
        let second = reserve(&mut subject, request(7, 2, 9, 2), Commitment::Confirmed);
        let asked = request(2, 4, 12, 3);
        let (explanation, obstacles) = subject.explain(&asked, 8).unwrap();
        let told = (explanation.fits, explanation.earlier, explanation.later);
        assert_eq!(told, (None, None, Some(Slot::new(9))));
        let plain = obstacles.iter().map(|one| {
            let holders = one.holders.names.clone();
            (one.start.get(), one.lacking.get(), one.at.get(), holders)
        });
        let expected = [
            (2, 1, 2, vec![first]),
            (3, 1, 3, vec![first]),
            (5, 1, 7, vec![second]),
            (7, 1, 7, vec![second]),
            (8, 1, 8, vec![second]),
        ];
        assert_eq!(plain.collect::<Vec<_>>(), expected);
        let (short, listed) = subject.explain(&asked, 2).unwrap();
        assert_eq!((short.more, listed), (3, obstacles[..2].to_vec()));
        // It fits one slot later, where the list ends.
        let longer = Request {
            deadline: Slot::new(13),
            ..asked
        };
        let (explanation, obstacles) = subject.explain(&longer, 8).unwrap();
        assert_eq!(explanation.fits, Some(Slot::new(9)));
        assert!(obstacles.iter().all(|one| one.start < Slot::new(9)));
        let window = |start, end| Window {
            start: Slot::new(start),
            end: Slot::new(end),
        };
        assert_eq!(subject.covering(window(4, 8)), [first, second]);
        assert!(subject.covering(window(5, 7)).is_empty());
        assert!(subject.covering(window(8, 4)).is_empty());
    }
    everywhere!(example);
}
