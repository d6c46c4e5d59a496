//! The worst cases, and the program that looks for them.

mod limited_work;
mod worst;
mod worst_command;
