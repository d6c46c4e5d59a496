/* Running jobs make room for reservations: cut, grown back, preempted; and every mistake is noticed. The numbers are worked out by hand. */
#define BOOKAHEAD_PLAN
#include "check.h"

#include <string.h>

static uint64_t memory[512], queued[64];

/* A job of all four PEs runs from 0 to 20, and may be preempted from 5 on. */
static struct bookahead_book *running(struct bookahead_queue **queue, struct bookahead_event *started) {
    const struct bookahead_job job = {20, 4};
    struct bookahead_book *book;
    uint32_t ticket;
    bool happened;
    EXPECT(OK, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_LATE, 4, 64, 8, &book));
    EXPECT(OK, bookahead_queue_init(queued, sizeof queued, BOOKAHEAD_DISCIPLINE_EASY, 1, queue));
    EXPECT(OK, bookahead_queue_submit(*queue, book, &job, &ticket));
    EXPECT(OK, bookahead_queue_next(*queue, book, 0, started, &happened));
    CHECK(happened && started->kind == BOOKAHEAD_EVENT_KIND_BEST_EFFORT_STARTED && started->ticket == ticket);
    EXPECT(OK, bookahead_make_preemptible(book, started->handle, 5, 1));
    return book;
}

static uint64_t end_of(struct bookahead_book *book, struct bookahead_handle handle) {
    struct bookahead_reservation known;
    EXPECT(OK, bookahead_get(book, handle, &known));
    return known.end;
}

static void cut_grown_back_and_preempted(void) {
    const struct bookahead_request soon = {2, 12, 4, 2};
    struct bookahead_queue *queue;
    struct bookahead_event started, event;
    struct bookahead_book *book = running(&queue, &started);
    struct bookahead_booking booking;
    struct bookahead_waiting_job job;
    size_t count;
    bool happened;
    EXPECT(NO_ROOM, bookahead_reserve(book, &soon, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    EXPECT(OK, bookahead_queue_reserve_preempting(queue, book, &soon, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    CHECK(booking.start == 5 && end_of(book, started.handle) == 5);
    EXPECT(OK, bookahead_cancel(book, booking.handle));
    EXPECT(OK, bookahead_queue_next(queue, book, 1, &event, &happened));
    CHECK(!happened && end_of(book, started.handle) == 20);
    EXPECT(OK, bookahead_queue_reserve_preempting(queue, book, &soon, BOOKAHEAD_POLICY_FIRST_FIT, held_for(9), &booking));
    EXPECT(OK, bookahead_queue_next(queue, book, 5, &event, &happened));
    CHECK(happened && event.kind == BOOKAHEAD_EVENT_KIND_PREEMPTED && event.at == 5);
    CHECK(event.handle.bits == started.handle.bits && event.ticket == started.ticket);
    EXPECT(OK, bookahead_queue_jobs(queue, 0, &job, 1, &count));
    CHECK(count == 1 && job.ticket == started.ticket && job.job.estimate == 15 && job.job.pes == 4);
}

static void mistakes(void) {
    const struct bookahead_request soon = {2, 12, 4, 2}, none = {2, 12, 0, 2};
    const struct bookahead_job small = {1, 1};
    struct bookahead_queue *queue;
    struct bookahead_event started;
    struct bookahead_book *book = running(&queue, &started);
    struct bookahead_booking booking;
    struct bookahead_handle unknown = {0};
    uint32_t ticket;
    EXPECT(UNKNOWN_HANDLE, bookahead_make_preemptible(book, unknown, 5, 1));
    EXPECT(NULL_POINTER, bookahead_make_preemptible(NULL, started.handle, 5, 1));
    EXPECT(ZERO_DURATION, bookahead_queue_reserve_preempting(queue, book, &none, 0, NULL, &booking));
    EXPECT(UNKNOWN_POLICY, bookahead_queue_reserve_preempting(queue, book, &soon, 7, NULL, &booking));
    EXPECT(NULL_POINTER, bookahead_queue_reserve_preempting(queue, book, &soon, 0, NULL, NULL));
    EXPECT(NULL_POINTER, bookahead_queue_reserve_preempting(NULL, book, &soon, 0, NULL, &booking));
    /* The only place is taken, so nobody can be cut; and then it is kept. */
    EXPECT(OK, bookahead_queue_submit(queue, book, &small, &ticket));
    EXPECT(QUEUE_FULL, bookahead_queue_reserve_preempting(queue, book, &soon, 0, NULL, &booking));
    EXPECT(OK, bookahead_queue_withdraw(queue, ticket));
    EXPECT(OK, bookahead_queue_reserve_preempting(queue, book, &soon, 0, NULL, &booking));
    EXPECT(QUEUE_FULL, bookahead_queue_submit(queue, book, &small, &ticket));
    EXPECT(WRONG_STATE, bookahead_make_preemptible(book, booking.handle, 5, 1));
    EXPECT(OK, bookahead_queue_set_incarnation(queue, 1));
    EXPECT(FOREIGN_QUEUE, bookahead_queue_reserve_preempting(queue, book, &soon, 0, NULL, &booking));
}

int main(void) {
    cut_grown_back_and_preempted();
    mistakes();
    puts("jobs were cut, grown back and preempted, and every mistake was noticed");
    return 0;
}
