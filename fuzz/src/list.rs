//! Lists in inputs. Those of `arbitrary` itself ask after each element whether there is another, so that most end after one or two.

use arbitrary::{Arbitrary, Result, Unstructured};

/// All the elements that the rest of the input has, at most `MOST`.
#[derive(Clone, Debug)]
pub struct Rest<T, const MOST: u8>(pub Vec<T>);

impl<'a, T: Arbitrary<'a>, const MOST: u8> Arbitrary<'a> for Rest<T, MOST> {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let mut elements = Vec::new();
        while !input.is_empty() && elements.len() < usize::from(MOST) {
            elements.push(input.arbitrary()?);
        }
        Ok(Self(elements))
    }
}
