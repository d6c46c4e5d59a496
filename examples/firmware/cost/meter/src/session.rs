//! The commands.
//!
//! | line | answer |
//! |---|---|
//! | `open late\|early small\|large` | `opened` |
//! | `state MOVES` | `built LIVE REFUSED`: how many reservations live in it, how many moves were refused |
//! | `try OPERATION BOX` | `worst I A A A A S A A A A CALLS DONE` |
//!
//! MOVES are words, performed one by one on an empty book: `b START DURATION PES` books exactly there, `h START DURATION PES TTL`
//! holds, `c NUMBER` cancels the booking of that number (bookings and holds are counted from 0), `p SLOTS` lets time pass.
//! Slots count from `now`.
//!
//! BOX is up to four ranges `FROM..TO/STEP`, TO included, for the arguments of the operation; every point of it is tried, from the same state each time.
//! The answer names the most instructions and the arguments that took them, the most stack likewise, and how many
//! calls there were and how many did what they were asked to.
