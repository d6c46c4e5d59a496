//! Options about what is decided together with the machine: quotas, and further resources.

use std::path::{Path, PathBuf};

use clap::Args;

use super::values;
use crate::{
    engine::System,
    error::Result,
    layout::Layout,
    several::{Principal, Resource},
    workload::requests_csv::Asked,
};

/// Who may have how much of the machine.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = super::machine::HEADING)]
pub(super) struct QuotaOption {
    /// Quotas of users, projects and whatever else has a share: so many PEs at once, and so many PE-seconds in each period; docs/several.md describes the file
    #[arg(long, value_name = "FILE.toml")]
    quota: Option<PathBuf>,
}

/// What reservations can have beside the machine.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = super::machine::HEADING)]
pub(super) struct ResourcesOption {
    /// Resources beside the machine, such as licences, of which requests say how much they need; docs/several.md describes the file
    #[arg(long, value_name = "FILE.toml")]
    resources: Option<PathBuf>,
}

/// Both as they were read.
#[derive(Default)]
pub(super) struct Beside {
    pub(super) quotas: Vec<Principal>,
    pub(super) resources: Vec<Resource>,
}

impl QuotaOption {
    /// Reads the file, where there is one.
    pub(super) fn read(&self, slot_seconds: u32) -> Result<Beside> {
        let quotas = match self.quota.as_deref() {
            None => Vec::new(),
            Some(file) => {
                values::must_be_there("--quota", file)?;
                Principal::read(file, slot_seconds)?
            }
        };
        Ok(Beside {
            quotas,
            resources: Vec::new(),
        })
    }

    /// A path is relative to `folder` from now on.
    pub(super) fn relative_to(&mut self, folder: &Path) {
        if let Some(file) = &mut self.quota {
            *file = folder.join(&*file);
        }
    }

    /// The file.
    pub(super) fn file(&self) -> Option<&Path> {
        self.quota.as_deref()
    }
}

impl ResourcesOption {
    /// Reads the file, where there is one.
    pub(super) fn read(&self) -> Result<Vec<Resource>> {
        match self.resources.as_deref() {
            None => Ok(Vec::new()),
            Some(file) => {
                values::must_be_there("--resources", file)?;
                Resource::read(file)
            }
        }
    }
}

impl Beside {
    /// What the requests of a file can say, for a machine with this layout.
    pub(super) fn asked<'b>(&'b self, layout: Option<&'b Layout>) -> Asked<'b> {
        Asked {
            layout,
            quotas: &self.quotas,
            resources: &self.resources,
        }
    }

    /// Lets all of these systems have it.
    pub(super) fn on(&self, systems: &mut [System]) -> Result<()> {
        for system in systems {
            system.quotas.clone_from(&self.quotas);
            system.resources.clone_from(&self.resources);
            system.check()?;
        }
        Ok(())
    }
}
