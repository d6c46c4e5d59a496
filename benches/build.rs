//! Compiles the loops in C that the C interface is measured with.

fn main() {
    let header = "../kernel/capi/include";
    for file in ["c/calls.c", &format!("{header}/bookahead.h")] {
        println!("cargo::rerun-if-changed={file}");
    }
    cc::Build::new()
        .file("c/calls.c")
        .include(header)
        .std("c99")
        .opt_level(3)
        .warnings_into_errors(true)
        .compile("calls");
}
