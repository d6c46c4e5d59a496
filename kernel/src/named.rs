//! Permanent numbers and names of closed enums.

/// Gives a closed enum its permanent numbers, which are those of its variants, and names.
macro_rules! named {
    ($type:ident { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// All of them, in the order of the codes.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            /// The permanent number, from 0.
            #[must_use]
            pub const fn code(self) -> u8 {
                // The place in the list, which `from_code` goes by.
                const {
                    let mut place = 0;
                    $(
                        assert!($type::$variant as usize == place);
                        place += 1;
                    )+
                    assert!(place == Self::ALL.len());
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
