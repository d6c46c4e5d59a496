//! News that are told again until they are acknowledged.

use alloc::{collections::VecDeque, vec::Vec};

use bookahead::{Advanced, Error, Event, Move, SnapshotError};
use serde::{Deserialize, Serialize};

use crate::{Survives, journal::Keeping};

/// What a caller has to be told: something happened, or a reservation was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum News {
    /// An event of an advance.
    Event(Event),
    /// A move of a transaction.
    Move(Move),
}

/// News that survive with the book until they are acknowledged: after a crash, what was told and not acknowledged is told again, under the same numbers, so that
/// whoever hears it twice notices. (Exactly once is impossible: the hearer may crash too.)
///
/// ```
/// use bookahead::{Advanced, Commitment, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{Binding, BoxedBook, Outbox, Sizes, Survives};
///
/// let sizes = Sizes { pes: 64, slots: 1_440, reservations: 200 };
/// let new = || -> Result<_, bookahead_heap::SizeError> { Ok((BoxedBook::new(Binding::Late, sizes)?, Outbox::new(100))) };
/// let (mut book, mut outbox) = new()?;
/// let request = Request { ready: Slot::new(60), duration: Span::new(90), deadline: Slot::new(480), pes: PeCount::new(5) };
/// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed).unwrap();
/// let advanced = outbox.fill(|| book.next(Slot::new(100))).unwrap();
/// assert_eq!(advanced, Advanced::Done);
///
/// let mut later = new()?;
/// later.read_snapshot(&(book, outbox).snapshot()).unwrap();
/// let (number, _news) = later.1.iter().next().unwrap();
/// later.1.acknowledge(number);
/// assert_eq!(later.1.iter().next(), None);
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Outbox {
    capacity: usize,
    contents: Contents,
    /// The numbers of the first that was not acknowledged and of the next one, when the last record was written; once a journal is kept.
    last: Keeping<(u64, u64)>,
}

/// What is not acknowledged.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Contents {
    /// The number of the first.
    first: u64,
    news: VecDeque<News>,
}

impl Outbox {
    /// An empty outbox for so many news. The first gets the number 1.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self {
            capacity,
            contents: Contents {
                first: 1,
                news: VecDeque::new(),
            },
            last: Keeping::NONE,
        }
    }

    /// Takes events until there is none, or until it is full: then time has come as far as the last of them, there may be more, and it goes on when some have been acknowledged. `next` is
    /// [`Book::next`](bookahead::Book::next), or a queue's, to some slot. Costs what that does for each event.
    ///
    /// # Errors
    ///
    /// As `next`.
    pub fn fill(
        &mut self,
        mut next: impl FnMut() -> Result<Option<Event>, Error>,
    ) -> Result<Advanced, Error> {
        while self.contents.news.len() < self.capacity {
            match next()? {
                Some(event) => self.contents.news.push_back(News::Event(event)),
                None => return Ok(Advanced::Done),
            }
        }
        Ok(Advanced::EventsWaiting)
    }

    /// Takes the moves of a transaction, all or none, and returns whether there is room for them. O(moves).
    pub fn push_moves(&mut self, moves: &[Move]) -> bool {
        let news = &mut self.contents.news;
        let room = moves.len() <= self.capacity.saturating_sub(news.len());
        if room {
            news.extend(moves.iter().copied().map(News::Move));
        }
        room
    }

    /// Returns what is not acknowledged, with its numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &News)> {
        (self.contents.first..).zip(&self.contents.news)
    }

    /// Forgets the news up to this number. O(news).
    pub fn acknowledge(&mut self, number: u64) {
        let known = number.saturating_add(1).saturating_sub(self.contents.first);
        let news = &mut self.contents.news;
        let known = usize::try_from(known).map_or(news.len(), |known| known.min(news.len()));
        news.drain(..known);
        self.contents.first += known as u64;
    }

    /// Returns the number that the next news will get.
    fn next_number(&self) -> u64 {
        let waiting = self.contents.news.len() as u64;
        self.contents.first.saturating_add(waiting)
    }

    /// Reads what stands in bytes.
    fn read(&self, bytes: &[u8]) -> Result<Contents, SnapshotError> {
        let read: Contents = postcard::from_bytes(bytes).map_err(|_| SnapshotError::Stopped)?;
        match read.news.len() <= self.capacity && read.first >= self.contents.first {
            true => Ok(read),
            false => Err(SnapshotError::OtherBook),
        }
    }

    fn put(contents: &Contents) -> Vec<u8> {
        // Cannot fail: a list takes all of it.
        postcard::to_allocvec(contents).unwrap_or_default()
    }
}

impl Survives for Outbox {
    fn keep_journal(&mut self) {
        self.last = Keeping::begin((self.contents.first, self.next_number()));
    }

    fn journal(&mut self) -> Option<u64> {
        self.last.journal()
    }

    /// The record has the number of the first that is not acknowledged, and the news that have come.
    fn write_record(&mut self, bytes: &mut Vec<u8>) -> Result<bool, SnapshotError> {
        let (first, next) = *self.last.get()?;
        let now = (self.contents.first, self.next_number());
        let news = (first, next) != now;
        if news {
            let known = next.saturating_sub(self.contents.first) as usize;
            let come = self.contents.news.iter().skip(known).copied();
            bytes.extend(Self::put(&Contents {
                first: self.contents.first,
                news: come.collect(),
            }));
            *self.last.get()? = now;
        }
        Ok(news)
    }

    fn apply_record(&mut self, record: &[u8]) -> Result<(), SnapshotError> {
        let Contents { first, news } = self.read(record)?;
        let next = self.next_number().saturating_add(news.len() as u64);
        if first > next {
            return Err(SnapshotError::NotNext);
        }
        // Of one with more room.
        if next - first > self.capacity as u64 {
            return Err(SnapshotError::OtherBook);
        }
        self.contents.news.extend(news);
        self.acknowledge(first - 1);
        Ok(())
    }

    fn snapshot(&mut self) -> Vec<u8> {
        Self::put(&self.contents)
    }

    fn read_snapshot(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        if self.next_number() != 1 {
            return Err(SnapshotError::NotNew);
        }
        self.contents = self.read(snapshot)?;
        Ok(())
    }

    fn state_hash(&mut self) -> u64 {
        crate::together::sum(&self.snapshot())
    }
}
