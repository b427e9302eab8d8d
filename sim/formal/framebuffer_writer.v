// The AXI4 framebuffer writer: what it asks of the bus, when it does not, and the first failure reported.
//
// Assumed of the memory: it answers no burst before its address was taken. It may take addresses, beats, and answer, in any clock
// or never, with any code. Pixels, `start`, `stop` and `clear` come in any clock, together or not; `reset_n` may fall in any
// clock, and the memory then forgets what it owes. One burst, any one, is tagged. Which words are in the beats is not proved here.
`include "entry.vh"
`include "failure.vh"
module proof (
    input clock, input reset_n, input start, input [31:0] base_address, input [31:0] stride, input pixel_valid,
    input [23:0] pixel, input end_of_line, input stop, input clear, input awready, input wready, input [1:0] bresp,
    input bvalid, input tag_burst
);
    wire pixel_ready, idle, failed, failed_decode, stalled, awvalid, wvalid, wlast, bready;
    wire [31:0] failed_address, awaddr, wdata;
    wire [7:0] awlen;
    framebuffer_writer dut (
        .clock(clock), .reset_n(reset_n), .start(start), .base_address(base_address), .stride(stride),
        .pixel_valid(pixel_valid), .pixel(pixel), .end_of_line(end_of_line), .pixel_ready(pixel_ready), .stop(stop),
        .idle(idle), .clear(clear), .failed(failed), .failed_decode(failed_decode), .failed_address(failed_address),
        .stalled(stalled), .bus_awaddr(awaddr), .bus_awlen(awlen), .bus_awvalid(awvalid), .bus_awready(awready),
        .bus_wdata(wdata), .bus_wlast(wlast), .bus_wvalid(wvalid), .bus_wready(wready), .bus_bresp(bresp),
        .bus_bvalid(bvalid), .bus_bready(bready)
    );

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (begun || !reset_n);

    // The bus: announced bursts whose last beat is not sent, and those without an answer.
    reg address_waits, quiet;
    reg [39:0] address_was;
    reg [3:0] sending_before;
    wire [3:0] unanswered_before, before;
    wire tagged_burst;
    wire [29:0] first_word;
    wire fresh = awvalid && !address_waits; // First clock of an address.
    wire [3:0] sending = sending_before + fresh;
    wire [3:0] unanswered = unanswered_before + fresh;
    wire finished = wvalid && wready && wlast;
    wire answered = bvalid && bready;
    reg dropping; // Bursts that were under way at a `stop` still are.
    wire flush = stop || dropping;
    always @(*) if (bvalid) assume (unanswered > awvalid);
    always @(posedge clock) begin
        address_waits <= reset_n && awvalid && !awready;
        quiet <= !reset_n || flush || failed;
        address_was <= {awlen, awaddr};
        sending_before <= reset_n ? sending - finished : 0;
        dropping <= reset_n && flush && (sending != 0 || unanswered != 0);
    end
    always @(*)
        if (begun) begin
            if (address_waits) address_held: assert (awvalid && {awlen, awaddr} == address_was);
            if (awvalid) burst_length: assert (awlen < 16 && awaddr[1:0] == 0);
            if (awvalid) burst_page: assert (awaddr[11:2] + awlen < 1024);
            answers_most: assert (unanswered <= 8);
            answers_awaited: assert (bready == (unanswered != 0));
            if (quiet) stopped: assert (!fresh);
        end

    // Pixels taken: where the next one goes, those of the open burst, and bursts that are closed and not announced. A burst
    // closes with its 16th pixel, its row, or its page.
    wire in = pixel_valid && pixel_ready;
    reg [29:0] row, place;
    wire [29:0] next_row = row + stride[31:2];
    reg [3:0] open, closed_before;
    wire closes = end_of_line || open == 15 || place[9:0] == 1023;
    wire [3:0] closed = closed_before - fresh;
    reg due; // A burst can be announced.
    always @(posedge clock) begin
        due <= reset_n && closed != 0 && !flush && !failed && unanswered < 8 && sending < 8 && (!awvalid || awready);
        if (!reset_n) {row, place, open, closed_before} <= 0;
        else begin
            if (start) {row, place} <= {2{base_address[31:2]}};
            else if (in) begin
                place <= end_of_line ? next_row : place + 1;
                if (end_of_line) row <= next_row;
            end
            open <= flush || start || (in && closes) ? 0 : open + in;
            closed_before <= flush ? 0 : closed + (in && closes);
        end
    end
    always @(*)
        if (begun) begin
            if (fresh) prompt_closed: assert (closed_before != 0);
            if (due) prompt_announced: assert (fresh);
        end

    // Failures: the first bad response that counts, with its burst's address, for any one burst.
    wire fails = answered && !flush && !failed && bresp != 0;
    wire seen, first, in_place;
    first_failure #(.A(3)) failure (.clock(clock), .reset_n(reset_n), .clear(clear), .fresh(fresh), .finished(answered),
        .tag(tag_burst), .address(awaddr[31:2]), .fails(fails), .decode(bresp == 3), .offset(30'b0), .failed(failed),
        .failed_decode(failed_decode), .failed_address(failed_address), .earlier(unanswered_before), .tagged(tagged_burst),
        .before(before), .first_word(first_word), .seen(seen), .first(first), .place(in_place));
    always @(*)
        if (begun) begin
            failure_seen: assert (seen);
            failure_first: assert (first);
            failure_place: assert (in_place);
        end

`ifdef INVARIANTS
    (* hierconn *) wire [29:0] \dut.row_q ;
    (* hierconn *) wire [29:0] \dut.word_q ;
    (* hierconn *) wire [29:0] \dut.burst_q ;
    (* hierconn *) wire [3:0] \dut.count_q ;
    (* hierconn *) wire \dut.settled_q ;
    (* hierconn *) wire \dut.ends_burst_q ;
    (* hierconn *) wire [3:0] \dut.sending_q ;
    (* hierconn *) wire \dut.draining_q ;
    (* hierconn *) wire \dut.unanswered.consistent ;
    (* hierconn *) wire [3:0] \dut.unanswered.stored ;
    (* hierconn *) wire [3:0] \dut.unanswered.write_pointer ;
    (* hierconn *) wire [3:0] \dut.unanswered.read_pointer ;
    (* hierconn *) wire [239:0] \dut.unanswered.probe_words ;
    (* hierconn *) wire \dut.addresses.consistent ;
    (* hierconn *) wire [3:0] \dut.addresses.write_pointer ;
    (* hierconn *) wire [3:0] \dut.addresses.read_pointer ;
    (* hierconn *) wire [239:0] \dut.addresses.probe_words ;
    (* hierconn *) wire \dut.lengths.consistent ;
    (* hierconn *) wire [3:0] \dut.lengths.stored ;
    (* hierconn *) wire [3:0] \dut.lengths.write_pointer ;
    (* hierconn *) wire [3:0] \dut.lengths.read_pointer ;
    (* hierconn *) wire [31:0] \dut.lengths.probe_words ;

    // Bursts to be announced stay in their pages.
    reg in_page;
    reg [2:0] entry;
    integer k;
    always @(*) begin
        in_page = 1;
        for (k = 0; k < 8; k = k + 1) begin
            entry = k - \dut.lengths.read_pointer ;
            if (entry < closed && \dut.addresses.probe_words [30 * k +: 10] + \dut.lengths.probe_words [4 * k +: 4] > 1023)
                in_page = 0;
        end
    end
    wire [2:0] newest = \dut.unanswered.write_pointer - 1;
    wire [2:0] tagged_answer = \dut.unanswered.read_pointer + before;
    always @(*)
        if (begun) begin
            invariant_consistent: assert (\dut.addresses.consistent && \dut.lengths.consistent && \dut.unanswered.consistent );
            invariant_place: assert (\dut.row_q == row && \dut.word_q == place && \dut.count_q == open);
            if (\dut.settled_q ) invariant_settled: assert (\dut.ends_burst_q == (open == 15 || place[9:0] == 1023));
            if (open != 0) invariant_open: assert (\dut.burst_q [29:10] == place[29:10]
                && \dut.burst_q [9:0] + open == place[9:0] && \dut.burst_q [9:0] + open <= 1023);
            invariant_bursts: assert (\dut.sending_q == sending && sending <= 8 && closed <= 8);
            invariant_before: assert (sending_before <= 8 && closed_before <= 8 && unanswered_before <= 8);
            invariant_unanswered: assert (\dut.unanswered.stored == unanswered && \dut.draining_q == dropping);
            invariant_closed: assert (\dut.lengths.stored == closed && \dut.addresses.write_pointer == \dut.lengths.write_pointer
                && \dut.addresses.read_pointer == \dut.lengths.read_pointer );
            invariant_in_page: assert (in_page);
            if (awvalid) invariant_newest: assert (unanswered != 0
                && \dut.unanswered.probe_words [30 * newest +: 30] == awaddr[31:2]);
            if (tagged_burst) invariant_first: assert (before < unanswered
                && \dut.unanswered.probe_words [30 * tagged_answer +: 30] == first_word);
        end
`endif
endmodule
