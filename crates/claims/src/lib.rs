//! Claims: what a document says of its scenario, held against what the engine says now.
