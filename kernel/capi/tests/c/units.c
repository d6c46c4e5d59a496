/* A book of more units than 16 bits count: sizes, a booking, a juggle, and what units have not. The numbers are worked out by hand. */
#define BOOKAHEAD_UNITS
#include "check.h"

#define GIB 1048576u  /* in KiB */
#define MOST 2147483647u
#define BYTES BOOKAHEAD_UNIT_BYTES(64, 8)

static uint64_t memory[BYTES / 8], lent[BOOKAHEAD_UNIT_WORKSPACE_BYTES(4, 2) / 8];

static void sizes(void) {
    static const uint32_t slots[] = {1, 64, 65, 4096}, rows[] = {0, 1, 7, 1000};
    struct bookahead_book *book;
    size_t i, j;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++) {
            const size_t bytes = bookahead_bytes(BOOKAHEAD_BINDING_UNITS, MOST, slots[i], rows[j]);
            CHECK(bytes == BOOKAHEAD_UNIT_BYTES(slots[i], rows[j]) && bytes == bookahead_bytes(BOOKAHEAD_BINDING_UNITS, 1, slots[i], rows[j]));
            CHECK(bookahead_workspace_bytes(BOOKAHEAD_BINDING_UNITS, MOST, rows[i], rows[j]) == BOOKAHEAD_UNIT_WORKSPACE_BYTES(rows[i], rows[j]));
        }
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_UNITS, MOST + 1, 64, 8, &book));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_UNITS, 0, 64, 8, &book));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_LATE, 65536, 64, 8, &book));
    EXPECT(TOO_SHORT, bookahead_init(memory, sizeof memory - 8, BOOKAHEAD_BINDING_UNITS, MOST, 64, 8, &book));
    EXPECT(OK, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_UNITS, MOST, 64, 8, &book));
    EXPECT(TOO_SHORT, bookahead_open(memory, sizeof memory - 8, &book));
}

static void memory_of_a_machine(void) {
    const struct bookahead_request nine = {0, 60, 10, 9 * GIB}, wide = {0, 60, 10, 16 * GIB + 1}, seven = {0, 10, 10, 7 * GIB}, eight = {0, 10, 10, 8 * GIB};
    const struct bookahead_commitment flexible = {BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE, 0, 0, 0, 0};
    const struct bookahead_workspace workspace = {lent, sizeof lent, 2};
    static struct bookahead_juggling rules;
    struct bookahead_book *book;
    struct bookahead_status status;
    struct bookahead_booking first, second, third;
    struct bookahead_event event;
    struct bookahead_juggled juggled;
    struct bookahead_move moves[2];
    uint32_t free_units;
    uint16_t numbers[2];
    size_t count;
    bool happened;
    EXPECT(OK, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_UNITS, 16 * GIB, 64, 8, &book));
    EXPECT(OK, bookahead_open(memory, sizeof memory, &book));
    EXPECT(OK, bookahead_status(book, &status));
    CHECK(status.pes == 16 * GIB && status.binding == BOOKAHEAD_BINDING_UNITS);
    EXPECT(TOO_WIDE, bookahead_reserve(book, &wide, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &first));
    EXPECT(OK, bookahead_reserve(book, &nine, BOOKAHEAD_POLICY_FIRST_FIT, &flexible, &first));
    EXPECT(OK, bookahead_reserve(book, &nine, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &second));
    CHECK(first.start == 0 && second.start == 10);
    EXPECT(OK, bookahead_reserve(book, &seven, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &third));
    EXPECT(OK, bookahead_free_during(book, 10, 20, &free_units));
    CHECK(third.start == 0 && free_units == 7 * GIB);
    /* Who is flexible goes behind the second one, and makes room for more than it leaves. */
    EXPECT(NO_ROOM, bookahead_reserve(book, &eight, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &third));
    rules.max_moves = 2;
    rules.work = 10000;
    EXPECT(OK, bookahead_juggle(book, &eight, NULL, &rules, &workspace, BOOKAHEAD_ENDING_COMMIT, moves, 2, &juggled));
    EXPECT(OK, bookahead_check_invariants(book));
    EXPECT(OK, bookahead_free_during(book, 0, 10, &free_units));
    CHECK(free_units == GIB);
    /* A unit has no number. */
    EXPECT(OK, bookahead_next(book, 0, &event, &happened));
    CHECK(happened && event.kind == BOOKAHEAD_EVENT_KIND_STARTED);
    EXPECT(OK, bookahead_pes_of(book, event.handle, 0, numbers, 2, &count));
    CHECK(count == 0);
}

int main(void) {
    sizes();
    memory_of_a_machine();
    printf("units: what was worked out\n");
    return 0;
}
