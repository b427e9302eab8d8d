//! Numbers for people.

use std::fmt::Write;
use std::time::Duration;

use rayman_driver::Counters;

/// A number with its digits in groups of three.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What a frame cost: clocks, rays by kind, tests, time. One line each.
pub fn frame(counters: &Counters, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let cycles = counters.cycles();
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name:<17}{value}");
    };
    if cycles > 0 {
        line("cycles", grouped(cycles));
    } else {
        line("cycles", "none: this device does not count clocks".into());
    }
    let kinds = [
        (counters.primary_rays(), "primary"),
        (counters.shadow_rays(), "shadow"),
        (counters.reflection_rays(), "reflection"),
    ];
    let kinds = kinds.map(|(count, kind)| format!("{} {kind}", grouped(count))).join(", ");
    line("rays", format!("{} ({kinds})", grouped(counters.rays())));
    line("sphere tests", grouped(counters.tests()));
    if cycles > 0 {
        line("tests a clock", format!("{:.3}", counters.tests() as f64 / cycles as f64));
    }
    line("seconds", format!("{seconds:.2}"));
    if cycles > 0 && seconds > 0.0 {
        line("clocks a second", grouped((cycles as f64 / seconds) as u64));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_threes() {
        let cases =
            [(0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (u64::MAX, "18,446,744,073,709,551,615")];
        for (value, text) in cases {
            assert_eq!(grouped(value), text);
        }
    }

    #[test]
    fn clocks_are_reported_where_they_are_counted() {
        // Each counter is ten times its place in the table.
        let mut values = [0; rayman_abi::register::COUNTERS.len()];
        for (place, value) in values.iter_mut().enumerate() {
            *value = 10 * (place as u64 + 1);
        }
        let text = frame(&Counters::new(values), Duration::from_millis(250));
        let expected = "cycles           10\n\
                        rays             90 (20 primary, 30 shadow, 40 reflection)\n\
                        sphere tests     80\n\
                        tests a clock    8.000\n\
                        seconds          0.25\n\
                        clocks a second  40\n";
        assert_eq!(text, expected);
        assert!(frame(&Counters::default(), Duration::ZERO).contains("cycles           none"));
    }
}
