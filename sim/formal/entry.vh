// One entry of a queue, any one, from its push to its pop: when it must be at the front, and with what data.
//
// `in` and `out`: an entry is pushed, one is popped; `clear`: all are forgotten in the next clock. The entry pushed in a clock
// with `tag` is watched, unless another is. A queue of at most 2^A entries of W bits.
module tagged_entry #(parameter A = 3, parameter W = 8) (
    input clock, input clear, input in, input out, input tag, input [W-1:0] data_in,
    output reg [A:0] stored, // Entries in the queue.
    output reg tagged, // One of them is the watched one, `ahead` of them before it, and holds `data`.
    output reg [A:0] ahead,
    output reg [W-1:0] data
);
    always @(posedge clock)
        if (clear) begin
            stored <= 0;
            tagged <= 0;
        end else begin
            stored <= stored + in - out;
            if (!tagged && in && tag) begin
                tagged <= 1;
                ahead <= stored - out;
                data <= data_in;
            end else if (tagged && out) begin
                tagged <= ahead != 0;
                ahead <= ahead - 1;
            end
        end
endmodule
