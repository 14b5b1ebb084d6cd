//! Baking: golden bytes, round trips through readers that share no code with the writers, and nothing left behind.

mod errors;
mod files;
mod frames;
mod names;
mod notes;
mod simulated;
mod support;
mod values;
