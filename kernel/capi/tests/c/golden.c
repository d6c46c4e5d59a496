/* Replays the calls of examples/stream/calls.txt, whose format stands there, and prints the answers as answers.txt has them. */
#include "check.h"

#include <bookahead.h>
#include <inttypes.h>
#include <string.h>

#define JOBS 1024
#define EVENTS 8

struct side {
    const char *binding;
    struct bookahead_book *book;
    struct bookahead_booking jobs[JOBS];
};

static uint64_t late_memory[BOOKAHEAD_LATE_BYTES(32, 256, 32) / 8];
static uint64_t early_memory[BOOKAHEAD_EARLY_BYTES(32, 256, 32) / 8];
static struct side late, early;

static void begin(struct side *side, const char *name, uint32_t binding, uint64_t *memory, size_t length) {
    size_t job;
    side->binding = name;
    EXPECT(OK, bookahead_init(memory, length, binding, 32, 256, 32, &side->book));
    for (job = 0; job < JOBS; job++) {
        side->jobs[job].handle.bits = UINT64_MAX;
        side->jobs[job].start = 0;
    }
}

static void print(struct side *side, uint64_t slot, const char *what, size_t job, uint32_t code) {
    uint16_t pes[32];
    size_t count = 0, i;
    uint32_t mask = 0;
    /* What is gone holds nothing. */
    if (bookahead_pes_of(side->book, side->jobs[job].handle, 0, pes, 32, &count) != BOOKAHEAD_CODE_OK) count = 0;
    for (i = 0; i < count; i++) mask |= UINT32_C(1) << pes[i];
    printf("%s %" PRIu64 " %s %zu %" PRIu32 " %" PRIu64 " 0x%08" PRIx32 "\n", side->binding, slot, what, job, code,
           side->jobs[job].start, mask);
}

static void advance(struct side *side, uint64_t to) {
    struct bookahead_event events[EVENTS];
    bool waiting = true;
    while (waiting) {
        size_t count, i, job;
        EXPECT(OK, bookahead_advance(side->book, to, events, EVENTS, &count, &waiting));
        for (i = 0; i < count; i++) {
            for (job = 0; job < JOBS && side->jobs[job].handle.bits != events[i].handle.bits; job++) {
            }
            CHECK(job < JOBS);
            print(side, events[i].at, bookahead_event_name(events[i].kind), job, 0);
        }
    }
    EXPECT(OK, bookahead_check_invariants(side->book));
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
    } else {
        uint64_t at;
        CHECK(strcmp(what, "complete") == 0 && sscanf(rest, "%" SCNu64, &at) == 1);
        code = bookahead_complete(side->book, booking->handle, at);
    }
    print(side, slot, what, job, code);
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
