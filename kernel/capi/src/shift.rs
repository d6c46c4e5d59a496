//! Flexible reservations slide aside for a newcomer.

use bookahead as kernel;
use kernel::Slot;

use crate::{
    Book, Code, Commitment, Juggled, Move, Request, Workspace,
    code::{Failure, answer, known},
    juggle::{end, ends_in_commit, plainly},
    pointer::{List, Out, read},
    with::{asked, with_book},
    workspace::Lent,
};

/// To which side reservations are shifted. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Direction {
    /// To the right, which is later: with SLIDES, FCFS-EDS.
    Right = 0,
    /// To the right and to the left: with SLIDES, FCFS-LRH.
    Both = 1,
}

/// How a place is sought for a newcomer among reservations that are shifted for it. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Insertion {
    /// Room is made slot by slot, by reservations that push one another up to `depth` deep. Finds room often, not always.
    Slides = 0,
    /// The arrangement that moves the fewest reservations, by trying all of them.
    FewestMoves = 1,
    /// The arrangement with the least total shift in slots, by trying all of them.
    LeastShift = 2,
}

/// How reservations are shifted.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Shifting {
    /// One of `bookahead_direction`.
    pub direction: u32,
    /// One of `bookahead_insertion`.
    pub insertion: u32,
    /// For SLIDES: how many reservations in a row may push one another, 2 for the heuristics' usual depth. 0: none is moved; 1: one in the way moves only
    /// to where there is room for it. More than 16 are taken as 16.
    pub depth: u32,
    /// At most so many reservations are moved.
    pub max_moves: u32,
    /// No reservation is shifted to a start before this slot; 0 for no such limit.
    pub earliest: u64,
    /// At most so many slots are written and searched. A refusal in a crowded book can take very many; the simulator grants 1,000,000.
    pub work: u64,
}

// The kernel's numbers, all of them.
const _: () = {
    assert!(Direction::Right as u8 == kernel::Direction::Right.code());
    assert!(Direction::Both as u8 == kernel::Direction::Both.code());
    assert!(kernel::Direction::ALL.len() == 2);
    assert!(Insertion::Slides as u8 == kernel::Insertion::Slides { depth: 0 }.code());
    assert!(Insertion::FewestMoves as u8 == kernel::Insertion::FewestMoves.code());
    assert!(Insertion::LeastShift as u8 == kernel::Insertion::LeastShift.code());
};

impl Shifting {
    fn to_kernel(self) -> Result<kernel::Shifting, Failure> {
        const SLIDES: u32 = Insertion::Slides as u32;
        const FEWEST_MOVES: u32 = Insertion::FewestMoves as u32;
        const LEAST_SHIFT: u32 = Insertion::LeastShift as u32;
        let unknown = Code::UnknownRule;
        Ok(kernel::Shifting {
            direction: known(self.direction, kernel::Direction::from_code, unknown)?,
            insertion: match self.insertion {
                SLIDES => kernel::Insertion::Slides {
                    depth: u8::try_from(self.depth).unwrap_or(u8::MAX),
                },
                FEWEST_MOVES => kernel::Insertion::FewestMoves,
                LEAST_SHIFT => kernel::Insertion::LeastShift,
                _ => return Err(unknown.into()),
            },
            earliest: Slot::new(self.earliest),
            max_moves: self.max_moves,
            work: self.work,
        })
    }

    /// The entries of a workspace that these rules can take at most: two for each move, and one for the newcomer.
    const fn entries(self) -> usize {
        (self.max_moves as usize)
            .saturating_mul(2)
            .saturating_add(1)
    }
}

/// Reserves for `request`, and shifts flexible reservations inside their own windows if that is necessary: those in the way slide out of the slots that
/// have too few free PEs, to the nearest start at which they have room; what is strict, held, running or fixed stays where it is. First fit is tried
/// first, and nothing moves if that finds a start. `ending` and `moves` as for `bookahead_juggle`.
///
/// The workspace takes an entry for the newcomer and two for each reservation that slides; as much of it as `max_moves` can
/// take is cleared. With COMMIT, a newcomer that fits as things are costs what `bookahead_reserve` costs, and takes no workspace and no work. Otherwise SLIDES
/// take O((rows x window)^depth x (duration x columns + longest duration)) for each start, and the searches through all arrangements
/// O((rows x window)^moves), so limit their work. At most 16 reservations move in the latter.
///
/// Answers UNKNOWN_ENDING, UNKNOWN_RULE; as `bookahead_reserve` by first fit; MOVE_LIMIT when no room was found,
/// but more moves or a larger workspace might have found some; WORK_LIMIT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_shift_in(
    book: *mut Book,
    request: *const Request,
    commitment: *const Commitment,
    rules: *const Shifting,
    workspace: *const Workspace,
    ending: u32,
    moves: *mut Move,
    capacity: usize,
    shifted: *mut Juggled,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let shifted = Out::new(shifted)?;
        let moves = List::new(moves, capacity)?;
        let (request, commitment) = (read(request)?, Commitment::read(commitment)?);
        let (rules, lent) = (read(rules)?, Lent::read(workspace, book)?);
        let commit = ends_in_commit(ending)?;
        let entries = rules.entries();
        let (rules, commitment) = (rules.to_kernel()?, commitment.to_kernel()?);
        let request = request.to_kernel();
        shifted.set(with_book!(book, |book, class| {
            let plain = if commit {
                plainly(&mut book, (class, &request), commitment, rules.work, &moves)?
            } else {
                None
            };
            match plain {
                Some(plain) => plain,
                None => {
                    let workspace = lent.view(entries, 0);
                    let mut transaction = book.transaction(workspace, rules.work);
                    let booking =
                        transaction.shift_in(asked!(class, &request), commitment, &rules)?;
                    end(transaction, Some(booking), commit, &moves)?
                }
            }
        }));
        Ok(())
    })
}
