//! Lists in inputs. Those of `arbitrary` itself ask after each element whether there is another, so that most end after one or two.

use arbitrary::{Arbitrary, Result, Unstructured};

/// As many elements as the first byte says, at most `MOST`.
#[derive(Clone, Debug)]
pub struct Few<T, const MOST: u8>(pub Vec<T>);

/// All the elements that the rest of the input has, at most `MOST`.
#[derive(Clone, Debug)]
pub struct Rest<T, const MOST: u8>(pub Vec<T>);

impl<'a, T: Arbitrary<'a>, const MOST: u8> Arbitrary<'a> for Few<T, MOST> {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let length = u8::arbitrary(input)? % (MOST + 1);
        (0..length)
            .map(|_| input.arbitrary())
            .collect::<Result<_>>()
            .map(Self)
    }
}

impl<'a, T: Arbitrary<'a>, const MOST: u8> Arbitrary<'a> for Rest<T, MOST> {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let mut elements = Vec::new();
        while !input.is_empty() && elements.len() < usize::from(MOST) {
            elements.push(input.arbitrary()?);
        }
        Ok(Self(elements))
    }
}
