//! Tests of the buses, by stepping each block against a small model of its neighbours.

mod pins;
mod pixel_output;
mod read_master;
mod registers;
mod rest;
