//! What was charged to each of the books that a request asked for when it came, so that a person can be told why they refused it.

use std::slice;

use super::{Asked, Life, Pool, pools};
use crate::{
    check::{findings::Findings, known::Other, operations::Histories, settings::Settings},
    files::{Booking, Job, Profile, Reservation},
    several::Refuser,
};

/// A resource or a quota, as it was when a request came.
pub(crate) struct Book {
    pool: Pool,
    /// How much of it the request asked for.
    pub(crate) asked: u64,
    /// What was charged to it, in the order of requests. Of who gave something back, what it had until then.
    pub(crate) charged: Vec<Other>,
}

impl Book {
    /// Which one it is.
    pub(crate) fn who(&self) -> Refuser {
        self.pool.who
    }

    /// How much there is at once.
    pub(crate) fn limit(&self) -> u64 {
        self.pool.limit
    }

    /// How much was left all through a window.
    pub(crate) fn left(&self, window: [u64; 2]) -> u64 {
        self.pool.left(window)
    }

    /// The first start between two times that it allows.
    pub(crate) fn first(&self, between: [u64; 2], duration: u64) -> Option<u64> {
        self.pool.earliest(between, duration, self.asked)
    }

    /// The first one that its periods allow, however much is taken at once.
    pub(crate) fn first_in_periods(&self, between: [u64; 2], duration: u64) -> Option<u64> {
        let pool = &self.pool;
        pool.earliest_in_periods(between, duration, self.asked)
    }

    /// The periods that a window meets, from when to when, and what was used of each.
    pub(crate) fn used(&self, window: [u64; 2]) -> Vec<([u64; 2], u64)> {
        self.pool.used(window).collect()
    }

    /// The first of the starts between two times from which the most is left for so long, and how much.
    pub(crate) fn most_left(&self, [from, latest]: [u64; 2], duration: u64) -> (u64, u64) {
        let ends = self.charged.iter().map(|other| other.booking.end);
        // More is left only where something ends.
        let starts = ends.filter(|end| (from..=latest).contains(end));
        let left = |start: u64| (start, self.left([start, start.saturating_add(duration)]));
        let most = starts.map(left).chain([left(from)]);
        most.max_by_key(|(start, left)| (*left, std::cmp::Reverse(*start)))
            .unwrap_or((from, 0))
    }

    fn charge(&mut self, job_id: u64, booking: Booking) {
        self.pool.book(booking, false);
        self.charged.push(Other::of_job(job_id, booking));
    }
}

/// The books beside the machine that a request asked for. O(rows).
pub(in super::super) fn books(
    reservations: &[Reservation],
    jobs: &[Job<'_>],
    histories: Option<&Histories>,
    settings: &Settings,
    request: &Reservation,
) -> Vec<Book> {
    // What is wrong with the files is for the checker to say.
    let mut unsaid = Findings::default();
    let mut asked = |row: &Reservation| Asked::of(row, settings, &mut unsaid);
    let own = asked(request);
    let mut pools = pools(settings, slice::from_ref(&own));
    let beside = own.0.iter().filter(|(number, _)| *number > 0);
    let mut books: Vec<(usize, Book)> = beside
        .filter_map(|(number, asked)| {
            let book = Book {
                pool: pools.remove(number)?,
                asked: *asked,
                charged: Vec::new(),
            };
            Some((*number, book))
        })
        .collect();
    let before = reservations
        .iter()
        .take_while(|row| row.job_id != request.job_id);
    let jobs = jobs
        .iter()
        .filter(|job| job.profile == Profile::Reservation);
    for (row, job) in before.zip(jobs) {
        let life = Life::of(row, job, histories, settings.slots());
        let pieces = life.pieces(request.arrival);
        for (number, amount) in asked(row).0 {
            if let Some((_, book)) = books.iter_mut().find(|(known, _)| *known == number) {
                for piece in &pieces {
                    book.charge(
                        row.job_id,
                        Booking {
                            pes: amount,
                            ..*piece
                        },
                    );
                }
            }
        }
    }
    books.into_iter().map(|(_, book)| book).collect()
}

impl Life {
    /// What is booked of it by what a request knows that arrives then, piece after piece.
    fn pieces(&self, arrival: u64) -> Vec<Booking> {
        let mut pieces: Vec<Booking> = self.booked.into_iter().collect();
        let changes = self.changes.iter();
        for change in changes.filter(|change| change.is_known_at(arrival)) {
            // What is changed is the rest, from then on.
            if let (Some(from), Some(last)) = (change.from, pieces.last_mut()) {
                last.end = last.end.min(from.start);
            }
            pieces.extend(change.to);
        }
        pieces.retain(|piece| piece.start < piece.end);
        pieces
    }
}
