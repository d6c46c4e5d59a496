/* Calls every function of the header on books of every kind, and compares the macros for sizes with the function. */
#include "check.h"

#include <bookahead.h>
#include <string.h>

/* Enough for any of them. */
static uint64_t memory[1 << 19];
static uint64_t copy[1 << 19];
static uint64_t queue_memory[BOOKAHEAD_QUEUE_BYTES(3) / 8];

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
    for (k = 0; k < sizeof rows / sizeof *rows; k++) {
        const size_t bytes = bookahead_queue_bytes(rows[k]);
        CHECK(bytes == BOOKAHEAD_QUEUE_BYTES(rows[k]) && bytes % BOOKAHEAD_ALIGNMENT == 0);
    }
}

/* Each number up to `count` has a name, and the name that number. */
static void named(const char *(*name_of)(uint32_t), uint32_t (*from_name)(const char *, uint32_t *), uint32_t count) {
    uint32_t number;
    for (number = 0; number < count; number++) {
        uint32_t found = 99;
        EXPECT(OK, from_name(name_of(number), &found));
        CHECK(found == number);
    }
    CHECK(strcmp(name_of(count), "unknown") == 0);
}

static void names(void) {
    uint32_t code, named_codes = 0;
    named(bookahead_policy_name, bookahead_policy_from_name, 7);
    named(bookahead_search_name, bookahead_search_from_name, 2);
    named(bookahead_offer_order_name, bookahead_offer_order_from_name, 5);
    named(bookahead_discipline_name, bookahead_discipline_from_name, 2);
    CHECK(strcmp(bookahead_search_name(BOOKAHEAD_SEARCH_PARETO_FRONT), "pareto-front") == 0);
    CHECK(strcmp(bookahead_offer_order_name(BOOKAHEAD_OFFER_ORDER_CHEAPEST), "cheapest") == 0);
    CHECK(strcmp(bookahead_discipline_name(BOOKAHEAD_DISCIPLINE_EASY), "easy") == 0);
    for (code = 0; code < 300; code++) named_codes += strcmp(bookahead_code_name(code), "unknown") != 0;
    /* Success, 11 refusals, 15 misuses, 10 violations, 16 of this interface. */
    CHECK(named_codes == 1 + 11 + 15 + 10 + 16);
    CHECK(strcmp(bookahead_code_name(BOOKAHEAD_CODE_STALE_HANDLE), "stale-handle") == 0);
    CHECK(strcmp(bookahead_event_name(BOOKAHEAD_EVENT_KIND_STARTED), "started") == 0);
    CHECK(strcmp(bookahead_event_name(BOOKAHEAD_EVENT_KIND_BEST_EFFORT_STARTED), "best-effort-started") == 0);
    CHECK(strcmp(bookahead_state_name(BOOKAHEAD_STATE_HELD), "held") == 0);
}

/* Five cents for a minute, four times as much reserved, slots of five minutes. */
static const struct bookahead_tariff tariff = {50000, 4 * BOOKAHEAD_FACTOR_ONE, 5};

static void prices(void) {
    const struct bookahead_tariff none = {0, BOOKAHEAD_FACTOR_ONE, 0};
    uint64_t price = 99;
    EXPECT(OK, bookahead_tariff_slot_rate(&tariff, &price));
    CHECK(price == 1000000);
    EXPECT(OK, bookahead_tariff_reserved(&tariff, 12, 1, &price));
    CHECK(price == 12000000);
    EXPECT(OK, bookahead_tariff_best_effort(&tariff, 60, 1, &price));
    CHECK(price == 3000000);
    EXPECT(OK, bookahead_tariff_reserved(&none, UINT32_MAX, 65535, &price));
    CHECK(price == 0);
    EXPECT(PRICE_OVERFLOW, bookahead_tariff_best_effort(&tariff, UINT64_MAX, 1, &price));
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

/* The same machine, with only a quarter of it left from 3 to 8. */
static void elastic(uint32_t binding, uint32_t pes) {
    const uint32_t wide = pes - pes / 4, half = pes / 2;
    const struct bookahead_request request = {3, 20, 5, wide};
    const struct bookahead_offer_terms terms = {BOOKAHEAD_SEARCH_STRIP_PACKING, BOOKAHEAD_OFFER_ORDER_LONGEST, 2, tariff};
    const struct bookahead_offer_terms front = {BOOKAHEAD_SEARCH_PARETO_FRONT, BOOKAHEAD_OFFER_ORDER_DISCOVERY, 2, tariff};
    struct bookahead_query query = {0, 10, 4, 0};
    struct bookahead_book *book;
    struct bookahead_booking booking, held;
    struct bookahead_reservation reservation;
    struct bookahead_offer offers[BOOKAHEAD_MOST_OFFERS], longest;
    struct bookahead_event events[4];
    uint64_t start = 99;
    size_t count = 99;
    bool solution = true, more = true, waiting = true;
    query.pes = half;

    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 8, &book));
    EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, &booking));
    /* Half of the machine for four slots cannot be had before 10, but for the three before the booking, and the two behind it. */
    EXPECT(OK, bookahead_offers(book, &query, &terms, offers, 4, &count, &solution, &more));
    CHECK(count == 2 && !solution && !more);
    longest = offers[0];
    CHECK(longest.window.start == 0 && longest.window.end == 3 && longest.pes == pes && longest.solution == 0);
    CHECK(longest.within.start == 0 && longest.within.end == 10 && longest.expires == 2);
    CHECK(longest.price == UINT64_C(3000000) * pes);
    CHECK(offers[1].window.start == 8 && offers[1].window.end == 10 && offers[1].seed.end == 10);
    /* One too many for the list, and none at all. */
    EXPECT(OK, bookahead_offers(book, &query, &terms, offers, 1, &count, &solution, &more));
    CHECK(count == 1 && !solution && more && memcmp(offers, &longest, sizeof longest) == 0);
    EXPECT(OK, bookahead_offers(book, &query, &terms, NULL, 0, &count, &solution, &more));
    CHECK(count == 0 && !solution && more);
    /* Whatever there is: the whole front, in a list that is long enough for any. */
    query.duration = BOOKAHEAD_ANY;
    query.pes = BOOKAHEAD_ANY;
    EXPECT(OK, bookahead_offers(book, &query, &front, offers, BOOKAHEAD_MOST_OFFERS, &count, &solution, &more));
    CHECK(count == 2 && !solution && !more);
    CHECK(offers[0].window.end == 3 && offers[0].pes == pes && offers[1].window.end == 10 && offers[1].pes == pes / 4);
    query.duration = 2;
    query.pes = half;
    EXPECT(OK, bookahead_offers(book, &query, &terms, offers, 4, &count, &solution, &more));
    CHECK(count == 1 && solution && !more && offers[0].solution == 1);

    /* A reduced job, kept free while the customer thinks about it; then its neighbour wants what is gone. */
    EXPECT(OK, bookahead_offer_start(&longest, 2, &start));
    CHECK(start == 0);
    EXPECT(OK, bookahead_accept_hold(book, &longest, 2, half, 5, &held));
    CHECK(held.start == 0);
    EXPECT(OK, bookahead_get(book, held.handle, &reservation));
    CHECK(reservation.state == BOOKAHEAD_STATE_HELD && reservation.ticket == 0);
    CHECK(reservation.request.duration == 2 && reservation.request.pes == half && reservation.request.deadline == 10);
    EXPECT(OVERTAKEN, bookahead_accept(book, &longest, 3, pes, &booking));
    EXPECT(OK, bookahead_accept(book, &longest, 3, half, &booking));
    CHECK(booking.start == 0);
    EXPECT(OK, bookahead_advance(book, 2, events, 4, &count, &waiting));
    EXPECT(OFFER_EXPIRED, bookahead_accept(book, &longest, 1, 1, &booking));
    EXPECT(OK, bookahead_check_invariants(book));
}

/* A job that does not fit beside a reservation, one that does, and one that nobody waits for. */
static void best_effort(uint32_t binding, uint32_t pes) {
    const struct bookahead_request request = {3, 20, 5, pes - pes / 4};
    const struct bookahead_job wide = {4, pes}, narrow = {3, pes / 4};
    struct bookahead_book *book;
    struct bookahead_queue *queue, *opened = NULL;
    struct bookahead_queue_status status;
    struct bookahead_waiting_job jobs[3];
    struct bookahead_booking booking;
    struct bookahead_reservation reservation;
    struct bookahead_event events[2];
    uint32_t first = 0, second = 0, third = 0;
    uint64_t at = 99;
    size_t count = 99;
    bool waiting = true;

    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 8, &book));
    EXPECT(OK, bookahead_queue_init(queue_memory, sizeof queue_memory, BOOKAHEAD_DISCIPLINE_EASY, 3, &queue));
    EXPECT(OK, bookahead_queue_open(queue_memory, sizeof queue_memory, &opened));
    CHECK(opened == queue);
    EXPECT(NOTHING_DUE, bookahead_queue_next_event(queue, book, &at));
    EXPECT(NO_SHADOW, bookahead_queue_shadow(queue, book, &at));
    EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, &booking));
    EXPECT(OK, bookahead_queue_submit(queue, book, &wide, &first));
    EXPECT(OK, bookahead_queue_submit(queue, book, &narrow, &second));
    EXPECT(OK, bookahead_queue_submit(queue, book, &narrow, &third));
    EXPECT(QUEUE_FULL, bookahead_queue_submit(queue, book, &narrow, &first));
    EXPECT(OK, bookahead_queue_withdraw(queue, second));
    EXPECT(UNKNOWN_TICKET, bookahead_queue_withdraw(queue, second));
    EXPECT(OK, bookahead_queue_jobs(queue, 0, jobs, 3, &count));
    CHECK(count == 2 && jobs[0].ticket == first && jobs[1].ticket == third && jobs[0].job.pes == pes && jobs[1].job.estimate == 3);
    EXPECT(OK, bookahead_queue_jobs(queue, 1, jobs, 3, &count));
    CHECK(count == 1 && jobs[0].ticket == third);
    EXPECT(OK, bookahead_queue_status(queue, &status));
    CHECK(status.jobs == 2 && status.capacity == 3 && status.discipline == BOOKAHEAD_DISCIPLINE_EASY);
    EXPECT(OK, bookahead_queue_shadow(queue, book, &at));
    CHECK(at == 8);
    EXPECT(OK, bookahead_queue_next_event(queue, book, &at));
    CHECK(at == 0);

    EXPECT(OK, bookahead_queue_advance(queue, book, 0, NULL, 0, &count, &waiting));
    CHECK(count == 0 && waiting);
    EXPECT(OK, bookahead_queue_advance(queue, book, 0, events, 2, &count, &waiting));
    CHECK(count == 1 && !waiting && events[0].kind == BOOKAHEAD_EVENT_KIND_BEST_EFFORT_STARTED && events[0].ticket == third);
    EXPECT(OK, bookahead_get(book, events[0].handle, &reservation));
    CHECK(reservation.ticket == third && reservation.state == BOOKAHEAD_STATE_RUNNING && reservation.end == 3);
    EXPECT(OK, bookahead_queue_check_invariants(queue, book));
    /* Its end and the reservation's start; the reservation's end, and the wide job at last. */
    EXPECT(OK, bookahead_queue_advance(queue, book, 4, events, 2, &count, &waiting));
    CHECK(count == 2 && !waiting && events[0].kind == BOOKAHEAD_EVENT_KIND_OVERRAN && events[0].ticket == third);
    CHECK(events[1].handle.bits == booking.handle.bits && events[1].ticket == 0);
    EXPECT(OK, bookahead_queue_advance(queue, book, 8, events, 2, &count, &waiting));
    CHECK(count == 2 && !waiting && events[1].kind == BOOKAHEAD_EVENT_KIND_BEST_EFFORT_STARTED && events[1].at == 8);
    EXPECT(OK, bookahead_queue_status(queue, &status));
    CHECK(status.jobs == 0);
    EXPECT(OK, bookahead_queue_check_invariants(queue, book));
}

int main(void) {
    static const uint32_t pes[] = {4, 128, 129, 1024};
    size_t i;
    CHECK(bookahead_abi_version() == BOOKAHEAD_ABI_VERSION);
    sizes();
    names();
    seconds();
    prices();
    for (i = 0; i < sizeof pes / sizeof *pes; i++) {
        life(BOOKAHEAD_BINDING_LATE, pes[i]);
        life(BOOKAHEAD_BINDING_EARLY, pes[i]);
        elastic(BOOKAHEAD_BINDING_LATE, pes[i]);
        elastic(BOOKAHEAD_BINDING_EARLY, pes[i]);
        best_effort(BOOKAHEAD_BINDING_LATE, pes[i]);
        best_effort(BOOKAHEAD_BINDING_EARLY, pes[i]);
    }
    puts("surface: every function answers as it should");
    return 0;
}
