// Staging, of 2^SIZE contexts: every ray that comes is offered once, unchanged, with the data of its context.
//
// One context, any one, is watched. Assumed, as the engine does it: a context is in one place, so no ray of the watched one
// comes while another of its waits here, nor two in a clock, and what it starts from is not written anew; and no more rays
// wait than there are contexts. Rays of all three kinds come in any clock, and are taken in any clock or never; `reset_n`
// may fall in any clock.
module proof (
    input clock, input reset_n, input [31:0] position_0, input [31:0] position_1, input [31:0] position_2,
    input generated, input [`SIZE-1:0] generated_context, input [31:0] direction_0, input [31:0] direction_1,
    input [31:0] direction_2,
    input shaded, input [`SIZE-1:0] shaded_context, input [31:0] shaded_0, input [31:0] shaded_1, input [31:0] shaded_2,
    input [31:0] shaded_3, input [31:0] shaded_4, input [31:0] shaded_5, input [31:0] shaded_6, input [31:0] shaded_7,
    input [31:0] shaded_8, input shaded_inside, input follow, input [12:0] follow_entry,
    input returned, input [12:0] returned_entry,
    input start_write, input [`SIZE-1:0] start_context, input [31:0] start_index, input ray_ready
);
    localparam A = `SIZE, CONTEXTS = 1 << A;
    (* anyconst *) wire [A-1:0] watched;
    wire ray_valid, ray_inside;
    wire [12:0] ray_entry;
    wire [31:0] ray_0, ray_1, ray_2, ray_3, ray_4, ray_5, ray_start;
    staging dut (
        .clock(clock), .reset_n(reset_n), .position_0(position_0), .position_1(position_1), .position_2(position_2),
        .generated(generated), .generated_context(generated_context), .generated_direction_0(direction_0),
        .generated_direction_1(direction_1), .generated_direction_2(direction_2), .shaded(shaded),
        .shaded_context(shaded_context), .shaded_rays_0(shaded_0), .shaded_rays_1(shaded_1), .shaded_rays_2(shaded_2),
        .shaded_rays_3(shaded_3), .shaded_rays_4(shaded_4), .shaded_rays_5(shaded_5), .shaded_rays_6(shaded_6),
        .shaded_rays_7(shaded_7), .shaded_rays_8(shaded_8), .shaded_inside(shaded_inside), .follow(follow),
        .follow_entry(follow_entry), .returned(returned), .returned_entry(returned_entry), .start_write(start_write),
        .start_context(start_context), .start_index(start_index), .ray_valid(ray_valid), .ray_ready(ray_ready),
        .ray_entry(ray_entry), .ray_0(ray_0), .ray_1(ray_1), .ray_2(ray_2), .ray_3(ray_3), .ray_4(ray_4), .ray_5(ray_5),
        .ray_start(ray_start), .ray_inside(ray_inside)
    );

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (begun || !reset_n);

    // The watched context's ray: here since so many clocks, 6 for more; and what is no context in its entry.
    reg [2:0] age;
    reg [2:0] kind; // Carry, reflection, shadow.
    reg [A:0] rays; // All rays that are here.
    wire waits = age != 0;
    wire mine = ray_valid && ray_entry[9:0] == watched;
    wire taken = ray_valid && ray_ready;
    wire is_generated = generated && generated_context == watched;
    wire follows = follow && follow_entry[9:0] == watched;
    wire returns = returned && returned_entry[9:0] == watched;
    wire [1:0] come = generated + follow + returned;
    wire [A+1:0] rays_then = rays + come - taken;
    always @(*) begin
        assume (is_generated + follows + returns + waits <= 3'd1);
        assume (rays_then <= CONTEXTS);
        if (waits && shaded) assume (shaded_context != watched);
        if (waits && start_write) assume (start_context != watched);
    end
    always @(posedge clock)
        if (!reset_n) {age, rays} <= 0;
        else begin
            rays <= rays_then;
            if (is_generated || follows || returns) age <= 1;
            else if (mine && ray_ready) age <= 0;
            else if (waits && age != 6) age <= age + 1;
            if (is_generated) kind <= 0;
            if (follows) kind <= follow_entry[12:10];
            if (returns) kind <= returned_entry[12:10];
        end
    reg held, offered_was;
    reg [12:0] entry_was;
    always @(posedge clock) begin
        offered_was <= reset_n && ray_valid;
        held <= reset_n && ray_valid && !ray_ready;
        entry_was <= ray_entry;
    end

    // What was written last for the watched context.
    reg [95:0] direction;
    reg [288:0] secondary; // Point, direction to the light, reflected direction; and whether they start within.
    reg [31:0] start;
    reg knows_direction = 0, knows_secondary = 0, knows_start = 0;
    always @(posedge clock) begin
        if (generated && generated_context == watched) begin
            knows_direction <= 1;
            direction <= {direction_2, direction_1, direction_0};
        end
        if (shaded && shaded_context == watched) begin
            knows_secondary <= 1;
            secondary <= {shaded_inside, shaded_8, shaded_7, shaded_6, shaded_5, shaded_4, shaded_3, shaded_2, shaded_1, shaded_0};
        end
        if (start_write && start_context == watched) begin
            knows_start <= 1;
            start <= start_index;
        end
    end
    wire [95:0] origin_offered = {ray_2, ray_1, ray_0};
    wire [95:0] direction_offered = {ray_5, ray_4, ray_3};
    wire shadow = ray_entry[10];
    wire reflection = ray_entry[11];
    always @(*)
        if (begun) begin
            // Only what waits, so nothing twice.
            if (mine) once: assert (waits && ray_entry[12:10] == kind);
            if (rays == 0) once_each: assert (!ray_valid);
            // While it has waited for six clocks one is offered in each clock or the one before, so none is lost.
            if (age == 6) soon: assert (ray_valid || offered_was);
            if (held) held_until_taken: assert (ray_valid && ray_entry == entry_was);
            if (mine && !shadow && !reflection) data_primary: assert (origin_offered == {position_2, position_1, position_0}
                && !ray_inside && (!knows_direction || direction_offered == direction));
            if (mine && (shadow || reflection) && knows_secondary) data_secondary: assert (origin_offered == secondary[95:0]
                && direction_offered == (shadow ? secondary[191:96] : secondary[287:192]) && ray_inside == secondary[288]);
            if (mine && knows_start) data_start: assert (ray_start == start);
        end

`ifdef INVARIANTS
    // The watched ray is in one place of one queue, ahead of it, or on offer.
    (* hierconn *) wire [2:0] \dut.generated_queue.write_pointer ;
    (* hierconn *) wire [2:0] \dut.generated_queue.read_pointer ;
    (* hierconn *) wire [2:0] \dut.generated_queue.behind_pointer ;
    (* hierconn *) wire [A*CONTEXTS-1:0] \dut.generated_queue.probe_words ;
    (* hierconn *) wire [A-1:0] \dut.generated_queue.front ;
    (* hierconn *) wire \dut.generated_queue.empty ;
    (* hierconn *) wire [2:0] \dut.shaded_queue.write_pointer ;
    (* hierconn *) wire [2:0] \dut.shaded_queue.read_pointer ;
    (* hierconn *) wire [2:0] \dut.shaded_queue.behind_pointer ;
    (* hierconn *) wire [13*CONTEXTS-1:0] \dut.shaded_queue.probe_words ;
    (* hierconn *) wire [12:0] \dut.shaded_queue.front ;
    (* hierconn *) wire \dut.shaded_queue.empty ;
    (* hierconn *) wire [2:0] \dut.returned_queue.write_pointer ;
    (* hierconn *) wire [2:0] \dut.returned_queue.read_pointer ;
    (* hierconn *) wire [2:0] \dut.returned_queue.behind_pointer ;
    (* hierconn *) wire [13*CONTEXTS-1:0] \dut.returned_queue.probe_words ;
    (* hierconn *) wire [12:0] \dut.returned_queue.front ;
    (* hierconn *) wire \dut.returned_queue.empty ;
    (* hierconn *) wire [1:0] \dut.picked.read_pointer ;
    (* hierconn *) wire [1:0] \dut.picked.stored ;
    (* hierconn *) wire \dut.picked.consistent ;
    (* hierconn *) wire [25:0] \dut.picked.probe_words ;
    (* hierconn *) wire \dut.coming_q ;
    (* hierconn *) wire \dut.from_returned_q ;
    (* hierconn *) wire \dut.from_shaded_q ;
    (* hierconn *) wire [12:0] \dut.returned_late_q ;
    (* hierconn *) wire [12:0] \dut.shaded_late_q ;
    (* hierconn *) wire [A-1:0] \dut.generated_late_q ;
    (* hierconn *) wire \dut.valid_q ;
    (* hierconn *) wire \dut.settled_q ;
    (* hierconn *) wire [12:0] \dut.entry_q ;
    (* hierconn *) wire [31:0] \dut.primary_late_0_q ;
    (* hierconn *) wire [31:0] \dut.primary_late_1_q ;
    (* hierconn *) wire [31:0] \dut.primary_late_2_q ;
    (* hierconn *) wire [31:0] \dut.secondary_late_0_q ;
    (* hierconn *) wire [31:0] \dut.secondary_late_1_q ;
    (* hierconn *) wire [31:0] \dut.secondary_late_2_q ;
    (* hierconn *) wire [31:0] \dut.secondary_late_3_q ;
    (* hierconn *) wire [31:0] \dut.secondary_late_4_q ;
    (* hierconn *) wire [31:0] \dut.secondary_late_5_q ;
    (* hierconn *) wire [31:0] \dut.secondary_late_6_q ;
    (* hierconn *) wire [31:0] \dut.secondary_late_7_q ;
    (* hierconn *) wire [31:0] \dut.secondary_late_8_q ;
    (* hierconn *) wire \dut.inside_late_q ;
    (* hierconn *) wire [31:0] \dut.start_late_q ;
    wire [95:0] primary_late = {\dut.primary_late_2_q , \dut.primary_late_1_q , \dut.primary_late_0_q };
    wire [288:0] secondary_late = {\dut.inside_late_q , \dut.secondary_late_8_q , \dut.secondary_late_7_q ,
        \dut.secondary_late_6_q , \dut.secondary_late_5_q , \dut.secondary_late_4_q , \dut.secondary_late_3_q ,
        \dut.secondary_late_2_q , \dut.secondary_late_1_q , \dut.secondary_late_0_q };
    wire staged = \dut.valid_q && \dut.entry_q [9:0] == watched;
    (* hierconn *) wire [95:0] \dut.primary.probe_word ;
    (* hierconn *) wire [319:0] \dut.secondary.probe_word ;
    (* hierconn *) wire [31:0] \dut.start.probe_word ;
    (* hierconn *) wire [A-1:0] \dut.primary.probe_place = watched;
    (* hierconn *) wire [A-1:0] \dut.secondary.probe_place = watched;
    (* hierconn *) wire [A-1:0] \dut.start.probe_place = watched;
    (* hierconn *) wire [95:0] \dut.primary.probe_read ;
    (* hierconn *) wire [319:0] \dut.secondary.probe_read ;
    (* hierconn *) wire [31:0] \dut.start.probe_read ;
    wire [2:0] generated_stored = \dut.generated_queue.write_pointer - \dut.generated_queue.read_pointer ;
    wire [2:0] shaded_stored = \dut.shaded_queue.write_pointer - \dut.shaded_queue.read_pointer ;
    wire [2:0] returned_stored = \dut.returned_queue.write_pointer - \dut.returned_queue.read_pointer ;
    wire [2:0] generated_behind = \dut.generated_queue.read_pointer + 1;
    wire [2:0] shaded_behind = \dut.shaded_queue.read_pointer + 1;
    wire [2:0] returned_behind = \dut.returned_queue.read_pointer + 1;
    wire [1:0] picked_stored = \dut.picked.stored ;
    wire [A-1:0] generated_next = \dut.generated_queue.read_pointer ;
    wire [A-1:0] shaded_next = \dut.shaded_queue.read_pointer ;
    wire [A-1:0] returned_next = \dut.returned_queue.read_pointer ;
    wire [A-1:0] generated_newest = \dut.generated_queue.write_pointer - 1;
    wire [A-1:0] shaded_newest = \dut.shaded_queue.write_pointer - 1;
    wire [A-1:0] returned_newest = \dut.returned_queue.write_pointer - 1;
    wire [A-1:0] newest_generated = \dut.generated_queue.probe_words [A * generated_newest +: A];
    wire [12:0] newest_shaded = \dut.shaded_queue.probe_words [13 * shaded_newest +: 13];
    wire [12:0] newest_returned = \dut.returned_queue.probe_words [13 * returned_newest +: 13];
    reg pushed_generated, pushed_shaded, pushed_returned;
    always @(posedge clock) {pushed_generated, pushed_shaded, pushed_returned} <= {3{reset_n}} & {generated, follow, returned};
    integer k;
    reg [3:0] places;
    reg changed, in_queue, is_coming, in_picked;
    reg [A-1:0] at;
    reg here;
    reg [12:0] entry;
    always @(*) begin
        {places, changed, in_queue, is_coming, in_picked} = 0;
        for (k = 0; k < 3 * CONTEXTS + 4; k = k + 1) begin
            at = k;
            if (k < CONTEXTS) begin
                at = at - generated_next;
                here = at < generated_stored;
                entry = \dut.generated_queue.probe_words [A * (k % CONTEXTS) +: A];
            end else if (k < 2 * CONTEXTS) begin
                at = at - shaded_next;
                here = at < shaded_stored;
                entry = \dut.shaded_queue.probe_words [13 * (k % CONTEXTS) +: 13];
            end else if (k < 3 * CONTEXTS) begin
                at = at - returned_next;
                here = at < returned_stored;
                entry = \dut.returned_queue.probe_words [13 * (k % CONTEXTS) +: 13];
            end else if (k < 3 * CONTEXTS + 2) begin
                here = picked_stored == 2 || picked_stored == 1 && \dut.picked.read_pointer [0] == k % 2;
                entry = \dut.picked.probe_words [13 * (k % 2) +: 13];
            end else if (k == 3 * CONTEXTS + 2) begin
                here = \dut.coming_q ;
                entry = \dut.from_returned_q ? \dut.returned_late_q : \dut.from_shaded_q ? \dut.shaded_late_q
                    : {{(13 - A){1'b0}}, \dut.generated_late_q };
            end else begin
                here = \dut.valid_q ;
                entry = \dut.entry_q ;
            end
            if (here && entry[9:0] == watched) begin
                if (places != 4'hf) places = places + 1;
                if (entry[12:10] != kind) changed = 1;
                if (k < 3 * CONTEXTS) in_queue = 1;
                else if (k < 3 * CONTEXTS + 2) in_picked = 1;
                else if (k == 3 * CONTEXTS + 2) is_coming = 1;
            end
        end
        // A reset leaves memories as they are.
        if (knows_direction) invariant_direction: assert (\dut.primary.probe_word == direction);
        if (knows_secondary) invariant_secondary: assert (\dut.secondary.probe_word == {31'b0, secondary});
        if (knows_start) invariant_start: assert (\dut.start.probe_word == start);
        if (begun) begin
            invariant_once: assert (places == waits);
            invariant_unchanged: assert (!changed);
            invariant_consistent: assert (\dut.picked.consistent );
            invariant_rays: assert (rays == 5'd0 + generated_stored + shaded_stored + returned_stored + picked_stored + \dut.coming_q + \dut.valid_q
                && rays <= CONTEXTS);
            invariant_newest: assert ((age == 1) == (pushed_generated && newest_generated == watched
                || pushed_shaded && newest_shaded[9:0] == watched || pushed_returned && newest_returned[9:0] == watched));
            invariant_age: assert (age <= 6 && (age != 1 || in_queue) && (age != 2 || in_queue)
                && (age != 3 || in_queue || is_coming));
            if (\dut.coming_q ) invariant_room: assert (picked_stored != 2);
            if (age >= 3 && !staged) invariant_picked: assert (\dut.coming_q || picked_stored != 0);
            if (age >= 4 && !staged && (\dut.settled_q || !\dut.valid_q )) invariant_next: assert (picked_stored != 0);
            if (age >= 5) invariant_staged: assert (\dut.valid_q );
            if (age == 6) invariant_settled: assert (\dut.settled_q || offered_was);
            if (\dut.settled_q ) invariant_valid: assert (\dut.valid_q );
            invariant_behind: assert (\dut.generated_queue.behind_pointer == generated_behind
                && \dut.shaded_queue.behind_pointer == shaded_behind
                && \dut.returned_queue.behind_pointer == returned_behind);
            invariant_stored: assert (generated_stored <= CONTEXTS && shaded_stored <= CONTEXTS
                && returned_stored <= CONTEXTS);
            invariant_pushed: assert (pushed_generated <= generated_stored && pushed_shaded <= shaded_stored
                && pushed_returned <= returned_stored);
            invariant_empty: assert (\dut.generated_queue.empty == (generated_stored == pushed_generated)
                && \dut.shaded_queue.empty == (shaded_stored == pushed_shaded)
                && \dut.returned_queue.empty == (returned_stored == pushed_returned));
            if (!\dut.generated_queue.empty ) invariant_generated_front: assert (\dut.generated_queue.front
                == \dut.generated_queue.probe_words [A * generated_next +: A]);
            if (!\dut.shaded_queue.empty ) invariant_shaded_front: assert (\dut.shaded_queue.front
                == \dut.shaded_queue.probe_words [13 * shaded_next +: 13]);
            if (!\dut.returned_queue.empty ) invariant_returned_front: assert (\dut.returned_queue.front
                == \dut.returned_queue.probe_words [13 * returned_next +: 13]);
            if (staged) invariant_read: assert (\dut.primary.probe_read == \dut.primary.probe_word
                && \dut.secondary.probe_read == \dut.secondary.probe_word && \dut.start.probe_read == \dut.start.probe_word );
            if (mine) invariant_late: assert (primary_late == \dut.primary.probe_word
                && secondary_late == \dut.secondary.probe_word [288:0] && \dut.start_late_q == \dut.start.probe_word );
        end
    end
`endif
endmodule
