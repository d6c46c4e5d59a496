//! The table of claims, filtered by verdict without a script.

use maud::{Markup, html};

use super::{folder::JudgedClaim, reproduction::kind};
use crate::files::{EvidenceRow, Verdict};

/// In the order of the page.
pub(super) const VERDICTS: [Verdict; 3] = [Verdict::Holds, Verdict::Fails, Verdict::Undecidable];

/// How many claims have a verdict.
pub(super) fn count(claims: &[JudgedClaim], verdict: Verdict) -> usize {
    let alike = claims.iter().filter(|claim| claim.row.verdict == verdict);
    alike.count()
}

/// The claims by paper, in the order of the file.
pub(super) fn section(claims: &[JudgedClaim]) -> Markup {
    html! {
        section id="claims" {
            h2 { "Claims" }
            p { "What the papers say, what was measured, and whether it holds. The note says by which rule, and where a claim fails what is known about why. Differences are taken replication by replication: one holds when its whole 95 % interval lies where the claim says, and fails when the whole interval lies on the other side. What rises, falls or lies somewhere on average holds by its mean. A claim holds when all that its rule compares does." }
            // The buttons stand beside the table in the same parent: the style sheet hides rows by the one that is checked.
            div.filter {
                input type="radio" name="verdict" id="verdict-all" checked;
                label for="verdict-all" { "all " (claims.len()) }
                @for verdict in VERDICTS {
                    input type="radio" name="verdict" id=(format!("verdict-{}", verdict.name()));
                    label class=(verdict.name()) for=(format!("verdict-{}", verdict.name())) { (verdict.name()) " " (count(claims, verdict)) }
                }
                table.claims {
                    thead { tr { th { "claim" } th { "measured" } th { "verdict" } th { "note" } } }
                    @for claims in claims.chunk_by(|a, b| a.row.paper == b.row.paper) { (paper(claims)) }
                }
            }
        }
    }
}

fn paper(claims: &[JudgedClaim]) -> Markup {
    let name = claims.first().map_or("", |claim| claim.row.paper.as_str());
    html! {
        tbody {
            tr.paper { th colspan="4" scope="rowgroup" { (name) } }
            @for claim in claims { (row(claim)) }
        }
    }
}

fn row(
    JudgedClaim {
        row: claim,
        evidence,
    }: &JudgedClaim,
) -> Markup {
    let verdict = claim.verdict.name();
    html! {
        tr class=(verdict) {
            td {
                span.id { (claim.id) " " (kind(&claim.kind)) } " " (claim.claim)
                @if !claim.claimed.is_empty() { div.claimed { "claimed: " (claim.claimed) } }
            }
            td data-label="measured" {
                (claim.measured)
                // A measured text may name its interval itself.
                @if !claim.ci95.is_empty() && !claim.measured.contains('±') { " ± " (claim.ci95) }
            }
            td { span class=(format!("verdict {verdict}")) { (verdict) } }
            td {
                // What holds needs no defence at first sight; what does not is open.
                details open[claim.verdict != Verdict::Holds] {
                    summary { "why" }
                    (claim.note)
                    @if !evidence.is_empty() { (rows(evidence)) }
                }
            }
        }
    }
}

/// Rows of evidence shown for a claim; evidence.csv has all.
const SHOWN: usize = 12;

/// What speaks against the claim first, then what is open, then the rest.
fn rows(rows: &[EvidenceRow]) -> Markup {
    let rank = |row: &&EvidenceRow| match row.verdict {
        Some(Verdict::Fails) => 0,
        Some(Verdict::Undecidable) => 1,
        _ => 2,
    };
    let mut sorted: Vec<&EvidenceRow> = rows.iter().collect();
    sorted.sort_by_key(rank);
    html! {
        table.evidence {
            thead { tr { th { "what" } th { "where" } th { "value" } th { "± 95 %" } th { "says" } } }
            @for row in sorted.iter().take(SHOWN) {
                tr { td { (row.what) } td { (row.place) } td { (row.value) } td { (row.ci95) } td { (row.verdict.map_or("", Verdict::name)) } }
            }
        }
        @if rows.len() > SHOWN { p { (rows.len() - SHOWN) " more rows in evidence.csv" } }
    }
}
