// The AXI4 read master: the rules of the bus, every request read whole and in order, its words delivered once and in
// order, and the first failure reported.
//
// Assumed of the memory: it answers bursts in the order of their addresses, no beat before its address was taken, `rlast` with
// a burst's last beat and no other. It may answer any code on any beat, at any time or never. Nothing is assumed of the
// consumer, of requests, `stop`, `clear`; `reset_n` may fall in any clock, and the memory then forgets what it owes.
// One word, any one that counts, is tagged; `words_ahead` counts the words that must be taken before it.
`include "entry.vh"
`include "failure.vh"
module proof (
    input clock, input reset_n,
    input request_valid, input [31:0] request_address, input [31:0] request_words, input data_ready, input stop,
    input clear, input arready, input [31:0] rdata, input [1:0] rresp, input rlast, input rvalid,
    input tag_burst, input tag_word
);
    wire request_ready, data_valid, failed, failed_decode, idle, stalled, arvalid, rready;
    wire [31:0] data, failed_address, araddr;
    wire [7:0] arlen;
    read_master dut (
        .clock(clock), .reset_n(reset_n), .request_valid(request_valid), .request_address(request_address),
        .request_words(request_words), .request_ready(request_ready), .data_valid(data_valid), .data(data),
        .data_ready(data_ready), .failed(failed), .failed_decode(failed_decode), .failed_address(failed_address),
        .stop(stop), .idle(idle), .clear(clear), .stalled(stalled), .bus_araddr(araddr), .bus_arlen(arlen),
        .bus_arvalid(arvalid), .bus_arready(arready), .bus_rdata(rdata), .bus_rresp(rresp), .bus_rlast(rlast),
        .bus_rvalid(rvalid), .bus_rready(rready)
    );

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (begun || !reset_n);

    // Bursts: those offered or under way, oldest first, each with its beats less one.
    reg waits, quiet; // An address waited in the clock before; none might be started after it.
    reg [39:0] address_was;
    wire [2:0] earlier, before;
    wire tagged_burst;
    wire [29:0] first_word;
    reg [15:0] lengths, lengths_now;
    reg [3:0] beat;
    wire fresh = arvalid && !waits; // First clock of an address.
    wire [2:0] under_way = earlier + fresh;
    wire taken = rvalid && rready;
    wire finished = taken && rlast;
    always @(*) begin
        lengths_now = lengths;
        if (fresh) lengths_now[4 * earlier[1:0] +: 4] = arlen[3:0];
        if (rvalid) assume (under_way > arvalid && rlast == (beat == lengths_now[3:0]));
    end
    reg dropping; // Bursts that were under way at a `stop` or `clear` still are.
    wire flush = stop || clear || dropping;
    always @(posedge clock) begin
        waits <= reset_n && arvalid && !arready;
        quiet <= !reset_n || flush || failed;
        address_was <= {arlen, araddr};
        lengths <= finished ? lengths_now >> 4 : lengths_now;
        beat <= !reset_n || finished ? 0 : beat + taken;
        dropping <= reset_n && flush && under_way != 0;
    end
    always @(*)
        if (begun) begin
            if (waits) address_held: assert (arvalid && {arlen, araddr} == address_was);
            if (arvalid) burst_length: assert (arlen < 16 && araddr[1:0] == 0);
            if (arvalid) burst_page: assert (araddr[11:2] + arlen < 1024);
            outstanding_most: assert (under_way <= 4);
            if (under_way != 0) outstanding_ready: assert (rready);
            if (quiet) stopped: assert (!fresh);
        end

    // Requests: what of the one taken last is still to be asked for.
    reg [29:0] word;
    reg [31:0] left;
    wire [31:0] asked = fresh ? arlen + 1 : 0;
    wire [29:0] word_now = word + asked;
    wire [31:0] left_now = left - asked;
    wire [10:0] to_page = 11'd1024 - word[9:0];
    wire [31:0] longest = to_page < 16 ? to_page : 16;
    always @(posedge clock)
        if (!reset_n || flush) left <= 0;
        else if (request_valid && request_ready) begin
            left <= request_words;
            word <= request_address[31:2];
        end else begin
            left <= left_now;
            word <= word_now;
        end
    always @(*)
        if (begun) begin
            if (fresh) request_in_order: assert (araddr[31:2] == word && asked == (left < longest ? left : longest));
            if (request_ready) request_whole: assert (left_now == 0);
        end

    // Failures: the first bad beat that counts, with its address, for any one burst.
    wire fails = taken && !flush && !failed && rresp != 0;
    wire seen, first, in_place;
    first_failure #(.A(2)) failure (.clock(clock), .reset_n(reset_n), .clear(clear), .fresh(fresh), .finished(finished),
        .tag(tag_burst), .address(araddr[31:2]), .fails(fails), .decode(rresp == 3), .offset({26'b0, beat}), .failed(failed),
        .failed_decode(failed_decode), .failed_address(failed_address), .earlier(earlier), .tagged(tagged_burst),
        .before(before), .first_word(first_word), .seen(seen), .first(first), .place(in_place));
    always @(*)
        if (begun) begin
            failure_seen: assert (seen);
            failure_first: assert (first);
            failure_place: assert (in_place);
        end

    // Words: those that count came with OKAY, before any failure, and not after a `stop` or `clear`.
    wire in = taken && !flush && !failed && rresp == 0;
    wire [6:0] stored, words_ahead;
    wire tagged_word;
    wire [31:0] word_data;
    tagged_entry #(.A(6), .W(32)) words (.clock(clock), .clear(!reset_n || flush), .in(in), .out(data_valid && data_ready),
        .tag(tag_word), .data_in(rdata), .stored(stored), .tagged(tagged_word), .ahead(words_ahead), .data(word_data));
    always @(*)
        if (begun) begin
            words_offered: assert (data_valid == (stored != 0));
            if (tagged_word && words_ahead == 0) words_order: assert (data_valid && data == word_data);
            words_idle: assert (idle == (stored == 0 && under_way == 0));
        end

`ifdef INVARIANTS
    (* hierconn *) wire \dut.active_q ;
    (* hierconn *) wire [29:0] \dut.next_word_q ;
    (* hierconn *) wire [31:0] \dut.remaining_q ;
    (* hierconn *) wire [4:0] \dut.burst_q ;
    (* hierconn *) wire \dut.burst_known_q ;
    (* hierconn *) wire \dut.last_burst_q ;
    (* hierconn *) wire \dut.bursts.consistent ;
    (* hierconn *) wire [2:0] \dut.bursts.stored ;
    (* hierconn *) wire \dut.words.consistent ;
    (* hierconn *) wire [6:0] \dut.words.stored ;
    wire [4:0] to_edge = \dut.next_word_q [9:4] == 63 ? 16 - \dut.next_word_q [3:0] : 16;
    wire [4:0] next_beats = \dut.remaining_q < to_edge ? \dut.remaining_q : to_edge;
    (* hierconn *) wire [2:0] \dut.outstanding_q ;
    (* hierconn *) wire \dut.room_q ;
    (* hierconn *) wire [3:0] \dut.beat_q ;
    (* hierconn *) wire \dut.draining_q ;
    (* hierconn *) wire [2:0] \dut.bursts.read_pointer ;
    (* hierconn *) wire [29:0] \dut.bursts.probe_word ;
    (* hierconn *) wire [29:0] \dut.bursts.probe_last ;
    (* hierconn *) wire [1:0] \dut.bursts.probe_place = \dut.bursts.read_pointer + before;
    always @(*)
        if (begun) begin
            invariant_request: assert (\dut.active_q || left_now == 0);
            if (\dut.active_q && left_now == 0) invariant_no_word: assert (!\dut.burst_known_q && \dut.remaining_q == 0);
            if (left_now != 0) invariant_rest: assert (\dut.next_word_q == word_now && \dut.remaining_q == left_now);
            invariant_consistent: assert (\dut.bursts.consistent && \dut.words.consistent );
            invariant_bursts: assert (\dut.outstanding_q == under_way && \dut.bursts.stored == under_way);
            if (\dut.burst_known_q ) invariant_next: assert (\dut.burst_q == next_beats
                && \dut.last_burst_q == (\dut.remaining_q == next_beats));
            invariant_beat: assert (\dut.beat_q == beat && (under_way > arvalid ? beat <= lengths_now[3:0] : beat == 0));
            invariant_dropping: assert (\dut.draining_q == dropping);
            if (arvalid) invariant_last: assert (under_way != 0 && \dut.bursts.probe_last == araddr[31:2]);
            if (tagged_burst) invariant_first: assert (before < under_way && \dut.bursts.probe_word == first_word);
        end

    // There is room for every word to come, and the queue shows what it holds. `to_come` has for each burst the beats until
    // its end, those of the bursts before it among them.
    reg [6:0] expected_before;
    reg [27:0] to_come, to_come_now, to_come_then;
    wire [6:0] expected = expected_before + asked;
    integer k;
    always @(*) begin
        to_come_now = to_come;
        if (fresh) to_come_now[7 * earlier[1:0] +: 7] = expected;
        for (k = 0; k < 4; k = k + 1) to_come_then[7 * k +: 7] = to_come_now[7 * k +: 7] - taken;
    end
    always @(posedge clock) begin
        expected_before <= reset_n && !flush ? expected - taken : 0;
        to_come <= finished ? to_come_then >> 7 : to_come_then;
    end
    (* hierconn *) wire [6:0] \dut.reserved_q ;
    (* hierconn *) wire [6:0] \dut.words.read_pointer ;
    (* hierconn *) wire [31:0] \dut.words.probe_word ;
    (* hierconn *) wire [5:0] \dut.words.probe_place = \dut.words.read_pointer + words_ahead;
    wire [7:0] promised = stored + expected;
    wire live = begun && !dropping && !failed;
    always @(*)
        if (begun) begin
            invariant_stored: assert (\dut.words.stored == stored && !(dropping && stored != 0));
            if (tagged_word) invariant_word: assert (words_ahead < stored && \dut.words.probe_word == word_data);
            if (dropping) invariant_dropped: assert (expected == 0);
            if (live) invariant_room: assert (promised <= 64 && \dut.reserved_q == promised);
            if (\dut.room_q && \dut.burst_known_q ) invariant_more: assert (under_way < 4 && (!live || promised <= 48));
        end
    reg chained;
    reg [6:0] last, end_of_burst;
    always @(*) begin
        chained = under_way != 0 || expected == 0;
        last = -beat;
        for (k = 0; k < 4; k = k + 1) begin
            end_of_burst = to_come_now[7 * k +: 7];
            if (k < under_way) begin
                if (end_of_burst != last + lengths_now[4 * k +: 4] + 7'd1) chained = 0;
                if (k + 1 == under_way && end_of_burst != expected) chained = 0;
                if (end_of_burst < 1 || end_of_burst > 64) chained = 0;
            end
            last = end_of_burst;
        end
        if (live) invariant_chained: assert (chained);
    end
`endif
endmodule
