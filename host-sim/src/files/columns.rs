//! The names of a row's fields.

use serde::{
    de::{DeserializeOwned, Deserializer, Error, Visitor, value},
    forward_to_deserialize_any,
};

/// All fields of a row in their order, with those that not every table has.
pub(super) fn of<R: DeserializeOwned>() -> &'static [&'static str] {
    let mut fields: &[&str] = &[];
    // Nothing is read: a row that asks says for which fields.
    drop(R::deserialize(Asked(&mut fields)));
    fields
}

struct Asked<'f>(&'f mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = value::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(Error::custom("nothing is there"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple tuple_struct map
        enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::files::{self, Job, Reservation, Row, Rows};

    #[test]
    fn what_is_around_a_cell_does_not_matter() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("rows.csv");
        let columns = Reservation::COLUMNS.join(" ,\t");
        let rows = [
            "7,5,65,60,200,2,accepted,,65,125,1.5",
            "7 , 5,65,60,200,2,accepted , ,65\t,125,\u{a0}1.5 ",
        ];
        fs::write(&file, format!("{columns}\n{}\n", rows.join("\n"))).unwrap();
        let read: Vec<Reservation> = files::read(&file).unwrap().unwrap();
        assert_eq!((read.len(), &read[0]), (2, &read[1]));
        let again = Rows::<Reservation>::open(&file).unwrap().unwrap();
        assert!(again.map(Result::unwrap).eq(read));
    }

    /// Read in their order as by their names, with columns that not every table has and without, and in another order.
    fn alike<R: Row + PartialEq + std::fmt::Debug>(header: &str, row: &str, in_order: bool) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("rows.csv");
        fs::write(&file, format!("{header}\n{row}\n")).unwrap();
        let by_name: Vec<R> = files::read(&file).unwrap().unwrap();
        let mut rows = Rows::<R>::open(&file).unwrap().unwrap();
        assert_eq!(rows.in_order, in_order, "{header}");
        assert_eq!(rows.next().unwrap().unwrap(), by_name[0]);
        assert!(rows.next().is_none());
    }

    #[test]
    fn cells_in_order_are_those_of_their_names() {
        assert!(of::<Job<'static>>().starts_with(Job::COLUMNS));
        assert!(of::<Reservation>().starts_with(Reservation::COLUMNS));
        let columns = Job::COLUMNS.join(",");
        let job = "7,made,reservation,5,2,60,1,COMPLETED_SUCCESSFULLY,65,30,95,60,90,3,0-1,-1,";
        alike::<Job<'static>>(&columns, job, true);
        alike::<Job<'static>>(&format!("{columns},groups"), &format!("{job},3-4"), true);
        alike::<Job<'static>>(&format!("{columns},site"), &format!("{job},3"), false);
        alike::<Job<'static>>(&format!("{columns},unknown"), &format!("{job},3"), false);
        let columns = Reservation::COLUMNS.join(",");
        let row = "7,5,65,60,200,2,accepted,,65,125,1.5";
        alike::<Reservation>(&columns, row, true);
        alike::<Reservation>(
            &format!("{columns},duration_min"),
            &format!("{row},30"),
            true,
        );
        alike::<Reservation>(&format!("{columns},user"), &format!("{row},30"), false);
        alike::<Reservation>(
            &columns.replace("ready,duration", "duration,ready"),
            row,
            false,
        );
    }
}
