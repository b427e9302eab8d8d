// The reorder window of 2^SIZE places: every pixel leaves once, in the order in which the places were opened, with the
// colour that was written at its place.
//
// Assumed, as the engine does it: a place is opened only while there is room, and a colour is written once at each open
// place, with the lap that `place` gave. One place, any one, is watched through all its laps; what happens at the others
// is free. The pixel output may stall for ever; `reset_n` may fall in any clock.
module proof (
    input clock, input reset_n, input open, input write, input [15:0] write_place, input [23:0] write_colour,
    input pixel_ready
);
    localparam A = `SIZE;
    (* anyconst *) wire [A-1:0] watched;
    wire room, pixel_valid, idle;
    wire [15:0] place; // Index in 14:0, lap in 15.
    wire [23:0] pixel;
    window dut (.clock(clock), .reset_n(reset_n), .open(open), .room(room), .place(place), .write(write),
        .write_place(write_place), .write_colour(write_colour), .pixel_valid(pixel_valid), .pixel_ready(pixel_ready),
        .pixel(pixel), .idle(idle));

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (begun || !reset_n);

    wire out = pixel_valid && pixel_ready;
    reg [A-1:0] next, leaving;
    reg [A:0] opened;
    reg is_open, is_written, is_settled, is_readable, lap;
    reg left, left_late; // A pixel left in the clock before, in the one before that.
    reg [23:0] colour;
    wire here = write && write_place[A-1:0] == watched;
    always @(*) begin
        if (open) assume (room);
        if (write) assume (write_place[14:0] < 1 << A);
        if (here) assume (is_open && !is_written && write_place[15] == lap);
    end
    always @(posedge clock)
        if (!reset_n) begin
            {next, leaving, opened, is_open, is_written, is_settled, is_readable, left, left_late} <= 0;
        end else begin
            next <= next + open;
            leaving <= leaving + out;
            opened <= opened + open - out;
            left <= out;
            left_late <= left;
            if (open && next == watched) begin
                is_open <= 1;
                is_written <= 0;
                is_settled <= 0;
                is_readable <= 0;
                lap <= place[15];
            end else if (out && leaving == watched) is_open <= 0;
            if (here) begin
                is_written <= 1;
                colour <= write_colour;
            end else if (!(open && next == watched)) is_settled <= is_written;
            if (!(open && next == watched)) is_readable <= is_settled;
        end
    always @(*)
        if (begun) begin
            places_in_turn: assert (place[14:0] == next);
            if (room && next == watched) places_free: assert (!is_open);
            count_most: assert (opened <= 1 << A && (!room || opened < 1 << A));
            count_idle: assert (idle == (opened == 0));
            // Three clocks after it was written, if it is the next in order and the one before it left three clocks ago or
            // earlier; before, and without it, nothing.
            if (leaving == watched)
                order_valid: assert (pixel_valid == (is_open && is_readable && !left && !left_late));
            if (leaving == watched && pixel_valid) order_colour: assert (pixel == colour);
        end

`ifdef INVARIANTS
    (* hierconn *) wire \dut.clearing_q ;
    (* hierconn *) wire [A-1:0] \dut.cleared_q ;
    (* hierconn *) wire [A-1:0] \dut.head_q ;
    (* hierconn *) wire \dut.head_lap_q ;
    (* hierconn *) wire [A-1:0] \dut.tail_q ;
    (* hierconn *) wire \dut.tail_lap_q ;
    (* hierconn *) wire \dut.empty_q ;
    (* hierconn *) wire \dut.full_q ;
    (* hierconn *) wire \dut.collided_q ;
    (* hierconn *) wire \dut.seen_q ;
    (* hierconn *) wire \dut.moved_q ;
    (* hierconn *) wire \dut.moved_late_q ;
    (* hierconn *) wire [31:0] \dut.found_q ;
    (* hierconn *) wire [31:0] \dut.colours.read_data_0 ;
    (* hierconn *) wire [31:0] \dut.colours.probe_word ;
    // The watched place is the next to leave, and was so when what has been read was read.
    wire here_read = leaving == watched && !left;
    wire here_found = here_read && !left_late && is_open;
    wire is_clear = is_open || !\dut.clearing_q || watched < \dut.cleared_q ;
    (* hierconn *) wire [A-1:0] \dut.colours.probe_place = watched;
    wire [A:0] between = {\dut.head_lap_q , \dut.head_q } - {\dut.tail_lap_q , \dut.tail_q };
    wire [A-1:0] distance = watched - \dut.tail_q ;
    // Lap of the watched place: of its opening, or of the next one.
    wire open_lap = watched >= \dut.tail_q ? !\dut.tail_lap_q : \dut.tail_lap_q ;
    wire next_lap = watched >= \dut.head_q ? !\dut.head_lap_q : \dut.head_lap_q ;
    always @(*)
        if (begun) begin
            invariant_pointers: assert (\dut.head_q == next && \dut.tail_q == leaving && between == opened);
            invariant_open: assert (is_open == (distance < opened));
            if (\dut.clearing_q ) invariant_clearing: assert (!\dut.head_lap_q && \dut.head_q <= \dut.cleared_q );
            if (is_open) invariant_lap: assert (lap == open_lap && (!\dut.clearing_q || watched < \dut.cleared_q ));
            if (is_open) invariant_mark: assert (\dut.colours.probe_word [24] == (is_written ? lap : !lap));
            if (is_open && is_written) invariant_colour: assert (\dut.colours.probe_word [23:0] == colour);
            if (!is_open && (!\dut.clearing_q || watched < \dut.cleared_q ))
                invariant_clear: assert (\dut.colours.probe_word [24] != next_lap);
            if (is_settled) invariant_settled: assert (is_written || !is_open);
            if (is_readable) invariant_readable: assert (is_settled || !is_open);
            invariant_flags: assert (\dut.empty_q == (opened == 0) && \dut.full_q == (opened == 1 << A));
            invariant_moved: assert (\dut.moved_q == left && \dut.moved_late_q == left_late);
            // What is on its way from the memory.
            if (here_read && is_clear && !\dut.collided_q )
                invariant_read: assert (\dut.colours.read_data_0 == \dut.colours.probe_word );
            if (here_read && is_open) invariant_collides: assert (\dut.collided_q == (is_written && !is_settled));
            if (here_found && is_settled) invariant_seen: assert (\dut.seen_q == is_readable);
            if (here_found && \dut.seen_q ) begin
                invariant_found: assert (\dut.found_q [24] == (is_settled ? lap : !lap));
                if (is_settled) invariant_found_colour: assert (\dut.found_q [23:0] == colour);
            end
        end
`endif
endmodule
