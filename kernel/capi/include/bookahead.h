/*
 * bookahead: advance reservations in memory that the caller owns.
 *
 * Generated from kernel/capi/src; do not edit.
 *
 * A book lies in one piece of memory without pointers inside, and so does a queue of best-effort jobs beside it, so all of its bytes may be
 * copied, or mapped in another process. What the bytes
 * mean is the same for every library of the same BOOKAHEAD_ABI_VERSION, whichever compiler built it, on machines of the same byte order and
 * of as many bits; for others they are no book.
 *
 * Times are slot numbers; a PE is a processing element. Functions answer 0 (BOOKAHEAD_CODE_OK) or the permanent number of what is wrong, and
 * give results through pointers; a call that answers an error has changed nothing, scratch memory aside. Beside what it lists, each may answer NULL_POINTER or
 * MISALIGNED for a pointer, NOT_A_BOOK, OTHER_PROCESSOR or NOT_A_QUEUE for what is behind it, and SIZE_OUT_OF_RANGE for a list that is larger than memory can be.
 *
 * In costs, rows are the reservations that a book has memory for, and columns the pieces that a set of PEs is made of: with early binding
 * one for each 32 PEs on machines of up to BOOKAHEAD_NARROW_PES PEs, for each 512 on wider ones; with late binding there is one.
 *
 * What the caller guarantees:
 * - A pointer is null, which is noticed, or points to memory of the size that the function says, to be read or, unless const, to be written. A list or
 *   memory of length 0 may be null; no other pointer may, unless the function says so.
 * - A bookahead_book pointer comes from bookahead_init or bookahead_open, and nothing but this library has written to the book's memory since,
 *   other than a copy of all of it. The same holds for a bookahead_queue, with its own two functions; it serves one book.
 * - One call at a time for each book and its queue, those that only look included; different books are independent. There is no global state,
 *   and nothing to close or to free.
 * - Pointers of one call do not overlap, nor lie in the memory of the book or the queue.
 *
 * bookahead_open looks at a book's first bytes and sizes only, whatever lies behind. For memory that may be damaged, such as after a crash, there is
 * bookahead_check_invariants, and bookahead_queue_check_invariants for a queue. Calls on damaged memory answer nonsense, but touch no
 * other memory.
 *
 * Reservations move in one call, bookahead_transaction: it takes a list of steps, does all or nothing, and puts everything back from a bookahead_workspace
 * that the caller lends it. bookahead_alter, bookahead_split, bookahead_reserve_series and bookahead_reserve_together are such transactions for
 * the usual cases.
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
    (((size_t)96 + BOOKAHEAD_BLOCKS_(slots) * BOOKAHEAD_BLOCK_ + (size_t)(rows) * 72 + (size_t)(pes) * 4 + 7) / 8 * 8)
#define BOOKAHEAD_EARLY_BYTES(pes, slots, rows) \
    (((size_t)96 + BOOKAHEAD_BLOCKS_(slots) * BOOKAHEAD_BLOCK_ + (size_t)(rows) * 72 + \
      BOOKAHEAD_SET_(pes) * (BOOKAHEAD_BLOCKS_(slots) * 136 + (size_t)(rows) + 2) + 7) / 8 * 8)

/* The same for a book of units, whatever its units. */
#define BOOKAHEAD_UNIT_BYTES(slots, rows) \
    (((size_t)96 + BOOKAHEAD_BLOCKS_(slots) * BOOKAHEAD_UNIT_BLOCK_ + (size_t)(rows) * 80 + 7) / 8 * 8)

/* The bytes that the rules of a book take, which has so many more than one without; see bookahead_bytes and BOOKAHEAD_BINDING_LATE_RULED. On a machine with a layout,
 * bookahead_layout_bytes counts them. */
#define BOOKAHEAD_LATE_RULES_BYTES ((size_t)320)
#define BOOKAHEAD_EARLY_RULES_BYTES(pes) ((size_t)320 + 20 * BOOKAHEAD_SET_(pes))

/* The same for a queue; see bookahead_queue_bytes. */
#define BOOKAHEAD_QUEUE_BYTES(jobs) (((size_t)48 + (size_t)(jobs) * 12 + 7) / 8 * 8)

/* The same for the requests that may wait beside its jobs, which lie behind it in the same memory; see bookahead_queue_requests_bytes. */
#define BOOKAHEAD_REQUESTS_BYTES(requests) ((size_t)40 + (size_t)(requests) * 40)

/* The same for the schedule of its jobs, behind which its second book lies in the same memory; see bookahead_queue_schedule_bytes. */
#define BOOKAHEAD_SCHEDULE_BYTES(jobs) ((size_t)56 + (size_t)(jobs) * 24)

/* The same for a workspace; see bookahead_workspace_bytes. */
#define BOOKAHEAD_LATE_WORKSPACE_BYTES(entries, waiting) ((size_t)(entries) * 72 + (size_t)(waiting) * 24)
#define BOOKAHEAD_EARLY_WORKSPACE_BYTES(pes, entries, waiting) \
    (((size_t)(entries) * (72 + BOOKAHEAD_SET_(pes)) + 7) / 8 * 8 + (size_t)(waiting) * 24)

#define BOOKAHEAD_UNIT_WORKSPACE_BYTES(entries, waiting) ((size_t)(entries) * 80 + (size_t)(waiting) * 24)

/* The same for a journal, which lies behind its book in the same memory, and for what it writes; see bookahead_journal_bytes and bookahead_record_bytes. Of a book of units,
 * pes is 32 for the latter, whatever its units. */
#define BOOKAHEAD_JOURNAL_BYTES(rows) ((size_t)56 + (size_t)(rows) * 8)
#define BOOKAHEAD_RECORD_BYTES(pes, rows) ((size_t)69 + (size_t)(rows) * (63 + ((size_t)(pes) + 7) / 8))

/* A library with overlays is built with: kernel/capi/build --features risk. Its callers define BOOKAHEAD_RISK before they include this; callers of one with
 * layouts, --features placement, define BOOKAHEAD_PLACEMENT; with --features outages, BOOKAHEAD_OUTAGES; with --features journal, BOOKAHEAD_JOURNAL;
 * with --features plan, BOOKAHEAD_PLAN; with --features quota, BOOKAHEAD_QUOTA; with --features units,
 * BOOKAHEAD_UNITS. */

/* Blocks of 64 slots, the bytes of one, of which 64-bit processors keep more, and the bytes of a set of PEs: only for the bytes of a book. */
#define BOOKAHEAD_BLOCKS_(slots) (((size_t)(slots) + 63) / 64)
#if UINTPTR_MAX > 0xFFFFFFFFu
#define BOOKAHEAD_BLOCK_ 406
#define BOOKAHEAD_UNIT_BLOCK_ 540
#else
#define BOOKAHEAD_BLOCK_ 402
#define BOOKAHEAD_UNIT_BLOCK_ 532
#endif
#define BOOKAHEAD_SET_(pes) \
    ((pes) <= BOOKAHEAD_NARROW_PES ? ((size_t)(pes) + 31) / 32 * 4 : ((size_t)(pes) + 511) / 512 * 64)

/**
 * The version of this interface: it changes when a program compiled with an older header must not run with the library, or when the
 * bytes of a book or a queue no longer mean the same.
 */
#define BOOKAHEAD_ABI_VERSION 7

/**
 * What the memory of a book has to be aligned to, in bytes.
 */
#define BOOKAHEAD_ALIGNMENT 8

/**
 * Machines up to this many PEs have columns of 32 PEs in a book with early binding, wider ones columns of 512.
 */
#define BOOKAHEAD_NARROW_PES 128

/**
 * The most forms that one request may have.
 */
#define BOOKAHEAD_MOST_FORMS 64

/**
 * The most instances of a series.
 */
#define BOOKAHEAD_MOST_INSTANCES 512

/**
 * The most parts that are reserved together.
 */
#define BOOKAHEAD_MOST_PARTS 64

/**
 * The most books that are decided as one.
 */
#define BOOKAHEAD_MOST_BOOKS 8

/**
 * No single book is the reason.
 */
#define BOOKAHEAD_NO_BOOK 4294967295

/**
 * How many savepoints a transaction can remember at a time; they are numbered from 0.
 */
#define BOOKAHEAD_SAVEPOINTS 8

/**
 * The most moves that are applied by one call.
 */
#define BOOKAHEAD_MOST_MOVES 64

/**
 * The most alternatives that one call lists.
 */
#define BOOKAHEAD_MOST_ALTERNATIVES 64

#if defined(BOOKAHEAD_OUTAGES)
/**
 * How many rules a book with rules may have; they are numbered from 0 on.
 */
#define BOOKAHEAD_MOST_RULES 16
#endif

#if defined(BOOKAHEAD_RISK)
/**
 * The most reservations booked in a slot, of those that may end early, for which `bookahead_plan_overlay` has room.
 */
#define BOOKAHEAD_MOST_PREDECESSORS 32
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * The most entries of a layout's list of what is missing, and of a class's list of groups; what is more scattered is said by a mask.
 */
#define BOOKAHEAD_MOST_RANGES 64
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Of how many jobs of each doubling of the planned wait `struct bookahead_start_bands` remembers how long they waited.
 */
#define BOOKAHEAD_BANDS_LAST 256
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * How many numbers that takes.
 */
#define BOOKAHEAD_BANDS_NUMBERS 8224
#endif

/**
 * The most obstacles that one call lists.
 */
#define BOOKAHEAD_MOST_OBSTACLES 64

/**
 * In an explanation: there is no such slot.
 */
#define BOOKAHEAD_NEVER UINT64_MAX

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
 * How many reservations a conflict names at most.
 */
#define BOOKAHEAD_CONFLICT_LISTED 8

/**
 * Whether a newcomer is placed as things are, if it fits. Numbers are permanent.
 */
enum bookahead_admission
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Yes: reservations move only where first fit finds no room.
     */
    BOOKAHEAD_ADMISSION_PLAIN_FIRST = 0,
    /**
     * No: waiting reservations are arranged anew for each newcomer.
     */
    BOOKAHEAD_ADMISSION_ALWAYS = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_admission bookahead_admission;
#else
typedef uint32_t bookahead_admission;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What happens when a waiting reservation finds no room because the newcomer was placed before it. Numbers are permanent.
 */
enum bookahead_after_failure
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * All up to that reservation return to where they were, the newcomer is placed behind it, and those after it are arranged again.
     */
    BOOKAHEAD_AFTER_FAILURE_RETRY = 0,
    /**
     * The newcomer is refused.
     */
    BOOKAHEAD_AFTER_FAILURE_REFUSE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_after_failure bookahead_after_failure;
#else
typedef uint32_t bookahead_after_failure;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What the owner of a reservation wants changed. Numbers are permanent.
 *
 * Held and confirmed reservations can be altered in every way, a running one can be extended, shortened and narrowed, and one whose early end is
 * announced not at all.
 */
enum bookahead_alteration_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Another `start`, inside its own window.
     */
    BOOKAHEAD_ALTERATION_KIND_SHIFT = 0,
    /**
     * A longer `duration`. The deadline moves along where the new end lies beyond it.
     */
    BOOKAHEAD_ALTERATION_KIND_EXTEND = 1,
    /**
     * A shorter `duration`.
     */
    BOOKAHEAD_ALTERATION_KIND_SHORTEN = 2,
    /**
     * More `pes`.
     */
    BOOKAHEAD_ALTERATION_KIND_WIDEN = 3,
    /**
     * Fewer `pes`.
     */
    BOOKAHEAD_ALTERATION_KIND_NARROW = 4,
    /**
     * Another window, from `ready` to `deadline`. The reservation stays where it is if it still fits, else it gets the earliest start there.
     */
    BOOKAHEAD_ALTERATION_KIND_CHANGE_WINDOW = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_alteration_kind bookahead_alteration_kind;
#else
typedef uint32_t bookahead_alteration_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where a later window begins, given the reservation in the way. Numbers are permanent.
 */
enum bookahead_behind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * At its deadline.
     */
    BOOKAHEAD_BEHIND_DEADLINE = 0,
    /**
     * At its booked end.
     */
    BOOKAHEAD_BEHIND_END = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_behind bookahead_behind;
#else
typedef uint32_t bookahead_behind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

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
#if defined(BOOKAHEAD_RISK)
    /**
     * As late, and reservations may be made on top of others: only in libraries built with overlays.
     */
    BOOKAHEAD_BINDING_OVERLAID = 3,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * As early, on a machine with a layout, and what is reserved says which PEs it may have: only in libraries built with placement.
     */
    BOOKAHEAD_BINDING_PLACED = 4,
#endif
#if defined(BOOKAHEAD_OUTAGES)
    /**
     * As late, and rules may take PEs again and again, see `bookahead_set_rule`, and jobs may run without a known end: only in libraries built with outages.
     */
    BOOKAHEAD_BINDING_LATE_RULED = 5,
#endif
#if defined(BOOKAHEAD_OUTAGES)
    /**
     * As early, with such rules and jobs: only in libraries built with outages.
     */
    BOOKAHEAD_BINDING_EARLY_RULED = 6,
#endif
#if (defined(BOOKAHEAD_OUTAGES) && defined(BOOKAHEAD_PLACEMENT))
    /**
     * As PLACED, with such rules and jobs: only in libraries built with outages and placement.
     */
    BOOKAHEAD_BINDING_PLACED_RULED = 7,
#endif
#if defined(BOOKAHEAD_UNITS)
    /**
     * As late, of up to 2,147,483,647 units of what has no numbers, such as memory, bandwidth, or the nodes of a very large machine: only in libraries built with units. What calls say of PEs holds of
     * units, but nobody can tell which ones a job has: `bookahead_pes_of` lists none.
     */
    BOOKAHEAD_BINDING_UNITS = 8,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_binding bookahead_binding;
#else
typedef uint32_t bookahead_binding;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Which fault a class has; see `bookahead_class_add`. Numbers are permanent.
 */
enum bookahead_class_fault
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Every entry of the table is taken.
     */
    BOOKAHEAD_CLASS_FAULT_CLASSES_FULL = 1,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Groups that the machine does not have, or a range of no groups.
     */
    BOOKAHEAD_CLASS_FAULT_UNKNOWN_GROUPS = 2,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * A kind that the machine does not have.
     */
    BOOKAHEAD_CLASS_FAULT_UNKNOWN_KIND = 3,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * A level that the machine does not have.
     */
    BOOKAHEAD_CLASS_FAULT_UNKNOWN_LEVEL = 4,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * The mask has not a bit for each number of a PE, rounded up to whole words.
     */
    BOOKAHEAD_CLASS_FAULT_MASK_SIZE = 5,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * No PE is eligible.
     */
    BOOKAHEAD_CLASS_FAULT_NOTHING_ELIGIBLE = 6,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Nothing is asked of a group, or more than any eligible group has.
     */
    BOOKAHEAD_CLASS_FAULT_BAD_SHAPE = 7,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Whole groups are asked for, and the eligible ones differ, or are eligible in part.
     */
    BOOKAHEAD_CLASS_FAULT_UNEVEN_GROUPS = 8,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * More groups are listed than there is memory for.
     */
    BOOKAHEAD_CLASS_FAULT_ORDER_TOO_LONG = 9,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * A group is listed twice, or does not exist.
     */
    BOOKAHEAD_CLASS_FAULT_BAD_ORDER = 10,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_class_fault bookahead_class_fault;
#else
typedef uint32_t bookahead_class_fault;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

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
     * Refused: the workspace is full.
     */
    BOOKAHEAD_CODE_MOVE_LIMIT = 12,
    /**
     * Refused: the work that was granted is spent.
     */
    BOOKAHEAD_CODE_WORK_LIMIT = 13,
    /**
     * Refused: the place lies outside the reservation's own window.
     */
    BOOKAHEAD_CODE_OUTSIDE_WINDOW = 14,
    /**
     * Refused: the price is more than the budget.
     */
    BOOKAHEAD_CODE_OVER_BUDGET = 15,
    /**
     * Refused: the probability that an overlay is kept is below the threshold at every start.
     */
    BOOKAHEAD_CODE_TOO_RISKY = 16,
    /**
     * Refused: the scratch memory that was lent is too short for this request.
     */
    BOOKAHEAD_CODE_SCRATCH_TOO_SHORT = 17,
    /**
     * Refused: the reservation covers a slot in which something is overlaid, or what is out of service is in the way of an extension by force.
     */
    BOOKAHEAD_CODE_PINNED = 18,
    /**
     * Refused: its class could not be served even if nothing else was booked.
     */
    BOOKAHEAD_CODE_NOT_ELIGIBLE = 19,
    /**
     * UsageError: a run of no slots.
     */
    BOOKAHEAD_CODE_ZERO_DURATION = 65,
    /**
     * UsageError: a run on no PE.
     */
    BOOKAHEAD_CODE_ZERO_PES = 66,
    /**
     * UsageError: the handle was never given out by this book.
     */
    BOOKAHEAD_CODE_UNKNOWN_HANDLE = 67,
    /**
     * UsageError: the reservation of this handle has ended.
     */
    BOOKAHEAD_CODE_STALE_HANDLE = 68,
    /**
     * UsageError: a booking has changed or the start has passed since the plan was made, or it is another book's, or was never made.
     */
    BOOKAHEAD_CODE_STALE_PLAN = 69,
    /**
     * UsageError: only a held reservation can be confirmed.
     */
    BOOKAHEAD_CODE_NOT_HELD = 70,
    /**
     * UsageError: only a running reservation can complete.
     */
    BOOKAHEAD_CODE_NOT_RUNNING = 71,
    /**
     * UsageError: `now` never goes back.
     */
    BOOKAHEAD_CODE_TIME_WENT_BACK = 72,
    /**
     * UsageError: the hold's time is over; its end is reported by the next advance.
     */
    BOOKAHEAD_CODE_HOLD_EXPIRED = 73,
    /**
     * UsageError: a job cannot complete after its booked end.
     */
    BOOKAHEAD_CODE_AFTER_BOOKED_END = 74,
    /**
     * UsageError: a hold or an offer of no slots would expire at once.
     */
    BOOKAHEAD_CODE_ZERO_HOLD = 75,
    /**
     * UsageError: `now` would come too near to the end of time.
     */
    BOOKAHEAD_CODE_END_OF_TIME = 76,
    /**
     * UsageError: more than was offered.
     */
    BOOKAHEAD_CODE_BEYOND_OFFER = 77,
    /**
     * UsageError: this book cannot have made that offer.
     */
    BOOKAHEAD_CODE_BAD_OFFER = 78,
    /**
     * UsageError: no job with this ticket waits.
     */
    BOOKAHEAD_CODE_UNKNOWN_TICKET = 79,
    /**
     * UsageError: the operation is not for a reservation in this state.
     */
    BOOKAHEAD_CODE_WRONG_STATE = 80,
    /**
     * UsageError: an extension has to be longer than what is booked, a shortening shorter, a widening wider, a narrowing narrower.
     */
    BOOKAHEAD_CODE_WRONG_DIRECTION = 81,
    /**
     * UsageError: only a lifted reservation can be placed.
     */
    BOOKAHEAD_CODE_NOT_LIFTED = 82,
    /**
     * UsageError: the reservation is lifted; it has to be placed first.
     */
    BOOKAHEAD_CODE_ALREADY_LIFTED = 83,
    /**
     * UsageError: a reservation is still lifted at the end of the transaction.
     */
    BOOKAHEAD_CODE_STILL_LIFTED = 84,
    /**
     * UsageError: no savepoint of that number, or the transaction was rolled back to an earlier state than the savepoint's.
     */
    BOOKAHEAD_CODE_BAD_SAVEPOINT = 85,
    /**
     * UsageError: a move that says nothing about where the reservation was.
     */
    BOOKAHEAD_CODE_BAD_MOVE = 86,
    /**
     * UsageError: the queue serves a book of another incarnation.
     */
    BOOKAHEAD_CODE_FOREIGN_QUEUE = 87,
    /**
     * UsageError: a series without an instance, or one whose instances would all begin at once.
     */
    BOOKAHEAD_CODE_BAD_SERIES = 88,
    /**
     * UsageError: no part, or more reservations than the list for their handles has room for.
     */
    BOOKAHEAD_CODE_TOO_MANY_PARTS = 89,
    /**
     * UsageError: a mouldable request without a form.
     */
    BOOKAHEAD_CODE_NO_FORMS = 90,
    /**
     * UsageError: an overlay is pinned, so it cannot be flexible.
     */
    BOOKAHEAD_CODE_FLEXIBLE_OVERLAY = 91,
    /**
     * UsageError: the class has been dropped, or is none of this book.
     */
    BOOKAHEAD_CODE_STALE_CLASS = 92,
    /**
     * UsageError: the number of PEs is not a multiple of what a group gives.
     */
    BOOKAHEAD_CODE_NOT_WHOLE_GROUPS = 93,
    /**
     * UsageError: jobs wait in the queue, and its book was advanced without it.
     */
    BOOKAHEAD_CODE_QUEUE_LEFT_BEHIND = 94,
    /**
     * UsageError: a reservation of exactly these PEs is neither flexible, nor gets another number of them, nor a start that is searched.
     */
    BOOKAHEAD_CODE_EXACTLY_THESE = 95,
    /**
     * UsageError: the set of PEs is empty, of another size, or has one that the machine has not.
     */
    BOOKAHEAD_CODE_BAD_PES = 96,
    /**
     * UsageError: a rule of no slots, a number that no rule has, or a book without rules.
     */
    BOOKAHEAD_CODE_BAD_RULE = 97,
    /**
     * UsageError: the queue plans its jobs, and has no schedule.
     */
    BOOKAHEAD_CODE_NO_SCHEDULE = 98,
    /**
     * UsageError: books that are decided together are at different instants, or cover different numbers of slots.
     */
    BOOKAHEAD_CODE_BOOKS_APART = 99,
    /**
     * UsageError: a part of a joint reservation was changed by itself.
     */
    BOOKAHEAD_CODE_PARTS_APART = 100,
    /**
     * UsageError: a request to several books has not one need for each of them.
     */
    BOOKAHEAD_CODE_BAD_NEEDS = 101,
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
     * Violation: what is overlaid is not what the rows say.
     */
    BOOKAHEAD_CODE_OVERLAY = 139,
    /**
     * Violation: a reservation holds PEs that do not serve its class.
     */
    BOOKAHEAD_CODE_CLASS = 140,
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
     * No number of `bookahead_binding`, or a book of a binding that the call is not for.
     */
    BOOKAHEAD_CODE_UNKNOWN_BINDING = 197,
    /**
     * No number or name of `bookahead_policy`.
     */
    BOOKAHEAD_CODE_UNKNOWN_POLICY = 198,
    /**
     * A book of no PE or slot, of more than 65,535 PEs, 2,147,483,647 units or 4,294,967,294 reservations, a queue of more than as many jobs, or anything that is larger
     * than memory can be.
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
     * No number or name of `bookahead_offer_order` or of `bookahead_order`.
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
    /**
     * No number or name of `bookahead_alteration_kind`.
     */
    BOOKAHEAD_CODE_UNKNOWN_ALTERATION = 209,
    /**
     * No number of `bookahead_step_kind`.
     */
    BOOKAHEAD_CODE_UNKNOWN_STEP = 210,
    /**
     * No number of `bookahead_ending`.
     */
    BOOKAHEAD_CODE_UNKNOWN_ENDING = 211,
    /**
     * No number or name of `bookahead_form_choice`.
     */
    BOOKAHEAD_CODE_UNKNOWN_CHOICE = 212,
    /**
     * No number or name of `bookahead_flexibility`.
     */
    BOOKAHEAD_CODE_UNKNOWN_FLEXIBILITY = 213,
    /**
     * No number or name of `bookahead_freeze_rule`.
     */
    BOOKAHEAD_CODE_UNKNOWN_FREEZE = 214,
    /**
     * No number of `bookahead_admission`, `bookahead_after_failure`, `bookahead_sides` or `bookahead_behind`.
     */
    BOOKAHEAD_CODE_UNKNOWN_RULE = 215,
    /**
     * The book has no layer for overlays.
     */
    BOOKAHEAD_CODE_NO_OVERLAYS = 216,
    /**
     * No number of `bookahead_commitment_kind`, or FLEXIBLE where that cannot be.
     */
    BOOKAHEAD_CODE_UNKNOWN_COMMITMENT = 217,
    /**
     * The memory holds a book made by a library for processors of another number of bits.
     */
    BOOKAHEAD_CODE_OTHER_PROCESSOR = 218,
    /**
     * The book is not on a machine with a layout.
     */
    BOOKAHEAD_CODE_NO_LAYOUT = 219,
    /**
     * The layout does not add up: `bookahead_layout_check` says why.
     */
    BOOKAHEAD_CODE_BAD_LAYOUT = 220,
    /**
     * The class is impossible on the machine, or there is no room for it: `bookahead_class_add` says why.
     */
    BOOKAHEAD_CODE_BAD_CLASS = 221,
    /**
     * No number of `bookahead_outage_kind`.
     */
    BOOKAHEAD_CODE_UNKNOWN_OUTAGE = 222,
    /**
     * Something has been booked in the book that is to become another, or time has passed.
     */
    BOOKAHEAD_CODE_NOT_NEW = 223,
    /**
     * The bytes do not begin as a snapshot or a record does.
     */
    BOOKAHEAD_CODE_NO_SNAPSHOT = 224,
    /**
     * The bytes were written in a format that is not known here.
     */
    BOOKAHEAD_CODE_UNKNOWN_VERSION = 225,
    /**
     * The bytes are those of a book of another kind, of another size, or of more reservations than there is memory for.
     */
    BOOKAHEAD_CODE_OTHER_BOOK = 226,
    /**
     * The record follows on another state than the one the book is in.
     */
    BOOKAHEAD_CODE_NOT_NEXT = 227,
    /**
     * The book keeps no journal.
     */
    BOOKAHEAD_CODE_NO_JOURNAL = 228,
    /**
     * The book has changed while its journal was not kept.
     */
    BOOKAHEAD_CODE_MISSED = 229,
    /**
     * A byte of the snapshot is not what was written.
     */
    BOOKAHEAD_CODE_WRONG_SUM = 230,
    /**
     * The bytes end before the snapshot or the record does.
     */
    BOOKAHEAD_CODE_INCOMPLETE = 231,
    /**
     * No number of `bookahead_meeting`.
     */
    BOOKAHEAD_CODE_UNKNOWN_MEETING = 232,
    /**
     * Two of several books, their ties or their periods lie in the same memory.
     */
    BOOKAHEAD_CODE_OVERLAPPING = 233,
    /**
     * A period does not end later than the one before it, is not over yet, or is not there, as in a library built without quota.
     */
    BOOKAHEAD_CODE_BAD_PERIODS = 234,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_code bookahead_code;
#else
typedef uint32_t bookahead_code;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kinds of promises. Numbers are permanent.
 */
enum bookahead_commitment_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A firm reservation with a strict start: only its owner moves it.
     */
    BOOKAHEAD_COMMITMENT_KIND_CONFIRMED = 0,
    /**
     * A hold: it is given up unless it is confirmed before `ttl` slots are over, or by its start if that is sooner.
     */
    BOOKAHEAD_COMMITMENT_KIND_HELD = 1,
    /**
     * A firm reservation that juggling and shifting may move inside its own window until its start is fixed.
     */
    BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_commitment_kind bookahead_commitment_kind;
#else
typedef uint32_t bookahead_commitment_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * To which side reservations are shifted. Numbers are permanent.
 */
enum bookahead_direction
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * To the right, which is later: with SLIDES, FCFS-EDS.
     */
    BOOKAHEAD_DIRECTION_RIGHT = 0,
    /**
     * To the right and to the left: with SLIDES, FCFS-LRH.
     */
    BOOKAHEAD_DIRECTION_BOTH = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_direction bookahead_direction;
#else
typedef uint32_t bookahead_direction;
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
    /**
     * Conservative backfilling: each job has a planned start, which no later job may delay. It needs a schedule (`bookahead_queue_keep_schedule`), which libraries
     * built with plan have; calls by which time passes answer NO_SCHEDULE without one, and other libraries do so in `bookahead_queue_init`.
     */
    BOOKAHEAD_DISCIPLINE_CONSERVATIVE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_discipline bookahead_discipline;
#else
typedef uint32_t bookahead_discipline;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Which PEs a class may have. Numbers are permanent.
 */
enum bookahead_eligible
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * All.
     */
    BOOKAHEAD_ELIGIBLE_ALL = 0,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Those of some `groups`, and of some `kinds`.
     */
    BOOKAHEAD_ELIGIBLE_GROUPS = 1,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Those of a mask: `pes`.
     */
    BOOKAHEAD_ELIGIBLE_PES = 2,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_eligible bookahead_eligible;
#else
typedef uint32_t bookahead_eligible;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

/**
 * How a transaction ends that got to its end. Numbers are permanent.
 */
enum bookahead_ending
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Everything becomes true: one change of the book.
     */
    BOOKAHEAD_ENDING_COMMIT = 0,
    /**
     * Nothing becomes true: the caller learns what would have changed.
     */
    BOOKAHEAD_ENDING_PLAN = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_ending bookahead_ending;
#else
typedef uint32_t bookahead_ending;
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
     * A running job reached its booked end, which is final: the caller stops it. So also for a job that ends exactly as booked. The handle is stale now.
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
     * `now` jumped past the whole booked run of a confirmed reservation. The handle is stale now.
     */
    BOOKAHEAD_EVENT_KIND_MISSED = 5,
    /**
     * A job of a queue starts and holds its PEs from here on; the handle is new.
     */
    BOOKAHEAD_EVENT_KIND_BEST_EFFORT_STARTED = 6,
    /**
     * The start of a flexible reservation is fixed from here on, once for each reservation. One whose start is not fixed before it is reported as started only.
     */
    BOOKAHEAD_EVENT_KIND_START_FIXED = 7,
    /**
     * The start of an overlay is reached, and the PEs that it needs are not idle. It waits, and starts in the first slot in which they are.
     */
    BOOKAHEAD_EVENT_KIND_LATE_START = 8,
    /**
     * A running overlay is in the way of another reservation's start: the caller stops it. The handle is stale now.
     */
    BOOKAHEAD_EVENT_KIND_CUT_SHORT = 9,
    /**
     * All that was overlaid of a reservation is an ordinary booking from here on.
     */
    BOOKAHEAD_EVENT_KIND_OVERLAY_BOOKED = 10,
    /**
     * A waiting request is promised: it has a handle from now on. Told with the feature `plan` only.
     */
    BOOKAHEAD_EVENT_KIND_PROMISED = 11,
    /**
     * A waiting request is given up, since its latest start has passed. Told with the feature `plan` only.
     */
    BOOKAHEAD_EVENT_KIND_GAVE_UP = 12,
    /**
     * A running job of the queue made room for a reservation: the caller stops it. Its handle is stale now, and it waits again. Only in libraries built with plan.
     */
    BOOKAHEAD_EVENT_KIND_PREEMPTED = 13,
    /**
     * A turn of a rule begins that takes a PE of an open-ended job, which goes on, see `bookahead_reserve_open`. Only in libraries built with outages.
     */
    BOOKAHEAD_EVENT_KIND_RULE_MET = 14,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_event_kind bookahead_event_kind;
#else
typedef uint32_t bookahead_event_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Which question of a class fails at a start. Numbers are permanent.
 */
enum bookahead_failing_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * None: the request fits.
     */
    BOOKAHEAD_FAILING_KIND_NOTHING = 0,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Too few PEs that the class may have are free.
     */
    BOOKAHEAD_FAILING_KIND_NUMBER = 1,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Enough are free, in too few groups.
     */
    BOOKAHEAD_FAILING_KIND_GROUPS = 2,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Enough are free, in enough groups, but not in one block.
     */
    BOOKAHEAD_FAILING_KIND_BLOCK = 3,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_failing_kind bookahead_failing_kind;
#else
typedef uint32_t bookahead_failing_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

/**
 * By which of its times a flexible reservation may be moved. Numbers are permanent.
 */
enum bookahead_flexibility
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It runs at any time between its ready time and its deadline; its flexibility counts from its planned start.
     */
    BOOKAHEAD_FLEXIBILITY_INTERVAL = 0,
    /**
     * It is over by its deadline, and could run at once; its flexibility counts from `now`.
     */
    BOOKAHEAD_FLEXIBILITY_DEADLINE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_flexibility bookahead_flexibility;
#else
typedef uint32_t bookahead_flexibility;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Which form of a mouldable request is chosen. Ties go to the earliest end, then to the fewest PE-slots, PEs times slots, then to the first in the
 * table. Numbers are permanent.
 */
enum bookahead_form_choice
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The one that ends first.
     */
    BOOKAHEAD_FORM_CHOICE_EARLIEST_END = 0,
    /**
     * The one with the fewest PE-slots.
     */
    BOOKAHEAD_FORM_CHOICE_FEWEST_PE_SLOTS = 1,
    /**
     * The cheapest; without a discount it is the one with the fewest PE-slots.
     */
    BOOKAHEAD_FORM_CHOICE_CHEAPEST = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_form_choice bookahead_form_choice;
#else
typedef uint32_t bookahead_form_choice;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * When the start of a flexible reservation becomes fixed; worked out anew whenever it is moved. Numbers are permanent.
 */
enum bookahead_freeze_rule
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Not before it starts.
     */
    BOOKAHEAD_FREEZE_RULE_NEVER = 0,
    /**
     * When it is accepted.
     */
    BOOKAHEAD_FREEZE_RULE_ACCEPTANCE = 1,
    /**
     * When a share of the time from its acceptance to its start has passed, rounded up to a slot: so many thousandths.
     */
    BOOKAHEAD_FREEZE_RULE_SHARE = 2,
    /**
     * So many slots before its start.
     */
    BOOKAHEAD_FREEZE_RULE_LEAD = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_freeze_rule bookahead_freeze_rule;
#else
typedef uint32_t bookahead_freeze_rule;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

#if defined(BOOKAHEAD_RISK)
/**
 * What counts as keeping the promise made to an overlay. Numbers are permanent.
 */
enum bookahead_guarantee
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(BOOKAHEAD_RISK)
    /**
     * It has its PEs from its start until it finishes or its time is over.
     */
    BOOKAHEAD_GUARANTEE_ACCESS = 0,
#endif
#if defined(BOOKAHEAD_RISK)
    /**
     * In addition it finishes by its booked end.
     */
    BOOKAHEAD_GUARANTEE_COMPLETION = 1,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_guarantee bookahead_guarantee;
#else
typedef uint32_t bookahead_guarantee;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

/**
 * How a place is sought for a newcomer among reservations that are shifted for it. Numbers are permanent.
 */
enum bookahead_insertion
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Room is made slot by slot, by reservations that push one another up to `depth` deep. Finds room often, not always.
     */
    BOOKAHEAD_INSERTION_SLIDES = 0,
    /**
     * The arrangement that moves the fewest reservations, by trying all of them.
     */
    BOOKAHEAD_INSERTION_FEWEST_MOVES = 1,
    /**
     * The arrangement with the least total shift in slots, by trying all of them.
     */
    BOOKAHEAD_INSERTION_LEAST_SHIFT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_insertion bookahead_insertion;
#else
typedef uint32_t bookahead_insertion;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Which fault a layout has; see `bookahead_layout_check`. Numbers are permanent.
 */
enum bookahead_layout_fault
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * A machine without groups.
     */
    BOOKAHEAD_LAYOUT_FAULT_NO_GROUPS = 1,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Groups without a kind of PEs.
     */
    BOOKAHEAD_LAYOUT_FAULT_NO_KINDS = 2,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * More than 8 kinds.
     */
    BOOKAHEAD_LAYOUT_FAULT_TOO_MANY_KINDS = 3,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * A kind of which a group has none, or more than a word has bits.
     */
    BOOKAHEAD_LAYOUT_FAULT_BAD_KIND = 4,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * More than 4 levels.
     */
    BOOKAHEAD_LAYOUT_FAULT_TOO_MANY_LEVELS = 5,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * A level whose blocks are not larger than those of the level before, or than one group.
     */
    BOOKAHEAD_LAYOUT_FAULT_BAD_LEVEL = 6,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * PEs are missing in groups that the machine does not have, or in no group.
     */
    BOOKAHEAD_LAYOUT_FAULT_UNKNOWN_GROUPS = 7,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * PEs are missing of a kind that the machine does not have.
     */
    BOOKAHEAD_LAYOUT_FAULT_UNKNOWN_KIND = 8,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * A group that lacks PEs would have as many as the others, or more.
     */
    BOOKAHEAD_LAYOUT_FAULT_NOTHING_MISSING = 9,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Each kind of a group padded to a power of two, the machine is wider than 65,535 PEs.
     */
    BOOKAHEAD_LAYOUT_FAULT_LAYOUT_TOO_WIDE = 10,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * All PEs are missing.
     */
    BOOKAHEAD_LAYOUT_FAULT_NO_PES = 11,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_layout_fault bookahead_layout_fault;
#else
typedef uint32_t bookahead_layout_fault;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Which PEs an open-ended job may have, where rules take some at some time. Numbers are permanent.
 */
enum bookahead_meeting
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(BOOKAHEAD_OUTAGES)
    /**
     * Only those that no rule ever takes.
     */
    BOOKAHEAD_MEETING_REFUSE = 0,
#endif
#if defined(BOOKAHEAD_OUTAGES)
    /**
     * Also those that a rule takes later: the job goes on, and RULE_MET tells when a turn begins.
     */
    BOOKAHEAD_MEETING_ALLOW = 1,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_meeting bookahead_meeting;
#else
typedef uint32_t bookahead_meeting;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

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
 * In which order waiting reservations and a newcomer are placed; ties by acceptance, the newcomer last. Numbers are permanent.
 */
enum bookahead_order
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The earliest deadline first.
     */
    BOOKAHEAD_ORDER_EARLIEST_DEADLINE = 0,
    /**
     * The least flexible first: the deadline less the duration, less the planned start, or less `now` where that is later or the reservation has a
     * deadline only. A newcomer is planned at its ready time.
     */
    BOOKAHEAD_ORDER_LEAST_FLEXIBLE = 1,
    /**
     * The largest duration times PEs first.
     */
    BOOKAHEAD_ORDER_BIGGEST_FIRST = 2,
    /**
     * In order of acceptance: no other reservation moves.
     */
    BOOKAHEAD_ORDER_FIFO = 3,
    /**
     * In an order that follows from `seed` and the numbers of acceptance.
     */
    BOOKAHEAD_ORDER_SHUFFLE = 4,
    /**
     * The greatest revenue first: `newcomer_revenue`, and what `revenue` says of the others.
     */
    BOOKAHEAD_ORDER_REVENUE = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_order bookahead_order;
#else
typedef uint32_t bookahead_order;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

#if defined(BOOKAHEAD_OUTAGES)
/**
 * How PEs leave. Numbers are permanent. Only in libraries built with outages.
 */
enum bookahead_outage_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(BOOKAHEAD_OUTAGES)
    /**
     * From now on: what runs on them is lost, and `start` is not looked at.
     */
    BOOKAHEAD_OUTAGE_KIND_FAILURE = 0,
#endif
#if defined(BOOKAHEAD_OUTAGES)
    /**
     * They are wanted from `start` on: what runs on them goes on until its booked end, and they leave when it has ended.
     */
    BOOKAHEAD_OUTAGE_KIND_MAINTENANCE = 1,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_outage_kind bookahead_outage_kind;
#else
typedef uint32_t bookahead_outage_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

/**
 * Which of its candidate starts with room, as `bookahead_candidate_starts` lists them, a request gets; ties go to the earliest of them. "Free" is the number of PEs free throughout the run, the "rectangle"
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

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Which of those that are free a class gets; a start never depends on it. Numbers are permanent.
 */
enum bookahead_preference
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Those of the lowest numbers, or the lowest groups.
     */
    BOOKAHEAD_PREFERENCE_LOWEST = 0,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Those of the groups with the fewest that are free.
     */
    BOOKAHEAD_PREFERENCE_PACK = 1,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Those of the groups with the most; of a number, one of each in turn.
     */
    BOOKAHEAD_PREFERENCE_SPREAD = 2,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Those of the groups of a list first: `order`.
     */
    BOOKAHEAD_PREFERENCE_ORDER = 3,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Those of few blocks of `compact`.
     */
    BOOKAHEAD_PREFERENCE_COMPACT = 4,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_preference bookahead_preference;
#else
typedef uint32_t bookahead_preference;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

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

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * How a class spreads PEs over groups. Numbers are permanent.
 */
enum bookahead_shape
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * Anyhow: by their number.
     */
    BOOKAHEAD_SHAPE_NUMBER = 0,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * So many of each kind on each of some groups: `per_group`. A request's PEs say on how many.
     */
    BOOKAHEAD_SHAPE_PER_GROUP = 1,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * All PEs of each of some groups, which must have the same.
     */
    BOOKAHEAD_SHAPE_WHOLE_GROUPS = 2,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_shape bookahead_shape;
#else
typedef uint32_t bookahead_shape;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

/**
 * On which sides of the window alternatives are looked for. Numbers are permanent.
 */
enum bookahead_sides
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Earlier and later.
     */
    BOOKAHEAD_SIDES_BOTH = 0,
    /**
     * Earlier only.
     */
    BOOKAHEAD_SIDES_BEFORE = 1,
    /**
     * Later only.
     */
    BOOKAHEAD_SIDES_AFTER = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_sides bookahead_sides;
#else
typedef uint32_t bookahead_sides;
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
 * What a step of a transaction does. Numbers are permanent.
 */
enum bookahead_step_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Gives back the room of the reservation `handle` for the time being; it keeps its handle and its promise, and has to be placed again, or
     * removed, before the transaction ends. `booked` becomes where it was.
     */
    BOOKAHEAD_STEP_KIND_LIFT = 0,
    /**
     * Places the lifted reservation `handle` at `placement`, inside its own window, for any duration and on any number of PEs; its promise stays as it
     * is. A running one stays where it started and gets no more PEs than it had.
     */
    BOOKAHEAD_STEP_KIND_PLACE = 1,
    /**
     * Places the lifted reservation `handle` with the duration and PEs it had at the earliest start in its own window at which there is room, not
     * before `placement.start` nor `now`. `booked.start` becomes that start, and nothing else is said of it.
     */
    BOOKAHEAD_STEP_KIND_PLACE_FIRST_FIT = 2,
    /**
     * Makes a reservation for `request` that starts at `placement.start` and promises `commitment`. `made` becomes its handle, good once the transaction
     * is committed.
     */
    BOOKAHEAD_STEP_KIND_INSERT = 3,
    /**
     * Removes the reservation `handle`, lifted or not.
     */
    BOOKAHEAD_STEP_KIND_REMOVE = 4,
    /**
     * Alters the reservation `handle`, which is not lifted, by `alteration`, as `bookahead_alter`. `booked` becomes where it is then.
     */
    BOOKAHEAD_STEP_KIND_ALTER = 5,
    /**
     * Splits the reservation `handle`, which is not lifted, at slot `placement.start`, as `bookahead_split`. `made` becomes the handle of the rest.
     */
    BOOKAHEAD_STEP_KIND_SPLIT = 6,
    /**
     * Notes the present state of the transaction as number `savepoint`, from 0 to `BOOKAHEAD_SAVEPOINTS` - 1; what was noted under that number is
     * forgotten.
     */
    BOOKAHEAD_STEP_KIND_SAVEPOINT = 7,
    /**
     * Goes back to the savepoint of number `savepoint`, which stays good. The work done since is not given back.
     */
    BOOKAHEAD_STEP_KIND_ROLLBACK_TO = 8,
    /**
     * As ROLLBACK_TO, if an optional step has been refused since that savepoint was noted; otherwise does nothing. So a savepoint, optional steps and
     * this one make a group of which all becomes true or nothing, while the transaction goes on.
     */
    BOOKAHEAD_STEP_KIND_ROLLBACK_IF_REFUSED = 9,
    /**
     * Places the lifted reservation `handle` on exactly the PEs of `pes` from `placement.start` on, as long as before, see `bookahead_reserve_exactly`. They have to
     * serve its class, which stays what it is. Only in libraries built with placement.
     */
    BOOKAHEAD_STEP_KIND_PLACE_EXACTLY = 10,
    /**
     * Sets, changes or drops the rule `number` by `rule` and `absent`, see `bookahead_set_rule`. Whom that moves, and whose promise it breaks, the moves say.
     * Only in libraries built with outages.
     */
    BOOKAHEAD_STEP_KIND_SET_RULE = 11,
    /**
     * Says by `absent` which PEs of the machine are not there at all, see `bookahead_resize`. Otherwise as SET_RULE.
     */
    BOOKAHEAD_STEP_KIND_RESIZE = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_step_kind bookahead_step_kind;
#else
typedef uint32_t bookahead_step_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Whether one block has to hold all. Numbers are permanent.
 */
enum bookahead_within
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * No.
     */
    BOOKAHEAD_WITHIN_ANYWHERE = 0,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * One of `level` has to.
     */
    BOOKAHEAD_WITHIN_REQUIRED = 1,
#endif
#if defined(BOOKAHEAD_PLACEMENT)
    /**
     * One of `level` holds all where one can.
     */
    BOOKAHEAD_WITHIN_PREFERRED = 2,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bookahead_within bookahead_within;
#else
typedef uint32_t bookahead_within;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

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
 * A place for a request, worked out and not yet taken. It can be committed until a booking changes or its start has passed.
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
     * How often a booking of the book had changed when it was made.
     */
    uint64_t version;
    /**
     * The incarnation of the book that it was made for, see `bookahead_set_incarnation`.
     */
    uint32_t incarnation;
};

/**
 * What a reservation promises. Every call that makes one takes a pointer to such a value; without one (NULL), and where all of it is zero, the
 * reservation is CONFIRMED. What the kind does not mention is not looked at.
 *
 * A call answers UNKNOWN_COMMITMENT, UNKNOWN_FLEXIBILITY or UNKNOWN_FREEZE for a number that is none, and ZERO_HOLD for a hold of no slots.
 */
struct bookahead_commitment {
    /**
     * One of `bookahead_commitment_kind`.
     */
    uint32_t kind;
    /**
     * For HELD: for how many slots.
     */
    uint32_t ttl;
    /**
     * For FLEXIBLE: one of `bookahead_flexibility`.
     */
    uint32_t flexibility;
    /**
     * For FLEXIBLE: one of `bookahead_freeze_rule`.
     */
    uint32_t freeze;
    /**
     * For FLEXIBLE: the thousandths of SHARE, the slots of LEAD.
     */
    uint32_t freeze_after;
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
 * One form of a mouldable request: how long the job runs on how many PEs.
 */
struct bookahead_form {
    /**
     * How many PEs.
     */
    uint32_t pes;
    /**
     * The length of the run on so many, in slots.
     */
    uint32_t duration;
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
 * What a request costs, and what its owner is willing to pay. The discount grows with the slack of the request, by how many slots its start can be
 * put off. It is rounded down to whole micro-units, and nothing else is rounded but the rate of the tariff.
 */
struct bookahead_price_terms {
    /**
     * The prices before any discount. For no prices: a base of 0, a factor of `BOOKAHEAD_FACTOR_ONE`.
     */
    struct bookahead_tariff tariff;
    /**
     * The most that is paid, in micro-units; `UINT64_MAX` is no limit.
     */
    uint64_t budget;
    /**
     * The discount for a slack as long as the duration, in proportion for other slacks, in 2^-32 of the price.
     */
    uint32_t discount;
    /**
     * The greatest discount, in 2^-32 of the price.
     */
    uint32_t most_discount;
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
 * An alteration: a kind, and the new values that it is about; the others are not looked at.
 */
struct bookahead_alteration {
    /**
     * SHIFT: the new start.
     */
    uint64_t start;
    /**
     * CHANGE_WINDOW: the new earliest start.
     */
    uint64_t ready;
    /**
     * CHANGE_WINDOW: the new latest end, exclusive.
     */
    uint64_t deadline;
    /**
     * EXTEND, SHORTEN: the new length in slots.
     */
    uint32_t duration;
    /**
     * WIDEN, NARROW: the new number of PEs.
     */
    uint32_t pes;
    /**
     * One of `bookahead_alteration_kind`.
     */
    uint32_t kind;
};

/**
 * Memory that the caller lends to a call that moves reservations: it notes in it how to put everything back. The memory belongs to the caller and
 * means nothing between calls, so one piece will do for all books that are not used at the same time.
 *
 * A call says how many entries it takes, and a call that juggles for how many waiting reservations it takes room as well; with less it answers
 * MOVE_LIMIT and has changed nothing. Without a workspace (NULL), and where all of it is zero, there is no memory. A call answers NULL_POINTER or
 * MISALIGNED for memory that is null or not aligned as a book's.
 */
struct bookahead_workspace {
    /**
     * The memory; may be null when it has no bytes.
     */
    void *memory;
    /**
     * Its bytes, see `bookahead_workspace_bytes`.
     */
    size_t length;
    /**
     * For how many waiting reservations some of it is kept; 0 where nobody juggles.
     */
    size_t waiting;
};

/**
 * Where a reservation is booked.
 */
struct bookahead_placement {
    /**
     * The first slot.
     */
    uint64_t start;
    /**
     * For how many slots.
     */
    uint32_t duration;
    /**
     * On how many PEs.
     */
    uint32_t pes;
};

/**
 * Reservations that are in the way, the first few by name, the others by number; and rules.
 */
struct bookahead_conflict {
    /**
     * Those that start first, ties by acceptance; `listed` of them.
     */
    struct bookahead_handle handles[BOOKAHEAD_CONFLICT_LISTED];
    /**
     * How many are named.
     */
    uint32_t listed;
    /**
     * How many others there are.
     */
    uint32_t more;
    /**
     * A bit for each rule that is in the way beside them, that of rule 0 the lowest; 0 in a book without rules. What `bookahead_resize` says is not there is none of them.
     */
    uint32_t rules;
};

/**
 * The same request again and again: instance number k, from 0, is ready k periods after the first, and has to be over k periods after it.
 */
struct bookahead_series {
    /**
     * The first instance.
     */
    struct bookahead_request first;
    /**
     * From one instance to the next, in slots.
     */
    uint32_t period;
    /**
     * How many instances, the exceptions included.
     */
    uint32_t count;
    /**
     * The numbers of instances that are left out, in any order; may be null when there are none.
     */
    const uint32_t *exceptions;
    /**
     * How many exceptions.
     */
    size_t exception_count;
};

/**
 * One of several reservations that are made together.
 */
struct bookahead_part {
    /**
     * From the common start to its own, in slots.
     */
    uint32_t offset;
    /**
     * For how many slots.
     */
    uint32_t duration;
    /**
     * On how many PEs.
     */
    uint32_t pes;
};

/**
 * Memory for one reservation of one of several books, in which is noted which reservation of another book belongs to it. Zeros, with which it begins, say that it is alone. Ties have no
 * pointers inside, so all of them may be copied together with all of the books.
 */
struct bookahead_tie {
    /**
     * To be left alone.
     */
    uint64_t bits[2];
};

/**
 * How much of a quota may be used in a period, in PE-slots, which are PEs times slots. In a list, each begins where the one before it ends, and the first one at slot 0.
 */
struct bookahead_period {
    /**
     * The slot in which the next period begins.
     */
    uint64_t until;
    /**
     * How many PE-slots may be used. It may be changed between calls; what is booked stays booked, though it may be more than that.
     */
    uint64_t most;
    /**
     * How many have been used and are booked: 0 to begin with, and only read by the caller.
     */
    uint64_t used;
};

/**
 * One of several books that are decided as one, each for another resource: nodes, licences, what a user may have. A list of them is made for each call or kept.
 *
 * The books may be of any binding but OVERLAID, cover the same number of slots, and are at the same slot.
 */
struct bookahead_joined {
    /**
     * The book.
     */
    struct bookahead_book *book;
    /**
     * A tie for each reservation that the book has room for, zeroed before the first call. The same ones in each list of the same books in the same order, by which ties name them. A list of other books, such as that with the
     * quota of another user, has ties of its own for each of its books, or each takes what the other has made for torn. A book that is alone in its list needs none: so time passes
     * (`bookahead_several_next`) in a quota whose other books advance by themselves.
     */
    struct bookahead_tie *ties;
    /**
     * How many ties.
     */
    size_t tie_count;
    /**
     * The periods of a quota, the earliest first, in libraries built with quota: see `bookahead_quota_renew`. May be null when there are none.
     */
    struct bookahead_period *periods;
    /**
     * How many periods. With one or more, the book is a quota.
     */
    size_t period_count;
};

/**
 * What is asked of several books at once: the same slots in each.
 */
struct bookahead_joint_request {
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
     * How many PEs of each book, in the order of the books: of the class that the book asks for. 0 where nothing is needed.
     */
    const uint32_t *needs;
    /**
     * How many numbers: as many as books.
     */
    size_t need_count;
};

/**
 * A part of a joint reservation: a reservation of one of several books. Each part stands for the whole.
 */
struct bookahead_book_part {
    /**
     * The number of the book in the list, from 0 on.
     */
    uint32_t book;
    /**
     * The handle of the part in that book.
     */
    struct bookahead_handle handle;
};

/**
 * A joint reservation that has just been made.
 */
struct bookahead_joint_booking {
    /**
     * The part in the first book of which something is needed.
     */
    struct bookahead_book_part part;
    /**
     * The slot in which all parts start.
     */
    uint64_t start;
};

/**
 * When PEs are not there: `length` slots of every `period`, the first of them in slot `phase`.
 */
struct bookahead_rule {
    /**
     * A slot in which a turn begins, counted from slot 0. One begins in all slots that differ from that by whole periods.
     */
    uint32_t phase;
    /**
     * From one beginning to the next; at least 1.
     */
    uint32_t period;
    /**
     * How long a turn lasts, at least 1; a period or longer for always.
     */
    uint32_t length;
};

/**
 * What is not there: so many PEs of a book with late binding, these of one with early binding.
 */
struct bookahead_absent {
    /**
     * A list of `words` words with a bit for each number of a PE, the lowest first. Not looked at without words, and then it may be null.
     */
    const uint32_t *pes;
    /**
     * As many words as the PEs of the machine need; 0 for a number.
     */
    size_t words;
    /**
     * How many PEs, where there are no words.
     */
    uint32_t number;
};

/**
 * A step of a transaction: what it is to do, and what came of it. What its kind does not mention is not looked at, and what it is to do is never
 * written to, so the list may be used again.
 */
struct bookahead_step {
    /**
     * In: one of `bookahead_step_kind`.
     */
    uint32_t kind;
    /**
     * In: 0 for a step without which nothing is to become true. Otherwise its refusal is noted in `code`, and the next step is taken.
     */
    uint32_t optional;
    /**
     * In: which reservation.
     */
    struct bookahead_handle handle;
    /**
     * In: 0, or 1 + the number of an earlier INSERT or SPLIT of the same list: the reservation that this one made is meant, and `handle` is not
     * looked at. UNKNOWN_HANDLE if it made none.
     */
    uint32_t made_by;
    /**
     * In: see `bookahead_step_kind`.
     */
    uint32_t savepoint;
    /**
     * In: see `bookahead_step_kind`.
     */
    struct bookahead_placement placement;
    /**
     * In: see `bookahead_step_kind`.
     */
    struct bookahead_request request;
    /**
     * In: see `bookahead_step_kind`.
     */
    struct bookahead_alteration alteration;
    /**
     * In: see `bookahead_step_kind`.
     */
    struct bookahead_commitment commitment;
    /**
     * In: for PLACE_EXACTLY, a bit for each number of a PE; else it is not looked at.
     */
    const uint32_t *pes;
    /**
     * In: how many words that has.
     */
    size_t words;
    /**
     * In: for SET_RULE, when PEs are not there; null drops the rule.
     */
    const struct bookahead_rule *rule;
    /**
     * In: for SET_RULE and RESIZE, which PEs are not there. It is not looked at where a rule is dropped; null for RESIZE says that all are there.
     */
    const struct bookahead_absent *absent;
    /**
     * In: for SET_RULE, the number of the rule.
     */
    uint32_t number;
    /**
     * Out: what the step answered, one of `bookahead_code`.
     */
    uint32_t code;
    /**
     * Out: see `bookahead_step_kind`; zeros for what says nothing of it, and for what was refused.
     */
    struct bookahead_placement booked;
    /**
     * Out: as `booked`. Zero is a handle that no book gives out.
     */
    struct bookahead_handle made;
};

/**
 * What a transaction does to one reservation: where it was booked, with a duration of 0 for a new one, and where it is booked then, with a duration
 * of 0 for one that is removed. One that has other PEs at the same placement is listed too; `bookahead_pes_of` says which, once they are its own.
 */
struct bookahead_move {
    /**
     * The reservation.
     */
    struct bookahead_handle handle;
    /**
     * Where it was.
     */
    struct bookahead_placement from;
    /**
     * Where it is booked then.
     */
    struct bookahead_placement to;
};

/**
 * What came of a transaction.
 */
struct bookahead_outcome {
    /**
     * How much of the granted work is left, in slots.
     */
    uint64_t work_left;
    /**
     * The number of the step that was refused, from 0; or how many steps there are, if none was, or only the end.
     */
    uint32_t failed_step;
    /**
     * How many moves were listed; 0 when the transaction was refused.
     */
    uint32_t moves;
    /**
     * How many others there are.
     */
    uint32_t more_moves;
    /**
     * Who is in the way of the step that was refused, if that was for NO_ROOM. A first fit is told who is in the way of the earliest start it looked at.
     */
    struct bookahead_conflict conflict;
};

/**
 * How waiting reservations are arranged anew.
 */
struct bookahead_juggling {
    /**
     * One of `bookahead_order`.
     */
    uint32_t order;
    /**
     * One of `bookahead_admission`.
     */
    uint32_t admission;
    /**
     * One of `bookahead_after_failure`.
     */
    uint32_t after_failure;
    /**
     * At most so many reservations get another start; those that only get other PEs are not counted. `UINT32_MAX` for no limit.
     */
    uint32_t max_moves;
    /**
     * No waiting reservation is placed before this slot; 0 for no such limit.
     */
    uint64_t earliest;
    /**
     * At most so many slots are written and searched, for each reservation that moves about those of its window; `UINT64_MAX` for no limit.
     */
    uint64_t work;
    /**
     * For SHUFFLE.
     */
    uint64_t seed;
    /**
     * For REVENUE: that of the newcomer.
     */
    uint64_t newcomer_revenue;
    /**
     * For REVENUE, else it may be null: returns the revenue of a waiting reservation. It gets `context`, and calls no function with this book.
     */
    uint64_t (*revenue)(void *context, struct bookahead_handle handle);
    /**
     * For `revenue`, which alone looks at it; may be null.
     */
    void *context;
};

/**
 * What came of moving reservations for a newcomer, or of arranging them anew.
 */
struct bookahead_juggled {
    /**
     * The newcomer; with PLAN, and for a call without one, no handle that any book gives out.
     */
    struct bookahead_booking booking;
    /**
     * How much of the granted work is left, in slots.
     */
    uint64_t work_left;
    /**
     * How many moves were listed.
     */
    uint32_t moves;
    /**
     * How many others there are.
     */
    uint32_t more_moves;
};

/**
 * What alternatives are looked for.
 */
struct bookahead_suggesting {
    /**
     * One of `bookahead_sides`.
     */
    uint32_t sides;
    /**
     * One of `bookahead_behind`.
     */
    uint32_t behind;
    /**
     * The greatest shift, in hundredths of the duration; `UINT32_MAX` for however far. With 0 nothing is listed, and `limit` is OK.
     */
    uint32_t max_percent;
};

/**
 * Another window for a request that finds no room.
 */
struct bookahead_alternative {
    /**
     * The request to make instead.
     */
    struct bookahead_request request;
    /**
     * The start that it would get now.
     */
    uint64_t start;
    /**
     * How many slots later its window is; below zero earlier.
     */
    int64_t shift;
};

/**
 * How far a search for alternatives got.
 */
struct bookahead_suggested {
    /**
     * How many windows were tried.
     */
    uint32_t tried;
    /**
     * WORK_LIMIT when the work ended the search, MOVE_LIMIT when some windows could not be tried for that; otherwise OK.
     */
    uint32_t limit;
};

/**
 * How reservations are shifted.
 */
struct bookahead_shifting {
    /**
     * One of `bookahead_direction`.
     */
    uint32_t direction;
    /**
     * One of `bookahead_insertion`.
     */
    uint32_t insertion;
    /**
     * For SLIDES: how many reservations in a row may push one another, 2 for the heuristics' usual depth. 0: none is moved; 1: one in the way moves only
     * to where there is room for it. More than 16 are taken as 16.
     */
    uint32_t depth;
    /**
     * At most so many reservations are moved.
     */
    uint32_t max_moves;
    /**
     * No reservation is shifted to a start before this slot; 0 for no such limit.
     */
    uint64_t earliest;
    /**
     * At most so many slots are written and searched. A refusal in a crowded book can take very many; the simulator grants 1,000,000.
     */
    uint64_t work;
};

#if defined(BOOKAHEAD_RISK)
/**
 * A law of run times: an exponential one, or what has been observed.
 */
struct bookahead_law {
    /**
     * A histogram of run times, at least two counters, all 0 at first; null for an exponential law. See `bookahead_record`.
     */
    uint32_t *counters;
    /**
     * How many counters there are.
     */
    size_t length;
    /**
     * Exponential: so many slots are taken by `jobs` jobs on average.
     */
    uint64_t slots;
    /**
     * As above, at least 1.
     */
    uint32_t jobs;
    /**
     * Of a histogram, the slots of a bin; 0 where the bins are equal shares of what was booked.
     */
    uint32_t bin;
};
#endif

#if defined(BOOKAHEAD_RISK)
/**
 * What is demanded of an overlay. Probabilities are numbers of steps of 2^-31, at most 2^31.
 */
struct bookahead_overlaying {
    /**
     * The law of the newcomer's run time.
     */
    struct bookahead_law own;
    /**
     * The law of those that may end early, each by itself. One with the histogram of `own` is read as that is.
     */
    struct bookahead_law others;
    /**
     * One of `bookahead_guarantee`.
     */
    uint32_t guarantee;
    /**
     * The least probability with which the promise has to be kept.
     */
    uint32_t threshold;
};
#endif

#if defined(BOOKAHEAD_RISK)
/**
 * Where an overlay would go.
 */
struct bookahead_overlay_plan {
    /**
     * As of an ordinary plan.
     */
    struct bookahead_plan plan;
    /**
     * How many PEs wait for others to end early.
     */
    uint32_t overlaid;
    /**
     * How probably the promise is kept, rounded down, in steps of 2^-31.
     */
    uint32_t probability;
};
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Consecutive groups.
 */
struct bookahead_groups {
    /**
     * The first.
     */
    uint16_t from;
    /**
     * The one behind the last.
     */
    uint16_t to;
};
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Groups that have fewer PEs of a kind than others: the lowest ones exist. Where several say so of a group, the fewest count.
 */
struct bookahead_fewer {
    /**
     * The groups.
     */
    struct bookahead_groups groups;
    /**
     * The kind, counted from 0.
     */
    uint8_t kind;
    /**
     * How many they have.
     */
    uint8_t pes;
};
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * The layout of a machine: equal groups (nodes) of up to 8 kinds of PEs (cores, GPUs), some of which may be missing, and up to 4 levels of blocks
 * (racks, switches) that consist of neighbouring groups. PEs are numbered kind after kind, group after group, whether they are missing or not.
 */
struct bookahead_layout {
    /**
     * PEs of each kind in a group, at most 64, and 32 in libraries for processors of 32 bits.
     */
    const uint8_t *kinds;
    /**
     * How many kinds.
     */
    size_t kind_count;
    /**
     * Which groups have fewer; may be null when none has.
     */
    const struct bookahead_fewer *missing;
    /**
     * How many entries that has, at most `BOOKAHEAD_MOST_RANGES`.
     */
    size_t missing_count;
    /**
     * How many groups a block of each level has, from the smallest; a level's last block may have fewer. May be null when there are no levels.
     */
    const uint16_t *levels;
    /**
     * How many levels.
     */
    size_t level_count;
    /**
     * How many groups, at most 65,535.
     */
    uint32_t groups;
};
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * What a reservation asks of its PEs. All zeros is any PEs, by their number. What the numbers do not mention is not looked at.
 */
struct bookahead_class {
    /**
     * For GROUPS: which, `group_count` of them, at most `BOOKAHEAD_MOST_RANGES`.
     */
    const struct bookahead_groups *groups;
    /**
     * How many entries that has.
     */
    size_t group_count;
    /**
     * For PES: a bit for each number of a PE, from the lowest of each word.
     */
    const uint32_t *pes;
    /**
     * How many words that has: groups times PEs of a group, rounded up.
     */
    size_t word_count;
    /**
     * For PER_GROUP: how many of each kind.
     */
    const uint8_t *per_group;
    /**
     * For how many kinds that says it.
     */
    size_t kind_count;
    /**
     * For ORDER: groups, each once.
     */
    const uint16_t *order;
    /**
     * How many.
     */
    size_t order_count;
    /**
     * One of `bookahead_eligible`.
     */
    uint32_t eligible;
    /**
     * For GROUPS: a bit for each kind.
     */
    uint32_t kinds;
    /**
     * One of `bookahead_shape`.
     */
    uint32_t shape;
    /**
     * One of `bookahead_within`.
     */
    uint32_t within;
    /**
     * For REQUIRED and PREFERRED: a level, from 0.
     */
    uint32_t level;
    /**
     * One of `bookahead_preference`.
     */
    uint32_t preference;
    /**
     * For COMPACT: a level, from 0.
     */
    uint32_t compact;
};
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * What a class lacks at a start.
 */
struct bookahead_failing {
    /**
     * One of `bookahead_failing_kind`.
     */
    uint32_t kind;
    /**
     * How many PEs, or groups, more would do; in the block that has most.
     */
    uint32_t lacking;
};
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * How long jobs have waited beside how long they were planned to: of each doubling of the planned wait, the last BOOKAHEAD_BANDS_LAST of them. Zeros, with which it begins, say that nothing is known. It
 * may be copied and kept as any other value.
 *
 * A planned start is sure as long as jobs take what they were estimated to take. Most end earlier, so that most start earlier than planned, and where reservations are made meanwhile, some
 * start later. From those of whom it is known, this says between which starts a job will start as often as is asked for, as long as things go on as they lately did. It promises
 * nothing, and neither reads nor changes a book or a queue.
 */
struct bookahead_start_bands {
    /**
     * To be left alone.
     */
    uint32_t numbers[BOOKAHEAD_BANDS_NUMBERS];
};
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Slots from when on and until when a job is likely to start, counted from when that is asked.
 */
struct bookahead_start_band {
    /**
     * The first of these starts.
     */
    uint32_t earliest;
    /**
     * The last of them.
     */
    uint32_t latest;
};
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * For when a job is planned.
 */
struct bookahead_planned_start {
    /**
     * Its start.
     */
    uint64_t start;
    /**
     * Names it while it waits.
     */
    uint32_t ticket;
};
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * A request that waits.
 */
struct bookahead_waiting_request {
    /**
     * Names it while it waits.
     */
    uint32_t ticket;
    /**
     * Its priority: higher ones are tried first.
     */
    uint32_t key;
    /**
     * What is asked for.
     */
    struct bookahead_request request;
    /**
     * One of `bookahead_policy`.
     */
    uint32_t policy;
    /**
     * What it becomes when there is room.
     */
    struct bookahead_commitment commitment;
};
#endif

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
    /**
     * How many of them are used up: a row is given out at most 4,294,967,295 times, so that handles never repeat.
     */
    uint32_t retired;
    /**
     * The number that `bookahead_set_incarnation` gave the book, 0 at first.
     */
    uint32_t incarnation;
    /**
     * How often a booking has changed. Time that passes without an event changes none.
     */
    uint64_t version;
};

/**
 * What the ledger says of a live reservation.
 */
struct bookahead_reservation {
    /**
     * What was asked for, as its owner has altered it since.
     */
    struct bookahead_request request;
    /**
     * The first booked slot.
     */
    uint64_t start;
    /**
     * The slot behind the last booked one; sooner than what was asked for once an early end is announced.
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
 * A start at which a request does not fit, and what is in the way.
 */
struct bookahead_obstacle {
    /**
     * The start.
     */
    uint64_t start;
    /**
     * The first slot in the way: by then too few are free, counted from the start on.
     */
    uint64_t at;
    /**
     * Who holds PEs in that slot.
     */
    struct bookahead_conflict holders;
    /**
     * How many PEs are lacking throughout the run.
     */
    uint32_t lacking;
};

/**
 * What else could be done about a request. A slot is `BOOKAHEAD_NEVER` where there is none.
 */
struct bookahead_explanation {
    /**
     * The earliest start at which it fits after all.
     */
    uint64_t fits;
    /**
     * The latest start before its ready time, from `now` on, at which the same would fit.
     */
    uint64_t earlier;
    /**
     * The earliest start too late for its deadline, within the horizon, at which the same would fit.
     */
    uint64_t later;
    /**
     * How many obstacles there are beside those in the list.
     */
    uint32_t more;
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
     * What they cost. For no prices: a base of 0, a factor of `BOOKAHEAD_FACTOR_ONE`.
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
     * How often a booking of the book had changed when it was made.
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
    /**
     * The incarnation of the book that made it, see `bookahead_set_incarnation`.
     */
    uint32_t incarnation;
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
 * The bytes of a book: a multiple of 8, or 0 when there is no book of that size. The macros `BOOKAHEAD_LATE_BYTES`,
 * `BOOKAHEAD_EARLY_BYTES` and `BOOKAHEAD_UNIT_BYTES` say the same at compile time. O(1).
 */
size_t bookahead_bytes(uint32_t binding, uint32_t pes, uint32_t slots, uint32_t rows);

/**
 * What the memory of a book has to be aligned to, in bytes: `BOOKAHEAD_ALIGNMENT`. O(1).
 */
size_t bookahead_alignment(void);

/**
 * Makes an empty book at slot 0 in `memory`, whatever was there, for `pes` PEs, a ring of `slots` slots and up to `rows` reservations, and gives
 * its pointer. `length` is that of the memory in bytes, at least `bookahead_bytes`; what it has beyond is left alone. A book on a machine with a
 * layout is made by `bookahead_layout_init`. O(memory).
 *
 * Answers UNKNOWN_BINDING, also for `BOOKAHEAD_BINDING_PLACED`; SIZE_OUT_OF_RANGE, NULL_POINTER, MISALIGNED or TOO_SHORT, and has changed nothing then.
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
 * Only the first bytes and the sizes are looked at. Whether the rest is sound, such as after a crash, says `bookahead_check_invariants`; calls
 * on a damaged book answer nonsense, but touch no memory beyond it.
 *
 * A book is good for every library of the `BOOKAHEAD_ABI_VERSION` that made it, whichever compiler that was built by, on machines of the same
 * byte order; but libraries for processors of 64 bits keep more in a book than others do.
 *
 * Answers NULL_POINTER, MISALIGNED, TOO_SHORT, NOT_A_BOOK or OTHER_PROCESSOR.
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
 * Answers UNKNOWN_POLICY, ZERO_DURATION, ZERO_PES, TOO_WIDE, TOO_LONG, READY_IN_PAST, WINDOW_TOO_SHORT, BEYOND_HORIZON, TABLE_FULL, NO_ROOM; on a machine
 * with a layout STALE_CLASS, NOT_WHOLE_GROUPS, NOT_ELIGIBLE.
 */
uint32_t bookahead_plan(struct bookahead_book *book,
                        const struct bookahead_request *request,
                        uint32_t policy,
                        struct bookahead_plan *plan);

/**
 * Makes a plan a reservation that promises `commitment`, see there, or changes nothing. O(duration x columns + log rows).
 *
 * Answers as `bookahead_commitment` says; STALE_PLAN when a booking has changed or the start has passed since, or the plan is another book's. A plan
 * whose start is still to come stays good while time passes without an event; what is booked is ready at `now` then.
 */
uint32_t bookahead_commit(struct bookahead_book *book,
                          const struct bookahead_plan *plan,
                          const struct bookahead_commitment *commitment,
                          struct bookahead_handle *handle);

/**
 * Reserves: works out where `request` goes by `policy`, one of `bookahead_policy`, and books it as `commitment` says, see there. Costs as
 * `bookahead_plan` and `bookahead_commit` together.
 *
 * Answers as `bookahead_commitment` and `bookahead_plan` say.
 */
uint32_t bookahead_reserve(struct bookahead_book *book,
                           const struct bookahead_request *request,
                           uint32_t policy,
                           const struct bookahead_commitment *commitment,
                           struct bookahead_booking *booking);

/**
 * Makes a held reservation a firm one: before its expiry, or, if it lasts until its start, before an advance has dealt with that start.
 * O(log rows).
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE, NOT_HELD, HOLD_EXPIRED.
 */
uint32_t bookahead_confirm(struct bookahead_book *book,
                           struct bookahead_handle handle);

/**
 * Gives up a reservation, whatever its state; of a running one, what is left of it. No event follows: whoever calls this stops the job.
 * O(duration x columns + log rows), and with late binding O(PEs) more for a running one.
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE.
 */
uint32_t bookahead_cancel(struct bookahead_book *book,
                          struct bookahead_handle handle);

/**
 * Lets a running reservation end early: at slot `at`, which is told as COMPLETED then, or at once if that is `now` or has passed, and no event follows.
 * What is booked behind is free again.
 * O(duration x columns + log rows), and with late binding O(PEs) more.
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE, NOT_RUNNING, AFTER_BOOKED_END.
 */
uint32_t bookahead_complete(struct bookahead_book *book,
                            struct bookahead_handle handle,
                            uint64_t at);

/**
 * Numbers the book among the caller's books, and anew when it is restored: so that a plan, an offer or a queue that was made for another is
 * noticed. Books with equal numbers, such as 0, which all have at first, cannot be told apart. O(1).
 */
uint32_t bookahead_set_incarnation(struct bookahead_book *book,
                                   uint32_t incarnation);

/**
 * Works out where a mouldable request would go, and takes no room: the job runs in one of `length` forms, `BOOKAHEAD_MOST_FORMS` at most, between
 * `ready` and `deadline`. Each form is planned by `policy`, one of `bookahead_policy`, and one of those that can be booked within the budget is chosen
 * by `choice`, one of `bookahead_form_choice`. Gives its plan, to be committed as that of `bookahead_plan`, and its price. A rigid request with a
 * budget is one with a single form.
 *
 * The table is kept on the stack meanwhile, 8 bytes for each of 8 forms, or of `BOOKAHEAD_MOST_FORMS` for more than 8. O(forms x plan).
 *
 * Answers UNKNOWN_POLICY, UNKNOWN_CHOICE, TARIFF_OUT_OF_RANGE; TOO_MANY_PARTS for more forms; NO_FORMS without a form; ZERO_DURATION, ZERO_PES. When no form can be booked, the refusal of the one that got furthest, the first of several:
 * what `bookahead_plan` answers as far as the form itself is to blame, then PRICE_OVERFLOW and OVER_BUDGET, then TABLE_FULL and NO_ROOM.
 */
uint32_t bookahead_plan_mouldable(struct bookahead_book *book,
                                  uint64_t ready,
                                  uint64_t deadline,
                                  const struct bookahead_form *forms,
                                  size_t length,
                                  uint32_t policy,
                                  uint32_t choice,
                                  const struct bookahead_price_terms *terms,
                                  struct bookahead_plan *plan,
                                  uint64_t *price);

/**
 * Lists the rigid forms of a malleable job, the narrowest first, for `bookahead_plan_mouldable`; see `bookahead_pes_of` for lists. The job is `work`
 * PE-slots that any number of PEs from `least` to `most` share evenly: on n PEs it takes work / n slots, rounded up. Of several numbers of PEs that
 * take equally long only the least is listed. Durations beyond 32 bits are left out. O(1) for each form.
 *
 * Answers TOO_WIDE for more than 65,535 PEs.
 */
uint32_t bookahead_malleable_forms(uint64_t work,
                                   uint32_t least,
                                   uint32_t most,
                                   size_t skip,
                                   struct bookahead_form *forms,
                                   size_t capacity,
                                   size_t *count);

/**
 * Gives what `request` costs, less the discount: for a reservation's request, its revenue. O(1).
 *
 * Answers TARIFF_OUT_OF_RANGE, PRICE_OVERFLOW when the price without the discount is more than 64 bits can say, WINDOW_TOO_SHORT,
 * OVER_BUDGET.
 */
uint32_t bookahead_price(const struct bookahead_price_terms *terms,
                         const struct bookahead_request *request,
                         uint64_t *price);

/**
 * Moves `now` to the slot `to` and writes what happens on the way to `events`, in order of time, `count` of them.
 *
 * Within one slot ends come first, then expired holds, then starts, each by acceptance, then holds that lasted until their start and were not
 * confirmed in that slot. When there are more events than `capacity`, `now` stays at the slot of the next one and `waiting` becomes true: any
 * call is legal then, and the next advance goes on with the rest.
 *
 * Advance slot by slot, or no further than `bookahead_next_event`: a jump past the whole booked run of a confirmed reservation does not start it, and
 * reports it as MISSED. What starts at `now` is started by the next advance, even by one to the same slot: make it before time moves on.
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
 * As `bookahead_advance`, one event at a time: moves `now` to the slot of the next event on the way to `to`, and gives it. When there is none,
 * `now` is `to`, `happened` becomes false and `event` is left alone. The book is sound between events, and any call is legal.
 *
 * Call it for one slot after the other, as `bookahead_advance`: it does not walk by itself, so that a `to` behind the whole booked run of a confirmed reservation misses that.
 *
 * Answers TIME_WENT_BACK, END_OF_TIME.
 */
uint32_t bookahead_next(struct bookahead_book *book,
                        uint64_t to,
                        struct bookahead_event *event,
                        bool *happened);

/**
 * Gives the slot that time has to reach for the next event, `now` included. The event carries that slot, or for a hold that lasts until its start
 * the slot before. O(1).
 *
 * Answers NOTHING_DUE when there is no reservation.
 */
uint32_t bookahead_next_event(struct bookahead_book *book,
                              uint64_t *at);

/**
 * The bytes of a workspace with so many entries and for so many waiting reservations, for a book of that binding and so many PEs: a multiple of 8, or 0
 * when there is no such book. The macros `BOOKAHEAD_LATE_WORKSPACE_BYTES`, `BOOKAHEAD_EARLY_WORKSPACE_BYTES` and `BOOKAHEAD_UNIT_WORKSPACE_BYTES` say the same at compile time. O(1).
 */
size_t bookahead_workspace_bytes(uint32_t binding,
                                 uint32_t pes,
                                 uint32_t entries,
                                 uint32_t waiting);

/**
 * Alters a reservation as its owner wants, and gives where it is booked then; or changes nothing. Its handle stays. Takes one entry of the
 * workspace.
 *
 * With early binding it keeps its PEs where they are free: the lowest-numbered of them if it gets narrower, all of them and the lowest-numbered
 * others if it gets wider. One that has not started gets others where that is impossible.
 *
 * `conflict` says who is in the way when the answer is NO_ROOM, with early binding all that cover a slot of it, whichever PEs they have; and nobody after
 * any other answer of the book's, an error included.
 *
 * O(duration x columns + log rows), and a first fit more for a changed window that moves it.
 *
 * Answers UNKNOWN_ALTERATION, UNKNOWN_HANDLE, STALE_HANDLE; WRONG_STATE, see `bookahead_alteration_kind`; WRONG_DIRECTION for a duration that is not
 * longer, or not shorter, and PEs that are not more, or not fewer, than what is booked; ZERO_DURATION, ZERO_PES, TOO_WIDE; OUTSIDE_WINDOW for a
 * place outside its window, and for a running one that would have ended; READY_IN_PAST; WINDOW_TOO_SHORT; BEYOND_HORIZON; MOVE_LIMIT;
 * NO_ROOM.
 */
uint32_t bookahead_alter(struct bookahead_book *book,
                         struct bookahead_handle handle,
                         const struct bookahead_alteration *alteration,
                         const struct bookahead_workspace *workspace,
                         struct bookahead_placement *placement,
                         struct bookahead_conflict *conflict);

/**
 * Splits a reservation, confirmed or running, at slot `at` inside it, and gives the handle of what remains from there on. The first part keeps its
 * handle and has to be over by `at`. The rest is a confirmed reservation of its own, ready at `at`, with the deadline that the whole had, and with
 * early binding on the same PEs. Takes two entries of the workspace. O(columns + log rows).
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE; WRONG_STATE for a hold and for a job whose end is announced; OUTSIDE_WINDOW for a slot that is not inside
 * or has passed; TABLE_FULL; MOVE_LIMIT.
 */
uint32_t bookahead_split(struct bookahead_book *book,
                         struct bookahead_handle handle,
                         uint64_t at,
                         const struct bookahead_workspace *workspace,
                         struct bookahead_handle *rest);

/**
 * Reserves all instances of a series or none, each by `policy` beside those before it and as `commitment` says, see there. Lists their handles in order
 * of time, `count` of them; the list needs room for all, and there are `BOOKAHEAD_MOST_INSTANCES` at most. Takes an entry of the workspace for
 * each.
 *
 * The first instance that cannot be reserved decides the answer. When it is NO_ROOM, `conflict` says who is in its way at its earliest start, and in
 * the way of the later ones that find no room either, as far as the first that fails for another reason: with early binding all that cover a slot of
 * it, whichever PEs they have (`bookahead_explain` says who has PEs that it may have); after any other answer of the book's nobody.
 *
 * Each instance is cancelled by itself, or several with `bookahead_cancel_all`. The list is made on the stack, 8 bytes for each of 8 instances, or of
 * `BOOKAHEAD_MOST_INSTANCES` for a `capacity` above 8. O(instances x (exceptions + plan)).
 *
 * Answers as `bookahead_commitment` says; UNKNOWN_POLICY; BAD_SERIES for a series without instances, or of several with a period of no slots; TOO_MANY_PARTS when there
 * is not room for all handles; and for one instance after the other as `bookahead_reserve`, and MOVE_LIMIT.
 */
uint32_t bookahead_reserve_series(struct bookahead_book *book,
                                  const struct bookahead_series *series,
                                  uint32_t policy,
                                  const struct bookahead_commitment *commitment,
                                  const struct bookahead_workspace *workspace,
                                  struct bookahead_handle *handles,
                                  size_t capacity,
                                  size_t *count,
                                  struct bookahead_conflict *conflict);

/**
 * Cancels those of `length` reservations that still live, and gives how many these were: what has ended meanwhile is passed over.
 * O(handles x (duration x columns + log rows)).
 *
 * Answers UNKNOWN_HANDLE when one of them was never given out, and has cancelled none then.
 */
uint32_t bookahead_cancel_all(struct bookahead_book *book,
                              const struct bookahead_handle *handles,
                              size_t length,
                              size_t *cancelled);

/**
 * Reserves all of `length` parts or none, at the earliest common start from `ready` on at which each fits and is over by `deadline`, each as `commitment`
 * says, see there. Gives that start, and lists the handles in the order of the parts; the list needs room for all, and there are
 * `BOOKAHEAD_MOST_PARTS` at most. What a part gets is its whole promise, so nothing moves it away from the others. Takes an entry of the workspace for
 * each part.
 *
 * The starts that are looked at are `ready` and those at which a part would begin where something is released. Parts take their PEs in the order
 * given, each the lowest-numbered that are free; with early binding another order may fit where this one does not.
 *
 * When the answer is NO_ROOM, `conflict` says who is in the way of the parts at `ready`, with early binding all that cover a slot of one, whichever PEs
 * they have; and after any other answer of the book's nobody.
 *
 * Parts and handles are kept on the stack meanwhile, 20 bytes for each of 8 parts, or of `BOOKAHEAD_MOST_PARTS` for more than 8.
 * O(releases in the window x parts x (parts + duration x columns)).
 *
 * Answers as `bookahead_commitment` says; TOO_MANY_PARTS without a part, or when there is not room for all handles; for one part after the other ZERO_DURATION, ZERO_PES,
 * TOO_WIDE; READY_IN_PAST, WINDOW_TOO_SHORT, BEYOND_HORIZON, TABLE_FULL, MOVE_LIMIT, NO_ROOM.
 */
uint32_t bookahead_reserve_together(struct bookahead_book *book,
                                    uint64_t ready,
                                    uint64_t deadline,
                                    const struct bookahead_part *parts,
                                    size_t length,
                                    const struct bookahead_commitment *commitment,
                                    const struct bookahead_workspace *workspace,
                                    struct bookahead_handle *handles,
                                    size_t capacity,
                                    uint64_t *start,
                                    struct bookahead_conflict *conflict);

/**
 * Reserves in all of `length` books of which something is needed, or in none: at the first start at which each of them has room, by first fit. Confirmed, or held: `commitment` as
 * `bookahead_commitment` says, but not FLEXIBLE. `work` bounds the search, in slots searched.
 *
 * All parts of a joint reservation start and end together, and what is done to one by a call for several books is done to all. The window of a part is exactly its run. How much a
 * part has is its book's own matter.
 *
 * Each book can be used by itself between such calls, by the functions for one book; a quota with periods only for calls that look. If a part has been changed so, or is lost to an
 * outage, the next call for its reservation answers STALE_HANDLE or PARTS_APART, and `bookahead_several_end_torn` ends what is left of it. Time passes for all books by
 * `bookahead_several_next`. Jobs of a queue do not take part. With a journal, each book has records of its own; ties and periods are not in them, and are kept by the caller.
 *
 * `reason` becomes the number of the book that is the reason of the answer, or BOOKAHEAD_NO_BOOK if it is no single one. A request that is refused as NO_ROOM has no room in that
 * book in its whole window; where there is no such book, each has room, but never all at once.
 *
 * Every call for several books opens them one behind the other, in about a kilobyte of stack for each, and compares where they lie. O(rounds x books x first fit), where each round but the last
 * moves the start, mostly one or two; committing as in each book.
 *
 * Answers, as every call for several books: TOO_MANY_PARTS for no book or more than BOOKAHEAD_MOST_BOOKS, UNKNOWN_BINDING for a book with overlays, OVERLAPPING when two lie in
 * the same memory, SCRATCH_TOO_SHORT for a book with fewer ties than rows unless it is the only one, BAD_PERIODS for a quota whose periods are not in order, and in libraries built without quota for any;
 * BOOKS_APART when they are at different slots, or cover different numbers of them. ZERO_HOLD and as `bookahead_commitment` says, UNKNOWN_COMMITMENT for FLEXIBLE, too;
 * BAD_NEEDS unless there are as many needs as books, ZERO_PES if nothing is needed; for one book after the other what `bookahead_plan` answers but for NO_ROOM, and TABLE_FULL; WORK_LIMIT, NO_ROOM.
 */
uint32_t bookahead_several_reserve(const struct bookahead_joined *books,
                                   size_t length,
                                   const struct bookahead_joint_request *request,
                                   const struct bookahead_commitment *commitment,
                                   uint64_t work,
                                   struct bookahead_joint_booking *booking,
                                   uint32_t *reason);

/**
 * Gives the start that `bookahead_several_reserve` would give. For one that is refused, with a later deadline, when it would not be. Costs as that without committing.
 *
 * Answers as `bookahead_several_reserve`.
 */
uint32_t bookahead_several_earliest(const struct bookahead_joined *books,
                                    size_t length,
                                    const struct bookahead_joint_request *request,
                                    uint64_t work,
                                    uint64_t *start,
                                    uint32_t *reason);

/**
 * Lists the parts of the reservation that `part` is of, from that one on in the order of the books, `count` of them, at most BOOKAHEAD_MOST_BOOKS; those for which there is room.
 * A reservation of a single book is its own only part. O(parts).
 *
 * Answers UNKNOWN_HANDLE also for a book that is not there, STALE_HANDLE; of the book where somebody has changed a part by itself, STALE_HANDLE if it is gone and PARTS_APART if
 * it is not as the one that was asked for; and as every call for several books.
 */
uint32_t bookahead_several_parts(const struct bookahead_joined *books,
                                 size_t length,
                                 struct bookahead_book_part part,
                                 struct bookahead_book_part *parts,
                                 size_t capacity,
                                 size_t *count,
                                 uint32_t *reason);

/**
 * Confirms all parts of a held reservation. O(parts x log rows).
 *
 * Answers as `bookahead_several_parts` and `bookahead_confirm`.
 */
uint32_t bookahead_several_confirm(const struct bookahead_joined *books,
                                   size_t length,
                                   struct bookahead_book_part part,
                                   uint32_t *reason);

/**
 * Cancels all parts of a reservation in any state. O(parts) cancellations.
 *
 * Answers as `bookahead_several_parts`.
 */
uint32_t bookahead_several_cancel(const struct bookahead_joined *books,
                                  size_t length,
                                  struct bookahead_book_part part,
                                  uint32_t *reason);

/**
 * Completes all parts of a running reservation at `at`, as `bookahead_complete`. O(parts) completions.
 *
 * Answers as `bookahead_several_parts` and `bookahead_complete`.
 */
uint32_t bookahead_several_complete(const struct bookahead_joined *books,
                                    size_t length,
                                    struct bookahead_book_part part,
                                    uint64_t at,
                                    uint32_t *reason);

/**
 * Gives all parts of a reservation another window and duration: they get the first start in it at which each has room in its book, what they have themselves counting as free.
 * A running one keeps its start, which has to be `ready`, and what it runs on. Gives the start. How much a part has is altered in its book, by WIDEN or NARROW of `bookahead_alter`.
 *
 * Costs as `bookahead_several_reserve`, whose `work` it takes, and as releasing and claiming the slots of each part.
 *
 * Answers as `bookahead_several_parts`; WRONG_STATE for a running one at another start, whose end is announced or that has none; for one book after the other what `bookahead_plan` answers
 * but for NO_ROOM; for a running one OUTSIDE_WINDOW if it would have ended already; WORK_LIMIT, NO_ROOM.
 */
uint32_t bookahead_several_alter(const struct bookahead_joined *books,
                                 size_t length,
                                 struct bookahead_book_part part,
                                 uint64_t ready,
                                 uint32_t duration,
                                 uint64_t deadline,
                                 uint64_t work,
                                 uint64_t *start,
                                 uint32_t *reason);

/**
 * Moves `now` of all books to the slot of the next event on the way to `to` in any of them, and gives it with the part that it is of. What happens to a part happens to all, and is told once, of
 * the part in the first book. When there is none, `now` is `to`, `happened` becomes false, and `part` and `event` are left alone. As `bookahead_next`, slot by slot too; among
 * books, the event of a slot and kind that is due in the first one comes first. O(books), and the costs of `bookahead_next` for each.
 *
 * Answers TIME_WENT_BACK, END_OF_TIME; what `bookahead_several_parts` answers when a reservation is due of which a part was changed by itself; and as every call for several books.
 */
uint32_t bookahead_several_next(const struct bookahead_joined *books,
                                size_t length,
                                uint64_t to,
                                struct bookahead_book_part *part,
                                struct bookahead_event *event,
                                bool *happened,
                                uint32_t *reason);

/**
 * Gives a part that is there without all the others being there as it is, if there is one, `is_torn`; else `part` is left alone. Only calls for one of the books can make one.
 * O(rows x parts).
 *
 * Answers as every call for several books.
 */
uint32_t bookahead_several_torn(const struct bookahead_joined *books,
                                size_t length,
                                struct bookahead_book_part *part,
                                bool *is_torn,
                                uint32_t *reason);

/**
 * Cancels a part that is torn, see `bookahead_several_torn`, and gives it, if there is one, `was_torn`: to be called until there is none, after an outage or whatever else was done to
 * a book by itself. O(rows x parts).
 *
 * Answers as every call for several books.
 */
uint32_t bookahead_several_end_torn(const struct bookahead_joined *books,
                                    size_t length,
                                    struct bookahead_book_part *part,
                                    bool *was_torn,
                                    uint32_t *reason);

#if defined(BOOKAHEAD_QUOTA)
/**
 * Replaces the earliest period of a quota, which is over, by one behind the last, which ends before `until` and of which `most` PE-slots may be used. Gives the one that is over, for the bill.
 *
 * A quota is one of several books that are decided as one: a book of any binding, of as many PEs as may be used at once, together with a list of periods that say how many PE-slots may be used in each. A
 * request that needs so many PEs of the machine needs as many of the quota, and of each that stands above it. Each reservation is charged to every period that it overlaps, for the
 * slots in it; what ends early, is cancelled, or is a hold that expires is refunded from `now` on. Behind the last period there is no limit but that of the book. The caller has the
 * calendar, and says where periods end. The book and its periods belong together from the book's first slot on: what changes it are the calls for several books, of one, too.
 *
 * Only the book and the periods of `quota` are looked at. O(rows + periods). Only in libraries built with quota.
 *
 * Answers UNKNOWN_BINDING for a book with overlays; BAD_PERIODS, and has changed nothing, if there are none, if they are not in order, if the earliest is not over yet, or if the new one does not end later than the last.
 */
uint32_t bookahead_quota_renew(const struct bookahead_joined *quota,
                               uint64_t until,
                               uint64_t most,
                               struct bookahead_period *over);
#endif

#if defined(BOOKAHEAD_QUOTA)
/**
 * Says whether each period of a quota has at least what is booked in it from now on, which any other use of its book can break. O(rows x periods). Only in libraries built with quota.
 *
 * Answers UNKNOWN_BINDING for a book with overlays, BAD_PERIODS if the periods are not in order.
 */
uint32_t bookahead_quota_is_sound(const struct bookahead_joined *quota,
                                  bool *sound);
#endif

/**
 * Takes the steps of a list in order, and makes everything true that they did, or nothing: the one call in which several reservations move.
 *
 * A reservation is lifted to give its room back for the time being, and placed somewhere else. Lifting several before placing them is how two
 * jobs swap places. Each step sees what those before it did, and nobody else sees anything before the end.
 *
 * When a step is refused that is not optional, the call ends: everything is put back, bit for bit (scratch memory aside), and the answer is the code
 * of that step, whose number `outcome` says. The step's own `code` is the same; those behind it are left alone. When the steps are done, `ending`, one
 * of `bookahead_ending`, says whether what they did becomes true, or is put back and only listed. With PLAN the handles of new reservations are given
 * out to nobody. The same list with COMMIT does the same as long as `version` of `bookahead_status` and `now` are the same; `bookahead_apply` does what was
 * listed as long as the reservations are where they were.
 *
 * `moves` lists what changed, as far as there is room: every reservation that is booked elsewhere than before, or new, or removed, in the order in
 * which they were first touched. What the list holds after an error means nothing. No event is reported for a move.
 *
 * Two limits bound what is done. The workspace takes an entry for each reservation that is touched, and once more behind
 * each savepoint, and for a rule as many as `bookahead_set_rule` says; when it is full a step answers MOVE_LIMIT. `work` is granted in slots: lifting, placing,
 * inserting and removing take the duration, altering and splitting what lifting and placing take, looking for a first fit the length of the window more, and a rule
 * the slots of the ring, and what lifting and placing take. A step that would need more answers WORK_LIMIT.
 * What is refused for NO_ROOM has taken its work, what is refused for another reason has not.
 *
 * `outcome` is written whenever the steps were begun, be it that they are refused.
 *
 * Costs as the steps, see `bookahead_alter` and `bookahead_reserve`; O(entries x log rows) at the end, and to put back as much as was done.
 *
 * Answers UNKNOWN_ENDING, SIZE_OUT_OF_RANGE for 2^32 steps or more, before anything is done. Of a step, in the order in which they are
 * looked at:
 * - any with a reservation: UNKNOWN_HANDLE, STALE_HANDLE;
 * - LIFT: ALREADY_LIFTED, WRONG_STATE for a job whose end is announced, MOVE_LIMIT, WORK_LIMIT;
 * - PLACE: NOT_LIFTED, ZERO_DURATION, ZERO_PES, WRONG_STATE for a running one at another start or on more PEs, TOO_WIDE, OUTSIDE_WINDOW outside its
 *   own window, or for a running one that would have ended, READY_IN_PAST, BEYOND_HORIZON, MOVE_LIMIT, WORK_LIMIT, NO_ROOM;
 * - PLACE_FIRST_FIT: NOT_LIFTED, WRONG_STATE for a running one, NO_ROOM for a window that is too short, MOVE_LIMIT, WORK_LIMIT, NO_ROOM;
 * - INSERT: as `bookahead_commitment` says; as `bookahead_reserve`, as far as the request itself is to blame; OUTSIDE_WINDOW; TABLE_FULL, also when only rows of this
 *   transaction's removals are vacant; MOVE_LIMIT, WORK_LIMIT, NO_ROOM;
 * - REMOVE: MOVE_LIMIT, WORK_LIMIT;
 * - ALTER, SPLIT: ALREADY_LIFTED; as the functions; WORK_LIMIT before NO_ROOM;
 * - PLACE_EXACTLY: NOT_LIFTED; BAD_PES as `bookahead_reserve_exactly`; NOT_ELIGIBLE for PEs that do not serve its class, WRONG_STATE for those that a running
 *   one does not have; otherwise as PLACE;
 * - SET_RULE, RESIZE: as `bookahead_set_rule`;
 * - ROLLBACK_TO, ROLLBACK_IF_REFUSED: BAD_SAVEPOINT for a number under which nothing is noted, and when the transaction was rolled back to an earlier state;
 * - UNKNOWN_STEP.
 *
 * STILL_LIFTED at the end, when a reservation has not been placed again.
 */
uint32_t bookahead_transaction(struct bookahead_book *book,
                               const struct bookahead_workspace *workspace,
                               uint64_t work,
                               struct bookahead_step *steps,
                               size_t length,
                               uint32_t ending,
                               struct bookahead_move *moves,
                               size_t capacity,
                               struct bookahead_outcome *outcome);

/**
 * Makes moves true that a transaction with PLAN has listed: lifts all, removes those that go, then places the others in the order of the list; all or
 * nothing. Costs as those steps; takes an entry of the workspace for each move. There are `BOOKAHEAD_MOST_MOVES` at most, which are kept
 * on the stack meanwhile, 56 bytes for each of 8, or of `BOOKAHEAD_MOST_MOVES` for more than 8.
 *
 * Answers TOO_MANY_PARTS for more moves; BAD_MOVE for a new reservation, which needs an INSERT instead; STALE_PLAN for one that is no longer where the
 * move says it was; otherwise as LIFT, REMOVE and PLACE of `bookahead_transaction`.
 */
uint32_t bookahead_apply(struct bookahead_book *book,
                         const struct bookahead_workspace *workspace,
                         uint64_t work,
                         const struct bookahead_move *moves,
                         size_t length);

/**
 * Reserves for `request`, and moves flexible reservations inside their own windows if that is necessary: each stays between its ready time and its
 * deadline, and what is strict, held, running or fixed stays where it is. With early binding, who moves may get other PEs, also at its own start. `ending`, one of `bookahead_ending`, says whether that becomes true, or is put
 * back and only listed. With PLAN the newcomer's handle is given out to nobody; the same call with COMMIT does the same as long as `version` of
 * `bookahead_status` and `now` are the same.
 *
 * For each reservation that waits and comes after the newcomer, the workspace takes an entry and the room for a waiting reservation, and for the
 * newcomer an entry.
 *
 * `moves` lists the newcomer and what moved, as far as there is room, as in `bookahead_transaction`; what it holds after an error means nothing.
 *
 * With COMMIT and PLAIN_FIRST a newcomer that fits as things are costs what `bookahead_reserve` costs, and takes no workspace and no work. Otherwise
 * O(n x n x (fit + duration x columns + log n) + n x horizon + rows), where n is the number of waiting reservations that come after the newcomer.
 *
 * Answers UNKNOWN_ENDING, UNKNOWN_ORDER, UNKNOWN_RULE; as `bookahead_reserve` by first fit; MOVE_LIMIT when
 * the memory is too small, or more reservations would move than the rules allow; WORK_LIMIT.
 */
uint32_t bookahead_juggle(struct bookahead_book *book,
                          const struct bookahead_request *request,
                          const struct bookahead_commitment *commitment,
                          const struct bookahead_juggling *rules,
                          const struct bookahead_workspace *workspace,
                          uint32_t ending,
                          struct bookahead_move *moves,
                          size_t capacity,
                          struct bookahead_juggled *juggled);

/**
 * Arranges all flexible reservations anew, each at the earliest start in its own window, in the order of the rules: worthwhile after cancellations and
 * early ends. If one does not fit, RETRY leaves it and those before it where they were and arranges those after it again, REFUSE refuses. `ending`,
 * `moves` and costs as for `bookahead_juggle`.
 *
 * Answers UNKNOWN_ENDING, UNKNOWN_ORDER, UNKNOWN_RULE, MOVE_LIMIT, WORK_LIMIT, NO_ROOM.
 */
uint32_t bookahead_replan(struct bookahead_book *book,
                          const struct bookahead_juggling *rules,
                          const struct bookahead_workspace *workspace,
                          uint32_t ending,
                          struct bookahead_move *moves,
                          size_t capacity,
                          struct bookahead_juggled *juggled);

/**
 * Lists alternatives to a request for which `bookahead_juggle` answers NO_ROOM, the nearest first, `count` of them, and changes nothing: its whole
 * window just before a reservation in the way, and just behind it. Each can be booked as things are: `bookahead_juggle` with its request and the same
 * rules gives it its start as long as the book has not changed. A request that can be booked has none.
 *
 * At most `capacity` alternatives are listed, and never more than `BOOKAHEAD_MOST_ALTERNATIVES`; with room for one the search ends with the best. The
 * list is made on the stack, 40 bytes for one, for each of 8, or of `BOOKAHEAD_MOST_ALTERNATIVES` for a `capacity` above 8; the search ends when that is full, which `tried` counts.
 * O(windows tried x (juggling + window + longest duration + running + reservations that start there)).
 *
 * With `work` 0, or without room in the workspace, which is that of `bookahead_juggle`, nothing is tried; with `max_moves` 0 only what moves nobody is found.
 *
 * Answers as `bookahead_juggle` as far as the request itself is to blame. That there is no room is no error here, nor is a limit, which `suggested` tells.
 */
uint32_t bookahead_alternatives(struct bookahead_book *book,
                                const struct bookahead_request *request,
                                const struct bookahead_commitment *commitment,
                                const struct bookahead_juggling *rules,
                                const struct bookahead_suggesting *wanted,
                                const struct bookahead_workspace *workspace,
                                struct bookahead_alternative *alternatives,
                                size_t capacity,
                                size_t *count,
                                struct bookahead_suggested *suggested);

/**
 * Fixes the start of a reservation from now on: nothing moves it any more but its owner. The next advance reports START_FIXED, unless the reservation
 * starts now. Nothing changes when the start is fixed already. O(log rows).
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE.
 */
uint32_t bookahead_freeze(struct bookahead_book *book,
                          struct bookahead_handle handle);

/**
 * Gives whether the start of a reservation is fixed: because it is strict, held or running, or because the time of a flexible one has come. O(1).
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE.
 */
uint32_t bookahead_is_frozen(struct bookahead_book *book,
                             struct bookahead_handle handle,
                             bool *frozen);

/**
 * Reserves for `request`, and shifts flexible reservations inside their own windows if that is necessary: those in the way slide out of the slots that
 * have too few free PEs, to the nearest start at which they have room; what is strict, held, running or fixed stays where it is. First fit is tried
 * first, and nothing moves if that finds a start. `ending` and `moves` as for `bookahead_juggle`.
 *
 * The workspace takes an entry for the newcomer and two for each reservation that slides; as much of it as `max_moves` can
 * take is cleared. With COMMIT, a newcomer that fits as things are costs what `bookahead_reserve` costs, and takes no workspace and no work. Otherwise SLIDES
 * take O((rows x window)^depth x (duration x columns + longest duration)) for each start, and the searches through all arrangements
 * O((rows x window)^moves), so limit their work. At most 16 reservations move in the latter.
 *
 * Answers UNKNOWN_ENDING, UNKNOWN_RULE; as `bookahead_reserve` by first fit; MOVE_LIMIT when no room was found,
 * but more moves or a larger workspace might have found some; WORK_LIMIT.
 */
uint32_t bookahead_shift_in(struct bookahead_book *book,
                            const struct bookahead_request *request,
                            const struct bookahead_commitment *commitment,
                            const struct bookahead_shifting *rules,
                            const struct bookahead_workspace *workspace,
                            uint32_t ending,
                            struct bookahead_move *moves,
                            size_t capacity,
                            struct bookahead_juggled *shifted);

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Starts an open-ended job: it runs from `now` on, and has its PEs until its end is told, however far ahead anybody looks. It gets the lowest-numbered PEs that no reservation has up to the horizon, that
 * are there, and that rules leave to it as `meeting` says, one of `bookahead_meeting`, but never those that a rule takes in the present slot. With late binding it gets so many beside the greatest number of a rule.
 * `conflict` says who is in the way where too few are left, and nobody in all other cases; it is written whatever the call answers, unless a pointer or `meeting` is wrong.
 *
 * `bookahead_get` says a duration of `UINT32_MAX` slots, after which it would be stopped. `bookahead_complete` and `bookahead_cancel` end it, and `bookahead_announce_end` makes it a
 * reservation like any other. Until then it is neither altered nor moved. `bookahead_advance` tells of RULE_MET when a turn of a rule begins that takes one of its PEs, and
 * when such a rule is set during its turn; with late binding, a rule that gets too few meets the jobs that were accepted last.
 * O((horizon + stretches) x columns + rules), with late binding O(rows) more. Only in libraries built with outages.
 *
 * Answers UNKNOWN_MEETING; BAD_RULE in every book without memory for rules; ZERO_PES, TOO_WIDE, TABLE_FULL, NO_ROOM.
 */
uint32_t bookahead_reserve_open(struct bookahead_book *book,
                                uint32_t pes,
                                uint32_t meeting,
                                struct bookahead_handle *handle,
                                struct bookahead_conflict *conflict);
#endif

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Gives an open-ended job an end: it is a reservation like any other from then on, whose window begins where it started, and its PEs are free from slot `at` on. A reservation does not share PEs with a
 * rule, so the end can be announced up to the turn that meets the job; one that goes on stays open-ended until it ends or the turn is over.
 * O((horizon + stretches) x columns + log rows). Only in libraries built with outages.
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE, WRONG_STATE for one that is not open-ended; OUTSIDE_WINDOW for an end that is not ahead, or not before the longest duration is over; BEYOND_HORIZON; NO_ROOM where
 * a rule meets the job before that end, with late binding where the rule does not get its number beside open-ended jobs.
 */
uint32_t bookahead_announce_end(struct bookahead_book *book,
                                struct bookahead_handle handle,
                                uint64_t at);
#endif

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Says until when a running reservation could go on without hurting anybody: the first slot behind its end that is taken, or the horizon. With late binding, a slot
 * is taken in which too few PEs are free; with early binding, one in which somebody has one of those that it holds.
 * O(horizon), with early binding O(reservations x columns). Only in libraries built with outages.
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE, WRONG_STATE for one that does not run.
 */
uint32_t bookahead_extension(struct bookahead_book *book,
                             struct bookahead_handle handle,
                             uint64_t *until);
#endif

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Gives a running reservation the time that it takes: extends it up to slot `until`, whoever is in the way. Those are lifted, and placed again, the earliest accepted
 * first: at the same start if possible, perhaps on other PEs, else at the first start in their own window. Whoever finds no place leaves.
 *
 * `ending` and `moves` as for `bookahead_juggle`. Whose promise is broken is moved to nowhere, with a duration of 0; with PLAN all of it is known before anything happens.
 * The `booking` of `forced` is nobody's. The workspace takes an entry for each reservation that is touched, and once more for those that are placed again. A start
 * that was reported as fixed may move. O(those in the way x (reservations + duration x columns + a first fit)). Only in libraries built with outages.
 *
 * Answers UNKNOWN_ENDING, UNKNOWN_HANDLE, STALE_HANDLE, PINNED, WRONG_STATE for one that does not run, or whose end is announced, WRONG_DIRECTION for an end that is not
 * later, BEYOND_HORIZON, MOVE_LIMIT, WORK_LIMIT, PINNED where only overlays, or what is out of service, are left in the way.
 */
uint32_t bookahead_extend_by_force(struct bookahead_book *book,
                                   struct bookahead_handle handle,
                                   uint64_t until,
                                   const struct bookahead_workspace *workspace,
                                   uint64_t work,
                                   uint32_t ending,
                                   struct bookahead_move *moves,
                                   size_t capacity,
                                   struct bookahead_juggled *forced);
#endif

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Takes PEs out of service up to slot `until`, exclusive, whoever has them: a number with late binding, and on a machine with a layout a set, with a bit for each number, as for
 * `bookahead_reserve_exactly`. `kind` is one of `bookahead_outage_kind`. Who has not started and is in the way is lifted, and placed again as by `bookahead_extend_by_force`. Who runs is broken by a
 * failure, and stays in maintenance; so does what is out of service already. With late binding, reservations are in the way as long as too few PEs are free in a slot that they cover, and go in the order of `bookahead_set_rule`.
 *
 * The outage consists of parts, reservations of exactly these PEs: one begins in each slot in which one of the PEs is there that no part has; it has all of
 * those until the first slot in which one of them is not. With late binding a part has as many as are there and still wanted in its first slot, until the first slot in which fewer are.
 * In a failure these may be named with late binding: who runs on one of them is broken, and nobody else who runs, and as many leave; `bookahead_bind` says at once that the first part has them. They are the new ones in `moves`, in order of time, and end, are prolonged, completed and cancelled as
 * others are, but do not give way; `bookahead_is_outage` tells them from others. Whose promise is broken is moved to nowhere; with PLAN all of it is known before anything
 * happens. `ending` and `moves` as for `bookahead_juggle`; the `booking` of `taken` is nobody's. The workspace takes an entry for each part and each reservation that is
 * touched, and once more for those that are placed again. O((those in the way + parts) x (reservations + duration x columns) + those in the way x a first fit).
 * Only in libraries built with outages.
 *
 * Answers UNKNOWN_OUTAGE, UNKNOWN_ENDING, BAD_PES as `bookahead_reserve_exactly`, for a number on a machine with a layout, for a set in maintenance with late binding or of units, and in other books; of a number ZERO_PES, TOO_WIDE; ZERO_DURATION, TOO_LONG, READY_IN_PAST, BEYOND_HORIZON, MOVE_LIMIT, WORK_LIMIT, TABLE_FULL, also
 * when only rows of those are vacant that leave.
 */
uint32_t bookahead_take_out(struct bookahead_book *book,
                            uint32_t kind,
                            uint64_t start,
                            uint64_t until,
                            const struct bookahead_absent *absent,
                            const struct bookahead_workspace *workspace,
                            uint64_t work,
                            uint32_t ending,
                            struct bookahead_move *moves,
                            size_t capacity,
                            struct bookahead_juggled *taken);
#endif

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Says whether a reservation is a part of an outage. O(1). Only in libraries built with outages.
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE.
 */
uint32_t bookahead_is_outage(struct bookahead_book *book, struct bookahead_handle handle, bool *outage);
#endif

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Says which PEs a reservation has from now on, where late binding would give it the lowest-numbered idle ones, or has done so: those of the nodes that failed for a part of an outage, or those on which a
 * job was really launched. `pes` has a bit for each number, and as many as the reservation has. One that runs may exchange its own for idle ones. One that starts in the present slot, and was not told
 * as started, starts by this call, and no event says so. Tell all that ends in that slot first: until then it has its PEs. O(PEs + log rows). Only in libraries built with outages.
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE, BAD_PES for a set of another size than the reservation or the machine, and in every book with early binding, with overlays, or of units, WRONG_STATE for a reservation that neither runs nor
 * is confirmed and starts now, NO_ROOM where somebody else has one of them.
 */
uint32_t bookahead_bind(struct bookahead_book *book,
                        struct bookahead_handle handle,
                        const uint32_t *pes,
                        size_t words);
#endif

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Sets the rule numbered `number`, or changes it, and drops it where `rule` is null, when `absent` is not looked at: from now on these PEs are not there in its turns, whoever is in the way.
 *
 * With late binding, others are in the way as long as too few PEs are left in a slot that they cover; with early binding, all that have a PE that the rule takes. Holds
 * go first, then confirmed reservations, then running jobs of a queue, then running reservations, of each the latest accepted first. Who runs is broken. The others are
 * lifted, and when the rule has its place they are placed again as by `bookahead_extend_by_force`. Open-ended jobs stay, and the next advance tells of RULE_MET for
 * those of which the rule takes a PE now.
 *
 * In a slot in which several rules apply, with late binding the greatest number counts, and with early binding all sets. `ending` and `moves` as for `bookahead_juggle`;
 * the rule is not in the list. Whose promise is broken is moved to nowhere, with a duration of 0; with PLAN all of it is known before anything happens. The `booking`
 * of `changed` is nobody's. The workspace takes an entry for the rule, one for each reservation that is in the way, and once more for those that are placed again. A rule raises no events, so
 * a queue looks at its jobs when bookings change, and not when a turn is over. A transaction with steps SET_RULE and RESIZE changes several rules at once, or none.
 * O((those in the way + 1) x reservations x (duration + rules x stretches) + horizon x columns + those in the way x a first fit),
 * where a stretch is time in which the same rules apply. Only in libraries built with outages.
 *
 * Answers UNKNOWN_ENDING; BAD_RULE for a number of `BOOKAHEAD_MOST_RULES` or more, for a period or length of 0, and in every book without rules; BAD_PES for PEs of a book with late binding and a number with
 * early binding, and for PEs as `bookahead_reserve_exactly`; ZERO_PES, TOO_WIDE, MOVE_LIMIT, WORK_LIMIT; PINNED where a part of an outage is in the way: remove it, be it by a
 * step before that of the rule, and take its PEs out again afterwards.
 */
uint32_t bookahead_set_rule(struct bookahead_book *book,
                            uint32_t number,
                            const struct bookahead_rule *rule,
                            const struct bookahead_absent *absent,
                            const struct bookahead_workspace *workspace,
                            uint64_t work,
                            uint32_t ending,
                            struct bookahead_move *moves,
                            size_t capacity,
                            struct bookahead_juggled *changed);
#endif

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Says which PEs of the machine are not there at all; all of them are where `absent` is null. So a book that was made for the largest size of a machine shrinks and grows. This is no
 * rule that can be set or named. With late binding it counts as one all the same: of the numbers in a slot the greatest counts, not their sum, so that a rule which is to take 10 of
 * the 16 PEs that are left of 32 is one of 26, to be set anew when the size changes. Otherwise as `bookahead_set_rule`. Only in libraries built with outages.
 *
 * Answers as `bookahead_set_rule`.
 */
uint32_t bookahead_resize(struct bookahead_book *book,
                          const struct bookahead_absent *absent,
                          const struct bookahead_workspace *workspace,
                          uint64_t work,
                          uint32_t ending,
                          struct bookahead_move *moves,
                          size_t capacity,
                          struct bookahead_juggled *changed);
#endif

#if defined(BOOKAHEAD_OUTAGES)
/**
 * Says which rules take PEs in a slot from `start` up to `end`, exclusive, as far as the ring covers it: a bit for each, that of rule 0 the lowest. Which of them are in the way of a request,
 * a conflict says. O(rules x stretches). Only in libraries built with outages.
 */
uint32_t bookahead_rules_during(struct bookahead_book *book,
                                uint64_t start,
                                uint64_t end,
                                uint32_t *rules);
#endif

#if defined(BOOKAHEAD_RISK)
/**
 * Notes in a histogram that a job which had booked `booked` slots ran for `ran`. O(counters).
 *
 * Answers NULL_POINTER for an exponential law, SIZE_OUT_OF_RANGE.
 */
uint32_t bookahead_record(const struct bookahead_law *law, uint32_t booked, uint32_t ran);
#endif

#if defined(BOOKAHEAD_RISK)
/**
 * Works out at which start `request` would most probably be kept on top of what is booked, and takes no room; to be called after `bookahead_plan` has
 * answered NO_ROOM. `table` is scratch memory with an element for each PE that others may have to leave; as many as the machine has always suffice.
 *
 * O(candidates x (running + longest booked duration + duration + predecessors x (PEs + counters))).
 *
 * Answers NO_OVERLAYS for a book of another binding, SIZE_OUT_OF_RANGE for a law, guarantee or probability that is none; as `bookahead_plan` but for
 * NO_ROOM; SCRATCH_TOO_SHORT, also for more than `BOOKAHEAD_MOST_PREDECESSORS`; TOO_RISKY.
 */
uint32_t bookahead_plan_overlay(struct bookahead_book *book,
                                const struct bookahead_request *request,
                                const struct bookahead_overlaying *overlaying,
                                uint32_t *table,
                                size_t length,
                                struct bookahead_overlay_plan *plan);
#endif

#if defined(BOOKAHEAD_RISK)
/**
 * Makes the reservation of such a plan, as `commitment` says, see there. Those that it waits for, and itself, are neither moved nor altered from then
 * on. O(duration + log rows).
 *
 * `bookahead_advance` tells of LATE_START, CUT_SHORT and OVERLAY_BOOKED.
 *
 * Answers as `bookahead_commitment` says; SIZE_OUT_OF_RANGE, NO_OVERLAYS; FLEXIBLE_OVERLAY for a flexible one; STALE_PLAN as `bookahead_commit`.
 */
uint32_t bookahead_commit_overlay(struct bookahead_book *book,
                                  const struct bookahead_overlay_plan *plan,
                                  const struct bookahead_commitment *commitment,
                                  struct bookahead_handle *handle);
#endif

#if defined(BOOKAHEAD_RISK)
/**
 * Gives how many PEs of a reservation are overlaid: they wait for others to end early. 0 for an ordinary booking. O(1).
 *
 * Answers NO_OVERLAYS, UNKNOWN_HANDLE, STALE_HANDLE.
 */
uint32_t bookahead_overlaid(struct bookahead_book *book, struct bookahead_handle handle, uint32_t *pes);
#endif

#if defined(BOOKAHEAD_RISK)
/**
 * Lists the running reservations that an overlay waits for when its start comes, in order of start; see `bookahead_pes_of` for lists. O(running).
 *
 * Answers NO_OVERLAYS, UNKNOWN_HANDLE, STALE_HANDLE; WRONG_STATE for any but a confirmed overlay that has not started.
 */
uint32_t bookahead_waits_for(struct bookahead_book *book,
                             struct bookahead_handle handle,
                             size_t skip,
                             struct bookahead_handle *handles,
                             size_t capacity,
                             size_t *count);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * The name of a number of `bookahead_layout_fault`, such as "bad-level", or "unknown". Static, never null. O(1).
 */
const char *bookahead_layout_fault_name(uint32_t fault);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * The name of a number of `bookahead_class_fault`, such as "bad-shape", or "unknown". Static, never null. O(1).
 */
const char *bookahead_class_fault_name(uint32_t fault);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Checks that a layout adds up, and gives how many PEs its machine has. `fault` becomes what is wrong, one of `bookahead_layout_fault`, when the answer is
 * BAD_LAYOUT. O(groups x (kinds + missing) + levels).
 *
 * Answers NULL_POINTER, MISALIGNED, SIZE_OUT_OF_RANGE for more than 65,535 groups, TOO_MANY_PARTS for more than `BOOKAHEAD_MOST_RANGES` entries of what is
 * missing, BAD_LAYOUT.
 */
uint32_t bookahead_layout_check(const struct bookahead_layout *layout,
                                uint32_t *pes,
                                uint32_t *fault);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * The bytes of a book on a machine with a layout, of the binding PLACED, or PLACED_RULED for one with rules, for `rows` reservations and `classes` classes that
 * list up to `order` groups each: a multiple of 8, or 0 when there is no such book. Rules take 320 more, and 20 sets. O(groups x (kinds + missing)).
 */
size_t bookahead_layout_bytes(uint32_t binding,
                              const struct bookahead_layout *layout,
                              uint32_t slots,
                              uint32_t rows,
                              uint32_t classes,
                              uint32_t order);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * As `bookahead_init`, for a machine with a layout, and for `classes` classes, at most 32,767, that list up to `order` groups each, at most 65,535. A set of PEs has
 * a bit for each, each kind padded to a power of two in a group: in columns of 32 where that is at most 128 bits, else of 512. `length` is at least
 * `bookahead_layout_bytes`. O(memory).
 *
 * Answers as `bookahead_layout_check`, but BAD_LAYOUT without the fault; UNKNOWN_BINDING, SIZE_OUT_OF_RANGE, NULL_POINTER, MISALIGNED or TOO_SHORT.
 */
uint32_t bookahead_layout_init(void *memory,
                               size_t length,
                               uint32_t binding,
                               const struct bookahead_layout *layout,
                               uint32_t slots,
                               uint32_t rows,
                               uint32_t classes,
                               uint32_t order,
                               struct bookahead_book **book);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Gives the bytes of a workspace as `bookahead_workspace_bytes`, for this book, whatever its kind. O(1).
 *
 * Answers SIZE_OUT_OF_RANGE.
 */
uint32_t bookahead_layout_workspace_bytes(struct bookahead_book *book,
                                          uint32_t entries,
                                          uint32_t waiting,
                                          size_t *bytes);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Adds a class, or gives the number of an equal one; it is never 0. Nothing is asked for by it until `bookahead_class_ask`. `fault` becomes what is wrong, one of
 * `bookahead_class_fault`, when the answer is BAD_CLASS. O((classes + kinds) x columns + groups x kinds), and O(rows) for each class that has been dropped.
 *
 * Answers NO_LAYOUT, UNKNOWN_RULE, TOO_MANY_PARTS, BAD_CLASS.
 */
uint32_t bookahead_class_add(struct bookahead_book *book,
                             const struct bookahead_class *class_,
                             uint32_t *number,
                             uint32_t *fault);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Drops a class: nothing can be asked for by it from now on. Its reservations stay, and are moved by it. O(1).
 *
 * Answers NO_LAYOUT, STALE_CLASS.
 */
uint32_t bookahead_class_drop(struct bookahead_book *book, uint32_t number);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Says for which class every call with this book asks from now on that plans, reserves, inserts, explains or queues a job: a number that `bookahead_class_add` gave, or 0 for any
 * PEs, as at first. What a plan was made for it has to be committed for. The number is kept in the book's memory. O(1).
 *
 * Answers NO_LAYOUT. The calls answer STALE_CLASS for a class that there is not, or no longer.
 */
uint32_t bookahead_class_ask(struct bookahead_book *book,
                             uint32_t number);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Gives the number of the class that a reservation was made for, which may be stale by now. O(1).
 *
 * Answers NO_LAYOUT, UNKNOWN_HANDLE, STALE_HANDLE.
 */
uint32_t bookahead_class_of(struct bookahead_book *book, struct bookahead_handle handle, uint32_t *number);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Gives which question of the class that is asked for `request` fails at `start`. O(duration / 8 x columns + words + blocks).
 *
 * Answers NO_LAYOUT; as `bookahead_reserve`, as far as the request itself is to blame; OUTSIDE_WINDOW for a start that its window does not allow.
 */
uint32_t bookahead_failing(struct bookahead_book *book,
                           const struct bookahead_request *request,
                           uint64_t start,
                           struct bookahead_failing *failing);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Reserves exactly these PEs from `start` up to `end`, exclusive: what runs already, or what is taken out of service. `pes` has a bit for each number of a PE, from the
 * lowest of each word, in `words` words: as many as the numbers of the machine need. It keeps them as long as it lives, unless a PLACE_EXACTLY step moves it.
 * `conflict` says who is there when the answer is NO_ROOM, and nobody after any other answer of the book's. Other books than those
 * on machines with a layout answer BAD_PES. O(duration x columns + words + log rows).
 *
 * Answers as `bookahead_commitment` says; EXACTLY_THESE for a flexible one; BAD_PES for a set that is empty, of another size, or has a PE that
 * the machine has not; ZERO_DURATION, READY_IN_PAST, BEYOND_HORIZON, TABLE_FULL, NO_ROOM.
 */
uint32_t bookahead_reserve_exactly(struct bookahead_book *book,
                                   uint64_t start,
                                   uint64_t end,
                                   const uint32_t *pes,
                                   size_t words,
                                   const struct bookahead_commitment *commitment,
                                   struct bookahead_handle *handle,
                                   struct bookahead_conflict *conflict);
#endif

#if defined(BOOKAHEAD_PLACEMENT)
/**
 * Reserves for `request` by the class that is asked for, by first fit; and where enough PEs are free but too few groups, or no block, moves reservations that have not
 * started to other PEs at their own starts, so that it fits: up to `targets` blocks, or sets of groups, are tried at each start. Nobody's promise changes. `ending`
 * and `moves` as for `bookahead_juggle`. The workspace takes an entry for the newcomer and for each reservation that moves.
 *
 * Answers NO_LAYOUT, UNKNOWN_ENDING; as `bookahead_reserve` by first fit; MOVE_LIMIT, WORK_LIMIT.
 */
uint32_t bookahead_relocate(struct bookahead_book *book,
                            const struct bookahead_request *request,
                            const struct bookahead_commitment *commitment,
                            uint16_t targets,
                            const struct bookahead_workspace *workspace,
                            uint64_t work,
                            uint32_t ending,
                            struct bookahead_move *moves,
                            size_t capacity,
                            struct bookahead_juggled *relocated);
#endif

#if defined(BOOKAHEAD_JOURNAL)
/**
 * Writes a snapshot of the book to `bytes`, and gives its `length`. The journal goes on. O(rows + reservations x PEs). Only in libraries built with journal.
 *
 * Answers TOO_SHORT when it takes more than `capacity` bytes: then `length` says how many, and what lies in `bytes` means nothing.
 */
uint32_t bookahead_snapshot_write(struct bookahead_book *book,
                                  void *bytes,
                                  size_t capacity,
                                  size_t *length);
#endif

#if defined(BOOKAHEAD_JOURNAL)
/**
 * Makes a new book, one in which nothing has been booked and no time has passed, what the snapshot at `bytes` says, and gives how many of the `length` bytes that `used`. Handles of the book
 * that was written are handles of this one; its incarnation is one more, so that plans, offers and queues made before are stale. Any bytes may be read: what is read
 * passes `bookahead_check_invariants`. For which class is asked is no part of a snapshot. O(rows^2), and near O(rows) where few reservations start in the same slot, and as
 * `bookahead_check_invariants`. Only in libraries built with journal.
 *
 * Answers NOT_NEW, NO_SNAPSHOT, UNKNOWN_VERSION, OTHER_BOOK, INCOMPLETE, WRONG_SUM, or a violation when no book is in a state like this. The book is new then, as before.
 */
uint32_t bookahead_snapshot_read(struct bookahead_book *book,
                                 const void *bytes,
                                 size_t length,
                                 size_t *used);
#endif

#if defined(BOOKAHEAD_JOURNAL)
/**
 * Gives a number that is the same for books whose next answers are the same, whatever their incarnations, and that differs for nearly all others. O(rows + reservations x
 * PEs). Only in libraries built with journal.
 */
uint32_t bookahead_state_hash(struct bookahead_book *book,
                              uint64_t *hash);
#endif

#if defined(BOOKAHEAD_JOURNAL)
/**
 * The bytes of a journal of a book of so many rows: a multiple of 8. The macro `BOOKAHEAD_JOURNAL_BYTES` says the same at compile time. O(1). Only in libraries
 * built with journal.
 */
size_t bookahead_journal_bytes(uint32_t rows);
#endif

#if defined(BOOKAHEAD_JOURNAL)
/**
 * The bytes that a record takes at most which names so many rows of a book whose PEs have so many numbers: one for a call that reserves, confirms, cancels or completes, one for each event of an
 * advance, one for each entry of a transaction's log. Where classes have changed, their table comes to it; where rules have, 238 bytes, and with early binding 17 times a byte for each 8 PEs. A snapshot of a book of so many rows without a layout or rules takes no more either, if there
 * are any. The macro `BOOKAHEAD_RECORD_BYTES` says the same at compile time. O(1). Only in libraries built with journal.
 */
size_t bookahead_record_bytes(uint32_t pes,
                              uint32_t rows);
#endif

#if defined(BOOKAHEAD_JOURNAL)
/**
 * Keeps a journal from now on, in the memory behind the book: each call notes which reservations it changes, for `bookahead_journal_write`. `length` is that of the memory of book and journal
 * together: at least `bookahead_bytes`, or `bookahead_layout_bytes`, and `bookahead_journal_bytes`. The first record follows on the state that the book has now: write a snapshot of it. All bytes
 * may be copied and opened elsewhere as those of a book without a journal. Where a journal is kept, another one begins. A call that is refused may leave notes of what it has tried. O(rows). Only in libraries built with journal.
 *
 * Answers TOO_SHORT.
 */
uint32_t bookahead_journal_keep(struct bookahead_book *book,
                                size_t length);
#endif

#if defined(BOOKAHEAD_JOURNAL)
/**
 * Writes what has changed since the record before, or since the journal began, to `record`, and gives its `length`; 0 when nothing has. After each call, that is a record of the call, which
 * holds as a whole or not at all; after several, of all of them together. Nobody should be told what a call has answered before its record is durable.
 * O(reservations changed x PEs). Only in libraries built with journal.
 *
 * Answers NO_JOURNAL; TOO_SHORT when it takes more than `capacity` bytes: then `length` says how many, what lies in `record` means nothing, and the next call writes the
 * same. MISSED when a library without journals has changed the book: write a snapshot, and begin a new journal.
 */
uint32_t bookahead_journal_write(struct bookahead_book *book,
                                 void *record,
                                 size_t capacity,
                                 size_t *length);
#endif

#if defined(BOOKAHEAD_JOURNAL)
/**
 * Makes the book what the record at `bytes` says, and gives how many of the `length` bytes that `used`: more than one record may stand there. Nothing is decided anew, so
 * handles, PEs and all next answers are those of the book that wrote it. Any bytes may be read: what is read passes `bookahead_check_invariants`. A journal that is kept
 * begins anew. O(reservations named x (duration x columns + PEs)), and of those that are live and start in a slot, or run, O(that many) each. Where
 * classes have changed, O(rows x columns) more. Only in libraries built with journal.
 *
 * Answers NO_SNAPSHOT, UNKNOWN_VERSION, OTHER_BOOK, and NOT_NEXT when the record follows on another slot or on other bookings than the book has: the book stays as it is (a missing record in which nothing but classes has changed is not noticed). INCOMPLETE, and a
 * violation when no book is in a state like this: in the middle of a record the book is new then, and begins again with a snapshot.
 */
uint32_t bookahead_journal_apply(struct bookahead_book *book,
                                 const void *bytes,
                                 size_t length,
                                 size_t *used);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Notes that a job that was planned to wait for so many slots, see `bookahead_queue_starts`, has waited for `waited` until it started. Who was planned to start at once says nothing of others. O(1). Only
 * in libraries built with plan.
 */
uint32_t bookahead_bands_note(struct bookahead_start_bands *bands,
                              uint32_t planned,
                              uint32_t waited);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Gives in which slots, counted from now on, a job starts that is planned to wait for so many of them, so that this is right at least `per_mille` times of a thousand. As many start before the band as
 * behind it. As long as too few are known for that, one less than 2,000 / (1,000 - `per_mille`) of the same doubling, and always for a thousand or more, `known` becomes false, and `band` is left alone; whoever is planned
 * to wait for nothing starts now, whatever is known.
 * O(BOOKAHEAD_BANDS_LAST). Only in libraries built with plan.
 */
uint32_t bookahead_bands_band(const struct bookahead_start_bands *bands,
                              uint32_t planned,
                              uint32_t per_mille,
                              struct bookahead_start_band *band,
                              bool *known);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * The bytes that the schedule of a queue for up to `jobs` jobs takes beside those of its second book: a multiple of 8. The macro `BOOKAHEAD_SCHEDULE_BYTES` says the same at compile time. O(1).
 * Only in libraries built with plan.
 */
size_t bookahead_queue_schedule_bytes(uint32_t jobs);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Makes an empty schedule behind a queue and its list of requests, if it has one: a queue of the discipline CONSERVATIVE plans its jobs in it. `second` is an empty book of the same kind and size
 * as the one that the queue serves, on the same machine, with a row for each job that may be planned. All its bytes are copied behind the schedule, and it is not needed any more; it may lie there already.
 * `length` is that of the memory of queue, list, schedule and second book together. All bytes may be copied and opened elsewhere as those of a queue without a schedule. A list is made first:
 * `bookahead_queue_keep_requests` forgets the schedule. O(bytes). Only in libraries built with plan.
 *
 * Answers NO_SCHEDULE when `second` is not empty, SIZE_OUT_OF_RANGE and TOO_SHORT, and has changed nothing then.
 */
uint32_t bookahead_queue_keep_schedule(struct bookahead_queue *queue,
                                       size_t length,
                                       struct bookahead_book *second);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Lists the jobs that are planned with their starts, as they were planned last, in the order of the queue; none of a queue without a schedule. See `bookahead_pes_of` for lists. O(jobs).
 * Only in libraries built with plan.
 */
uint32_t bookahead_queue_starts(struct bookahead_queue *queue,
                                size_t skip,
                                struct bookahead_planned_start *starts,
                                size_t capacity,
                                size_t *count);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Lets a running job of a queue be preempted by `bookahead_queue_reserve_preempting`: after `min_run` slots at the earliest, from 2^30 - 1 on never, and after one at least. If `keeps` is not 0, it keeps what it has done, and is queued again with
 * what is left of its estimate, otherwise with all of it. A job that starts again has to be marked again. O(1). Only in libraries built with plan.
 *
 * Answers UNKNOWN_HANDLE, STALE_HANDLE, WRONG_STATE for a reservation that is not a running job of a queue.
 */
uint32_t bookahead_make_preemptible(struct bookahead_book *book,
                                    struct bookahead_handle handle,
                                    uint32_t min_run,
                                    uint32_t keeps);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * As `bookahead_reserve`; where there is no room, running jobs make some that `bookahead_make_preemptible` has marked. The reservation gets the earliest start at which there is room once all of them are cut that
 * have run for long enough by then, whatever the policy; those are cut that lose the least work, and no more than it takes. They end when it starts, which is reported as PREEMPTED, and are queued again with their tickets; until then
 * their places are kept. If there is more room before, `bookahead_queue_advance` lets them run as far as there is room. As `bookahead_reserve`; where jobs are cut O(jobs x (jobs + jobs x estimate x
 * columns + a first fit)). Only in libraries built with plan.
 *
 * Answers FOREIGN_QUEUE, QUEUE_LEFT_BEHIND, what `bookahead_reserve` answers, QUEUE_FULL where more jobs would have to be cut than have a place in the queue.
 */
uint32_t bookahead_queue_reserve_preempting(struct bookahead_queue *queue,
                                            struct bookahead_book *book,
                                            const struct bookahead_request *request,
                                            uint32_t policy,
                                            const struct bookahead_commitment *commitment,
                                            struct bookahead_booking *booking);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * As `bookahead_queue_advance`, and moves flexible reservations to earlier starts where something has ended: at `now` and in each slot on the way in which something
 * happens, after ends, expired holds and starts that become fixed, and before waiting requests are tried and reservations start. Each time the first of those that can start earlier, in order of
 * start and then of acceptance, goes to its first start, until nobody can; none starts later than before. In the slot at which an unconfirmed hold would start, nobody is moved to that slot.
 *
 * Writes the moves in order, `moved` of them. Where either list is full, `waiting` becomes true, and the next call goes on. The workspace takes an entry. As `bookahead_queue_advance`; and for
 * each event O((moves + 1) x reservations x (reservations + a first fit + duration x columns)). Only in libraries built with plan.
 *
 * Answers NO_SCHEDULE as `bookahead_queue_advance`, FOREIGN_QUEUE, QUEUE_LEFT_BEHIND when jobs wait and the book was advanced without the queue, TIME_WENT_BACK, END_OF_TIME, MOVE_LIMIT for a workspace without an entry.
 */
uint32_t bookahead_queue_advance_pulling(struct bookahead_queue *queue,
                                         struct bookahead_book *book,
                                         uint64_t to,
                                         struct bookahead_event *events,
                                         size_t capacity,
                                         const struct bookahead_workspace *workspace,
                                         struct bookahead_move *moves,
                                         size_t moves_capacity,
                                         size_t *count,
                                         bool *waiting,
                                         size_t *moved);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * The bytes that so many requests take which may wait beside the jobs of a queue: a multiple of 8. The macro `BOOKAHEAD_REQUESTS_BYTES` says the same at compile time. O(1).
 * Only in libraries built with plan.
 */
size_t bookahead_queue_requests_bytes(uint32_t requests);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Makes an empty list behind a queue, in which up to so many requests may wait. `length` is that of the memory of queue and list together: at least
 * `bookahead_queue_bytes` and `bookahead_queue_requests_bytes`. All bytes may be copied and opened elsewhere as those of a queue without a list. What waited in a former list is
 * forgotten. O(requests). Only in libraries built with plan.
 *
 * Answers SIZE_OUT_OF_RANGE and TOO_SHORT, and has changed nothing then.
 */
uint32_t bookahead_queue_keep_requests(struct bookahead_queue *queue,
                                       size_t length,
                                       uint32_t requests);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Lets a request wait for room, as one that `bookahead_reserve` has refused for NO_ROOM, TABLE_FULL or BEYOND_HORIZON, and gives its ticket, which is never 0. It gets no room and no
 * promise. Whenever that answer could have changed, the requests that wait are tried, those with the highest key first, and those with equal keys in the order in which they came: in each slot
 * after its ends, expired holds and starts that become fixed, and before its starts. One that fits becomes a reservation like any other, and is reported as PROMISED with its ticket and
 * its handle; one that does not fit before its latest start has passed is reported as GAVE_UP. Who waits holds nobody back. `bookahead_queue_withdraw` takes it out. With a layout it waits for the class that is asked for. O(requests), and with a
 * layout O(classes + jobs + requests). Only in libraries built with plan.
 *
 * Answers FOREIGN_QUEUE, QUEUE_LEFT_BEHIND, as `bookahead_commitment` says, UNKNOWN_POLICY, STALE_CLASS, ZERO_DURATION, ZERO_PES, TOO_WIDE, TOO_LONG, WINDOW_TOO_SHORT also when the latest start has passed, NOT_WHOLE_GROUPS
 * and NOT_ELIGIBLE for what no PEs of the class could serve; QUEUE_FULL when no more may wait.
 */
uint32_t bookahead_queue_wait(struct bookahead_queue *queue,
                              struct bookahead_book *book,
                              const struct bookahead_request *request,
                              uint32_t policy,
                              const struct bookahead_commitment *commitment,
                              uint32_t key,
                              uint32_t *ticket);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Gives a request that waits another priority. O(requests). Only in libraries built with plan.
 *
 * Answers UNKNOWN_TICKET for one that does not wait, or no longer.
 */
uint32_t bookahead_queue_set_key(struct bookahead_queue *queue, uint32_t ticket, uint32_t key);
#endif

#if defined(BOOKAHEAD_PLAN)
/**
 * Lists the requests that wait, in the order in which they are tried; see `bookahead_pes_of` for lists. O(requests). Only in libraries built with plan.
 */
uint32_t bookahead_queue_requests(struct bookahead_queue *queue,
                                  size_t skip,
                                  struct bookahead_waiting_request *requests,
                                  size_t capacity,
                                  size_t *count);
#endif

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
 * Lists the reservations that cover a slot from `start` up to `end`, exclusive, be they running, held or confirmed, in order of start, ties in
 * order of acceptance; see `bookahead_pes_of` for lists. O(running + window + longest duration + reservations that start there).
 */
uint32_t bookahead_covering(struct bookahead_book *book,
                            uint64_t start,
                            uint64_t end,
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
 * Checks every invariant of the book: for tests, and for memory that may be damaged, such as after a crash. O((horizon + total booked duration + rows) x columns), and with late binding O(PEs)
 * for each running reservation.
 *
 * Answers the first violation found.
 */
uint32_t bookahead_check_invariants(struct bookahead_book *book);

/**
 * Answers why a request has no room: lists an obstacle for each start that was looked at (`bookahead_candidate_starts`), the earliest first, `count`
 * of them, and gives the nearest starts outside its window that would do. For a request that fits, the obstacles before its earliest start. The book
 * stays as it is, scratch memory aside.
 *
 * At most `capacity` obstacles are listed, and never more than `BOOKAHEAD_MOST_OBSTACLES`; `explanation` says how many were left out. The list is
 * made on the stack, 96 bytes for each of 8 obstacles, or of `BOOKAHEAD_MOST_OBSTACLES` for a `capacity` above 8.
 * O(candidates x (duration x columns + covering) + horizon x columns).
 *
 * Answers as `bookahead_reserve`, as far as the request itself is to blame. That there is no room is no error here.
 */
uint32_t bookahead_explain(struct bookahead_book *book,
                           const struct bookahead_request *request,
                           struct bookahead_obstacle *obstacles,
                           size_t capacity,
                           size_t *count,
                           struct bookahead_explanation *explanation);

/**
 * Lists what could run between the query's `ready` and `deadline`, `count` offers, and takes no room. With both duration and PEs given, an offer
 * that meets both is a solution, which is said, and comes first; otherwise what is not given is one slot or one PE in strip packing, and has no limit on the
 * Pareto front. No window is listed twice.
 *
 * At most `capacity` offers are listed, and never more than `BOOKAHEAD_MOST_OFFERS`; `more` says whether some were left out, those that came last in the
 * order asked for. The list is made on the stack, 88 bytes for each of 8 offers, or of `BOOKAHEAD_MOST_OFFERS` for a `capacity` above 8.
 *
 * With groups the stretches of the interval in which nothing changes, and list the offers listed: strip packing with late binding is
 * O(interval + groups x list) when duration and PEs are given and O(interval + groups x (longest offer / 64 + list)) otherwise, with early binding O(groups x
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
 * Answers BEYOND_OFFER for no slots and for more than is offered.
 */
uint32_t bookahead_offer_start(const struct bookahead_offer *offer,
                               uint32_t duration,
                               uint64_t *start);

/**
 * Books `duration` slots on `pes` PEs of an offer, at `bookahead_offer_start`, as `commitment` says, see there, or changes nothing. The book may have
 * changed since the offer was made: what counts is that the room is still there. O(duration x columns + log rows).
 *
 * Answers as `bookahead_commitment` says; ZERO_DURATION, ZERO_PES; BAD_OFFER for what this book cannot have offered; BEYOND_OFFER for more than was
 * offered; OFFER_EXPIRED, also when the start has passed; TABLE_FULL; OVERTAKEN when the room is no longer there.
 */
uint32_t bookahead_accept(struct bookahead_book *book,
                          const struct bookahead_offer *offer,
                          uint32_t duration,
                          uint32_t pes,
                          const struct bookahead_commitment *commitment,
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
 * Answers UNKNOWN_DISCIPLINE, NO_SCHEDULE for jobs with planned starts in libraries built without plan, SIZE_OUT_OF_RANGE, NULL_POINTER, MISALIGNED or TOO_SHORT, and has changed nothing then.
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
 * `now`. With a layout it starts on PEs of the class that is asked for (`bookahead_class_ask`), whatever is asked for by then. O(1), and with a layout
 * O(classes + jobs).
 *
 * Answers NO_SCHEDULE for a schedule of another kind or size than the book, FOREIGN_QUEUE for a queue of a book of another incarnation, QUEUE_LEFT_BEHIND, STALE_CLASS, ZERO_DURATION, ZERO_PES, TOO_WIDE, TOO_LONG for an
 * estimate beyond the horizon, NOT_WHOLE_GROUPS and NOT_ELIGIBLE for what no PEs of the class could serve, QUEUE_FULL.
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
 * A jump decides the same as many small steps, except that a confirmed reservation whose whole booked run it passes is MISSED, and what that leaves goes
 * to the queue. A start learnt of late keeps its
 * window, so that the job gets the rest, and one whose whole estimate has passed is reported with its end in the same call: whoever may sleep for
 * longer than the shortest estimate advances to `bookahead_queue_next_event` and not beyond.
 *
 * As `bookahead_advance`; and for each slot in which something happens O(jobs x (estimates x columns + jobs + log rows)), with EASY a first fit
 * more.
 *
 * Answers NO_SCHEDULE for a queue of the discipline CONSERVATIVE without a schedule of the book's kind and size, FOREIGN_QUEUE, QUEUE_LEFT_BEHIND when jobs wait and the book was advanced without the queue, TIME_WENT_BACK, END_OF_TIME.
 */
uint32_t bookahead_queue_advance(struct bookahead_queue *queue,
                                 struct bookahead_book *book,
                                 uint64_t to,
                                 struct bookahead_event *events,
                                 size_t capacity,
                                 size_t *count,
                                 bool *waiting);

/**
 * As `bookahead_queue_advance`, one event at a time, given as by `bookahead_next`.
 *
 * Answers NO_SCHEDULE for a queue of the discipline CONSERVATIVE without a schedule of the book's kind and size, FOREIGN_QUEUE, QUEUE_LEFT_BEHIND when jobs wait and the book was advanced without the queue, TIME_WENT_BACK, END_OF_TIME.
 */
uint32_t bookahead_queue_next(struct bookahead_queue *queue,
                              struct bookahead_book *book,
                              uint64_t to,
                              struct bookahead_event *event,
                              bool *happened);

/**
 * Says which book the queue serves: the one with this number, see `bookahead_set_incarnation`, whatever slot it has reached. With another it answers FOREIGN_QUEUE when a job is
 * submitted and when time passes. O(1).
 */
uint32_t bookahead_queue_set_incarnation(struct bookahead_queue *queue,
                                         uint32_t incarnation);

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
 * Answers TARIFF_OUT_OF_RANGE, PRICE_OVERFLOW.
 */
uint32_t bookahead_tariff_reserved(const struct bookahead_tariff *tariff,
                                   uint32_t slots,
                                   uint32_t pes,
                                   uint64_t *price);

/**
 * Gives what it costs to run `pes` PEs for `units` units of time without a reservation. O(1).
 *
 * Answers TARIFF_OUT_OF_RANGE, PRICE_OVERFLOW.
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
 * The name of a number of `bookahead_form_choice`, such as "cheapest", or "unknown". Static, never null. O(1).
 */
const char *bookahead_form_choice_name(uint32_t choice);

/**
 * The name of a number of `bookahead_order`, such as "edf", or "unknown". Static, never null. O(1).
 */
const char *bookahead_order_name(uint32_t order);

/**
 * The name of a number of `bookahead_flexibility`, such as "interval", or "unknown". Static, never null. O(1).
 */
const char *bookahead_flexibility_name(uint32_t flexibility);

/**
 * The name of a number of `bookahead_freeze_rule`, such as "share", or "unknown". Static, never null. O(1).
 */
const char *bookahead_freeze_rule_name(uint32_t freeze);

/**
 * The name of a number of `bookahead_discipline`, such as "easy", or "unknown". Static, never null. O(1).
 */
const char *bookahead_discipline_name(uint32_t discipline);

/**
 * The name of a number of `bookahead_alteration_kind`, such as "shift", or "unknown". Static, never null. O(1).
 */
const char *bookahead_alteration_name(uint32_t kind);

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
 * As `bookahead_policy_from_name`, of `bookahead_form_choice`.
 *
 * Answers UNKNOWN_CHOICE.
 */
uint32_t bookahead_form_choice_from_name(const char *name, uint32_t *choice);

/**
 * As `bookahead_policy_from_name`, of `bookahead_order`.
 *
 * Answers UNKNOWN_ORDER.
 */
uint32_t bookahead_order_from_name(const char *name, uint32_t *order);

/**
 * As `bookahead_policy_from_name`, of `bookahead_flexibility`.
 *
 * Answers UNKNOWN_FLEXIBILITY.
 */
uint32_t bookahead_flexibility_from_name(const char *name, uint32_t *flexibility);

/**
 * As `bookahead_policy_from_name`, of `bookahead_freeze_rule`.
 *
 * Answers UNKNOWN_FREEZE.
 */
uint32_t bookahead_freeze_rule_from_name(const char *name, uint32_t *freeze);

/**
 * As `bookahead_policy_from_name`, of `bookahead_discipline`.
 *
 * Answers UNKNOWN_DISCIPLINE.
 */
uint32_t bookahead_discipline_from_name(const char *name, uint32_t *discipline);

/**
 * As `bookahead_policy_from_name`, of `bookahead_alteration_kind`.
 *
 * Answers UNKNOWN_ALTERATION.
 */
uint32_t bookahead_alteration_from_name(const char *name, uint32_t *kind);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BOOKAHEAD_H */
