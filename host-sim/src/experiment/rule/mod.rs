//! Rules that say what a claim about figures means. What a rule finds includes what it asks for, made from the values that decide.

mod relation;
mod trend;
mod values;

use super::{
    comparison::{Comparison, Finding, Row},
    panel::{Panel, Panels, View},
};
pub(super) use relation::{
    At, By, Test, above, above_by, alike, apart, compare, everywhere, not_above,
};
pub(super) use trend::{Way, ends, shift, steps};
pub(super) use values::{mostly, points_above, range};

/// What must be seen in the panels.
pub(super) struct Rule(Box<dyn Fn(&Panels) -> Finding>);

impl Rule {
    /// What `look` finds, which includes what it asks for.
    pub(super) fn new(look: impl Fn(&Panels) -> Finding + 'static) -> Self {
        Self(Box::new(look))
    }

    pub(super) fn look(&self, panels: &Panels) -> Finding {
        (self.0)(panels)
    }

    /// The same, with a change of what is found.
    pub(super) fn then(self, change: impl Fn(&mut Finding, &Panels) + 'static) -> Self {
        Self::new(move |panels| {
            let mut found = self.look(panels);
            change(&mut found, panels);
            found
        })
    }

    /// The same, with something that opens what was measured.
    pub(super) fn opening(self, context: impl Fn(&Panels) -> String + 'static) -> Self {
        self.then(move |found, panels| found.context = context(panels))
    }
}

/// What no other rule says, in words.
pub(super) fn special(
    words: impl Into<String>,
    look: impl Fn(&Panels) -> Finding + 'static,
) -> Rule {
    let words = words.into();
    Rule::new(look).then(move |found, _| found.rule.clone_from(&words))
}

/// All of these.
pub(super) fn all(rules: impl Into<Vec<Rule>>) -> Rule {
    let rules = rules.into();
    Rule::new(move |panels| {
        let mut all = Finding::default();
        let mut words = Vec::new();
        for found in rules.iter().map(|rule| rule.look(panels)) {
            words.push(found.rule);
            all.comparisons.extend(found.comparisons);
            all.verdicts.extend(found.verdicts);
            all.rows.extend(found.rows);
        }
        all.rule = together(&words);
        all
    })
}

/// Each of these apart, behind its name; the worst counts.
pub(super) fn parts(parts: impl Into<Vec<(&'static str, Rule)>>) -> Rule {
    let parts = parts.into();
    Rule::new(move |panels| {
        let mut all = Finding::default();
        let (mut words, mut numbers) = (Vec::new(), Vec::new());
        for (name, found) in parts.iter().map(|(name, rule)| (name, rule.look(panels))) {
            numbers.push(format!("{name}: {}", found.numbers()));
            all.verdicts.push(found.verdict());
            all.ci95 = all.ci95.into_iter().chain(found.half()).reduce(f64::max);
            all.rows.extend(found.evidence().into_iter().map(|row| Row {
                what: format!("{name}: {}", row.what),
                ..row
            }));
            words.push(found.rule);
        }
        all.rule = together(&words);
        all.measured = Some(numbers.join("; "));
        all
    })
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
