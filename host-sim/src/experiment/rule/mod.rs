//! Rules that say what a claim about figures means. What a rule finds includes what it asks for, made from the values that decide.

mod relation;
mod trend;
mod values;

use super::{comparison::Finding, panel::Panels};
pub(super) use relation::{
    At, By, Test, above, above_by, alike, apart, compare, everywhere, not_above,
};
pub(super) use trend::{Way, ends, shift, steps};
pub(super) use values::{
    Number, OneRun, any_falls, flat, mostly, number, one_run, points_above, range,
};

/// What must be seen in the panels.
pub(super) struct Rule(Box<dyn Fn(&Panels) -> Finding>);

impl Rule {
    /// What `look` finds, which includes what it asks for.
    pub(super) fn new(look: impl Fn(&Panels) -> Finding + 'static) -> Self {
        Self(Box::new(look))
    }

    /// Looks at the panels.
    pub(super) fn look(&self, panels: &Panels) -> Finding {
        (self.0)(panels)
    }

    /// The same, with something that opens what was measured.
    pub(super) fn opening(self, context: impl Fn(&Panels) -> String + 'static) -> Self {
        Self::new(move |panels| Finding {
            context: context(panels),
            ..self.look(panels)
        })
    }

    /// The same, with something that begins the names of the comparisons.
    pub(super) fn labelled(self, label: &'static str) -> Self {
        Self::new(move |panels| {
            let mut finding = self.look(panels);
            for comparison in &mut finding.comparisons {
                comparison.what.insert_str(0, label);
            }
            finding
        })
    }
}

/// What no other rule says, in words.
pub(super) fn special(
    words: impl Into<String>,
    look: impl Fn(&Panels) -> Finding + 'static,
) -> Rule {
    let words = words.into();
    Rule::new(move |panels| Finding {
        rule: words.clone(),
        ..look(panels)
    })
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
        all.rule = words.join("; ");
        all
    })
}

#[cfg(test)]
mod tests;
