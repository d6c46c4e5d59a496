//! The goldens: what was measured last, and the calls that it was measured on.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::adversary::Adversary;

/// Everything that is published.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Golden {
    /// The version of the compiler that it holds for.
    pub compiler: String,
    pub flash: Vec<Flash>,
    pub ram: Vec<Ram>,
    pub operation: Vec<Cost>,
}

/// What a step adds to the empty program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flash {
    pub step: String,
    /// By optimisation level.
    pub bytes: Levels,
}

/// The memory of a book.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ram {
    pub book: String,
    pub bytes: u64,
}

/// What an operation costs at worst.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cost {
    pub book: String,
    pub name: String,
    pub instructions: Levels,
    /// Bytes.
    pub stack: Levels,
    /// The worst found: of instructions and stack, at either level.
    pub case: Vec<Case>,
}

/// One number for each optimisation level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Levels {
    pub s: u64,
    pub three: u64,
}

/// A call in a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// What is bad about the state.
    pub adversary: String,
    /// The moves that lead to it, as the meter reads them.
    pub state: String,
    pub call: [u32; 4],
}

impl Levels {
    /// Becomes at least `value` at one level: 0 is s, 1 is 3.
    pub fn raise(&mut self, level: usize, value: u32) {
        let number = if level == 0 {
            &mut self.s
        } else {
            &mut self.three
        };
        *number = (*number).max(value.into());
    }
}

impl Golden {
    /// The states of its cases for `book`.
    pub fn states(&self, book: &str) -> Result<Vec<Adversary>> {
        let costs = self.operation.iter().filter(|cost| cost.book == book);
        let mut states: Vec<Adversary> = Vec::new();
        for case in costs.flat_map(|cost| &cost.case) {
            let state = case.state.parse()?;
            if states.iter().all(|known| known.state != state) {
                states.push(Adversary {
                    name: case.adversary.clone(),
                    state,
                });
            }
        }
        Ok(states)
    }

    /// The cost of the operation `name` on `book`.
    pub fn find(&mut self, book: &str, name: &str) -> Option<&mut Cost> {
        let mut costs = self.operation.iter_mut();
        costs.find(|cost| cost.book == book && cost.name == name)
    }

    /// The same with `costs` in the place of those of the same names, in the order of the books and of the table.
    pub fn with(&self, costs: Vec<Cost>) -> Self {
        let mut golden = self.clone();
        for cost in costs {
            match golden.find(&cost.book, &cost.name) {
                Some(old) => *old = cost,
                None => golden.operation.push(cost),
            }
        }
        golden
    }

    pub fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{} is no golden file", path.display()))
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        fs::write(path, toml::to_string(self)?)
            .with_context(|| format!("cannot write {}", path.display()))
    }
}
