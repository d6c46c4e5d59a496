//! What the linked images weigh.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection, ObjectSymbol};

/// Code and constants of an image, in bytes.
fn code_and_constants(image: &Path) -> Result<u64> {
    let bytes = fs::read(image).with_context(|| format!("no image {}", image.display()))?;
    let file = object::File::parse(&*bytes)
        .with_context(|| format!("{} is no object file", image.display()))?;
    let counted = |name: &str| {
        [".text", ".rodata"]
            .iter()
            .any(|section| name == *section || name.starts_with(&format!("{section}.")))
    };
    let mut sum = 0;
    for section in file.sections() {
        if counted(section.name()?) {
            sum += section.size();
        }
    }
    Ok(sum)
}

/// What the image of a step has more than the empty one, both in `folder`.
pub fn weigh(folder: &Path, step: &str) -> Result<u32> {
    let empty = code_and_constants(&folder.join("empty"))?;
    let bytes = code_and_constants(&folder.join(step))?;
    ensure!(bytes > empty, "the image of {step} contains nothing");
    Ok(u32::try_from(bytes - empty)?)
}

/// Whether the image has a function of that module of the kernel, or of the module's part in `book`. A mangled name has each part of its path behind
/// its length.
pub fn has_code_of(image: &Path, module: &str) -> Result<bool> {
    let bytes = fs::read(image).with_context(|| format!("no image {}", image.display()))?;
    let file = object::File::parse(&*bytes)?;
    let part = format!("{}{module}", module.len());
    Ok(file.symbols().any(|symbol| {
        let name = symbol.name().unwrap_or_default();
        let inside = |parent: &str| name.contains(&format!("{parent}{part}"));
        inside("9bookahead") || inside("9bookahead4book")
    }))
}

/// The size of a static of an image, as its symbol says.
pub fn symbol_size(image: &Path, symbol: &str) -> Result<u64> {
    let bytes = fs::read(image).with_context(|| format!("no image {}", image.display()))?;
    let file = object::File::parse(&*bytes)?;
    let found = file
        .symbols()
        .find(|candidate| candidate.name() == Ok(symbol));
    let found = found.with_context(|| format!("{} has no {symbol}", image.display()))?;
    Ok(found.size())
}
