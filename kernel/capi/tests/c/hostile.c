/* What a defective caller may do: every mistake that can be noticed is, by its code, and changes nothing. */
#include "check.h"

#include <bookahead.h>
#include <string.h>

#define PES 40
#define SLOTS 100
#define ROWS 4

static const struct bookahead_request request = {3, 20, 5, 2};
static const struct bookahead_handle nobody = {UINT64_MAX};

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
    uint64_t slot;
    uint32_t pes;
    uint16_t number;
    size_t count;
    bool waiting;
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
    for (i = 0; i < 2; i++) {
        memory_of_any_kind(bindings[i]);
        calls_of_any_kind(bindings[i]);
    }
    CHECK(strcmp(bookahead_code_name(UINT32_MAX), "unknown") == 0);
    CHECK(strcmp(bookahead_event_name(0), "unknown") == 0 && strcmp(bookahead_state_name(99), "unknown") == 0);
    puts("hostile: every mistake is noticed");
    return 0;
}
