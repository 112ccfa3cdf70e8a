//! Links: a scenario and how it is looked at, in the fragment of an address, so that what is made here can be sent whole.
