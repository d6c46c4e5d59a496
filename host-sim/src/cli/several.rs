//! Options about what is decided together with the machine: quotas, and further resources.

use std::path::{Path, PathBuf};

use clap::Args;

use super::values;
use crate::{
    engine::System,
    error::{Error, Result},
    layout::Layout,
    several::{Principal, Resource},
    workload::requests_csv::Asked,
};

/// What is decided together with the machine.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = super::machine::HEADING)]
pub(super) struct BesideOptions {
    /// Quotas of users, projects and whatever else has a share: so many PEs at once, and so many PE-seconds in each period; docs/several.md describes the file
    #[arg(long, value_name = "FILE.toml")]
    quota: Option<PathBuf>,
    /// Resources beside the machine, such as licences; docs/several.md describes the file, and who needs how much of them
    #[arg(long, value_name = "FILE.toml")]
    resources: Option<PathBuf>,
}

/// Both as they were read.
#[derive(Default)]
pub(super) struct Beside {
    pub(super) quotas: Vec<Principal>,
    pub(super) resources: Vec<Resource>,
}

impl BesideOptions {
    /// Reads the files, where there are some. `drawn` says that requests do not say themselves how much they need.
    pub(super) fn read(&self, slot_seconds: u32, drawn: bool) -> Result<Beside> {
        let quotas = self.quota.as_deref().map(|file| {
            values::must_be_there("--quota", file)?;
            Principal::read(file, slot_seconds)
        });
        let resources = self.resources.as_deref().map(|file| {
            values::must_be_there("--resources", file)?;
            let resources = Resource::read(file)?;
            match resources.iter().find(|one| one.asked.is_some() != drawn) {
                None => Ok(resources),
                Some(one) => Err(Error::Usage(format!(
                    "--resources {}: {} {}",
                    file.display(),
                    one.name,
                    match drawn {
                        true => "says nothing about who needs it: expected per_request or per_pe, as jobs do not say it",
                        false => "says who needs it (share, per_request, per_pe), which here the column needs of the requests does",
                    },
                ))),
            }
        });
        Ok(Beside {
            quotas: quotas.transpose()?.unwrap_or_default(),
            resources: resources.transpose()?.unwrap_or_default(),
        })
    }

    /// A path is relative to `folder` from now on.
    pub(super) fn relative_to(&mut self, folder: &Path) {
        for file in [&mut self.quota, &mut self.resources].into_iter().flatten() {
            *file = folder.join(&*file);
        }
    }

    /// The files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [self.quota.as_deref(), self.resources.as_deref()];
        files.into_iter().flatten()
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

    /// What systems have, all of which have the same.
    pub(super) fn of(systems: &[System]) -> Self {
        systems.first().map_or_else(Self::default, |system| Self {
            quotas: system.quotas.clone(),
            resources: system.resources.clone(),
        })
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
