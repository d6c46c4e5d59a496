//! Compiles what reads Slurm's structures, and finds out of which Slurm they are.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=src/fields.c");
    println!("cargo::rerun-if-env-changed=SLURM_INCLUDE");
    let include = env::var("SLURM_INCLUDE").unwrap_or_else(|_| "/usr/include".into());
    let header = Path::new(&include).join("slurm/slurm_version.h");
    let text = fs::read_to_string(&header).unwrap_or_else(|error| {
        panic!("{}: {error}; install Slurm's headers (libslurm-dev), or say where they are in SLURM_INCLUDE", header.display())
    });
    let number = text
        .lines()
        .find_map(|line| line.strip_prefix("#define SLURM_VERSION_NUMBER "));
    let number = number.and_then(|number| number.trim().strip_prefix("0x"));
    let number = number.and_then(|number| u32::from_str_radix(number, 16).ok());
    let number = number.unwrap_or_else(|| {
        panic!(
            "{}: expected SLURM_VERSION_NUMBER in hexadecimal",
            header.display()
        )
    });
    // 22.05: others call the plugin with other arguments, and would load it all the same.
    assert!(
        number >> 8 == 0x16_05,
        "{}: Slurm {}.{:02}, and this gate was written for 22.05: adapt `job_modify` in src/lib.rs, whose arguments are others in later versions, and src/fields.c",
        header.display(),
        number >> 16 & 0xFF,
        number >> 8 & 0xFF,
    );
    println!("cargo::rustc-env=SLURM_VERSION={number}");
    cc::Build::new()
        .include(include)
        .file("src/fields.c")
        .flag("-Wall")
        .flag("-Werror")
        .compile("fields");
}
