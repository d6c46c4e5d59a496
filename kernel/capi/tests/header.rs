//! The header is what the crate says.

use std::{env, fs, path::Path};

use cbindgen::{Builder, Config};

/// Compares the header with a new one. To accept the new one: `BOOKAHEAD_HEADER=write cargo test -p bookahead-capi --test header`.
#[test]
fn the_header_is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = Config::from_file(folder.join("cbindgen.toml")).expect("the settings are valid");
    let bindings = Builder::new()
        .with_crate(folder)
        .with_config(config)
        .generate()
        .expect("the crate can be described");
    let mut header = Vec::new();
    bindings.write(&mut header);

    let path = folder.join("include/bookahead.h");
    if env::var_os("BOOKAHEAD_HEADER").is_some_and(|value| value == "write") {
        fs::write(&path, &header).expect("the header can be written");
    }
    let present = fs::read(&path).unwrap_or_default();
    assert!(
        present == header,
        "include/bookahead.h is out of date; write it anew with BOOKAHEAD_HEADER=write cargo test -p bookahead-capi --test header"
    );
}
