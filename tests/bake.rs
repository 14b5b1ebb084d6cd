//! Baking: golden bytes, round trips through readers that share no code with the writers, and nothing left behind.

mod files;
mod support;
mod values;
