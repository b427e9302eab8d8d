// The AXI4-Lite slave: each request is answered once, registers and commands do what docs/registers.md says.
//
// Nothing is assumed of the master, of `frame_end` or of the status inputs; `reset_n` may fall in any clock. Offsets,
// masks, reset values and command codes come from rayman-abi, by way of registers.vh.
`include "registers.vh"

module proof (
    input clock, input reset_n,
    input [7:0] awaddr, input awvalid, input [31:0] wdata, input [3:0] wstrb, input wvalid, input bready,
    input [7:0] araddr, input arvalid, input rready,
    input frame_end, input frame_complete, input [7:0] progress, input [7:0] error_code, input [31:0] error_address,
    input [31:0] counter
);
    `REGISTERS

    wire awready, wready, bvalid, arready, rvalid, run, stop, busy, irq;
    wire [1:0] bresp, rresp;
    wire [31:0] rdata, scene_address, framebuffer_address, framebuffer_stride, render_control, background;
    register_block dut (
        .clock(clock), .reset_n(reset_n),
        .s_axi_awaddr(awaddr), .s_axi_awvalid(awvalid), .s_axi_awready(awready),
        .s_axi_wdata(wdata), .s_axi_wstrb(wstrb), .s_axi_wvalid(wvalid), .s_axi_wready(wready),
        .s_axi_bresp(bresp), .s_axi_bvalid(bvalid), .s_axi_bready(bready),
        .s_axi_araddr(araddr), .s_axi_arvalid(arvalid), .s_axi_arready(arready),
        .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rvalid(rvalid), .s_axi_rready(rready),
        .run(run), .stop(stop), .scene_address(scene_address), .framebuffer_address(framebuffer_address),
        .framebuffer_stride(framebuffer_stride), .render_control(render_control), .background(background),
        .busy(busy), .irq(irq), .frame_end(frame_end), .frame_complete(frame_complete), .progress(progress),
        .error_code(error_code), .error_address(error_address),
        // Counter word i shows counter + i: no two show the same.
        `COUNTER_PORTS
    );

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (begun || !reset_n);
    reg alive; // The clock before was no reset.
    always @(posedge clock) alive <= reset_n;

    // Writes: the address and the data that wait for their response.
    reg have_address, have_data, response_waits, both_waited;
    reg [7:0] address;
    reg [31:0] data;
    reg [3:0] strobe;
    wire responds = bvalid && !response_waits; // First clock of a response: the write was done in the clock before.
    always @(posedge clock) begin
        have_address <= reset_n && ((awvalid && awready) || (have_address && !responds));
        have_data <= reset_n && ((wvalid && wready) || (have_data && !responds));
        response_waits <= reset_n && bvalid && !bready;
        both_waited <= reset_n && have_address && have_data && !bvalid;
        if (awvalid && awready) address <= awaddr;
        if (wvalid && wready) begin data <= wdata; strobe <= wstrb; end
    end
    reg [1:0] response_was;
    always @(posedge clock) response_was <= bresp;
    always @(*)
        if (begun) begin
            if (responds) write_once_asked: assert (have_address && have_data);
            if (awvalid && awready) write_once_address: assert (!have_address || responds);
            if (wvalid && wready) write_once_data: assert (!have_data || responds);
            if (both_waited) write_once_answered: assert (bvalid);
            if (response_waits) write_held: assert (bvalid && bresp == response_was);
            if (responds) write_code: assert (bresp == (is_register(address) ? 2'd0 : 2'd2));
        end

    // Reads: the address that waits for its answer.
    reg have_read, answer_waits, read_waited, read_waited_long;
    reg [7:0] read_address;
    wire answers = rvalid && !answer_waits;
    always @(posedge clock) begin
        have_read <= reset_n && ((arvalid && arready) || (have_read && !answers));
        answer_waits <= reset_n && rvalid && !rready;
        read_waited <= reset_n && have_read && !rvalid && !read_waited;
        read_waited_long <= reset_n && read_waited && !rvalid;
        if (arvalid && arready) read_address <= araddr;
    end
    reg [33:0] answer_was;
    always @(posedge clock) answer_was <= {rresp, rdata};
    always @(*)
        if (begun) begin
            if (answers) read_once_asked: assert (have_read);
            if (arvalid && arready) read_once_address: assert (!have_read || answers);
            if (read_waited_long) read_once_answered: assert (rvalid);
            if (answer_waits) read_held: assert (rvalid && {rresp, rdata} == answer_was);
            if (answers) read_code: assert (rresp == (is_register(read_address) ? 2'd0 : 2'd2));
            if (answers && !is_register(read_address)) read_code_nothing: assert (rdata == 0);
        end

    // Stored registers: what they hold once the write that is being answered is done.
    function [31:0] after(input [31:0] old, input [7:0] offset, input [31:0] mask);
        reg [31:0] bits;
        begin
            bits = mask & {{8{strobe[3]}}, {8{strobe[2]}}, {8{strobe[1]}}, {8{strobe[0]}}};
            after = responds && address[7:2] == offset[7:2] ? (old & ~bits) | (data & bits) : old;
        end
    endfunction
    reg [31:0] held_scene, held_framebuffer, held_stride, held_control, held_background;
    wire [31:0] now_scene = after(held_scene, SCENE_ADDRESS, SCENE_ADDRESS_MASK);
    wire [31:0] now_framebuffer = after(held_framebuffer, FRAMEBUFFER_ADDRESS, FRAMEBUFFER_ADDRESS_MASK);
    wire [31:0] now_stride = after(held_stride, FRAMEBUFFER_STRIDE, FRAMEBUFFER_STRIDE_MASK);
    wire [31:0] now_control = after(held_control, RENDER_CONTROL, RENDER_CONTROL_MASK);
    wire [31:0] now_background = after(held_background, BACKGROUND, BACKGROUND_MASK);
    always @(posedge clock) begin
        held_scene <= reset_n ? now_scene : SCENE_ADDRESS_RESET;
        held_framebuffer <= reset_n ? now_framebuffer : FRAMEBUFFER_ADDRESS_RESET;
        held_stride <= reset_n ? now_stride : FRAMEBUFFER_STRIDE_RESET;
        held_control <= reset_n ? now_control : RENDER_CONTROL_RESET;
        held_background <= reset_n ? now_background : BACKGROUND_RESET;
    end
    always @(*)
        if (begun) begin
            registers_scene: assert (scene_address == now_scene);
            registers_framebuffer: assert (framebuffer_address == now_framebuffer);
            registers_stride: assert (framebuffer_stride == now_stride);
            registers_control: assert (render_control == now_control);
            registers_background: assert (background == now_background);
        end

    // Commands. `commanded` is the command done in the clock before.
    wire [2:0] commanded = responds && address[7:2] == RAYTRACER_COMMAND[7:2] && strobe[0] ? data[2:0] : COMMAND_NOP;
    reg run_was, stop_was, busy_was, frame_end_was, irq_held;
    wire irq_now = frame_end_was || (irq_held && commanded != COMMAND_CLEAR_IRQ);
    reg [31:0] frames;
    always @(posedge clock) begin
        run_was <= reset_n && run;
        stop_was <= reset_n && stop;
        busy_was <= reset_n && busy;
        frame_end_was <= reset_n && frame_end;
        irq_held <= reset_n && irq_now;
        frames <= reset_n ? frames + (frame_end && frame_complete) : 0;
    end
    always @(*)
        if (begun) begin
            command_run: assert (run_was == (alive && commanded == COMMAND_RUN && !busy_was));
            command_stop: assert (stop_was == (alive && commanded == COMMAND_STOP && busy_was));
            if (alive) status_busy: assert (busy == (!frame_end_was && (busy_was || run_was)));
            if (!alive) status_reset: assert (!busy && !irq);
            interrupt: assert (irq == irq_now);
        end

    // What a read shows: the state of the clock in which it was done, which is two before its answer.
    reg irq_was;
    reg [7:0] progress_was, error_code_was;
    reg [31:0] error_address_was, counter_was, frames_was;
    reg [31:0] scene_was, framebuffer_was, stride_was, control_was, background_was;
    always @(posedge clock) begin
        {irq_was, progress_was, error_code_was, error_address_was} <= {irq, progress, error_code, error_address};
        {counter_was, frames_was, scene_was, framebuffer_was} <= {counter, frames, scene_address, framebuffer_address};
        {stride_was, control_was, background_was} <= {framebuffer_stride, render_control, background};
    end
    reg known;
    reg [31:0] shown;
    always @(*) begin
        known = 1;
        case ({read_address[7:2], 2'b0})
            RAYTRACER_COMMAND: shown = busy_was ? COMMAND_RUN : COMMAND_NOP;
            RAYTRACER_STATUS: shown = {16'd0, progress_was, 5'd0, busy_was ? STATUS_BUSY : STATUS_IDLE};
            SCENE_ADDRESS: shown = scene_was;
            ID: shown = ID_RESET;
            VERSION: shown = VERSION_RESET;
            FRAMEBUFFER_ADDRESS: shown = framebuffer_was;
            FRAMEBUFFER_STRIDE: shown = stride_was;
            RENDER_CONTROL: shown = control_was;
            BACKGROUND: shown = background_was;
            ERROR: shown = {24'd0, error_code_was};
            ERROR_ADDRESS: shown = error_address_was;
            IRQ_STATUS: shown = {31'd0, irq_was};
            FRAME_COUNT: shown = frames_was;
            default: begin
                known = read_address >= CYCLES_LO && read_address <= AXI_STALLS_HI + 3;
                shown = counter_was + read_address[7:2] - CYCLES_LO[7:2];
            end
        endcase
    end
    reg known_was;
    reg [31:0] shown_was;
    always @(posedge clock) {known_was, shown_was} <= {known, shown};
    always @(*) if (begun && answers && known_was) read_data: assert (rdata == shown_was);

`ifdef INVARIANTS
    (* hierconn *) wire \dut.address_held_q ;
    (* hierconn *) wire [7:0] \dut.address_q ;
    (* hierconn *) wire \dut.data_held_q ;
    (* hierconn *) wire [31:0] \dut.data_q ;
    (* hierconn *) wire [3:0] \dut.strobe_q ;
    (* hierconn *) wire \dut.read_held_q ;
    (* hierconn *) wire [7:0] \dut.read_address_q ;
    (* hierconn *) wire [31:0] \dut.frames_q ;
    (* hierconn *) wire \dut.asked_q ;
    (* hierconn *) wire \dut.answer_held_q ;
    (* hierconn *) wire \dut.file.asked ;
    (* hierconn *) wire \dut.file.missing ;
    (* hierconn *) wire [2:0] \dut.file.bank ;
    (* hierconn *) wire [31:0] \dut.file.bank_0 ;
    (* hierconn *) wire [31:0] \dut.file.bank_1 ;
    (* hierconn *) wire [31:0] \dut.file.bank_2 ;
    (* hierconn *) wire [31:0] \dut.file.bank_3 ;
    (* hierconn *) wire [31:0] \dut.file.bank_4 ;
    (* hierconn *) wire [31:0] \dut.file.bank_5 ;
    (* hierconn *) wire [31:0] \dut.file.bank_6 ;
    (* hierconn *) wire [31:0] \dut.file.bank_7 ;
    wire [255:0] banks = {\dut.file.bank_7 , \dut.file.bank_6 , \dut.file.bank_5 , \dut.file.bank_4 , \dut.file.bank_3 ,
        \dut.file.bank_2 , \dut.file.bank_1 , \dut.file.bank_0 };
    wire [31:0] found = banks[32 * \dut.file.bank +: 32];
    always @(*)
        if (begun) begin
            invariant_address: assert (\dut.address_held_q == (have_address && !responds));
            invariant_data: assert (\dut.data_held_q == (have_data && !responds));
            invariant_read: assert (\dut.read_held_q == (have_read && !answers));
            if (have_address) invariant_address_value: assert (\dut.address_q == address);
            if (have_data) invariant_data_value: assert (\dut.data_q == data && \dut.strobe_q == strobe);
            if (have_read) invariant_read_value: assert (\dut.read_address_q == read_address);
            // Asked in the clock before: what was found waits to be answered.
            invariant_asked: assert (\dut.file.asked == \dut.asked_q && !(\dut.asked_q && \dut.answer_held_q ));
            if (\dut.asked_q ) begin
                invariant_asks: assert (have_read && !rvalid && \dut.file.missing == !is_register(read_address));
                invariant_found: assert (found == (is_register(read_address) ? shown : 0) || (!known && is_register(read_address)));
            end
            if (read_waited && !answer_waits) invariant_in_time: assert (\dut.asked_q || rvalid);
            invariant_frames: assert (\dut.frames_q == frames);
            // Of the clock before.
            if (!alive) invariant_reset: assert (!response_waits && !answer_waits && !have_address && !have_read);
        end
`endif
endmodule
