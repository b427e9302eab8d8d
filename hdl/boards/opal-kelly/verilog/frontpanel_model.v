// A model of Opal Kelly's host interface and endpoints, for simulation. It is ours: it has the ports of the vendor's modules and
// the timing at the endpoints that their documentation gives; what passes between host interface and endpoints (ok1, ok2) and on
// the pins is the vendor's secret and is made up here. Nothing of it goes into a bitstream.
//
// At the endpoints: wires in change together, at an update; wires out are looked at together; a trigger is high for one clock; a
// pipe in gives write and data in one clock; a pipe out asks in one clock and takes the data in the next.
//
//  ok1: 30 clock, 26:24 what, 23:16 endpoint, 15:0 data      ok2: 15:0 data of the endpoint that is asked, 0 of all others
`timescale 1ns / 1ps

module okHost(
    input  wire [7:0]  hi_in,
    output wire [1:0]  hi_out,
    inout  wire [15:0] hi_inout,
    inout  wire        hi_aa,
    output wire        ti_clk,
    output wire [30:0] ok1,
    input  wire [16:0] ok2);

    reg [2:0]  what = 0;
    reg [7:0]  endpoint = 0;
    reg [15:0] data = 0;

    assign ti_clk = hi_in[0];
    assign ok1 = {ti_clk, 3'b0, what, endpoint, data};
    assign hi_out = 2'b0;

    // Something for one clock. Ends after the rising edge that has seen it.
    task send(input [2:0] send_what, input [7:0] send_endpoint, input [15:0] send_data);
        begin
            what <= send_what;
            endpoint <= send_endpoint;
            data <= send_data;
            @(posedge ti_clk);
            what <= 0;
        end
    endtask
endmodule

// what: 1 prepares a value, 2 updates all wires in.
module okWireIn(
    input  wire [30:0] ok1,
    input  wire [7:0]  ep_addr,
    output reg  [15:0] ep_dataout);

    reg [15:0] prepared;
    initial begin
        prepared = 0;
        ep_dataout = 0;
    end
    always @(posedge ok1[30]) begin
        if (ok1[26:24] == 1 && ok1[23:16] == ep_addr) prepared <= ok1[15:0];
        if (ok1[26:24] == 2) ep_dataout <= prepared;
    end
endmodule

// what: 3 fires the bits of the data.
module okTriggerIn(
    input  wire [30:0] ok1,
    input  wire [7:0]  ep_addr,
    input  wire        ep_clk,
    output reg  [15:0] ep_trigger);

    initial ep_trigger = 0;
    always @(posedge ep_clk) ep_trigger <= (ok1[26:24] == 3 && ok1[23:16] == ep_addr) ? ok1[15:0] : 16'b0;
endmodule

// what: 4 looks at all wires out, 5 asks for one of them.
module okWireOut(
    input  wire [30:0] ok1,
    output wire [16:0] ok2,
    input  wire [7:0]  ep_addr,
    input  wire [15:0] ep_datain);

    reg [15:0] seen;
    initial seen = 0;
    always @(posedge ok1[30]) if (ok1[26:24] == 4) seen <= ep_datain;
    assign ok2 = (ok1[26:24] == 5 && ok1[23:16] == ep_addr) ? {1'b0, seen} : 17'b0;
endmodule

// what: 6 writes half a word.
module okPipeIn(
    input  wire [30:0] ok1,
    output wire [16:0] ok2,
    input  wire [7:0]  ep_addr,
    output wire        ep_write,
    output wire [15:0] ep_dataout);

    assign ep_write = ok1[26:24] == 6 && ok1[23:16] == ep_addr;
    assign ep_dataout = ok1[15:0];
    assign ok2 = 17'b0;
endmodule

// what: 7 asks for half a word, which comes a clock later.
module okPipeOut(
    input  wire [30:0] ok1,
    output wire [16:0] ok2,
    input  wire [7:0]  ep_addr,
    output wire        ep_read,
    input  wire [15:0] ep_datain);

    reg asked;
    initial asked = 0;
    always @(posedge ok1[30]) asked <= ep_read;
    assign ep_read = ok1[26:24] == 7 && ok1[23:16] == ep_addr;
    assign ok2 = asked ? {1'b0, ep_datain} : 17'b0;
endmodule
