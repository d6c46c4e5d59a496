/* Requests wait for room beside the jobs of a queue: promised, raised, given up; jobs have planned starts, and likely ones; and every mistake is noticed. The numbers are worked out by hand. */
#define BOOKAHEAD_PLAN
#include "check.h"

#include <string.h>

#define JOBS 3
#define REQUESTS 2

static uint64_t memory[512], queued[64], elsewhere[256];

/* All four PEs are booked from 0 to 10. */
static struct bookahead_book *full(struct bookahead_booking *booking) {
    const struct bookahead_request all = {0, 10, 10, 4};
    struct bookahead_book *book;
    EXPECT(OK, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_LATE, 4, 64, 8, &book));
    EXPECT(OK, bookahead_reserve(book, &all, BOOKAHEAD_POLICY_FIRST_FIT, NULL, booking));
    return book;
}

static struct bookahead_queue *new_queue(void) {
    struct bookahead_queue *queue;
    const size_t most = BOOKAHEAD_QUEUE_BYTES(JOBS) + BOOKAHEAD_REQUESTS_BYTES(REQUESTS);
    CHECK(bookahead_queue_requests_bytes(REQUESTS) == BOOKAHEAD_REQUESTS_BYTES(REQUESTS) && most <= sizeof queued);
    memset(queued, 0xA5, sizeof queued);
    EXPECT(OK, bookahead_queue_init(queued, sizeof queued, BOOKAHEAD_DISCIPLINE_EASY, JOBS, &queue));
    EXPECT(TOO_SHORT, bookahead_queue_keep_requests(queue, most - 1, REQUESTS));
    EXPECT(SIZE_OUT_OF_RANGE, bookahead_queue_keep_requests(queue, most, UINT32_MAX));
    EXPECT(OK, bookahead_queue_keep_requests(queue, most, REQUESTS));
    return queue;
}

static void expect_event(struct bookahead_queue *queue, struct bookahead_book *book, uint64_t to, uint32_t kind, uint32_t ticket) {
    struct bookahead_event event;
    bool happened;
    EXPECT(OK, bookahead_queue_next(queue, book, to, &event, &happened));
    CHECK(happened && event.kind == kind && event.ticket == ticket);
}

static void promised_in_their_order_and_given_up(void) {
    const struct bookahead_request early = {0, 8, 5, 3}, late = {0, 30, 5, 2};
    struct bookahead_booking booking;
    struct bookahead_book *book = full(&booking);
    struct bookahead_queue *queue = new_queue(), *moved;
    struct bookahead_waiting_request waiting[REQUESTS];
    struct bookahead_job job = {2, 1};
    uint32_t one, other, third;
    size_t count;
    EXPECT(NO_ROOM, bookahead_reserve(book, &early, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    EXPECT(OK, bookahead_queue_wait(queue, book, &early, BOOKAHEAD_POLICY_FIRST_FIT, NULL, 1, &one));
    EXPECT(OK, bookahead_queue_wait(queue, book, &late, BOOKAHEAD_POLICY_PE_WORST_FIT, held_for(6), 0, &other));
    EXPECT(QUEUE_FULL, bookahead_queue_wait(queue, book, &late, BOOKAHEAD_POLICY_FIRST_FIT, NULL, 0, &third));
    EXPECT(OK, bookahead_queue_submit(queue, book, &job, &third));
    CHECK(one != 0 && other != 0 && one != other && third != one);
    EXPECT(OK, bookahead_queue_set_key(queue, other, 7));
    EXPECT(OK, bookahead_queue_requests(queue, 0, waiting, REQUESTS, &count));
    CHECK(count == 2 && waiting[0].ticket == other && waiting[0].key == 7 && waiting[1].ticket == one);
    CHECK(waiting[0].policy == BOOKAHEAD_POLICY_PE_WORST_FIT && waiting[0].request.deadline == 30);
    CHECK(waiting[0].commitment.kind == BOOKAHEAD_COMMITMENT_KIND_HELD && waiting[0].commitment.ttl == 6);
    CHECK(waiting[1].commitment.kind == BOOKAHEAD_COMMITMENT_KIND_CONFIRMED);
    EXPECT(OK, bookahead_queue_requests(queue, 1, waiting, REQUESTS, &count));
    CHECK(count == 1 && waiting[0].ticket == one);
    /* All bytes lie in one piece, and may be moved. */
    memcpy(elsewhere, queued, sizeof queued);
    EXPECT(OK, bookahead_queue_open(elsewhere, sizeof elsewhere, &moved));
    EXPECT(OK, bookahead_queue_requests(moved, 0, waiting, REQUESTS, &count));
    CHECK(count == 2);
    EXPECT(TOO_SHORT, bookahead_queue_open(elsewhere, BOOKAHEAD_QUEUE_BYTES(JOBS), &moved));
    /* The later one has room behind the job that is there; the other would have to start by 3. */
    expect_event(queue, book, 4, BOOKAHEAD_EVENT_KIND_PROMISED, other);
    expect_event(queue, book, 4, BOOKAHEAD_EVENT_KIND_STARTED, 0);
    expect_event(queue, book, 4, BOOKAHEAD_EVENT_KIND_GAVE_UP, one);
    EXPECT(UNKNOWN_TICKET, bookahead_queue_set_key(queue, one, 1));
    EXPECT(OK, bookahead_queue_requests(queue, 0, waiting, REQUESTS, &count));
    CHECK(count == 0);
    EXPECT(OK, bookahead_queue_check_invariants(queue, book));
}

static void mistakes(void) {
    const struct bookahead_request fits = {0, 30, 5, 2}, wide = {0, 30, 5, 5}, passed = {0, 4, 5, 1};
    const struct bookahead_commitment unknown = {9, 0, 0, 0, 0};
    struct bookahead_booking booking;
    struct bookahead_book *book = full(&booking);
    struct bookahead_queue *queue = new_queue();
    struct bookahead_waiting_request waiting[REQUESTS];
    uint32_t ticket;
    size_t count;
    EXPECT(TOO_WIDE, bookahead_queue_wait(queue, book, &wide, BOOKAHEAD_POLICY_FIRST_FIT, NULL, 0, &ticket));
    EXPECT(WINDOW_TOO_SHORT, bookahead_queue_wait(queue, book, &passed, BOOKAHEAD_POLICY_FIRST_FIT, NULL, 0, &ticket));
    EXPECT(UNKNOWN_POLICY, bookahead_queue_wait(queue, book, &fits, 7, NULL, 0, &ticket));
    EXPECT(UNKNOWN_COMMITMENT, bookahead_queue_wait(queue, book, &fits, 0, &unknown, 0, &ticket));
    EXPECT(NULL_POINTER, bookahead_queue_wait(queue, book, NULL, 0, NULL, 0, &ticket));
    EXPECT(NULL_POINTER, bookahead_queue_wait(queue, book, &fits, 0, NULL, 0, NULL));
    EXPECT(NOT_A_BOOK, bookahead_queue_wait(queue, (struct bookahead_book *)elsewhere, &fits, 0, NULL, 0, &ticket));
    EXPECT(OK, bookahead_queue_set_incarnation(queue, 3));
    EXPECT(FOREIGN_QUEUE, bookahead_queue_wait(queue, book, &fits, 0, NULL, 0, &ticket));
    EXPECT(UNKNOWN_TICKET, bookahead_queue_set_key(queue, 0, 1));
    EXPECT(NULL_POINTER, bookahead_queue_requests(queue, 0, NULL, REQUESTS, &count));
    EXPECT(NULL_POINTER, bookahead_queue_requests(NULL, 0, waiting, REQUESTS, &count));
    /* A queue that has no list lets nobody wait, and knows of nobody. */
    EXPECT(OK, bookahead_queue_init(queued, sizeof queued, BOOKAHEAD_DISCIPLINE_FCFS, JOBS, &queue));
    EXPECT(QUEUE_FULL, bookahead_queue_wait(queue, book, &fits, 0, NULL, 0, &ticket));
    EXPECT(OK, bookahead_queue_requests(queue, 0, waiting, REQUESTS, &count));
    CHECK(count == 0);
}

/* The job of all PEs ends after three of ten slots, so that whoever may be moved starts then. */
static void pulled_forward(void) {
    static uint64_t lent[64];
    const struct bookahead_request asked = {0, 30, 5, 4};
    const struct bookahead_commitment flexible = {BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE, 0, BOOKAHEAD_FLEXIBILITY_INTERVAL, BOOKAHEAD_FREEZE_RULE_NEVER, 0};
    struct bookahead_booking booking, patient;
    struct bookahead_book *book = full(&booking);
    struct bookahead_queue *queue = new_queue();
    struct bookahead_event events[4];
    struct bookahead_move moves[2];
    size_t count, moved;
    bool left;
    EXPECT(OK, bookahead_reserve(book, &asked, BOOKAHEAD_POLICY_FIRST_FIT, &flexible, &patient));
    CHECK(patient.start == 10);
    EXPECT(OK, bookahead_queue_advance_pulling(queue, book, 0, events, 4, workspace_of(lent, sizeof lent), moves, 2, &count, &left, &moved));
    CHECK(count == 1 && moved == 0 && !left);
    EXPECT(OK, bookahead_complete(book, booking.handle, 3));
    EXPECT(OK, bookahead_queue_advance_pulling(queue, book, 3, events, 4, workspace_of(lent, sizeof lent), NULL, 0, &count, &left, &moved));
    CHECK(moved == 0 && left);
    EXPECT(OK, bookahead_queue_advance_pulling(queue, book, 3, events, 4, workspace_of(lent, sizeof lent), moves, 2, &count, &left, &moved));
    CHECK(moved == 1 && moves[0].handle.bits == patient.handle.bits && moves[0].to.start == 3 && !left);
    EXPECT(NULL_POINTER, bookahead_queue_advance_pulling(queue, book, 3, events, 4, workspace_of(lent, sizeof lent), moves, 2, &count, &left, NULL));
    EXPECT(MOVE_LIMIT, bookahead_queue_advance_pulling(queue, book, 3, events, 4, NULL, moves, 2, &count, &left, &moved));
    EXPECT(TIME_WENT_BACK, bookahead_queue_advance_pulling(queue, book, 2, events, 4, workspace_of(lent, sizeof lent), moves, 2, &count, &left, &moved));
}

/* The third job fits beside the first one and does not delay the second; the fourth would. */
static void planned(void) {
    static uint64_t line[256], copy[256];
    static const uint64_t expected[4] = {0, 5, 0, 9};
    const size_t before = BOOKAHEAD_QUEUE_BYTES(4) + BOOKAHEAD_REQUESTS_BYTES(REQUESTS), schedule = BOOKAHEAD_SCHEDULE_BYTES(4);
    const size_t second_bytes = BOOKAHEAD_LATE_BYTES(4, 64, 4), bytes = before + schedule + second_bytes;
    const struct bookahead_job jobs[4] = {{5, 3}, {4, 4}, {3, 1}, {6, 1}};
    struct bookahead_planned_start starts[4];
    struct bookahead_book *book, *second, *early;
    struct bookahead_queue *queue;
    struct bookahead_event events[4];
    uint32_t tickets[4];
    size_t count, i;
    bool left;
    CHECK(bookahead_queue_schedule_bytes(4) == schedule && bytes <= sizeof line);
    EXPECT(OK, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_LATE, 4, 64, 8, &book));
    EXPECT(OK, bookahead_queue_init(line, sizeof line, BOOKAHEAD_DISCIPLINE_CONSERVATIVE, 4, &queue));
    EXPECT(OK, bookahead_queue_keep_requests(queue, sizeof line, REQUESTS));
    EXPECT(NO_SCHEDULE, bookahead_queue_advance(queue, book, 0, events, 4, &count, &left));
    /* The second book is made where it is to lie. */
    EXPECT(OK, bookahead_init((char *)line + before + schedule, second_bytes, BOOKAHEAD_BINDING_LATE, 4, 64, 4, &second));
    EXPECT(TOO_SHORT, bookahead_queue_keep_schedule(queue, bytes - 1, second));
    EXPECT(NULL_POINTER, bookahead_queue_keep_schedule(queue, bytes, NULL));
    EXPECT(OK, bookahead_queue_keep_schedule(queue, bytes, second));
    for (i = 0; i < 4; i++) {
        EXPECT(OK, bookahead_queue_submit(queue, book, &jobs[i], &tickets[i]));
    }
    EXPECT(OK, bookahead_queue_starts(queue, 0, starts, 4, &count));
    CHECK(count == 4);
    for (i = 0; i < 4; i++) {
        CHECK(starts[i].ticket == tickets[i] && starts[i].start == expected[i]);
    }
    EXPECT(OK, bookahead_queue_check_invariants(queue, book));
    /* All bytes lie in one piece, and may be moved. */
    memcpy(copy, line, bytes);
    EXPECT(TOO_SHORT, bookahead_queue_open(copy, bytes - 1, &queue));
    EXPECT(TOO_SHORT, bookahead_queue_open(copy, before + schedule, &queue));
    EXPECT(OK, bookahead_queue_open(copy, bytes, &queue));
    EXPECT(OK, bookahead_queue_advance(queue, book, 0, events, 4, &count, &left));
    CHECK(count == 2 && events[0].ticket == tickets[0] && events[1].ticket == tickets[2] && !left);
    EXPECT(OK, bookahead_queue_starts(queue, 1, starts, 4, &count));
    CHECK(count == 1 && starts[0].ticket == tickets[3]);
    /* A schedule of another kind or size than the book is none, and neither is one over a book that is in use. */
    EXPECT(NO_SCHEDULE, bookahead_queue_keep_schedule(queue, sizeof copy, book));
    EXPECT(OK, bookahead_init(elsewhere, sizeof elsewhere, BOOKAHEAD_BINDING_LATE, 2, 64, 1, &second));
    EXPECT(OK, bookahead_queue_keep_schedule(queue, sizeof copy, second));
    EXPECT(NO_SCHEDULE, bookahead_queue_submit(queue, book, &jobs[3], &tickets[3]));
    EXPECT(OK, bookahead_init(elsewhere, sizeof elsewhere, BOOKAHEAD_BINDING_EARLY, 4, 1, 1, &early));
    EXPECT(OK, bookahead_queue_keep_schedule(queue, sizeof copy, early));
    EXPECT(NO_SCHEDULE, bookahead_queue_advance(queue, book, 0, events, 4, &count, &left));
    /* What is damaged behind the jobs is no book. */
    memset((char *)copy + before + schedule, 0, 24);
    EXPECT(NOT_A_BOOK, bookahead_queue_open(copy, sizeof copy, &queue));
    EXPECT(NOT_A_BOOK, bookahead_queue_submit((struct bookahead_queue *)copy, book, &jobs[3], &tickets[3]));
    EXPECT(OK, bookahead_queue_keep_requests((struct bookahead_queue *)copy, sizeof copy, REQUESTS));
    EXPECT(OK, bookahead_queue_starts((struct bookahead_queue *)copy, 0, starts, 4, &count));
    CHECK(count == 0);
}

/* All were planned to wait for 60 slots. */
static void likely(void) {
    static struct bookahead_start_bands bands;
    static const uint32_t waits[] = {10, 55, 30, 20, 60, 45, 15, 25, 50};
    struct bookahead_start_band band = {7, 7};
    bool known;
    size_t i;
    EXPECT(OK, bookahead_bands_band(&bands, 60, 500, &band, &known));
    CHECK(!known && band.earliest == 7);
    for (i = 0; i < sizeof waits / sizeof *waits; i++) EXPECT(OK, bookahead_bands_note(&bands, 60, waits[i]));
    /* Four of five wait for 9 to 60, since a ratio of 10 / 60 is rounded down, and half of them for 15 to 55. Nine others know no band that is right nine times of ten. */
    EXPECT(OK, bookahead_bands_band(&bands, 60, 800, &band, &known));
    CHECK(known && band.earliest == 9 && band.latest == 60);
    EXPECT(OK, bookahead_bands_band(&bands, 60, 500, &band, &known));
    CHECK(known && band.earliest == 15 && band.latest == 55);
    EXPECT(OK, bookahead_bands_band(&bands, 60, 900, &band, &known));
    CHECK(!known);
    EXPECT(OK, bookahead_bands_band(&bands, 60, 65536 + 500, &band, &known));
    CHECK(!known);
    /* Who is planned to start at once starts at once. */
    EXPECT(OK, bookahead_bands_band(&bands, 0, 999, &band, &known));
    CHECK(known && band.earliest == 0 && band.latest == 0);
    EXPECT(NULL_POINTER, bookahead_bands_note(NULL, 60, 10));
    EXPECT(NULL_POINTER, bookahead_bands_band(NULL, 60, 500, &band, &known));
    EXPECT(NULL_POINTER, bookahead_bands_band(&bands, 60, 500, NULL, &known));
    EXPECT(NULL_POINTER, bookahead_bands_band(&bands, 60, 500, &band, NULL));
    EXPECT(MISALIGNED, bookahead_bands_note((struct bookahead_start_bands *)((char *)&bands + 1), 60, 10));
}

int main(void) {
    promised_in_their_order_and_given_up();
    mistakes();
    pulled_forward();
    planned();
    likely();
    puts("requests waited, were promised and given up, and every mistake was noticed");
    return 0;
}
