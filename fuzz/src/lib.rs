//! What the fuzz targets share.
#![forbid(unsafe_code)]

pub mod bundle;
pub mod damage;
pub mod drive;
pub mod fold;
pub mod list;
pub mod place;
pub mod scene;
pub mod waiting;
