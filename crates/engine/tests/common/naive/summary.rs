//! The summary of a naive run, in the shape of section 9.

use serde::Serialize;

use super::Naive;
use super::resource::Decided;
use super::worker::Plan;

#[derive(Serialize)]
struct Summary {
    grants: Vec<GrantLine>,
    writes: Vec<WriteLine>,
    resources: Vec<ResourceLine>,
    properties: PropertyLines,
    workers: Vec<WorkerLine>,
}

#[derive(Serialize)]
struct GrantLine {
    number: usize,
    lease: String,
    worker: String,
    token: u64,
    granted_at_us: u64,
    ended_at_us: Option<u64>,
    ended_by: Option<&'static str>,
}

#[derive(Serialize)]
struct WriteLine {
    write: String,
    kind: &'static str,
    attempt: u32,
    copy: u32,
    resource: String,
    decided_at_us: u64,
    token: Option<u64>,
    seq: usize,
    remembered_token: u64,
    remembered_seq: usize,
    decision: &'static str,
    reason: Option<&'static str>,
    standing: &'static str,
    flags: Vec<&'static str>,
}

#[derive(Serialize)]
struct ResourceLine {
    id: String,
    value: String,
    version: usize,
    token: u64,
    seq: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::struct_excessive_bools, reason = "the summary has one for each property")]
struct PropertyLines {
    no_overwrite: bool,
    no_stale_write: bool,
    no_lost_update: bool,
    at_most_once: bool,
    holder_served: bool,
}

#[derive(Serialize)]
struct WorkerLine {
    id: String,
    ended: &'static str,
}

/// The summary as text: two spaces a level, fields in the order of section 9.
pub fn text(run: &Naive<'_>) -> String {
    let scenario = run.scenario;
    let summary = Summary {
        grants: run
            .grants
            .iter()
            .enumerate()
            .map(|(index, grant)| GrantLine {
                number: index + 1,
                lease: scenario.leases[grant.lease].id.clone(),
                worker: scenario.workers[grant.worker].id.clone(),
                token: grant.token,
                granted_at_us: grant.granted_at,
                ended_at_us: grant.ended.map(|(at, _)| at),
                ended_by: grant.ended.map(|(_, by)| by),
            })
            .collect(),
        writes: run.decided.iter().map(|decided| write_line(run, decided)).collect(),
        resources: scenario
            .resources
            .iter()
            .enumerate()
            .map(|(index, resource)| {
                let applied = run.applied(index);
                let (token, seq) = run.resources[index].remembered;
                ResourceLine {
                    id: resource.id.clone(),
                    value: applied.last().map_or(&resource.initial.value, |last| &last.put.value).clone(),
                    version: applied.len(),
                    token,
                    seq,
                }
            })
            .collect(),
        properties: properties(&run.decided),
        workers: scenario
            .workers
            .iter()
            .zip(&run.workers)
            .map(|(worker, state)| WorkerLine {
                id: worker.id.clone(),
                ended: match state.plan {
                    Plan::Over { how } => how,
                    _ if state.pauses.iter().any(|span| span.until.is_none()) => "crashed",
                    _ => "waiting",
                },
            })
            .collect(),
    };
    serde_json::to_string_pretty(&summary).expect("plain data is written without errors")
}

fn write_line(run: &Naive<'_>, decided: &Decided) -> WriteLine {
    let mut flags = decided.flags.clone();
    flags.sort_unstable();
    WriteLine {
        write: format!("{}/{}", run.scenario.workers[decided.worker].id, decided.step),
        kind: if decided.put.establish { "establish" } else { "write" },
        attempt: decided.attempt,
        copy: decided.copy,
        resource: run.scenario.resources[decided.put.resource].id.clone(),
        decided_at_us: decided.at,
        token: decided.put.token,
        seq: decided.put.seq,
        remembered_token: decided.remembered.0,
        remembered_seq: decided.remembered.1,
        decision: decided.decision,
        reason: decided.reason,
        standing: decided.standing,
        flags,
    }
}

fn properties(decided: &[Decided]) -> PropertyLines {
    let no_flag = |flag: &str| !decided.iter().any(|decided| decided.flags.contains(&flag));
    let stale_accepted = |decided: &Decided| decided.applied() && decided.standing != "current";
    let holder_refused = |decided: &Decided| {
        decided.decision == "rejected" && decided.standing == "current" && !decided.flags.contains(&"already_applied")
    };
    PropertyLines {
        no_overwrite: no_flag("overwrites_newer"),
        no_stale_write: !decided.iter().any(stale_accepted),
        no_lost_update: no_flag("stale_read"),
        at_most_once: no_flag("applied_twice"),
        holder_served: !decided.iter().any(holder_refused),
    }
}
