//! What a person looks at the page with.

/// The size of the page on the screen, and whether the person prefers dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Width of the page, in CSS pixels.
    pub width: u32,
    /// Height of the page, in CSS pixels.
    pub height: u32,
    /// The preferred colour scheme is dark.
    pub dark: bool,
    /// A phone: the browser lays the page out for a phone and says that its pointer is a finger, where it can be told to.
    pub phone: bool,
}

impl View {
    /// A window on a desk, light.
    pub const DESKTOP: Self = Self { width: 1440, height: 1000, dark: false, phone: false };
    /// A phone, upright, light.
    pub const PHONE: Self = Self { width: 390, height: 844, dark: false, phone: true };

    /// The same, for a person who prefers dark.
    #[must_use]
    pub const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }
}
