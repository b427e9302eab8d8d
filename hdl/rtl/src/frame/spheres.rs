//! The spheres, one after the other, for ever.
//!
//! ```text
//!            filling, rendering      +---------------------------------------+
//!                                    | cache: spheres 0 .. CACHE-1           |-> sphere_valid, sphere_index, centre,
//!  word_valid, word, number -------->|   written in the check pass           |   radius_squared, radius_inverse,
//!                word_ready <--------| ring: spheres CACHE .. count-1,       |   radius, sphere_material
//!  request_valid, address, words <---|   up to CACHE - 1 of them ahead       |<- sphere_ready
//!                                    +---------------------------------------+
//! ```
//!
//! A sphere's radius, which its descriptor has not, is computed when its last word has arrived, and stored beside the words.
//!
//! In the check pass (`filling`) the words of all spheres arrive once, six a sphere, a word a clock; the first `CACHE`
//! spheres are kept. While `rendering` the spheres 0 .. count-1 are offered again and again: the cached ones from the
//! memory, the others from a ring behind it, which is filled ahead by reads of the whole remaining range, one request a
//! rotation, back to back, so that the bus does not idle where the rotation wraps.
//!
//! A sphere taken is followed by the next at once, if that one is there; the one after that is read meanwhile, which takes
//! three clocks. From the cache that is a sphere every three clocks, and without a gap where they are taken seldomer. The ring takes a word a
//! clock, so that streaming sustains a sphere each 16 clocks as long as the bus gives 6 words in 16 clocks, whatever its
//! latency.
//!
//! What always holds: `sphere_valid` waits for nothing but the sphere, the payload holds until taken, spheres come in
//! ascending order, the ring never overflows, and with neither `filling` nor `rendering` the block is empty. Words of a
//! sphere are canonical (`number`): no subnormal, one NaN.

use rayman_abi::descriptor::sphere;
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

use super::sleep::sleeper;
use crate::datapath::kernels::{SphereRadius, SPHERE_RADIUS_INTERVAL};
use crate::gate::Gate;
use crate::mem::{Flop, Ram};

/// Source of spheres with a cache of `2^A` and a ring as large; `R` is `A + 1`.
#[derive(GatedBlock)]
pub struct SphereSource<const A: usize, const R: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: empty.
    pub reset_n: Signal<In, Bit>,
    /// The check pass: words of all spheres arrive, every one is taken.
    pub filling: Signal<In, Bit>,
    /// Spheres are offered.
    pub rendering: Signal<In, Bit>,
    /// Bus address of sphere 0.
    pub base: Signal<In, Bits<32>>,
    /// Number of spheres, below 2^28.
    pub count: Signal<In, Bits<32>>,

    /// A word of a sphere is there.
    pub word_valid: Signal<In, Bit>,
    /// The word as it lies in memory.
    pub word: Signal<In, Bits<32>>,
    /// The word as a number: subnormals flushed, the one NaN.
    pub number: Signal<In, Bits<32>>,
    /// While rendering: the word is taken.
    pub word_ready: Signal<Out, Bit>,
    /// Words are wanted: steady while rendering, each acceptance is one rotation's worth.
    pub request_valid: Signal<Out, Bit>,
    /// Bus address of the first sphere that is not cached.
    pub request_address: Signal<Out, Bits<32>>,
    /// Words from there to the end of the array.
    pub request_words: Signal<Out, Bits<32>>,

    /// The word that comes next is the last of its sphere.
    pub last_word: Signal<Out, Bit>,
    /// In the check pass: the sphere that comes next is the last.
    pub last_sphere: Signal<Out, Bit>,

    /// A sphere is offered.
    pub sphere_valid: Signal<Out, Bit>,
    /// It is taken.
    pub sphere_ready: Signal<In, Bit>,
    /// Its place in the array.
    pub sphere_index: Signal<Out, Bits<32>>,
    /// Its centre, x.
    pub centre_x: Signal<Out, Bits<32>>,
    /// Its centre, y.
    pub centre_y: Signal<Out, Bits<32>>,
    /// Its centre, z.
    pub centre_z: Signal<Out, Bits<32>>,
    /// Its radius squared.
    pub radius_squared: Signal<Out, Bits<32>>,
    /// One over its radius.
    pub radius_inverse: Signal<Out, Bits<32>>,
    /// Its radius.
    pub radius: Signal<Out, Bits<32>>,
    /// Its material.
    pub sphere_material: Signal<Out, Bits<3>>,

    // Cache in the lower half, ring in the upper: a memory for each word of a sphere, so that a word is stored as it
    // arrives and no register has to hold the sphere together.
    store_x: Ram<1, R>,
    store_y: Ram<1, R>,
    store_z: Ram<1, R>,
    store_squared: Ram<1, R>,
    store_inverse: Ram<1, R>,
    store_material: Ram<1, R>,
    store_radius: Ram<1, R>,

    // The radius of the sphere whose last word has arrived, with its place in the memories.
    squared: Flop<Bits<32>>,
    inverse: Flop<Bits<32>>,
    sphere_radius: SphereRadius,
    // Cached spheres whose radius is under way.
    settling: Flop<Bits<4>>,

    // Word of the sphere that arrives next, and that it is the last.
    word_number: Flop<Bits<3>>,
    on_last: Flop<Bit>,
    // In the check pass the sphere that arrives, while rendering the one on offer.
    index: Flop<Bits<32>>,
    // The one after it, and whether either is beyond the cache.
    successor: Flop<Bits<32>>,
    beyond_cache: Flop<Bit>,
    successor_beyond: Flop<Bit>,
    // There are more spheres than the cache holds.
    streams: Flop<Bit>,
    // Ring: where the next sphere goes, where the oldest is, how many there are, and with those whose radius is under way.
    write: Flop<Bits<A>>,
    read: Flop<Bits<A>>,
    stored: Flop<Bits<R>>,
    claimed: Flop<Bits<R>>,
    // What the memories read: the place of sphere `index`.
    read_address: Flop<Bits<R>>,
    // The memories' outputs hold sphere `index`.
    valid: Flop<Bit>,
    // The sphere that the memories show went on offer in the clock before.
    took: Flop<Bit>,
    // The sphere on offer, out of registers: centre, radius squared, inverse, radius, material; its index.
    offered: Flop<Bit>,
    offer: [Flop<Bits<32>>; 7],
    offered_index: Flop<Bits<32>>,
    // The ring has a place for a sphere that has not begun to arrive.
    has_space: Flop<Bit>,
    // A word on its way into its store: which store, a bit each; and where to.
    put: Flop<Bits<32>>,
    put_into: Flop<Bits<6>>,
    put_address: Flop<Bits<R>>,

    streamed: Signal<Local, Bit>,
    beyond: Signal<Local, Bits<32>>,
    beyond_words: Signal<Local, Bits<32>>,
    following: Signal<Local, Bits<32>>,
    // Known a clock after the successor, which changes in every third clock at most.
    next_successor: Flop<Bits<32>>,
    moves_on: Signal<Local, Bit>,
    // What stands in `index`, `read` and `stored` after this clock, as far as spheres taken go.
    upcoming: Signal<Local, Bits<32>>,
    upcoming_read: Signal<Local, Bits<A>>,
    upcoming_stored: Signal<Local, Bits<R>>,
    upcoming_streamed: Signal<Local, Bit>,
    shown_streamed: Signal<Local, Bit>,
    next_word: Signal<Local, Bits<3>>,
    next_write: Signal<Local, Bits<A>>,
    next_read: Signal<Local, Bits<A>>,
    one_more: Signal<Local, Bits<R>>,
    one_less: Signal<Local, Bits<R>>,
    upcoming_claimed: Signal<Local, Bits<R>>,
    one_claim_more: Signal<Local, Bits<R>>,
    one_claim_less: Signal<Local, Bits<R>>,
    ring_taken: Signal<Local, Bit>,
    stores: Signal<Local, Bit>,
    settled_address: Signal<Local, Bits<R>>,
    settled_cached: Signal<Local, Bit>,
    settled_in_ring: Signal<Local, Bit>,
    settles: Signal<Local, Bit>,
    one_settling_more: Signal<Local, Bits<4>>,
    one_settling_less: Signal<Local, Bits<4>>,
    puts: Signal<Local, Bits<6>>,
    word_taken: Signal<Local, Bit>,
    sphere_arrived: Signal<Local, Bit>,
    sphere_taken: Signal<Local, Bit>,
    keep: Signal<Local, Bit>,
    write_address: Signal<Local, Bits<R>>,

    cache: Constant<Bits<32>>,
    upper_half: Constant<Bits<R>>,
    last_place: Constant<Bits<R>>,
    cached_bytes: Constant<Bits<32>>,
    _gate: Gate,
}

impl<const A: usize, const R: usize> Default for SphereSource<A, R> {
    fn default() -> Self {
        assert!(A + 1 == R && A <= 16, "R must be A + 1");
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            filling: Default::default(),
            rendering: Default::default(),
            base: Default::default(),
            count: Default::default(),
            word_valid: Default::default(),
            word: Default::default(),
            number: Default::default(),
            word_ready: Default::default(),
            request_valid: Default::default(),
            request_address: Default::default(),
            request_words: Default::default(),
            last_word: Default::default(),
            last_sphere: Default::default(),
            sphere_valid: Default::default(),
            sphere_ready: Default::default(),
            sphere_index: Default::default(),
            centre_x: Default::default(),
            centre_y: Default::default(),
            centre_z: Default::default(),
            radius_squared: Default::default(),
            radius_inverse: Default::default(),
            radius: Default::default(),
            sphere_material: Default::default(),
            store_x: Default::default(),
            store_y: Default::default(),
            store_z: Default::default(),
            store_squared: Default::default(),
            store_inverse: Default::default(),
            store_material: Default::default(),
            store_radius: Default::default(),
            squared: Default::default(),
            inverse: Default::default(),
            sphere_radius: SphereRadius::new(SPHERE_RADIUS_INTERVAL),
            settling: Default::default(),
            word_number: Default::default(),
            on_last: Default::default(),
            index: Default::default(),
            successor: Default::default(),
            beyond_cache: Default::default(),
            successor_beyond: Default::default(),
            streams: Default::default(),
            write: Default::default(),
            read: Default::default(),
            stored: Default::default(),
            claimed: Default::default(),
            valid: Default::default(),
            took: Default::default(),
            offered: Default::default(),
            offer: std::array::from_fn(|_| Default::default()),
            offered_index: Default::default(),
            has_space: Default::default(),
            put: Default::default(),
            put_into: Default::default(),
            put_address: Default::default(),
            puts: Default::default(),
            streamed: Default::default(),
            beyond: Default::default(),
            beyond_words: Default::default(),
            following: Default::default(),
            next_successor: Default::default(),
            moves_on: Default::default(),
            upcoming: Default::default(),
            upcoming_read: Default::default(),
            upcoming_stored: Default::default(),
            upcoming_streamed: Default::default(),
            shown_streamed: Default::default(),
            next_word: Default::default(),
            next_write: Default::default(),
            next_read: Default::default(),
            one_more: Default::default(),
            one_less: Default::default(),
            upcoming_claimed: Default::default(),
            one_claim_more: Default::default(),
            one_claim_less: Default::default(),
            ring_taken: Default::default(),
            stores: Default::default(),
            settled_address: Default::default(),
            settled_cached: Default::default(),
            settled_in_ring: Default::default(),
            settles: Default::default(),
            one_settling_more: Default::default(),
            one_settling_less: Default::default(),
            word_taken: Default::default(),
            sphere_arrived: Default::default(),
            sphere_taken: Default::default(),
            keep: Default::default(),
            write_address: Default::default(),
            read_address: Default::default(),
            cache: Constant::new(bits(1 << A)),
            upper_half: Constant::new(bits(1 << A)),
            last_place: Constant::new(bits((1 << A) - 1)),
            cached_bytes: Constant::new(bits((sphere::LAYOUT.bytes() as u64) << A)),
            _gate: Gate::default(),
        }
    }
}

sleeper! {
    [const A: usize, const R: usize] SphereSource<A, R>,
    inputs: [
        reset_n, filling, rendering, base, count,
        word_valid, word, number, sphere_ready,
    ],
    state: |this| this.word_number.q.changed
        || this.on_last.q.changed
        || this.index.q.changed
        || this.successor.q.changed
        || this.streams.q.changed
        || this.took.q.changed
        || this.offered.q.changed
        || this.offered_index.q.changed
        || this.offer.iter().any(|flop| flop.q.changed)
        || this.next_successor.q.changed
        || this.has_space.q.changed
        || this.put_into.q.changed
        || this.write.q.changed
        || this.read.q.changed
        || this.stored.q.changed
        || this.claimed.q.changed
        || this.read_address.q.changed
        || this.valid.q.changed
        || this.squared.q.changed
        || this.inverse.q.changed
        // A radius is under way.
        || this.settling.q.val() != 0
        || this.claimed.q.val() != this.stored.q.val()
        || [
            &this.store_x, &this.store_y, &this.store_z, &this.store_squared, &this.store_inverse, &this.store_material,
            &this.store_radius,
        ]
        .iter()
        .any(|store| store.read_data[0].changed)
}

impl<const A: usize, const R: usize> Logic for SphereSource<A, R> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            word_number,
            on_last,
            index,
            write,
            read,
            stored,
            claimed,
            valid,
            squared,
            inverse,
            settling
        );
        clock!(self, clock, store_x, store_y, store_z, store_squared, store_inverse, store_material, store_radius);
        dff_setup!(self, clock, successor, beyond_cache, successor_beyond, streams);
        dff_setup!(self, clock, offered, offered_index, read_address);
        dff_setup!(self, clock, took, has_space, put, put_into, put_address, next_successor);
        clock!(self, clock, sphere_radius);

        // The successor of the successor is computed while there is time; what follows 0 before the first sphere comes.
        self.streamed.next = self.beyond_cache.q.val();
        self.last_sphere.next = self.successor.q.val() == 0;
        self.following.next = self.successor.q.val() + 1;
        self.next_successor.d.next = self.following.val();
        if self.following.val() == self.count.val() {
            self.next_successor.d.next = 0.into();
        }

        // Words in.
        // Known a clock late: one place is kept for the sphere that may have begun to arrive meanwhile.
        self.has_space.d.next = self.claimed.q.val() < self.last_place.val();
        self.word_ready.next = self.rendering.val() && self.has_space.q.val();
        self.word_taken.next = self.word_valid.val() && (self.filling.val() || self.word_ready.val());
        self.last_word.next = self.on_last.q.val();
        self.sphere_arrived.next = self.word_taken.val() && self.last_word.val();
        self.next_word.next = self.word_number.q.val() + 1;
        if self.word_taken.val() {
            self.word_number.d.next = self.next_word.val();
            self.on_last.d.next = self.word_number.q.val() == 4;
            if self.on_last.q.val() {
                self.word_number.d.next = 0.into();
            }
        }

        // Into the cache in the check pass, into the ring after it.
        self.keep.next = self.word_taken.val() && (self.rendering.val() || !self.streamed.val());
        self.write_address.next = bit_cast::<R, 32>(self.index.q.val());
        if self.rendering.val() {
            self.write_address.next = bit_cast::<R, A>(self.write.q.val()) | self.upper_half.val();
        }
        self.puts.next = 0.into();
        if self.keep.val() {
            self.puts.next = bits::<6>(1) << self.word_number.q.val();
        }
        self.put_into.d.next = self.puts.val();
        self.put_address.d.next = self.write_address.val();
        self.put.d.next = self.number.val();
        if self.last_word.val() {
            self.put.d.next = self.word.val();
        }
        self.store_x.write_address.next = self.put_address.q.val();
        self.store_y.write_address.next = self.put_address.q.val();
        self.store_z.write_address.next = self.put_address.q.val();
        self.store_squared.write_address.next = self.put_address.q.val();
        self.store_inverse.write_address.next = self.put_address.q.val();
        self.store_material.write_address.next = self.put_address.q.val();
        self.store_x.write_data[0].next = self.put.q.val();
        self.store_y.write_data[0].next = self.put.q.val();
        self.store_z.write_data[0].next = self.put.q.val();
        self.store_squared.write_data[0].next = self.put.q.val();
        self.store_inverse.write_data[0].next = self.put.q.val();
        self.store_material.write_data[0].next = self.put.q.val() & 7;
        self.store_x.write_enable.next = self.put_into.q.val().get_bit(0);
        self.store_y.write_enable.next = self.put_into.q.val().get_bit(1);
        self.store_z.write_enable.next = self.put_into.q.val().get_bit(2);
        self.store_squared.write_enable.next = self.put_into.q.val().get_bit(3);
        self.store_inverse.write_enable.next = self.put_into.q.val().get_bit(4);
        self.store_material.write_enable.next = self.put_into.q.val().get_bit(5);

        // The radius of what is kept, and where it goes. The upper half of the memories is the ring.
        if self.put_into.q.val().get_bit(3) {
            self.squared.d.next = self.put.q.val();
        }
        if self.put_into.q.val().get_bit(4) {
            self.inverse.d.next = self.put.q.val();
        }
        self.stores.next = self.put_into.q.val().get_bit(5);
        self.sphere_radius.reset_n.next = self.reset_n.val() && (self.filling.val() || self.rendering.val());
        self.sphere_radius.start.next = self.stores.val();
        self.sphere_radius.radius_squared.next = self.squared.q.val();
        self.sphere_radius.radius_inverse.next = self.inverse.q.val();
        self.sphere_radius.tag.next = bit_cast::<32, R>(self.put_address.q.val());
        self.settled_address.next = bit_cast::<R, 32>(self.sphere_radius.tag_out.val());
        self.store_radius.write_enable.next = self.sphere_radius.done.val();
        self.store_radius.write_address.next = self.settled_address.val();
        self.store_radius.write_data[0].next = self.sphere_radius.radius.val();
        self.settled_in_ring.next =
            self.sphere_radius.done.val() && (self.settled_address.val() >= self.upper_half.val());
        self.settled_cached.next =
            self.sphere_radius.done.val() && (self.settled_address.val() < self.upper_half.val());
        self.settles.next = self.stores.val() && self.filling.val();
        self.one_settling_more.next = self.settling.q.val() + 1;
        self.one_settling_less.next = self.settling.q.val() - 1;
        if self.settles.val() && !self.settled_cached.val() {
            self.settling.d.next = self.one_settling_more.val();
        }
        if self.settled_cached.val() && !self.settles.val() {
            self.settling.d.next = self.one_settling_less.val();
        }

        // What to read: everything past the cache, once a rotation.
        self.beyond.next = self.count.val() - self.cache.val();
        self.beyond_words.next = (self.beyond.val() << 2) + (self.beyond.val() << 1);
        self.streams.d.next = self.count.val() > self.cache.val();
        self.request_valid.next = self.rendering.val() && self.streams.q.val();
        self.request_address.next = self.base.val() + self.cached_bytes.val();
        self.request_words.next = self.beyond_words.val();

        // Spheres out.
        self.sphere_taken.next = self.valid.q.val() && (!self.offered.q.val() || self.sphere_ready.val());
        self.took.d.next = self.sphere_taken.val();
        self.next_read.next = self.read.q.val() + 1;
        self.one_less.next = self.stored.q.val() - 1;
        self.moves_on.next = self.took.q.val() || (self.filling.val() && self.sphere_arrived.val());
        self.upcoming.next = self.index.q.val();
        self.upcoming_streamed.next = self.beyond_cache.q.val();
        if self.moves_on.val() {
            self.upcoming.next = self.successor.q.val();
            self.upcoming_streamed.next = self.successor_beyond.q.val();
            self.successor.d.next = self.next_successor.q.val();
            self.successor_beyond.d.next = self.next_successor.q.val() >= self.cache.val();
        }
        self.beyond_cache.d.next = self.upcoming_streamed.val();
        self.upcoming_read.next = self.read.q.val();
        self.upcoming_stored.next = self.stored.q.val();
        self.upcoming_claimed.next = self.claimed.q.val();
        self.one_claim_less.next = self.claimed.q.val() - 1;
        self.ring_taken.next = self.took.q.val() && self.streamed.val();
        if self.ring_taken.val() {
            self.upcoming_read.next = self.next_read.val();
            self.upcoming_stored.next = self.one_less.val();
            self.upcoming_claimed.next = self.one_claim_less.val();
        }
        // What the check pass does to the index shows here a clock later.
        self.read_address.d.next = bit_cast::<R, 32>(self.index.q.val());
        self.shown_streamed.next = self.beyond_cache.q.val();
        if self.took.q.val() {
            self.read_address.d.next = bit_cast::<R, 32>(self.successor.q.val());
            self.shown_streamed.next = self.successor_beyond.q.val();
        }
        if self.shown_streamed.val() {
            self.read_address.d.next = bit_cast::<R, A>(self.upcoming_read.val()) | self.upper_half.val();
        }
        self.store_x.read_address.next = self.read_address.q.val();
        self.store_y.read_address.next = self.read_address.q.val();
        self.store_z.read_address.next = self.read_address.q.val();
        self.store_squared.read_address.next = self.read_address.q.val();
        self.store_inverse.read_address.next = self.read_address.q.val();
        self.store_material.read_address.next = self.read_address.q.val();
        self.store_radius.read_address.next = self.read_address.q.val();
        self.index.d.next = self.upcoming.val();
        self.read.d.next = self.upcoming_read.val();
        // A sphere whose radius arrives in this clock can be read from the next on. The one after a sphere taken is in `index`
        // in the second clock, and read in the third.
        self.valid.d.next = (self.count.val() != 0) && (self.settling.q.val() == 0);
        if self.beyond_cache.q.val() {
            self.valid.d.next = self.stored.q.val() != 0;
        }
        if self.took.q.val() {
            self.valid.d.next = false;
        }
        for i in 0..7 {
            self.offer[i].clock.next = self.clock.val();
            self.offer[i].d.next = self.offer[i].q.val();
        }
        if self.sphere_ready.val() {
            self.offered.d.next = false;
        }
        if self.sphere_taken.val() {
            self.valid.d.next = false;
            self.offered.d.next = true;
            self.offered_index.d.next = self.index.q.val();
            self.offer[0].d.next = self.store_x.read_data[0].val();
            self.offer[1].d.next = self.store_y.read_data[0].val();
            self.offer[2].d.next = self.store_z.read_data[0].val();
            self.offer[3].d.next = self.store_squared.read_data[0].val();
            self.offer[4].d.next = self.store_inverse.read_data[0].val();
            self.offer[5].d.next = self.store_radius.read_data[0].val();
            self.offer[6].d.next = self.store_material.read_data[0].val();
        }
        self.sphere_valid.next = self.offered.q.val();
        self.sphere_index.next = self.offered_index.q.val();
        self.centre_x.next = self.offer[0].q.val();
        self.centre_y.next = self.offer[1].q.val();
        self.centre_z.next = self.offer[2].q.val();
        self.radius_squared.next = self.offer[3].q.val();
        self.radius_inverse.next = self.offer[4].q.val();
        self.radius.next = self.offer[5].q.val();
        self.sphere_material.next = self.offer[6].q.val().get_bits::<3>(0);

        // The ring.
        self.next_write.next = self.write.q.val() + 1;
        self.one_more.next = self.stored.q.val() + 1;
        self.one_claim_more.next = self.claimed.q.val() + 1;
        self.claimed.d.next = self.upcoming_claimed.val();
        if self.sphere_arrived.val() {
            self.write.d.next = self.next_write.val();
            self.claimed.d.next = self.one_claim_more.val();
            if self.ring_taken.val() {
                self.claimed.d.next = self.claimed.q.val();
            }
        }
        self.stored.d.next = self.upcoming_stored.val();
        if self.settled_in_ring.val() {
            self.stored.d.next = self.one_more.val();
            if self.ring_taken.val() {
                self.stored.d.next = self.stored.q.val();
            }
        }

        // The check pass fills the cache only; it leaves `index` at 0, where rendering starts.
        if !self.rendering.val() {
            self.valid.d.next = false;
            self.offered.d.next = false;
            self.took.d.next = false;
            self.write.d.next = 0.into();
            self.read.d.next = 0.into();
            self.stored.d.next = 0.into();
            self.claimed.d.next = 0.into();
            if !self.filling.val() {
                self.index.d.next = 0.into();
                self.beyond_cache.d.next = false;
                self.successor.d.next = 1.into();
                if self.count.val() == 1 {
                    self.successor.d.next = 0.into();
                }
                self.successor_beyond.d.next = false;
                self.word_number.d.next = 0.into();
                self.on_last.d.next = false;
                self.settling.d.next = 0.into();
            }
        }
        if !self.reset_n.val() {
            self.valid.d.next = false;
            self.offered.d.next = false;
            self.took.d.next = false;
            self.put_into.d.next = 0.into();
            self.has_space.d.next = false;
            self.write.d.next = 0.into();
            self.read.d.next = 0.into();
            self.stored.d.next = 0.into();
            self.claimed.d.next = 0.into();
            self.index.d.next = 0.into();
            self.beyond_cache.d.next = false;
            self.successor.d.next = 0.into();
            self.successor_beyond.d.next = false;
            self.word_number.d.next = 0.into();
            self.on_last.d.next = false;
            self.settling.d.next = 0.into();
        }
    }
}
