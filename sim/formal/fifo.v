// A queue of 2^SIZE bytes: what is pushed while not full comes to the front once, in order, unchanged.
//
// Nothing is assumed: push while full, pop while empty, `clear` and reset in any clock. One push, any one, is tagged;
// `ahead` counts what must leave before it.
`include "entry.vh"
module proof (input clock, input reset_n, input clear, input push, input [7:0] push_data, input pop, input tag);
    localparam A = `SIZE;
    wire [7:0] front;
    wire empty, full;
    fifo dut (.clock(clock), .reset_n(reset_n), .clear(clear), .push(push), .push_data(push_data), .pop(pop),
        .front(front), .empty(empty), .full(full));

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (begun || !reset_n);

    wire [A:0] stored, ahead;
    wire tagged;
    wire [7:0] data;
    tagged_entry #(.A(A), .W(8)) entries (.clock(clock), .clear(!reset_n || clear), .in(push && !full), .out(pop && !empty),
        .tag(tag), .data_in(push_data), .stored(stored), .tagged(tagged), .ahead(ahead), .data(data));
    always @(*)
        if (begun) begin
            count_empty: assert (empty == (stored == 0));
            count_full: assert (full == (stored == 1 << A));
            if (tagged && ahead == 0) order_front: assert (!empty && front == data);
        end

`ifdef INVARIANTS
    (* hierconn *) wire \dut.consistent ;
    (* hierconn *) wire [A:0] \dut.stored ;
    (* hierconn *) wire [A:0] \dut.read_pointer ;
    (* hierconn *) wire [7:0] \dut.probe_word ;
    (* hierconn *) wire [A-1:0] \dut.probe_place = \dut.read_pointer + ahead;
    always @(*)
        if (begun) begin
            invariant_stored: assert (\dut.consistent && \dut.stored == stored);
            if (tagged) invariant_word: assert (ahead < stored && \dut.probe_word == data);
        end
`endif
endmodule
