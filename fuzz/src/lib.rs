//! What the fuzz targets share.
#![forbid(unsafe_code)]

pub mod book;
pub mod bundle;
pub mod damage;
pub mod list;
pub mod mutate;
pub mod place;
