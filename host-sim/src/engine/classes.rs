//! Which classes the book of a machine with a layout needs, and which demand is of which.

use std::{collections::HashMap, result::Result as Answer};

use bookahead::{Book, Class, ClassError, ClassId, raw::PlacedRing};
use bookahead_heap::{BoxedPlacedBook, HostColumn, PlacedSizes};

use crate::{
    arrivals::Demands,
    error::{Error, Result},
    layout::{MOST_CLASSES, Placing, Wish},
    request::Demand,
};

/// The class of a demand, or why no group of the machine has what it asks of each.
pub(super) type Classed = Answer<ClassId, ClassError>;

/// The classes of all demands.
pub(super) struct Classes {
    wishes: Vec<Wish>,
    /// Which of them each demand has.
    of_demands: Vec<Option<usize>>,
}

impl Classes {
    pub(super) fn of(placing: &Placing, demands: &dyn Demands) -> Result<Self> {
        let mut wishes = Vec::new();
        let mut known = HashMap::new();
        let mut number = |demand: &Demand| {
            let wish = placing.wish(demand.asks());
            if wish.class() == Class::ANY {
                return None;
            }
            Some(*known.entry(wish).or_insert_with_key(|wish| {
                wishes.push(wish.clone());
                wishes.len() - 1
            }))
        };
        let of_demands = demands.each()?.map(|demand| Ok(number(&demand?)));
        let of_demands = of_demands.collect::<Result<_>>()?;
        Ok(Self { wishes, of_demands })
    }

    /// Refuses more of them than a book takes.
    pub(super) fn check(&self) -> Result<()> {
        let classes = self.wishes.len();
        if classes > MOST_CLASSES {
            return Err(Error::Usage(format!(
                "the requests ask for {classes} different choices of PEs: expected at most {MOST_CLASSES}"
            )));
        }
        Ok(())
    }

    /// The sizes of a book.
    pub(super) fn sizes(&self, slots: u32, reservations: usize) -> PlacedSizes {
        PlacedSizes {
            slots,
            reservations,
            classes: self.wishes.len(),
            order: 0,
        }
    }

    /// The memory that the book takes.
    pub(super) fn bytes(&self, placing: &Placing, slots: u32, reservations: usize) -> usize {
        let sizes = self.sizes(slots, reservations);
        let layout = &placing.layout;
        layout.with_kernel(|layout| BoxedPlacedBook::<HostColumn>::bytes(layout, sizes))
    }

    /// Adds them to the book; one for each demand.
    pub(super) fn add(&self, book: &mut Book<'_, PlacedRing<'_, HostColumn>>) -> Vec<Classed> {
        let wishes = self.wishes.iter();
        let classes: Vec<Classed> = wishes.map(|wish| book.class_add(&wish.class())).collect();
        let class =
            |number: &Option<usize>| number.map_or(Ok(ClassId::ANY), |number| classes[number]);
        self.of_demands.iter().map(class).collect()
    }
}
