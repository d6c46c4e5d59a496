/* Books with rules, jobs without a known end, and every mistake about them. The numbers are worked out by hand. */
#define BOOKAHEAD_OUTAGES
#define BOOKAHEAD_PLACEMENT
#define BOOKAHEAD_JOURNAL
#include "check.h"

#include <string.h>

#define COMMIT BOOKAHEAD_ENDING_COMMIT
#define PLAN BOOKAHEAD_ENDING_PLAN
#define LATE_BYTES (BOOKAHEAD_LATE_BYTES(4, 64, 8) + BOOKAHEAD_LATE_RULES_BYTES)
#define EARLY_BYTES (BOOKAHEAD_EARLY_BYTES(40, 64, 8) + BOOKAHEAD_EARLY_RULES_BYTES(40))

static const struct bookahead_handle nobody = {UINT64_MAX};
/* From slot 8 on, 4 of every 24 slots. */
static const struct bookahead_rule night = {8, 24, 4};
static const struct bookahead_absent three = {NULL, 0, 3};
static uint64_t memory[LATE_BYTES / 8], copy[LATE_BYTES / 8], early_memory[EARLY_BYTES / 8], lent[BOOKAHEAD_EARLY_WORKSPACE_BYTES(40, 17, 0) / 8];
static struct bookahead_move moves[8];

/* Of 4 PEs, one from 6 to 11 on two, which may wait until 30, and one from 7 to 12 on two, which may not. */
static struct bookahead_book *two_booked(struct bookahead_booking *waits, struct bookahead_booking *must) {
    const struct bookahead_request may_wait = {6, 30, 5, 2}, at_once = {7, 12, 5, 2};
    struct bookahead_book *book;
    EXPECT(OK, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_LATE_RULED, 4, 64, 8, &book));
    EXPECT(OK, bookahead_reserve(book, &may_wait, BOOKAHEAD_POLICY_FIRST_FIT, NULL, waits));
    EXPECT(OK, bookahead_reserve(book, &at_once, BOOKAHEAD_POLICY_FIRST_FIT, NULL, must));
    CHECK(waits->start == 6 && must->start == 7);
    return book;
}

static struct bookahead_book *early(void) {
    struct bookahead_book *book;
    EXPECT(OK, bookahead_init(early_memory, sizeof early_memory, BOOKAHEAD_BINDING_EARLY_RULED, 40, 64, 8, &book));
    return book;
}

static uint32_t rules_during(struct bookahead_book *book, uint64_t start, uint64_t end) {
    uint32_t rules = 1u << 31;
    EXPECT(OK, bookahead_rules_during(book, start, end, &rules));
    return rules;
}

static uint32_t free_during(struct bookahead_book *book, uint64_t start, uint64_t end) {
    uint32_t pes;
    EXPECT(OK, bookahead_free_during(book, start, end, &pes));
    return pes;
}

static void sizes(void) {
    struct bookahead_book *book;
    struct bookahead_status status;
    CHECK(bookahead_bytes(BOOKAHEAD_BINDING_LATE_RULED, 4, 64, 8) == LATE_BYTES);
    CHECK(bookahead_bytes(BOOKAHEAD_BINDING_EARLY_RULED, 40, 64, 8) == EARLY_BYTES);
    CHECK(bookahead_bytes(BOOKAHEAD_BINDING_EARLY_RULED, 300, 64, 8) == BOOKAHEAD_EARLY_BYTES(300, 64, 8) + BOOKAHEAD_EARLY_RULES_BYTES(300));
    CHECK(bookahead_workspace_bytes(BOOKAHEAD_BINDING_LATE_RULED, 4, 3, 1) == BOOKAHEAD_LATE_WORKSPACE_BYTES(3, 1));
    CHECK(bookahead_workspace_bytes(BOOKAHEAD_BINDING_EARLY_RULED, 40, 3, 1) == BOOKAHEAD_EARLY_WORKSPACE_BYTES(40, 3, 1));
    EXPECT(TOO_SHORT, bookahead_init(memory, LATE_BYTES - 8, BOOKAHEAD_BINDING_LATE_RULED, 4, 64, 8, &book));
    EXPECT(OK, bookahead_init(memory, LATE_BYTES, BOOKAHEAD_BINDING_LATE_RULED, 4, 64, 8, &book));
    EXPECT(OK, bookahead_status(book, &status));
    CHECK(status.binding == BOOKAHEAD_BINDING_LATE_RULED && status.pes == 4 && status.horizon == 64 && status.capacity == 8);
    EXPECT(UNKNOWN_BINDING, bookahead_init(memory, sizeof memory, 7, 4, 64, 8, &book));
    /* All its bytes are the book; those of one more are another. */
    EXPECT(OK, bookahead_open(memory, LATE_BYTES, &book));
    EXPECT(TOO_SHORT, bookahead_open(memory, LATE_BYTES - 8, &book));
    ((unsigned char *)memory)[20] ^= BOOKAHEAD_BINDING_LATE_RULED ^ BOOKAHEAD_BINDING_LATE;
    EXPECT(NOT_A_BOOK, bookahead_open(memory, LATE_BYTES, &book));
}

/* One is lifted and finds another place, the other none; before, it is said what it would cost, and a refusal leaves no trace. */
static void a_rule_breaks_a_promise(void) {
    const struct bookahead_request pair = {6, 40, 5, 2}, at_once = {6, 11, 5, 2}, behind = {12, 17, 5, 1};
    const struct bookahead_absent two = {NULL, 0, 2};
    struct bookahead_booking waits, must, booking;
    struct bookahead_book *book = two_booked(&waits, &must);
    struct bookahead_juggled changed;
    struct bookahead_reservation known;
    struct bookahead_obstacle obstacle;
    struct bookahead_explanation explanation;
    size_t count;
    int i, is_first;
    memcpy(copy, memory, sizeof memory);
    EXPECT(MOVE_LIMIT, bookahead_set_rule(book, 3, &night, &three, workspace_of(lent, BOOKAHEAD_LATE_WORKSPACE_BYTES(2, 0)), 1000, COMMIT, moves, 8, &changed));
    EXPECT(MOVE_LIMIT, bookahead_set_rule(book, 3, &night, &three, NULL, 1000, COMMIT, moves, 8, &changed));
    EXPECT(WORK_LIMIT, bookahead_set_rule(book, 3, &night, &three, workspace_of(lent, sizeof lent), 65, COMMIT, moves, 8, &changed));
    CHECK(memcmp(copy, memory, sizeof memory) == 0);
    for (i = 0; i < 2; i++) {
        EXPECT(OK, bookahead_set_rule(book, 3, &night, &three, workspace_of(lent, sizeof lent), 1000, i == 0 ? PLAN : COMMIT, moves, 8, &changed));
        CHECK(changed.moves == 2 && changed.more_moves == 0 && changed.booking.handle.bits == 0 && changed.work_left < 1000 - 64);
        is_first = moves[0].handle.bits == waits.handle.bits;
        CHECK(moves[is_first].handle.bits == must.handle.bits && moves[is_first].from.start == 7 && moves[is_first].to.duration == 0);
        CHECK(moves[!is_first].handle.bits == waits.handle.bits && moves[!is_first].from.start == 6 && moves[!is_first].to.start == 12);
        CHECK(i == 1 || memcmp(copy, memory, sizeof memory) == 0);
    }
    EXPECT(STALE_HANDLE, bookahead_get(book, must.handle, &known));
    EXPECT(OK, bookahead_get(book, waits.handle, &known));
    CHECK(known.start == 12 && rules_during(book, 0, 8) == 0 && rules_during(book, 11, 12) == 1u << 3 && rules_during(book, 12, 32) == 0);
    CHECK(rules_during(book, 12, 33) == 1u << 3 && free_during(book, 7, 9) == 1 && free_during(book, 32, 36) == 1 && free_during(book, 36, 56) == 4);

    /* Who is in the way from slot 8 on: a rule, and nobody. */
    EXPECT(OK, bookahead_explain(book, &at_once, &obstacle, 1, &count, &explanation));
    CHECK(count == 1 && obstacle.start == 6 && obstacle.at == 8 && obstacle.lacking == 1);
    CHECK(obstacle.holders.listed == 0 && obstacle.holders.more == 0 && obstacle.holders.rules == 1u << 3);
    EXPECT(NO_ROOM, bookahead_reserve(book, &at_once, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    EXPECT(OK, bookahead_reserve(book, &pair, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    CHECK(booking.start == 12);
    EXPECT(OK, bookahead_cancel(book, booking.handle));

    /* It changes, applies always, and goes; and the machine shrinks, which is no rule. */
    EXPECT(OK, bookahead_set_rule(book, 3, &night, &two, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    CHECK(changed.moves == 0 && free_during(book, 7, 9) == 2);
    EXPECT(OK, bookahead_set_rule(book, 3, NULL, NULL, workspace_of(lent, sizeof lent), 1000, COMMIT, NULL, 0, &changed));
    CHECK(rules_during(book, 0, 64) == 0 && free_during(book, 0, 12) == 4);
    EXPECT(OK, bookahead_resize(book, &two, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    CHECK(rules_during(book, 0, 64) == 0 && free_during(book, 0, 12) == 2 && free_during(book, 0, 64) == 0 && changed.moves == 0);
    EXPECT(OK, bookahead_explain(book, &behind, &obstacle, 1, &count, &explanation));
    CHECK(count == 1 && obstacle.holders.listed == 1 && obstacle.holders.rules == 0);
    EXPECT(OK, bookahead_resize(book, NULL, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    CHECK(free_during(book, 0, 12) == 4);
    EXPECT(OK, bookahead_check_invariants(book));
}

/* One PE fails, which a job has, and another job has not; then one more leaves later, whichever. */
static void a_number_of_pes_leaves(void) {
    const struct bookahead_request now = {0, 12, 12, 1}, later = {20, 30, 10, 4};
    const uint32_t second[] = {1u << 1}, fourth[] = {1u << 3}, beyond[] = {1u << 4}, all[] = {15}, longer[] = {1u << 3, 0};
    const struct bookahead_absent these = {second, 1, 0}, nowhere = {beyond, 1, 0}, one = {NULL, 0, 1}, none = {NULL, 0, 0}, five = {NULL, 0, 5};
    static uint64_t plain[BOOKAHEAD_LATE_BYTES(4, 64, 8) / 8];
    const struct bookahead_workspace *workspace = workspace_of(lent, sizeof lent);
    struct bookahead_booking runs, stays, waits;
    struct bookahead_book *book;
    struct bookahead_juggled taken;
    struct bookahead_reservation known;
    struct bookahead_event events[8];
    uint16_t pes[8];
    size_t count;
    bool flag;
    EXPECT(OK, bookahead_init(plain, sizeof plain, BOOKAHEAD_BINDING_LATE, 4, 64, 8, &book));
    EXPECT(OK, bookahead_reserve(book, &now, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &stays));
    EXPECT(OK, bookahead_reserve(book, &now, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &runs));
    EXPECT(OK, bookahead_reserve(book, &later, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &waits));
    EXPECT(WRONG_STATE, bookahead_bind(book, waits.handle, all, 1));
    EXPECT(OK, bookahead_advance(book, 1, events, 8, &count, &flag));
    EXPECT(BAD_PES, bookahead_bind(book, runs.handle, beyond, 1));
    EXPECT(BAD_PES, bookahead_bind(book, runs.handle, longer, 2));
    EXPECT(NO_ROOM, bookahead_bind(book, stays.handle, second, 1));
    EXPECT(OK, bookahead_bind(book, stays.handle, fourth, 1));
    EXPECT(OK, bookahead_pes_of(book, stays.handle, 0, pes, 8, &count));
    CHECK(count == 1 && pes[0] == 3);

    EXPECT(BAD_PES, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_MAINTENANCE, 1, 9, &these, workspace, 1000, COMMIT, moves, 8, &taken));
    EXPECT(BAD_PES, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_FAILURE, 0, 25, &nowhere, workspace, 1000, COMMIT, moves, 8, &taken));
    EXPECT(ZERO_PES, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_FAILURE, 0, 25, &none, workspace, 1000, COMMIT, moves, 8, &taken));
    EXPECT(TOO_WIDE, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_FAILURE, 0, 25, &five, workspace, 1000, COMMIT, moves, 8, &taken));
    EXPECT(OK, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_FAILURE, 0, 25, &these, workspace, 1000, COMMIT, moves, 8, &taken));
    CHECK(taken.moves == 3 && moves[0].handle.bits == runs.handle.bits && moves[0].to.duration == 0);
    CHECK(moves[1].handle.bits == waits.handle.bits && moves[1].to.duration == 0 && moves[2].to.start == 1 && moves[2].to.duration == 24);
    EXPECT(STALE_HANDLE, bookahead_get(book, waits.handle, &known));
    EXPECT(OK, bookahead_bind(book, moves[2].handle, second, 1));
    EXPECT(OK, bookahead_is_outage(book, moves[2].handle, &flag));
    CHECK(flag);
    EXPECT(OK, bookahead_get(book, moves[2].handle, &known));
    CHECK(known.state == BOOKAHEAD_STATE_RUNNING);
    EXPECT(OK, bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_MAINTENANCE, 20, 30, &one, workspace, 1000, COMMIT, moves, 8, &taken));
    CHECK(taken.moves == 1 && moves[0].to.pes == 1 && free_during(book, 20, 25) == 2 && free_during(book, 25, 30) == 3);
    EXPECT(OK, bookahead_check_invariants(book));
}

static struct bookahead_step set_rule(uint32_t number, const struct bookahead_rule *rule, const struct bookahead_absent *absent) {
    struct bookahead_step step;
    memset(&step, 0, sizeof step);
    step.kind = BOOKAHEAD_STEP_KIND_SET_RULE;
    step.number = number;
    step.rule = rule;
    step.absent = absent;
    return step;
}

static struct bookahead_step resize(const struct bookahead_absent *absent) {
    struct bookahead_step step = set_rule(77, NULL, absent);
    step.kind = BOOKAHEAD_STEP_KIND_RESIZE;
    return step;
}

/* A night and a smaller machine come together, or neither does; and both go again. */
static void several_rules_at_once(void) {
    const struct bookahead_rule no_period = {0, 0, 4};
    const struct bookahead_absent one = {NULL, 0, 1}, these = {(const uint32_t *)((uintptr_t)&one + 1), 1, 0};
    const struct bookahead_absent *nowhere = (const struct bookahead_absent *)((uintptr_t)&one + 1);
    struct bookahead_booking waits, must;
    struct bookahead_book *book = two_booked(&waits, &must), *plain;
    const struct bookahead_workspace *workspace = workspace_of(lent, sizeof lent);
    struct bookahead_workspace short_of_one = {lent, BOOKAHEAD_LATE_WORKSPACE_BYTES(3, 0), 0};
    static uint64_t plain_memory[BOOKAHEAD_LATE_BYTES(4, 64, 8) / 8];
    struct bookahead_step steps[4];
    struct bookahead_outcome outcome;
    struct bookahead_reservation known;
    int i, is_first;
    memcpy(copy, memory, sizeof memory);
    steps[0] = set_rule(3, &night, &three);
    steps[1] = resize(&one);
    steps[2] = set_rule(0, &no_period, &three);
    EXPECT(BAD_RULE, bookahead_transaction(book, workspace, 1000, steps, 3, COMMIT, moves, 8, &outcome));
    CHECK(outcome.failed_step == 2 && outcome.moves == 0 && steps[0].code == BOOKAHEAD_CODE_OK && steps[2].code == BOOKAHEAD_CODE_BAD_RULE);
    steps[2] = set_rule(BOOKAHEAD_MOST_RULES, NULL, NULL);
    EXPECT(BAD_RULE, bookahead_transaction(book, workspace, 1000, steps, 3, COMMIT, moves, 8, &outcome));
    steps[2] = set_rule(0, &night, NULL);
    EXPECT(NULL_POINTER, bookahead_transaction(book, workspace, 1000, steps, 3, COMMIT, moves, 8, &outcome));
    steps[2] = set_rule(0, &night, nowhere);
    EXPECT(MISALIGNED, bookahead_transaction(book, workspace, 1000, steps, 3, COMMIT, moves, 8, &outcome));
    steps[2] = resize(&these);
    EXPECT(MISALIGNED, bookahead_transaction(book, workspace, 1000, steps, 3, COMMIT, moves, 8, &outcome));
    /* The first rule takes its own entry, and one for each of the two in its way. */
    EXPECT(MOVE_LIMIT, bookahead_transaction(book, &short_of_one, 1000, steps, 2, COMMIT, moves, 8, &outcome));
    CHECK(outcome.failed_step == 1);
    EXPECT(WORK_LIMIT, bookahead_transaction(book, workspace, 100, steps, 2, COMMIT, moves, 8, &outcome));
    CHECK(memcmp(copy, memory, sizeof memory) == 0);

    /* What cannot be done is left out, if it is optional. */
    steps[2] = set_rule(0, &no_period, &three);
    steps[2].optional = 1;
    for (i = 0; i < 2; i++) {
        EXPECT(OK, bookahead_transaction(book, workspace, 1000, steps, 3, i == 0 ? PLAN : COMMIT, moves, 8, &outcome));
        CHECK(outcome.moves == 2 && outcome.more_moves == 0 && outcome.failed_step == 3 && steps[2].code == BOOKAHEAD_CODE_BAD_RULE);
        is_first = moves[0].handle.bits == waits.handle.bits;
        CHECK(moves[is_first].handle.bits == must.handle.bits && moves[is_first].from.start == 7 && moves[is_first].to.duration == 0);
        CHECK(moves[!is_first].handle.bits == waits.handle.bits && moves[!is_first].from.start == 6 && moves[!is_first].to.start == 12);
        CHECK(i == 1 || memcmp(copy, memory, sizeof memory) == 0);
    }
    EXPECT(STALE_HANDLE, bookahead_get(book, must.handle, &known));
    CHECK(rules_during(book, 0, 64) == 1u << 3 && free_during(book, 0, 8) == 3 && free_during(book, 8, 12) == 1 && free_during(book, 12, 17) == 1);

    /* Rules that come and go behind a savepoint, and are put back; then both go, and what is not there is not looked at. */
    memset(steps, 0, sizeof steps);
    steps[0].kind = BOOKAHEAD_STEP_KIND_SAVEPOINT;
    steps[1] = set_rule(3, NULL, nowhere);
    steps[2] = set_rule(15, &night, &one);
    steps[3].kind = BOOKAHEAD_STEP_KIND_ROLLBACK_TO;
    EXPECT(OK, bookahead_transaction(book, workspace, 1000, steps, 4, COMMIT, moves, 8, &outcome));
    CHECK(outcome.moves == 0 && rules_during(book, 0, 64) == 1u << 3 && free_during(book, 8, 12) == 1);
    steps[0] = resize(NULL);
    EXPECT(OK, bookahead_transaction(book, workspace, 1000, steps, 2, COMMIT, moves, 8, &outcome));
    CHECK(outcome.moves == 0 && rules_during(book, 0, 64) == 0 && free_during(book, 0, 12) == 4);
    EXPECT(OK, bookahead_check_invariants(book));

    EXPECT(OK, bookahead_init(plain_memory, sizeof plain_memory, BOOKAHEAD_BINDING_LATE, 4, 64, 8, &plain));
    EXPECT(BAD_RULE, bookahead_transaction(plain, workspace, 1000, steps, 2, COMMIT, moves, 8, &outcome));
    CHECK(outcome.failed_step == 0);
}

/* PEs 0 to 3 are not there in 3 of every 10 slots; and of all rules, the union. */
static void sets(void) {
    const uint32_t first_four[] = {0xf, 0}, next[] = {0x30, 0}, last[] = {0, 1u << 7};
    const struct bookahead_rule often = {0, 10, 3}, seldom = {5, 1000, 1}, at_60 = {60, 1000, 1};
    const struct bookahead_absent some = {first_four, 2, 0}, others = {next, 2, 77}, one = {last, 2, 0};
    const struct bookahead_request wide = {0, 20, 5, 38}, narrow = {0, 3, 3, 34};
    struct bookahead_book *book = early();
    struct bookahead_booking booking;
    struct bookahead_juggled changed;
    uint16_t pes[40];
    size_t count;
    uint32_t number;
    EXPECT(OK, bookahead_set_rule(book, 0, &often, &some, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    EXPECT(OK, bookahead_set_rule(book, 1, &often, &others, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    CHECK(rules_during(book, 12, 13) == 3 && rules_during(book, 13, 20) == 0 && free_during(book, 12, 13) == 34);
    EXPECT(OK, bookahead_reserve(book, &wide, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    CHECK(booking.start == 3);
    EXPECT(OK, bookahead_reserve(book, &narrow, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    EXPECT(OK, bookahead_pes_of(book, booking.handle, 0, pes, 40, &count));
    CHECK(count == 34 && pes[0] == 6 && pes[33] == 39);
    /* As many rules as there may be, and none more. */
    for (number = 2; number < BOOKAHEAD_MOST_RULES; number++)
        EXPECT(OK, bookahead_set_rule(book, number, &seldom, &one, workspace_of(lent, sizeof lent), 1000, PLAN, moves, 8, &changed));
    EXPECT(BAD_RULE, bookahead_set_rule(book, number, &often, &one, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_RULE, bookahead_set_rule(book, number, NULL, NULL, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_RULE, bookahead_set_rule(book, UINT32_MAX, NULL, NULL, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    for (number = 2; number < BOOKAHEAD_MOST_RULES; number++)
        EXPECT(OK, bookahead_set_rule(book, number, &at_60, &one, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    CHECK(rules_during(book, 60, 61) == 0xffff && rules_during(book, 61, 62) == 3 && free_during(book, 60, 61) == 33);
    EXPECT(OK, bookahead_check_invariants(book));
}

static void an_open_ended_job_meets_a_rule(void) {
    struct bookahead_booking waits, must;
    struct bookahead_book *book = two_booked(&waits, &must);
    struct bookahead_juggled changed;
    struct bookahead_handle job;
    struct bookahead_conflict conflict;
    struct bookahead_reservation known;
    struct bookahead_event events[8];
    size_t count;
    bool more;
    EXPECT(OK, bookahead_set_rule(book, 3, &night, &three, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    EXPECT(NO_ROOM, bookahead_reserve_open(book, 3, BOOKAHEAD_MEETING_ALLOW, &job, &conflict));
    CHECK(conflict.listed == 1 && conflict.handles[0].bits == waits.handle.bits);
    EXPECT(NO_ROOM, bookahead_reserve_open(book, 2, BOOKAHEAD_MEETING_REFUSE, &job, &conflict));
    CHECK(conflict.rules == 1u << 3);
    EXPECT(OK, bookahead_reserve_open(book, 2, BOOKAHEAD_MEETING_ALLOW, &job, &conflict));
    CHECK(conflict.listed == 0 && conflict.more == 0 && conflict.rules == 0);
    EXPECT(OK, bookahead_get(book, job, &known));
    CHECK(known.start == 0 && known.end == UINT32_MAX && known.request.duration == UINT32_MAX && known.state == BOOKAHEAD_STATE_RUNNING);
    /* Up to the turn an end could be announced, and not beyond. */
    EXPECT(NO_ROOM, bookahead_announce_end(book, job, 9));
    EXPECT(OK, bookahead_advance(book, 8, events, 8, &count, &more));
    CHECK(count == 1 && !more && events[0].kind == BOOKAHEAD_EVENT_KIND_RULE_MET && events[0].at == 8 && events[0].handle.bits == job.bits);
    CHECK(strcmp(bookahead_event_name(events[0].kind), "rule-met") == 0);
    EXPECT(OUTSIDE_WINDOW, bookahead_announce_end(book, job, 8));
    EXPECT(NO_ROOM, bookahead_announce_end(book, job, 20));
    EXPECT(OK, bookahead_advance(book, 12, events, 8, &count, &more));
    CHECK(count == 1 && events[0].kind == BOOKAHEAD_EVENT_KIND_STARTED && events[0].handle.bits == waits.handle.bits);
    EXPECT(WRONG_STATE, bookahead_announce_end(book, waits.handle, 20));
    EXPECT(BEYOND_HORIZON, bookahead_announce_end(book, job, 12 + 65));
    EXPECT(OK, bookahead_announce_end(book, job, 20));
    EXPECT(WRONG_STATE, bookahead_announce_end(book, job, 21));
    EXPECT(OK, bookahead_get(book, job, &known));
    CHECK(known.end == 20 && free_during(book, 20, 32) == 4);
    EXPECT(OK, bookahead_check_invariants(book));
}

static void a_copy_is_the_same_book(void) {
    static unsigned char bytes[2048];
    const struct bookahead_request at_once = {6, 11, 5, 2};
    struct bookahead_booking waits, must, booking;
    struct bookahead_book *book = two_booked(&waits, &must), *opened, *plain;
    struct bookahead_juggled changed;
    size_t length, used;
    uint64_t hash, other;
    EXPECT(OK, bookahead_set_rule(book, 3, &night, &three, workspace_of(lent, sizeof lent), 1000, COMMIT, moves, 8, &changed));
    memcpy(copy, memory, sizeof memory);
    EXPECT(OK, bookahead_open(copy, sizeof copy, &opened));
    EXPECT(NO_ROOM, bookahead_reserve(opened, &at_once, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    CHECK(rules_during(opened, 0, 64) == 1u << 3);
    /* So is one that is read from bytes, which are those of no book without rules. */
    EXPECT(OK, bookahead_snapshot_write(book, bytes, sizeof bytes, &length));
    EXPECT(OK, bookahead_state_hash(book, &hash));
    EXPECT(OK, bookahead_init(copy, sizeof copy, BOOKAHEAD_BINDING_LATE_RULED, 4, 64, 8, &opened));
    EXPECT(OK, bookahead_snapshot_read(opened, bytes, length, &used));
    EXPECT(OK, bookahead_state_hash(opened, &other));
    CHECK(used == length && hash == other && rules_during(opened, 0, 64) == 1u << 3);
    EXPECT(OK, bookahead_init(copy, sizeof copy, BOOKAHEAD_BINDING_LATE, 4, 64, 8, &plain));
    EXPECT(OTHER_BOOK, bookahead_snapshot_read(plain, bytes, length, &used));
}

/* Nodes of two cores, PEs 0 to 7, and a GPU, PEs 8 to 10, which the last has not. The second one is serviced from slot 8 on, 4 of every 24 slots. */
static void nodes_are_serviced(void) {
    static const uint8_t kinds[] = {2, 1};
    static const struct bookahead_fewer missing[] = {{{3, 4}, 1, 0}};
    static const struct bookahead_layout nodes = {kinds, 2, missing, 1, NULL, 0, 4};
    static uint64_t nodes_memory[512], other_memory[512];
    static unsigned char bytes[2048];
    const uint32_t second[] = {1u << 2 | 1u << 3 | 1u << 9}, last[] = {1u << 6 | 1u << 7}, gone[] = {1u << 11};
    const struct bookahead_absent second_node = {second, 1, 0}, last_node = {last, 1, 0}, no_such = {gone, 1, 0};
    const struct bookahead_request at_once = {6, 11, 5, 9}, may_wait = {6, 30, 5, 9}, two = {7, 12, 5, 6};
    static const uint16_t first_and_third[] = {0, 1, 4, 5, 8, 10};
    const struct bookahead_workspace *workspace = workspace_of(lent, sizeof lent);
    const size_t plain = bookahead_layout_bytes(BOOKAHEAD_BINDING_PLACED, &nodes, 64, 8, 4, 0);
    const size_t length = bookahead_layout_bytes(BOOKAHEAD_BINDING_PLACED_RULED, &nodes, 64, 8, 4, 0);
    struct bookahead_book *book, *other;
    struct bookahead_status status;
    struct bookahead_class node;
    struct bookahead_booking broken, waits, pair;
    struct bookahead_juggled changed;
    struct bookahead_conflict conflict;
    struct bookahead_failing failing;
    struct bookahead_handle handle;
    struct bookahead_plan plan;
    struct bookahead_event event;
    uint16_t pes[16];
    uint32_t number, fault;
    size_t count, written;
    uint64_t hash, same;
    bool happened;
    /* A set is two words, one of cores and one of GPUs. */
    CHECK(length == plain + 320 + 20 * 8 && length <= sizeof nodes_memory);
    EXPECT(TOO_SHORT, bookahead_layout_init(nodes_memory, length - 8, BOOKAHEAD_BINDING_PLACED_RULED, &nodes, 64, 8, 4, 0, &book));
    EXPECT(OK, bookahead_layout_init(nodes_memory, length, BOOKAHEAD_BINDING_PLACED_RULED, &nodes, 64, 8, 4, 0, &book));
    EXPECT(OK, bookahead_status(book, &status));
    CHECK(status.binding == BOOKAHEAD_BINDING_PLACED_RULED && status.pes == 11 && status.horizon == 64 && status.capacity == 8);
    memset(&node, 0, sizeof node);
    node.shape = BOOKAHEAD_SHAPE_WHOLE_GROUPS;
    node.eligible = BOOKAHEAD_ELIGIBLE_GROUPS;
    node.kinds = 3;
    {
        static const struct bookahead_groups with_a_gpu[] = {{0, 3}};
        node.groups = with_a_gpu;
        node.group_count = 1;
        EXPECT(OK, bookahead_class_add(book, &node, &number, &fault));
    }
    EXPECT(OK, bookahead_class_ask(book, number));
    EXPECT(OK, bookahead_reserve(book, &at_once, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &broken));

    /* Whoever needs all three nodes finds them before or behind the turn; who needs two, the others. */
    EXPECT(OK, bookahead_state_hash(book, &hash));
    EXPECT(BAD_PES, bookahead_set_rule(book, 5, &night, &no_such, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_PES, bookahead_set_rule(book, 5, &night, &three, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(OK, bookahead_set_rule(book, 5, &night, &second_node, workspace, 1000, PLAN, moves, 8, &changed));
    CHECK(changed.moves == 1 && moves[0].handle.bits == broken.handle.bits && moves[0].to.duration == 0);
    EXPECT(OK, bookahead_state_hash(book, &same));
    CHECK(hash == same);
    EXPECT(OK, bookahead_set_rule(book, 5, &night, &second_node, workspace, 1000, COMMIT, moves, 8, &changed));
    CHECK(changed.moves == 1 && moves[0].handle.bits == broken.handle.bits && moves[0].to.duration == 0);
    EXPECT(STALE_HANDLE, bookahead_cancel(book, broken.handle));
    EXPECT(NO_ROOM, bookahead_reserve(book, &at_once, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &broken));
    EXPECT(OK, bookahead_failing(book, &at_once, 6, &failing));
    CHECK(failing.kind == BOOKAHEAD_FAILING_KIND_NUMBER && failing.lacking == 3);
    EXPECT(OK, bookahead_reserve(book, &may_wait, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &waits));
    EXPECT(OK, bookahead_reserve(book, &two, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &pair));
    EXPECT(OK, bookahead_pes_of(book, pair.handle, 0, pes, 16, &count));
    CHECK(waits.start == 12 && pair.start == 7 && count == 6 && memcmp(pes, first_and_third, sizeof first_and_third) == 0);
    EXPECT(OK, bookahead_class_of(book, pair.handle, &fault));
    CHECK(fault == number && rules_during(book, 0, 8) == 0 && rules_during(book, 11, 12) == 1u << 5 && free_during(book, 8, 12) == 2);
    EXPECT(NO_ROOM, bookahead_reserve_exactly(book, 11, 13, second, 1, NULL, &handle, &conflict));
    CHECK(conflict.listed == 1 && conflict.handles[0].bits == waits.handle.bits && conflict.rules == 1u << 5);

    /* The node without a GPU goes for good, and an open-ended job is met on the second. */
    EXPECT(OK, bookahead_resize(book, &last_node, workspace, 1000, COMMIT, moves, 8, &changed));
    CHECK(changed.moves == 0 && free_during(book, 0, 7) == 9 && free_during(book, 8, 12) == 0);
    EXPECT(OK, bookahead_cancel(book, waits.handle));
    EXPECT(NO_ROOM, bookahead_reserve_open(book, 3, BOOKAHEAD_MEETING_REFUSE, &handle, &conflict));
    EXPECT(OK, bookahead_reserve_open(book, 3, BOOKAHEAD_MEETING_ALLOW, &handle, &conflict));
    EXPECT(OK, bookahead_pes_of(book, handle, 0, pes, 16, &count));
    CHECK(count == 3 && pes[0] == 2 && pes[1] == 3 && pes[2] == 9);
    EXPECT(OK, bookahead_check_invariants(book));

    /* A copy asks for the same class; one that is read from bytes has the same rules; one without rules is another. */
    memcpy(other_memory, nodes_memory, length);
    EXPECT(OK, bookahead_open(other_memory, length, &other));
    EXPECT(NO_ROOM, bookahead_plan(other, &at_once, BOOKAHEAD_POLICY_FIRST_FIT, &plan));
    EXPECT(TOO_SHORT, bookahead_open(other_memory, length - 8, &other));
    EXPECT(OK, bookahead_snapshot_write(book, bytes, sizeof bytes, &written));
    EXPECT(OK, bookahead_state_hash(book, &hash));
    EXPECT(OK, bookahead_layout_init(other_memory, length, BOOKAHEAD_BINDING_PLACED, &nodes, 64, 8, 4, 0, &other));
    EXPECT(OTHER_BOOK, bookahead_snapshot_read(other, bytes, written, &count));
    EXPECT(BAD_RULE, bookahead_resize(other, &last_node, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(OK, bookahead_layout_init(other_memory, length, BOOKAHEAD_BINDING_PLACED_RULED, &nodes, 64, 8, 4, 0, &other));
    EXPECT(OK, bookahead_snapshot_read(other, bytes, written, &count));
    EXPECT(OK, bookahead_state_hash(other, &same));
    CHECK(count == written && hash == same && rules_during(other, 0, 64) == 1u << 5 && free_during(other, 8, 12) == 0);
    EXPECT(OK, bookahead_next(other, 8, &event, &happened));
    CHECK(happened && event.kind == BOOKAHEAD_EVENT_KIND_STARTED && event.handle.bits == pair.handle.bits);
    EXPECT(OK, bookahead_next(other, 8, &event, &happened));
    CHECK(happened && event.kind == BOOKAHEAD_EVENT_KIND_RULE_MET && event.at == 8 && event.handle.bits == handle.bits);
    EXPECT(OK, bookahead_check_invariants(other));
}

static void mistakes(void) {
    const uint32_t first_four[] = {0xf, 0}, none[] = {0, 0}, beyond[] = {0, 1u << 8};
    const struct bookahead_rule no_period = {0, 0, 4}, no_length = {0, 4, 0}, always = {UINT32_MAX, 1, UINT32_MAX};
    const struct bookahead_absent zero = {NULL, 0, 0}, five = {NULL, 0, 5}, wide = {NULL, 0, 65536 + 1}, these = {first_four, 2, 0};
    const struct bookahead_absent empty = {none, 2, 0}, no_such = {beyond, 2, 0}, few = {first_four, 1, 0}, many = {first_four, SIZE_MAX, 0};
    const struct bookahead_absent null = {NULL, 2, 0}, misaligned = {(const uint32_t *)((uintptr_t)first_four + 1), 2, 0};
    const struct bookahead_workspace *workspace = workspace_of(lent, sizeof lent);
    struct bookahead_workspace wrong = {(char *)lent + 4, sizeof lent - 8, 0};
    struct bookahead_booking waits, must;
    struct bookahead_book *book = two_booked(&waits, &must), *sets = early(), *plain;
    struct bookahead_juggled changed;
    struct bookahead_handle job;
    struct bookahead_conflict conflict;
    static uint64_t zeros[LATE_BYTES / 8], plain_memory[BOOKAHEAD_LATE_BYTES(4, 64, 8) / 8];
    uint32_t rules;
    memcpy(copy, memory, sizeof memory);
    memset(&changed, 7, sizeof changed);
    EXPECT(BAD_RULE, bookahead_set_rule(book, 0, &no_period, &three, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_RULE, bookahead_set_rule(book, 0, &no_length, &three, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_RULE, bookahead_set_rule(book, BOOKAHEAD_MOST_RULES, &night, &three, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(ZERO_PES, bookahead_set_rule(book, 0, &night, &zero, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(TOO_WIDE, bookahead_set_rule(book, 0, &night, &five, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(TOO_WIDE, bookahead_set_rule(book, 0, &night, &wide, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_PES, bookahead_set_rule(book, 0, &night, &these, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(NULL_POINTER, bookahead_set_rule(book, 0, &night, NULL, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(NULL_POINTER, bookahead_set_rule(book, 0, &night, &null, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(MISALIGNED, bookahead_set_rule(book, 0, &night, &misaligned, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_set_rule(book, 0, &night, &many, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(MISALIGNED, bookahead_set_rule(book, 0, (const struct bookahead_rule *)((uintptr_t)&night + 1), &three, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(MISALIGNED, bookahead_set_rule(book, 0, &night, &three, &wrong, 1000, COMMIT, moves, 8, &changed));
    EXPECT(NULL_POINTER, bookahead_set_rule(book, 0, &night, &three, workspace, 1000, COMMIT, NULL, 8, &changed));
    EXPECT(NULL_POINTER, bookahead_set_rule(book, 0, &night, &three, workspace, 1000, COMMIT, moves, 8, NULL));
    EXPECT(UNKNOWN_ENDING, bookahead_set_rule(book, 0, &night, &three, workspace, 1000, 2, moves, 8, &changed));
    EXPECT(NULL_POINTER, bookahead_set_rule(NULL, 0, &night, &three, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(NOT_A_BOOK, bookahead_set_rule((struct bookahead_book *)zeros, 0, &night, &three, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(ZERO_PES, bookahead_resize(book, &zero, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_PES, bookahead_resize(book, &these, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(UNKNOWN_ENDING, bookahead_resize(book, &three, workspace, 1000, 2, moves, 8, &changed));
    EXPECT(NULL_POINTER, bookahead_resize(book, &three, workspace, 1000, COMMIT, moves, 8, NULL));
    EXPECT(NULL_POINTER, bookahead_rules_during(book, 0, 64, NULL));
    EXPECT(NOT_A_BOOK, bookahead_rules_during((struct bookahead_book *)zeros, 0, 64, &rules));
    EXPECT(UNKNOWN_MEETING, bookahead_reserve_open(book, 1, 2, &job, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_open(book, 1, BOOKAHEAD_MEETING_ALLOW, NULL, &conflict));
    EXPECT(NULL_POINTER, bookahead_reserve_open(book, 1, BOOKAHEAD_MEETING_ALLOW, &job, NULL));
    EXPECT(ZERO_PES, bookahead_reserve_open(book, 0, BOOKAHEAD_MEETING_ALLOW, &job, &conflict));
    EXPECT(TOO_WIDE, bookahead_reserve_open(book, 5, BOOKAHEAD_MEETING_ALLOW, &job, &conflict));
    EXPECT(UNKNOWN_HANDLE, bookahead_announce_end(book, nobody, 5));
    CHECK(memcmp(copy, memory, sizeof memory) == 0);
    /* The last slots of all, and a rule that applies always. */
    CHECK(rules_during(book, UINT64_MAX, UINT64_MAX) == 0 && rules_during(book, 9, 3) == 0);
    EXPECT(OK, bookahead_set_rule(book, 15, &always, &three, workspace, 1000, PLAN, moves, 1, &changed));
    CHECK(changed.moves == 1 && changed.more_moves == 1 && memcmp(copy, memory, sizeof memory) == 0);

    EXPECT(BAD_PES, bookahead_set_rule(sets, 0, &night, &three, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_PES, bookahead_set_rule(sets, 0, &night, &empty, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_PES, bookahead_set_rule(sets, 0, &night, &few, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_PES, bookahead_set_rule(sets, 0, &night, &no_such, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_PES, bookahead_resize(sets, &no_such, workspace, 1000, COMMIT, moves, 8, &changed));
    CHECK(rules_during(sets, 0, 64) == 0);
    EXPECT(OK, bookahead_check_invariants(sets));

    EXPECT(OK, bookahead_init(plain_memory, sizeof plain_memory, BOOKAHEAD_BINDING_LATE, 4, 64, 8, &plain));
    EXPECT(BAD_RULE, bookahead_set_rule(plain, 0, &night, &three, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_RULE, bookahead_set_rule(plain, 0, NULL, NULL, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_RULE, bookahead_resize(plain, NULL, workspace, 1000, COMMIT, moves, 8, &changed));
    EXPECT(BAD_RULE, bookahead_reserve_open(plain, 1, BOOKAHEAD_MEETING_ALLOW, &job, &conflict));
    CHECK(rules_during(plain, 0, 64) == 0);
}

int main(void) {
    sizes();
    a_rule_breaks_a_promise();
    a_number_of_pes_leaves();
    several_rules_at_once();
    sets();
    an_open_ended_job_meets_a_rule();
    a_copy_is_the_same_book();
    nodes_are_serviced();
    mistakes();
    puts("rules did what was worked out, and every mistake was noticed");
    return 0;
}
