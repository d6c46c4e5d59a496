//! Tells the linker where memory lies and which scripts to use.

use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let board = match env::var("CARGO_CFG_TARGET_ARCH")?.as_str() {
        "arm" => "mps2-an386",
        "riscv32" => "virt",
        other => return Err(format!("there is no board with a core of type {other}").into()),
    };
    let script = format!("../memory/{board}.x");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::copy(&script, out.join("memory.x"))?;
    println!("cargo:rerun-if-changed={script}");
    println!("cargo:rustc-link-search={}", out.display());
    // Sections need not begin at whole pages, which would lie outside the memory given.
    println!("cargo:rustc-link-arg-bins=--nmagic");
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    println!("cargo:rustc-link-arg-bins=-Tdefmt.x");
    Ok(())
}
