/* What a defective caller may do: every mistake that can be noticed is, by its code, and changes nothing. */
#include "check.h"

#include <bookahead.h>
#include <string.h>

#define PES 40
#define SLOTS 100
#define ROWS 4

static const struct bookahead_request request = {3, 20, 5, 2};
static const struct bookahead_handle nobody = {UINT64_MAX};
static const struct bookahead_query query = {3, 20, 5, 2};
static const struct bookahead_offer_terms terms = {0, 0, 2, {1, BOOKAHEAD_FACTOR_ONE, 1}};
static const struct bookahead_offer offered = {{3, 20}, {3, 8}, {3, 8}, 2, 0, 10, 2, 1, 0};
static const struct bookahead_job job = {5, 2};
static const struct bookahead_alteration later = {5, 0, 0, 0, 0, BOOKAHEAD_ALTERATION_KIND_SHIFT};
static const struct bookahead_series series = {{3, 20, 5, 2}, 5, 2, NULL, 0};
static const struct bookahead_part part = {0, 5, 2};
static const struct bookahead_form form = {2, 5}, no_pes = {0, 5}, too_wide = {65537, 5};
static const struct bookahead_price_terms prices = {{1, BOOKAHEAD_FACTOR_ONE, 1}, UINT64_MAX, 1u << 30, 1u << 31};
static const struct bookahead_price_terms no_tariff = {{1, 0, 1}, UINT64_MAX, 0, 0};
static const struct bookahead_commitment flexible = {BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE, 0, BOOKAHEAD_FLEXIBILITY_INTERVAL, BOOKAHEAD_FREEZE_RULE_SHARE, 500};
static const struct bookahead_juggling rules = {0, 0, 0, 9, 0, 999, 0, 0, NULL, NULL};
static const struct bookahead_shifting aside = {1, 0, 2, 4, 0, 9999};
static const struct bookahead_suggesting suggesting = {0, 0, 500};
static uint64_t lent_memory[BOOKAHEAD_EARLY_WORKSPACE_BYTES(PES, 8, 4) / 8];
static uint64_t queue_memory[BOOKAHEAD_QUEUE_BYTES(2) / 8];
static struct bookahead_queue *queue;

/* Every function with a book's pointer answers `code`. */
static void every_call(struct bookahead_book *book, uint32_t code) {
    const struct bookahead_plan planned = {{3, 20, 5, 2}, 3, 0, 0};
    struct bookahead_plan plan;
    struct bookahead_booking booking;
    struct bookahead_handle handle;
    struct bookahead_reservation reservation;
    struct bookahead_status status;
    struct bookahead_record record;
    struct bookahead_rectangle rectangle;
    struct bookahead_event event;
    struct bookahead_offer offer;
    uint64_t slot;
    uint32_t pes, ticket;
    uint16_t number;
    struct bookahead_placement placement;
    struct bookahead_conflict conflict;
    struct bookahead_obstacle obstacle;
    struct bookahead_explanation explanation;
    struct bookahead_outcome outcome;
    const struct bookahead_workspace lent = {lent_memory, sizeof lent_memory, 4};
    struct bookahead_juggled juggled;
    struct bookahead_alternative alternative;
    struct bookahead_suggested suggested;
    size_t count;
    bool waiting, more;
    CHECK(bookahead_alter(book, nobody, &later, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict) == code);
    CHECK(bookahead_split(book, nobody, 4, workspace_of(lent_memory, sizeof lent_memory), &handle) == code);
    CHECK(bookahead_reserve_series(book, &series, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), &handle, 2, &count, &conflict) == code);
    CHECK(bookahead_cancel_all(book, &nobody, 1, &count) == code);
    CHECK(bookahead_reserve_together(book, 3, 20, &part, 1, held_for(1), workspace_of(lent_memory, sizeof lent_memory), &handle, 1, &slot, &conflict) == code);
    CHECK(bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 9, NULL, 0, 0, NULL, 0, &outcome) == code);
    CHECK(bookahead_apply(book, workspace_of(lent_memory, sizeof lent_memory), 9, NULL, 0) == code);
    CHECK(bookahead_covering(book, 0, 1, 0, &handle, 1, &count) == code);
    CHECK(bookahead_explain(book, &request, &obstacle, 1, &count, &explanation) == code);
    CHECK(bookahead_next(book, 1, &event, &waiting) == code);
    CHECK(bookahead_set_incarnation(book, 1) == code);
    CHECK(bookahead_queue_next(queue, book, 1, &event, &waiting) == code);
    CHECK(bookahead_offers(book, &query, &terms, &offer, 1, &count, &waiting, &more) == code);
    CHECK(bookahead_accept(book, &offered, 5, 2, NULL, &booking) == code);
    CHECK(bookahead_accept(book, &offered, 5, 2, held_for(1), &booking) == code);
    CHECK(bookahead_queue_submit(queue, book, &job, &ticket) == code);
    CHECK(bookahead_queue_advance(queue, book, 1, &event, 1, &count, &waiting) == code);
    CHECK(bookahead_queue_next_event(queue, book, &slot) == code);
    CHECK(bookahead_queue_shadow(queue, book, &slot) == code);
    CHECK(bookahead_queue_check_invariants(queue, book) == code);
    CHECK(bookahead_plan(book, &request, 0, &plan) == code);
    CHECK(bookahead_plan_mouldable(book, 3, 20, &form, 1, 0, 0, &prices, &plan, &slot) == code);
    CHECK(bookahead_commit(book, &planned, &flexible, &handle) == code);
    CHECK(bookahead_juggle(book, &request, &flexible, &rules, &lent, 0, NULL, 0, &juggled) == code);
    CHECK(bookahead_replan(book, &rules, &lent, 0, NULL, 0, &juggled) == code);
    CHECK(bookahead_shift_in(book, &request, &flexible, &aside, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 0, &juggled) == code);
    CHECK(bookahead_alternatives(book, &request, &flexible, &rules, &suggesting, &lent, &alternative, 1, &count, &suggested) == code);
    CHECK(bookahead_freeze(book, nobody) == code);
    CHECK(bookahead_is_frozen(book, nobody, &waiting) == code);
    CHECK(bookahead_commit(book, &planned, NULL, &handle) == code);
    CHECK(bookahead_commit(book, &planned, held_for(1), &handle) == code);
    CHECK(bookahead_reserve(book, &request, 0, NULL, &booking) == code);
    CHECK(bookahead_reserve(book, &request, 0, held_for(1), &booking) == code);
    CHECK(bookahead_confirm(book, nobody) == code);
    CHECK(bookahead_cancel(book, nobody) == code);
    CHECK(bookahead_complete(book, nobody, 1) == code);
    CHECK(bookahead_advance(book, 1, &event, 1, &count, &waiting) == code);
    CHECK(bookahead_next_event(book, &slot) == code);
    CHECK(bookahead_status(book, &status) == code);
    CHECK(bookahead_get(book, nobody, &reservation) == code);
    CHECK(bookahead_pes_of(book, nobody, 0, &number, 1, &count) == code);
    CHECK(bookahead_reservations(book, 0, &handle, 1, &count) == code);
    CHECK(bookahead_starting_at(book, 1, 0, &handle, 1, &count) == code);
    CHECK(bookahead_records(book, 0, &record, 1, &count) == code);
    CHECK(bookahead_candidate_starts(book, &request, 0, &slot, 1, &count) == code);
    CHECK(bookahead_free_during(book, 0, 1, &pes) == code);
    CHECK(bookahead_rectangle(book, 0, 1, &rectangle) == code);
    CHECK(bookahead_check_invariants(book) == code);
}

/* Every function with a queue's pointer answers `code`. */
static void every_queue_call(struct bookahead_queue *any, struct bookahead_book *book, uint32_t code) {
    struct bookahead_queue_status status;
    struct bookahead_waiting_job waiting_job;
    struct bookahead_event event;
    uint64_t slot;
    uint32_t ticket;
    size_t count;
    bool waiting;
    CHECK(bookahead_queue_submit(any, book, &job, &ticket) == code);
    CHECK(bookahead_queue_withdraw(any, 1) == code);
    CHECK(bookahead_queue_advance(any, book, 1, &event, 1, &count, &waiting) == code);
    CHECK(bookahead_queue_next(any, book, 1, &event, &waiting) == code);
    CHECK(bookahead_queue_set_incarnation(any, 1) == code);
    CHECK(bookahead_queue_next_event(any, book, &slot) == code);
    CHECK(bookahead_queue_shadow(any, book, &slot) == code);
    CHECK(bookahead_queue_status(any, &status) == code);
    CHECK(bookahead_queue_jobs(any, 0, &waiting_job, 1, &count) == code);
    CHECK(bookahead_queue_check_invariants(any, book) == code);
}

/* The pointer moved by one byte, which C lets nobody follow. */
static void *off_by_one(void *pointer) {
    return (char *)pointer + 1;
}

static void memory_of_any_kind(uint32_t binding) {
    const size_t bytes = bookahead_bytes(binding, PES, SLOTS, ROWS);
    /* Of exactly that size, so that the sanitizer sees a step beyond. */
    unsigned char *const memory = (unsigned char *)malloc(bytes);
    unsigned char *const before = (unsigned char *)malloc(bytes);
    struct bookahead_book *book = NULL, *const nothing = NULL;
    uint32_t random = 1;
    uint64_t seal;
    size_t i, round;
    CHECK(memory != NULL && before != NULL);

    memset(memory, 0xA5, bytes);
    memcpy(before, memory, bytes);
    EXPECT(NULL_POINTER, bookahead_init(NULL, bytes, binding, PES, SLOTS, ROWS, &book));
    EXPECT(NULL_POINTER, bookahead_init(memory, bytes, binding, PES, SLOTS, ROWS, NULL));
    EXPECT(MISALIGNED, bookahead_init(off_by_one(memory), bytes - 1, binding, PES, SLOTS, ROWS, &book));
    EXPECT(MISALIGNED, bookahead_init(memory + 4, bytes - 4, binding, PES, SLOTS, ROWS, &book));
    EXPECT(TOO_SHORT, bookahead_init(memory, bytes - 1, binding, PES, SLOTS, ROWS, &book));
    EXPECT(TOO_SHORT, bookahead_init(memory, 0, binding, PES, SLOTS, ROWS, &book));
    EXPECT(UNKNOWN_BINDING, bookahead_init(memory, bytes, 0, PES, SLOTS, ROWS, &book));
    EXPECT(UNKNOWN_BINDING, bookahead_init(memory, bytes, 9, PES, SLOTS, ROWS, &book));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_init(memory, bytes, binding, 0, SLOTS, ROWS, &book));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_init(memory, bytes, binding, 65536, SLOTS, ROWS, &book));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_init(memory, bytes, binding, PES, 0, ROWS, &book));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_init(memory, bytes, binding, PES, SLOTS, UINT32_MAX, &book));
    EXPECT(TOO_SHORT, bookahead_init(memory, bytes, binding, 65535, UINT32_MAX, UINT32_MAX - 1, &book));
    CHECK(book == NULL && memcmp(memory, before, bytes) == 0);
    CHECK(bookahead_bytes(binding, 0, SLOTS, ROWS) == 0 && bookahead_bytes(9, PES, SLOTS, ROWS) == 0);

    EXPECT(NULL_POINTER, bookahead_open(NULL, bytes, &book));
    EXPECT(NULL_POINTER, bookahead_open(memory, bytes, NULL));
    EXPECT(NOT_A_BOOK, bookahead_open(memory, bytes, &book));
    EXPECT(TOO_SHORT, bookahead_open(memory, 23, &book));

    /* No book, garbage, zeros, and a pointer that is not aligned. */
    every_call(nothing, BOOKAHEAD_CODE_NULL_POINTER);
    every_call((struct bookahead_book *)off_by_one(memory), BOOKAHEAD_CODE_MISALIGNED);
    every_call((struct bookahead_book *)(void *)memory, BOOKAHEAD_CODE_NOT_A_BOOK);
    memset(memory, 0, bytes);
    every_call((struct bookahead_book *)(void *)memory, BOOKAHEAD_CODE_NOT_A_BOOK);
    for (round = 0; round < 1000; round++) {
        for (i = 0; i < bytes; i++) {
            random = random * 1664525 + 1013904223;
            memory[i] = (unsigned char)(random >> 24);
        }
        every_call((struct bookahead_book *)(void *)memory, BOOKAHEAD_CODE_NOT_A_BOOK);
    }

    /* A book in whose first bytes, the sizes among them, any bit is not what it was. */
    EXPECT(OK, bookahead_init(memory, bytes, binding, PES, SLOTS, ROWS, &book));
    EXPECT(OK, bookahead_open(memory, bytes, &book));
    EXPECT(TOO_SHORT, bookahead_open(memory, bytes - 1, &book));
    for (i = 0; i < 24 * 8; i++) {
        memory[i / 8] ^= (unsigned char)(1U << i % 8);
        every_call(book, BOOKAHEAD_CODE_NOT_A_BOOK);
        EXPECT(NOT_A_BOOK, bookahead_open(memory, bytes, &book));
        memory[i / 8] ^= (unsigned char)(1U << i % 8);
    }
    /* What a library for processors of other width writes there: only then there are other summaries. */
    memcpy(&seal, memory, sizeof seal);
    seal ^= UINT64_C(0x449114950295082A);
    memcpy(memory, &seal, sizeof seal);
    every_call(book, BOOKAHEAD_CODE_OTHER_PROCESSOR);
    EXPECT(OTHER_PROCESSOR, bookahead_open(memory, bytes, &book));
    seal ^= UINT64_C(0x449114950295082A);
    memcpy(memory, &seal, sizeof seal);
    EXPECT(OK, bookahead_check_invariants(book));
    free(before);
    free(memory);
}

/* A queue's memory, as a book's above. */
static void queue_of_any_kind(struct bookahead_book *book) {
    const size_t bytes = bookahead_queue_bytes(ROWS);
    unsigned char *const memory = (unsigned char *)malloc(bytes);
    unsigned char *const before = (unsigned char *)malloc(bytes);
    struct bookahead_queue *any = NULL, *const nothing = NULL;
    size_t i;
    CHECK(memory != NULL && before != NULL);
    memset(memory, 0xA5, bytes);
    memcpy(before, memory, bytes);
    EXPECT(NULL_POINTER, bookahead_queue_init(NULL, bytes, 0, ROWS, &any));
    EXPECT(NULL_POINTER, bookahead_queue_init(memory, bytes, 0, ROWS, NULL));
    EXPECT(MISALIGNED, bookahead_queue_init(memory + 4, bytes - 4, 0, ROWS, &any));
    EXPECT(TOO_SHORT, bookahead_queue_init(memory, bytes - 1, 0, ROWS, &any));
    EXPECT(UNKNOWN_DISCIPLINE, bookahead_queue_init(memory, bytes, 3, ROWS, &any));
    EXPECT(UNKNOWN_DISCIPLINE, bookahead_queue_init(memory, bytes, 256, ROWS, &any));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_queue_init(memory, bytes, 0, UINT32_MAX, &any));
    CHECK(any == NULL && memcmp(memory, before, bytes) == 0 && bookahead_queue_bytes(UINT32_MAX) == 0);
    EXPECT(NULL_POINTER, bookahead_queue_open(NULL, bytes, &any));
    EXPECT(NULL_POINTER, bookahead_queue_open(memory, bytes, NULL));
    EXPECT(MISALIGNED, bookahead_queue_open(off_by_one(memory), bytes, &any));
    EXPECT(TOO_SHORT, bookahead_queue_open(memory, 15, &any));
    EXPECT(NOT_A_QUEUE, bookahead_queue_open(memory, bytes, &any));

    every_queue_call(nothing, book, BOOKAHEAD_CODE_NULL_POINTER);
    every_queue_call((struct bookahead_queue *)off_by_one(memory), book, BOOKAHEAD_CODE_MISALIGNED);
    every_queue_call((struct bookahead_queue *)(void *)memory, book, BOOKAHEAD_CODE_NOT_A_QUEUE);
    memset(memory, 0, bytes);
    every_queue_call((struct bookahead_queue *)(void *)memory, book, BOOKAHEAD_CODE_NOT_A_QUEUE);
    /* A book is no queue. */
    every_queue_call((struct bookahead_queue *)(void *)book, book, BOOKAHEAD_CODE_NOT_A_QUEUE);

    EXPECT(OK, bookahead_queue_init(memory, bytes, 1, ROWS, &any));
    EXPECT(TOO_SHORT, bookahead_queue_open(memory, bytes - 1, &any));
    for (i = 0; i < 16 * 8; i++) {
        memory[i / 8] ^= (unsigned char)(1U << i % 8);
        every_queue_call(any, book, BOOKAHEAD_CODE_NOT_A_QUEUE);
        EXPECT(NOT_A_QUEUE, bookahead_queue_open(memory, bytes, &any));
        memory[i / 8] ^= (unsigned char)(1U << i % 8);
    }
    EXPECT(OK, bookahead_queue_check_invariants(any, book));
    free(before);
    free(memory);
}

static void offers_of_any_kind(struct bookahead_book *book) {
    struct bookahead_query other = query;
    struct bookahead_offer_terms other_terms = terms;
    struct bookahead_tariff tariff = terms.tariff;
    struct bookahead_offer offers[2], forged;
    struct bookahead_booking booking;
    uint64_t words[16] = {0}, price = 7;
    uint32_t number;
    size_t count = 99;
    bool solution, more;
    EXPECT(NULL_POINTER, bookahead_offers(book, NULL, &terms, offers, 2, &count, &solution, &more));
    EXPECT(NULL_POINTER, bookahead_offers(book, &query, NULL, offers, 2, &count, &solution, &more));
    EXPECT(NULL_POINTER, bookahead_offers(book, &query, &terms, NULL, 2, &count, &solution, &more));
    EXPECT(NULL_POINTER, bookahead_offers(book, &query, &terms, offers, 2, NULL, &solution, &more));
    EXPECT(NULL_POINTER, bookahead_offers(book, &query, &terms, offers, 2, &count, NULL, &more));
    EXPECT(NULL_POINTER, bookahead_offers(book, &query, &terms, offers, 2, &count, &solution, NULL));
    EXPECT(MISALIGNED, bookahead_offers(book, &query, &terms, (struct bookahead_offer *)off_by_one(words), 1, &count, &solution, &more));
    EXPECT(MISALIGNED, bookahead_offers(book, (struct bookahead_query *)off_by_one(words), &terms, offers, 2, &count, &solution, &more));
    other_terms.search = 2;
    EXPECT(UNKNOWN_SEARCH, bookahead_offers(book, &query, &other_terms, offers, 2, &count, &solution, &more));
    other_terms.search = 256;
    EXPECT(UNKNOWN_SEARCH, bookahead_offers(book, &query, &other_terms, offers, 2, &count, &solution, &more));
    other_terms = terms;
    other_terms.order = 5;
    EXPECT(UNKNOWN_ORDER, bookahead_offers(book, &query, &other_terms, offers, 2, &count, &solution, &more));
    other_terms = terms;
    other_terms.ttl = 0;
    EXPECT(ZERO_HOLD, bookahead_offers(book, &query, &other_terms, offers, 2, &count, &solution, &more));
    other_terms = terms;
    other_terms.tariff.factor--;
    EXPECT(TARIFF_OUT_OF_RANGE, bookahead_offers(book, &query, &other_terms, offers, 2, &count, &solution, &more));
    other_terms.tariff.base = UINT64_MAX;
    other_terms.tariff.factor = BOOKAHEAD_FACTOR_ONE;
    EXPECT(PRICE_OVERFLOW, bookahead_offers(book, &query, &other_terms, offers, 2, &count, &solution, &more));
    other.pes = 0;
    EXPECT(ZERO_PES, bookahead_offers(book, &other, &terms, offers, 2, &count, &solution, &more));
    other.pes = 65537;
    EXPECT(TOO_WIDE, bookahead_offers(book, &other, &terms, offers, 2, &count, &solution, &more));
    other.pes = 1;
    other.duration = 0;
    EXPECT(ZERO_DURATION, bookahead_offers(book, &other, &terms, offers, 2, &count, &solution, &more));
    other.duration = 1;
    other.deadline = other.ready;
    EXPECT(WINDOW_TOO_SHORT, bookahead_offers(book, &other, &terms, offers, 2, &count, &solution, &more));
    other.deadline = UINT64_MAX;
    EXPECT(BEYOND_HORIZON, bookahead_offers(book, &other, &terms, offers, 2, &count, &solution, &more));
    CHECK(count == 99);

    /* Offers that nobody has made, and more than was offered. */
    EXPECT(NULL_POINTER, bookahead_accept(book, NULL, 5, 2, NULL, &booking));
    EXPECT(NULL_POINTER, bookahead_accept(book, &offered, 5, 2, NULL, NULL));
    EXPECT(NULL_POINTER, bookahead_accept(book, &offered, 5, 2, held_for(1), NULL));
    EXPECT(ZERO_HOLD, bookahead_accept(book, &offered, 5, 2, held_for(0), &booking));
    EXPECT(ZERO_DURATION, bookahead_accept(book, &offered, 0, 2, NULL, &booking));
    EXPECT(ZERO_PES, bookahead_accept(book, &offered, 5, 0, NULL, &booking));
    EXPECT(BEYOND_OFFER, bookahead_accept(book, &offered, 6, 2, NULL, &booking));
    EXPECT(BEYOND_OFFER, bookahead_accept(book, &offered, 5, 3, NULL, &booking));
    EXPECT(BEYOND_OFFER, bookahead_accept(book, &offered, 5, 65536 + 2, NULL, &booking));
    forged = offered;
    forged.version = UINT64_MAX;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, 2, NULL, &booking));
    forged = offered;
    forged.incarnation = 1;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, 2, NULL, &booking));
    forged = offered;
    forged.window.end = 21;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, 2, NULL, &booking));
    forged = offered;
    forged.pes = 65536 + 2;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, 2, NULL, &booking));
    forged = offered;
    forged.pes = PES + 1;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, PES + 1, NULL, &booking));
    forged.within.end = UINT64_MAX;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, 2, NULL, &booking));
    forged = offered;
    forged.expires = 0;
    EXPECT(OFFER_EXPIRED, bookahead_accept(book, &forged, 5, 2, NULL, &booking));
    EXPECT(NULL_POINTER, bookahead_offer_start(NULL, 5, &price));
    EXPECT(NULL_POINTER, bookahead_offer_start(&offered, 5, NULL));
    EXPECT(BEYOND_OFFER, bookahead_offer_start(&offered, 0, &price));
    EXPECT(BEYOND_OFFER, bookahead_offer_start(&offered, 6, &price));

    EXPECT(NULL_POINTER, bookahead_tariff_slot_rate(NULL, &price));
    EXPECT(NULL_POINTER, bookahead_tariff_slot_rate(&tariff, NULL));
    EXPECT(NULL_POINTER, bookahead_tariff_reserved(&tariff, 1, 1, NULL));
    EXPECT(NULL_POINTER, bookahead_tariff_best_effort(NULL, 1, 1, &price));
    tariff.factor = 0;
    EXPECT(TARIFF_OUT_OF_RANGE, bookahead_tariff_reserved(&tariff, 1, 1, &price));
    CHECK(price == 7);
    EXPECT(UNKNOWN_SEARCH, bookahead_search_from_name("", &number));
    EXPECT(UNKNOWN_ORDER, bookahead_offer_order_from_name("Longest", &number));
    EXPECT(UNKNOWN_DISCIPLINE, bookahead_discipline_from_name("easy ", &number));
    EXPECT(NULL_POINTER, bookahead_discipline_from_name(NULL, &number));
}

static void jobs_of_any_kind(struct bookahead_book *book) {
    struct bookahead_job other = job;
    struct bookahead_waiting_job jobs[2];
    struct bookahead_event event;
    uint64_t slot;
    uint32_t ticket = 7;
    size_t count;
    bool waiting;
    EXPECT(NULL_POINTER, bookahead_queue_submit(queue, book, NULL, &ticket));
    EXPECT(NULL_POINTER, bookahead_queue_submit(queue, book, &job, NULL));
    EXPECT(MISALIGNED, bookahead_queue_submit(queue, book, &job, (uint32_t *)off_by_one(&slot)));
    EXPECT(NULL_POINTER, bookahead_queue_advance(queue, book, 90, &event, 1, NULL, &waiting));
    EXPECT(NULL_POINTER, bookahead_queue_advance(queue, book, 90, NULL, 1, &count, &waiting));
    EXPECT(NULL_POINTER, bookahead_queue_next(queue, book, 90, NULL, &waiting));
    EXPECT(NULL_POINTER, bookahead_queue_next(queue, book, 90, &event, NULL));
    EXPECT(END_OF_TIME, bookahead_queue_next(queue, book, UINT64_MAX, &event, &waiting));
    EXPECT(OK, bookahead_queue_set_incarnation(queue, 1));
    EXPECT(FOREIGN_QUEUE, bookahead_queue_submit(queue, book, &job, &ticket));
    EXPECT(FOREIGN_QUEUE, bookahead_queue_next(queue, book, 90, &event, &waiting));
    EXPECT(FOREIGN_QUEUE, bookahead_queue_advance(queue, book, 90, &event, 1, &count, &waiting));
    EXPECT(OK, bookahead_queue_set_incarnation(queue, 0));
    EXPECT(NULL_POINTER, bookahead_queue_next_event(queue, book, NULL));
    EXPECT(NULL_POINTER, bookahead_queue_shadow(queue, book, NULL));
    EXPECT(NULL_POINTER, bookahead_queue_status(queue, NULL));
    EXPECT(NULL_POINTER, bookahead_queue_jobs(queue, 0, NULL, 1, &count));
    EXPECT(END_OF_TIME, bookahead_queue_advance(queue, book, UINT64_MAX, &event, 1, &count, &waiting));
    other.pes = 65537;
    EXPECT(TOO_WIDE, bookahead_queue_submit(queue, book, &other, &ticket));
    other.pes = 0;
    EXPECT(ZERO_PES, bookahead_queue_submit(queue, book, &other, &ticket));
    other.pes = 1;
    other.estimate = 0;
    EXPECT(ZERO_DURATION, bookahead_queue_submit(queue, book, &other, &ticket));
    other.estimate = SLOTS + 1;
    EXPECT(TOO_LONG, bookahead_queue_submit(queue, book, &other, &ticket));
    EXPECT(UNKNOWN_TICKET, bookahead_queue_withdraw(queue, 0));
    EXPECT(UNKNOWN_TICKET, bookahead_queue_withdraw(queue, 1));
    EXPECT(OK, bookahead_queue_jobs(queue, SIZE_MAX, jobs, 2, &count));
    CHECK(count == 0 && ticket == 7);
}

static struct bookahead_step step(uint32_t kind, struct bookahead_handle handle) {
    struct bookahead_step one;
    memset(&one, 0, sizeof one);
    one.kind = kind;
    one.handle = handle;
    one.alteration = later;
    one.request = request;
    one.placement.start = 10;
    one.placement.duration = 5;
    one.placement.pes = 2;
    return one;
}

/* A transaction of these steps answers that, of that step, and no savepoint, list or memory is in the way. */
#define REFUSES(CODE, failed, book, steps) \
    do { \
        struct bookahead_outcome outcome_; \
        EXPECT(CODE, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, sizeof steps / sizeof *steps, 0, NULL, 0, &outcome_)); \
        CHECK(outcome_.failed_step == (failed)); \
    } while (0)

/* Altering, splitting and transactions; `handle` is of a confirmed reservation that starts at 3, `ended` of one that is no more. */
static void moves_of_any_kind(struct bookahead_book *book, struct bookahead_handle handle, struct bookahead_handle ended) {
    struct bookahead_alteration change = later;
    struct bookahead_placement placement;
    struct bookahead_conflict conflict;
    struct bookahead_outcome outcome;
    struct bookahead_move move;
    struct bookahead_booking hold;
    struct bookahead_handle rest = {7};
    struct bookahead_step one[1], two[2], four[4];
    uint64_t words[32];
    uint32_t number;

    EXPECT(NULL_POINTER, bookahead_alter(book, handle, NULL, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    EXPECT(NULL_POINTER, bookahead_alter(book, handle, &later, workspace_of(NULL, 8), &placement, &conflict));
    EXPECT(NULL_POINTER, bookahead_alter(book, handle, &later, workspace_of(lent_memory, sizeof lent_memory), NULL, &conflict));
    EXPECT(NULL_POINTER, bookahead_alter(book, handle, &later, workspace_of(lent_memory, sizeof lent_memory), &placement, NULL));
    EXPECT(MISALIGNED, bookahead_alter(book, handle, &later, workspace_of(off_by_one(lent_memory), 80), &placement, &conflict));
    EXPECT(MOVE_LIMIT, bookahead_alter(book, handle, &later, workspace_of(NULL, 0), &placement, &conflict));
    EXPECT(MOVE_LIMIT, bookahead_alter(book, handle, &later, workspace_of(lent_memory, 71), &placement, &conflict));
    EXPECT(UNKNOWN_HANDLE, bookahead_alter(book, nobody, &later, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    EXPECT(STALE_HANDLE, bookahead_alter(book, ended, &later, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.kind = 6;
    EXPECT(UNKNOWN_ALTERATION, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.kind = UINT32_MAX;
    EXPECT(UNKNOWN_ALTERATION, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.kind = BOOKAHEAD_ALTERATION_KIND_SHIFT;
    change.start = UINT64_MAX;
    EXPECT(OUTSIDE_WINDOW, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.kind = BOOKAHEAD_ALTERATION_KIND_EXTEND;
    EXPECT(WRONG_DIRECTION, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.duration = UINT32_MAX;
    EXPECT(BEYOND_HORIZON, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.kind = BOOKAHEAD_ALTERATION_KIND_SHORTEN;
    EXPECT(WRONG_DIRECTION, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.duration = 0;
    EXPECT(ZERO_DURATION, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.kind = BOOKAHEAD_ALTERATION_KIND_NARROW;
    EXPECT(ZERO_PES, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.kind = BOOKAHEAD_ALTERATION_KIND_WIDEN;
    EXPECT(WRONG_DIRECTION, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.pes = PES + 1;
    EXPECT(TOO_WIDE, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.pes = 65536 + 3;
    EXPECT(TOO_WIDE, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.kind = BOOKAHEAD_ALTERATION_KIND_CHANGE_WINDOW;
    EXPECT(WINDOW_TOO_SHORT, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.deadline = UINT64_MAX;
    EXPECT(WINDOW_TOO_SHORT, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.ready = 90;
    change.deadline = SLOTS + 1;
    EXPECT(BEYOND_HORIZON, bookahead_alter(book, handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    EXPECT(NULL_POINTER, bookahead_alteration_from_name(NULL, &number));
    EXPECT(NULL_POINTER, bookahead_alteration_from_name("shift", NULL));
    EXPECT(UNKNOWN_ALTERATION, bookahead_alteration_from_name("Shift", &number));
    CHECK(bookahead_workspace_bytes(0, PES, 1, 0) == 0 && bookahead_workspace_bytes(BOOKAHEAD_BINDING_LATE, 0, 1, 0) == 0);
    CHECK(bookahead_workspace_bytes(BOOKAHEAD_BINDING_EARLY, 65536, 1, 0) == 0);

    EXPECT(NULL_POINTER, bookahead_split(book, handle, 5, workspace_of(lent_memory, sizeof lent_memory), NULL));
    EXPECT(NULL_POINTER, bookahead_split(book, handle, 5, workspace_of(NULL, 8), &rest));
    EXPECT(MISALIGNED, bookahead_split(book, handle, 5, workspace_of(off_by_one(lent_memory), 160), &rest));
    EXPECT(MOVE_LIMIT, bookahead_split(book, handle, 5, workspace_of(lent_memory, 80), &rest));
    EXPECT(OUTSIDE_WINDOW, bookahead_split(book, handle, 3, workspace_of(lent_memory, sizeof lent_memory), &rest));
    EXPECT(OUTSIDE_WINDOW, bookahead_split(book, handle, 8, workspace_of(lent_memory, sizeof lent_memory), &rest));
    EXPECT(OUTSIDE_WINDOW, bookahead_split(book, handle, UINT64_MAX, workspace_of(lent_memory, sizeof lent_memory), &rest));
    EXPECT(UNKNOWN_HANDLE, bookahead_split(book, nobody, 5, workspace_of(lent_memory, sizeof lent_memory), &rest));
    EXPECT(STALE_HANDLE, bookahead_split(book, ended, 5, workspace_of(lent_memory, sizeof lent_memory), &rest));
    CHECK(rest.bits == 7);

    one[0] = step(BOOKAHEAD_STEP_KIND_LIFT, handle);
    EXPECT(NULL_POINTER, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 9, one, 1, 0, NULL, 0, NULL));
    EXPECT(NULL_POINTER, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 9, NULL, 1, 0, NULL, 0, &outcome));
    EXPECT(NULL_POINTER, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 9, one, 1, 0, NULL, 1, &outcome));
    EXPECT(NULL_POINTER, bookahead_transaction(book, workspace_of(NULL, 8), 9, one, 1, 0, NULL, 0, &outcome));
    EXPECT(MISALIGNED, bookahead_transaction(book, workspace_of(off_by_one(lent_memory), 80), 9, one, 1, 0, NULL, 0, &outcome));
    EXPECT(MISALIGNED, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 9, (struct bookahead_step *)off_by_one(words), 1, 0, NULL, 0, &outcome));
    EXPECT(MISALIGNED, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 9, one, 1, 0, (struct bookahead_move *)off_by_one(words), 1, &outcome));
    EXPECT(UNKNOWN_ENDING, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 9, one, 1, 2, &move, 1, &outcome));
    EXPECT(MOVE_LIMIT, bookahead_transaction(book, workspace_of(lent_memory, 71), 9, one, 1, 0, &move, 1, &outcome));
    EXPECT(WORK_LIMIT, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 4, one, 1, 0, &move, 1, &outcome));
    CHECK(outcome.failed_step == 0 && outcome.work_left == 4 && one[0].code == BOOKAHEAD_CODE_WORK_LIMIT && outcome.conflict.listed == 0);
    REFUSES(STILL_LIFTED, 1U, book, one);
    one[0].kind = 13;
    REFUSES(UNKNOWN_STEP, 0U, book, one);
    one[0].kind = UINT32_MAX;
    REFUSES(UNKNOWN_STEP, 0U, book, one);

    memset(&move, 0, sizeof move);
    move.handle = handle;
    move.to.duration = 5;
    EXPECT(NULL_POINTER, bookahead_apply(book, workspace_of(lent_memory, sizeof lent_memory), 9, NULL, 1));
    EXPECT(NULL_POINTER, bookahead_apply(book, workspace_of(NULL, 8), 9, &move, 1));
    EXPECT(MISALIGNED, bookahead_apply(book, workspace_of(lent_memory, sizeof lent_memory), 9, (struct bookahead_move *)off_by_one(words), 1));
    EXPECT(BAD_MOVE, bookahead_apply(book, workspace_of(lent_memory, sizeof lent_memory), 9, &move, 1));
    move.from.duration = 5;
    EXPECT(STALE_PLAN, bookahead_apply(book, workspace_of(lent_memory, sizeof lent_memory), 9, &move, 1));
    {
        static struct bookahead_move many[BOOKAHEAD_MOST_MOVES + 1];
        EXPECT(TOO_MANY_PARTS, bookahead_apply(book, workspace_of(lent_memory, sizeof lent_memory), 9, many, BOOKAHEAD_MOST_MOVES + 1));
    }

    /* What is not lifted cannot be placed, what is lifted cannot be lifted, altered and split. */
    one[0] = step(BOOKAHEAD_STEP_KIND_PLACE, handle);
    REFUSES(NOT_LIFTED, 0U, book, one);
    one[0].kind = BOOKAHEAD_STEP_KIND_PLACE_FIRST_FIT;
    REFUSES(NOT_LIFTED, 0U, book, one);
    two[0] = step(BOOKAHEAD_STEP_KIND_LIFT, handle);
    two[1] = step(BOOKAHEAD_STEP_KIND_LIFT, handle);
    REFUSES(ALREADY_LIFTED, 1U, book, two);
    two[1].kind = BOOKAHEAD_STEP_KIND_ALTER;
    REFUSES(ALREADY_LIFTED, 1U, book, two);
    two[1].kind = BOOKAHEAD_STEP_KIND_SPLIT;
    REFUSES(ALREADY_LIFTED, 1U, book, two);
    two[1] = step(BOOKAHEAD_STEP_KIND_PLACE, handle);
    two[1].placement.duration = 0;
    REFUSES(ZERO_DURATION, 1U, book, two);
    two[1].placement.duration = UINT32_MAX;
    REFUSES(OUTSIDE_WINDOW, 1U, book, two);
    two[1].placement.duration = 5;
    two[1].placement.pes = 0;
    REFUSES(ZERO_PES, 1U, book, two);
    two[1].placement.pes = PES + 1;
    REFUSES(TOO_WIDE, 1U, book, two);
    two[1].placement.pes = 65536 + 2;
    REFUSES(TOO_WIDE, 1U, book, two);
    two[1].placement.pes = 2;
    two[1].placement.start = UINT64_MAX;
    REFUSES(OUTSIDE_WINDOW, 1U, book, two);
    two[1].kind = BOOKAHEAD_STEP_KIND_PLACE_FIRST_FIT;
    REFUSES(NO_ROOM, 1U, book, two);

    /* Reservations that are none, and steps that made none: later ones, other ones, itself. */
    one[0] = step(BOOKAHEAD_STEP_KIND_REMOVE, nobody);
    REFUSES(UNKNOWN_HANDLE, 0U, book, one);
    one[0].handle = ended;
    REFUSES(STALE_HANDLE, 0U, book, one);
    one[0].made_by = 1;
    REFUSES(UNKNOWN_HANDLE, 0U, book, one);
    one[0].made_by = UINT32_MAX;
    REFUSES(UNKNOWN_HANDLE, 0U, book, one);
    two[0] = step(BOOKAHEAD_STEP_KIND_SAVEPOINT, handle);
    two[0].made = handle;
    two[1] = step(BOOKAHEAD_STEP_KIND_REMOVE, handle);
    two[1].made_by = 1;
    REFUSES(UNKNOWN_HANDLE, 1U, book, two);
    one[0] = step(BOOKAHEAD_STEP_KIND_INSERT, nobody);
    one[0].commitment.kind = BOOKAHEAD_COMMITMENT_KIND_HELD;
    REFUSES(ZERO_HOLD, 0U, book, one);
    one[0].commitment.ttl = 1;
    one[0].placement.start = 16;
    REFUSES(OUTSIDE_WINDOW, 0U, book, one);
    one[0].request.pes = 65536 + 1;
    REFUSES(TOO_WIDE, 0U, book, one);
    one[0] = step(BOOKAHEAD_STEP_KIND_ALTER, handle);
    one[0].alteration.kind = 6;
    REFUSES(UNKNOWN_ALTERATION, 0U, book, one);

    /* Savepoints that nobody noted, or that are gone. */
    one[0] = step(BOOKAHEAD_STEP_KIND_ROLLBACK_TO, handle);
    REFUSES(BAD_SAVEPOINT, 0U, book, one);
    one[0].kind = BOOKAHEAD_STEP_KIND_ROLLBACK_IF_REFUSED;
    REFUSES(BAD_SAVEPOINT, 0U, book, one);
    one[0] = step(BOOKAHEAD_STEP_KIND_SAVEPOINT, handle);
    one[0].savepoint = BOOKAHEAD_SAVEPOINTS;
    REFUSES(BAD_SAVEPOINT, 0U, book, one);
    two[0] = step(BOOKAHEAD_STEP_KIND_SAVEPOINT, handle);
    two[1] = step(BOOKAHEAD_STEP_KIND_ROLLBACK_TO, handle);
    two[1].savepoint = UINT32_MAX;
    REFUSES(BAD_SAVEPOINT, 1U, book, two);
    {
        struct bookahead_step five[5];
        five[0] = step(BOOKAHEAD_STEP_KIND_SAVEPOINT, handle);
        five[1] = step(BOOKAHEAD_STEP_KIND_ALTER, handle);
        five[2] = step(BOOKAHEAD_STEP_KIND_SAVEPOINT, handle);
        five[2].savepoint = 1;
        five[3] = step(BOOKAHEAD_STEP_KIND_ROLLBACK_TO, handle);
        five[4] = step(BOOKAHEAD_STEP_KIND_ROLLBACK_TO, handle);
        five[4].savepoint = 1;
        REFUSES(BAD_SAVEPOINT, 4U, book, five);
    }

    /* A hold is not split; nothing of this has changed the book. The room for the hold is given back bit for bit, too. */
    four[0] = step(BOOKAHEAD_STEP_KIND_INSERT, handle);
    four[0].commitment = *held_for(3);
    four[1] = step(BOOKAHEAD_STEP_KIND_SPLIT, handle);
    four[1].made_by = 1;
    four[1].placement.start = 12;
    four[2] = four[3] = four[1];
    REFUSES(WRONG_STATE, 1U, book, four);
    four[1].optional = four[2].optional = four[3].optional = 1;
    EXPECT(OK, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, four, 4, BOOKAHEAD_ENDING_PLAN, &move, 1, &outcome));
    CHECK(outcome.moves == 1 && four[3].code == BOOKAHEAD_CODE_WRONG_STATE);
    EXPECT(UNKNOWN_HANDLE, bookahead_confirm(book, four[0].made));
    EXPECT(UNKNOWN_POLICY, bookahead_reserve(book, &request, 7, held_for(1), &hold));
}

/* Series, parts, and what is listed in an explanation. */
static void lists_of_any_kind(struct bookahead_book *book) {
    static const uint32_t both[] = {0, 1};
    struct bookahead_series other = series;
    struct bookahead_part parts[2];
    struct bookahead_request wide = request;
    struct bookahead_handle handles[2];
    struct bookahead_conflict conflict;
    struct bookahead_obstacle obstacle;
    struct bookahead_explanation explanation;
    uint64_t slot = 7, words[16];
    size_t count = 99;
    EXPECT(NULL_POINTER, bookahead_reserve_series(book, NULL, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_series(book, &series, 0, held_for(1), workspace_of(NULL, 8), handles, 2, &count, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_series(book, &series, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), NULL, 2, &count, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_series(book, &series, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, NULL, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_series(book, &series, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, NULL));
    EXPECT(MISALIGNED, bookahead_reserve_series(book, &series, 0, held_for(1), workspace_of(off_by_one(lent_memory), 80), handles, 2, &count, &conflict));
    EXPECT(ZERO_HOLD, bookahead_reserve_series(book, &series, 0, held_for(0), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    EXPECT(UNKNOWN_POLICY, bookahead_reserve_series(book, &series, 7, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    EXPECT(TOO_MANY_PARTS, bookahead_reserve_series(book, &series, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 1, &count, &conflict));
    EXPECT(TOO_MANY_PARTS, bookahead_reserve_series(book, &series, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), NULL, 0, &count, &conflict));
    EXPECT(MOVE_LIMIT, bookahead_reserve_series(book, &series, 0, held_for(1), workspace_of(lent_memory, 80), handles, 2, &count, &conflict));
    other.exception_count = 1;
    EXPECT(NULL_POINTER, bookahead_reserve_series(book, &other, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    other.exceptions = (const uint32_t *)off_by_one(words);
    EXPECT(MISALIGNED, bookahead_reserve_series(book, &other, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    other.exceptions = both;
    other.exception_count = SIZE_MAX;
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_reserve_series(book, &other, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    other.exception_count = 2;
    EXPECT(BAD_SERIES, bookahead_reserve_series(book, &other, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    other = series;
    other.period = 0;
    EXPECT(BAD_SERIES, bookahead_reserve_series(book, &other, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    other.count = UINT32_MAX;
    EXPECT(BAD_SERIES, bookahead_reserve_series(book, &other, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    other.period = UINT32_MAX;
    EXPECT(TOO_MANY_PARTS, bookahead_reserve_series(book, &other, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    other.count = 2;
    other.first.pes = 65536 + 1;
    EXPECT(TOO_WIDE, bookahead_reserve_series(book, &other, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    other.first.pes = 1;
    EXPECT(BEYOND_HORIZON, bookahead_reserve_series(book, &other, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));

    EXPECT(NULL_POINTER, bookahead_cancel_all(book, NULL, 1, &count));
    EXPECT(NULL_POINTER, bookahead_cancel_all(book, handles, 1, NULL));
    EXPECT(MISALIGNED, bookahead_cancel_all(book, (struct bookahead_handle *)off_by_one(words), 1, &count));
    EXPECT(OK, bookahead_reservations(book, 0, handles, 1, &count));
    CHECK(count == 1);
    handles[1] = nobody;
    count = 99;
    EXPECT(UNKNOWN_HANDLE, bookahead_cancel_all(book, handles, 2, &count));

    parts[0] = parts[1] = part;
    EXPECT(NULL_POINTER, bookahead_reserve_together(book, 3, 20, NULL, 1, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 1, &slot, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_together(book, 3, 20, parts, 1, held_for(1), workspace_of(NULL, 8), handles, 1, &slot, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_together(book, 3, 20, parts, 1, held_for(1), workspace_of(lent_memory, sizeof lent_memory), NULL, 1, &slot, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_together(book, 3, 20, parts, 1, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 1, NULL, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_together(book, 3, 20, parts, 1, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 1, &slot, NULL));
    EXPECT(MISALIGNED, bookahead_reserve_together(book, 3, 20, parts, 1, held_for(1), workspace_of(off_by_one(lent_memory), 80), handles, 1, &slot, &conflict));
    EXPECT(ZERO_HOLD, bookahead_reserve_together(book, 3, 20, parts, 0, held_for(0), workspace_of(lent_memory, sizeof lent_memory), handles, 1, &slot, &conflict));
    EXPECT(TOO_MANY_PARTS, bookahead_reserve_together(book, 3, 20, parts, 0, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 1, &slot, &conflict));
    EXPECT(TOO_MANY_PARTS, bookahead_reserve_together(book, 3, 20, parts, 2, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 1, &slot, &conflict));
    EXPECT(TOO_MANY_PARTS, bookahead_reserve_together(book, 3, 20, parts, SIZE_MAX, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, SIZE_MAX, &slot, &conflict));
    EXPECT(MOVE_LIMIT, bookahead_reserve_together(book, 3, 20, parts, 2, held_for(1), workspace_of(lent_memory, 80), handles, 2, &slot, &conflict));
    EXPECT(WINDOW_TOO_SHORT, bookahead_reserve_together(book, 3, 7, parts, 2, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &slot, &conflict));
    EXPECT(WINDOW_TOO_SHORT, bookahead_reserve_together(book, UINT64_MAX, 0, parts, 2, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &slot, &conflict));
    EXPECT(BEYOND_HORIZON, bookahead_reserve_together(book, 3, SLOTS + 1, parts, 2, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &slot, &conflict));
    parts[1].duration = 0;
    EXPECT(ZERO_DURATION, bookahead_reserve_together(book, 3, 20, parts, 2, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &slot, &conflict));
    parts[1].duration = parts[1].offset = UINT32_MAX;
    EXPECT(WINDOW_TOO_SHORT, bookahead_reserve_together(book, 3, 20, parts, 2, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &slot, &conflict));
    parts[1].pes = 0;
    EXPECT(ZERO_PES, bookahead_reserve_together(book, 3, 20, parts, 2, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &slot, &conflict));
    parts[1].pes = 65536 + 1;
    EXPECT(TOO_WIDE, bookahead_reserve_together(book, 3, 20, parts, 2, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &slot, &conflict));

    EXPECT(NULL_POINTER, bookahead_explain(book, NULL, &obstacle, 1, &count, &explanation));
    EXPECT(NULL_POINTER, bookahead_explain(book, &request, NULL, 1, &count, &explanation));
    EXPECT(NULL_POINTER, bookahead_explain(book, &request, &obstacle, 1, NULL, &explanation));
    EXPECT(NULL_POINTER, bookahead_explain(book, &request, &obstacle, 1, &count, NULL));
    EXPECT(MISALIGNED, bookahead_explain(book, &request, (struct bookahead_obstacle *)off_by_one(words), 1, &count, &explanation));
    wide.pes = 65536 + 1;
    EXPECT(TOO_WIDE, bookahead_explain(book, &wide, &obstacle, 1, &count, &explanation));
    wide.pes = PES;
    wide.deadline = SLOTS + 1;
    EXPECT(BEYOND_HORIZON, bookahead_explain(book, &wide, &obstacle, 1, &count, &explanation));
    CHECK(count == 99 && slot == 7);
    wide.deadline = 8;
    EXPECT(OK, bookahead_explain(book, &wide, NULL, 0, &count, &explanation));
    CHECK(count == 0 && explanation.more == 1 && explanation.later == 8);
}

/* Two books of the same bytes, but for what is only used during calls. */
static void check_same(uint32_t binding, const unsigned char *one, const unsigned char *other, size_t bytes) {
    /* With columns of 32 PEs: sets of 2 columns for the slots of 2 blocks, and of 2 columns for rows; then the other arrays by size. */
    const size_t suffixes = 96 + 2 * 128 * 4 + 2 * 16 * 4, starts = suffixes + 2 * 128 * 4;
    const size_t prefix = starts + 128 * 4 + 128 * 2 + 4 * 4 + 4 * 4 + ROWS * 64 + 2 * ROWS * 4, timers = prefix + 4 * 4;
    if (binding == BOOKAHEAD_BINDING_LATE) {
        CHECK(memcmp(one, other, bytes) == 0);
        return;
    }
    CHECK(bytes == (timers + ROWS * 8 + 2 * (BOOKAHEAD_BLOCK_ - 400) + 7) / 8 * 8);
    CHECK(memcmp(one, other, suffixes) == 0);
    CHECK(memcmp(one + starts, other + starts, prefix - starts) == 0);
    CHECK(memcmp(one + timers, other + timers, bytes - timers) == 0);
}

/* A transaction in which everything happens, refused at every step of it, for want of memory and of work, and only planned: each time all of
 * the book's bytes are what they were. */
static void refused_at_every_step(uint32_t binding) {
    enum { STEPS = 11 };
    const size_t bytes = bookahead_bytes(binding, PES, SLOTS, ROWS);
    unsigned char *const memory = (unsigned char *)malloc(bytes);
    unsigned char *const before = (unsigned char *)malloc(bytes);
    struct bookahead_request wide = request;
    struct bookahead_booking hold, running, vacated, confirmed;
    struct bookahead_event event;
    struct bookahead_step steps[STEPS + 1], cut[STEPS + 1];
    struct bookahead_move moves[ROWS];
    struct bookahead_outcome outcome;
    struct bookahead_book *book;
    size_t length, entries;
    uint64_t work, needed;
    bool happened;
    CHECK(memory != NULL && before != NULL);
    EXPECT(OK, bookahead_init(memory, bytes, binding, PES, SLOTS, ROWS, &book));
    EXPECT(OK, bookahead_reserve(book, &request, 0, NULL, &running));
    wide.pes = PES - 4;
    wide.deadline = 60;
    EXPECT(OK, bookahead_reserve(book, &wide, 0, NULL, &confirmed));
    EXPECT(OK, bookahead_reserve(book, &wide, 0, held_for(50), &hold));
    EXPECT(OK, bookahead_reserve(book, &request, 0, NULL, &vacated));
    EXPECT(OK, bookahead_next(book, 4, &event, &happened));
    CHECK(happened && event.handle.bits == running.handle.bits);
    EXPECT(OK, bookahead_cancel(book, vacated.handle));
    EXPECT(OK, bookahead_next(book, 4, &event, &happened));
    EXPECT(OK, bookahead_next(book, 4, &event, &happened));

    steps[0] = step(BOOKAHEAD_STEP_KIND_LIFT, hold.handle);
    steps[1] = step(BOOKAHEAD_STEP_KIND_INSERT, nobody);
    steps[1].request.ready = 5;
    steps[2] = step(BOOKAHEAD_STEP_KIND_SAVEPOINT, nobody);
    steps[3] = step(BOOKAHEAD_STEP_KIND_REMOVE, confirmed.handle);
    steps[4] = step(BOOKAHEAD_STEP_KIND_PLACE, hold.handle);
    steps[4].placement.start = 20;
    steps[4].placement.pes = PES;
    steps[5] = step(BOOKAHEAD_STEP_KIND_ALTER, running.handle);
    steps[5].alteration.kind = BOOKAHEAD_ALTERATION_KIND_NARROW;
    steps[5].alteration.pes = 1;
    steps[6] = step(BOOKAHEAD_STEP_KIND_ROLLBACK_TO, nobody);
    steps[7] = step(BOOKAHEAD_STEP_KIND_PLACE_FIRST_FIT, hold.handle);
    steps[7].placement.start = 30;
    steps[8] = step(BOOKAHEAD_STEP_KIND_ALTER, running.handle);
    steps[8].alteration.kind = BOOKAHEAD_ALTERATION_KIND_EXTEND;
    steps[8].alteration.duration = 7;
    steps[9] = step(BOOKAHEAD_STEP_KIND_REMOVE, confirmed.handle);
    steps[10] = step(BOOKAHEAD_STEP_KIND_ALTER, nobody);
    steps[10].made_by = 2;
    steps[10].alteration.kind = BOOKAHEAD_ALTERATION_KIND_SHIFT;
    steps[10].alteration.start = 11;

    memcpy(before, memory, bytes);
    EXPECT(OK, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, STEPS, BOOKAHEAD_ENDING_PLAN, moves, ROWS, &outcome));
    CHECK(outcome.moves == 4 && outcome.more_moves == 0 && outcome.failed_step == STEPS);
    check_same(binding, before, memory, bytes);
    needed = 1000 - outcome.work_left;
    for (length = 0; length <= STEPS; length++) {
        memcpy(cut, steps, sizeof cut);
        cut[length] = step(UINT32_MAX, nobody);
        EXPECT(UNKNOWN_STEP, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, cut, length + 1, 0, moves, ROWS, &outcome));
        CHECK(outcome.failed_step == length);
        check_same(binding, before, memory, bytes);
    }
    for (work = 0; work < needed; work++) {
        EXPECT(WORK_LIMIT, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), work, steps, STEPS, 0, moves, ROWS, &outcome));
        check_same(binding, before, memory, bytes);
    }
    /* Five reservations are touched before the rollback or after it, and with the one that is moved again six at a time at most. */
    for (entries = 0; bookahead_transaction(book, workspace_of(lent_memory, bookahead_workspace_bytes(binding, PES, (uint32_t)entries, 0)), needed, steps, STEPS,
                                            BOOKAHEAD_ENDING_PLAN, moves, ROWS, &outcome) != BOOKAHEAD_CODE_OK; entries++) {
        CHECK(steps[outcome.failed_step].code == BOOKAHEAD_CODE_MOVE_LIMIT);
        check_same(binding, before, memory, bytes);
    }
    CHECK(entries > 3 && entries <= 6);
    check_same(binding, before, memory, bytes);
    EXPECT(OK, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), needed, steps, STEPS, BOOKAHEAD_ENDING_COMMIT, moves, ROWS, &outcome));
    CHECK(outcome.work_left == 0 && memcmp(before, memory, bytes) != 0);
    EXPECT(OK, bookahead_check_invariants(book));
    free(before);
    free(memory);
}

/* Bytes behind the first ones that are not what they were: whatever is answered, calls stay inside the memory, as the sanitizer of the library
 * sees. */
static void damaged_of_any_kind(uint32_t binding) {
    const size_t bytes = bookahead_bytes(binding, PES, SLOTS, ROWS), queue_bytes = bookahead_queue_bytes(2);
    unsigned char *const memory = (unsigned char *)malloc(bytes);
    unsigned char *const jobs = (unsigned char *)malloc(queue_bytes);
    struct bookahead_book *book;
    struct bookahead_queue *waiting_jobs;
    struct bookahead_booking booking, hold;
    uint32_t random = 5, ticket;
    size_t round, found = 0;
    CHECK(memory != NULL && jobs != NULL);
    for (round = 0; round < 2000; round++) {
        struct bookahead_step steps[4];
        struct bookahead_move moves[2];
        struct bookahead_outcome outcome;
        struct bookahead_placement placement;
        struct bookahead_conflict conflict;
        struct bookahead_handle handles[4], rest;
        struct bookahead_obstacle obstacle;
        struct bookahead_explanation explanation;
        struct bookahead_event events[4];
        struct bookahead_waiting_job listed[2];
        const struct bookahead_workspace lent = {lent_memory, sizeof lent_memory, 4};
        struct bookahead_juggled juggled;
        struct bookahead_alternative found_one;
        struct bookahead_suggested suggested;
        struct bookahead_plan plan;
        struct bookahead_queue_status status;
        uint64_t start;
        size_t count, strokes;
        bool happened;
        EXPECT(OK, bookahead_init(memory, bytes, binding, PES, SLOTS, ROWS, &book));
        EXPECT(OK, bookahead_queue_init(jobs, queue_bytes, 1, 2, &waiting_jobs));
        EXPECT(OK, bookahead_reserve(book, &request, 0, NULL, &booking));
        EXPECT(OK, bookahead_reserve(book, &request, 0, held_for(9), &hold));
        EXPECT(OK, bookahead_queue_submit(waiting_jobs, book, &job, &ticket));
        for (strokes = 0; strokes <= round % 5; strokes++) {
            random = random * 1664525 + 1013904223;
            memory[24 + (random >> 8) % (bytes - 24)] = (unsigned char)(random >> 3);
            random = random * 1664525 + 1013904223;
            jobs[16 + (random >> 8) % (queue_bytes - 16)] = (unsigned char)(random >> 3);
        }
        /* Sizes that are not those in the first bytes are seen at once. */
        if (bookahead_open(memory, bytes, &book) != BOOKAHEAD_CODE_OK) {
            found += 2;
            continue;
        }
        found += bookahead_check_invariants(book) != BOOKAHEAD_CODE_OK;
        found += bookahead_queue_check_invariants(waiting_jobs, book) != BOOKAHEAD_CODE_OK;
        steps[0] = step(BOOKAHEAD_STEP_KIND_LIFT, booking.handle);
        steps[1] = step(BOOKAHEAD_STEP_KIND_ALTER, hold.handle);
        steps[2] = step(BOOKAHEAD_STEP_KIND_PLACE_FIRST_FIT, booking.handle);
        steps[3] = step(BOOKAHEAD_STEP_KIND_INSERT, nobody);
        (void)bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, 4, round % 2, moves, 2, &outcome);
        (void)bookahead_alter(book, booking.handle, &later, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict);
        (void)bookahead_split(book, booking.handle, 5, workspace_of(lent_memory, sizeof lent_memory), &rest);
        (void)bookahead_reserve_series(book, &series, 1, NULL, workspace_of(lent_memory, sizeof lent_memory), handles, 4, &count, &conflict);
        (void)bookahead_reserve_together(book, 3, 20, &part, 1, held_for(1), workspace_of(lent_memory, sizeof lent_memory), handles, 1, &start, &conflict);
        (void)bookahead_juggle(book, &request, &flexible, &rules, &lent, (uint32_t)(round % 2), NULL, 0, &juggled);
        (void)bookahead_replan(book, &rules, &lent, (uint32_t)(round % 2), NULL, 0, &juggled);
        (void)bookahead_shift_in(book, &request, &flexible, &aside, workspace_of(lent_memory, sizeof lent_memory), (uint32_t)(round % 2), NULL, 0, &juggled);
        (void)bookahead_alternatives(book, &request, &flexible, &rules, &suggesting, &lent, &found_one, 1, &count, &suggested);
        (void)bookahead_freeze(book, hold.handle);
        (void)bookahead_plan_mouldable(book, 3, 20, &form, 1, (uint32_t)(round % 7), (uint32_t)(round % 3), &prices, &plan, &start);
        (void)bookahead_explain(book, &request, &obstacle, 1, &count, &explanation);
        (void)bookahead_covering(book, 0, 50, 0, handles, 4, &count);
        (void)bookahead_queue_jobs(waiting_jobs, 0, listed, 2, &count);
        (void)bookahead_queue_status(waiting_jobs, &status);
        (void)bookahead_queue_shadow(waiting_jobs, book, &start);
        (void)bookahead_queue_next(waiting_jobs, book, 6, events, &happened);
        (void)bookahead_queue_advance(waiting_jobs, book, 20, events, 4, &count, &happened);
        (void)bookahead_next(book, 30, events, &happened);
        (void)bookahead_cancel_all(book, &hold.handle, 1, &count);
    }
    /* Most strokes hit something that has to hold; others hit scratch memory, or what is free to be anything. */
    CHECK(found > 2000);
    free(jobs);
    free(memory);
}

/* Shifting with bad pointers, numbers and memory changes nothing. */
static void shifting_of_any_kind(uint32_t binding) {
    const size_t bytes = bookahead_bytes(binding, PES, SLOTS, ROWS);
    unsigned char *const memory = (unsigned char *)malloc(bytes), *const before = (unsigned char *)malloc(bytes);
    const struct bookahead_commitment hold = {BOOKAHEAD_COMMITMENT_KIND_HELD, 0, 0, 0, 0};
    struct bookahead_commitment promise = flexible;
    struct bookahead_shifting bad = aside;
    struct bookahead_book *book;
    struct bookahead_juggled shifted;
    struct bookahead_move move;
    uint64_t words[4] = {0, 0, 0, 0};
    CHECK(memory != NULL && before != NULL);
    EXPECT(OK, bookahead_init(memory, bytes, binding, PES, SLOTS, ROWS, &book));
    memcpy(before, memory, bytes);

    EXPECT(NULL_POINTER, bookahead_shift_in(book, NULL, &flexible, &aside, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 0, &shifted));
    EXPECT(MISALIGNED, bookahead_shift_in(book, &request, (const struct bookahead_commitment *)off_by_one(words), &aside, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 0, &shifted));
    EXPECT(NULL_POINTER, bookahead_shift_in(book, &request, &flexible, NULL, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 0, &shifted));
    EXPECT(NULL_POINTER, bookahead_shift_in(book, &request, &flexible, &aside, workspace_of(NULL, 72), 0, NULL, 0, &shifted));
    EXPECT(NULL_POINTER, bookahead_shift_in(book, &request, &flexible, &aside, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 1, &shifted));
    EXPECT(NULL_POINTER, bookahead_shift_in(book, &request, &flexible, &aside, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 0, NULL));
    EXPECT(MISALIGNED, bookahead_shift_in(book, &request, &flexible, &aside, workspace_of(off_by_one(lent_memory), 72), 0, NULL, 0, &shifted));
    EXPECT(MISALIGNED, bookahead_shift_in(book, &request, &flexible, &aside, workspace_of(lent_memory, sizeof lent_memory), 0, (struct bookahead_move *)off_by_one(&move), 1,
                                          &shifted));
    EXPECT(UNKNOWN_ENDING, bookahead_shift_in(book, &request, &flexible, &aside, workspace_of(lent_memory, sizeof lent_memory), 2, NULL, 0, &shifted));
    bad.direction = 2;
    EXPECT(UNKNOWN_RULE, bookahead_shift_in(book, &request, &flexible, &bad, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 0, &shifted));
    bad = aside;
    bad.insertion = 3;
    EXPECT(UNKNOWN_RULE, bookahead_shift_in(book, &request, &flexible, &bad, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 0, &shifted));
    bad.insertion = UINT32_MAX;
    EXPECT(UNKNOWN_RULE, bookahead_shift_in(book, &request, &flexible, &bad, workspace_of(lent_memory, sizeof lent_memory), 1, NULL, 0, &shifted));
    promise.flexibility = 3;
    EXPECT(UNKNOWN_FLEXIBILITY, bookahead_shift_in(book, &request, &promise, &aside, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 0, &shifted));
    promise = flexible;
    promise.freeze = 4;
    EXPECT(UNKNOWN_FREEZE, bookahead_shift_in(book, &request, &promise, &aside, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 0, &shifted));
    EXPECT(ZERO_HOLD, bookahead_shift_in(book, &request, &hold, &aside, workspace_of(lent_memory, sizeof lent_memory), 0, NULL, 0, &shifted));
    CHECK(memcmp(before, memory, bytes) == 0);

    /* The greatest numbers are as good as any. */
    bad = aside;
    bad.depth = UINT32_MAX;
    bad.max_moves = UINT32_MAX;
    bad.earliest = UINT64_MAX;
    bad.work = UINT64_MAX;
    EXPECT(OK, bookahead_shift_in(book, &request, &flexible, &bad, workspace_of(lent_memory, sizeof lent_memory), 1, NULL, 0, &shifted));
    free(before);
    free(memory);
}

/* Juggling with bad pointers, numbers and memory changes nothing. */
static void juggling_of_any_kind(uint32_t binding) {
    const size_t bytes = bookahead_bytes(binding, PES, SLOTS, ROWS);
    unsigned char *const memory = (unsigned char *)malloc(bytes);
    const struct bookahead_workspace lent = {lent_memory, sizeof lent_memory, 4};
    const struct bookahead_commitment hold = {BOOKAHEAD_COMMITMENT_KIND_HELD, 0, 0, 0, 0};
    struct bookahead_workspace other = lent;
    struct bookahead_juggling bad = rules;
    struct bookahead_commitment promise = flexible;
    struct bookahead_suggesting side = suggesting;
    struct bookahead_book *book;
    struct bookahead_juggled juggled;
    struct bookahead_plan plan;
    struct bookahead_handle handle;
    struct bookahead_alternative found;
    struct bookahead_suggested suggested;
    uint64_t words[4] = {0, 0, 0, 0};
    size_t count = 99;
    uint32_t number = 0;
    bool frozen = false;
    CHECK(memory != NULL);
    EXPECT(OK, bookahead_init(memory, bytes, binding, PES, SLOTS, ROWS, &book));
    EXPECT(OK, bookahead_plan(book, &request, 0, &plan));

    EXPECT(NULL_POINTER, bookahead_juggle(book, NULL, &flexible, &rules, &lent, 0, NULL, 0, &juggled));
    EXPECT(MISALIGNED, bookahead_juggle(book, &request, (const struct bookahead_commitment *)off_by_one(words), &rules, &lent, 0, NULL, 0, &juggled));
    EXPECT(NULL_POINTER, bookahead_juggle(book, &request, &flexible, NULL, &lent, 0, NULL, 0, &juggled));
        EXPECT(NULL_POINTER, bookahead_juggle(book, &request, &flexible, &rules, &lent, 0, NULL, 1, &juggled));
    EXPECT(NULL_POINTER, bookahead_juggle(book, &request, &flexible, &rules, &lent, 0, NULL, 0, NULL));
    EXPECT(MISALIGNED, bookahead_juggle(book, &request, &flexible, &rules, (const struct bookahead_workspace *)off_by_one(words), 0, NULL, 0,
                                        &juggled));
    EXPECT(UNKNOWN_ENDING, bookahead_juggle(book, &request, &flexible, &rules, &lent, 2, NULL, 0, &juggled));
    EXPECT(NULL_POINTER, bookahead_replan(book, NULL, &lent, 0, NULL, 0, &juggled));
    EXPECT(MISALIGNED, bookahead_replan(book, &rules, (const struct bookahead_workspace *)off_by_one(words), 0, NULL, 0, &juggled));
    EXPECT(NULL_POINTER, bookahead_replan(book, &rules, &lent, 0, NULL, 0, NULL));
    EXPECT(UNKNOWN_ENDING, bookahead_replan(book, &rules, &lent, UINT32_MAX, NULL, 0, &juggled));
    EXPECT(MISALIGNED, bookahead_commit(book, &plan, (const struct bookahead_commitment *)off_by_one(words), &handle));
    EXPECT(NULL_POINTER, bookahead_commit(book, NULL, &flexible, &handle));
    EXPECT(NULL_POINTER, bookahead_commit(book, &plan, &flexible, NULL));
    EXPECT(ZERO_HOLD, bookahead_commit(book, &plan, &hold, &handle));
    EXPECT(ZERO_HOLD, bookahead_juggle(book, &request, &hold, &rules, &lent, 0, NULL, 0, &juggled));
    EXPECT(NULL_POINTER, bookahead_is_frozen(book, nobody, NULL));
    EXPECT(UNKNOWN_HANDLE, bookahead_is_frozen(book, nobody, &frozen));
    EXPECT(UNKNOWN_HANDLE, bookahead_freeze(book, nobody));

    other.memory = NULL;
    EXPECT(NULL_POINTER, bookahead_juggle(book, &request, &flexible, &rules, &other, 0, NULL, 0, &juggled));
    other.memory = off_by_one(lent_memory);
    EXPECT(MISALIGNED, bookahead_replan(book, &rules, &other, 0, NULL, 0, &juggled));
    other = lent;
    other.memory = off_by_one(lent_memory);
    EXPECT(MISALIGNED, bookahead_alternatives(book, &request, &flexible, &rules, &suggesting, &other, &found, 1, &count, &suggested));
    /* More than there are bytes for is as much as there are bytes for. */
    other = lent;
    other.waiting = SIZE_MAX;
    EXPECT(OK, bookahead_replan(book, &rules, &other, 1, NULL, 0, &juggled));

    bad.order = 6;
    EXPECT(UNKNOWN_ORDER, bookahead_juggle(book, &request, &flexible, &bad, &lent, 0, NULL, 0, &juggled));
    bad.order = BOOKAHEAD_ORDER_REVENUE;
    EXPECT(NULL_POINTER, bookahead_replan(book, &bad, &lent, 0, NULL, 0, &juggled));
    bad = rules;
    bad.admission = 2;
    EXPECT(UNKNOWN_RULE, bookahead_replan(book, &bad, &lent, 0, NULL, 0, &juggled));
    bad = rules;
    bad.after_failure = 256;
    EXPECT(UNKNOWN_RULE, bookahead_juggle(book, &request, &flexible, &bad, &lent, 0, NULL, 0, &juggled));
    promise.flexibility = 3;
    EXPECT(UNKNOWN_FLEXIBILITY, bookahead_juggle(book, &request, &promise, &rules, &lent, 0, NULL, 0, &juggled));
    promise = flexible;
    promise.freeze = 4;
    EXPECT(UNKNOWN_FREEZE, bookahead_commit(book, &plan, &promise, &handle));
    EXPECT(UNKNOWN_ORDER, bookahead_order_from_name("sjf", &number));
    EXPECT(UNKNOWN_FLEXIBILITY, bookahead_flexibility_from_name("none", &number));
    EXPECT(UNKNOWN_FREEZE, bookahead_freeze_rule_from_name("late", &number));

    EXPECT(NULL_POINTER, bookahead_alternatives(book, NULL, &flexible, &rules, &suggesting, &lent, &found, 1, &count, &suggested));
    EXPECT(MISALIGNED, bookahead_alternatives(book, &request, (const struct bookahead_commitment *)off_by_one(words), &rules, &suggesting, &lent, &found, 1, &count, &suggested));
    EXPECT(NULL_POINTER, bookahead_alternatives(book, &request, &flexible, NULL, &suggesting, &lent, &found, 1, &count, &suggested));
    EXPECT(NULL_POINTER, bookahead_alternatives(book, &request, &flexible, &rules, NULL, &lent, &found, 1, &count, &suggested));
    EXPECT(MISALIGNED, bookahead_alternatives(book, &request, &flexible, &rules, &suggesting, (const struct bookahead_workspace *)off_by_one(words), &found, 1, &count,
                                              &suggested));
    EXPECT(NULL_POINTER, bookahead_alternatives(book, &request, &flexible, &rules, &suggesting, &lent, NULL, 1, &count, &suggested));
    EXPECT(NULL_POINTER, bookahead_alternatives(book, &request, &flexible, &rules, &suggesting, &lent, &found, 1, NULL, &suggested));
    EXPECT(NULL_POINTER, bookahead_alternatives(book, &request, &flexible, &rules, &suggesting, &lent, &found, 1, &count, NULL));
    side.sides = 3;
    EXPECT(UNKNOWN_RULE, bookahead_alternatives(book, &request, &flexible, &rules, &side, &lent, &found, 1, &count, &suggested));
    side.sides = 0;
    side.behind = 2;
    EXPECT(UNKNOWN_RULE, bookahead_alternatives(book, &request, &flexible, &rules, &side, &lent, &found, 1, &count, &suggested));

    /* None of that has changed anything, so the plan is good. */
    EXPECT(OK, bookahead_commit(book, &plan, &flexible, &handle));
    EXPECT(STALE_PLAN, bookahead_commit(book, &plan, &flexible, &handle));
    EXPECT(OK, bookahead_check_invariants(book));
    free(memory);
}

static void calls_of_any_kind(uint32_t binding) {
    const size_t bytes = bookahead_bytes(binding, PES, SLOTS, ROWS);
    unsigned char *const memory = (unsigned char *)malloc(bytes);
    struct bookahead_book *book;
    struct bookahead_booking booking, ended;
    struct bookahead_plan plan, forged;
    struct bookahead_request other = request;
    struct bookahead_reservation reservation;
    struct bookahead_handle handles[2], handle = {1};
    struct bookahead_event events[2];
    struct bookahead_commitment promise = flexible;
    uint64_t words[4] = {0, 0, 0, 0};
    uint32_t policy;
    size_t count = 99;
    bool waiting;
    CHECK(memory != NULL);
    EXPECT(OK, bookahead_init(memory, bytes, binding, PES, SLOTS, ROWS, &book));
    EXPECT(OK, bookahead_reserve(book, &request, 0, NULL, &ended));
    EXPECT(OK, bookahead_cancel(book, ended.handle));
    EXPECT(OK, bookahead_reserve(book, &request, 0, NULL, &booking));
    EXPECT(OK, bookahead_plan(book, &request, 0, &plan));

    EXPECT(NULL_POINTER, bookahead_reserve(book, NULL, 0, NULL, &booking));
    EXPECT(NULL_POINTER, bookahead_reserve(book, &request, 0, NULL, NULL));
    EXPECT(MISALIGNED, bookahead_reserve(book, (struct bookahead_request *)off_by_one(words), 0, NULL, &booking));
    EXPECT(MISALIGNED, bookahead_reserve(book, &request, 0, NULL, (struct bookahead_booking *)off_by_one(words)));
    EXPECT(NULL_POINTER, bookahead_plan(book, NULL, 0, &plan));
    EXPECT(NULL_POINTER, bookahead_plan(book, &request, 0, NULL));
    EXPECT(NULL_POINTER, bookahead_plan_mouldable(book, 3, 20, NULL, 1, 0, 0, &prices, &plan, words));
    EXPECT(NULL_POINTER, bookahead_plan_mouldable(book, 3, 20, &form, 1, 0, 0, NULL, &plan, words));
    EXPECT(NULL_POINTER, bookahead_plan_mouldable(book, 3, 20, &form, 1, 0, 0, &prices, NULL, words));
    EXPECT(NULL_POINTER, bookahead_plan_mouldable(book, 3, 20, &form, 1, 0, 0, &prices, &plan, NULL));
    EXPECT(MISALIGNED, bookahead_plan_mouldable(book, 3, 20, (const struct bookahead_form *)off_by_one(words), 1, 0, 0, &prices, &plan, words));
    EXPECT(UNKNOWN_POLICY, bookahead_plan_mouldable(book, 3, 20, &form, 1, 7, 0, &prices, &plan, words));
    EXPECT(UNKNOWN_CHOICE, bookahead_plan_mouldable(book, 3, 20, &form, 1, 0, 3, &prices, &plan, words));
    EXPECT(UNKNOWN_CHOICE, bookahead_plan_mouldable(book, 3, 20, &form, 1, 0, 256, &prices, &plan, words));
    EXPECT(TARIFF_OUT_OF_RANGE, bookahead_plan_mouldable(book, 3, 20, &form, 1, 0, 0, &no_tariff, &plan, words));
    EXPECT(TOO_MANY_PARTS, bookahead_plan_mouldable(book, 3, 20, &form, SIZE_MAX, 0, 0, &prices, &plan, words));
    EXPECT(NO_FORMS, bookahead_plan_mouldable(book, 3, 20, &form, 0, 0, 0, &prices, &plan, words));
    EXPECT(ZERO_PES, bookahead_plan_mouldable(book, 3, 20, &no_pes, 1, 0, 0, &prices, &plan, words));
    EXPECT(TOO_WIDE, bookahead_plan_mouldable(book, 3, 20, &too_wide, 1, 0, 0, &prices, &plan, words));
    EXPECT(WINDOW_TOO_SHORT, bookahead_plan_mouldable(book, 20, 3, &form, 1, 0, 0, &prices, &plan, words));
    EXPECT(NULL_POINTER, bookahead_malleable_forms(9, 1, 2, 0, NULL, 1, &count));
    EXPECT(NULL_POINTER, bookahead_malleable_forms(9, 1, 2, 0, NULL, 0, NULL));
    EXPECT(TOO_WIDE, bookahead_malleable_forms(9, 1, 65536, 0, NULL, 0, &count));
    EXPECT(OK, bookahead_malleable_forms(UINT64_MAX, 0, 65535, SIZE_MAX, NULL, 0, &count));
    CHECK(count == 0);
    EXPECT(NULL_POINTER, bookahead_price(NULL, &request, words));
    EXPECT(NULL_POINTER, bookahead_price(&prices, NULL, words));
    EXPECT(NULL_POINTER, bookahead_price(&prices, &request, NULL));
    EXPECT(UNKNOWN_CHOICE, bookahead_form_choice_from_name("latest-end", &policy));
    EXPECT(NULL_POINTER, bookahead_commit(book, NULL, NULL, &handle));
    EXPECT(NULL_POINTER, bookahead_commit(book, &plan, NULL, NULL));
    EXPECT(NULL_POINTER, bookahead_reserve(book, &request, 0, held_for(1), NULL));
    EXPECT(NULL_POINTER, bookahead_get(book, booking.handle, NULL));
    EXPECT(NULL_POINTER, bookahead_status(book, NULL));
    EXPECT(NULL_POINTER, bookahead_next_event(book, NULL));
    EXPECT(NULL_POINTER, bookahead_free_during(book, 0, 1, NULL));
    EXPECT(NULL_POINTER, bookahead_rectangle(book, 0, 1, NULL));
    EXPECT(NULL_POINTER, bookahead_advance(book, 90, events, 2, NULL, &waiting));
    EXPECT(NULL_POINTER, bookahead_advance(book, 90, events, 2, &count, NULL));
    EXPECT(NULL_POINTER, bookahead_advance(book, 90, NULL, 2, &count, &waiting));
    EXPECT(MISALIGNED, bookahead_advance(book, 90, (struct bookahead_event *)off_by_one(words), 1, &count, &waiting));
    EXPECT(NULL_POINTER, bookahead_next(book, 90, NULL, &waiting));
    EXPECT(NULL_POINTER, bookahead_next(book, 90, events, NULL));
    EXPECT(MISALIGNED, bookahead_next(book, 90, (struct bookahead_event *)off_by_one(words), &waiting));
    EXPECT(END_OF_TIME, bookahead_next(book, UINT64_MAX, events, &waiting));
    EXPECT(NULL_POINTER, bookahead_covering(book, 3, 4, 0, NULL, 1, &count));
    EXPECT(NULL_POINTER, bookahead_covering(book, 3, 4, 0, handles, 1, NULL));
    EXPECT(NULL_POINTER, bookahead_reservations(book, 0, NULL, 2, &count));
    EXPECT(NULL_POINTER, bookahead_reservations(book, 0, handles, 2, NULL));
    EXPECT(NULL_POINTER, bookahead_pes_of(book, booking.handle, 0, NULL, 1, &count));
    EXPECT(NULL_POINTER, bookahead_starting_at(book, 3, 0, NULL, 1, &count));
    EXPECT(NULL_POINTER, bookahead_records(book, 0, NULL, 1, &count));
    EXPECT(NULL_POINTER, bookahead_candidate_starts(book, &request, 0, NULL, 1, &count));
    EXPECT(NULL_POINTER, bookahead_candidate_starts(book, NULL, 0, words, 1, &count));
    EXPECT(NULL_POINTER, bookahead_policy_from_name(NULL, &policy));
    EXPECT(NULL_POINTER, bookahead_policy_from_name("first-fit", NULL));
    EXPECT(UNKNOWN_POLICY, bookahead_policy_from_name("first", &policy));
    EXPECT(NULL_POINTER, bookahead_seconds(NULL, 1, words));
    words[0] = 0;
    EXPECT(TIME_OUT_OF_RANGE, bookahead_seconds((const struct bookahead_clock *)(const void *)words, 1, &words[3]));

    EXPECT(UNKNOWN_POLICY, bookahead_reserve(book, &request, 7, NULL, &booking));
    EXPECT(UNKNOWN_POLICY, bookahead_reserve(book, &request, 256, held_for(1), &booking));
    EXPECT(UNKNOWN_POLICY, bookahead_plan(book, &request, UINT32_MAX, &plan));
    promise.kind = 3;
    EXPECT(UNKNOWN_COMMITMENT, bookahead_reserve(book, &request, 7, &promise, &booking));
    promise.kind = UINT32_MAX;
    EXPECT(UNKNOWN_COMMITMENT, bookahead_reserve(book, &request, 0, &promise, &booking));
    EXPECT(ZERO_HOLD, bookahead_reserve(book, &request, 0, held_for(0), &booking));
    EXPECT(MISALIGNED, bookahead_reserve(book, &request, 0, (const struct bookahead_commitment *)off_by_one(words), &booking));
    EXPECT(STALE_HANDLE, bookahead_cancel(book, ended.handle));
    EXPECT(STALE_HANDLE, bookahead_get(book, ended.handle, &reservation));
    EXPECT(UNKNOWN_HANDLE, bookahead_confirm(book, nobody));
    EXPECT(UNKNOWN_HANDLE, bookahead_pes_of(book, nobody, 0, NULL, 0, &count));
    EXPECT(NOT_HELD, bookahead_confirm(book, booking.handle));
    EXPECT(NOT_RUNNING, bookahead_complete(book, booking.handle, 5));
    EXPECT(END_OF_TIME, bookahead_advance(book, UINT64_MAX, events, 2, &count, &waiting));
    EXPECT(OUTSIDE_RING, bookahead_free_during(book, UINT64_MAX, 0, &policy));

    /* A number that 16 bits would take for 1. */
    other.pes = 65537;
    EXPECT(TOO_WIDE, bookahead_reserve(book, &other, 0, NULL, &booking));
    other = request;
    other.duration = 0;
    EXPECT(ZERO_DURATION, bookahead_reserve(book, &other, 0, NULL, &booking));
    other.duration = UINT32_MAX;
    other.deadline = UINT64_MAX;
    CHECK(bookahead_reserve(book, &other, 0, NULL, &booking) != BOOKAHEAD_CODE_OK);

    /* Plans that nobody has made. */
    forged = plan;
    forged.start = 2;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, NULL, &handle));
    forged.start = 16;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, NULL, &handle));
    forged = plan;
    forged.version++;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, NULL, &handle));
    forged = plan;
    forged.incarnation++;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, NULL, &handle));
    forged = plan;
    forged.request.pes = PES;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, NULL, &handle));
    forged.request.pes = 65536 + 1;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, NULL, &handle));
    CHECK(handle.bits == 1);

    queue_of_any_kind(book);
    offers_of_any_kind(book);
    jobs_of_any_kind(book);
    moves_of_any_kind(book, booking.handle, ended.handle);
    lists_of_any_kind(book);

    /* Lists past their end. */
    EXPECT(OK, bookahead_reservations(book, SIZE_MAX, handles, 2, &count));
    CHECK(count == 0);
    EXPECT(OK, bookahead_starting_at(book, UINT64_MAX, 0, handles, 2, &count));
    CHECK(count == 0);
    /* Windows that are none. */
    EXPECT(OK, bookahead_covering(book, UINT64_MAX, 0, 0, handles, 2, &count));
    CHECK(count == 0);
    EXPECT(OK, bookahead_covering(book, 0, UINT64_MAX, SIZE_MAX, handles, 2, &count));
    CHECK(count == 0);
    /* All the while nothing has changed, or the plan would be stale. */
    EXPECT(OK, bookahead_commit(book, &plan, NULL, &handle));
    EXPECT(OK, bookahead_check_invariants(book));
    free(memory);
}

int main(void) {
    const uint32_t bindings[] = {BOOKAHEAD_BINDING_LATE, BOOKAHEAD_BINDING_EARLY};
    size_t i;
    EXPECT(OK, bookahead_queue_init(queue_memory, sizeof queue_memory, BOOKAHEAD_DISCIPLINE_EASY, 2, &queue));
    for (i = 0; i < 2; i++) {
        memory_of_any_kind(bindings[i]);
        calls_of_any_kind(bindings[i]);
        juggling_of_any_kind(bindings[i]);
        shifting_of_any_kind(bindings[i]);
        refused_at_every_step(bindings[i]);
        damaged_of_any_kind(bindings[i]);
    }
    CHECK(strcmp(bookahead_code_name(UINT32_MAX), "unknown") == 0);
    CHECK(strcmp(bookahead_event_name(0), "unknown") == 0 && strcmp(bookahead_state_name(99), "unknown") == 0);
    puts("hostile: every mistake is noticed");
    return 0;
}
