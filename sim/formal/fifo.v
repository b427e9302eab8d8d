// A queue of 2^SIZE bytes: what is pushed while not full comes to the front once, in order, unchanged.
//
// Nothing is assumed: push while full, pop while empty, `clear` and reset in any clock. One push, any one, is tagged;
// `ahead` counts what must leave before it. BLOCK: the queue in block RAM, whose front is a register.
module proof (input clock, input reset_n, input clear, input push, input [7:0] push_data, input pop, input tag);
    localparam A = `SIZE;
    wire [7:0] front;
    wire empty, full;
    fifo dut (.clock(clock), .reset_n(reset_n), .clear(clear), .push(push), .push_data(push_data), .pop(pop),
        .front(front), .empty(empty), .full(full));

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (begun || !reset_n);

    wire in = push && !full;
    wire out = pop && !empty;
    reg [A:0] stored, ahead;
    reg tagged;
    reg [7:0] data;
    always @(posedge clock)
        if (!reset_n || clear) begin
            stored <= 0;
            tagged <= 0;
        end else begin
            stored <= stored + in - out;
            if (!tagged && in && tag) begin
                tagged <= 1;
                ahead <= stored - out;
                data <= push_data;
            end else if (tagged && out) begin
                tagged <= ahead != 0;
                ahead <= ahead - 1;
            end
        end
    always @(*)
        if (begun) begin
            count_empty: assert (empty == (stored == 0));
            count_full: assert (full == (stored == 1 << A));
            if (tagged && ahead == 0) order_front: assert (!empty && front == data);
        end

`ifdef INVARIANTS
    (* hierconn *) wire [A:0] \dut.write_pointer ;
    (* hierconn *) wire [A:0] \dut.read_pointer ;
    (* hierconn *) wire [7:0] \dut.probe_word ;
    (* hierconn *) wire [A-1:0] \dut.probe_place = \dut.read_pointer + ahead;
    (* hierconn *) wire [A:0] \dut.behind_pointer ;
    wire [A:0] between = \dut.write_pointer - \dut.read_pointer ;
    wire [A:0] after_front = \dut.read_pointer + 1;
    always @(*)
        if (begun) begin
            invariant_stored: assert (between == stored && stored <= 1 << A);
            invariant_behind: assert (\dut.behind_pointer == after_front);
            if (tagged) invariant_ahead: assert (ahead < stored);
        end
`ifdef BLOCK
    (* hierconn *) wire [7:0] \dut.behind ;
    always @(*)
        if (begun) begin
            if (tagged && ahead == 1) invariant_second: assert (\dut.behind == data);
            if (tagged && ahead != 0) invariant_word: assert (\dut.probe_word == data);
        end
`else
    always @(*) if (begun && tagged) invariant_word: assert (\dut.probe_word == data);
`endif
`endif
endmodule
