//! Scenarios, valid or not, as the page may hold them: validation never breaks, what it lets pass runs and is told, and both
//! documents and links agree with it.
#![no_main]

use arbitrary::{Result, Unstructured};
use fenceline_engine::scenario::{
    Basis, Clock, Exchange, Failover, Guard, Initial, Lease, MAX_EXACT, MAX_MICROS, Memory, Network, OnLeaseLost,
    Pause, Resource, Retry, Scenario, Send, Step, TokenSource, Worker, Write,
};
use fenceline_engine::{Headline, explain, narrate, run};
use fenceline_link::{Link, Opened, Shown, View, decode, encode};
use libfuzzer_sys::fuzz_target;

/// Draws the parts of a scenario, most of them such that they can be valid together.
struct Draw<'a>(Unstructured<'a>);

impl Draw<'_> {
    fn list<T>(&mut self, most: usize, mut item: impl FnMut(&mut Self, usize) -> Result<T>) -> Result<Vec<T>> {
        let count = self.0.int_in_range(0..=most)?;
        (0..count).map(|place| item(self, place)).collect()
    }

    fn flag(&mut self) -> Result<bool> {
        self.0.ratio(1, 4)
    }

    fn optional<T>(&mut self, item: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        if self.flag()? { item(self).map(Some) } else { Ok(None) }
    }

    fn us(&mut self) -> Result<u64> {
        Ok(match self.0.int_in_range(0..=15)? {
            0 => MAX_MICROS,
            1 => u64::MAX,
            2 => self.0.arbitrary()?,
            3..=6 => u64::from(self.0.arbitrary::<u8>()?),
            _ => u64::from(self.0.arbitrary::<u8>()?) * 100_000,
        })
    }

    fn exact(&mut self) -> Result<u64> {
        Ok(match self.0.int_in_range(0..=15)? {
            0 => MAX_EXACT,
            1 => self.0.arbitrary()?,
            _ => self.0.int_in_range(38..=45)?,
        })
    }

    fn text(&mut self) -> Result<String> {
        Ok(if self.flag()? { self.0.arbitrary::<&str>()?.into() } else { "v".into() })
    }

    fn id(&mut self, kind: char, place: usize) -> Result<String> {
        Ok(if self.0.ratio(1, 40)? { self.text()? } else { format!("{kind}{place}") })
    }

    fn reference(&mut self, kind: char) -> Result<String> {
        let place = if self.flag()? { 1 } else { 0 };
        self.id(kind, place)
    }

    fn send(&mut self) -> Result<Send> {
        Ok(Send {
            delay: self.optional(Self::us)?,
            reply_delay: self.optional(Self::us)?,
            lost: self.flag()?,
            reply_lost: self.flag()?,
            copies: if self.flag()? { self.list(9, |draw, _| draw.us())? } else { Vec::new() },
        })
    }

    fn sends(&mut self) -> Result<Vec<Send>> {
        if self.flag()? { self.list(3, |draw, _| draw.send()) } else { Ok(Vec::new()) }
    }

    fn exchange(&mut self) -> Result<Exchange> {
        let retry = self.optional(|draw| Ok(Retry { after: draw.us()?, attempts: draw.0.int_in_range(0..=21)? }))?;
        Ok(Exchange { sends: self.sends()?, retry })
    }

    fn step(&mut self) -> Result<Step> {
        Ok(match self.0.int_in_range(0..=11)? {
            0..=1 => Step::Acquire { lease: self.reference('L')?, exchange: self.exchange()? },
            2 => Step::Work { length: self.us()?, label: self.text()? },
            3 => Step::Until { at: self.us()? },
            4 => Step::Check {
                lease: self.reference('L')?,
                from: if self.flag()? { Basis::Received } else { Basis::Sent },
                margin: self.us()?,
            },
            5 => Step::Read { resource: self.reference('R')?, exchange: self.exchange()? },
            6 => Step::Establish {
                resource: self.reference('R')?,
                lease: self.optional(|draw| draw.reference('L'))?,
                peek_sends: self.sends()?,
                exchange: self.exchange()?,
            },
            7 => Step::Release { lease: self.reference('L')?, exchange: self.exchange()? },
            _ => Step::Write(Write {
                resource: self.reference('R')?,
                value: self.text()?,
                lease: self.optional(|draw| draw.reference('L'))?,
                key: self.optional(Self::text)?,
                token: self.optional(Self::exact)?,
                unguarded: self.flag()?,
                wait: !self.flag()?,
                peek_sends: self.sends()?,
                exchange: self.exchange()?,
            }),
        })
    }

    fn lease(&mut self, place: usize) -> Result<Lease> {
        let failover =
            |draw: &mut Self, _| Ok(Failover { at: draw.us()?, next: draw.exact()?, forgets_holder: draw.flag()? });
        Ok(Lease {
            id: self.id('L', place)?,
            ttl: self.us()?,
            lock_delay: self.us()?,
            tokens: match self.0.int_in_range(0..=3)? {
                0 => TokenSource::WorkerClock,
                1 => TokenSource::Random { seed: self.exact()? },
                _ => TokenSource::Counter { next: self.exact()? },
            },
            failovers: if self.flag()? { self.list(3, failover)? } else { Vec::new() },
        })
    }

    fn resource(&mut self, place: usize) -> Result<Resource> {
        Ok(Resource {
            id: self.id('R', place)?,
            guard: *self.0.choose(&Guard::ALL)?,
            initial: Initial { token: self.exact()?, value: self.text()? },
            remembers: if self.flag()? { Memory::InMemory } else { Memory::Durably },
            restarts: if self.flag()? { self.list(3, |draw, _| draw.us())? } else { Vec::new() },
            authenticates: self.flag()?,
            idempotent: self.flag()?,
        })
    }

    fn worker(&mut self, place: usize) -> Result<Worker> {
        let offset = if self.flag()? { self.us()? as i64 } else { 0 };
        let drift_ppm = if self.flag()? { self.0.int_in_range(-500_001..=500_001)? } else { 0 };
        let pause = |draw: &mut Self, _| Ok(Pause { at: draw.us()?, length: draw.optional(Self::us)? });
        Ok(Worker {
            id: self.id('W', place)?,
            starts: self.us()?,
            clock: Clock { offset: if self.flag()? { offset.wrapping_neg() } else { offset }, drift_ppm },
            plan: self.list(6, |draw, _| draw.step())?,
            pauses: if self.flag()? { self.list(3, pause)? } else { Vec::new() },
            renew_every: self.optional(Self::us)?,
            renewal_sends: self.sends()?,
            on_lease_lost: if self.flag()? { OnLeaseLost::Stop } else { OnLeaseLost::Continue },
        })
    }

    fn scenario(&mut self) -> Result<Scenario> {
        Ok(Scenario {
            title: self.text()?,
            about: self.text()?,
            network: Network { delay: self.us()? },
            leases: self.list(2, Self::lease)?,
            resources: self.list(2, Self::resource)?,
            workers: self.list(3, Self::worker)?,
        })
    }
}

fuzz_target!(|data: &[u8]| {
    let Ok(scenario) = Draw(Unstructured::new(data)).scenario() else { return };
    let errors = scenario.validate();
    let read = Scenario::from_json(&scenario.to_json());
    assert_eq!(read.is_ok(), errors.is_empty(), "{errors:?} {read:?}");
    let link =
        Link { shown: Shown::Scenario { scenario: Box::new(scenario.clone()), of: None }, view: View::default() };
    let opened = decode(&encode(&link));
    match run(&scenario) {
        Err(errors) => {
            assert!(!errors.is_empty());
            assert!(opened.is_err(), "what cannot be shown does not open");
        }
        Ok(trace) => {
            assert_eq!(read.as_ref(), Ok(&scenario));
            assert_eq!(opened, Ok(Opened { link, notices: Vec::new() }));
            let headline = Headline::new(&scenario, &trace);
            assert!(!headline.sentence().is_empty());
            assert!(narrate(&scenario, &trace).iter().all(|sentence| !sentence.plain().is_empty()));
            // A chain is told at a time: all of a long run would take the time of many runs.
            assert!((0..trace.writes.len().min(20)).all(|place| explain(&scenario, &trace, place as u32).is_some()));
        }
    }
});
