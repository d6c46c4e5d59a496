//! Folders that cannot be those of a store.

use std::{fs, process};

use bookahead_store::Disk;

#[test]
fn a_file_is_said_to_be_no_folder() {
    let file = std::env::temp_dir().join(format!("bookahead-file-{}", process::id()));
    fs::write(&file, "").expect("there is room");
    let refused = Disk::open(&file).expect_err("it is a file").to_string();
    fs::remove_file(&file).expect("it is there");
    let begins = format!("opening {}: Not a directory", file.display());
    assert!(refused.starts_with(&begins), "{refused}");
    let ends = "; the store has to be opened before anything is confirmed";
    assert!(refused.ends_with(ends), "{refused}");
}
