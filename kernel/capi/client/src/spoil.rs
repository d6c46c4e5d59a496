//! What nobody could have asked for, and what no book has given out.

use bookahead_capi as c;

/// A value that can be made one that every book refuses.
pub trait Spoil: Copy {
    /// In how many ways.
    fn ways(&self) -> u32 {
        0
    }

    /// Does it in one of them.
    fn spoil(&mut self, _way: u32) {}
}

/// More PEs than a machine can have, or units than a book, with few in their last bytes.
const WIDE: u32 = (1 << 31) + 1;

macro_rules! spoil {
    ($($value:ty => |$spoilt:ident| [$($way:expr),* $(,)?];)*) => {$(
        impl Spoil for $value {
            fn ways(&self) -> u32 {
                [$(stringify!($way)),*].len() as u32
            }

            fn spoil(&mut self, way: u32) {
                let $spoilt = self;
                let mut ways = 0..;
                $(if ways.next() == Some(way) {
                    $way;
                    return;
                })*
            }
        }
    )*};
}

spoil! {
    c::Request => |it| [it.pes = WIDE, it.duration = 0, it.deadline = it.ready.wrapping_sub(1)];
    c::Plan => |it| [it.request.pes = WIDE, it.version = u64::MAX, it.incarnation ^= 1 << 31, it.start = it.request.deadline];
    c::OverlayPlan => |it| [it.plan.version = u64::MAX, it.overlaid = WIDE, it.probability = u32::MAX, it.plan.start = it.plan.request.deadline];
    c::Commitment => |it| [
        it.kind = 3,
        (it.kind, it.ttl) = (1, 0),
        (it.kind, it.flexibility) = (2, 2),
        (it.kind, it.freeze) = (2, 4),
    ];
    c::Alteration => |it| [it.kind = 6, (it.kind, it.pes) = (3, WIDE), (it.kind, it.duration) = (2, 0), (it.kind, it.start) = (0, u64::MAX)];
    c::Query => |it| [it.pes = WIDE, it.duration = 0, it.deadline = it.ready];
    c::OfferTerms => |it| [it.search = 2, it.order = 5, it.ttl = 0, it.tariff.factor = 1];
    c::Offer => |it| [
        it.pes = WIDE,
        it.version = u64::MAX,
        it.incarnation ^= 1 << 31,
        it.expires = 0,
        it.window.end = it.window.start,
        it.seed = c::Window { start: 1, end: 0 },
        it.within.end = it.window.start,
    ];
    c::PriceTerms => |it| [it.tariff.factor = 0, (it.tariff.base, it.tariff.slot_units) = (u64::MAX, 2)];
    c::Tariff => |it| [it.factor = 0, (it.base, it.slot_units) = (u64::MAX, 2)];
    c::Series => |it| [it.first.pes = WIDE, it.count = 0, (it.count, it.period, it.exception_count) = (2, 0, 0), it.count = u32::MAX];
    c::Juggling => |it| [
        it.order = 6,
        it.admission = 2,
        it.after_failure = 2,
        (it.order, it.revenue) = (c::Order::Revenue as u32, None),
    ];
    c::Rule => |it| [it.period = 0, it.length = 0];
    c::Absent => |it| [
        (it.pes, it.words) = (std::ptr::null(), 1),
        (it.words, it.number) = (0, 0),
        (it.words, it.number) = (0, WIDE),
    ];
    c::Shifting => |it| [it.direction = 2, it.insertion = 3];
    c::Suggesting => |it| [it.sides = 3, it.behind = 2];
    c::Overlaying => |it| [
        it.guarantee = 2,
        it.threshold = u32::MAX,
        (it.own.counters, it.own.jobs) = (std::ptr::null_mut(), 0),
        (it.others.counters, it.others.slots) = (std::ptr::null_mut(), 0),
    ];
    c::Layout => |it| [it.groups = WIDE, it.kinds = std::ptr::null(), it.kind_count = 0];
    c::Class => |it| [it.eligible = 3, it.shape = 3, it.within = 3, it.preference = 5];
    c::JointRequest => |it| [
        (it.needs, it.need_count) = (std::ptr::null(), 1),
        it.need_count = 0,
        it.duration = 0,
        it.deadline = it.ready.wrapping_sub(1),
    ];
    c::Joined => |it| [
        it.book = std::ptr::null_mut(),
        it.book = it.book.wrapping_byte_add(1),
        (it.periods, it.period_count) = (std::ptr::null_mut(), 1),
        it.period_count = usize::MAX,
    ];
    c::Job => |it| [it.pes = WIDE, it.estimate = 0, it.pes = 0];
    c::Clock => |it| [it.slot_seconds = 0];
    c::Law => |it| [it.counters = std::ptr::null_mut(), it.length = 1];
}
