/* Calls every function of the header on books of every kind, and compares the macros for sizes with the function. */
#include "check.h"

#include <bookahead.h>
#include <string.h>

/* Enough for any of them. */
static uint64_t memory[1 << 19];
static uint64_t copy[1 << 19];

static void sizes(void) {
    static const uint32_t pes[] = {1, 31, 32, 33, 64, 127, 128, 129, 511, 512, 513, 1024, 65535};
    static const uint32_t slots[] = {1, 63, 64, 65, 200, 256, 4096, 1 << 20};
    static const uint32_t rows[] = {0, 1, 7, 32, 1000, 100000};
    size_t i, j, k;
    CHECK(bookahead_alignment() == BOOKAHEAD_ALIGNMENT);
    for (i = 0; i < sizeof pes / sizeof *pes; i++)
        for (j = 0; j < sizeof slots / sizeof *slots; j++)
            for (k = 0; k < sizeof rows / sizeof *rows; k++) {
                const size_t late = bookahead_bytes(BOOKAHEAD_BINDING_LATE, pes[i], slots[j], rows[k]);
                const size_t early = bookahead_bytes(BOOKAHEAD_BINDING_EARLY, pes[i], slots[j], rows[k]);
                CHECK(late == BOOKAHEAD_LATE_BYTES(pes[i], slots[j], rows[k]) && late % BOOKAHEAD_ALIGNMENT == 0);
                CHECK(early == BOOKAHEAD_EARLY_BYTES(pes[i], slots[j], rows[k]) && early % BOOKAHEAD_ALIGNMENT == 0);
            }
}

static void names(void) {
    uint32_t policy, code, named = 0;
    for (policy = 0; policy < 7; policy++) {
        uint32_t found = 99;
        EXPECT(OK, bookahead_policy_from_name(bookahead_policy_name(policy), &found));
        CHECK(found == policy);
    }
    CHECK(strcmp(bookahead_policy_name(7), "unknown") == 0);
    for (code = 0; code < 300; code++) named += strcmp(bookahead_code_name(code), "unknown") != 0;
    /* Success, 7 refusals, 12 misuses, 9 violations, 10 of this interface. */
    CHECK(named == 1 + 7 + 12 + 9 + 10);
    CHECK(strcmp(bookahead_code_name(BOOKAHEAD_CODE_STALE_HANDLE), "stale-handle") == 0);
    CHECK(strcmp(bookahead_event_name(BOOKAHEAD_EVENT_KIND_STARTED), "started") == 0);
    CHECK(strcmp(bookahead_state_name(BOOKAHEAD_STATE_HELD), "held") == 0);
}

static void seconds(void) {
    const struct bookahead_clock clock = {1000, 60};
    uint64_t slot = 0, second = 0;
    uint32_t slots = 0;
    EXPECT(OK, bookahead_slot_rounding_up(&clock, 1001, &slot));
    CHECK(slot == 1);
    EXPECT(OK, bookahead_slot_rounding_down(&clock, 1119, &slot));
    CHECK(slot == 1);
    EXPECT(OK, bookahead_span_rounding_up(&clock, 61, &slots));
    CHECK(slots == 2);
    EXPECT(OK, bookahead_seconds(&clock, 2, &second));
    CHECK(second == 1120);
    EXPECT(TIME_OUT_OF_RANGE, bookahead_slot_rounding_up(&clock, 999, &slot));
}

/* A book of `pes` PEs, of which one job takes 3/4 and the next does not fit beside it. */
static void life(uint32_t binding, uint32_t pes) {
    const uint32_t wide = pes - pes / 4;
    const struct bookahead_request request = {3, 20, 5, wide};
    const size_t bytes = bookahead_bytes(binding, pes, 100, 8);
    struct bookahead_book *book, *other;
    struct bookahead_plan plan;
    struct bookahead_booking first, second;
    struct bookahead_handle third, handles[4];
    struct bookahead_reservation reservation;
    struct bookahead_status status;
    struct bookahead_record records[8];
    struct bookahead_rectangle rectangle;
    struct bookahead_event events[2];
    uint64_t starts[8], at = 0;
    uint32_t free_pes = 0;
    uint16_t numbers[3];
    size_t count = 99;
    bool waiting = false;

    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 8, &book));
    EXPECT(NOTHING_DUE, bookahead_next_event(book, &at));
    EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, &first));
    CHECK(first.start == 3);
    EXPECT(OK, bookahead_hold(book, &request, BOOKAHEAD_POLICY_PE_WORST_FIT, 2, &second));
    CHECK(second.start == 8);
    EXPECT(OK, bookahead_plan(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, &plan));
    CHECK(plan.start == 13);
    EXPECT(OK, bookahead_confirm(book, second.handle));
    EXPECT(STALE_PLAN, bookahead_commit(book, &plan, &third));
    EXPECT(OK, bookahead_plan(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, &plan));
    EXPECT(ZERO_HOLD, bookahead_commit_hold(book, &plan, 0, &third));
    EXPECT(OK, bookahead_commit_hold(book, &plan, 4, &third));
    EXPECT(NO_ROOM, bookahead_plan(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, &plan));

    EXPECT(OK, bookahead_get(book, third, &reservation));
    CHECK(reservation.state == BOOKAHEAD_STATE_HELD && reservation.expires == 4);
    CHECK(reservation.start == 13 && reservation.end == 18);
    CHECK(memcmp(&reservation.request, &request, sizeof request) == 0);
    EXPECT(OK, bookahead_status(book, &status));
    CHECK(status.now == 0 && status.horizon == 100 && status.pes == pes && status.binding == binding);
    CHECK(status.reservations == 3 && status.capacity == 8);

    /* In two pieces, the second one short. */
    EXPECT(OK, bookahead_reservations(book, 0, handles, 2, &count));
    CHECK(count == 2 && handles[0].bits == first.handle.bits && handles[1].bits == second.handle.bits);
    EXPECT(OK, bookahead_reservations(book, 2, handles, 2, &count));
    CHECK(count == 1 && handles[0].bits == third.bits);
    EXPECT(OK, bookahead_starting_at(book, 8, 0, handles, 4, &count));
    CHECK(count == 1 && handles[0].bits == second.handle.bits);
    EXPECT(OK, bookahead_records(book, 0, records, 8, &count));
    CHECK(count == 2 && records[0].at == 3 && records[0].busy == wide && records[1].at == 18 && records[1].busy == 0);
    EXPECT(OK, bookahead_candidate_starts(book, &request, 0, starts, 8, &count));
    CHECK(count == 3 && starts[0] == 3 && starts[1] == 13 && starts[2] == 15);
    EXPECT(OK, bookahead_free_during(book, 0, 4, &free_pes));
    CHECK(free_pes == pes - wide);
    EXPECT(OUTSIDE_RING, bookahead_free_during(book, 4, 4, &free_pes));
    EXPECT(OK, bookahead_rectangle(book, 20, 2, &rectangle));
    CHECK(rectangle.start == 18 && rectangle.end == 100 && rectangle.free == pes);
    EXPECT(OUTSIDE_RING, bookahead_rectangle(book, 99, 2, &rectangle));
    EXPECT(OK, bookahead_check_invariants(book));

    EXPECT(OK, bookahead_pes_of(book, first.handle, 0, numbers, 3, &count));
    CHECK(count == (binding == BOOKAHEAD_BINDING_LATE ? 0U : 3U));
    EXPECT(OK, bookahead_next_event(book, &at));
    CHECK(at == 3);
    /* The start; the hold's end and the first job's end; the start of the second job. */
    EXPECT(OK, bookahead_advance(book, 4, events, 1, &count, &waiting));
    CHECK(count == 1 && waiting && events[0].kind == BOOKAHEAD_EVENT_KIND_STARTED && events[0].at == 3);
    EXPECT(OK, bookahead_pes_of(book, first.handle, wide - 2, numbers, 3, &count));
    CHECK(count == 2 && numbers[0] == wide - 2 && numbers[1] == wide - 1);
    EXPECT(OK, bookahead_advance(book, 8, NULL, 0, &count, &waiting));
    CHECK(count == 0 && waiting);
    EXPECT(OK, bookahead_advance(book, 8, events, 2, &count, &waiting));
    CHECK(count == 2 && waiting && events[0].kind == BOOKAHEAD_EVENT_KIND_EXPIRED && events[0].handle.bits == third.bits);
    CHECK(events[1].kind == BOOKAHEAD_EVENT_KIND_OVERRAN && events[1].handle.bits == first.handle.bits && events[1].at == 8);
    EXPECT(OK, bookahead_advance(book, 8, events, 2, &count, &waiting));
    CHECK(count == 1 && !waiting && events[0].handle.bits == second.handle.bits);
    EXPECT(STALE_HANDLE, bookahead_get(book, first.handle, &reservation));

    /* A copy is a book of its own. */
    memcpy(copy, memory, bytes);
    EXPECT(OK, bookahead_open(copy, bytes, &other));
    EXPECT(OK, bookahead_complete(book, second.handle, 10));
    EXPECT(OK, bookahead_cancel(other, second.handle));
    EXPECT(OK, bookahead_get(book, second.handle, &reservation));
    CHECK(reservation.end == 10 && reservation.state == BOOKAHEAD_STATE_RUNNING);
    EXPECT(STALE_HANDLE, bookahead_get(other, second.handle, &reservation));
    EXPECT(READY_IN_PAST, bookahead_plan(other, &request, BOOKAHEAD_POLICY_DURATION_WORST_FIT, &plan));
    EXPECT(OK, bookahead_check_invariants(book));
    EXPECT(OK, bookahead_check_invariants(other));
}

int main(void) {
    static const uint32_t pes[] = {4, 128, 129, 1024};
    size_t i;
    CHECK(bookahead_abi_version() == BOOKAHEAD_ABI_VERSION);
    sizes();
    names();
    seconds();
    for (i = 0; i < sizeof pes / sizeof *pes; i++) {
        life(BOOKAHEAD_BINDING_LATE, pes[i]);
        life(BOOKAHEAD_BINDING_EARLY, pes[i]);
    }
    puts("surface: every function answers as it should");
    return 0;
}
