//! What is known of a book from outside: enough to ask for what makes sense in it.

use bookahead::{Advanced, Offer, PeCount, Placement, Reservation, Slot, Span, Ticket, Version};
use bookahead_commands::{Command, Ending, Moved, Number, Reply, Size, State};

/// How many of those that have ended are kept to be named again.
const ENDED_KEPT: usize = 32;

/// What is known of a book and its queue from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    /// How large they are.
    pub size: Size,
    /// The current slot.
    pub now: Slot,
    /// Which state of which book it is.
    pub version: Version,
    /// The live reservations, in order of acceptance.
    pub live: Vec<(Number, Reservation)>,
    /// Those that have ended, the latest accepted last.
    pub ended: Vec<Number>,
    /// The number of the next reservation.
    pub next: Number,
    /// The tickets of the waiting jobs, in order of submission.
    pub waiting: Vec<Ticket>,
    /// The tickets of the waiting requests, in the order in which they are tried.
    pub requests: Vec<Ticket>,
    /// Which book the queue belongs to.
    pub queue_incarnation: u32,
    /// The slot up to which the queue came with its book; none for any.
    pub queue_reached: Option<Slot>,
    /// Whether it has come along with its book since the book was last looked at.
    queue_came: bool,
    /// Whether places may be kept in the queue for jobs that are cut.
    keeps_places: bool,
    /// When the plan was made that waits to be committed.
    pub planned_at: Option<Slot>,
    /// The latest offers, until one is taken.
    pub offers: Vec<Offer>,
    /// The moves of the latest plan of a transaction, until they are applied.
    pub moves: Vec<Moved>,
}

impl Situation {
    /// That of a fresh book of that size.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self {
            size,
            now: Slot::new(0),
            version: Version::default(),
            live: Vec::new(),
            ended: Vec::new(),
            next: 0,
            waiting: Vec::new(),
            requests: Vec::new(),
            queue_incarnation: 0,
            queue_reached: None,
            queue_came: false,
            keeps_places: false,
            planned_at: None,
            offers: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Takes in what a command was answered.
    pub fn note(&mut self, command: &Command, reply: &Reply) {
        match (command, reply) {
            (Command::For(_, command), reply) => self.note(command, reply),
            (Command::Plan(..) | Command::PlanMouldable(_), reply) => {
                self.planned_at = reply.error().is_none().then_some(self.now);
            }
            (Command::Commit(_), _) => self.planned_at = None,
            (Command::Offers(..), Reply::Offered(_, offers)) => self.offers.clone_from(offers),
            (Command::ReservePreempting(..), Reply::Booked(..)) => {
                (self.queue_came, self.keeps_places) = (true, true);
            }
            (Command::Accept(..), _) => self.offers.clear(),
            (
                Command::Submit(_)
                | Command::Wait(..)
                | Command::AdvanceQueue(..)
                | Command::NextOfQueue(_),
                reply,
            ) => {
                self.queue_came |= reply.error().is_none();
                let mut jobs = self.live.iter().filter(|(_, known)| known.ticket.is_some());
                // Whoever is cut has not got all of its estimate any more.
                let none =
                    jobs.all(|(_, known)| known.window.len() == Some(known.request.duration));
                self.keeps_places &= !(none && matches!(reply, Reply::Passed(Advanced::Done, _)));
            }
            (Command::SetQueueIncarnation(incarnation), _) => {
                self.queue_incarnation = *incarnation;
                self.queue_reached = None;
            }
            (Command::Queue(discipline), _) => {
                self.size.discipline = *discipline;
                self.queue_incarnation = 0;
                self.queue_reached = None;
            }
            (Command::Transact(transact), Reply::Transacted(outcome)) => {
                self.moves = match (transact.ending, &outcome.end) {
                    (Ending::Plan(_), Ok((moves, _))) => moves.clone(),
                    _ => Vec::new(),
                };
            }
            _ => {}
        }
    }

    /// Takes in what can be seen.
    pub fn look(&mut self, seen: &State) {
        self.now = seen.now;
        self.version = seen.version;
        self.live.clone_from(&seen.by_start);
        self.live.sort_unstable_by_key(|(number, _)| *number);
        let newest = self.live.last().map_or(0, |(number, _)| number + 1);
        self.next = self.next.max(newest);
        let is_over = |number: &Number| self.known(*number).is_none();
        let ended = (0..self.next).rev().filter(is_over).take(ENDED_KEPT);
        let mut ended: Vec<Number> = ended.collect();
        ended.reverse();
        self.ended = ended;
        self.waiting.clear();
        let tickets = seen.waiting.iter().map(|(ticket, _)| *ticket);
        self.waiting.extend(tickets);
        if std::mem::take(&mut self.queue_came) {
            self.queue_reached = Some(self.now);
        }
    }

    /// What is known of a live reservation.
    #[must_use]
    pub fn known(&self, number: Number) -> Option<&Reservation> {
        let place = self.live.binary_search_by_key(&number, |(known, _)| *known);
        place.ok().map(|place| &self.live[place].1)
    }

    /// Where a reservation is booked; somewhere for one that is not.
    #[must_use]
    pub fn place_of(&self, number: Number) -> Placement {
        let booked = self.known(number).and_then(|known| {
            Some(Placement {
                start: known.window.start,
                duration: known.window.len()?,
                pes: known.request.pes,
            })
        });
        booked.unwrap_or(Placement {
            start: self.now,
            duration: Span::new(1),
            pes: PeCount::new(1),
        })
    }

    /// Whether a job or a request waits, or a place is kept for a job that is cut.
    #[must_use]
    pub fn is_awaited(&self) -> bool {
        !self.waiting.is_empty() || !self.requests.is_empty() || self.keeps_places
    }

    /// Whether the queue is refused: it belongs to another book, or jobs wait in it and its book was advanced without it.
    #[must_use]
    pub fn is_queue_refused(&self) -> bool {
        let apart = self.queue_reached.is_some_and(|slot| slot != self.now);
        self.queue_incarnation != self.version.incarnation || apart && self.is_awaited()
    }
}
