//! Permanent codes and names of enums.

/// Implements the permanent codes of a non-exhaustive enum, which are the numbers of its variants, and its permanent names.
macro_rules! codes {
    ($type:ident: $code:ty { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// All variants, in the order of the codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the permanent number.
            #[must_use]
            pub const fn code(self) -> $code {
                self as $code
            }

            /// Returns the permanent name, as used in files and logs.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }
    };
}
pub(crate) use codes;

/// Implements the permanent codes of an exhaustive enum, from 0 in the order of its variants, its permanent names, and the look-up of
/// variants by either.
macro_rules! named {
    ($type:ident { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// All variants, in the order of the codes.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            /// Returns the permanent number, from 0.
            #[must_use]
            pub const fn code(self) -> u8 {
                // `from_code` uses the code as an index of `ALL`.
                const {
                    let mut index = 0;
                    $(
                        assert!($type::$variant as usize == index);
                        index += 1;
                    )+
                    assert!(index == Self::ALL.len());
                }
                self as u8
            }

            /// Returns the variant with that number.
            #[must_use]
            pub fn from_code(code: u8) -> Option<Self> {
                Self::ALL.get(usize::from(code)).copied()
            }

            /// Returns the permanent name, as used in commands and files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }

            /// Returns the variant with that name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}
pub(crate) use named;
