/* Nodes and licences decided as one, a part that is changed by itself, and every mistake about several books. The numbers are worked out by hand. */
#include "check.h"

#include <string.h>

#define ROWS 8
#define SLOTS 64
#define WORK 1000

static uint64_t node_memory[BOOKAHEAD_EARLY_BYTES(16, SLOTS, ROWS) / 8], licence_memory[BOOKAHEAD_LATE_BYTES(3, SLOTS, ROWS) / 8];
static uint64_t nodes_before[sizeof node_memory / 8], licences_before[sizeof licence_memory / 8];
static struct bookahead_tie ties[2][ROWS], ties_before[2][ROWS];
static struct bookahead_joined site[2];
static uint32_t reason;

static const uint32_t four_and_two[] = {4, 2}, nodes_only[] = {16, 0}, nothing[] = {0, 0};
static const struct bookahead_joint_request job = {0, 25, 10, four_and_two, 2}, from_five = {5, 25, 10, four_and_two, 2};
static const struct bookahead_book_part nobody = {0, {UINT64_MAX}};

static struct bookahead_joined joined(struct bookahead_book *book, struct bookahead_tie *its) {
    const struct bookahead_joined it = {book, its, ROWS, NULL, 0};
    return it;
}

/* 16 nodes and three licences. */
static void opened(void) {
    struct bookahead_book *book;
    memset(ties, 0, sizeof ties);
    EXPECT(OK, bookahead_init(node_memory, sizeof node_memory, BOOKAHEAD_BINDING_EARLY, 16, SLOTS, ROWS, &book));
    site[0] = joined(book, ties[0]);
    EXPECT(OK, bookahead_init(licence_memory, sizeof licence_memory, BOOKAHEAD_BINDING_LATE, 3, SLOTS, ROWS, &book));
    site[1] = joined(book, ties[1]);
}

static struct bookahead_joint_booking reserved(const struct bookahead_joint_request *request, const struct bookahead_commitment *commitment) {
    struct bookahead_joint_booking booking;
    EXPECT(OK, bookahead_several_reserve(site, 2, request, commitment, WORK, &booking, &reason));
    CHECK(reason == BOOKAHEAD_NO_BOOK);
    return booking;
}

static uint32_t booked(int book) {
    struct bookahead_status status;
    EXPECT(OK, bookahead_status(site[book].book, &status));
    return status.reservations;
}

/* The kind of the next event up to slot `to`, or 0, and whose it is. */
static uint32_t next_kind(uint64_t to, struct bookahead_book_part *part) {
    struct bookahead_event event;
    bool happened;
    EXPECT(OK, bookahead_several_next(site, 2, to, part, &event, &happened, &reason));
    return happened ? event.kind : 0;
}

static void nodes_and_licences(void) {
    const struct bookahead_joint_request all_nodes = {0, 64, 10, nodes_only, 2}, later = {0, 64, 10, four_and_two, 2};
    struct bookahead_joint_booking first, second, held, other;
    struct bookahead_book_part parts[3], part;
    uint64_t start;
    size_t count;
    bool is_torn;
    opened();
    first = reserved(&job, NULL);
    second = reserved(&job, NULL);
    CHECK(first.start == 0 && second.start == 10 && first.part.book == 0);
    /* There are nodes enough for a third one, and no licences before slot 20. */
    EXPECT(NO_ROOM, bookahead_several_reserve(site, 2, &job, NULL, WORK, &other, &reason));
    CHECK(reason == 1);
    EXPECT(OK, bookahead_several_earliest(site, 2, &later, WORK, &start, &reason));
    CHECK(start == 20);
    EXPECT(WORK_LIMIT, bookahead_several_earliest(site, 2, &later, 70, &start, &reason));
    EXPECT(OK, bookahead_several_reserve(site, 2, &all_nodes, NULL, WORK, &other, &reason));
    CHECK(other.start == 20);
    EXPECT(OK, bookahead_several_parts(site, 2, first.part, parts, 3, &count, &reason));
    CHECK(count == 2 && parts[0].handle.bits == first.part.handle.bits && parts[1].book == 1);
    EXPECT(OK, bookahead_several_parts(site, 2, parts[1], parts, 1, &count, &reason));
    CHECK(count == 1 && parts[0].book == 1);
    EXPECT(OK, bookahead_several_parts(site, 2, other.part, parts, 3, &count, &reason));
    CHECK(count == 1);

    /* Both parts start, and one event tells of it. */
    CHECK(next_kind(5, &part) == BOOKAHEAD_EVENT_KIND_STARTED && part.handle.bits == first.part.handle.bits);
    CHECK(next_kind(5, &part) == 0);
    /* The second one goes behind all nodes, by the part that is a licence. */
    EXPECT(OK, bookahead_several_parts(site, 2, second.part, parts, 3, &count, &reason));
    EXPECT(OK, bookahead_several_alter(site, 2, parts[1], 12, 15, 64, WORK, &start, &reason));
    CHECK(start == 30);
    EXPECT(NO_ROOM, bookahead_several_alter(site, 2, first.part, 0, 21, 64, WORK, &start, &reason));
    CHECK(reason == 0);
    EXPECT(OK, bookahead_several_complete(site, 2, first.part, 5, &reason));
    EXPECT(STALE_HANDLE, bookahead_several_cancel(site, 2, first.part, &reason));
    CHECK(reason == 0);
    held = reserved(&from_five, held_for(3));
    CHECK(held.start == 5);
    EXPECT(OK, bookahead_several_confirm(site, 2, held.part, &reason));
    EXPECT(NOT_HELD, bookahead_several_confirm(site, 2, held.part, &reason));
    EXPECT(NOT_RUNNING, bookahead_several_complete(site, 2, held.part, 5, &reason));
    EXPECT(OK, bookahead_several_cancel(site, 2, held.part, &reason));
    CHECK(booked(0) == 2 && booked(1) == 1);
    EXPECT(OK, bookahead_several_torn(site, 2, &part, &is_torn, &reason));
    CHECK(!is_torn);
}

/* Somebody cancels the licences of one and confirms the nodes of another: both are torn, and what is left of them ends. */
static void a_part_by_itself(void) {
    struct bookahead_joint_booking first, held;
    struct bookahead_book_part parts[2], part;
    size_t count;
    bool is_torn, was_torn;
    opened();
    first = reserved(&job, NULL);
    held = reserved(&job, held_for(9));
    EXPECT(OK, bookahead_several_parts(site, 2, first.part, parts, 2, &count, &reason));
    EXPECT(OK, bookahead_cancel(site[1].book, parts[1].handle));
    EXPECT(OK, bookahead_confirm(site[0].book, held.part.handle));
    EXPECT(STALE_HANDLE, bookahead_several_cancel(site, 2, first.part, &reason));
    CHECK(reason == 1);
    EXPECT(PARTS_APART, bookahead_several_cancel(site, 2, held.part, &reason));
    CHECK(reason == 1);
    EXPECT(OK, bookahead_several_torn(site, 2, &part, &is_torn, &reason));
    CHECK(is_torn && part.handle.bits == first.part.handle.bits && part.book == 0);
    for (count = 0;; count++) {
        EXPECT(OK, bookahead_several_end_torn(site, 2, &part, &was_torn, &reason));
        if (!was_torn) break;
    }
    CHECK(count == 3 && booked(0) == 0 && booked(1) == 0);
}

/* A library without quotas takes no periods, and one with them charges them. */
static void periods_need_a_library_with_them(void) {
    struct bookahead_period periods[] = {{24, 100, 0}};
    struct bookahead_joint_booking booking;
    uint32_t code;
    opened();
    site[1].periods = periods;
    site[1].period_count = 1;
    code = bookahead_several_reserve(site, 2, &job, NULL, WORK, &booking, &reason);
    CHECK(code == BOOKAHEAD_CODE_OK ? periods[0].used == 20 && reason == BOOKAHEAD_NO_BOOK
                                    : code == BOOKAHEAD_CODE_BAD_PERIODS && periods[0].used == 0 && reason == 1);
}

/* The pointer moved by one byte, which C lets nobody follow. */
static void *off_by_one(void *pointer) {
    return (char *)pointer + 1;
}

static void remember(void) {
    memcpy(nodes_before, node_memory, sizeof node_memory);
    memcpy(licences_before, licence_memory, sizeof licence_memory);
    memcpy(ties_before, ties, sizeof ties);
}

static bool is_as_before(void) {
    struct bookahead_book *book;
    EXPECT(OK, bookahead_open(node_memory, sizeof node_memory, &book));
    EXPECT(OK, bookahead_check_invariants(book));
    return memcmp(licences_before, licence_memory, sizeof licence_memory) == 0 && memcmp(ties_before, ties, sizeof ties) == 0 && booked(0) == 1;
}

/* Each call that takes these books answers `code`, and that book number `whose` is the reason. */
#define EVERY_CALL(CODE, books, length, whose) \
    do { \
        reason = 99; \
        EXPECT(CODE, bookahead_several_reserve(books, length, &job, NULL, WORK, &booking, &reason)); \
        CHECK(reason == (whose)); \
        EXPECT(CODE, bookahead_several_earliest(books, length, &job, WORK, &start, &reason)); \
        EXPECT(CODE, bookahead_several_parts(books, length, nobody, parts, 2, &count, &reason)); \
        EXPECT(CODE, bookahead_several_confirm(books, length, nobody, &reason)); \
        EXPECT(CODE, bookahead_several_cancel(books, length, nobody, &reason)); \
        EXPECT(CODE, bookahead_several_complete(books, length, nobody, 1, &reason)); \
        EXPECT(CODE, bookahead_several_alter(books, length, nobody, 0, 1, 9, WORK, &start, &reason)); \
        EXPECT(CODE, bookahead_several_next(books, length, 1, parts, &event, &happened, &reason)); \
        EXPECT(CODE, bookahead_several_torn(books, length, parts, &happened, &reason)); \
        EXPECT(CODE, bookahead_several_end_torn(books, length, parts, &happened, &reason)); \
        CHECK(reason == (whose) && is_as_before()); \
    } while (0)

static void every_mistake(void) {
    static uint64_t other_memory[BOOKAHEAD_LATE_BYTES(3, SLOTS + 1, ROWS) / 8];
    const struct bookahead_commitment flexible = {BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE, 0, 0, 0, 0};
    const struct bookahead_joint_request no_needs = {0, 25, 10, NULL, 2}, fewer = {0, 25, 10, four_and_two, 1}, none = {0, 25, 10, nothing, 2};
    struct bookahead_joined nine[9], wrong[2];
    struct bookahead_joint_booking booking;
    struct bookahead_book_part parts[2];
    struct bookahead_event event;
    struct bookahead_book *other;
    uint64_t start;
    size_t count, i;
    bool happened;
    opened();
    (void)reserved(&job, NULL);
    remember();
    for (i = 0; i < 9; i++) nine[i] = site[0];
    EVERY_CALL(NULL_POINTER, NULL, 2, BOOKAHEAD_NO_BOOK);
    EVERY_CALL(MISALIGNED, (struct bookahead_joined *)off_by_one(site), 2, BOOKAHEAD_NO_BOOK);
    EVERY_CALL(SIZE_OUT_OF_RANGE, site, SIZE_MAX, BOOKAHEAD_NO_BOOK);
    EVERY_CALL(TOO_MANY_PARTS, NULL, 0, BOOKAHEAD_NO_BOOK);
    EVERY_CALL(TOO_MANY_PARTS, nine, 9, BOOKAHEAD_NO_BOOK);
    EVERY_CALL(OVERLAPPING, nine, 2, 1);
    memcpy(wrong, site, sizeof wrong);
    wrong[1].ties = ties[0] + ROWS - 1;
    EVERY_CALL(OVERLAPPING, wrong, 2, 1);
    memcpy(wrong, site, sizeof wrong);
    wrong[1].book = NULL;
    EVERY_CALL(NULL_POINTER, wrong, 2, 1);
    wrong[1].book = (struct bookahead_book *)off_by_one(licence_memory);
    EVERY_CALL(MISALIGNED, wrong, 2, 1);
    wrong[1].book = (struct bookahead_book *)(licence_memory + 8);
    EVERY_CALL(NOT_A_BOOK, wrong, 2, 1);
    memcpy(wrong, site, sizeof wrong);
    wrong[0].ties = NULL;
    EVERY_CALL(NULL_POINTER, wrong, 2, 0);
    wrong[0].ties = (struct bookahead_tie *)off_by_one(ties);
    EVERY_CALL(MISALIGNED, wrong, 2, 0);
    wrong[0].ties = ties[0];
    wrong[0].tie_count = ROWS - 1;
    EVERY_CALL(SCRATCH_TOO_SHORT, wrong, 2, 0);
    wrong[0].tie_count = SIZE_MAX;
    EVERY_CALL(SIZE_OUT_OF_RANGE, wrong, 2, 0);
    memcpy(wrong, site, sizeof wrong);
    EXPECT(OK, bookahead_init(other_memory, sizeof other_memory, BOOKAHEAD_BINDING_LATE, 3, SLOTS + 1, ROWS, &other));
    wrong[1].book = other;
    EVERY_CALL(BOOKS_APART, wrong, 2, 1);

    CHECK(bookahead_several_reserve(site, 2, &job, NULL, WORK, &booking, NULL) == BOOKAHEAD_CODE_NULL_POINTER);
    EXPECT(NULL_POINTER, bookahead_several_reserve(site, 2, NULL, NULL, WORK, &booking, &reason));
    EXPECT(NULL_POINTER, bookahead_several_reserve(site, 2, &job, NULL, WORK, NULL, &reason));
    EXPECT(NULL_POINTER, bookahead_several_reserve(site, 2, &no_needs, NULL, WORK, &booking, &reason));
    CHECK(bookahead_several_reserve(site, 2, &fewer, NULL, WORK, &booking, &reason) != BOOKAHEAD_CODE_OK && reason == BOOKAHEAD_NO_BOOK);
    EXPECT(ZERO_PES, bookahead_several_reserve(site, 2, &none, NULL, WORK, &booking, &reason));
    EXPECT(ZERO_HOLD, bookahead_several_reserve(site, 2, &job, held_for(0), WORK, &booking, &reason));
    EXPECT(UNKNOWN_COMMITMENT, bookahead_several_reserve(site, 2, &job, &flexible, WORK, &booking, &reason));
    EXPECT(NULL_POINTER, bookahead_several_earliest(site, 2, &job, WORK, NULL, &reason));
    EXPECT(NULL_POINTER, bookahead_several_parts(site, 2, nobody, NULL, 1, &count, &reason));
    EXPECT(UNKNOWN_HANDLE, bookahead_several_cancel(site, 2, nobody, &reason));
    CHECK(reason == 0);
    parts[0].book = 2;
    parts[0].handle.bits = 0;
    EXPECT(UNKNOWN_HANDLE, bookahead_several_cancel(site, 2, parts[0], &reason));
    CHECK(reason == 2);
    EXPECT(NULL_POINTER, bookahead_several_next(site, 2, 1, NULL, &event, &happened, &reason));
    EXPECT(NULL_POINTER, bookahead_several_torn(site, 2, parts, NULL, &reason));
    EXPECT(END_OF_TIME, bookahead_several_next(site, 2, UINT64_MAX, parts, &event, &happened, &reason));
    CHECK(is_as_before());

    /* An advance of one alone. */
    for (happened = true; happened;) EXPECT(OK, bookahead_next(site[1].book, 3, &event, &happened));
    EXPECT(BOOKS_APART, bookahead_several_next(site, 2, 3, parts, &event, &happened, &reason));
    CHECK(reason == 1);
    for (happened = true; happened;) EXPECT(OK, bookahead_next(site[0].book, 3, &event, &happened));
    EXPECT(OK, bookahead_several_next(site, 2, 3, parts, &event, &happened, &reason));
    CHECK(!happened);
}

int main(void) {
    nodes_and_licences();
    a_part_by_itself();
    periods_need_a_library_with_them();
    every_mistake();
    printf("several books: what was worked out\n");
    return 0;
}
