//! Rules that say what a claim about curves means. What is found includes what the rule asks for, in words made from the values that decide.

mod relation;
mod trend;
mod values;

use super::{
    comparison::{Comparison, Finding, Row},
    panel::{Curves, Panel},
};
pub(super) use relation::{At, By, Test, above, above_by, alike, apart, not_above};
pub(super) use trend::Way;

/// All of these.
pub(super) fn all(findings: impl IntoIterator<Item = Finding>) -> Finding {
    let mut all = Finding::default();
    let mut words = Vec::new();
    for found in findings {
        words.push(found.rule);
        all.comparisons.extend(found.comparisons);
        all.verdicts.extend(found.verdicts);
        all.rows.extend(found.rows);
    }
    all.by_rule(together(&words))
}

/// Each of these apart, behind its name; the worst counts. They may be of different units, so no interval stands for all.
pub(super) fn parts<'a>(parts: impl IntoIterator<Item = (&'a str, Finding)>) -> Finding {
    let mut all = Finding::default();
    let (mut words, mut numbers) = (Vec::new(), Vec::new());
    for (name, found) in parts {
        numbers.push(format!("{name}: {}", found.numbers()));
        all.verdicts.push(found.verdict());
        all.rows.extend(found.evidence().into_iter().map(|row| Row {
            what: format!("{name}: {}", row.what),
            ..row
        }));
        words.push(found.rule);
    }
    all.measured = Some(numbers.join("; "));
    all.by_rule(together(&words))
}

/// Several rules in words, each of what it is about and what it says of that: what is the same is said once.
fn together(rules: &[String]) -> String {
    let mut said: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for rule in rules {
        let (about, says) = rule.split_once(": ").unwrap_or(("", rule));
        if let Some((abouts, _)) = said.iter_mut().find(|(_, known)| *known == [says]) {
            abouts.push(about);
        } else if let Some((_, known)) = said.iter_mut().find(|(known, _)| *known == [about]) {
            known.push(says);
        } else {
            said.push((vec![about], vec![says]));
        }
    }
    let words = said.into_iter().map(|(about, says)| {
        let (about, says) = (about.join(" and "), says.join("; "));
        match about.as_str() {
            "" => says,
            about => format!("{about}: {says}"),
        }
    });
    words.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests;
