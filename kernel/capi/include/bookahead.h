/*
 * bookahead: advance reservations in memory that the caller owns.
 *
 * Generated from kernel/capi/src; do not edit.
 *
 * A book lies in one piece of memory without pointers inside, and so does a queue of best-effort jobs beside it, so all of its bytes may be
 * copied, or mapped in another process. What the bytes
 * mean is the same for every library of the same BOOKAHEAD_ABI_VERSION, whichever compiler built it, on machines of the same byte order;
 * for others they are no book.
 *
 * Times are slot numbers; a PE is a processing element. Functions answer 0 (BOOKAHEAD_CODE_OK) or the permanent number of what is wrong, and
 * give results through pointers; a call that answers an error has changed nothing, scratch memory aside.
 *
 * In costs, rows are the reservations that a book has memory for, and columns the pieces that a set of PEs is made of: with early binding
 * one for each 32 PEs on machines of up to BOOKAHEAD_NARROW_PES PEs, for each 512 on wider ones; with late binding there is one.
 *
 * What the caller guarantees:
 * - A pointer is null, which is noticed, or points to memory of the size that the function says, to be read or, unless const, to be written.
 * - A bookahead_book pointer comes from bookahead_init or bookahead_open, and nothing but this library has written to the book's memory since,
 *   other than a copy of all of it. The same holds for a bookahead_queue, with its own two functions; it serves one book.
 * - One call at a time for each book and its queue, those that only look included; different books are independent. There is no global state.
 * - Pointers of one call do not overlap, nor lie in the memory of the book or the queue.
 *
 * Everything else is checked: null and misaligned pointers, lengths, sizes, policies, handles, and memory that holds no book or queue.
 */

#ifndef BOOKAHEAD_H
#define BOOKAHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a book as constant expressions, for sizes that are valid; see bookahead_bytes. A multiple of 8, so this is a book's memory:
 * static uint64_t memory[BOOKAHEAD_LATE_BYTES(32, 256, 32) / 8]; */
#define BOOKAHEAD_LATE_BYTES(pes, slots, rows) \
    (((size_t)80 + BOOKAHEAD_BLOCKS_(slots) * 402 + (size_t)(rows) * 60 + (size_t)(pes) * 4 + 7) / 8 * 8)
#define BOOKAHEAD_EARLY_BYTES(pes, slots, rows) \
    (((size_t)80 + BOOKAHEAD_BLOCKS_(slots) * 402 + (size_t)(rows) * 60 + \
      BOOKAHEAD_SET_(pes) * (BOOKAHEAD_BLOCKS_(slots) * 136 + (size_t)(rows) + 2) + 7) / 8 * 8)

/* The same for a queue; see bookahead_queue_bytes. */
#define BOOKAHEAD_QUEUE_BYTES(jobs) (((size_t)40 + (size_t)(jobs) * 12 + 7) / 8 * 8)

/* Blocks of 64 slots, and the bytes of a set of PEs: only for the bytes of a book. */
#define BOOKAHEAD_BLOCKS_(slots) (((size_t)(slots) + 63) / 64)
#define BOOKAHEAD_SET_(pes) \
    ((pes) <= BOOKAHEAD_NARROW_PES ? ((size_t)(pes) + 31) / 32 * 4 : ((size_t)(pes) + 511) / 512 * 64)

/**
 * The version of this interface: it changes when a program compiled with an older header must not run with the library, or when the
 * bytes of a book or a queue no longer mean the same.
 */
#define BOOKAHEAD_ABI_VERSION 1

/**
 * What the memory of a book has to be aligned to, in bytes.
 */
#define BOOKAHEAD_ALIGNMENT 8

/**
 * Machines up to this many PEs have columns of 32 PEs in a book with early binding, wider ones columns of 512.
 */
#define BOOKAHEAD_NARROW_PES 128

/**
 * In a query: whatever there is.
 */
#define BOOKAHEAD_ANY UINT32_MAX

/**
 * The most offers that one call lists.
 */
#define BOOKAHEAD_MOST_OFFERS 64

/**
 * A factor of 1 in a tariff, 2^32.
 */
#define BOOKAHEAD_FACTOR_ONE 4294967296

/**
 * When PEs are assigned. Numbers are permanent.
 */
enum bookahead_binding
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * When a job starts: the book counts what is busy.
     */
    BOOKAHEAD_BINDING_LATE = 1,
    /**
     * When the reservation is made: the book knows which PEs are busy.
     */
    BOOKAHEAD_BINDING_EARLY = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_binding bookahead_binding;
#else
typedef uint32_t bookahead_binding;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What functions answer, with permanent numbers: 1..63 refusals, 65..127 misuses, 129..191 violations, 193..255 what only a C call can get wrong.
 */
enum bookahead_code
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Done.
     */
    BOOKAHEAD_CODE_OK = 0,
    /**
     * Refused: more PEs than the machine has.
     */
    BOOKAHEAD_CODE_TOO_WIDE = 1,
    /**
     * Refused: the deadline comes before ready + duration.
     */
    BOOKAHEAD_CODE_WINDOW_TOO_SHORT = 2,
    /**
     * Refused: the deadline lies beyond the end of the ring.
     */
    BOOKAHEAD_CODE_BEYOND_HORIZON = 3,
    /**
     * Refused: the ready time has passed.
     */
    BOOKAHEAD_CODE_READY_IN_PAST = 4,
    /**
     * Refused: no start in the window leaves enough PEs free throughout.
     */
    BOOKAHEAD_CODE_NO_ROOM = 5,
    /**
     * Refused: every row of the ledger is taken.
     */
    BOOKAHEAD_CODE_TABLE_FULL = 6,
    /**
     * Refused: the run is longer than the whole ring.
     */
    BOOKAHEAD_CODE_TOO_LONG = 7,
    /**
     * Refused: what was offered has been taken by another booking since.
     */
    BOOKAHEAD_CODE_OVERTAKEN = 8,
    /**
     * Refused: the offer's time is over.
     */
    BOOKAHEAD_CODE_OFFER_EXPIRED = 9,
    /**
     * Refused: the price is more than 64 bits can say.
     */
    BOOKAHEAD_CODE_PRICE_OVERFLOW = 10,
    /**
     * Refused: every place of the queue is taken.
     */
    BOOKAHEAD_CODE_QUEUE_FULL = 11,
    /**
     * Misuse: a run of no slots.
     */
    BOOKAHEAD_CODE_ZERO_DURATION = 65,
    /**
     * Misuse: a run on no PE.
     */
    BOOKAHEAD_CODE_ZERO_PES = 66,
    /**
     * Misuse: the handle was never given out by this book.
     */
    BOOKAHEAD_CODE_UNKNOWN_HANDLE = 67,
    /**
     * Misuse: the reservation of this handle has ended.
     */
    BOOKAHEAD_CODE_STALE_HANDLE = 68,
    /**
     * Misuse: the book has changed since the plan was made, or the plan was never made.
     */
    BOOKAHEAD_CODE_STALE_PLAN = 69,
    /**
     * Misuse: only a held reservation can be confirmed.
     */
    BOOKAHEAD_CODE_NOT_HELD = 70,
    /**
     * Misuse: only a running reservation can complete.
     */
    BOOKAHEAD_CODE_NOT_RUNNING = 71,
    /**
     * Misuse: `now` never goes back.
     */
    BOOKAHEAD_CODE_TIME_WENT_BACK = 72,
    /**
     * Misuse: the hold's time is over; its end is reported by the next advance.
     */
    BOOKAHEAD_CODE_HOLD_EXPIRED = 73,
    /**
     * Misuse: a job cannot complete after its booked end.
     */
    BOOKAHEAD_CODE_AFTER_BOOKED_END = 74,
    /**
     * Misuse: a hold or an offer of no slots would expire at once.
     */
    BOOKAHEAD_CODE_ZERO_HOLD = 75,
    /**
     * Misuse: `now` would come too near to the end of time.
     */
    BOOKAHEAD_CODE_END_OF_TIME = 76,
    /**
     * Misuse: more than was offered.
     */
    BOOKAHEAD_CODE_BEYOND_OFFER = 77,
    /**
     * Misuse: this book cannot have made that offer.
     */
    BOOKAHEAD_CODE_BAD_OFFER = 78,
    /**
     * Misuse: no job with this ticket waits.
     */
    BOOKAHEAD_CODE_UNKNOWN_TICKET = 79,
    /**
     * Violation: a slot is not what the reservations that cover it add up to.
     */
    BOOKAHEAD_CODE_OCCUPANCY = 129,
    /**
     * Violation: more is busy than the machine has.
     */
    BOOKAHEAD_CODE_TOO_MANY_BUSY = 130,
    /**
     * Violation: a reservation does not hold the PEs it should.
     */
    BOOKAHEAD_CODE_BINDING = 131,
    /**
     * Violation: a summary is not what the slots say.
     */
    BOOKAHEAD_CODE_SUMMARY = 132,
    /**
     * Violation: a change or release bit is not what the slots say.
     */
    BOOKAHEAD_CODE_EDGE = 133,
    /**
     * Violation: a reservation lies outside what was asked.
     */
    BOOKAHEAD_CODE_WINDOW = 134,
    /**
     * Violation: the rows of the ledger do not add up.
     */
    BOOKAHEAD_CODE_ROWS = 135,
    /**
     * Violation: the lists by start are not in order.
     */
    BOOKAHEAD_CODE_LIST = 136,
    /**
     * Violation: the timers are not in order.
     */
    BOOKAHEAD_CODE_TIMER = 137,
    /**
     * Violation: the queue of waiting jobs is not in order.
     */
    BOOKAHEAD_CODE_QUEUE = 138,
    /**
     * A pointer is null.
     */
    BOOKAHEAD_CODE_NULL_POINTER = 193,
    /**
     * A pointer is not aligned as its type demands, a book's memory to `BOOKAHEAD_ALIGNMENT`.
     */
    BOOKAHEAD_CODE_MISALIGNED = 194,
    /**
     * The memory is shorter than the book or the queue.
     */
    BOOKAHEAD_CODE_TOO_SHORT = 195,
    /**
     * The memory holds no book, or one of another version of the library.
     */
    BOOKAHEAD_CODE_NOT_A_BOOK = 196,
    /**
     * No number of `bookahead_binding`.
     */
    BOOKAHEAD_CODE_UNKNOWN_BINDING = 197,
    /**
     * No number or name of `bookahead_policy`.
     */
    BOOKAHEAD_CODE_UNKNOWN_POLICY = 198,
    /**
     * A book of no PE or slot, of more than 65,535 PEs or 4,294,967,294 reservations, a queue of more than as many jobs, or larger than
     * memory can be.
     */
    BOOKAHEAD_CODE_SIZE_OUT_OF_RANGE = 199,
    /**
     * The window is empty or not covered by the ring.
     */
    BOOKAHEAD_CODE_OUTSIDE_RING = 200,
    /**
     * Nothing is due: the book is empty.
     */
    BOOKAHEAD_CODE_NOTHING_DUE = 201,
    /**
     * Slots of no length, or a time that the other unit cannot express, such as one before the epoch.
     */
    BOOKAHEAD_CODE_TIME_OUT_OF_RANGE = 202,
    /**
     * The memory holds no queue, or one of another version of the library.
     */
    BOOKAHEAD_CODE_NOT_A_QUEUE = 203,
    /**
     * No number or name of `bookahead_discipline`.
     */
    BOOKAHEAD_CODE_UNKNOWN_DISCIPLINE = 204,
    /**
     * No number or name of `bookahead_search`.
     */
    BOOKAHEAD_CODE_UNKNOWN_SEARCH = 205,
    /**
     * No number or name of `bookahead_offer_order`.
     */
    BOOKAHEAD_CODE_UNKNOWN_ORDER = 206,
    /**
     * A factor below 1, or a price of a slot that is more than 64 bits can say.
     */
    BOOKAHEAD_CODE_TARIFF_OUT_OF_RANGE = 207,
    /**
     * The first job of the queue has no start within the horizon, or no job waits.
     */
    BOOKAHEAD_CODE_NO_SHADOW = 208,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_code bookahead_code;
#else
typedef uint32_t bookahead_code;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Who may pass whom in a queue. Numbers are permanent.
 */
enum bookahead_discipline
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * First come, first served: nobody passes the first job.
     */
    BOOKAHEAD_DISCIPLINE_FCFS = 0,
    /**
     * EASY backfilling: a job passes those before it when it fits now, and the first job's earliest start, looked for again with it
     * booked, is no later. When the first job has no start within the horizon, it is delayed by nobody.
     */
    BOOKAHEAD_DISCIPLINE_EASY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_discipline bookahead_discipline;
#else
typedef uint32_t bookahead_discipline;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What happens while time passes. Numbers are permanent.
 */
enum bookahead_event_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A running job reached the end that `bookahead_complete` had announced. The handle is stale now.
     */
    BOOKAHEAD_EVENT_KIND_COMPLETED = 1,
    /**
     * A running job reached its booked end, which is final: the caller stops it. The handle is stale now.
     */
    BOOKAHEAD_EVENT_KIND_OVERRAN = 2,
    /**
     * A hold was not confirmed in time. The handle is stale now.
     */
    BOOKAHEAD_EVENT_KIND_EXPIRED = 3,
    /**
     * A confirmed reservation starts and holds its PEs from here on.
     */
    BOOKAHEAD_EVENT_KIND_STARTED = 4,
    /**
     * `now` jumped past the whole window of a confirmed reservation. The handle is stale now.
     */
    BOOKAHEAD_EVENT_KIND_MISSED = 5,
    /**
     * A job of a queue starts and holds its PEs from here on; the handle is new.
     */
    BOOKAHEAD_EVENT_KIND_BEST_EFFORT_STARTED = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_event_kind bookahead_event_kind;
#else
typedef uint32_t bookahead_event_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * In which order offers are listed; a solution comes first in any. Ties are in the order of discovery. Numbers are permanent.
 */
enum bookahead_offer_order
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * As the search finds them: strip packing by what is free where the offer grew from, least first, then by time; the Pareto front
     * by start, then widest first.
     */
    BOOKAHEAD_OFFER_ORDER_DISCOVERY = 0,
    /**
     * The longest first.
     */
    BOOKAHEAD_OFFER_ORDER_LONGEST = 1,
    /**
     * The widest first.
     */
    BOOKAHEAD_OFFER_ORDER_WIDEST = 2,
    /**
     * The earliest first.
     */
    BOOKAHEAD_OFFER_ORDER_EARLIEST = 3,
    /**
     * The cheapest first.
     */
    BOOKAHEAD_OFFER_ORDER_CHEAPEST = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_offer_order bookahead_offer_order;
#else
typedef uint32_t bookahead_offer_order;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Which feasible start a request gets; ties go to the earliest. "Free" is the number of PEs free throughout the run, the "rectangle"
 * the longest stretch around the run in which they stay free. Numbers are permanent.
 */
enum bookahead_policy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The earliest start.
     */
    BOOKAHEAD_POLICY_FIRST_FIT = 0,
    /**
     * The least free.
     */
    BOOKAHEAD_POLICY_PE_BEST_FIT = 1,
    /**
     * The most free.
     */
    BOOKAHEAD_POLICY_PE_WORST_FIT = 2,
    /**
     * The shortest rectangle.
     */
    BOOKAHEAD_POLICY_DURATION_BEST_FIT = 3,
    /**
     * The longest rectangle.
     */
    BOOKAHEAD_POLICY_DURATION_WORST_FIT = 4,
    /**
     * The least free x rectangle length.
     */
    BOOKAHEAD_POLICY_PE_DURATION_BEST_FIT = 5,
    /**
     * The greatest free x rectangle length.
     */
    BOOKAHEAD_POLICY_PE_DURATION_WORST_FIT = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_policy bookahead_policy;
#else
typedef uint32_t bookahead_policy;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How offers are looked for. Numbers are permanent.
 */
enum bookahead_search
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * From the fullest slots that will do outwards, so that holes are filled first.
     */
    BOOKAHEAD_SEARCH_STRIP_PACKING = 0,
    /**
     * Everything that no other offer betters in start, length and width at once. No longer than the duration and no wider than the
     * PEs asked for.
     */
    BOOKAHEAD_SEARCH_PARETO_FRONT = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_search bookahead_search;
#else
typedef uint32_t bookahead_search;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where a live reservation is in its life. Numbers are permanent.
 */
enum bookahead_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Takes room, and is given up unless it is confirmed.
     */
    BOOKAHEAD_STATE_HELD = 1,
    /**
     * Promised.
     */
    BOOKAHEAD_STATE_CONFIRMED = 2,
    /**
     * Started.
     */
    BOOKAHEAD_STATE_RUNNING = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_state bookahead_state;
#else
typedef uint32_t bookahead_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A book; what it consists of is the library's business.
 */
struct bookahead_book;

/**
 * A queue of best-effort jobs; what it consists of is the library's business.
 */
struct bookahead_queue;

/**
 * What a caller asks for. Times are slot numbers.
 */
struct bookahead_request {
    /**
     * The earliest start.
     */
    uint64_t ready;
    /**
     * The latest end, exclusive.
     */
    uint64_t deadline;
    /**
     * The length of the run in slots.
     */
    uint32_t duration;
    /**
     * How many PEs.
     */
    uint32_t pes;
};

/**
 * A place for a request, worked out and not yet taken. It can be committed while the book stays as it is.
 */
struct bookahead_plan {
    /**
     * The request it answers.
     */
    struct bookahead_request request;
    /**
     * When the job would start.
     */
    uint64_t start;
    /**
     * Which state of the book it was made for.
     */
    uint64_t version;
};

/**
 * Names one reservation of one book. A stale one is noticed, and so is one that the book has never given out.
 */
struct bookahead_handle {
    /**
     * To be stored and compared, and otherwise left alone.
     */
    uint64_t bits;
};

/**
 * A reservation that was made.
 */
struct bookahead_booking {
    /**
     * Its name from now on.
     */
    struct bookahead_handle handle;
    /**
     * When the job will run.
     */
    uint64_t start;
};

/**
 * Something that happened to a reservation.
 */
struct bookahead_event {
    /**
     * The slot at whose beginning it happened.
     */
    uint64_t at;
    /**
     * The reservation.
     */
    struct bookahead_handle handle;
    /**
     * One of `bookahead_event_kind`.
     */
    uint32_t kind;
    /**
     * For a job of a queue: the ticket that it had while it waited, at its start and at its end. 0 for a reservation.
     */
    uint32_t ticket;
};

/**
 * The sizes of a book and where it stands.
 */
struct bookahead_status {
    /**
     * The present slot.
     */
    uint64_t now;
    /**
     * How many slots from `now` on the ring covers.
     */
    uint32_t horizon;
    /**
     * The PEs of the machine.
     */
    uint32_t pes;
    /**
     * Live reservations.
     */
    uint32_t reservations;
    /**
     * How many there can be at once.
     */
    uint32_t capacity;
    /**
     * One of `bookahead_binding`.
     */
    uint32_t binding;
};

/**
 * What the ledger says of a live reservation.
 */
struct bookahead_reservation {
    /**
     * The request, its duration shortened once an early end is announced.
     */
    struct bookahead_request request;
    /**
     * The first booked slot.
     */
    uint64_t start;
    /**
     * The slot behind the last booked one.
     */
    uint64_t end;
    /**
     * When a hold is given up; 0 for what is not held.
     */
    uint64_t expires;
    /**
     * One of `bookahead_state`.
     */
    uint32_t state;
    /**
     * For a job of a queue, which has started: the ticket that it had while it waited. 0 for a reservation.
     */
    uint32_t ticket;
};

/**
 * A stretch of the ring in which nothing changes; it ends where the next one begins.
 */
struct bookahead_record {
    /**
     * The slot where it begins.
     */
    uint64_t at;
    /**
     * How many PEs are busy in it.
     */
    uint32_t busy;
};

/**
 * The longest stretch of time around a window in which everything that is free throughout the window stays free.
 */
struct bookahead_rectangle {
    /**
     * Its first slot.
     */
    uint64_t start;
    /**
     * The slot behind its last one.
     */
    uint64_t end;
    /**
     * How many PEs are free throughout.
     */
    uint32_t free;
};

/**
 * What could run between `ready` and `deadline`?
 */
struct bookahead_query {
    /**
     * The earliest start.
     */
    uint64_t ready;
    /**
     * The latest end, exclusive.
     */
    uint64_t deadline;
    /**
     * The length of the run in slots, or `BOOKAHEAD_ANY`.
     */
    uint32_t duration;
    /**
     * How many PEs, or `BOOKAHEAD_ANY`.
     */
    uint32_t pes;
};

/**
 * What a unit of time on one PE costs, run as best effort or reserved. Money is in micro-units: $1.00 is 1,000,000.
 * `{0, BOOKAHEAD_FACTOR_ONE, 0}` is everything for nothing.
 */
struct bookahead_tariff {
    /**
     * The price of a unit of time, in micro-units.
     */
    uint64_t base;
    /**
     * How much dearer a reservation is: a fixed-point number of which the low 32 bits stand behind the point, at least
     * `BOOKAHEAD_FACTOR_ONE`.
     */
    uint64_t factor;
    /**
     * How many units of time a slot has.
     */
    uint32_t slot_units;
};

/**
 * How a query is to be answered.
 */
struct bookahead_offer_terms {
    /**
     * One of `bookahead_search`.
     */
    uint32_t search;
    /**
     * One of `bookahead_offer_order`, which also says what is left out when there are too many.
     */
    uint32_t order;
    /**
     * For how many slots the offers are good.
     */
    uint32_t ttl;
    /**
     * What they cost.
     */
    struct bookahead_tariff tariff;
};

/**
 * A stretch of time.
 */
struct bookahead_window {
    /**
     * Its first slot.
     */
    uint64_t start;
    /**
     * The slot behind its last one.
     */
    uint64_t end;
};

/**
 * Something that could be booked. It takes no room and no row; everything in it is looked at again when it is accepted.
 */
struct bookahead_offer {
    /**
     * The interval that was asked about.
     */
    struct bookahead_window within;
    /**
     * What is offered.
     */
    struct bookahead_window window;
    /**
     * The part from which the offer grew; what is booked covers it or lies in it. On the Pareto front the whole window.
     */
    struct bookahead_window seed;
    /**
     * Worth nothing once `now` reaches it.
     */
    uint64_t expires;
    /**
     * Of which state of the book it speaks.
     */
    uint64_t version;
    /**
     * What the whole of it costs, in micro-units.
     */
    uint64_t price;
    /**
     * How many PEs are free throughout; on the Pareto front no more than was asked for.
     */
    uint32_t pes;
    /**
     * 1 when it meets both the duration and the PEs that were asked for, else 0.
     */
    uint32_t solution;
};

/**
 * A job without a reservation.
 */
struct bookahead_job {
    /**
     * How many slots it runs at most: what is booked for it, and when it is stopped.
     */
    uint32_t estimate;
    /**
     * How many PEs.
     */
    uint32_t pes;
};

/**
 * How long a queue is.
 */
struct bookahead_queue_status {
    /**
     * Jobs that wait.
     */
    uint32_t jobs;
    /**
     * How many there can be at once.
     */
    uint32_t capacity;
    /**
     * One of `bookahead_discipline`.
     */
    uint32_t discipline;
};

/**
 * A job that waits.
 */
struct bookahead_waiting_job {
    /**
     * Names it while it waits.
     */
    uint32_t ticket;
    /**
     * The job.
     */
    struct bookahead_job job;
};

/**
 * Converts between seconds and slots: slot 0 begins at second `epoch`.
 */
struct bookahead_clock {
    /**
     * When slot 0 begins, in seconds.
     */
    uint64_t epoch;
    /**
     * How long a slot is.
     */
    uint32_t slot_seconds;
};

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The `BOOKAHEAD_ABI_VERSION` that the library was compiled with; compare it with the header's before the first call.
 */
uint32_t bookahead_abi_version(void);

/**
 * The bytes of a book: a multiple of 8, or 0 when there is no book of that size. The macros `BOOKAHEAD_LATE_BYTES` and
 * `BOOKAHEAD_EARLY_BYTES` say the same at compile time. O(1).
 */
size_t bookahead_bytes(uint32_t binding, uint32_t pes, uint32_t slots, uint32_t rows);

/**
 * What the memory of a book has to be aligned to, in bytes: `BOOKAHEAD_ALIGNMENT`. O(1).
 */
size_t bookahead_alignment(void);

/**
 * Makes an empty book at slot 0 in `memory`, whatever was there, for `pes` PEs, a ring of `slots` slots and up to `rows` reservations, and gives
 * its pointer. `length` is that of the memory in bytes, at least `bookahead_bytes`; what it has beyond is left alone. O(memory).
 *
 * Answers UNKNOWN_BINDING, SIZE_OUT_OF_RANGE, NULL_POINTER, MISALIGNED or TOO_SHORT, and has changed nothing then.
 */
uint32_t bookahead_init(void *memory,
                        size_t length,
                        uint32_t binding,
                        uint32_t pes,
                        uint32_t slots,
                        uint32_t rows,
                        struct bookahead_book **book);

/**
 * Gives the pointer of the book that is in `memory`, such as a copy of all of a book's bytes made elsewhere. O(1).
 *
 * A book is good for every library of the `BOOKAHEAD_ABI_VERSION` that made it, whichever compiler that was built by, on machines of the same
 * byte order.
 *
 * Answers NULL_POINTER, MISALIGNED, TOO_SHORT or NOT_A_BOOK.
 */
uint32_t bookahead_open(void *memory,
                        size_t length,
                        struct bookahead_book **book);

/**
 * Works out where `request` would go by `policy`, one of `bookahead_policy`, and takes no room: the book stays as it
 * is, scratch memory aside.
 *
 * First fit: O(window x columns) at worst, mostly far less; with columns of 512 PEs O(columns x log duration) more for each leap over
 * starts that cannot be. PE worst fit: that, and O(duration / 64) for each improvement, of which there are at most as many as PEs. The others:
 * as first fit, or with late binding O(window + candidates x duration / 64), since the peak of a window is looked for again when it has
 * left it; all but PE best fit add a rectangle for each candidate start, O(candidates x horizon / 8 x columns) at worst.
 *
 * Answers any refusal, ZERO_DURATION, ZERO_PES, UNKNOWN_POLICY.
 */
uint32_t bookahead_plan(struct bookahead_book *book,
                        const struct bookahead_request *request,
                        uint32_t policy,
                        struct bookahead_plan *plan);

/**
 * Makes a plan a firm reservation, or changes nothing. O(duration x columns + log rows).
 *
 * Answers STALE_PLAN when the book has changed since.
 */
uint32_t bookahead_commit(struct bookahead_book *book,
                          const struct bookahead_plan *plan,
                          struct bookahead_handle *handle);

/**
 * As `bookahead_commit`, for a reservation that is given up unless it is confirmed before `ttl` slots are over, or by its start if that is sooner.
 *
 * Answers ZERO_HOLD, STALE_PLAN.
 */
uint32_t bookahead_commit_hold(struct bookahead_book *book,
                               const struct bookahead_plan *plan,
                               uint32_t ttl,
                               struct bookahead_handle *handle);

/**
 * Reserves: works out where `request` goes by `policy`, one of `bookahead_policy`, and books it. Costs as
 * `bookahead_plan` and `bookahead_commit` together.
 *
 * Answers any refusal, ZERO_DURATION, ZERO_PES, UNKNOWN_POLICY.
 */
uint32_t bookahead_reserve(struct bookahead_book *book,
                           const struct bookahead_request *request,
                           uint32_t policy,
                           struct bookahead_booking *booking);

/**
 * As `bookahead_reserve`, for a reservation that is given up unless it is confirmed before `ttl` slots are over, or by its start if that is sooner.
 *
 * Answers ZERO_HOLD, and as `bookahead_reserve`.
 */
uint32_t bookahead_hold(struct bookahead_book *book,
                        const struct bookahead_request *request,
                        uint32_t policy,
                        uint32_t ttl,
                        struct bookahead_booking *booking);

/**
 * Makes a held reservation a firm one. O(log rows).
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE, NOT_HELD, HOLD_EXPIRED.
 */
uint32_t bookahead_confirm(struct bookahead_book *book, struct bookahead_handle handle);

/**
 * Gives up a reservation, whatever its state; of a running one, what is left of it. O(duration x columns + log rows),
 * and with late binding O(PEs) more for a running one.
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE.
 */
uint32_t bookahead_cancel(struct bookahead_book *book, struct bookahead_handle handle);

/**
 * Lets a running reservation end early: at slot `at`, or at once if that has passed. What is booked behind is free again.
 * O(duration x columns + log rows), and with late binding O(PEs) more.
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE, NOT_RUNNING, AFTER_BOOKED_END.
 */
uint32_t bookahead_complete(struct bookahead_book *book,
                            struct bookahead_handle handle,
                            uint64_t at);

/**
 * Moves `now` to the slot `to` and writes what happens on the way to `events`, in order of time, `count` of them.
 *
 * Within one slot ends come first, then expired holds, then starts, each by acceptance. When there are more events than `capacity`, `now` stays at
 * the slot of the next one and `waiting` becomes true: any call is legal then, and the next advance goes on with the rest.
 *
 * O(slots passed x columns, at most two rings, + events x (log rows + PEs)); an expired or missed reservation adds O(duration x columns).
 *
 * Answers TIME_WENT_BACK, END_OF_TIME.
 */
uint32_t bookahead_advance(struct bookahead_book *book,
                           uint64_t to,
                           struct bookahead_event *events,
                           size_t capacity,
                           size_t *count,
                           bool *waiting);

/**
 * Gives the slot that the next event will carry, `now` included. O(1).
 *
 * Answers NOTHING_DUE when there is no reservation.
 */
uint32_t bookahead_next_event(struct bookahead_book *book, uint64_t *at);

/**
 * Gives the sizes of the book and where it stands. O(1).
 */
uint32_t bookahead_status(struct bookahead_book *book, struct bookahead_status *status);

/**
 * Gives what the ledger says of a live reservation. O(1).
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE.
 */
uint32_t bookahead_get(struct bookahead_book *book,
                       struct bookahead_handle handle,
                       struct bookahead_reservation *reservation);

/**
 * Lists the PEs that a reservation holds, by number, ascending: with late binding none before its start. O(PEs).
 *
 * Lists are written from element `skip` on, `count` of them, as far as `capacity` goes; when `count` is `capacity` there may be more.
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE.
 */
uint32_t bookahead_pes_of(struct bookahead_book *book,
                          struct bookahead_handle handle,
                          size_t skip,
                          uint16_t *pes,
                          size_t capacity,
                          size_t *count);

/**
 * Lists every live reservation in order of start, ties in order of acceptance; see `bookahead_pes_of` for lists. O(horizon + reservations).
 */
uint32_t bookahead_reservations(struct bookahead_book *book,
                                size_t skip,
                                struct bookahead_handle *handles,
                                size_t capacity,
                                size_t *count);

/**
 * Lists the reservations that will start at `slot`, in order of acceptance; see `bookahead_pes_of` for lists. O(1) for each.
 */
uint32_t bookahead_starting_at(struct bookahead_book *book,
                               uint64_t slot,
                               size_t skip,
                               struct bookahead_handle *handles,
                               size_t capacity,
                               size_t *count);

/**
 * Lists the records of the ring from `now` on: neighbours always differ, and a leading one with nothing busy is left out; see
 * `bookahead_pes_of` for lists. O(horizon / 64 + records).
 */
uint32_t bookahead_records(struct bookahead_book *book,
                           size_t skip,
                           struct bookahead_record *records,
                           size_t capacity,
                           size_t *count);

/**
 * Lists the starts that are looked at for `request`, ascending; see `bookahead_pes_of` for lists. O(window / 64 + candidates).
 *
 * Answers as `bookahead_reserve`, as far as the request itself is to blame.
 */
uint32_t bookahead_candidate_starts(struct bookahead_book *book,
                                    const struct bookahead_request *request,
                                    size_t skip,
                                    uint64_t *starts,
                                    size_t capacity,
                                    size_t *count);

/**
 * Gives how many PEs are free in every slot from `start` up to `end`, exclusive. O(window x columns).
 *
 * Answers OUTSIDE_RING.
 */
uint32_t bookahead_free_during(struct bookahead_book *book, uint64_t start, uint64_t end, uint32_t *pes);

/**
 * Gives the maximal availability rectangle of `duration` slots from `start`. O(window x columns + horizon / 8 x columns).
 *
 * Answers OUTSIDE_RING.
 */
uint32_t bookahead_rectangle(struct bookahead_book *book,
                             uint64_t start,
                             uint32_t duration,
                             struct bookahead_rectangle *rectangle);

/**
 * Checks every invariant of the book, for tests. O((horizon + total booked duration + rows) x columns), and with late binding O(PEs)
 * for each running reservation.
 *
 * Answers the first violation found.
 */
uint32_t bookahead_check_invariants(struct bookahead_book *book);

/**
 * Lists what could run between the query's `ready` and `deadline`, `count` offers, and takes no room. With both duration and PEs given, an offer
 * that meets both is a solution, which is said, and comes first; otherwise what is not given is one slot or one PE in strip packing, and has no limit on the
 * Pareto front. No window is listed twice.
 *
 * At most `capacity` offers are listed, and never more than `BOOKAHEAD_MOST_OFFERS`; `more` says whether some were left out, those that came last in the
 * order asked for. The list is made on the stack, 80 bytes for each of 8 offers, or of `BOOKAHEAD_MOST_OFFERS` for a `capacity` above 8.
 *
 * With groups the stretches of the interval in which nothing changes, and list the offers listed: strip packing with late binding is
 * O(interval + groups x list) when duration and PEs are given and O(interval + groups x (longest offer / 32 + list)) otherwise, with early binding O(groups x
 * (duration x columns + list)); the Pareto front is O(releases x groups x (groups x columns + first fit + list)).
 *
 * Answers UNKNOWN_SEARCH, UNKNOWN_ORDER, TARIFF_OUT_OF_RANGE, ZERO_HOLD for a `ttl` of no slots, ZERO_DURATION, ZERO_PES, TOO_WIDE, READY_IN_PAST,
 * WINDOW_TOO_SHORT for an interval without a slot, BEYOND_HORIZON, PRICE_OVERFLOW when the whole machine throughout the interval has no price,
 * NO_ROOM when there is nothing to offer. A duration longer than the interval is no error, since less may be offered.
 */
uint32_t bookahead_offers(struct bookahead_book *book,
                          const struct bookahead_query *query,
                          const struct bookahead_offer_terms *terms,
                          struct bookahead_offer *offers,
                          size_t capacity,
                          size_t *count,
                          bool *solution,
                          bool *more);

/**
 * Gives where `duration` slots of an offer would be booked: at the earliest start from which they cover the seed, or, if the seed is
 * longer, with the seed. O(1).
 *
 * Answers BAD_OFFER, BEYOND_OFFER for no slots and for more than is offered.
 */
uint32_t bookahead_offer_start(const struct bookahead_offer *offer,
                               uint32_t duration,
                               uint64_t *start);

/**
 * Books `duration` slots on `pes` PEs of an offer as a firm reservation, at `bookahead_offer_start`, or changes nothing. The book may have changed since
 * the offer was made: what counts is that the room is still there. O(duration x columns + log rows).
 *
 * Answers ZERO_DURATION, ZERO_PES; BAD_OFFER for what this book cannot have offered; BEYOND_OFFER for more than was offered; OFFER_EXPIRED, also when the
 * start has passed; TABLE_FULL; OVERTAKEN when the room is no longer there.
 */
uint32_t bookahead_accept(struct bookahead_book *book,
                          const struct bookahead_offer *offer,
                          uint32_t duration,
                          uint32_t pes,
                          struct bookahead_booking *booking);

/**
 * As `bookahead_accept`, for a reservation that is given up unless it is confirmed before `ttl` slots are over, or by its start if that is sooner.
 *
 * Answers ZERO_HOLD, and as `bookahead_accept`.
 */
uint32_t bookahead_accept_hold(struct bookahead_book *book,
                               const struct bookahead_offer *offer,
                               uint32_t duration,
                               uint32_t pes,
                               uint32_t ttl,
                               struct bookahead_booking *booking);

/**
 * The bytes of a queue for up to `jobs` jobs: a multiple of 8, or 0 when there is no queue of that size. The macro `BOOKAHEAD_QUEUE_BYTES` says
 * the same at compile time. O(1).
 */
size_t bookahead_queue_bytes(uint32_t jobs);

/**
 * Makes an empty queue in `memory`, whatever was there, for up to `jobs` jobs that wait, of a discipline, one of `bookahead_discipline`, and gives its
 * pointer. `length` is that of the memory in bytes, at least `bookahead_queue_bytes`; it is aligned as a book's. O(jobs).
 *
 * Answers UNKNOWN_DISCIPLINE, SIZE_OUT_OF_RANGE, NULL_POINTER, MISALIGNED or TOO_SHORT, and has changed nothing then.
 */
uint32_t bookahead_queue_init(void *memory,
                              size_t length,
                              uint32_t discipline,
                              uint32_t jobs,
                              struct bookahead_queue **queue);

/**
 * Gives the pointer of the queue that is in `memory`, such as a copy of all of a queue's bytes made elsewhere; see `bookahead_open`. O(1).
 *
 * Answers NULL_POINTER, MISALIGNED, TOO_SHORT or NOT_A_QUEUE.
 */
uint32_t bookahead_queue_open(void *memory,
                              size_t length,
                              struct bookahead_queue **queue);

/**
 * Puts a job behind all others and gives its ticket, which is never 0. It starts no sooner than in the next `bookahead_queue_advance`, be it to
 * `now`. O(1).
 *
 * Answers ZERO_DURATION, ZERO_PES, TOO_WIDE, TOO_LONG for an estimate beyond the horizon, QUEUE_FULL.
 */
uint32_t bookahead_queue_submit(struct bookahead_queue *queue,
                                struct bookahead_book *book,
                                const struct bookahead_job *job,
                                uint32_t *ticket);

/**
 * Takes a job out of the queue. O(jobs).
 *
 * Answers UNKNOWN_TICKET for one that does not wait, or no longer.
 */
uint32_t bookahead_queue_withdraw(struct bookahead_queue *queue, uint32_t ticket);

/**
 * As `bookahead_advance`, and starts jobs of the queue: it is looked at as soon as anything has changed, at `now` before time moves, if there were calls
 * since, and in each slot on the way after its other events. A start is reported as BEST_EFFORT_STARTED, and event and reservation have the job's
 * ticket. Nothing starts while every row is taken.
 *
 * A jump does the same as many small steps, except that what a missed reservation leaves goes to the queue. A start learnt of late keeps its
 * window, so that the job gets the rest, and one whose whole estimate has passed is reported with its end in the same call: whoever may sleep for
 * longer than the shortest estimate advances to `bookahead_queue_next_event` and not beyond.
 *
 * As `bookahead_advance`; and for each slot in which something happens O(jobs x (estimates x columns + jobs + log rows)), with EASY a first fit
 * more.
 *
 * Answers TIME_WENT_BACK, END_OF_TIME.
 */
uint32_t bookahead_queue_advance(struct bookahead_queue *queue,
                                 struct bookahead_book *book,
                                 uint64_t to,
                                 struct bookahead_event *events,
                                 size_t capacity,
                                 size_t *count,
                                 bool *waiting);

/**
 * Gives when something happens next, `now` included: as `bookahead_next_event`, or `now` when the queue is to be looked at. O(1).
 *
 * Answers NOTHING_DUE when there is neither a reservation nor a job to look at.
 */
uint32_t bookahead_queue_next_event(struct bookahead_queue *queue,
                                    struct bookahead_book *book,
                                    uint64_t *at);

/**
 * Gives the earliest start of the first job for its whole estimate, as things stand. No promise: a reservation made meanwhile goes first, and with
 * every row taken it may be `now`. O(horizon x columns).
 *
 * Answers NO_SHADOW when there is none within the horizon, or no job waits.
 */
uint32_t bookahead_queue_shadow(struct bookahead_queue *queue,
                                struct bookahead_book *book,
                                uint64_t *start);

/**
 * Gives how many jobs wait, how many may, and who may pass whom. O(1).
 */
uint32_t bookahead_queue_status(struct bookahead_queue *queue, struct bookahead_queue_status *status);

/**
 * Lists the jobs that wait, in order of submission; see `bookahead_pes_of` for lists. O(jobs).
 */
uint32_t bookahead_queue_jobs(struct bookahead_queue *queue,
                              size_t skip,
                              struct bookahead_waiting_job *jobs,
                              size_t capacity,
                              size_t *count);

/**
 * As `bookahead_check_invariants`, and that the queue agrees with itself and with the book. O(jobs) more.
 *
 * Answers the first violation found.
 */
uint32_t bookahead_queue_check_invariants(struct bookahead_queue *queue, struct bookahead_book *book);

/**
 * Gives what one reserved slot on one PE costs: factor x base x slot_units, rounded to the nearest micro-unit, halves up. Nothing else is
 * rounded. O(1).
 *
 * Answers TARIFF_OUT_OF_RANGE.
 */
uint32_t bookahead_tariff_slot_rate(const struct bookahead_tariff *tariff,
                                    uint64_t *rate);

/**
 * Gives what it costs to reserve `pes` PEs for `slots` slots. O(1).
 *
 * Answers TARIFF_OUT_OF_RANGE, TOO_WIDE, PRICE_OVERFLOW.
 */
uint32_t bookahead_tariff_reserved(const struct bookahead_tariff *tariff,
                                   uint32_t slots,
                                   uint32_t pes,
                                   uint64_t *price);

/**
 * Gives what it costs to run `pes` PEs for `units` units of time without a reservation. O(1).
 *
 * Answers TARIFF_OUT_OF_RANGE, TOO_WIDE, PRICE_OVERFLOW.
 */
uint32_t bookahead_tariff_best_effort(const struct bookahead_tariff *tariff,
                                      uint64_t units,
                                      uint32_t pes,
                                      uint64_t *price);

/**
 * Gives the first slot that begins at `seconds` or later: for ready times. O(1).
 *
 * Answers TIME_OUT_OF_RANGE before the epoch.
 */
uint32_t bookahead_slot_rounding_up(const struct bookahead_clock *clock, uint64_t seconds, uint64_t *slot);

/**
 * Gives the slot that `seconds` lies in: for arrivals, and for deadlines, as it is the last slot boundary at or before. O(1).
 *
 * Answers TIME_OUT_OF_RANGE before the epoch.
 */
uint32_t bookahead_slot_rounding_down(const struct bookahead_clock *clock,
                                      uint64_t seconds,
                                      uint64_t *slot);

/**
 * Gives the least number of slots that hold `seconds` seconds: for durations. O(1).
 *
 * Answers TIME_OUT_OF_RANGE when that is more than 2^32 - 1.
 */
uint32_t bookahead_span_rounding_up(const struct bookahead_clock *clock, uint64_t seconds, uint32_t *slots);

/**
 * Gives the second at which `slot` begins. O(1).
 *
 * Answers TIME_OUT_OF_RANGE past the end of time.
 */
uint32_t bookahead_seconds(const struct bookahead_clock *clock, uint64_t slot, uint64_t *seconds);

/**
 * The name of a number of `bookahead_code`, such as "no-room", or "unknown". Static, never null. O(codes).
 */
const char *bookahead_code_name(uint32_t code);

/**
 * The name of a number of `bookahead_policy`, such as "first-fit", or "unknown". Static, never null. O(1).
 */
const char *bookahead_policy_name(uint32_t policy);

/**
 * The name of a number of `bookahead_event_kind`, such as "started", or "unknown". Static, never null. O(1).
 */
const char *bookahead_event_name(uint32_t kind);

/**
 * The name of a number of `bookahead_state`, such as "held", or "unknown". Static, never null. O(1).
 */
const char *bookahead_state_name(uint32_t state);

/**
 * The name of a number of `bookahead_search`, such as "strip-packing", or "unknown". Static, never null. O(1).
 */
const char *bookahead_search_name(uint32_t search);

/**
 * The name of a number of `bookahead_offer_order`, such as "longest", or "unknown". Static, never null. O(1).
 */
const char *bookahead_offer_order_name(uint32_t order);

/**
 * The name of a number of `bookahead_discipline`, such as "easy", or "unknown". Static, never null. O(1).
 */
const char *bookahead_discipline_name(uint32_t discipline);

/**
 * Gives the number of the policy whose name is `name`, a text that ends with a zero. O(length).
 *
 * Answers UNKNOWN_POLICY.
 */
uint32_t bookahead_policy_from_name(const char *name, uint32_t *policy);

/**
 * As `bookahead_policy_from_name`, of `bookahead_search`.
 *
 * Answers UNKNOWN_SEARCH.
 */
uint32_t bookahead_search_from_name(const char *name, uint32_t *search);

/**
 * As `bookahead_policy_from_name`, of `bookahead_offer_order`.
 *
 * Answers UNKNOWN_ORDER.
 */
uint32_t bookahead_offer_order_from_name(const char *name, uint32_t *order);

/**
 * As `bookahead_policy_from_name`, of `bookahead_discipline`.
 *
 * Answers UNKNOWN_DISCIPLINE.
 */
uint32_t bookahead_discipline_from_name(const char *name, uint32_t *discipline);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BOOKAHEAD_H */
