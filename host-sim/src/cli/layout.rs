//! Options about the layout of the machine, and what jobs ask of it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;

use super::values;
use crate::{
    engine::System,
    error::{Error, Result},
    layout::{Layout, Placing, Prefer},
    workload::place::ByNode,
};

/// The layout of the machine.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = super::machine::HEADING)]
pub(super) struct LayoutOption {
    /// The layout of the machine: nodes of several kinds of PEs, racks and partitions; docs/layout.md describes the file
    #[arg(long, value_name = "FILE.toml")]
    layout: Option<PathBuf>,
}

impl LayoutOption {
    /// Reads it, where there is one.
    pub(super) fn read(&self) -> Result<Option<Arc<Layout>>> {
        let Some(file) = self.layout.as_deref() else {
            return Ok(None);
        };
        values::must_be_there("--layout", file)?;
        Ok(Some(Arc::new(Layout::read(file)?)))
    }

    /// A path is relative to `folder` from now on.
    pub(super) fn relative_to(&mut self, folder: &Path) {
        if let Some(file) = &mut self.layout {
            *file = folder.join(&*file);
        }
    }

    /// The file.
    pub(super) fn file(&self) -> Option<&Path> {
        self.layout.as_deref()
    }
}

/// How a scheduler uses the layout.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Strategy")]
pub(super) struct PlacingOptions {
    /// Which free PEs a reservation gets, of a machine with a --layout: lowest, pack (the fullest nodes), spread (the emptiest), compact:LEVEL (as
    /// few blocks as possible); one or more separated by commas [default: lowest]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    prefer: Vec<Prefer>,
    /// Where a request would be refused because enough PEs are free but on too few nodes, or not in one block: let reservations that have not started
    /// take other PEs at their own starts
    #[arg(long)]
    relocate: bool,
}

impl PlacingOptions {
    /// The systems on a machine with this layout, one for each preference; as they are where there is none.
    pub(super) fn on(
        &self,
        systems: Vec<System>,
        layout: Option<&Arc<Layout>>,
    ) -> Result<Vec<System>> {
        let Some(layout) = layout else {
            let given = [
                ("--prefer", !self.prefer.is_empty()),
                ("--relocate", self.relocate),
            ];
            return match values::first_given(given) {
                Some(option) => Err(Error::Usage(format!(
                    "{option} is only for a machine with a --layout"
                ))),
                None => Ok(systems),
            };
        };
        let given = values::each_once(self.prefer.iter().cloned());
        let preferences = if given.is_empty() {
            vec![Prefer::Lowest]
        } else {
            given
        };
        let on_layout = systems.into_iter().flat_map(|system| {
            let placing = |prefer: &Prefer| Placing {
                layout: layout.clone(),
                prefer: prefer.clone(),
                relocate: self.relocate,
            };
            let systems = preferences
                .iter()
                .map(|prefer| system.clone().on(placing(prefer)));
            systems.collect::<Vec<_>>()
        });
        let systems: Vec<System> = on_layout.collect();
        systems.iter().try_for_each(System::check)?;
        Ok(systems)
    }
}

/// What the jobs of a model or a log ask of a machine with a layout.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Requests")]
pub(super) struct AskOptions {
    /// Of a machine with a --layout, let each job ask for PEs node by node: those of the kind gpu, or else of the last kind, as it has processors, on one
    /// node where they fit there, else whole nodes; and of the other kinds its share [default: with --workload gpu]
    #[arg(long)]
    by_node: bool,
    /// Let jobs on more than one node ask for one block of this level; with a question mark behind it (rack?), if there is one
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    within: Option<String>,
}

impl AskOptions {
    /// The first of these options that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        values::first_given([
            ("--by-node", self.by_node),
            ("--within", self.within.is_some()),
        ])
    }

    /// What jobs ask, of a model that counts GPUs or of another.
    pub(super) fn asks(&self, layout: Option<&Layout>, of_gpus: bool) -> Result<Option<ByNode>> {
        let Some(layout) = layout else {
            return match (self.first_given(), &self.within) {
                (Some(_), Some(level)) => Err(Error::Usage(format!(
                    "--within {level}: expected a --layout, whose levels have names"
                ))),
                (Some(option), None) => Err(Error::Usage(format!(
                    "{option} is only for a machine with a --layout"
                ))),
                (None, _) if of_gpus => Err(Error::Usage(
                    "--workload gpu is for a machine with a --layout".to_owned(),
                )),
                (None, _) => Ok(None),
            };
        };
        let by_node = self.by_node || of_gpus;
        let within = match &self.within {
            Some(_) if !by_node => {
                return Err(Error::Usage(
                    "--within is about nodes; say --by-node".to_owned(),
                ));
            }
            Some(level) => {
                let (name, required) = match level.strip_suffix('?') {
                    Some(name) => (name, false),
                    None => (level.as_str(), true),
                };
                if layout.level(name).is_none() {
                    let expected = layout.level_names();
                    return Err(Error::Usage(format!(
                        "--within {level}: expected {expected}"
                    )));
                }
                Some((name.to_owned(), required))
            }
            None => None,
        };
        Ok(by_node.then_some(ByNode { within }))
    }
}

/// The name of a level, perhaps with a question mark behind it.
fn level(text: &str) -> std::result::Result<String, String> {
    match text.starts_with(|first: char| first.is_alphabetic()) {
        true => Ok(text.to_owned()),
        false => Err("expected the name of a level such as rack or rack?".to_owned()),
    }
}
