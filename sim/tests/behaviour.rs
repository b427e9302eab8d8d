//! The one suite: what the core must do, whatever it is made of.
//!
//! Each test is a function over [`Bench`], instantiated for every device. The picture and the architectural counters
//! that a device must deliver are the model's; everything else is said here.

#[path = "behaviour/commands.rs"]
mod commands;
#[path = "behaviour/errors.rs"]
mod errors;
#[path = "behaviour/output.rs"]
mod output;
#[path = "behaviour/registers.rs"]
mod registers;
#[path = "behaviour/stage.rs"]
mod stage;

/// Makes a test of each function of the suite, on the device that `$make` makes.
macro_rules! suite {
    ($make:expr; $($module:ident { $($test:ident)* })*) => {
        $($(
            #[test]
            fn $test() {
                let mut bench = $make;
                crate::$module::$test(&mut bench);
                assert!(rayman_sim::Bench::violations(&bench).is_empty());
            }
        )*)*
    };
    ($make:expr) => {
        suite! {
            $make;
            commands {
                command_reads_nop_when_idle_and_run_while_rendering
                nop_and_reserved_commands_do_nothing
                busy_is_seen_by_the_read_after_runs_response
                run_while_busy_is_ignored
                stop_while_idle_is_ignored
                stop_while_busy_is_graceful_and_the_next_frame_is_whole
                stop_ends_a_frame_that_would_take_for_ever
                run_while_stopping_is_ignored
                scene_address_is_read_once_when_run_is_taken
                configuration_is_sampled_when_run_is_taken
                interrupt_rises_at_the_end_and_stays_until_cleared
                clear_irq_works_while_busy_and_run_does_not_clear
                clear_irq_about_the_frames_end_loses_no_interrupt
                stop_about_the_frames_end_is_stopped_or_done_never_between
                progress_never_falls_and_is_255_exactly_when_complete
                progress_stays_below_255_while_the_last_pixels_wait
                done_means_all_written_and_all_beats_taken
                reset_at_any_time_brings_the_core_back
            }
            registers {
                registers_have_their_reset_values
                the_build_describes_itself
                reserved_bits_read_0_and_ignore_writes
                partial_strobes_change_only_their_bytes
                a_command_needs_strobe_0
                writes_to_read_only_registers_are_okay_and_change_nothing
                unmapped_offsets_answer_slverr_and_change_nothing
                registers_answer_under_stalls_and_while_busy
            }
            output {
                picture_and_counters_are_the_models
                frames_follow_each_other_and_are_counted
                options_depth_shadows_background
                any_number_of_spheres_renders
                an_empty_scene_with_null_pointers_is_all_background
                pictures_of_odd_sizes
                stream_is_in_raster_order_with_its_marks
                stream_alone_without_framebuffer
                framebuffer_alone_without_stream
                with_neither_output_the_frame_still_completes
                stride_leaves_gaps_alone_and_bytes_are_b_g_r_0
                memory_latency_and_stalls_change_no_pixel
                a_stream_that_nobody_takes_holds_the_frame_until_stop
                equal_distances_go_to_the_lower_index
                numbers_that_are_none_give_the_models_picture
                reserved_descriptor_bits_are_ignored
                eight_materials_can_be_named_and_more_may_be_there
                the_scene_may_lie_anywhere_aligned
            }
            errors {
                every_fault_is_found_named_and_survived
                of_several_faults_the_first_in_the_order_wins
                descriptors_are_checked_before_the_first_pixel
                read_errors_end_the_frame_with_code_and_address
                pointers_to_nowhere_answer_decerr
                write_errors_end_the_frame_with_the_bursts_address
                nothing_in_memory_makes_it_hang
                a_failure_and_the_stream_do_not_block_each_other
            }
        }
    };
}

mod model {
    suite!(rayman_sim::ModelTransport::default());
}

mod rtl {
    suite!(rayman_sim::devices::in_crate(1).expect("the in-crate core starts"));
}

mod verilated {
    use rayman_sim::verilated::core::VerilatedCore;
    use rayman_sim::verilated::Flavour;

    /// The core with assertions and initial state from a seed, built when it is not there.
    fn checked(seed: u32) -> rayman_sim::CoreTransport<VerilatedCore> {
        let verilog = rayman_sim::devices::core_verilog(1).expect("the core emits");
        let core = VerilatedCore::build(&verilog, Flavour::Checked, seed).expect("the Verilated core builds");
        rayman_sim::CoreTransport::new(core).expect("the Verilated core starts")
    }

    suite!(checked(1));

    /// From another initial state: what of it is left after a reset would be seen here.
    mod other_start {
        suite! {
            super::checked(2);
            commands { reset_at_any_time_brings_the_core_back stop_while_busy_is_graceful_and_the_next_frame_is_whole }
            registers { registers_have_their_reset_values }
            output { picture_and_counters_are_the_models stream_is_in_raster_order_with_its_marks }
        }
    }
}
