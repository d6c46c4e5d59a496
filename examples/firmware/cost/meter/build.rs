//! Hands the linker the memory map of the board. A host, where the meter is only linted, has no use for it.

use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=memory.x");
    if env::var("CARGO_CFG_TARGET_OS")? == "none" {
        let out = PathBuf::from(env::var("OUT_DIR")?);
        fs::copy("memory.x", out.join("memory.x"))?;
        println!("cargo:rustc-link-search={}", out.display());
        for argument in ["--nmagic", "-Tlink.x"] {
            println!("cargo:rustc-link-arg-bins={argument}");
        }
    }
    Ok(())
}
