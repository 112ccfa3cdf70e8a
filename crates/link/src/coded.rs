//! A scenario as the value of `s`: version, codec, payload.

use data_encoding::BASE64URL_NOPAD;
use fenceline_engine::limits::MAX_DOCUMENT_BYTES;
use fenceline_engine::{Scenario, ScenarioError};
use miniz_oxide::inflate::{DecompressError, TINFLStatus, decompress_to_vec_with_limit};

use crate::error::{LinkError, MOST_TOLD, Notice, shown};
use crate::v1;

/// How hard to look for a short form, 0 to 10. A link is made when the work has come to rest.
const EFFORT: u8 = 9;

/// The longest link that is read, and the most that one is unpacked to, in bytes.
pub const MAX_LINK_BYTES: usize = 1 << 20;

/// The digest that tells a damaged payload; its four bytes stand at the end, the lowest first.
const CHECKSUM: crc::Crc<u32, crc::NoTable> = crc::Crc::<u32, crc::NoTable>::new(&crc::CRC_32_ISCSI);

/// The checksum of a body. It is taken over the tag too: bytes that arrived whole would else be unpacked in another way when
/// only the letter of their codec was changed.
fn checksum(tag: &str, body: &[u8]) -> [u8; 4] {
    let mut digest = CHECKSUM.digest();
    digest.update(tag.as_bytes());
    digest.update(body);
    digest.finalize().to_le_bytes()
}

/// The value.
pub(crate) fn write(scenario: &Scenario) -> String {
    let valid = scenario.validate().is_empty();
    let Some(plain) = valid.then(|| v1::write(scenario)).flatten() else {
        return ["1j.", &BASE64URL_NOPAD.encode(scenario.to_json().as_bytes())].concat();
    };
    let deflated = miniz_oxide::deflate::compress_to_vec(&plain, EFFORT);
    let (tag, mut bytes) = if deflated.len() < plain.len() { ("1z.", deflated) } else { ("1p.", plain) };
    bytes.extend(checksum(tag, &bytes));
    [tag, &BASE64URL_NOPAD.encode(&bytes)].concat()
}

/// The scenario of a value, if it can be shown.
pub(crate) fn read(text: &str, notices: &mut Vec<Notice>) -> Result<Scenario, LinkError> {
    let scenario = if text.starts_with('{') {
        document(text, notices)?
    } else {
        if text.is_empty() {
            return Err(LinkError::Damaged);
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let version: u32 = text[..digits].parse().map_err(|_| LinkError::Codec)?;
        let mut rest = text[digits..].chars();
        let (codec, dot) = (rest.next(), rest.next());
        match (version, codec, dot) {
            (1, Some('p'), Some('.')) => packed(&intact("1p.", rest.as_str())?, notices)?,
            (1, Some('z'), Some('.')) => {
                let inflated = decompress_to_vec_with_limit(&intact("1z.", rest.as_str())?, MAX_LINK_BYTES);
                packed(&inflated.map_err(|error| unpacking(&error))?, notices)?
            }
            (1, Some('j'), Some('.')) => json(rest.as_str(), notices)?,
            (1, None | Some('p' | 'z' | 'j'), None) => return Err(LinkError::Damaged),
            (0..=1, ..) => return Err(LinkError::Codec),
            (version, Some(codec), Some('.')) if codec.is_ascii_alphabetic() => {
                return Err(LinkError::Newer { version });
            }
            _ => return Err(LinkError::Codec),
        }
    };
    let problems = scenario.check();
    if problems.is_empty() { Ok(scenario) } else { Err(LinkError::Scenario(problems)) }
}

/// The bytes of a payload, when its checksum is theirs.
fn intact(tag: &str, payload: &str) -> Result<Vec<u8>, LinkError> {
    let mut bytes = unwrapped(payload)?;
    let (body, found) = bytes.split_last_chunk::<4>().ok_or(LinkError::Damaged)?;
    if checksum(tag, body) != *found {
        return Err(LinkError::Damaged);
    }
    bytes.truncate(body.len());
    Ok(bytes)
}

fn unpacking(error: &DecompressError) -> LinkError {
    if error.status == TINFLStatus::HasMoreOutput { LinkError::Unpacks } else { LinkError::Unreadable }
}

fn packed(body: &[u8], notices: &mut Vec<Notice>) -> Result<Scenario, LinkError> {
    let (scenario, more) = v1::read(body).ok_or(LinkError::Unreadable)?;
    // What opens must be able to be kept: its few bytes can say more than a file can hold.
    let bytes = scenario.to_json().len();
    if bytes > MAX_DOCUMENT_BYTES {
        let found = format!("a scenario of {bytes} bytes as a document");
        let allowed = format!("at most 1 MiB ({MAX_DOCUMENT_BYTES} bytes)");
        return Err(LinkError::Scenario(vec![ScenarioError { path: String::new(), found, allowed }]));
    }
    if more > 0 {
        notices.push(Notice::More);
    }
    Ok(scenario)
}

fn json(payload: &str, notices: &mut Vec<Notice>) -> Result<Scenario, LinkError> {
    let text = String::from_utf8(unwrapped(payload)?).map_err(|_| LinkError::Damaged)?;
    document(&text, notices)
}

/// The scenario of a document. In a link a field that is not known here may be of a later version, as an appended part of a
/// packed one is.
fn document(text: &str, notices: &mut Vec<Notice>) -> Result<Scenario, LinkError> {
    let (scenario, passed_over) = Scenario::from_newer_json(text).map_err(LinkError::Scenario)?;
    let more = passed_over.len().saturating_sub(MOST_TOLD);
    notices.extend(passed_over.into_iter().take(MOST_TOLD).map(|path| Notice::Field(shown(&path))));
    if more > 0 {
        notices.push(Notice::Fields(more));
    }
    Ok(scenario)
}

fn unwrapped(payload: &str) -> Result<Vec<u8>, LinkError> {
    // Mail breaks long lines.
    let letters: Vec<u8> = payload.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    BASE64URL_NOPAD.decode(&letters).map_err(|_| LinkError::Damaged)
}
