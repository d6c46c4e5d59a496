//! What quotas, and resources beside the machine, had to do with a decision, in sentences.

use super::{length, pes, whole};
use crate::{
    check::Known,
    files::Reservation,
    several::{Principal, Refuser, needs},
};

/// Whose a request is and what it needs beside its PEs; nothing where only the machine decides.
pub(super) fn asked(known: &Known, row: &Reservation) -> String {
    let text = |cell: &'static str, said: Option<&str>| {
        let said = said.filter(|said| !said.is_empty());
        said.map(|said| format!("{cell} {said}"))
    };
    let [of, needs] = [
        text("is charged to the quotas of", row.principal.as_deref()),
        text("needs, beside its PEs,", row.needs.as_deref()),
    ];
    let both: Vec<String> = of.into_iter().chain(needs).collect();
    match both.is_empty() || !known.joins() {
        true => String::new(),
        false => format!("It {}.\n", both.join(", and ")),
    }
}

/// Why something else than the machine refused a request; nothing where it was the machine, or where its row decides.
pub(super) fn refused(known: &Known, row: &Reservation) -> Option<String> {
    let reason = &*row.reason;
    let (quotas, resources) = (known.quotas(), known.resources());
    let by = row.refused_by.as_deref().unwrap_or_default();
    let wide = match reason {
        "too-wide" => true,
        "no-room" => false,
        _ => return None,
    };
    let why = match Refuser::parse(by, quotas, resources).filter(|_| known.joins())? {
        Refuser::Machine => return None,
        Refuser::Together if wide => return None,
        Refuser::Together => {
            "the machine and whatever else it asks for each have room in its window, but never all at once".to_owned()
        }
        Refuser::Resource(number) => {
            let resource = &resources[number];
            let needs = needs(row.needs.as_deref().unwrap_or_default(), resources);
            let needs = needs.ok().flatten().unwrap_or_default();
            let need = whole(needs.get(number).copied().unwrap_or(0).into());
            let units = whole(resource.units.into());
            match wide {
                true => format!("it asks for {need} of the resource {}, which has {units}", resource.name),
                false => format!(
                    "from no start in its window on {need} of {units} of the resource {} were free all through",
                    resource.name
                ),
            }
        }
        Refuser::Quota(number) => {
            let quota = &quotas[number];
            match wide {
                true => format!(
                    "it asks for more than the quota of {} allows, {}",
                    quota.name,
                    limits(quota)
                ),
                false => format!(
                    "beside what was charged to it, the quota of {} allowed no start in its window; it is {}",
                    quota.name,
                    limits(quota)
                ),
            }
        }
    };
    Some(format!("It was refused: {why} ({reason}).\n"))
}

fn limits(quota: &Principal) -> String {
    let at_once = quota
        .pes
        .map(|most| format!("{} at once", pes(most.into())));
    let budget = quota.budget.map(|budget| {
        format!(
            "{} PE-seconds in every {}",
            whole(budget.pe_seconds),
            length(budget.period)
        )
    });
    let both: Vec<String> = at_once.into_iter().chain(budget).collect();
    both.join(" and ")
}
