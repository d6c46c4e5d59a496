//! Whole calls on a book in the steady state, ledger and all.

use bookahead::{
    Book, Commitment, Error, Handle, Placement, Plan, Policy, Request, Slot, Span, Transaction,
    raw::Ring,
};

use bookahead_heap::BoxedWorkspace;

use crate::kernel::placement;
use crate::{Booking, Scene, Step, Stopwatch};

/// How many reservations a transaction moves.
pub const MOVES: usize = 8;

/// A book, and what is known of its reservations without a look at it, so that a look does not warm what is measured next.
pub struct Whole<'m, R: Ring> {
    book: Book<'m, R>,
    /// Which reservation stands for which live booking of the scene, in order, and where it is.
    live: Vec<(Handle, Placement)>,
    workspace: BoxedWorkspace<R::Part>,
    /// How many groups of moves were measured, and how many of them found no room, because processing elements lie elsewhere than they did.
    moved: (usize, usize),
}

impl<'m, R: Ring> Whole<'m, R> {
    /// The steady state of `scene` in an empty book. Everything may be moved anywhere.
    ///
    /// # Panics
    ///
    /// When the book does not hold the scene.
    pub fn new(mut book: Book<'m, R>, scene: &Scene, columns: usize) -> Self {
        let handles = replay(&mut book, scene);
        let bookings = scene.bookings();
        let live = handles
            .into_iter()
            .zip(bookings)
            .map(|(handle, booking)| (handle, placement(booking)));
        Self {
            live: live.collect(),
            book,
            workspace: BoxedWorkspace::with_columns(columns, MOVES, 0).expect("a little memory"),
            moved: (0, 0),
        }
    }

    /// Times reserving what is asked by first fit, and gives it back.
    pub fn reserve(&mut self, watch: &Stopwatch, requests: &[Request]) -> f64 {
        let mut made = Vec::with_capacity(requests.len());
        let book = &mut self.book;
        let sum = watch.time(requests, |request| {
            made.push(book.reserve(request, Policy::FirstFit, Commitment::Confirmed));
        });
        for booking in made.into_iter().flatten() {
            book.cancel(booking.handle).expect("it lives");
        }
        sum
    }

    /// Times booking at known starts, and gives that back.
    pub fn commit(&mut self, watch: &Stopwatch, bookings: &[Booking]) -> f64 {
        let mut made = Vec::with_capacity(bookings.len());
        let known: Vec<_> = bookings
            .iter()
            .map(|booking| {
                (
                    anywhere(&self.book, &placement(booking)),
                    booking.window.start,
                )
            })
            .collect();
        let book = &mut self.book;
        let sum = watch.time(&known, |(request, start)| {
            made.push(book_at(book, request, *start));
        });
        for handle in made.into_iter().flatten() {
            book.cancel(handle).expect("it lives");
        }
        sum
    }

    /// Times cancelling the reservations of these numbers, and books them anew.
    pub fn cancel(&mut self, watch: &Stopwatch, numbers: &[usize]) -> f64 {
        let handles: Vec<Handle> = numbers.iter().map(|number| self.live[*number].0).collect();
        let book = &mut self.book;
        let sum = watch.time(&handles, |handle| book.cancel(*handle));
        self.book_anew(numbers);
        sum
    }

    /// Where each group of these reservations could go next: at a later start in the first place.
    #[must_use]
    pub fn elsewhere(&mut self, numbers: &[usize]) -> Vec<Placement> {
        let groups = numbers.chunks_exact(MOVES);
        groups
            .flat_map(|group| self.group_elsewhere(group))
            .collect()
    }

    fn group_elsewhere(&mut self, group: &[usize]) -> Vec<Placement> {
        let live: Vec<_> = group.iter().map(|number| self.live[*number]).collect();
        let mut transaction = self.book.transaction(self.workspace.view(), u64::MAX);
        for (handle, _) in &live {
            transaction.lift(*handle).expect("it waits");
        }
        let mut place = |(handle, old): &(Handle, Placement)| {
            let later = old.start.saturating_add(Span::new(1));
            let start = transaction.place_first_fit(*handle, later);
            let start = start.or_else(|_| transaction.place_first_fit(*handle, Slot::new(0)));
            Placement {
                start: start.expect("there is room at least where it was"),
                ..*old
            }
        };
        live.iter().map(&mut place).collect()
    }

    /// Times moving the reservations of these numbers to `places` in transactions, and moves them back.
    pub fn move_all(&mut self, watch: &Stopwatch, numbers: &[usize], places: &[Placement]) -> f64 {
        let live: Vec<_> = numbers.iter().map(|number| self.live[*number]).collect();
        let moves: Vec<_> = live
            .iter()
            .zip(places)
            .map(|((handle, _), place)| (*handle, *place))
            .collect();
        let groups: Vec<_> = moves.chunks_exact(MOVES).collect();
        let (book, workspace) = (&mut self.book, &mut self.workspace);
        let mut done = Vec::with_capacity(groups.len());
        let sum = watch.time(&groups, |group| {
            done.push(move_group(
                book.transaction(workspace.view(), u64::MAX),
                group,
            ));
        });
        let groups = numbers.chunks_exact(MOVES).zip(places.chunks_exact(MOVES));
        for ((back, done), (numbers, places)) in live.chunks_exact(MOVES).zip(done).zip(groups) {
            let workspace = self.workspace.view();
            let back = match done {
                Ok(()) => move_group(self.book.transaction(workspace, u64::MAX), back),
                Err(_) => Ok(()),
            };
            if back.is_err() {
                // They stay, since meanwhile others have their processing elements.
                for (number, place) in numbers.iter().zip(places) {
                    self.live[*number].1 = *place;
                }
            }
            self.moved.0 += 1;
            self.moved.1 += usize::from(done.is_err() || back.is_err());
        }
        sum
    }

    /// Times cancelling the reservations of these numbers and booking them at `places`, in the same groups, and puts them back.
    pub fn cancel_and_book(
        &mut self,
        watch: &Stopwatch,
        numbers: &[usize],
        places: &[Placement],
    ) -> f64 {
        let book = &mut self.book;
        let known: Vec<_> = numbers
            .iter()
            .zip(places)
            .map(|(number, place)| (self.live[*number].0, anywhere(book, place), place.start))
            .collect();
        let groups: Vec<_> = known.chunks_exact(MOVES).collect();
        let mut made = Vec::with_capacity(known.len());
        let sum = watch.time(&groups, |group| {
            for (handle, ..) in *group {
                book.cancel(*handle).expect("it lives");
            }
            for (_, request, start) in *group {
                made.push(book_at(book, request, *start));
            }
        });
        self.moved.0 += made.len();
        self.moved.1 += made.iter().filter(|made| made.is_err()).count();
        for handle in made.into_iter().flatten() {
            self.book.cancel(handle).expect("it lives");
        }
        self.book_anew(numbers);
        sum
    }

    /// Books the reservations of these numbers where they were, or, when the processing elements lie so that there is no room, elsewhere.
    fn book_anew(&mut self, numbers: &[usize]) {
        for number in numbers {
            let (handle, placement) = &mut self.live[*number];
            let request = anywhere(&self.book, placement);
            let booked = book_at(&mut self.book, &request, placement.start);
            *handle = booked.unwrap_or_else(|_| {
                let booking = self
                    .book
                    .reserve(&request, Policy::FirstFit, Commitment::Confirmed);
                let booking = booking.expect("there is room on the ring");
                placement.start = booking.start;
                booking.handle
            });
        }
    }

    /// What was taken out was put back, and what was to be measured was.
    ///
    /// # Panics
    ///
    /// When it was not.
    pub fn assert_unchanged(&mut self) {
        assert_eq!(self.book.len(), self.live.len(), "all are back");
        for (handle, placement) in &self.live {
            let reservation = self.book.get(*handle).expect("it lives");
            assert_eq!(reservation.window, placement.window(), "it is where it was");
        }
        assert_eq!(self.book.check_invariants(), Ok(()));
        let (tried, failed) = self.moved;
        assert!(failed * 100 <= tried, "{failed} of {tried} moves failed");
    }
}

/// Moves reservations in one transaction.
fn move_group<R: Ring>(
    mut transaction: Transaction<'_, '_, R>,
    moves: &[(Handle, Placement)],
) -> Result<(), Error> {
    for (handle, _) in moves {
        transaction.lift(*handle)?;
    }
    for (handle, place) in moves {
        transaction.place(*handle, *place)?;
    }
    transaction.commit()
}

/// Books at a start that is known, without a search.
fn book_at<R: Ring>(
    book: &mut Book<'_, R>,
    request: &Request,
    start: Slot,
) -> Result<Handle, Error> {
    let plan = Plan::new(*request, start, book.version()).expect("the start is in the window");
    book.commit(&plan, Commitment::Confirmed)
}

/// The request that any place on the ring satisfies.
fn anywhere<R: Ring>(book: &Book<'_, R>, placement: &Placement) -> Request {
    Request {
        ready: book.now(),
        duration: placement.duration,
        deadline: book.now().saturating_add(book.horizon()),
        pes: placement.pes,
    }
}

/// Goes the way of `scene` in an empty book, and says which reservation stands for which live booking, in order. Each is booked at its known start, free
/// to be moved.
fn replay<R: Ring>(book: &mut Book<'_, R>, scene: &Scene) -> Vec<Handle> {
    let mut handles: Vec<Option<Handle>> = Vec::with_capacity(scene.steps.len());
    for step in &scene.steps {
        match step {
            Step::Add(booking) => {
                let request = anywhere(book, &placement(booking));
                let made = book_at(book, &request, booking.window.start);
                handles.push(Some(made.expect("there was room")));
            }
            Step::Remove(number) => {
                let handle = handles[*number].take().expect("it lives");
                book.cancel(handle).expect("it lives");
                handles.push(None);
            }
        }
    }
    handles.into_iter().flatten().collect()
}
