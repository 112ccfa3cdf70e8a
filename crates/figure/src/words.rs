//! The words of the picture: durations, the guard's rule in code, what a verdict is called.

use std::cmp::Ordering;

use fenceline_engine::scenario::{Guard, Micros, Resource};
use fenceline_engine::show_length;
use fenceline_engine::trace::{BeliefEnd, Decision, Kind, Outcome, Reason, Verdict};

const SECOND: Micros = 1_000_000;

/// A duration or time as the picture writes it: `45.0 s`, `250 ms`, `12 m 30 s`.
///
/// Seconds have one decimal, and as many more as it takes to hide nothing; below a tenth of a second it counts in
/// milliseconds or microseconds.
pub fn duration(us: Micros) -> String {
    match us {
        0 => "0.0 s".into(),
        1..1_000 => format!("{us} us"),
        1_000..100_000 => match us % 1_000 {
            0 => format!("{} ms", us / 1_000),
            rest => format!("{}.{} ms", us / 1_000, format!("{rest:03}").trim_end_matches('0')),
        },
        100_000..600_000_000 => match us % SECOND {
            0 => format!("{}.0 s", us / SECOND),
            rest => format!("{}.{} s", us / SECOND, format!("{rest:06}").trim_end_matches('0')),
        },
        _ => tidy(us),
    }
}

/// A duration to the microsecond, with one decimal at least: `23.8 s`, `32.000001 s`.
pub fn exact(us: Micros) -> String {
    let shown = duration(us);
    let hides = match us {
        1_000..100_000 => !us.is_multiple_of(100),
        100_000..600_000_000 => !us.is_multiple_of(10_000),
        _ => us >= 600_000_000 && !us.is_multiple_of(60 * SECOND),
    };
    if hides { show_length(us) } else { shown }
}

/// The same for a number that may be negative.
pub fn signed(value: i64) -> String {
    let sign = if value < 0 { "−" } else { "" };
    [sign, &exact(value.unsigned_abs())].concat()
}

/// The same where a microsecond more or less tells only on which side of a round number it is: `just over 32.0 s`.
pub fn nearly(us: Micros) -> String {
    let round = |at: Micros| at >= 1_000 && at.is_multiple_of(1_000);
    match us {
        us if round(us.saturating_sub(1)) => ["just over ", &exact(us - 1)].concat(),
        us if round(us + 1) => ["just under ", &exact(us + 1)].concat(),
        us => exact(us),
    }
}

/// A duration without decimals where it has none: `30 s`, `1.5 s`, `5 m`, `2 h 30 m`.
pub fn tidy(us: Micros) -> String {
    const UNITS: [(Micros, &str); 3] = [(86_400 * SECOND, "d"), (3_600 * SECOND, "h"), (60 * SECOND, "m")];
    if us < 120 * SECOND {
        return match duration(us) {
            text if us.is_multiple_of(SECOND) => format!("{} s", text.split('.').next().unwrap_or("0")),
            text => text,
        };
    }
    let mut rest = us;
    let mut parts = Vec::new();
    for (unit, name) in UNITS {
        if rest >= unit {
            parts.push(format!("{} {name}", rest / unit));
            rest %= unit;
        }
    }
    if rest > 0 {
        parts.push(tidy(rest));
    }
    parts.join(" ")
}

/// The guard's rule in code, long and short.
pub fn rule(guard: Guard) -> [&'static str; 2] {
    match guard {
        Guard::None => ["no guard", "no guard"],
        Guard::CheckThenWrite => ["check token > last_token, then write", "check, then write"],
        Guard::Newer => ["token > last_token", "token > last"],
        Guard::NewerOrEqual => ["token >= last_token", "token >= last"],
        Guard::Same => ["token = last_token", "token = last"],
        Guard::TokenSeq => ["(token, seq) > (last_token, last_seq)", "(token, seq) > last"],
        Guard::Holder => ["holder check in the same transaction", "holder check"],
    }
}

/// What a verdict is called beside its glyph: one or two words.
pub fn verdict_word(verdict: &Verdict, by: &str, over: Option<&str>) -> String {
    match verdict.outcome() {
        Outcome::Replayed => "replayed".into(),
        Outcome::StaleRejected | Outcome::HolderRefused if verdict.already_applied.is_some() => {
            "already applied".into()
        }
        Outcome::StaleRejected if verdict.given_up => "gives up".into(),
        Outcome::StaleRejected => "rejected".into(),
        Outcome::HolderRefused => "holder refused".into(),
        Outcome::StaleAccepted | Outcome::Accepted if verdict.overwrites_newer.is_some() => match over {
            Some(over) => format!("{by} overwrites {over}"),
            None => "overwrites newer".into(),
        },
        Outcome::StaleAccepted => "stale accepted".into(),
        Outcome::Accepted if verdict.applied_twice.is_some() => "applied twice".into(),
        Outcome::Accepted if verdict.stale_read.is_some() => "on a stale read".into(),
        Outcome::Accepted if verdict.kind == Kind::Establish => "established".into(),
        Outcome::Accepted => "accepted".into(),
    }
}

/// The comparison behind a verdict, with its numbers: `41 < 42`. Empty where nothing was compared and nothing is to say.
pub(crate) fn comparison(verdict: &Verdict, resource: &Resource) -> String {
    let (last, last_seq) = (verdict.remembered_token, verdict.remembered_seq);
    if verdict.decision == Decision::Replayed {
        return "known key".into();
    }
    if verdict.unguarded {
        return "around the guard".into();
    }
    match verdict.reason {
        Some(Reason::TokenMissing) => return "no token".into(),
        Some(Reason::TokenForged) => return "forged".into(),
        Some(Reason::NotHolder) => return "not the holder".into(),
        _ => {}
    }
    let Some(token) = verdict.token else { return String::new() };
    let compared = format!("{token} {} {last}", sign_of(token.cmp(&last)));
    match resource.guard {
        Guard::None => String::new(),
        Guard::Holder => "holds it".into(),
        Guard::CheckThenWrite if verdict.given_up => compared,
        Guard::CheckThenWrite => "not compared".into(),
        Guard::Newer | Guard::NewerOrEqual => compared,
        Guard::Same if verdict.decision == Decision::Accepted && token != last => "first".into(),
        Guard::Same if token == last => format!("{token} = {last}"),
        Guard::Same => format!("{token} ≠ {last}"),
        Guard::TokenSeq if token == last => {
            let sign = sign_of(verdict.seq.cmp(&last_seq));
            format!("{token}.{} {sign} {last}.{last_seq}", verdict.seq)
        }
        Guard::TokenSeq => compared,
    }
}

/// The sign of a comparison.
const fn sign_of(order: Ordering) -> &'static str {
    match order {
        Ordering::Less => "<",
        Ordering::Equal => "=",
        Ordering::Greater => ">",
    }
}

/// What ended a belief, for the note after its band; empty where the next mark says it.
pub(crate) const fn belief_end(end: BeliefEnd) -> [&'static str; 2] {
    match end {
        BeliefEnd::RenewalRefused | BeliefEnd::WriteRejected => ["learns it lost the lease", "is told"],
        BeliefEnd::Released => ["gives it back", "gives it back"],
        BeliefEnd::OwnClock | BeliefEnd::Replaced => ["", ""],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_as_a_person_would() {
        let cases = [
            (0, "0.0 s", "0 s"),
            (350, "350 us", "350 us"),
            (1_500, "1.5 ms", "1.5 ms"),
            (50_000, "50 ms", "50 ms"),
            (200_000, "0.2 s", "0.2 s"),
            (1_250_000, "1.25 s", "1.25 s"),
            (30_000_000, "30.0 s", "30 s"),
            (61_500_000, "61.5 s", "61.5 s"),
            (300_000_000, "300.0 s", "5 m"),
            (750_000_000, "12 m 30 s", "12 m 30 s"),
            (9_000_000_000, "2 h 30 m", "2 h 30 m"),
            (86_400_000_000, "1 d", "1 d"),
            // Nothing is hidden, however small: a picture must not say another time than the list beside it.
            (45_004_000, "45.004 s", "45.004 s"),
            (60_007_001, "60.007001 s", "60.007001 s"),
            (99_999, "99.999 ms", "99.999 ms"),
            (600_000_500, "10 m 500 us", "10 m 500 us"),
            (3_000_500_000, "50 m 0.5 s", "50 m 0.5 s"),
            (93_784_000_000, "1 d 2 h 3 m 4 s", "1 d 2 h 3 m 4 s"),
        ];
        for (us, exact, short) in cases {
            assert_eq!((duration(us).as_str(), tidy(us).as_str()), (exact, short), "{us}");
        }
    }
}
