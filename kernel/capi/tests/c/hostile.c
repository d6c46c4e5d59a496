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
static const struct bookahead_offer offered = {{3, 20}, {3, 8}, {3, 8}, 2, 0, 10, 2, 1};
static const struct bookahead_job job = {5, 2};
static uint64_t queue_memory[BOOKAHEAD_QUEUE_BYTES(2) / 8];
static struct bookahead_queue *queue;

/* Every function with a book's pointer answers `code`. */
static void every_call(struct bookahead_book *book, uint32_t code) {
    const struct bookahead_plan planned = {{3, 20, 5, 2}, 3, 0};
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
    size_t count;
    bool waiting, more;
    CHECK(bookahead_offers(book, &query, &terms, &offer, 1, &count, &waiting, &more) == code);
    CHECK(bookahead_accept(book, &offered, 5, 2, &booking) == code);
    CHECK(bookahead_accept_hold(book, &offered, 5, 2, 1, &booking) == code);
    CHECK(bookahead_queue_submit(queue, book, &job, &ticket) == code);
    CHECK(bookahead_queue_advance(queue, book, 1, &event, 1, &count, &waiting) == code);
    CHECK(bookahead_queue_next_event(queue, book, &slot) == code);
    CHECK(bookahead_queue_shadow(queue, book, &slot) == code);
    CHECK(bookahead_queue_check_invariants(queue, book) == code);
    CHECK(bookahead_plan(book, &request, 0, &plan) == code);
    CHECK(bookahead_commit(book, &planned, &handle) == code);
    CHECK(bookahead_commit_hold(book, &planned, 1, &handle) == code);
    CHECK(bookahead_reserve(book, &request, 0, &booking) == code);
    CHECK(bookahead_hold(book, &request, 0, 1, &booking) == code);
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
    EXPECT(UNKNOWN_BINDING, bookahead_init(memory, bytes, 3, PES, SLOTS, ROWS, &book));
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
    EXPECT(UNKNOWN_DISCIPLINE, bookahead_queue_init(memory, bytes, 2, ROWS, &any));
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
    EXPECT(NULL_POINTER, bookahead_accept(book, NULL, 5, 2, &booking));
    EXPECT(NULL_POINTER, bookahead_accept(book, &offered, 5, 2, NULL));
    EXPECT(NULL_POINTER, bookahead_accept_hold(book, &offered, 5, 2, 1, NULL));
    EXPECT(ZERO_HOLD, bookahead_accept_hold(book, &offered, 5, 2, 0, &booking));
    EXPECT(ZERO_DURATION, bookahead_accept(book, &offered, 0, 2, &booking));
    EXPECT(ZERO_PES, bookahead_accept(book, &offered, 5, 0, &booking));
    EXPECT(BEYOND_OFFER, bookahead_accept(book, &offered, 6, 2, &booking));
    EXPECT(BEYOND_OFFER, bookahead_accept(book, &offered, 5, 3, &booking));
    EXPECT(BEYOND_OFFER, bookahead_accept(book, &offered, 5, 65536 + 2, &booking));
    forged = offered;
    forged.version = UINT64_MAX;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, 2, &booking));
    forged = offered;
    forged.window.end = 21;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, 2, &booking));
    forged = offered;
    forged.pes = 65536 + 2;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, 2, &booking));
    EXPECT(BAD_OFFER, bookahead_offer_start(&forged, 5, &price));
    forged = offered;
    forged.pes = PES + 1;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, PES + 1, &booking));
    forged.within.end = UINT64_MAX;
    EXPECT(BAD_OFFER, bookahead_accept(book, &forged, 5, 2, &booking));
    forged = offered;
    forged.expires = 0;
    EXPECT(OFFER_EXPIRED, bookahead_accept(book, &forged, 5, 2, &booking));
    EXPECT(NULL_POINTER, bookahead_offer_start(NULL, 5, &price));
    EXPECT(NULL_POINTER, bookahead_offer_start(&offered, 5, NULL));
    EXPECT(BEYOND_OFFER, bookahead_offer_start(&offered, 0, &price));
    EXPECT(BEYOND_OFFER, bookahead_offer_start(&offered, 6, &price));

    EXPECT(NULL_POINTER, bookahead_tariff_slot_rate(NULL, &price));
    EXPECT(NULL_POINTER, bookahead_tariff_slot_rate(&tariff, NULL));
    EXPECT(NULL_POINTER, bookahead_tariff_reserved(&tariff, 1, 1, NULL));
    EXPECT(NULL_POINTER, bookahead_tariff_best_effort(NULL, 1, 1, &price));
    EXPECT(TOO_WIDE, bookahead_tariff_reserved(&tariff, 1, 65536, &price));
    EXPECT(TOO_WIDE, bookahead_tariff_best_effort(&tariff, 1, 65536, &price));
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
    uint64_t words[4] = {0, 0, 0, 0};
    uint32_t policy;
    size_t count = 99;
    bool waiting;
    CHECK(memory != NULL);
    EXPECT(OK, bookahead_init(memory, bytes, binding, PES, SLOTS, ROWS, &book));
    EXPECT(OK, bookahead_reserve(book, &request, 0, &ended));
    EXPECT(OK, bookahead_cancel(book, ended.handle));
    EXPECT(OK, bookahead_reserve(book, &request, 0, &booking));
    EXPECT(OK, bookahead_plan(book, &request, 0, &plan));

    EXPECT(NULL_POINTER, bookahead_reserve(book, NULL, 0, &booking));
    EXPECT(NULL_POINTER, bookahead_reserve(book, &request, 0, NULL));
    EXPECT(MISALIGNED, bookahead_reserve(book, (struct bookahead_request *)off_by_one(words), 0, &booking));
    EXPECT(MISALIGNED, bookahead_reserve(book, &request, 0, (struct bookahead_booking *)off_by_one(words)));
    EXPECT(NULL_POINTER, bookahead_plan(book, NULL, 0, &plan));
    EXPECT(NULL_POINTER, bookahead_plan(book, &request, 0, NULL));
    EXPECT(NULL_POINTER, bookahead_commit(book, NULL, &handle));
    EXPECT(NULL_POINTER, bookahead_commit(book, &plan, NULL));
    EXPECT(NULL_POINTER, bookahead_hold(book, &request, 0, 1, NULL));
    EXPECT(NULL_POINTER, bookahead_get(book, booking.handle, NULL));
    EXPECT(NULL_POINTER, bookahead_status(book, NULL));
    EXPECT(NULL_POINTER, bookahead_next_event(book, NULL));
    EXPECT(NULL_POINTER, bookahead_free_during(book, 0, 1, NULL));
    EXPECT(NULL_POINTER, bookahead_rectangle(book, 0, 1, NULL));
    EXPECT(NULL_POINTER, bookahead_advance(book, 90, events, 2, NULL, &waiting));
    EXPECT(NULL_POINTER, bookahead_advance(book, 90, events, 2, &count, NULL));
    EXPECT(NULL_POINTER, bookahead_advance(book, 90, NULL, 2, &count, &waiting));
    EXPECT(MISALIGNED, bookahead_advance(book, 90, (struct bookahead_event *)off_by_one(words), 1, &count, &waiting));
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

    EXPECT(UNKNOWN_POLICY, bookahead_reserve(book, &request, 7, &booking));
    EXPECT(UNKNOWN_POLICY, bookahead_hold(book, &request, 256, 1, &booking));
    EXPECT(UNKNOWN_POLICY, bookahead_plan(book, &request, UINT32_MAX, &plan));
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
    EXPECT(TOO_WIDE, bookahead_reserve(book, &other, 0, &booking));
    other = request;
    other.duration = 0;
    EXPECT(ZERO_DURATION, bookahead_reserve(book, &other, 0, &booking));
    other.duration = UINT32_MAX;
    other.deadline = UINT64_MAX;
    CHECK(bookahead_reserve(book, &other, 0, &booking) != BOOKAHEAD_CODE_OK);

    /* Plans that nobody has made. */
    forged = plan;
    forged.start = 2;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, &handle));
    forged.start = 16;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, &handle));
    forged = plan;
    forged.version++;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, &handle));
    forged = plan;
    forged.request.pes = PES;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, &handle));
    forged.request.pes = 65536 + 1;
    EXPECT(STALE_PLAN, bookahead_commit(book, &forged, &handle));
    CHECK(handle.bits == 1);

    queue_of_any_kind(book);
    offers_of_any_kind(book);
    jobs_of_any_kind(book);

    /* Lists past their end. */
    EXPECT(OK, bookahead_reservations(book, SIZE_MAX, handles, 2, &count));
    CHECK(count == 0);
    EXPECT(OK, bookahead_starting_at(book, UINT64_MAX, 0, handles, 2, &count));
    CHECK(count == 0);
    /* All the while nothing has changed, or the plan would be stale. */
    EXPECT(OK, bookahead_commit(book, &plan, &handle));
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
    }
    CHECK(strcmp(bookahead_code_name(UINT32_MAX), "unknown") == 0);
    CHECK(strcmp(bookahead_event_name(0), "unknown") == 0 && strcmp(bookahead_state_name(99), "unknown") == 0);
    puts("hostile: every mistake is noticed");
    return 0;
}
