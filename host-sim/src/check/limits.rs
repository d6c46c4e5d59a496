//! Whether a limit on moves can have been reached for a newcomer. Rule 5.

use bookahead::Shifting;

use super::{findings::Findings, operations::Histories, settings::Settings};
use crate::files::Reservation;

/// Notes a request that was refused for a limit on moves, if fewer could be moved then than the limit takes.
pub(super) fn check(
    row: &Reservation,
    histories: &Histories,
    settings: &Settings,
    found: &mut Findings,
) {
    let slots = settings.slots();
    let window = slots.up(row.ready)..slots.down(row.deadline);
    let could_move = |aside_only: bool| {
        let histories = histories.histories().iter();
        let others = histories.filter(|history| history.job_id != row.job_id);
        let could = others.filter(|history| history.could_move(row.arrival, slots));
        let aside = could.filter(|history| !aside_only || history.overlaps(row.arrival, &window));
        aside.count() as u64
    };
    let needed = [juggling(settings), shifting(settings)];
    let reached = |needed: &Needed| could_move(needed.aside) >= needed.count;
    let needed: Vec<Needed> = needed.into_iter().flatten().collect();
    if needed.iter().any(reached) {
        return;
    }
    let id = Some(row.job_id);
    match needed.iter().min_by_key(|needed| needed.count) {
        None => found.add(id, "refused for move-limit, but at depth 0 nothing is moved".to_owned()),
        Some(needed) => found.add(
            id,
            format!(
                "refused for move-limit, but so few reservations could be moved: found {}, expected {} or more",
                could_move(needed.aside),
                needed.count
            ),
        ),
    }
}

/// How many reservations must be there that could be moved.
struct Needed {
    count: u64,
    /// Whether only those count that are in the newcomer's window.
    aside: bool,
}

/// One more has to move than may.
fn juggling(settings: &Settings) -> Option<Needed> {
    let limit = settings.move_limit.filter(|_| settings.juggles())?;
    Some(Needed {
        count: limit.saturating_add(1),
        aside: false,
    })
}

/// All arrangements are tried of few moves only, and each reservation moves once in them. One that slides may do so again and again, until a limit
/// is reached or the log of changes is full: a single one in the way is enough.
fn shifting(settings: &Settings) -> Option<Needed> {
    if !settings.shifts() || settings.depth == Some(0) {
        return None;
    }
    Some(match settings.depth {
        Some(_) => Needed {
            count: 1,
            aside: true,
        },
        None => {
            let most = u64::from(Shifting::DEEPEST);
            let limit = settings.move_limit.map_or(most, |limit| limit.min(most));
            Needed {
                count: limit + 1,
                aside: false,
            }
        }
    })
}
