//! What the inspector shows of a step: its own fields, and how its messages travel.

use fenceline_engine::scenario::{Guard, Step};
use fenceline_engine::{Scenario, format_duration};

use super::rows::{FieldKind, Row, field, hinted, optional, send_rows};
use crate::edit::Action;

/// A step in a few words, for a list.
pub fn step_words(step: &Step) -> String {
    match step {
        Step::Acquire { lease, .. } => ["acquire ", lease].concat(),
        Step::Work { length, label } if label.is_empty() => ["work ", &format_duration(*length)].concat(),
        Step::Work { length, label } => [label, ", ", &format_duration(*length)].concat(),
        Step::Until { at } => ["wait until ", &format_duration(*at)].concat(),
        Step::Check { lease, .. } => ["check ", lease].concat(),
        Step::Read { resource, .. } => ["read ", resource].concat(),
        Step::Establish { resource, .. } => ["establish at ", resource].concat(),
        Step::Write(write) => ["write ‘", &write.value, "’ to ", &write.resource].concat(),
        Step::Release { lease, .. } => ["release ", lease].concat(),
    }
}

fn names<'a>(ids: impl Iterator<Item = &'a String>) -> FieldKind {
    FieldKind::Choice(ids.map(|id| (id.clone(), id.clone())).collect())
}

fn leases(scenario: &Scenario) -> FieldKind {
    names(scenario.leases.iter().map(|lease| &lease.id))
}

/// The leases, and the choice of none: the newest grant, whichever lease it is of.
fn leases_or_any(scenario: &Scenario) -> FieldKind {
    let any = (String::new(), "its newest grant".to_string());
    let ids = scenario.leases.iter().map(|lease| (lease.id.clone(), ["its grant of ", &lease.id].concat()));
    FieldKind::Choice(std::iter::once(any).chain(ids).collect())
}

fn resources(scenario: &Scenario) -> FieldKind {
    names(scenario.resources.iter().map(|resource| &resource.id))
}

/// The rows of a step.
pub fn step(rows: &mut Vec<Row>, scenario: &Scenario, worker: usize, index: usize) {
    let Some(step) = scenario.workers.get(worker).and_then(|worker| worker.plan.get(index)) else { return };
    let place = format!("/workers/{worker}/plan/{index}");
    let at = |field: &str| [&place, "/", field].concat();
    rows.push(field(at("do"), "Does", FieldKind::StepKind(worker, index), ""));
    match step {
        Step::Acquire { .. } | Step::Release { .. } => {
            rows.push(field(at("lease"), "Lease", leases(scenario), ""));
        }
        Step::Work { .. } => {
            rows.push(hinted(field(at("for"), "Takes", FieldKind::Time, ""), "running time: pauses do not count"));
            rows.push(field(at("label"), "What it does", FieldKind::Text, ""));
        }
        Step::Until { .. } => rows.push(field(at("at"), "Until", FieldKind::Time, "")),
        Step::Check { .. } => {
            rows.push(field(at("lease"), "Lease", leases(scenario), ""));
            let bases = vec![
                ("sent".into(), "when it sent the request: safe".into()),
                ("received".into(), "when it received the reply: too late".into()),
            ];
            rows.push(field(at("from"), "Counts from", FieldKind::Choice(bases), "sent"));
            rows.push(hinted(
                field(at("margin"), "Margin", FieldKind::Time, "0s"),
                "how much earlier than the end it gives up",
            ));
        }
        Step::Read { .. } => rows.push(field(at("resource"), "Resource", resources(scenario), "")),
        Step::Establish { .. } => {
            rows.push(field(at("resource"), "Resource", resources(scenario), ""));
            rows.push(field(at("lease"), "Presents", leases_or_any(scenario), ""));
        }
        Step::Write(_) => {
            rows.push(field(at("resource"), "Resource", resources(scenario), ""));
            rows.push(field(at("value"), "Value", FieldKind::Text, ""));
            rows.push(field(at("lease"), "Presents", leases_or_any(scenario), ""));
            let own = "the grant’s own".to_string();
            rows.push(hinted(
                optional(at("token"), "Token", FieldKind::Whole(1), own),
                "a number here is a token that somebody made up",
            ));
            rows.push(hinted(
                optional(at("key"), "Idempotency key", FieldKind::Text, "one for each step".into()),
                "the same key marks the same write",
            ));
            rows.push(hinted(
                field(at("unguarded"), "Goes around the guard", FieldKind::Flag, "false"),
                "a legacy writer",
            ));
            rows.push(field(at("wait"), "Waits for the reply", FieldKind::Flag, "true"));
        }
    }
    travel(rows, scenario, step, &place);
}

/// How the messages of a step travel.
fn travel(rows: &mut Vec<Row>, scenario: &Scenario, step: &Step, place: &str) {
    let Some(exchange) = step.exchange() else { return };
    let peeks = step.peek_sends().is_some_and(|sends| !sends.is_empty() || peeks(scenario, step));
    if peeks {
        rows.push(Row::Heading("Its check at the destination".into()));
        let sends = step.peek_sends();
        let count = sends.map_or(0, Vec::len).max(1);
        for attempt in 0..count {
            let send = sends.and_then(|sends| sends.get(attempt));
            send_rows(rows, scenario, &[place, "/peek_sends/", &attempt.to_string()].concat(), send);
        }
        // A check is sent once: what is said of further ones is of no use.
        spare(rows, &[place, "/peek_sends/"].concat(), count, 1);
    }
    let needed = exchange.retry.map_or(1, |retry| retry.attempts as usize);
    let attempts = needed.max(exchange.sends.len());
    for attempt in 0..attempts {
        let heading =
            if attempts == 1 { "Its message".into() } else { ["Attempt ", &(attempt + 1).to_string()].concat() };
        rows.push(Row::Heading(heading));
        send_rows(rows, scenario, &[place, "/sends/", &attempt.to_string()].concat(), exchange.sends.get(attempt));
    }
    spare(rows, &[place, "/sends/"].concat(), attempts, needed);
    let retry = [place, "/retry"].concat();
    if exchange.retry.is_some() {
        rows.push(Row::Heading("Retries".into()));
        rows.push(hinted(
            field([&retry, "/after"].concat(), "Sends again after", FieldKind::Time, ""),
            "when no reply has come",
        ));
        rows.push(field([&retry, "/attempts"].concat(), "Sends at most", FieldKind::Whole(1), ""));
        rows.push(Row::Actions(vec![(Action::Take(retry), "Do not retry".into())]));
    } else {
        let json = r#"{ "after": "5s", "attempts": 2 }"#;
        rows.push(Row::Actions(vec![(Action::Put(retry, json), "Retry when no reply comes".into())]));
    }
}

/// Offers to forget the last attempt where more are described than can be sent.
fn spare(rows: &mut Vec<Row>, list: &str, described: usize, sent: usize) {
    if described > sent {
        let take = Action::Take([list, &(described - 1).to_string()].concat());
        rows.push(Row::Actions(vec![(
            take,
            ["Forget attempt ", &described.to_string(), ": it is never sent"].concat(),
        )]));
    }
}

/// Whether a step peeks before it writes.
fn peeks(scenario: &Scenario, step: &Step) -> bool {
    let resource = match step {
        Step::Write(write) if !write.unguarded => &write.resource,
        Step::Establish { resource, .. } => resource,
        _ => return false,
    };
    scenario.resources.iter().any(|of| of.id == *resource && of.guard == Guard::CheckThenWrite)
}
