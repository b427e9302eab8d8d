//! Progress as people and logs like to see it: a bar on a terminal, else at most a line for every 10 %.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Where progress goes.
pub struct Progress {
    label: String,
    view: View,
}

enum View {
    None,
    Bar(ProgressBar),
    /// Tenths that were written.
    Lines(u32),
}

impl Progress {
    /// Progress of something called `label`, on the standard error output.
    pub fn new(label: impl Into<String>, quiet: bool) -> Self {
        let label = label.into();
        let view = if quiet {
            View::None
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(u8::MAX.into()), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{msg} [{bar:40}] {percent:>3} % {elapsed_precise}, {eta} left");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
            bar.set_message(label.clone());
            View::Bar(bar)
        } else {
            View::Lines(0)
        };
        Self { label, view }
    }

    /// The frame has come this far: 0 just started, 255 complete. Never asks to stop.
    pub fn at(&mut self, progress: u8) -> ControlFlow<()> {
        match &mut self.view {
            View::None => {}
            View::Bar(bar) => bar.set_position(progress.into()),
            View::Lines(written) => {
                let tenths = u32::from(progress) * 10 / u32::from(u8::MAX);
                if tenths > *written {
                    *written = tenths;
                    // A log that cannot be written is no reason to lose the picture.
                    let _ = writeln!(std::io::stderr(), "{}: {} %", self.label, tenths * 10);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let View::Bar(bar) = &self.view {
            bar.finish_and_clear();
        }
    }
}
