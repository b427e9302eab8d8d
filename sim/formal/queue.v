// A queue of 2^SIZE bytes without `full`: what is pushed comes to the front once, in order, unchanged.
//
// Assumed, as the block's head demands: no more than 2^SIZE entries ever wait. Pops while empty and resets come in any
// clock. One push, any one, is tagged; `ahead` counts what must leave before it.
module proof (input clock, input reset_n, input push, input [7:0] push_data, input pop, input tag);
    localparam A = `SIZE;
    wire [7:0] front;
    wire empty;
    queue dut (.clock(clock), .reset_n(reset_n), .push(push), .push_data(push_data), .pop(pop), .front(front),
        .empty(empty));

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (begun || !reset_n);

    wire out = pop && !empty;
    reg [A:0] stored, ahead;
    reg tagged, pushed, fresh;
    reg [7:0] data;
    always @(*) if (push && reset_n) assume (stored - out < 1 << A);
    always @(posedge clock)
        if (!reset_n) begin
            stored <= 0;
            pushed <= 0;
            tagged <= 0;
        end else begin
            stored <= stored + push - out;
            pushed <= push;
            fresh <= 0;
            if (!tagged && push && tag) begin
                tagged <= 1;
                fresh <= 1;
                ahead <= stored - out;
                data <= push_data;
            end else if (tagged && out) begin
                tagged <= ahead != 0;
                ahead <= ahead - 1;
            end
        end
    // What was pushed in the clock before is stored, but is not at the front yet.
    wire [A:0] settled = stored - pushed;
    always @(*)
        if (begun) begin
            count_empty: assert (empty == (settled == 0));
            if (tagged && ahead == 0 && !fresh) order_front: assert (!empty && front == data);
        end

`ifdef INVARIANTS
    (* hierconn *) wire [A:0] \dut.write_pointer ;
    (* hierconn *) wire [A:0] \dut.read_pointer ;
    (* hierconn *) wire [A:0] \dut.behind_pointer ;
    wire [A:0] behind = \dut.read_pointer + 1'b1;
    (* hierconn *) wire [7:0] \dut.probe_word ;
    (* hierconn *) wire [A-1:0] \dut.probe_place = \dut.read_pointer + ahead;
    wire [A:0] between = \dut.write_pointer - \dut.read_pointer ;
    always @(*)
        if (begun) begin
            invariant_behind: assert (\dut.behind_pointer == behind);
            invariant_stored: assert (between == stored && stored <= 1 << A && stored >= pushed);
            if (tagged) invariant_word: assert (ahead < stored && \dut.probe_word == data);
            if (tagged && fresh) invariant_fresh: assert (pushed && ahead == stored - 1'b1);
        end
`endif
endmodule
