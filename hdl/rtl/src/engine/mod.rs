//! The engine: rays circulate between contexts, slots, intersector and shader until every pixel is done.
//!
//! ```text
//!  pixel counter -> primary_ray -> [directions] ---+
//!                                                  v          spheres
//!                  ready queues --------------> staging -> a lane: Slots -> sphere_hit -> Nearest
//!                     ^      ^                                       ^----- retired early --'  |
//!                     |      '------------- shadow rays that retire ---------------------------+
//!                     |                                                                        v
//!                     '---- shade datapath <---------- [hits of the lane] <------------ shade queue
//!                                 |                                                            |
//!                                 '--> finished pixels <--------- primary rays that missed ----'
//!                                            '--> Window --> pixels, in raster order
//! ```
//!
//! - A *context* is a pixel in flight; its number names its entry in every memory. It is in exactly one queue, slot or
//!   pipeline at a time, so every queue has room for all contexts and none can overflow.
//! - A memory has one writer, so nothing arbitrates: the ray generator writes primary directions, the shader writes
//!   points and secondary directions, each lane its own hits ([`nearest`]).
//! - What a ray is (its *kind*) and the one thing it has to remember (its *carry*) travel with it, in the queues' entries
//!   and in the intersector's tag.
//!
//! | kind | code | carry |
//! | --- | --- | --- |
//! | primary | 0 | 0 |
//! | shadow | 1 | the surface reflects: a reflection ray follows |
//! | reflection | 2 | the light was seen from the surface that it leaves |
//!
//! What the queues and the intersector's tag hold: [`entry`].

pub mod arbiter;
pub mod core;
pub mod counters;
pub mod entry;
pub mod generator;
pub mod lane;
pub mod nearest;
pub mod shading;
pub mod slots;
pub mod staging;
pub mod window;

#[cfg(test)]
mod tests;
