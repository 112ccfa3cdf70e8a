//! The worked cases as text inside the test program, for the browser, where there are no files to read.

macro_rules! embed {
    ($($folder:literal { $($name:literal)* })*) => {
        &[$($(($folder, $name, include_str!(concat!("../../", $folder, "/", $name, ".json")))),*),*]
    };
}

/// The text that the summary of a case must be, byte for byte: what its file says under `expect`, its last member, moved out
/// by one level.
pub fn expected_text(file: &str) -> String {
    let (_, expect) = file.split_once("\n  \"expect\": ").expect("a case file has its expectation as a member");
    let body = expect.trim_end().strip_suffix('}').expect("a case file is an object").trim_end();
    body.replace("\n  ", "\n")
}

/// A whole trace in one line, however long it is: every event, message, grant and verdict counts into it. (FNV-1a, 64 bits.)
pub fn digest(trace: &fenceline_engine::Trace) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in format!("{trace:?}").bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// The digests of all cases: a line each, folder/name and digest. They say nothing of what is right; they hold the machine
/// and the browser to the same traces.
pub const DIGESTS: &str = include_str!("traces.txt");

/// Every case: folder, name, text.
pub const CASES: &[(&str, &str, &str)] = embed! {
    "cases" {
        "boundary-establish-first"
        "boundary-holder-check"
        "boundary-old-token-first"
        "check-then-write-race"
        "delayed-message"
        "forged-token-authenticated"
        "forged-token-locks-out"
        "legacy-writer"
        "local-check-too-early"
        "local-check-works"
        "paused-worker-fenced"
        "paused-worker-unfenced"
        "reordered-writes"
        "restart-forgets"
        "retry-equal-applied-twice"
        "retry-idempotent"
        "retry-strict"
        "stale-read-valid-token"
        "tokens-reused-after-failover"
        "two-writes-sequence"
        "two-writes-strict"
    }
    "cases-more" {
        "a-reply-to-a-crashed-worker"
        "an-establish-keeps-no-key"
        "an-expiry-keeps-the-run-going"
        "an-older-grant-noted-late"
        "arrivals-tie-by-time-sent"
        "arrivals-wait-in-order"
        "checks-on-skewed-clocks"
        "confirmations-out-of-order"
        "crash"
        "establish-arrives-twice"
        "failover-at-the-instant-of-expiry"
        "giving-up-after-a-peek"
        "heartbeats-alone-end-the-run"
        "heartbeats-merge-in-a-pause"
        "late-copy-takes-the-lock"
        "lock-delay"
        "lost-stays-lost"
        "one-key-for-many"
        "random-tokens"
        "release-meant-for-an-older-grant"
        "release-sent-again"
        "renewals-count-over-all-leases"
        "reply-at-the-resume"
        "same-token-and-a-restart"
        "stale-read-of-others-only"
        "stop-when-the-lease-is-lost"
        "the-first-of-several-answers"
        "tokens-bound-to-their-worker"
        "tokens-from-worker-clocks"
        "unanswered-after-a-pause"
        "what-a-check-knows"
        "write-arrives-as-the-lease-ends"
    }
};
