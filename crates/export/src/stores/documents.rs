//! The guards in the languages of document stores.
//!
//! `MongoDB` changes one document atomically, the filter included
//! (<https://www.mongodb.com/docs/manual/core/write-operations-atomicity/>); `DynamoDB` evaluates a condition expression and writes
//! in one step (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ConditionExpressions.html>).

use fenceline_engine::Guard;

use super::{Expressed, GuardCode, Parameter, Store, accepted_when};

const NO_UPSERT: &str =
    "Without upsert: with it a rejected write would try to insert a second document of that _id, and fail with E11000.";
const DOCUMENT_IS_THERE: &str = "The document is there from the beginning: an update that finds none changes nothing, and says so by its count alone.";
const TOKENS_ARE_LONG: &str = "Tokens are Long, in the document and in token: two Long are not compared by < or >.";
const MAJORITY: &str =
    "With write concern majority: what only one node has seen can be rolled back, the remembered token with it.";
const TRANSACTION: &str =
    "In a transaction of a replica set. The lease is touched, so that a take-over and this write cannot both commit.";
const SERVER_CLOCK: &str = "$$NOW is the server's clock, not the writer's.";

const RESENT: &str = "A client that gets no answer sends the request again: a write that was accepted then fails its own condition. The item \
                      that comes back with the failure (ALL_OLD) tells: it holds this token and this body.";
const ONE_REGION: &str = "A global table with eventual consistency (MREC) judges the condition in one Region only: let all writers use the same.";
const TOKEN_IS_RESERVED: &str = "TOKEN is a reserved word there: hence #token.";
const ITEM_IS_THERE: &str = "attribute_not_exists lets the first write in, before there is an item.";
const NO_CLOCK: &str = "DynamoDB has no clock: whether the lease has ended is judged by the writer's clock, which is what cannot be trusted. \
                        The condition only catches a take-over that was written down.";

/// A guard for `MongoDB`.
pub(super) fn mongodb(guard: Guard) -> GuardCode {
    let update = |filter: &str, sets: &str| {
        format!(
            "db.report.updateOne(\n  {{ _id: 1{filter} }},\n  {{ $set: {{ {sets} }} }},\n  {{ writeConcern: {{ w: \"majority\" }} }}\n)"
        )
    };
    let all = "body: body, token: token";
    let (expressed, write, parameters) = match guard {
        Guard::None => (Expressed::AtOnce, update("", "body: body"), vec![Parameter::Body]),
        Guard::CheckThenWrite => (
            Expressed::WithARace,
            format!(
                "const last = db.report.findOne({{ _id: 1 }}).token\nif (token.compare(last) > 0) {}",
                update("", all)
            ),
            vec![Parameter::Token, Parameter::Body],
        ),
        Guard::Newer => {
            (Expressed::AtOnce, update(", token: { $lt: token }", all), vec![Parameter::Token, Parameter::Body])
        }
        Guard::NewerOrEqual => {
            (Expressed::AtOnce, update(", token: { $lte: token }", all), vec![Parameter::Token, Parameter::Body])
        }
        Guard::Same => {
            (Expressed::AtOnce, update(", token: { $in: [token, null] }", all), vec![Parameter::Token, Parameter::Body])
        }
        Guard::TokenSeq => (
            Expressed::AtOnce,
            update(
                ",\n    $or: [{ token: { $lt: token } }, { token: token, seq: { $lt: seq } }]",
                "body: body, token: token, seq: seq",
            ),
            vec![Parameter::Token, Parameter::Seq, Parameter::Body],
        ),
        Guard::Holder => (
            Expressed::AtOnce,
            "const session = db.getMongo().startSession()\nconst inside = session.getDatabase(db.getName())\n\
             session.withTransaction(() => {\n  const held = inside.leases.updateOne(\n    { _id: lease, grant: grant, $expr: { $gt: [\"$ends_at\", \"$$NOW\"] } },\n    \
             { $inc: { writes: 1 } }\n  )\n  if (held.matchedCount === 0) throw new Error(\"not the holder\")\n  \
             const done = inside.report.updateOne({ _id: 1 }, { $set: { body: body, token: token } })\n  \
             if (done.matchedCount === 0) throw new Error(\"no such document\")\n}, { writeConcern: { w: \"majority\" } })"
                .into(),
            vec![Parameter::Lease, Parameter::Grant, Parameter::Body, Parameter::Token],
        ),
    };
    let token = if guard == Guard::Same { "null" } else { "Long(0)" };
    let mut setup = format!("db.report.insertOne({{ _id: 1, body: \"initial\", token: {token}, seq: 0 }})");
    let mut notes = match guard {
        Guard::None => vec![DOCUMENT_IS_THERE, MAJORITY],
        Guard::CheckThenWrite => vec![DOCUMENT_IS_THERE, TOKENS_ARE_LONG, MAJORITY],
        _ => vec![DOCUMENT_IS_THERE, NO_UPSERT, MAJORITY],
    };
    if guard == Guard::Holder {
        setup += "\n// A grant, and each renewal; E11000 says that a newer grant is there:\ndb.leases.updateOne(\n  { _id: \"report-lock\", grant: { $lte: 41 } },\n  \
                  [{ $set: { grant: 41, ends_at: { $add: [\"$$NOW\", 30000] }, writes: 0 } }],\n  \
                  { upsert: true, writeConcern: { w: \"majority\" } }\n)";
        notes = vec![TRANSACTION, SERVER_CLOCK, DOCUMENT_IS_THERE];
    }
    let accepted_when = match guard {
        Guard::Holder => accepted_when(guard, "the transaction commits", "when it throws ‘not the holder’"),
        _ => accepted_when(guard, "matchedCount is 1", "when it is 0"),
    };
    GuardCode { store: Store::Mongodb, guard, expressed, setup, write, parameters, accepted_when, notes }
}

/// A guard for `DynamoDB`, as the JSON of a request.
pub(super) fn dynamodb(guard: Guard) -> GuardCode {
    let update = |sets: &str, condition: &str, values: &[&str]| {
        let condition = if condition.is_empty() {
            String::new()
        } else {
            format!(
                "\n  \"ConditionExpression\": \"{condition}\",\n  \"ReturnValuesOnConditionCheckFailure\": \"ALL_OLD\","
            )
        };
        let names =
            if sets.contains('#') { "\n  \"ExpressionAttributeNames\": { \"#token\": \"token\" }," } else { "" };
        format!(
            "UpdateItem\n{{\n  \"TableName\": \"report\",\n  \"Key\": {{ \"id\": {{ \"N\": \"1\" }} }},\n  \"UpdateExpression\": \"SET {sets}\",{condition}{names}\n  \
             \"ExpressionAttributeValues\": {{ {} }}\n}}",
            values.join(", ")
        )
    };
    let all = "body = :body, #token = :token";
    let (body, token, seq) =
        ("\":body\": { \"S\": \"…\" }", "\":token\": { \"N\": \"42\" }", "\":seq\": { \"N\": \"1\" }");
    let conditional = || vec![ITEM_IS_THERE, TOKEN_IS_RESERVED, RESENT, ONE_REGION];
    let compared = |condition: &str| {
        let write = update(all, condition, &[body, token]);
        (Expressed::AtOnce, write, vec![Parameter::Body, Parameter::Token], conditional())
    };
    let (expressed, write, parameters, notes) = match guard {
        Guard::None => (Expressed::AtOnce, update("body = :body", "", &[body]), vec![Parameter::Body], vec![]),
        Guard::CheckThenWrite => {
            let read = "GetItem\n{ \"TableName\": \"report\", \"Key\": { \"id\": { \"N\": \"1\" } }, \"ConsistentRead\": true }\n\
                        # Go on only when the token is above the one that was read.\n";
            let write = [read, &update(all, "", &[body, token])].concat();
            (Expressed::WithARace, write, vec![Parameter::Body, Parameter::Token], vec![TOKEN_IS_RESERVED])
        }
        Guard::Newer => compared("attribute_not_exists(#token) OR #token < :token"),
        Guard::NewerOrEqual => compared("attribute_not_exists(#token) OR #token <= :token"),
        Guard::Same => compared("attribute_not_exists(#token) OR #token = :token"),
        Guard::TokenSeq => (
            Expressed::AtOnce,
            update(
                "body = :body, #token = :token, seq = :seq",
                "attribute_not_exists(#token) OR #token < :token OR (#token = :token AND seq < :seq)",
                &[body, token, seq],
            ),
            vec![Parameter::Body, Parameter::Token, Parameter::Seq],
            conditional(),
        ),
        Guard::Holder => {
            let write = "TransactWriteItems\n{\n  \"TransactItems\": [\n    { \"ConditionCheck\": {\n      \"TableName\": \"lease\", \"Key\": { \"name\": { \"S\": \"report-lock\" } },\n      \
                         \"ConditionExpression\": \"grant_no = :grant AND ends_at > :now\",\n      \
                         \"ExpressionAttributeValues\": { \":grant\": { \"N\": \"2\" }, \":now\": { \"N\": \"1764600000000\" } } } },\n    \
                         { \"Update\": {\n      \"TableName\": \"report\", \"Key\": { \"id\": { \"N\": \"1\" } },\n      \
                         \"UpdateExpression\": \"SET body = :body, #token = :token\",\n      \"ExpressionAttributeNames\": { \"#token\": \"token\" },\n      \
                         \"ExpressionAttributeValues\": { \":body\": { \"S\": \"…\" }, \":token\": { \"N\": \"42\" } } } }\n  ]\n}";
            (
                Expressed::InPart,
                write.into(),
                vec![Parameter::Lease, Parameter::Grant, Parameter::Now, Parameter::Body, Parameter::Token],
                vec![NO_CLOCK, TOKEN_IS_RESERVED, ONE_REGION],
            )
        }
    };
    let rejected = match guard {
        // The exception alone says too little: a conflict with another transaction is told by it as well.
        Guard::Holder => {
            "with TransactionCanceledException when the first of its CancellationReasons has the Code ConditionalCheckFailed; \
             after TransactionConflict it is to be tried again"
        }
        _ => "with ConditionalCheckFailedException",
    };
    let accepted_when = accepted_when(guard, "it succeeds", rejected);
    let setup = String::new();
    GuardCode { store: Store::Dynamodb, guard, expressed, setup, write, parameters, accepted_when, notes }
}
