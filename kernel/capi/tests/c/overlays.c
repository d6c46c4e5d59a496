/* A reservation on top of another: planned, booked, late, and there once the other ends. The numbers are worked out by hand. */
#define BOOKAHEAD_RISK
#include "check.h"

#define PES 4

static uint64_t memory[1024];
static uint32_t counters[8], table[PES];

static struct bookahead_book *open(enum bookahead_binding binding) {
    struct bookahead_book *book;
    EXPECT(OK, bookahead_init(memory, sizeof memory, binding, PES, 64, 8, &book));
    return book;
}

/* The kind of the next event on the way to slot 10; `handle` is whose it is. */
static uint32_t next_kind(struct bookahead_book *book, struct bookahead_handle *handle) {
    struct bookahead_event event;
    bool happened;
    EXPECT(OK, bookahead_next(book, 10, &event, &happened));
    CHECK(happened);
    *handle = event.handle;
    return event.kind;
}

static void an_overlay_waits_and_is_booked(void) {
    const struct bookahead_law exponential = {NULL, 0, 5, 1, 0}, histogram = {counters, 8, 5, 1, 4};
    const struct bookahead_overlaying overlaying = {exponential, histogram, BOOKAHEAD_GUARANTEE_ACCESS, 1u << 30};
    const struct bookahead_request all = {0, 40, 40, PES}, two = {10, 20, 10, 2};
    struct bookahead_book *book = open(BOOKAHEAD_BINDING_OVERLAID);
    struct bookahead_booking first;
    struct bookahead_overlay_plan plan;
    struct bookahead_commitment flexible = {BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE, 0, 0, 0, 0};
    struct bookahead_handle overlay, told, waits_for[2];
    uint32_t pes, run;
    size_t count;
    EXPECT(OK, bookahead_reserve(book, &all, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &first));
    /* Nothing has been observed yet. */
    EXPECT(TOO_RISKY, bookahead_plan_overlay(book, &two, &overlaying, table, PES, &plan));
    for (run = 0; run < 9; run++) EXPECT(OK, bookahead_record(&histogram, 40, 7));
    EXPECT(NULL_POINTER, bookahead_record(&exponential, 40, 7));
    EXPECT(SCRATCH_TOO_SHORT, bookahead_plan_overlay(book, &two, &overlaying, table, 1, &plan));
    EXPECT(OK, bookahead_plan_overlay(book, &two, &overlaying, table, PES, &plan));
    /* 9 of 9 + 1. */
    CHECK(plan.plan.start == 10 && plan.overlaid == 2 && plan.probability == (9ull << 31) / 10);
    EXPECT(FLEXIBLE_OVERLAY, bookahead_commit_overlay(book, &plan, &flexible, &overlay));
    EXPECT(OK, bookahead_commit_overlay(book, &plan, held_for(20), &overlay));
    EXPECT(STALE_PLAN, bookahead_commit_overlay(book, &plan, NULL, &told));
    EXPECT(OK, bookahead_confirm(book, overlay));
    EXPECT(OK, bookahead_overlaid(book, overlay, &pes));
    CHECK(pes == 2);
    CHECK(next_kind(book, &told) == BOOKAHEAD_EVENT_KIND_STARTED && told.bits == first.handle.bits);
    CHECK(next_kind(book, &told) == BOOKAHEAD_EVENT_KIND_LATE_START && told.bits == overlay.bits);
    EXPECT(OK, bookahead_waits_for(book, overlay, 0, waits_for, 2, &count));
    CHECK(count == 1 && waits_for[0].bits == first.handle.bits);
    EXPECT(OK, bookahead_check_invariants(book));
    EXPECT(OK, bookahead_complete(book, first.handle, 10));
    CHECK(next_kind(book, &told) == BOOKAHEAD_EVENT_KIND_OVERLAY_BOOKED && told.bits == overlay.bits);
    EXPECT(OK, bookahead_overlaid(book, overlay, &pes));
    CHECK(pes == 0);
    EXPECT(OK, bookahead_check_invariants(book));
}

static void a_book_without_overlays_says_so(void) {
    const struct bookahead_handle nobody = {1};
    uint32_t pes;
    EXPECT(NO_OVERLAYS, bookahead_overlaid(open(BOOKAHEAD_BINDING_LATE), nobody, &pes));
}

static void a_book_with_overlays_is_decided_alone(void) {
    static struct bookahead_tie ties[8];
    const struct bookahead_joined one = {open(BOOKAHEAD_BINDING_OVERLAID), ties, 8, NULL, 0};
    struct bookahead_book_part part;
    uint32_t reason;
    bool is_torn;
    EXPECT(UNKNOWN_BINDING, bookahead_several_torn(&one, 1, &part, &is_torn, &reason));
    CHECK(reason == 0);
}

int main(void) {
    an_overlay_waits_and_is_booked();
    a_book_without_overlays_says_so();
    a_book_with_overlays_is_decided_alone();
    return 0;
}
