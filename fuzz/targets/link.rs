//! Links: any text, and any bytes under a right checksum.
//!
//! The first byte says which. Whatever opens can be shown, and its own link opens as the same.
#![no_main]

use fenceline_engine::run;
use fenceline_link::{Opened, Shown, decode, encode};
use libfuzzer_sys::fuzz_target;

const CHECKSUM: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI);

fn sealed(tag: &str, body: &[u8]) -> String {
    let checksum = CHECKSUM.checksum(&[tag.as_bytes(), body].concat()).to_le_bytes();
    ["s=", tag, &data_encoding::BASE64URL_NOPAD.encode(&[body, &checksum].concat())].concat()
}

fuzz_target!(|data: &[u8]| {
    let text = match data {
        [0, body @ ..] => sealed("1p.", body),
        [1, body @ ..] => sealed("1z.", body),
        [2, body @ ..] => sealed("1z.", &miniz_oxide::deflate::compress_to_vec(body, 1)),
        [3, body @ ..] => ["s=1j.", &data_encoding::BASE64URL_NOPAD.encode(body)].concat(),
        text => String::from_utf8_lossy(text).into_owned(),
    };
    match decode(&text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(Opened { link, notices }) => {
            assert!(notices.iter().all(|notice| !notice.to_string().is_empty()));
            if let Shown::Scenario { scenario, .. } = &link.shown {
                assert!(run(scenario).is_ok(), "what opens can be shown");
            }
            assert_eq!(decode(&encode(&link)), Ok(Opened { link, notices: Vec::new() }));
        }
    }
});
