/* Calls every function of the header on books of every kind, and compares the macros for sizes with the function. */
#include "check.h"

#include <bookahead.h>
#include <string.h>

/* Enough for any of them. */
static uint64_t memory[1 << 19];
static uint64_t copy[1 << 19];
static uint64_t queue_memory[BOOKAHEAD_QUEUE_BYTES(3) / 8];
static uint64_t lent_memory[BOOKAHEAD_EARLY_WORKSPACE_BYTES(1024, 16, 8) / 8];

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
    for (i = 0; i < sizeof pes / sizeof *pes; i++)
        for (k = 0; k < sizeof rows / sizeof *rows; k++) {
            const size_t late = bookahead_workspace_bytes(BOOKAHEAD_BINDING_LATE, pes[i], rows[k], rows[k]);
            const size_t early = bookahead_workspace_bytes(BOOKAHEAD_BINDING_EARLY, pes[i], rows[k], rows[k]);
            CHECK(late == BOOKAHEAD_LATE_WORKSPACE_BYTES(rows[k], rows[k]) && late % BOOKAHEAD_ALIGNMENT == 0);
            CHECK(early == BOOKAHEAD_EARLY_WORKSPACE_BYTES(pes[i], rows[k], rows[k]) && early % BOOKAHEAD_ALIGNMENT == 0);
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
    named(bookahead_form_choice_name, bookahead_form_choice_from_name, 3);
    named(bookahead_order_name, bookahead_order_from_name, 6);
    named(bookahead_flexibility_name, bookahead_flexibility_from_name, 2);
    named(bookahead_freeze_rule_name, bookahead_freeze_rule_from_name, 4);
    named(bookahead_discipline_name, bookahead_discipline_from_name, 3);
    named(bookahead_alteration_name, bookahead_alteration_from_name, 6);
    CHECK(strcmp(bookahead_alteration_name(BOOKAHEAD_ALTERATION_KIND_CHANGE_WINDOW), "change-window") == 0);
    CHECK(strcmp(bookahead_search_name(BOOKAHEAD_SEARCH_PARETO_FRONT), "pareto-front") == 0);
    CHECK(strcmp(bookahead_offer_order_name(BOOKAHEAD_OFFER_ORDER_CHEAPEST), "cheapest") == 0);
    CHECK(strcmp(bookahead_form_choice_name(BOOKAHEAD_FORM_CHOICE_CHEAPEST), "cheapest") == 0);
    CHECK(strcmp(bookahead_order_name(BOOKAHEAD_ORDER_LEAST_FLEXIBLE), "lff") == 0);
    CHECK(strcmp(bookahead_flexibility_name(BOOKAHEAD_FLEXIBILITY_DEADLINE), "deadline") == 0);
    CHECK(strcmp(bookahead_freeze_rule_name(BOOKAHEAD_FREEZE_RULE_LEAD), "lead") == 0);
    CHECK(strcmp(bookahead_event_name(BOOKAHEAD_EVENT_KIND_START_FIXED), "start-fixed") == 0);
    CHECK(strcmp(bookahead_discipline_name(BOOKAHEAD_DISCIPLINE_EASY), "easy") == 0);
    /* Those of this interface; that each of the kernel's has its name is checked when the library is compiled. */
    for (code = 193; code < 300; code++) named_codes += strcmp(bookahead_code_name(code), "unknown") != 0;
    CHECK(named_codes == 42);
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
    EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &first));
    CHECK(first.start == 3);
    EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_PE_WORST_FIT, held_for(2), &second));
    CHECK(second.start == 8);
    EXPECT(OK, bookahead_plan(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, &plan));
    CHECK(plan.start == 13);
    EXPECT(OK, bookahead_confirm(book, second.handle));
    EXPECT(STALE_PLAN, bookahead_commit(book, &plan, NULL, &third));
    EXPECT(OK, bookahead_plan(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, &plan));
    EXPECT(ZERO_HOLD, bookahead_commit(book, &plan, held_for(0), &third));
    EXPECT(OK, bookahead_commit(book, &plan, held_for(4), &third));
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
    EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
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
    CHECK(count == 1 && !solution && more && offers[0].window.start == longest.window.start && offers[0].window.end == longest.window.end);
    CHECK(offers[0].seed.start == longest.seed.start && offers[0].pes == longest.pes && offers[0].version == longest.version);
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
    EXPECT(OK, bookahead_accept(book, &longest, 2, half, held_for(5), &held));
    CHECK(held.start == 0);
    EXPECT(OK, bookahead_get(book, held.handle, &reservation));
    CHECK(reservation.state == BOOKAHEAD_STATE_HELD && reservation.ticket == 0);
    CHECK(reservation.request.duration == 2 && reservation.request.pes == half && reservation.request.deadline == 10);
    EXPECT(OVERTAKEN, bookahead_accept(book, &longest, 3, pes, NULL, &booking));
    EXPECT(OK, bookahead_accept(book, &longest, 3, half, NULL, &booking));
    CHECK(booking.start == 0);
    EXPECT(OK, bookahead_advance(book, 2, events, 4, &count, &waiting));
    EXPECT(OFFER_EXPIRED, bookahead_accept(book, &longest, 1, 1, NULL, &booking));
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
    EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
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

static struct bookahead_alteration alteration(uint32_t kind) {
    struct bookahead_alteration one;
    memset(&one, 0, sizeof one);
    one.kind = kind;
    return one;
}

/* What owners do to their reservations: two of 3/4 of the machine, one behind the other, in windows with some room. */
static void altering(uint32_t binding, uint32_t pes) {
    const uint32_t wide = pes - pes / 4;
    const struct bookahead_request request = {3, 20, 5, wide};
    struct bookahead_alteration change;
    struct bookahead_booking first, second;
    struct bookahead_book *book;
    struct bookahead_placement placement;
    struct bookahead_conflict conflict;
    struct bookahead_reservation reservation;
    struct bookahead_handle rest, handles[4];
    struct bookahead_obstacle obstacles[2];
    struct bookahead_explanation explanation;
    struct bookahead_event event;
    bool happened = false;
    size_t count = 99;

    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 8, &book));
    EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &first));
    EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &second));

    change = alteration(BOOKAHEAD_ALTERATION_KIND_EXTEND);
    change.duration = 7;
    EXPECT(NO_ROOM, bookahead_alter(book, first.handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    CHECK(conflict.listed == 1 && conflict.more == 0 && conflict.handles[0].bits == second.handle.bits);
    EXPECT(OK, bookahead_alter(book, second.handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    CHECK(placement.start == 8 && placement.duration == 7 && placement.pes == wide && conflict.listed == 0);
    change = alteration(BOOKAHEAD_ALTERATION_KIND_SHIFT);
    change.start = 10;
    EXPECT(OK, bookahead_alter(book, second.handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    CHECK(placement.start == 10);
    change = alteration(BOOKAHEAD_ALTERATION_KIND_SHORTEN);
    change.duration = 4;
    EXPECT(OK, bookahead_alter(book, second.handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change = alteration(BOOKAHEAD_ALTERATION_KIND_WIDEN);
    change.pes = pes;
    EXPECT(OK, bookahead_alter(book, second.handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    CHECK(placement.duration == 4 && placement.pes == pes);
    change = alteration(BOOKAHEAD_ALTERATION_KIND_NARROW);
    change.pes = pes / 2;
    EXPECT(OK, bookahead_alter(book, second.handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    EXPECT(WRONG_DIRECTION, bookahead_alter(book, second.handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change = alteration(BOOKAHEAD_ALTERATION_KIND_CHANGE_WINDOW);
    change.ready = 30;
    change.deadline = 40;
    EXPECT(OK, bookahead_alter(book, second.handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    CHECK(placement.start == 30);
    EXPECT(OK, bookahead_get(book, second.handle, &reservation));
    CHECK(reservation.request.ready == 30 && reservation.request.deadline == 40);
    CHECK(reservation.request.duration == 4 && reservation.request.pes == pes / 2);
    change = alteration(BOOKAHEAD_ALTERATION_KIND_SHIFT);
    change.start = 29;
    EXPECT(OUTSIDE_WINDOW, bookahead_alter(book, second.handle, &change, workspace_of(lent_memory, sizeof lent_memory), &placement, &conflict));
    change.start = 31;
    EXPECT(MOVE_LIMIT, bookahead_alter(book, second.handle, &change, workspace_of(NULL, 0), &placement, &conflict));

    EXPECT(OK, bookahead_split(book, second.handle, 32, workspace_of(lent_memory, sizeof lent_memory), &rest));
    EXPECT(OK, bookahead_get(book, rest, &reservation));
    CHECK(reservation.start == 32 && reservation.end == 34 && reservation.request.ready == 32 && reservation.request.deadline == 40);
    EXPECT(OUTSIDE_WINDOW, bookahead_split(book, second.handle, 32, workspace_of(lent_memory, sizeof lent_memory), &rest));
    /* One entry is not enough. */
    EXPECT(MOVE_LIMIT, bookahead_split(book, second.handle, 31, workspace_of(lent_memory, bookahead_workspace_bytes(binding, pes, 1, 0)), &rest));

    EXPECT(OK, bookahead_covering(book, 4, 32, 0, handles, 4, &count));
    CHECK(count == 2 && handles[0].bits == first.handle.bits && handles[1].bits == second.handle.bits);
    EXPECT(OK, bookahead_covering(book, 4, 33, 2, handles, 4, &count));
    CHECK(count == 1 && handles[0].bits == rest.bits);

    {
        const struct bookahead_request early_one = {1, 7, 5, pes / 2};
        EXPECT(NO_ROOM, bookahead_reserve(book, &early_one, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &second));
        EXPECT(OK, bookahead_explain(book, &early_one, obstacles, 1, &count, &explanation));
        CHECK(count == 1 && explanation.more == 1 && explanation.fits == BOOKAHEAD_NEVER);
        CHECK(explanation.earlier == BOOKAHEAD_NEVER && explanation.later == 8);
        CHECK(obstacles[0].start == 1 && obstacles[0].at == 3 && obstacles[0].lacking == pes / 2 - pes / 4);
        CHECK(obstacles[0].holders.listed == 1 && obstacles[0].holders.handles[0].bits == first.handle.bits);
        /* A list that is long enough for any. */
        EXPECT(OK, bookahead_explain(book, &early_one, obstacles, 2, &count, &explanation));
        CHECK(count == 2 && explanation.more == 0);
    }

    EXPECT(OK, bookahead_next(book, 5, &event, &happened));
    CHECK(happened && event.kind == BOOKAHEAD_EVENT_KIND_STARTED && event.at == 3 && event.handle.bits == first.handle.bits);
    EXPECT(OK, bookahead_next(book, 5, &event, &happened));
    CHECK(!happened && event.at == 3);
    EXPECT(TIME_WENT_BACK, bookahead_next(book, 4, &event, &happened));
    EXPECT(OK, bookahead_check_invariants(book));
}

/* Requests that can run in several forms, and what they may cost. */
static void mouldable(uint32_t binding, uint32_t pes) {
    /* A micro-unit for a PE-slot; a quarter off for a slack as long as the duration, half at most. */
    static const struct bookahead_price_terms plain = {{1, BOOKAHEAD_FACTOR_ONE, 1}, UINT64_MAX, 0, 0};
    struct bookahead_price_terms flexible = {{1, BOOKAHEAD_FACTOR_ONE, 1}, 10, 1u << 30, 1u << 31};
    const struct bookahead_request blocker = {4, 10, 6, pes - 1}, asked = {0, 18, 9, 2};
    const struct bookahead_form forms[] = {{1, 10}, {2, 6}, {4, 3}}, priced[] = {{1, 16}, {2, 9}, {4, 5}};
    struct bookahead_form many[BOOKAHEAD_MOST_FORMS + 1], listed[4];
    struct bookahead_booking booking;
    struct bookahead_book *book;
    struct bookahead_plan plan;
    struct bookahead_handle handle;
    struct bookahead_reservation reservation;
    uint64_t price = 99;
    size_t count = 99, i;

    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 8, &book));
    EXPECT(OK, bookahead_plan_mouldable(book, 0, 18, priced, 3, 0, BOOKAHEAD_FORM_CHOICE_CHEAPEST, &plain, &plan, &price));
    CHECK(plan.request.pes == 1 && plan.start == 0 && price == 16);
    EXPECT(OK, bookahead_plan_mouldable(book, 0, 18, priced, 3, 0, BOOKAHEAD_FORM_CHOICE_CHEAPEST, &flexible, &plan, &price));
    CHECK(plan.request.pes == 4 && plan.request.duration == 5 && price == 10);
    flexible.budget = 9;
    EXPECT(OVER_BUDGET, bookahead_plan_mouldable(book, 0, 18, priced, 3, 0, BOOKAHEAD_FORM_CHOICE_CHEAPEST, &flexible, &plan, &price));
    EXPECT(OVER_BUDGET, bookahead_price(&flexible, &asked, &price));
    flexible.budget = UINT64_MAX;
    EXPECT(OK, bookahead_price(&flexible, &asked, &price));
    CHECK(price == 14);

    EXPECT(OK, bookahead_reserve(book, &blocker, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking));
    EXPECT(OK, bookahead_plan_mouldable(book, 4, 24, forms, 3, 0, BOOKAHEAD_FORM_CHOICE_FEWEST_PE_SLOTS, &plain, &plan, &price));
    CHECK(plan.request.pes == 1 && plan.start == 4 && price == 10);
    EXPECT(OK, bookahead_plan_mouldable(book, 4, 24, forms, 3, 0, BOOKAHEAD_FORM_CHOICE_EARLIEST_END, &plain, &plan, &price));
    CHECK(plan.request.pes == 4 && plan.start == 10 && price == 12);
    EXPECT(OK, bookahead_commit(book, &plan, NULL, &handle));
    EXPECT(OK, bookahead_get(book, handle, &reservation));
    CHECK(reservation.start == 10 && reservation.end == 13 && reservation.request.deadline == 24 && reservation.request.pes == 4);
    EXPECT(NO_ROOM, bookahead_plan_mouldable(book, 4, 10, forms + 1, 2, 0, 0, &plain, &plan, &price));
    EXPECT(NO_FORMS, bookahead_plan_mouldable(book, 4, 24, NULL, 0, 0, 0, &plain, &plan, &price));

    /* More than a short table, and the most there can be: only the last form fits before the blocker. */
    for (i = 0; i < sizeof many / sizeof *many; i++) {
        many[i].pes = 2;
        many[i].duration = (uint32_t)(BOOKAHEAD_MOST_FORMS + 3 - i);
    }
    EXPECT(OK, bookahead_plan_mouldable(book, 0, 90, many, BOOKAHEAD_MOST_FORMS, 0, 0, &plain, &plan, &price));
    CHECK(plan.request.duration == 4 && plan.start == 0 && price == 8);
    EXPECT(TOO_MANY_PARTS, bookahead_plan_mouldable(book, 0, 90, many, BOOKAHEAD_MOST_FORMS + 1, 0, 0, &plain, &plan, &price));

    /* Twelve PE-slots on two to seven: five take as long as four do. */
    EXPECT(OK, bookahead_malleable_forms(12, 2, 7, 0, listed, 4, &count));
    CHECK(count == 4 && listed[1].pes == 3 && listed[1].duration == 4 && listed[3].pes == 6 && listed[3].duration == 2);
    EXPECT(OK, bookahead_malleable_forms(12, 2, 7, 3, listed, 4, &count));
    CHECK(count == 1 && listed[0].pes == 6);
    EXPECT(OK, bookahead_malleable_forms(0, 2, 7, 0, listed, 4, &count));
    CHECK(count == 0);
    EXPECT(OK, bookahead_check_invariants(book));
}

/* The sixth order: what the caller earns by each, which is a number of its own. */
static uint64_t revenue_of(void *context, struct bookahead_handle handle) {
    const struct bookahead_handle *dear = (const struct bookahead_handle *)context;
    return handle.bits == dear->bits ? 1000 : 1;
}

/* Flexible reservations: they move for a newcomer, until their start is fixed. */
static void juggling(uint32_t binding, uint32_t pes) {
    static const struct bookahead_commitment flexible = {BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE, 0, BOOKAHEAD_FLEXIBILITY_INTERVAL, BOOKAHEAD_FREEZE_RULE_LEAD, 2};
    static const struct bookahead_commitment strict = {BOOKAHEAD_COMMITMENT_KIND_CONFIRMED, 0, 0, 0, 0};
    static const struct bookahead_commitment held = {BOOKAHEAD_COMMITMENT_KIND_HELD, 3, 0, 0, 0};
    static const struct bookahead_suggesting suggesting = {BOOKAHEAD_SIDES_BOTH, BOOKAHEAD_BEHIND_END, UINT32_MAX};
    const struct bookahead_request patient = {3, 20, 5, pes - 1}, urgent = {3, 8, 5, pes - 1}, wide = {3, 20, 5, pes};
    const struct bookahead_workspace memory_lent = {lent_memory, sizeof lent_memory, 8}, none = {NULL, 0, 0};
    struct bookahead_juggling rules = {BOOKAHEAD_ORDER_EARLIEST_DEADLINE, BOOKAHEAD_ADMISSION_PLAIN_FIRST, BOOKAHEAD_AFTER_FAILURE_RETRY, UINT32_MAX,
                                       0, UINT64_MAX, 0, 0, NULL, NULL};
    struct bookahead_juggled first, second, planned;
    struct bookahead_alternative alternatives[9];
    struct bookahead_suggested suggested;
    struct bookahead_reservation reservation;
    struct bookahead_status before, after;
    struct bookahead_handle handle;
    struct bookahead_move moves[4];
    struct bookahead_event event;
    struct bookahead_book *book;
    struct bookahead_plan plan;
    size_t count = 99;
    bool frozen = true, happened = false;

    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 8, &book));
    /* One that fits as things are needs no workspace, and is listed where there is room. */
    EXPECT(OK, bookahead_juggle(book, &patient, &flexible, &rules, NULL, BOOKAHEAD_ENDING_COMMIT, moves, 1, &first));
    CHECK(first.booking.start == 3 && first.moves == 1 && first.more_moves == 0 && first.work_left == UINT64_MAX);
    CHECK(moves[0].from.duration == 0 && moves[0].to.start == 3 && moves[0].handle.bits == first.booking.handle.bits);
    EXPECT(OK, bookahead_is_frozen(book, first.booking.handle, &frozen));
    CHECK(!frozen);

    /* The urgent one takes its place: looked at first, and then done. */
    EXPECT(OK, bookahead_status(book, &before));
    EXPECT(OK, bookahead_juggle(book, &urgent, &strict, &rules, &memory_lent, BOOKAHEAD_ENDING_PLAN, moves, 1, &planned));
    CHECK(planned.booking.handle.bits == 0 && planned.booking.start == 3 && planned.moves == 1 && planned.more_moves == 1);
    EXPECT(OK, bookahead_status(book, &after));
    CHECK(before.version == after.version && before.reservations == after.reservations);
    EXPECT(MOVE_LIMIT, bookahead_juggle(book, &urgent, &strict, &rules, &none, BOOKAHEAD_ENDING_COMMIT, NULL, 0, &second));
    rules.max_moves = 0;
    EXPECT(MOVE_LIMIT, bookahead_juggle(book, &urgent, &strict, &rules, &memory_lent, BOOKAHEAD_ENDING_COMMIT, NULL, 0, &second));
    rules.max_moves = 1;
    rules.work = 4;
    EXPECT(WORK_LIMIT, bookahead_juggle(book, &urgent, &strict, &rules, &memory_lent, BOOKAHEAD_ENDING_COMMIT, NULL, 0, &second));
    rules.work = 1000;
    EXPECT(OK, bookahead_juggle(book, &urgent, &strict, &rules, &memory_lent, BOOKAHEAD_ENDING_COMMIT, moves, 4, &second));
    CHECK(second.booking.start == 3 && second.moves == 2 && second.more_moves == 0 && second.work_left < 1000);
    EXPECT(OK, bookahead_get(book, first.booking.handle, &reservation));
    CHECK(reservation.start == 8 && reservation.end == 13);
    EXPECT(OK, bookahead_get(book, second.booking.handle, &reservation));
    CHECK(reservation.start == 3 && reservation.state == BOOKAHEAD_STATE_CONFIRMED);

    /* Nobody makes room for one like it, but there are other times. */
    EXPECT(NO_ROOM, bookahead_juggle(book, &urgent, &held, &rules, &memory_lent, BOOKAHEAD_ENDING_COMMIT, NULL, 0, &planned));
    rules.work = UINT64_MAX;
    EXPECT(OK, bookahead_alternatives(book, &urgent, &held, &rules, &suggesting, &memory_lent, alternatives, 9, &count, &suggested));
    CHECK(count == 1 && suggested.tried == 1 && suggested.limit == BOOKAHEAD_CODE_OK);
    CHECK(alternatives[0].shift == 5 && alternatives[0].start == 8 && alternatives[0].request.ready == 8 && alternatives[0].request.pes == pes - 1);
    EXPECT(OK, bookahead_alternatives(book, &urgent, &held, &rules, &suggesting, &memory_lent, alternatives, 1, &count, &suggested));
    CHECK(count == 1);

    /* When there is room again, everything moves forward. */
    EXPECT(OK, bookahead_cancel(book, second.booking.handle));
    EXPECT(OK, bookahead_replan(book, &rules, &memory_lent, BOOKAHEAD_ENDING_PLAN, moves, 4, &planned));
    CHECK(planned.moves == 1 && moves[0].from.start == 8 && moves[0].to.start == 3 && planned.booking.handle.bits == 0);
    EXPECT(OK, bookahead_replan(book, &rules, &memory_lent, BOOKAHEAD_ENDING_COMMIT, moves, 4, &planned));
    EXPECT(OK, bookahead_get(book, first.booking.handle, &reservation));
    CHECK(reservation.start == 3);

    /* By revenue, the dearer stays. */
    rules.order = BOOKAHEAD_ORDER_REVENUE;
    rules.admission = BOOKAHEAD_ADMISSION_ALWAYS;
    rules.newcomer_revenue = 10;
    EXPECT(NULL_POINTER, bookahead_juggle(book, &wide, &flexible, &rules, &memory_lent, BOOKAHEAD_ENDING_PLAN, NULL, 0, &planned));
    rules.revenue = revenue_of;
    rules.context = &handle;
    handle = first.booking.handle;
    EXPECT(OK, bookahead_juggle(book, &wide, &flexible, &rules, &memory_lent, BOOKAHEAD_ENDING_PLAN, NULL, 0, &planned));
    CHECK(planned.booking.start == 8);
    handle.bits = 0;
    EXPECT(OK, bookahead_juggle(book, &wide, &flexible, &rules, &memory_lent, BOOKAHEAD_ENDING_PLAN, NULL, 0, &planned));
    CHECK(planned.booking.start == 3 && planned.more_moves == 2);

    /* Two slots before its start it is fixed, and that is told once. */
    EXPECT(OK, bookahead_next(book, 2, &event, &happened));
    CHECK(happened && event.kind == BOOKAHEAD_EVENT_KIND_START_FIXED && event.at == 1 && event.handle.bits == first.booking.handle.bits);
    EXPECT(OK, bookahead_is_frozen(book, first.booking.handle, &frozen));
    CHECK(frozen);
    EXPECT(OK, bookahead_juggle(book, &wide, &flexible, &rules, &memory_lent, BOOKAHEAD_ENDING_PLAN, NULL, 0, &planned));
    CHECK(planned.booking.start == 8);

    /* A plan of any search can be committed as flexible, and its start be fixed at will. */
    EXPECT(OK, bookahead_plan(book, &wide, BOOKAHEAD_POLICY_PE_WORST_FIT, &plan));
    EXPECT(OK, bookahead_commit(book, &plan, &flexible, &handle));
    EXPECT(OK, bookahead_freeze(book, handle));
    EXPECT(OK, bookahead_is_frozen(book, handle, &frozen));
    CHECK(frozen);
    EXPECT(OK, bookahead_check_invariants(book));
}

/* Reservations slide aside for a newcomer: to the right, or to both sides. */
static void shifting(uint32_t binding, uint32_t pes) {
    static const struct bookahead_commitment flexible = {BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE, 0, BOOKAHEAD_FLEXIBILITY_INTERVAL, BOOKAHEAD_FREEZE_RULE_NEVER, 0};
    static const struct bookahead_commitment strict = {BOOKAHEAD_COMMITMENT_KIND_CONFIRMED, 0, 0, 0, 0};
    const struct bookahead_request early = {3, 20, 5, pes}, between = {3, 13, 5, pes}, urgent = {7, 12, 5, pes}, narrow = {9, 12, 3, 1};
    struct bookahead_shifting rules = {BOOKAHEAD_DIRECTION_RIGHT, BOOKAHEAD_INSERTION_SLIDES, 2, 4, 0, UINT64_MAX};
    struct bookahead_juggled first, second, planned, third;
    struct bookahead_reservation reservation;
    struct bookahead_status before, after;
    struct bookahead_move moves[4];
    struct bookahead_book *book;

    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 8, &book));
    /* Those that fit as things are need no memory: from 3 to 8 and from 8 to 13. */
    EXPECT(OK, bookahead_shift_in(book, &early, &flexible, &rules, workspace_of(NULL, 0), BOOKAHEAD_ENDING_COMMIT, moves, 1, &first));
    CHECK(first.booking.start == 3 && first.moves == 1 && first.more_moves == 0 && first.work_left == UINT64_MAX);
    EXPECT(OK, bookahead_shift_in(book, &between, &flexible, &rules, workspace_of(NULL, 0), BOOKAHEAD_ENDING_COMMIT, NULL, 0, &second));
    CHECK(second.booking.start == 8 && second.moves == 0 && second.more_moves == 1);

    /* Both are in the way of the urgent one, and the second has to be over too soon to go to the right. */
    EXPECT(OK, bookahead_status(book, &before));
    EXPECT(NO_ROOM, bookahead_shift_in(book, &urgent, &strict, &rules, workspace_of(lent_memory, sizeof lent_memory), BOOKAHEAD_ENDING_COMMIT, NULL, 0, &planned));
    rules.direction = BOOKAHEAD_DIRECTION_BOTH;
    rules.max_moves = 1;
    EXPECT(MOVE_LIMIT, bookahead_shift_in(book, &narrow, &strict, &rules, workspace_of(NULL, 0), BOOKAHEAD_ENDING_COMMIT, NULL, 0, &planned));
    rules.max_moves = 0;
    EXPECT(MOVE_LIMIT, bookahead_shift_in(book, &narrow, &strict, &rules, workspace_of(lent_memory, sizeof lent_memory), BOOKAHEAD_ENDING_COMMIT, NULL, 0, &planned));
    rules.max_moves = 4;
    rules.work = 4;
    EXPECT(WORK_LIMIT, bookahead_shift_in(book, &narrow, &strict, &rules, workspace_of(lent_memory, sizeof lent_memory), BOOKAHEAD_ENDING_COMMIT, NULL, 0, &planned));
    rules.work = 10000;
    EXPECT(OK, bookahead_status(book, &after));
    CHECK(before.version == after.version && before.reservations == after.reservations);

    /* The first one goes behind the newcomer, and the second takes its place: looked at first, and then done; all searches find it. */
    EXPECT(OK, bookahead_shift_in(book, &narrow, &strict, &rules, workspace_of(lent_memory, sizeof lent_memory), BOOKAHEAD_ENDING_PLAN, moves, 1, &planned));
    CHECK(planned.booking.handle.bits == 0 && planned.booking.start == 9 && planned.moves == 1 && planned.more_moves == 2);
    rules.insertion = BOOKAHEAD_INSERTION_LEAST_SHIFT;
    EXPECT(OK, bookahead_shift_in(book, &narrow, &strict, &rules, workspace_of(lent_memory, sizeof lent_memory), BOOKAHEAD_ENDING_PLAN, moves, 4, &planned));
    CHECK(planned.booking.start == 9 && planned.moves == 3);
    rules.insertion = BOOKAHEAD_INSERTION_FEWEST_MOVES;
    EXPECT(OK, bookahead_shift_in(book, &narrow, &strict, &rules, workspace_of(lent_memory, sizeof lent_memory), BOOKAHEAD_ENDING_COMMIT, moves, 4, &third));
    CHECK(third.booking.start == 9 && third.moves == 3 && third.more_moves == 0 && third.work_left < 10000);
    EXPECT(OK, bookahead_get(book, first.booking.handle, &reservation));
    CHECK(reservation.start >= 12 && reservation.end <= 20);
    EXPECT(OK, bookahead_get(book, second.booking.handle, &reservation));
    CHECK(reservation.start >= 3 && reservation.end <= 9);
    EXPECT(OK, bookahead_get(book, third.booking.handle, &reservation));
    CHECK(reservation.start == 9 && reservation.state == BOOKAHEAD_STATE_CONFIRMED);
    EXPECT(OK, bookahead_check_invariants(book));
}

/* What is reserved together: a series, and parts with a common start. */
static void several(uint32_t binding, uint32_t pes) {
    static const uint32_t exceptions[] = {2, 2};
    const struct bookahead_request first = {3, 9, 5, pes};
    const struct bookahead_part parts[] = {{0, 10, 1}, {2, 6, pes - 1}};
    struct bookahead_series series = {{3, 9, 5, pes}, 10, 4, exceptions, 2};
    struct bookahead_part many[BOOKAHEAD_MOST_PARTS + 1];
    struct bookahead_handle handles[16], others[2];
    struct bookahead_reservation reservation;
    struct bookahead_conflict conflict;
    struct bookahead_booking booking;
    struct bookahead_status status;
    struct bookahead_book *book;
    uint64_t start = 0;
    struct bookahead_status before, after;
    size_t count = 99, cancelled = 99;

    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 16, &book));
    EXPECT(OK, bookahead_reserve_series(book, &series, BOOKAHEAD_POLICY_FIRST_FIT, NULL, workspace_of(lent_memory, sizeof lent_memory), handles, 3, &count,
                                        &conflict));
    CHECK(count == 3 && conflict.listed == 0);
    EXPECT(OK, bookahead_get(book, handles[2], &reservation));
    CHECK(reservation.start == 33 && reservation.state == BOOKAHEAD_STATE_CONFIRMED);
    EXPECT(TOO_MANY_PARTS, bookahead_reserve_series(book, &series, 0, held_for(5), workspace_of(lent_memory, sizeof lent_memory), handles, 2, &count, &conflict));
    /* The third would fit, the others do not. */
    series.first.deadline = 8;
    EXPECT(NO_ROOM, bookahead_reserve_series(book, &series, 0, NULL, workspace_of(lent_memory, sizeof lent_memory), handles + 3, 13, &count, &conflict));
    CHECK(conflict.listed == 3 && conflict.more == 0 && count == 3);
    EXPECT(OK, bookahead_cancel(book, handles[0]));
    EXPECT(OK, bookahead_status(book, &before));
    EXPECT(OK, bookahead_cancel_all(book, handles, 3, &cancelled));
    EXPECT(OK, bookahead_status(book, &after));
    CHECK(cancelled == 2 && after.version == before.version + 1);
    EXPECT(OK, bookahead_cancel_all(book, NULL, 0, &cancelled));
    CHECK(cancelled == 0);

    /* More than a short list holds, of holds. */
    series.first = first;
    series.period = 6;
    series.count = 12;
    EXPECT(OK, bookahead_reserve_series(book, &series, 0, held_for(2), workspace_of(lent_memory, sizeof lent_memory), handles, 16, &count, &conflict));
    CHECK(count == 11);
    EXPECT(OK, bookahead_get(book, handles[10], &reservation));
    CHECK(reservation.state == BOOKAHEAD_STATE_HELD && reservation.expires == 2 && reservation.start == 69);
    EXPECT(OK, bookahead_cancel_all(book, handles, 11, &cancelled));
    CHECK(cancelled == 11);
    EXPECT(MOVE_LIMIT, bookahead_reserve_series(book, &series, 0, held_for(2), workspace_of(lent_memory, bookahead_workspace_bytes(binding, pes, 10, 0)), handles, 16, &count, &conflict));

    EXPECT(OK, bookahead_reserve(book, &first, 0, NULL, &booking));
    EXPECT(OK, bookahead_reserve_together(book, 1, 40, parts, 2, NULL, workspace_of(lent_memory, sizeof lent_memory), others, 2, &start, &conflict));
    CHECK(start == 8 && conflict.listed == 0);
    EXPECT(OK, bookahead_get(book, others[1], &reservation));
    CHECK(reservation.start == 10 && reservation.end == 16 && reservation.request.pes == pes - 1);
    EXPECT(NO_ROOM, bookahead_reserve_together(book, 1, 19, parts, 2, held_for(3), workspace_of(lent_memory, sizeof lent_memory), others, 2, &start, &conflict));
    CHECK(start == 8 && conflict.listed >= 2 && conflict.handles[0].bits == booking.handle.bits);
    for (count = 0; count < sizeof many / sizeof *many; count++) {
        many[count].offset = 2 * (uint32_t)count;
        many[count].duration = 1;
        many[count].pes = 1;
    }
    EXPECT(OK, bookahead_reserve_together(book, 20, 60, many, 13, held_for(3), workspace_of(lent_memory, sizeof lent_memory), handles, 16, &start, &conflict));
    CHECK(start == 20);
    EXPECT(OK, bookahead_status(book, &status));
    CHECK(status.reservations == 16 && status.retired == 0);
    EXPECT(TOO_MANY_PARTS, bookahead_reserve_together(book, 20, 60, many, sizeof many / sizeof *many, NULL, workspace_of(lent_memory, sizeof lent_memory), handles,
                                                      16, &start, &conflict));
    EXPECT(OK, bookahead_check_invariants(book));
}

static struct bookahead_step step(uint32_t kind, struct bookahead_handle handle) {
    struct bookahead_step one;
    memset(&one, 0, sizeof one);
    one.kind = kind;
    one.handle = handle;
    return one;
}

static struct bookahead_step placed(uint32_t kind, struct bookahead_handle handle, uint64_t start, uint32_t duration, uint32_t wide) {
    struct bookahead_step one = step(kind, handle);
    one.placement.start = start;
    one.placement.duration = duration;
    one.placement.pes = wide;
    return one;
}

/* Several reservations move at once, or none. */
static void transactions(uint32_t binding, uint32_t pes) {
    const uint32_t wide = pes - pes / 4;
    const struct bookahead_request request = {0, 40, 5, wide};
    const struct bookahead_handle nobody = {0};
    struct bookahead_step steps[8];
    struct bookahead_move moves[4];
    struct bookahead_outcome outcome;
    struct bookahead_booking first, second;
    struct bookahead_reservation reservation;
    struct bookahead_status before, after;
    struct bookahead_book *book;
    struct bookahead_handle handles[4];
    size_t count = 99;

    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 8, &book));
    EXPECT(OK, bookahead_reserve(book, &request, 0, NULL, &first));
    EXPECT(OK, bookahead_reserve(book, &request, 0, NULL, &second));
    EXPECT(OK, bookahead_status(book, &before));

    /* Nothing to do is done. */
    EXPECT(OK, bookahead_transaction(book, workspace_of(NULL, 0), 0, NULL, 0, BOOKAHEAD_ENDING_COMMIT, NULL, 0, &outcome));
    CHECK(outcome.failed_step == 0 && outcome.moves == 0);

    /* Two swap places: planned first, then done. */
    steps[0] = step(BOOKAHEAD_STEP_KIND_LIFT, first.handle);
    steps[1] = step(BOOKAHEAD_STEP_KIND_LIFT, second.handle);
    steps[2] = placed(BOOKAHEAD_STEP_KIND_PLACE, first.handle, 5, 5, wide);
    steps[3] = step(BOOKAHEAD_STEP_KIND_PLACE_FIRST_FIT, second.handle);
    EXPECT(OK, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, 4, BOOKAHEAD_ENDING_PLAN, moves, 1, &outcome));
    CHECK(outcome.failed_step == 4 && outcome.moves == 1 && outcome.more_moves == 1 && outcome.work_left == 1000 - 3 * 5 - 40 - 5);
    CHECK(steps[0].booked.start == 0 && steps[0].booked.duration == 5 && steps[0].booked.pes == wide && steps[3].booked.start == 0);
    CHECK(moves[0].handle.bits == first.handle.bits && moves[0].from.start == 0 && moves[0].to.start == 5 && moves[0].to.pes == wide);
    EXPECT(OK, bookahead_status(book, &after));
    CHECK(after.version == before.version);
    EXPECT(OK, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, 4, BOOKAHEAD_ENDING_COMMIT, moves, 4, &outcome));
    CHECK(outcome.moves == 2 && outcome.more_moves == 0);
    /* Once is enough. And back again. */
    EXPECT(STALE_PLAN, bookahead_apply(book, workspace_of(lent_memory, sizeof lent_memory), 1000, moves, 2));
    for (count = 0; count < 2; count++) {
        const struct bookahead_placement from = moves[count].to;
        moves[count].to = moves[count].from;
        moves[count].from = from;
    }
    EXPECT(OK, bookahead_apply(book, workspace_of(lent_memory, sizeof lent_memory), 1000, moves, 2));
    EXPECT(OK, bookahead_get(book, first.handle, &reservation));
    CHECK(reservation.start == 0);
    EXPECT(OK, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, 4, BOOKAHEAD_ENDING_COMMIT, moves, 4, &outcome));
    before.version += 2;
    EXPECT(OK, bookahead_status(book, &after));
    CHECK(after.version == before.version + 1);
    EXPECT(OK, bookahead_get(book, second.handle, &reservation));
    CHECK(reservation.start == 0);

    /* A new one, altered and split as soon as it is there; another goes. */
    steps[0] = step(BOOKAHEAD_STEP_KIND_REMOVE, first.handle);
    steps[1] = placed(BOOKAHEAD_STEP_KIND_INSERT, nobody, 6, 0, 0);
    steps[1].request = request;
    steps[2] = step(BOOKAHEAD_STEP_KIND_ALTER, nobody);
    steps[2].made_by = 2;
    steps[2].alteration = alteration(BOOKAHEAD_ALTERATION_KIND_EXTEND);
    steps[2].alteration.duration = 8;
    steps[3] = placed(BOOKAHEAD_STEP_KIND_SPLIT, nobody, 10, 0, 0);
    steps[3].made_by = 2;
    steps[4] = step(BOOKAHEAD_STEP_KIND_LIFT, nobody);
    steps[4].made_by = 4;
    steps[5] = placed(BOOKAHEAD_STEP_KIND_PLACE, nobody, 20, 4, 1);
    steps[5].made_by = 4;
    EXPECT(OK, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, 6, BOOKAHEAD_ENDING_COMMIT, moves, 4, &outcome));
    CHECK(outcome.moves == 3 && moves[0].to.duration == 0 && moves[1].from.duration == 0 && moves[2].from.duration == 0);
    CHECK(steps[2].booked.duration == 8 && moves[1].handle.bits == steps[1].made.bits && moves[2].handle.bits == steps[3].made.bits);
    EXPECT(STALE_HANDLE, bookahead_get(book, first.handle, &reservation));
    EXPECT(OK, bookahead_get(book, steps[3].made, &reservation));
    CHECK(reservation.start == 20 && reservation.end == 24 && reservation.request.ready == 10);
    EXPECT(OK, bookahead_reservations(book, 0, handles, 4, &count));
    CHECK(count == 3 && handles[1].bits == steps[1].made.bits);

    /* A group of optional steps of which one is refused is given up; what stands beside it is done. */
    first.handle = steps[1].made;
    steps[0] = step(BOOKAHEAD_STEP_KIND_SAVEPOINT, nobody);
    steps[0].savepoint = BOOKAHEAD_SAVEPOINTS - 1;
    steps[1] = step(BOOKAHEAD_STEP_KIND_LIFT, first.handle);
    steps[1].optional = 1;
    steps[2] = placed(BOOKAHEAD_STEP_KIND_PLACE, first.handle, 1, 4, wide);
    steps[2].optional = 1;
    steps[3] = step(BOOKAHEAD_STEP_KIND_ROLLBACK_IF_REFUSED, nobody);
    steps[3].savepoint = BOOKAHEAD_SAVEPOINTS - 1;
    steps[4] = step(BOOKAHEAD_STEP_KIND_ALTER, first.handle);
    steps[4].alteration = alteration(BOOKAHEAD_ALTERATION_KIND_SHORTEN);
    steps[4].alteration.duration = 2;
    /* And what was not refused stays. */
    steps[5] = step(BOOKAHEAD_STEP_KIND_SAVEPOINT, nobody);
    steps[6] = step(BOOKAHEAD_STEP_KIND_ROLLBACK_IF_REFUSED, nobody);
    EXPECT(OK, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, 7, BOOKAHEAD_ENDING_COMMIT, moves, 4, &outcome));
    CHECK(steps[1].code == BOOKAHEAD_CODE_OK && steps[2].code == BOOKAHEAD_CODE_NO_ROOM && steps[3].code == BOOKAHEAD_CODE_OK);
    CHECK(outcome.moves == 1 && moves[0].from.start == moves[0].to.start && moves[0].to.duration == 2);
    /* What was done is undone. */
    steps[0].savepoint = 0;
    steps[3] = step(BOOKAHEAD_STEP_KIND_ROLLBACK_TO, nobody);
    steps[2] = placed(BOOKAHEAD_STEP_KIND_PLACE, first.handle, 7, 2, wide);
    EXPECT(OK, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, 4, BOOKAHEAD_ENDING_COMMIT, moves, 4, &outcome));
    CHECK(outcome.moves == 0 && steps[2].code == BOOKAHEAD_CODE_OK);

    /* Refused in the middle: nothing has happened, and it is known why. */
    EXPECT(OK, bookahead_status(book, &before));
    steps[0] = step(BOOKAHEAD_STEP_KIND_LIFT, first.handle);
    steps[1] = placed(BOOKAHEAD_STEP_KIND_PLACE, first.handle, 1, 4, pes);
    steps[2].code = 77;
    EXPECT(NO_ROOM, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, 3, BOOKAHEAD_ENDING_COMMIT, moves, 4, &outcome));
    CHECK(outcome.failed_step == 1 && steps[1].code == BOOKAHEAD_CODE_NO_ROOM && steps[2].code == 77 && outcome.moves == 0);
    CHECK(outcome.conflict.listed == 1 && outcome.conflict.handles[0].bits == second.handle.bits);
    EXPECT(OK, bookahead_status(book, &after));
    CHECK(after.version == before.version && after.reservations == before.reservations && after.now == before.now);
    EXPECT(STILL_LIFTED, bookahead_transaction(book, workspace_of(lent_memory, sizeof lent_memory), 1000, steps, 1, BOOKAHEAD_ENDING_PLAN, moves, 4, &outcome));
    CHECK(outcome.failed_step == 1 && outcome.moves == 0);
    EXPECT(OK, bookahead_check_invariants(book));
}

/* Books with numbers of their own. */
static void incarnations(uint32_t binding, uint32_t pes) {
    const struct bookahead_request request = {3, 20, 5, 1};
    const struct bookahead_query query = {0, 10, 1, 1};
    const struct bookahead_offer_terms terms = {0, 0, 5, {0, BOOKAHEAD_FACTOR_ONE, 0}};
    const struct bookahead_job job = {2, 1};
    struct bookahead_book *book;
    struct bookahead_queue *queue;
    struct bookahead_plan plan;
    struct bookahead_offer offer;
    struct bookahead_booking booking;
    struct bookahead_status status;
    struct bookahead_event event;
    struct bookahead_handle handle;
    uint32_t ticket = 0;
    size_t count = 0;
    bool solution, more, happened = false;
    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 8, &book));
    EXPECT(OK, bookahead_queue_init(queue_memory, sizeof queue_memory, BOOKAHEAD_DISCIPLINE_FCFS, 3, &queue));
    EXPECT(OK, bookahead_set_incarnation(book, 6));
    EXPECT(OK, bookahead_plan(book, &request, 0, &plan));
    EXPECT(OK, bookahead_offers(book, &query, &terms, &offer, 1, &count, &solution, &more));
    CHECK(plan.incarnation == 6 && offer.incarnation == 6);
    EXPECT(OK, bookahead_set_incarnation(book, 7));
    EXPECT(OK, bookahead_status(book, &status));
    CHECK(status.incarnation == 7 && status.version == plan.version);
    EXPECT(STALE_PLAN, bookahead_commit(book, &plan, NULL, &handle));
    EXPECT(BAD_OFFER, bookahead_accept(book, &offer, 1, 1, NULL, &booking));
    EXPECT(FOREIGN_QUEUE, bookahead_queue_submit(queue, book, &job, &ticket));
    EXPECT(FOREIGN_QUEUE, bookahead_queue_next(queue, book, 1, &event, &happened));
    EXPECT(FOREIGN_QUEUE, bookahead_queue_advance(queue, book, 1, &event, 1, &count, &happened));
    EXPECT(OK, bookahead_queue_set_incarnation(queue, 7));
    EXPECT(OK, bookahead_queue_submit(queue, book, &job, &ticket));
    EXPECT(OK, bookahead_queue_next(queue, book, 2, &event, &happened));
    CHECK(happened && event.kind == BOOKAHEAD_EVENT_KIND_BEST_EFFORT_STARTED && event.ticket == ticket && event.at == 0);
    EXPECT(OK, bookahead_queue_next(queue, book, 2, &event, &happened));
    CHECK(happened && event.kind == BOOKAHEAD_EVENT_KIND_OVERRAN && event.at == 2);
    EXPECT(OK, bookahead_queue_next(queue, book, 2, &event, &happened));
    CHECK(!happened);
    /* Time that passes leaves a plan as it is. */
    EXPECT(OK, bookahead_plan(book, &request, 0, &plan));
    EXPECT(OK, bookahead_queue_next(queue, book, 3, &event, &happened));
    EXPECT(OK, bookahead_commit(book, &plan, NULL, &handle));
    /* While a job waits, the book is not advanced without its queue. */
    EXPECT(OK, bookahead_queue_submit(queue, book, &job, &ticket));
    EXPECT(OK, bookahead_advance(book, 4, &event, 1, &count, &happened));
    EXPECT(QUEUE_LEFT_BEHIND, bookahead_queue_submit(queue, book, &job, &ticket));
    EXPECT(QUEUE_LEFT_BEHIND, bookahead_queue_next(queue, book, 4, &event, &happened));
    EXPECT(QUEUE_LEFT_BEHIND, bookahead_queue_advance(queue, book, 4, &event, 1, &count, &happened));
    EXPECT(OK, bookahead_queue_set_incarnation(queue, 7));
    EXPECT(OK, bookahead_queue_advance(queue, book, 4, &event, 1, &count, &happened));
}

/* A promise that is not said is a confirmed one, and nothing is read of one but what its kind says. */
static void commitments(uint32_t binding, uint32_t pes) {
    const struct bookahead_request request = {3, 60, 5, pes};
    const uint32_t kinds[] = {BOOKAHEAD_COMMITMENT_KIND_CONFIRMED, BOOKAHEAD_COMMITMENT_KIND_HELD, BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE};
    struct bookahead_commitment commitment;
    struct bookahead_book *book;
    struct bookahead_booking booking;
    struct bookahead_reservation reservation;
    bool frozen = false;
    size_t i;
    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, pes, 100, 8, &book));
    memset(&commitment, 0, sizeof commitment);
    for (i = 0; i < 2; i++) {
        EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, i == 0 ? NULL : &commitment, &booking));
        EXPECT(OK, bookahead_get(book, booking.handle, &reservation));
        EXPECT(OK, bookahead_is_frozen(book, booking.handle, &frozen));
        CHECK(booking.start == 3 + 5 * i && reservation.state == BOOKAHEAD_STATE_CONFIRMED && frozen);
    }
    for (i = 0; i < 3; i++) {
        memset(&commitment, 0xff, sizeof commitment);
        commitment.kind = kinds[i];
        if (commitment.kind == BOOKAHEAD_COMMITMENT_KIND_HELD) commitment.ttl = 2;
        if (commitment.kind == BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE) {
            commitment.flexibility = BOOKAHEAD_FLEXIBILITY_DEADLINE;
            commitment.freeze = BOOKAHEAD_FREEZE_RULE_NEVER;
        }
        EXPECT(OK, bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, &commitment, &booking));
        EXPECT(OK, bookahead_get(book, booking.handle, &reservation));
        EXPECT(OK, bookahead_is_frozen(book, booking.handle, &frozen));
        CHECK(reservation.state == (i == 1 ? (uint32_t)BOOKAHEAD_STATE_HELD : (uint32_t)BOOKAHEAD_STATE_CONFIRMED));
        CHECK(reservation.expires == (i == 1 ? 2U : 0U) && frozen == (i < 2));
    }
    EXPECT(OK, bookahead_check_invariants(book));
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
        altering(BOOKAHEAD_BINDING_LATE, pes[i]);
        altering(BOOKAHEAD_BINDING_EARLY, pes[i]);
        mouldable(BOOKAHEAD_BINDING_LATE, pes[i]);
        mouldable(BOOKAHEAD_BINDING_EARLY, pes[i]);
        juggling(BOOKAHEAD_BINDING_LATE, pes[i]);
        juggling(BOOKAHEAD_BINDING_EARLY, pes[i]);
        shifting(BOOKAHEAD_BINDING_LATE, pes[i]);
        shifting(BOOKAHEAD_BINDING_EARLY, pes[i]);
        commitments(BOOKAHEAD_BINDING_LATE, pes[i]);
        commitments(BOOKAHEAD_BINDING_EARLY, pes[i]);
        several(BOOKAHEAD_BINDING_LATE, pes[i]);
        several(BOOKAHEAD_BINDING_EARLY, pes[i]);
        transactions(BOOKAHEAD_BINDING_LATE, pes[i]);
        transactions(BOOKAHEAD_BINDING_EARLY, pes[i]);
        incarnations(BOOKAHEAD_BINDING_LATE, pes[i]);
        incarnations(BOOKAHEAD_BINDING_EARLY, pes[i]);
    }
    puts("surface: every function answers as it should");
    return 0;
}
