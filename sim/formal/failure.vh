// The rule of failures of a bus master: the first bad answer that counts is reported, with its address and code, until `clear`.
//
// Bursts begin with `fresh`, at the word `address`, and end with `finished`, in order. Needs `entry.vh`: the burst that begins in a
// clock with `tag` is watched, unless another is. `fails`: a bad answer counts; it is the oldest burst's, `offset` words
// behind its first. At most 2^A bursts are under way.
module first_failure #(parameter A = 3) (
    input clock, input reset_n, input clear, input fresh, input finished, input tag, input [29:0] address,
    input fails, input decode, input [29:0] offset, input failed, input failed_decode, input [31:0] failed_address,
    output [A:0] earlier, // Bursts that began before this clock and are under way.
    output tagged, // One of them is the watched one, `before` of them before it, and begins at `first_word`.
    output [A:0] before, output [29:0] first_word,
    output seen, output first, output place // The parts of the rule, each held while it is high.
);
    tagged_entry #(.A(A), .W(30)) burst (.clock(clock), .clear(!reset_n), .in(fresh), .out(finished), .tag(tag),
        .data_in(address), .stored(earlier), .tagged(tagged), .ahead(before), .data(first_word));
    reg failed_now, failed_was, tagged_fails, tagged_decode;
    reg [29:0] failing_word;
    reg [32:0] failure_was;
    always @(posedge clock) begin
        failed_now <= reset_n && !clear && (failed || fails);
        failed_was <= reset_n && failed;
        failure_was <= {failed_decode, failed_address};
        tagged_fails <= reset_n && fails && tagged && before == 0 && !clear;
        tagged_decode <= decode;
        failing_word <= first_word + offset;
    end
    assign seen = failed == failed_now;
    assign first = !(failed && failed_was) || {failed_decode, failed_address} == failure_was;
    assign place = !tagged_fails || (failed_address == {failing_word, 2'b0} && failed_decode == tagged_decode);
endmodule
