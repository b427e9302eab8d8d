"""Broken cores: that the suite can fail, and how soon.

Each is a name, a piece of the emitted text (which must be there once) with what it is replaced by, and the tests that must
fail, as a regular expression.
"""

SHORTEST = "frame_on_a_quiet_axi_ram.*dot"
PAUSES = "frame_with_pauses.*dot"

BROKEN = [
    ("wrong_id", ("32'h5241594d", "32'h5241594c"), "registers_after_reset"),
    # Now and then not offered, as the noise on a payload without a valid has it: withdrawn, or never made.
    ("offer_withdrawn", ("m_axi_arvalid = reads_bus_arvalid;", "m_axi_arvalid = reads_bus_arvalid & m_axi_rdata[0];"), PAUSES),
    ("burst_over_4_kib", ("m_axi_arlen = reads_bus_arlen;", "m_axi_arlen = reads_bus_arlen | 8'd3;"), SHORTEST),
    ("wrong_colour", ("m_axi_wdata = pixels_bus_wdata;", "m_axi_wdata = pixels_bus_wdata ^ 32'd1;"), SHORTEST),
    ("unknown_payload", ("m_axi_araddr = reads_bus_araddr;", "m_axi_araddr = reads_bus_araddr | 32'bx00;"), SHORTEST),
]
