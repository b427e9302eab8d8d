// The whole core after COMMAND_STOP: IDLE within LATEST clocks of the last handshake that the bus owed it.
//
// Cut away, so that their outputs may be anything in each clock: all datapaths, the lanes, shading and staging of the
// engine, its window's memory, the source of spheres, the camera, the scene's words, the multiplier of frame control and
// the counters. What is left: registers, frame control, both masters, the video stream, the engine's generator and window.
//
// Assumed of the memory: no answer to what was not asked. It may be as slow as it likes; the clocks are counted from the
// last of what it owes: an address or a beat to take, a burst of a read to finish, a write to answer. `aresetn` may fall
// in any clock.
module proof (
    input clock, input reset_n,
    input [7:0] s_awaddr, input s_awvalid, input [31:0] s_wdata, input [3:0] s_wstrb, input s_wvalid, input s_bready,
    input [7:0] s_araddr, input s_arvalid, input s_rready,
    input awready, input wready, input [1:0] bresp, input bvalid, input arready, input [31:0] rdata, input [1:0] rresp,
    input rlast, input rvalid, input video_ready
);
    localparam LATEST = 15;
    wire awvalid, wvalid, bready, arvalid, rready;
    rayman dut (
        .aclk(clock), .aresetn(reset_n),
        .s_axi_awaddr(s_awaddr), .s_axi_awvalid(s_awvalid), .s_axi_wdata(s_wdata), .s_axi_wstrb(s_wstrb),
        .s_axi_wvalid(s_wvalid), .s_axi_bready(s_bready), .s_axi_araddr(s_araddr), .s_axi_arvalid(s_arvalid),
        .s_axi_rready(s_rready),
        .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_wvalid(wvalid), .m_axi_wready(wready),
        .m_axi_bid(1'b0), .m_axi_bresp(bresp), .m_axi_bvalid(bvalid), .m_axi_bready(bready),
        .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_rid(1'b0), .m_axi_rdata(rdata), .m_axi_rresp(rresp),
        .m_axi_rlast(rlast), .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axis_video_tready(video_ready)
    );
    // Seen within: the pulse that a STOP while busy makes, and the busy flag that STATUS shows.
    (* hierconn *) wire \dut.registers_stop ;
    (* hierconn *) wire \dut.registers_busy ;
    wire stop = \dut.registers_stop ;
    wire busy = \dut.registers_busy ;

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (begun || !reset_n);

    // What is offered or unanswered.
    reg read_waits, write_waits;
    reg [2:0] reads_before;
    reg [3:0] writes_before;
    wire [2:0] reads = reads_before + (arvalid && !read_waits);
    wire [3:0] writes = writes_before + (awvalid && !write_waits);
    always @(posedge clock) begin
        read_waits <= reset_n && arvalid && !arready;
        write_waits <= reset_n && awvalid && !awready;
        reads_before <= reset_n ? reads - (rvalid && rready && rlast) : 0;
        writes_before <= reset_n ? writes - (bvalid && bready) : 0;
    end
    always @(*) begin
        if (rvalid) assume (reads > arvalid);
        if (bvalid) assume (writes > awvalid);
    end
    wire owed = reads != 0 || writes != 0 || wvalid;

    reg stopping; // A STOP was taken, and the frame is not over.
    reg [4:0] clocks; // Since the last that was owed.
    always @(posedge clock) begin
        stopping <= reset_n && (stop || (stopping && busy));
        clocks <= reset_n && stopping && busy && !owed ? clocks + 1 : 0;
    end
    always @(*) if (begun && stopping && busy) idle_in_time: assert (clocks < LATEST);

`ifdef INVARIANTS
    (* hierconn *) wire [4:0] \dut.frame.control.phase_q ;
    (* hierconn *) wire [4:0] \dut.frame.control.step_q ;
    (* hierconn *) wire [2:0] \dut.reads.outstanding_q ;
    (* hierconn *) wire [3:0] \dut.pixels.writer.unanswered.stored ;
    (* hierconn *) wire \dut.pixels.writer.unanswered.consistent ;
    (* hierconn *) wire \dut.engine_idle ;
    (* hierconn *) wire \dut.run_q ;
    (* hierconn *) wire \dut.frame.control.stop_late_q ;
    (* hierconn *) wire \dut.frame.control.rested_q ;
    (* hierconn *) wire \dut.frame.control.start_state_q ;
    (* hierconn *) wire \dut.frame.control.stopping_q ;
    (* hierconn *) wire \dut.frame.control.ending_q ;
    (* hierconn *) wire \dut.frame.control.live_q ;
    (* hierconn *) wire \dut.frame.control.over_q ;
    (* hierconn *) wire \dut.frame.control.order_read_stop_q ;
    (* hierconn *) wire \dut.frame.control.order_flush_q ;
    (* hierconn *) wire \dut.engine.run_n_q ;
    localparam RENDER = 18, DRAIN = 19, ABORT = 20, FLUSH = 21, SETTLE = 22, OVER = 23;
    wire [4:0] phase = \dut.frame.control.phase_q ;
    wire [4:0] step = \dut.frame.control.step_q ;
    always @(*)
        if (begun) begin
            invariant_consistent: assert (\dut.pixels.writer.unanswered.consistent );
            invariant_busy: assert (busy == (phase != 0 || \dut.run_q || \dut.frame.control.over_q ) && phase <= OVER
                && (phase != 0) + \dut.run_q + \dut.frame.control.over_q <= 1);
            // STOP counts a clock late, and the frame ends in the clock after.
            if (stopping && busy && phase < DRAIN && !\dut.frame.control.over_q )
                invariant_phase: assert (\dut.frame.control.ending_q ? clocks <= 1 : \dut.frame.control.stop_late_q && clocks == 0);
            invariant_live: assert (\dut.frame.control.live_q == (phase != 0 && phase < DRAIN));
            if (\dut.frame.control.ending_q ) invariant_ending: assert (phase != 0 && phase <= DRAIN);
            if ((phase == ABORT && step > 0) || phase == FLUSH || (phase == DRAIN && step > 0))
                invariant_read_stop: assert (\dut.frame.control.order_read_stop_q );
            if (phase == FLUSH && step > 0) invariant_flushes: assert (\dut.frame.control.order_flush_q );
            if (phase == FLUSH && step > 1) invariant_engine_resets: assert (!\dut.engine.run_n_q );
            if (\dut.frame.control.start_state_q ) invariant_start: assert (phase == RENDER);
            invariant_stopping: assert (\dut.frame.control.stopping_q == (phase == ABORT || phase == FLUSH || phase == SETTLE));
            invariant_reads: assert (\dut.reads.outstanding_q == reads && reads <= 4);
            invariant_writes: assert (\dut.pixels.writer.unanswered.stored == writes);
            if (phase == FLUSH || phase == ABORT || phase == DRAIN) invariant_step: assert (step <= (phase == FLUSH ? 3 : 4));
            if ((phase == FLUSH && step > 2) || (phase == SETTLE && !\dut.frame.control.rested_q )) invariant_engine: assert (\dut.engine_idle );
            if (!stopping) invariant_none: assert (clocks == 0);
            if (phase == DRAIN || phase == ABORT) invariant_abort: assert (clocks <= 6 && clocks <= 2 + step);
            if (phase == FLUSH) invariant_flush: assert (clocks <= 7 + step && !\dut.frame.control.rested_q );
            if (phase == SETTLE) invariant_settle: assert (clocks <= 11 + \dut.frame.control.rested_q );
            if (phase == OVER) invariant_over: assert (clocks <= 13);
            if (\dut.frame.control.over_q ) invariant_told: assert (clocks <= 14);
        end
`endif
endmodule
