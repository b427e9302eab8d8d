// The slots of a lane, 2^SIZE of them: each ray taken is in one slot and meets every sphere once, and is gone after its
// last test or when it was killed, not before and not later.
//
// Assumed of the spheres, as their source promises: they come in turn, from 0 to `sphere_count` - 1 and again, each stays
// until its turn is over, and their number stays, from the clock before a sphere on. There may be none in any clock between. Assumed of the rays: a ray's
// context is not that of the ray in the watched slot, for a context is in one place, and no kill names it in the clock in which it
// is taken or the one before: it was in no slot then. Assumed of kills: where one has named the watched slot's ray, the
// next one for that slot waits for its turn; others name any slot and context in any clock.
// `reset_n` may fall in any clock. What is proved of one slot, any one, holds of each.
module proof (
    input clock, input reset_n,
    input ray_valid, input [12:0] ray_entry, input [31:0] ray_0, input [31:0] ray_1, input [31:0] ray_2,
    input [31:0] ray_3, input [31:0] ray_4, input [31:0] ray_5, input [31:0] ray_start, input ray_inside,
    input sphere_valid, input [31:0] sphere_index, input [31:0] sphere_count,
    input kill, input [`SIZE-1:0] kill_slot, input [9:0] kill_context
);
    localparam A = `SIZE;
    (* anyconst *) wire [A-1:0] watched;
    wire ray_ready, sphere_ready, test_start, test_own, test_inside, test_dead, loaded;
    wire [31:0] test_ray_0, test_ray_1, test_ray_2, test_ray_3, test_ray_4, test_ray_5;
    wire [23:0] test_tag;
    wire [3:0] turn;
    slots dut (
        .clock(clock), .reset_n(reset_n), .ray_valid(ray_valid), .ray_ready(ray_ready), .ray_entry(ray_entry),
        .ray_0(ray_0), .ray_1(ray_1), .ray_2(ray_2), .ray_3(ray_3), .ray_4(ray_4), .ray_5(ray_5),
        .ray_start(ray_start), .ray_inside(ray_inside), .sphere_valid(sphere_valid), .sphere_ready(sphere_ready),
        .sphere_index(sphere_index), .sphere_count(sphere_count), .kill(kill), .kill_slot(kill_slot),
        .kill_context(kill_context), .test_start(test_start), .test_ray_0(test_ray_0), .test_ray_1(test_ray_1),
        .test_ray_2(test_ray_2), .test_ray_3(test_ray_3), .test_ray_4(test_ray_4), .test_ray_5(test_ray_5),
        .test_own(test_own), .test_inside(test_inside), .test_tag(test_tag), .test_dead(test_dead), .turn(turn),
        .loaded(loaded)
    );
    // Fields of a tag.
    wire [12:0] tag_entry = test_tag[12:0];
    wire tag_first = test_tag[13];
    wire tag_last = test_tag[14];
    wire [4:0] tag_slot = test_tag[19:15];
    wire [3:0] tag_turn = test_tag[23:20];

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (begun || !reset_n);

    // The carousel: whose clock it is.
    reg [A-1:0] clock_of;
    reg [3:0] turns;
    wire turn_over = sphere_valid && clock_of == (1 << A) - 1;
    wire [31:0] next_index = sphere_index + 1 == sphere_count ? 0 : sphere_index + 1;
    reg [31:0] due, count; // What comes next while the watched slot holds a ray.
    always @(posedge clock) begin
        clock_of <= reset_n ? clock_of + sphere_valid : 0;
        turns <= reset_n ? turns + turn_over : 0;
        if (sphere_valid) due <= turn_over ? next_index : sphere_index;
        count <= sphere_count;
    end

    // The watched slot: its ray, the sphere that it met first, and whether a kill has named it, in the clock before or earlier.
    wire here = sphere_valid && clock_of == watched;
    reg occupied, named, named_late;
    reg [12:0] entry;
    reg [223:0] ray;
    reg inside;
    reg [31:0] joined_at;
    wire held = occupied && !named;
    wire tested = here && (held || ray_valid);
    wire [12:0] entry_now = held ? entry : ray_entry;
    wire [31:0] joined_now = held ? joined_at : sphere_index;
    wire [223:0] ray_now = held ? ray : {ray_start, ray_5, ray_4, ray_3, ray_2, ray_1, ray_0};
    wire inside_now = held ? inside : ray_inside;
    wire last = next_index == joined_now;
    wire names = kill && kill_slot == watched && occupied && kill_context == entry[9:0];
    reg kill_was;
    reg [9:0] kill_context_was;
    always @(*) begin
        if (occupied) assume (sphere_count == count);
        if (sphere_valid) assume (sphere_count == count && sphere_index < sphere_count && (!occupied || sphere_index == due));
        if (ray_valid && occupied) assume (ray_entry[9:0] != entry[9:0]);
        if (ray_valid && kill) assume (ray_entry[9:0] != kill_context);
        if (ray_valid && kill_was) assume (ray_entry[9:0] != kill_context_was);
        if (kill && kill_slot == watched && (named || named_late)) assume (kill_context == entry[9:0]);
    end
    always @(posedge clock) begin
        kill_was <= reset_n && kill;
        kill_context_was <= kill_context;
        if (!reset_n) {occupied, named, named_late} <= 0;
        else if (here) begin
            occupied <= tested && !last;
            named <= held && !last && named_late;
            named_late <= held && !last && names;
            entry <= entry_now;
            ray <= ray_now;
            inside <= inside_now;
            joined_at <= joined_now;
        end else begin
            named <= named || named_late;
            named_late <= names;
        end
    end
    always @(*)
        if (begun) begin
            turns_slot: assert (tag_slot == clock_of && tag_turn == turns && turn == turns);
            turns_sphere: assert (sphere_ready == (clock_of == (1 << A) - 1));
            if (here) taken_ready: assert (ray_ready == !held);
            if (!sphere_valid) taken_with_a_sphere: assert (!ray_ready);
            taken_loaded: assert (loaded == (ray_ready && ray_valid));
            if (here) tested_while_held: assert (test_start == tested);
            if (!sphere_valid) tested_with_a_sphere: assert (!test_start);
            if (tested) tested_unchanged: assert (tag_entry == entry_now && test_inside == inside_now
                && {test_ray_5, test_ray_4, test_ray_3, test_ray_2, test_ray_1, test_ray_0} == ray_now[191:0]
                && test_own == ((entry_now[10] || entry_now[11]) && ray_now[223:192] == sphere_index));
            if (tested) marked_first: assert (tag_first == !held);
            if (tested) marked_last: assert (tag_last == last);
            if (tested) dead: assert (test_dead == (held && (names || named_late)));
        end

`ifdef INVARIANTS
    (* hierconn *) wire [A-1:0] \dut.phase_q ;
    (* hierconn *) wire [A-1:0] \dut.phase_ahead_q ;
    wire [A-1:0] slot_ahead = clock_of + 1;
    (* hierconn *) wire [3:0] \dut.turn_now_q ;
    (* hierconn *) wire [31:0] \dut.active_q ;
    (* hierconn *) wire \dut.came_q ;
    (* hierconn *) wire \dut.stays_late_q ;
    (* hierconn *) wire [31:0] \dut.lasts_q ;
    (* hierconn *) wire [31:0] \dut.candidate_q ;
    (* hierconn *) wire [31:0] \dut.next_index_q ;
    (* hierconn *) wire [31:0] \dut.pending_q ;
    (* hierconn *) wire [31:0] \dut.here_q ;
    (* hierconn *) wire [31:0] \dut.named_q ;
    (* hierconn *) wire \dut.kill_late_q ;
    (* hierconn *) wire [A-1:0] \dut.kill_slot_late_q ;
    (* hierconn *) wire [9:0] \dut.kill_context_late_q ;
    (* hierconn *) wire [12:0] \dut.entries.read_data ;
    (* hierconn *) wire [12:0] \dut.entries.probe_word ;
    (* hierconn *) wire [A-1:0] \dut.entries.probe_place = watched;
    (* hierconn *) wire [287:0] \dut.rays.probe_read ;
    (* hierconn *) wire [287:0] \dut.rays.probe_word ;
    (* hierconn *) wire [A-1:0] \dut.rays.probe_place = watched;
    (* hierconn *) wire [9:0] \dut.contexts.read_data ;
    (* hierconn *) wire [9:0] \dut.contexts.probe_word ;
    (* hierconn *) wire [A-1:0] \dut.contexts.probe_place = watched;
    (* hierconn *) wire \dut.retaken_q ;
    (* hierconn *) wire \dut.only_q ;
    (* hierconn *) wire \dut.pending_now_q ;
    (* hierconn *) wire \dut.turn_ends_q ;
    wire late_here = \dut.kill_late_q && \dut.kill_slot_late_q == watched;
    wire pending = \dut.pending_q [watched];
    // The ring of who holds a ray turns: bit 0 is of the slot whose clock it is.
    wire [A-1:0] clocks_to_it = watched - clock_of;
    wire at_the_end = clocks_to_it == (1 << A) - 1;
    wire in_ring = \dut.came_q && at_the_end ? \dut.stays_late_q : \dut.active_q [clocks_to_it];
    wire last_in_ring = \dut.came_q && at_the_end ? \dut.candidate_q == \dut.next_index_q : \dut.lasts_q [clocks_to_it];
    // The sphere of the watched slot's next test.
    wire [31:0] after_due = due + 1 == count ? 0 : due + 1;
    wire [31:0] meets = watched >= clock_of ? due : after_due;
    wire [31:0] last_index = joined_at == 0 ? count - 1 : joined_at - 1;
    always @(*)
        if (begun) begin
            invariant_carousel: assert (\dut.phase_q == clock_of && \dut.phase_ahead_q == slot_ahead
                && \dut.turn_now_q == turns);
            invariant_now: assert (\dut.turn_ends_q == (clock_of == (1 << A) - 1)
                && \dut.pending_now_q == \dut.pending_q [clock_of]);
            invariant_decoded: assert (\dut.here_q == 32'd1 << clock_of
                && (!\dut.kill_late_q || \dut.named_q == 32'd1 << \dut.kill_slot_late_q ));
            invariant_active: assert (in_ring == occupied);
            invariant_only: assert (\dut.only_q == (count == 1));
            if (occupied) invariant_ray: assert (\dut.entries.probe_word == entry
                && \dut.rays.probe_word == {31'b0, inside, last_index, ray});
            if (occupied) invariant_last: assert (last_in_ring == (meets == last_index));
            if (occupied && clock_of == watched) invariant_read: assert (\dut.entries.read_data == \dut.entries.probe_word
                && \dut.rays.probe_read == \dut.rays.probe_word );
            if (occupied) invariant_joined: assert (joined_at < count && due < count);
            // Kills.
            invariant_kill_late: assert (\dut.kill_late_q == kill_was
                && (!kill_was || \dut.kill_context_late_q == kill_context_was));
            if (occupied) begin
                invariant_context: assert (\dut.contexts.probe_word == entry[9:0]);
                invariant_named_late: assert (named_late == (late_here && !\dut.retaken_q
                    && \dut.contexts.read_data == kill_context_was));
                invariant_named: assert (named == pending);
            end else invariant_free: assert (!named && !named_late);
        end
`endif
endmodule
