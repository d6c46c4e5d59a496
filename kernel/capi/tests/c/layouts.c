/* Such PEs and these PEs: a machine of nodes with GPUs in two racks. The numbers are worked out by hand. */
#define BOOKAHEAD_PLACEMENT
#define BOOKAHEAD_OUTAGES
#include "check.h"

#include <string.h>

#define PLACED BOOKAHEAD_BINDING_PLACED

/* Four nodes of two cores and one GPU, of which the last has none; two nodes are a rack. Cores are PEs 0 to 7, GPUs 8 to 10. */
static const uint8_t kinds[] = {2, 1}, too_many[] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, whole_node[] = {2, 1}, too_much[] = {3};
static const uint16_t racks[] = {2}, backwards[] = {3, 0};
static const struct bookahead_fewer missing[] = {{{3, 4}, 1, 0}};
static const struct bookahead_layout nodes = {kinds, 2, missing, 1, racks, 1, 4};

static uint64_t memory[1024], copy[1024], lent[256];

static struct bookahead_book *open(void) {
    struct bookahead_book *book;
    EXPECT(OK, bookahead_layout_init(memory, sizeof memory, PLACED, &nodes, 64, 8, 4, 2, &book));
    return book;
}

static struct bookahead_class any(void) {
    struct bookahead_class class_;
    memset(&class_, 0, sizeof class_);
    return class_;
}

/* The number of a class; from then on calls ask for it. */
static uint32_t ask_for(struct bookahead_book *book, const struct bookahead_class *wanted) {
    uint32_t number, fault;
    EXPECT(OK, bookahead_class_add(book, wanted, &number, &fault));
    CHECK(number != 0);
    EXPECT(OK, bookahead_class_ask(book, number));
    return number;
}

/* Whether a reservation has exactly these PEs. */
static bool has(struct bookahead_book *book, struct bookahead_handle handle, const uint16_t *expected, size_t length) {
    uint16_t pes[16];
    size_t count;
    EXPECT(OK, bookahead_pes_of(book, handle, 0, pes, 16, &count));
    return count == length && memcmp(pes, expected, length * sizeof *pes) == 0;
}

static void layouts_are_checked(void) {
    struct bookahead_layout wrong = nodes;
    struct bookahead_book *book;
    uint32_t pes = 7, fault = 7;
    EXPECT(OK, bookahead_layout_check(&nodes, &pes, &fault));
    CHECK(pes == 11 && fault == 7);
    wrong.kinds = too_many;
    wrong.kind_count = 9;
    EXPECT(BAD_LAYOUT, bookahead_layout_check(&wrong, &pes, &fault));
    CHECK(pes == 11 && fault == BOOKAHEAD_LAYOUT_FAULT_TOO_MANY_KINDS);
    CHECK(strcmp(bookahead_layout_fault_name(fault), "too-many-kinds") == 0 && strcmp(bookahead_layout_fault_name(99), "unknown") == 0);
    CHECK(bookahead_layout_bytes(PLACED, &wrong, 64, 8, 4, 2) == 0);
    EXPECT(BAD_LAYOUT, bookahead_layout_init(memory, sizeof memory, PLACED, &wrong, 64, 8, 4, 2, &book));
    EXPECT(UNKNOWN_BINDING, bookahead_layout_init(memory, sizeof memory, BOOKAHEAD_BINDING_EARLY, &nodes, 64, 8, 4, 2, &book));
    EXPECT(UNKNOWN_BINDING, bookahead_layout_init(memory, sizeof memory, BOOKAHEAD_BINDING_EARLY_RULED, &nodes, 64, 8, 4, 2, &book));
    CHECK(bookahead_layout_bytes(8, &nodes, 64, 8, 4, 2) == 0 && bookahead_bytes(BOOKAHEAD_BINDING_PLACED_RULED, 11, 64, 8) == 0);
    wrong = nodes;
    wrong.groups = 65536;
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_layout_check(&wrong, &pes, &fault));
    wrong.groups = 4;
    wrong.missing_count = BOOKAHEAD_MOST_RANGES + 1;
    wrong.missing = NULL;
    EXPECT(NULL_POINTER, bookahead_layout_check(&wrong, &pes, &fault));
    EXPECT(NULL_POINTER, bookahead_layout_check(NULL, &pes, &fault));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_layout_init(memory, sizeof memory, PLACED, &nodes, 64, 8, 32768, 2, &book));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_layout_init(memory, sizeof memory, PLACED, &nodes, 64, 8, 4, 65536, &book));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_layout_init(memory, sizeof memory, PLACED, &nodes, 0, 8, 4, 2, &book));
    EXPECT(TOO_SHORT, bookahead_layout_init(memory, bookahead_layout_bytes(PLACED, &nodes, 64, 8, 4, 2) - 8, PLACED, &nodes, 64, 8, 4, 2, &book));
    EXPECT(MISALIGNED, bookahead_layout_init((char *)memory + 4, 4096, PLACED, &nodes, 64, 8, 4, 2, &book));
    EXPECT(OK, bookahead_layout_init(memory, bookahead_layout_bytes(PLACED, &nodes, 64, 8, 4, 2), PLACED, &nodes, 64, 8, 4, 2, &book));
    CHECK(bookahead_layout_bytes(PLACED, &nodes, 64, 8, 4, 2) % BOOKAHEAD_ALIGNMENT == 0);
}

static void a_book_is_wide_or_narrow(void) {
    static const uint8_t node[] = {16, 8};
    const struct bookahead_layout wide = {node, 2, NULL, 0, NULL, 0, 8};
    struct bookahead_status status;
    struct bookahead_book *book;
    size_t bytes;
    uint64_t *large;
    book = open();
    EXPECT(OK, bookahead_status(book, &status));
    CHECK(status.binding == BOOKAHEAD_BINDING_PLACED && status.pes == 11 && status.horizon == 64 && status.capacity == 8);
    /* Two columns of 32, for cores and for GPUs, beside each entry of 72 bytes. */
    EXPECT(OK, bookahead_layout_workspace_bytes(book, 2, 1, &bytes));
    CHECK(bytes == 2 * (72 + 8) + 24);
    bytes = bookahead_layout_bytes(PLACED, &wide, 64, 8, 4, 2);
    large = (uint64_t *)malloc(bytes);
    EXPECT(OK, bookahead_layout_init(large, bytes, PLACED, &wide, 64, 8, 4, 2, &book));
    EXPECT(OK, bookahead_status(book, &status));
    CHECK(status.pes == 192);
    EXPECT(OK, bookahead_layout_workspace_bytes(book, 2, 1, &bytes));
    CHECK(bytes == 2 * (72 + 64) + 24);
    EXPECT(OK, bookahead_check_invariants(book));
    free(large);
}

static void classes_are_added_and_dropped(void) {
    struct bookahead_book *book = open();
    struct bookahead_class wanted = any();
    const struct bookahead_groups beyond[] = {{3, 5}};
    const struct bookahead_request two = {3, 8, 5, 2};
    struct bookahead_booking booking;
    uint32_t number, again, fault = 7;
    wanted.shape = BOOKAHEAD_SHAPE_PER_GROUP;
    wanted.per_group = too_much;
    wanted.kind_count = 1;
    EXPECT(BAD_CLASS, bookahead_class_add(book, &wanted, &number, &fault));
    CHECK(fault == BOOKAHEAD_CLASS_FAULT_BAD_SHAPE && strcmp(bookahead_class_fault_name(fault), "bad-shape") == 0);
    wanted.per_group = NULL;
    EXPECT(NULL_POINTER, bookahead_class_add(book, &wanted, &number, &fault));
    wanted.shape = 3;
    EXPECT(UNKNOWN_RULE, bookahead_class_add(book, &wanted, &number, &fault));
    wanted = any();
    wanted.eligible = BOOKAHEAD_ELIGIBLE_GROUPS;
    wanted.groups = beyond;
    wanted.group_count = 1;
    wanted.kinds = 3;
    EXPECT(BAD_CLASS, bookahead_class_add(book, &wanted, &number, &fault));
    CHECK(fault == BOOKAHEAD_CLASS_FAULT_UNKNOWN_GROUPS);
    wanted = any();
    wanted.preference = BOOKAHEAD_PREFERENCE_ORDER;
    wanted.order = backwards;
    wanted.order_count = 2;
    number = ask_for(book, &wanted);
    EXPECT(OK, bookahead_class_add(book, &wanted, &again, &fault));
    CHECK(again == number);
    EXPECT(OK, bookahead_reserve(book, &two, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    EXPECT(OK, bookahead_class_of(book, booking.handle, &again));
    CHECK(again == number);
    {
        static const uint16_t of_the_last_node[] = {6, 7};
        CHECK(has(book, booking.handle, of_the_last_node, 2));
    }
    EXPECT(OK, bookahead_class_drop(book, number));
    EXPECT(STALE_CLASS, bookahead_class_drop(book, number));
    EXPECT(STALE_CLASS, bookahead_reserve(book, &two, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    EXPECT(OK, bookahead_class_ask(book, 0));
    EXPECT(OK, bookahead_reserve(book, &two, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    EXPECT(OK, bookahead_check_invariants(book));
}

static void a_rack_is_freed(void) {
    struct bookahead_book *book = open(), *opened;
    struct bookahead_class whole = any();
    const struct bookahead_request node = {3, 8, 5, 3}, rack = {3, 8, 5, 6}, four = {3, 8, 5, 4};
    const struct bookahead_workspace workspace = {lent, sizeof lent, 0};
    /* A core of node 0, a core of node 3; both cores and the GPU of node 2. */
    static const uint32_t first[] = {1u << 0}, last[] = {1u << 6}, of_node_2[] = {1u << 4 | 1u << 5 | 1u << 10}, none[] = {0},
                          scattered[] = {1u << 0 | 1u << 2 | 1u << 8}, of_node_0[] = {1u << 0 | 1u << 1 | 1u << 8}, gone[] = {1u << 11};
    static const uint16_t node_1[] = {2, 3, 9}, node_2[] = {4, 5, 10}, rack_0[] = {0, 1, 2, 3, 8, 9};
    struct bookahead_handle out_of_service, other;
    struct bookahead_booking job;
    struct bookahead_conflict conflict;
    struct bookahead_failing failing;
    struct bookahead_step steps[2];
    struct bookahead_outcome outcome;
    struct bookahead_juggled relocated;
    struct bookahead_move moves[4];
    struct bookahead_plan plan;
    whole.shape = BOOKAHEAD_SHAPE_PER_GROUP;
    whole.per_group = whole_node;
    whole.kind_count = 2;
    EXPECT(BAD_PES, bookahead_reserve_exactly(book, 3, 8, none, 1, NULL, &other, &conflict));
    EXPECT(BAD_PES, bookahead_reserve_exactly(book, 3, 8, gone, 1, NULL, &other, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_exactly(book, 3, 8, NULL, 1, NULL, &other, &conflict));
    EXPECT(OK, bookahead_reserve_exactly(book, 3, 8, first, 1, NULL, &out_of_service, &conflict));
    CHECK(conflict.listed == 0);
    EXPECT(NO_ROOM, bookahead_reserve_exactly(book, 3, 8, first, 1, NULL, &other, &conflict));
    CHECK(conflict.listed == 1 && conflict.handles[0].bits == out_of_service.bits);
    EXPECT(OK, bookahead_reserve_exactly(book, 3, 8, last, 1, held_for(9), &other, &conflict));
    ask_for(book, &whole);
    EXPECT(OK, bookahead_reserve(book, &node, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &job));
    CHECK(has(book, job.handle, node_1, 3));
    EXPECT(OK, bookahead_failing(book, &node, 3, &failing));
    CHECK(failing.kind == BOOKAHEAD_FAILING_KIND_NOTHING && failing.lacking == 0);
    EXPECT(NOT_WHOLE_GROUPS, bookahead_failing(book, &four, 3, &failing));
    /* Moved to exactly node 2, in a list of steps; to what is taken, not. */
    memset(steps, 0, sizeof steps);
    steps[0].kind = BOOKAHEAD_STEP_KIND_LIFT;
    steps[0].handle = steps[1].handle = job.handle;
    steps[1].kind = BOOKAHEAD_STEP_KIND_PLACE_EXACTLY;
    steps[1].placement.start = 3;
    steps[1].pes = first;
    steps[1].words = 1;
    EXPECT(NOT_WHOLE_GROUPS, bookahead_transaction(book, &workspace, 1000, steps, 2, BOOKAHEAD_ENDING_COMMIT, NULL, 0, &outcome));
    CHECK(outcome.failed_step == 1);
    steps[1].pes = scattered;
    EXPECT(NOT_ELIGIBLE, bookahead_transaction(book, &workspace, 1000, steps, 2, BOOKAHEAD_ENDING_COMMIT, NULL, 0, &outcome));
    steps[1].pes = of_node_0;
    EXPECT(NO_ROOM, bookahead_transaction(book, &workspace, 1000, steps, 2, BOOKAHEAD_ENDING_COMMIT, NULL, 0, &outcome));
    CHECK(outcome.conflict.listed == 1 && outcome.conflict.handles[0].bits == out_of_service.bits);
    steps[1].pes = of_node_2;
    EXPECT(OK, bookahead_transaction(book, &workspace, 1000, steps, 2, BOOKAHEAD_ENDING_COMMIT, moves, 4, &outcome));
    CHECK(outcome.moves == 1 && has(book, job.handle, node_2, 3));
    /* The first rack has room again, but for the job, which then is on node 0. */
    EXPECT(OK, bookahead_cancel(book, job.handle));
    EXPECT(OK, bookahead_cancel(book, out_of_service));
    EXPECT(OK, bookahead_reserve(book, &node, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &job));
    whole.within = BOOKAHEAD_WITHIN_REQUIRED;
    ask_for(book, &whole);
    EXPECT(OK, bookahead_failing(book, &rack, 3, &failing));
    CHECK(failing.kind == BOOKAHEAD_FAILING_KIND_BLOCK && failing.lacking == 1);
    EXPECT(UNKNOWN_ENDING, bookahead_relocate(book, &rack, NULL, 3, &workspace, 1000, 2, NULL, 0, &relocated));
    EXPECT(OK, bookahead_relocate(book, &rack, NULL, 3, &workspace, 1000, BOOKAHEAD_ENDING_PLAN, moves, 4, &relocated));
    CHECK(relocated.moves == 2 && relocated.booking.start == 3);
    EXPECT(OK, bookahead_relocate(book, &rack, NULL, 3, &workspace, 1000, BOOKAHEAD_ENDING_COMMIT, moves, 4, &relocated));
    CHECK(has(book, job.handle, node_2, 3) && has(book, relocated.booking.handle, rack_0, 6));
    /* A copy is the same book, which asks for the same class. */
    memcpy(copy, memory, sizeof memory);
    EXPECT(OK, bookahead_open(copy, sizeof copy, &opened));
    EXPECT(OK, bookahead_check_invariants(opened));
    EXPECT(NO_ROOM, bookahead_plan(opened, &rack, BOOKAHEAD_POLICY_FIRST_FIT, &plan));
    EXPECT(TOO_SHORT, bookahead_open(copy, bookahead_layout_bytes(PLACED, &nodes, 64, 8, 4, 2) - 8, &opened));
}

static void others_have_no_layout(void) {
    const struct bookahead_class wanted = any();
    const struct bookahead_request request = {3, 8, 5, 2};
    static const uint32_t first[] = {1u << 0};
    const struct bookahead_workspace workspace = {lent, sizeof lent, 0};
    struct bookahead_book *book;
    struct bookahead_handle handle;
    struct bookahead_booking booking;
    struct bookahead_conflict conflict;
    struct bookahead_failing failing;
    struct bookahead_juggled relocated;
    uint32_t number, fault;
    size_t bytes;
    EXPECT(OK, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_EARLY, 8, 64, 8, &book));
    EXPECT(NO_LAYOUT, bookahead_class_add(book, &wanted, &number, &fault));
    EXPECT(NO_LAYOUT, bookahead_class_drop(book, 1));
    EXPECT(NO_LAYOUT, bookahead_class_ask(book, 0));
    EXPECT(NO_LAYOUT, bookahead_failing(book, &request, 3, &failing));
    EXPECT(NO_LAYOUT, bookahead_relocate(book, &request, NULL, 3, &workspace, 1000, BOOKAHEAD_ENDING_COMMIT, NULL, 0, &relocated));
    EXPECT(BAD_PES, bookahead_reserve_exactly(book, 3, 8, first, 1, NULL, &handle, &conflict));
    EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    EXPECT(NO_LAYOUT, bookahead_class_of(book, booking.handle, &number));
    EXPECT(OK, bookahead_layout_workspace_bytes(book, 2, 1, &bytes));
    CHECK(bytes == BOOKAHEAD_EARLY_WORKSPACE_BYTES(8, 2, 1));
    EXPECT(UNKNOWN_BINDING, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_PLACED, 8, 64, 8, &book));
    EXPECT(OK, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_LATE, 8, 64, 8, &book));
    EXPECT(BAD_PES, bookahead_reserve_exactly(book, 3, 8, first, 1, NULL, &handle, &conflict));
}

static void nodes_leave_and_come_back(void) {
    static const uint32_t nodes_0_and_1[] = {0x30f}, node_1[] = {0x20c}, none[] = {0};
    static const uint16_t cores[] = {4, 5, 6}, part_of_node_1[] = {2, 3, 9};
    const struct bookahead_request now = {0, 20, 9, 2}, later = {4, 20, 5, 3};
    const struct bookahead_workspace *workspace = workspace_of(lent, sizeof lent);
    struct bookahead_book *book = open();
    struct bookahead_booking runs, waits;
    struct bookahead_juggled taken;
    struct bookahead_move moves[8];
    struct bookahead_event events[8];
    struct bookahead_reservation known;
    size_t count;
    uint64_t until = 7;
    const struct bookahead_absent one_node = {node_1, 1, 0}, no_pes = {none, 1, 0}, both_nodes = {nodes_0_and_1, 1, 0};
    bool flag = false;
    EXPECT(OK, bookahead_reserve(book, &now, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &runs));
    EXPECT(OK, bookahead_advance(book, 0, events, 8, &count, &flag));
    EXPECT(OK, bookahead_reserve(book, &later, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &waits));
    EXPECT(WRONG_STATE, bookahead_extension(book, waits.handle, &until));
    CHECK(until == 7);
    EXPECT(OK, bookahead_extension(book, runs.handle, &until));
    CHECK(until == 64);
    EXPECT(OK, bookahead_is_outage(book, runs.handle, &flag));
    CHECK(!flag);

    /* Maintenance of node 1 concerns nobody who runs. */
    EXPECT(UNKNOWN_OUTAGE, bookahead_take_out(book, 2, 4, 9, &one_node, workspace, 1000, BOOKAHEAD_ENDING_COMMIT, moves, 8, &taken));
    EXPECT(UNKNOWN_ENDING, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_MAINTENANCE, 4, 9, &one_node, workspace, 1000, 2, moves, 8, &taken));
    EXPECT(BAD_PES, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_MAINTENANCE, 4, 9, &no_pes, workspace, 1000, BOOKAHEAD_ENDING_COMMIT, moves, 8, &taken));
    EXPECT(OK, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_MAINTENANCE, 4, 9, &one_node, workspace, 1000, BOOKAHEAD_ENDING_COMMIT, moves, 8, &taken));
    CHECK(taken.moves == 2 && moves[0].handle.bits == waits.handle.bits && moves[0].to.start == 4 && has(book, waits.handle, cores, 3));
    CHECK(moves[1].from.duration == 0 && moves[1].to.duration == 5 && has(book, moves[1].handle, part_of_node_1, 3));
    EXPECT(OK, bookahead_is_outage(book, moves[1].handle, &flag));
    CHECK(flag);

    /* Both fail. It is looked at first, and changes nothing; then nothing is left of who runs, and part of node 1 is out already. */
    memcpy(copy, memory, sizeof memory);
    EXPECT(OK, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_FAILURE, 0, 30, &both_nodes, workspace, 1000, BOOKAHEAD_ENDING_PLAN, moves, 8, &taken));
    CHECK(taken.moves == 4 && moves[0].handle.bits == runs.handle.bits && moves[0].to.duration == 0);
    EXPECT(OK, bookahead_get(book, runs.handle, &known));
    EXPECT(OK, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_FAILURE, 0, 30, &both_nodes, workspace, 1000, BOOKAHEAD_ENDING_COMMIT, moves, 8, &taken));
    EXPECT(STALE_HANDLE, bookahead_get(book, runs.handle, &known));
    CHECK(moves[1].to.start == 0 && moves[1].to.duration == 4 && moves[1].to.pes == 6);
    CHECK(moves[2].to.start == 4 && moves[2].to.duration == 26 && moves[2].to.pes == 3 && moves[3].to.start == 9 && moves[3].to.duration == 21);
    EXPECT(OK, bookahead_advance(book, 4, events, 8, &count, &flag));

    /* It takes longer; no job can have that time by force. */
    EXPECT(OK, bookahead_extend_by_force(book, moves[2].handle, 40, workspace, 1000, BOOKAHEAD_ENDING_COMMIT, moves, 8, &taken));
    CHECK(taken.moves == 1 && moves[0].to.duration == 36);
    EXPECT(WRONG_DIRECTION, bookahead_extend_by_force(book, moves[0].handle, 40, workspace, 1000, BOOKAHEAD_ENDING_COMMIT, moves, 8, &taken));
    EXPECT(OK, bookahead_complete(book, moves[0].handle, 4));
    EXPECT(OK, bookahead_check_invariants(book));
}

int main(void) {
    layouts_are_checked();
    a_book_is_wide_or_narrow();
    classes_are_added_and_dropped();
    a_rack_is_freed();
    nodes_leave_and_come_back();
    others_have_no_layout();
    puts("machines with layouts do what was worked out");
    return 0;
}
