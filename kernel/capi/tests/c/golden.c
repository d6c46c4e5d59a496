/* Replays the calls of examples/stream/calls.txt, whose format stands there, and prints the answers as answers.txt has them. */
#include "check.h"

#include <bookahead.h>
#include <inttypes.h>
#include <string.h>

#define JOBS 1024
#define EVENTS 8
#define WAITING 8
#define OFFERS 4

struct side {
    const char *binding;
    struct bookahead_book *book;
    struct bookahead_booking jobs[JOBS];
    struct bookahead_queue *queue;
    uint64_t queue_memory[BOOKAHEAD_QUEUE_BYTES(WAITING) / 8];
    /* Of each job while it waits, or 0. */
    uint32_t tickets[JOBS];
    struct bookahead_offer offers[OFFERS];
    size_t offered;
};

static uint64_t late_memory[BOOKAHEAD_LATE_BYTES(32, 256, 32) / 8];
static uint64_t early_memory[BOOKAHEAD_EARLY_BYTES(32, 256, 32) / 8];
static struct side late, early;

static void renew_queue(struct side *side, uint32_t discipline) {
    EXPECT(OK, bookahead_queue_init(side->queue_memory, sizeof side->queue_memory, discipline, WAITING, &side->queue));
    memset(side->tickets, 0, sizeof side->tickets);
}

static void begin(struct side *side, const char *name, uint32_t binding, uint64_t *memory, size_t length) {
    size_t job;
    side->binding = name;
    EXPECT(OK, bookahead_init(memory, length, binding, 32, 256, 32, &side->book));
    for (job = 0; job < JOBS; job++) {
        side->jobs[job].handle.bits = UINT64_MAX;
        side->jobs[job].start = 0;
    }
    renew_queue(side, BOOKAHEAD_DISCIPLINE_FCFS);
    side->offered = 0;
}

static void print_from(struct side *side, uint64_t slot, const char *what, size_t job, uint32_t code, uint64_t start) {
    uint16_t pes[32];
    size_t count = 0, i;
    uint32_t mask = 0;
    /* What is gone holds nothing. */
    if (bookahead_pes_of(side->book, side->jobs[job].handle, 0, pes, 32, &count) != BOOKAHEAD_CODE_OK) count = 0;
    for (i = 0; i < count; i++) mask |= UINT32_C(1) << pes[i];
    printf("%s %" PRIu64 " %s %zu %" PRIu32 " %" PRIu64 " 0x%08" PRIx32 "\n", side->binding, slot, what, job, code, start, mask);
}

static void print(struct side *side, uint64_t slot, const char *what, size_t job, uint32_t code) {
    print_from(side, slot, what, job, code, side->jobs[job].start);
}

static void print_offers(const struct side *side, uint64_t slot, size_t job) {
    size_t i;
    for (i = 0; i < side->offered; i++) {
        const struct bookahead_offer *const offer = &side->offers[i];
        printf("%s %" PRIu64 " offer %zu %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu64 " %" PRIu32 " %" PRIu64 "\n",
               side->binding, slot, job, offer->window.start, offer->window.end, offer->seed.start, offer->seed.end, offer->pes,
               offer->price, offer->solution, offer->expires);
    }
}

/* Which job something happened to; one that comes from the queue is booked from now on. */
static size_t job_of(struct side *side, const struct bookahead_event *event) {
    size_t job;
    if (event->kind == BOOKAHEAD_EVENT_KIND_BEST_EFFORT_STARTED) {
        for (job = 0; job < JOBS && side->tickets[job] != event->ticket; job++) {
        }
        CHECK(job < JOBS && event->ticket != 0);
        side->jobs[job].handle = event->handle;
        side->jobs[job].start = event->at;
    }
    for (job = 0; job < JOBS && side->jobs[job].handle.bits != event->handle.bits; job++) {
    }
    CHECK(job < JOBS);
    return job;
}

static void advance(struct side *side, uint64_t to) {
    struct bookahead_event events[EVENTS];
    bool waiting = true;
    while (waiting) {
        size_t count, i;
        EXPECT(OK, bookahead_queue_advance(side->queue, side->book, to, events, EVENTS, &count, &waiting));
        for (i = 0; i < count; i++) print(side, events[i].at, bookahead_event_name(events[i].kind), job_of(side, &events[i]), 0);
    }
    EXPECT(OK, bookahead_queue_check_invariants(side->queue, side->book));
}

/* A number of a line, or what `-` stands for. */
static uint32_t given(const char *field, uint32_t otherwise) {
    return strcmp(field, "-") == 0 ? otherwise : (uint32_t)strtoul(field, NULL, 10);
}

static uint32_t offers(struct side *side, const char *rest) {
    struct bookahead_query query;
    struct bookahead_offer_terms terms;
    char search[16], order[16], duration[16], pes[16];
    bool solution, more;
    uint32_t code;
    CHECK(sscanf(rest, "%15s %15s %" SCNu64 " %15s %" SCNu64 " %15s %" SCNu32 " %" SCNu64, search, order, &query.ready, duration,
                 &query.deadline, pes, &terms.ttl, &terms.tariff.base) == 8);
    EXPECT(OK, bookahead_search_from_name(search, &terms.search));
    EXPECT(OK, bookahead_offer_order_from_name(order, &terms.order));
    query.duration = given(duration, BOOKAHEAD_ANY);
    query.pes = given(pes, BOOKAHEAD_ANY);
    terms.tariff.factor = BOOKAHEAD_FACTOR_ONE + BOOKAHEAD_FACTOR_ONE / 2;
    terms.tariff.slot_units = 1;
    code = bookahead_offers(side->book, &query, &terms, side->offers, OFFERS, &side->offered, &solution, &more);
    if (code != BOOKAHEAD_CODE_OK) side->offered = 0;
    return code;
}

static uint32_t accept_one(struct side *side, const char *rest, struct bookahead_booking *booking) {
    static const struct bookahead_offer no_offer = {{0, 0}, {0, 0}, {0, 0}, 0, 0, 0, 0, 0};
    const struct bookahead_offer *offer = &no_offer;
    char duration_field[16], pes_field[16], ttl[16];
    uint32_t duration, pes;
    size_t nth;
    CHECK(sscanf(rest, "%zu %15s %15s %15s", &nth, duration_field, pes_field, ttl) == 4);
    if (nth < side->offered) offer = &side->offers[nth];
    duration = given(duration_field, (uint32_t)(offer->window.end - offer->window.start));
    pes = given(pes_field, offer->pes);
    if (strcmp(ttl, "-") == 0) return bookahead_accept(side->book, offer, duration, pes, booking);
    return bookahead_accept_hold(side->book, offer, duration, pes, given(ttl, 0), booking);
}

static uint32_t submit(struct side *side, const char *rest, size_t job) {
    struct bookahead_job waiting;
    CHECK(sscanf(rest, "%" SCNu32 " %" SCNu32, &waiting.estimate, &waiting.pes) == 2);
    return bookahead_queue_submit(side->queue, side->book, &waiting, &side->tickets[job]);
}

static uint64_t shadow(struct side *side) {
    uint64_t start = 0;
    if (bookahead_queue_shadow(side->queue, side->book, &start) != BOOKAHEAD_CODE_OK) start = 0;
    return start;
}

/* Makes one call; `rest` is what stands behind the job. */
static void call(struct side *side, uint64_t slot, const char *what, size_t job, const char *rest) {
    struct bookahead_booking *const booking = &side->jobs[job];
    const bool hold = strcmp(what, "hold") == 0;
    uint32_t code = 0;
    if (hold || strcmp(what, "reserve") == 0) {
        struct bookahead_request request;
        char name[32];
        uint32_t policy, ttl = 0;
        const int fields = sscanf(rest, "%31s %" SCNu64 " %" SCNu32 " %" SCNu64 " %" SCNu32 " %" SCNu32, name, &request.ready,
                                  &request.duration, &request.deadline, &request.pes, &ttl);
        CHECK(fields == (hold ? 6 : 5));
        EXPECT(OK, bookahead_policy_from_name(name, &policy));
        CHECK(strcmp(bookahead_policy_name(policy), name) == 0);
        code = hold ? bookahead_hold(side->book, &request, policy, ttl, booking)
                    : bookahead_reserve(side->book, &request, policy, booking);
    } else if (strcmp(what, "confirm") == 0) {
        code = bookahead_confirm(side->book, booking->handle);
    } else if (strcmp(what, "cancel") == 0) {
        code = bookahead_cancel(side->book, booking->handle);
    } else if (strcmp(what, "offers") == 0) {
        code = offers(side, rest);
    } else if (strcmp(what, "accept") == 0) {
        code = accept_one(side, rest, booking);
    } else if (strcmp(what, "queue") == 0) {
        char name[16];
        uint32_t discipline;
        CHECK(sscanf(rest, "%15s", name) == 1);
        EXPECT(OK, bookahead_discipline_from_name(name, &discipline));
        renew_queue(side, discipline);
    } else if (strcmp(what, "submit") == 0) {
        code = submit(side, rest, job);
    } else if (strcmp(what, "withdraw") == 0) {
        code = bookahead_queue_withdraw(side->queue, side->tickets[job]);
    } else if (strcmp(what, "shadow") == 0) {
        print_from(side, slot, what, job, 0, shadow(side));
        return;
    } else {
        uint64_t at;
        CHECK(strcmp(what, "complete") == 0 && sscanf(rest, "%" SCNu64, &at) == 1);
        code = bookahead_complete(side->book, booking->handle, at);
    }
    print(side, slot, what, job, code);
    if (strcmp(what, "offers") == 0) print_offers(side, slot, job);
}

int main(int argc, char **argv) {
    char line[256];
    uint64_t now = 0;
    bool end = false;
    FILE *calls;
    CHECK(argc == 2);
    calls = fopen(argv[1], "r");
    CHECK(calls != NULL);

    begin(&late, "late", BOOKAHEAD_BINDING_LATE, late_memory, sizeof late_memory);
    begin(&early, "early", BOOKAHEAD_BINDING_EARLY, early_memory, sizeof early_memory);
    puts("binding slot what job code start pes");
    puts("binding slot offer job start end seed-start seed-end pes price solution expires");
    advance(&late, now);
    advance(&early, now);
    while (!end && fgets(line, sizeof line, calls) != NULL) {
        uint64_t slot;
        size_t job = 0;
        int rest = 0;
        char what[16];
        if (line[0] == '#') continue;
        CHECK(sscanf(line, "%" SCNu64 " %15s%n", &slot, what, &rest) == 2 && slot >= now);
        while (now < slot) {
            now++;
            advance(&late, now);
            advance(&early, now);
        }
        end = strcmp(what, "end") == 0;
        if (!end) {
            int more = 0;
            CHECK(sscanf(line + rest, "%zu%n", &job, &more) == 1 && job < JOBS);
            call(&late, slot, what, job, line + rest + more);
            call(&early, slot, what, job, line + rest + more);
        }
    }
    fclose(calls);
    CHECK(end);
    return 0;
}
