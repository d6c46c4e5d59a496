//! The memory that is lent to calls, and what comes back in it.

use alloc::vec::Vec;

use bookahead::{Conflict, Error, Handle, PeCount, Placement, Span, Transaction, raw::Ring};
use heapless::{Vec as Bounded, VecView};

use crate::{InTheWay, Number};

/// Runs `call` with a list that has room for so many; capacities are constants, so there is one list for each short length.
pub(super) fn with_list<T, A, const LONG: usize>(
    room: usize,
    call: impl FnOnce(&mut VecView<T>) -> A,
) -> A {
    match room {
        0 => call(&mut Bounded::<_, 0>::new()),
        1 => call(&mut Bounded::<_, 1>::new()),
        2 => call(&mut Bounded::<_, 2>::new()),
        3 => call(&mut Bounded::<_, 3>::new()),
        4 => call(&mut Bounded::<_, 4>::new()),
        5 => call(&mut Bounded::<_, 5>::new()),
        6 => call(&mut Bounded::<_, 6>::new()),
        7 => call(&mut Bounded::<_, 7>::new()),
        8 => call(&mut Bounded::<_, 8>::new()),
        _ => call(&mut Bounded::<_, LONG>::new()),
    }
}

/// A conflict that names whoever there is, for a call to clear.
pub(super) fn somebody<R: Ring>(transaction: Transaction<'_, '_, R>) -> Conflict {
    let everything = Placement {
        start: transaction.now(),
        duration: Span::new(u32::MAX),
        pes: PeCount::new(u16::MAX.into()),
    };
    transaction.conflict(None, &everything)
}

pub(super) fn in_the_way(conflict: &Conflict, number: impl Fn(Handle) -> Number) -> InTheWay {
    let handles = conflict.handles();
    assert_eq!(
        (conflict.len(), conflict.is_empty()),
        (handles.len() + conflict.more() as usize, handles.is_empty())
    );
    let nothing = conflict.is_empty() && conflict.rules().next().is_none();
    assert_eq!(nothing, *conflict == Conflict::NONE);
    InTheWay {
        names: handles.iter().map(|handle| number(*handle)).collect(),
        more: conflict.more(),
        rules: conflict.rules().map(|number| number as Number).collect(),
    }
}

/// An answer with the handles that came with it; none may come with an error.
pub(super) fn listed<T>(
    answer: Result<T, Error>,
    handles: &VecView<Handle>,
) -> Result<(T, Vec<Handle>), Error> {
    assert!(answer.is_ok() || handles.is_empty(), "{handles:?}");
    Ok((answer?, handles.to_vec()))
}
