//! The benchmark on this machine: prints the figures, beside those of a browser where their lines come in.

use std::io::{IsTerminal as _, Read as _};
use std::time::Instant;

use fenceline_bench::{Figure, allocations, measure, table};

fn main() {
    let mut log = String::new();
    let mut input = std::io::stdin();
    if !input.is_terminal() && input.read_to_string(&mut log).is_err() {
        log.clear();
    }
    let browser: Vec<Figure> = log.lines().filter_map(Figure::read).collect();
    let start = Instant::now();
    let native = measure(&|| start.elapsed().as_secs_f64() * 1e6);
    print!("{}", table(&native, &browser));
    if let Some(count) = allocations() {
        println!("allocations in 1,000 runs of the story after the first: {count}");
    }
}
