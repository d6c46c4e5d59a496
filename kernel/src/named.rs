//! Permanent codes and names of enums.

/// Gives an enum that may grow its permanent codes, which are the numbers of its variants, and names.
macro_rules! codes {
    ($type:ident: $code:ty { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// Every variant, in the order of the codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The permanent number.
            #[must_use]
            pub const fn code(self) -> $code {
                self as $code
            }

            /// The permanent name, as files and logs show it.
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

/// Gives a closed enum its permanent codes, from 0 in the order of its variants, and names, and finds variants by either.
macro_rules! named {
    ($type:ident { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// All of them, in the order of the codes.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            /// The permanent number, from 0.
            #[must_use]
            pub const fn code(self) -> u8 {
                // `from_code` looks the code up as an index of `ALL`.
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

            /// The one of that number.
            #[must_use]
            pub fn from_code(code: u8) -> Option<Self> {
                Self::ALL.get(usize::from(code)).copied()
            }

            /// The permanent name, as commands and files show it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }

            /// The one of that name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}
pub(crate) use named;
