// A host before a board's top, in simulation: does what is written on its standard input, a call of FrontPanel a line, "WHAT A B" in
// hexadecimal, and prints what is read, a number a line. Standard input ends: the simulation ends.
//
//  W endpoint value   prepare a wire in            U 0 0          update all wires in
//  T endpoint bits    fire a trigger               L 0 0          look at all wires out
//  G endpoint 0       print a wire out             C count 0      let so many clocks pass
//  P endpoint value   half a word into a pipe      R endpoint n   n half words out of a pipe, printed
`timescale 1ns / 1ps

module host;
    localparam STDIN = 32'h8000_0000;
    reg clk = 0;
    always #10 clk = ~clk;

    wire [15:0] hi_inout;
    wire hi_aa;
    top dut(.hi$sig_in({7'b0, clk}), .hi$sig_out(), .hi$sig_inout(hi_inout), .hi$sig_aa(hi_aa), .hi$sig_mux(), .led());

    integer found, a, b, i;
    reg [7:0] what;
    initial begin
        found = $fscanf(STDIN, " %c %h %h", what, a, b);
        while (found == 3) begin
            case (what)
                "W": dut.ok_host.host.send(1, a, b);
                "U": dut.ok_host.host.send(2, 0, 0);
                "T": dut.ok_host.host.send(3, a, b);
                "L": dut.ok_host.host.send(4, 0, 0);
                "G": begin
                    dut.ok_host.host.what <= 5;
                    dut.ok_host.host.endpoint <= a;
                    @(negedge clk);
                    $display("%h", dut.ok_host.host.ok2[15:0]);
                    dut.ok_host.host.what <= 0;
                    @(posedge clk);
                end
                "C": repeat (a) @(posedge clk);
                "P": dut.ok_host.host.send(6, a, b);
                "R": for (i = 0; i < b; i = i + 1) begin
                    dut.ok_host.host.send(7, a, 0);
                    @(negedge clk);
                    $display("%h", dut.ok_host.host.ok2[15:0]);
                end
                default: $display("unknown: %c", what);
            endcase
            $fflush;
            found = $fscanf(STDIN, " %c %h %h", what, a, b);
        end
        $finish;
    end
endmodule
