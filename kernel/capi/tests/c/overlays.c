/* Makes the calls that the lines of overlays.txt name, and compares what they come to. The first lines say what the numbers are. */
#define BOOKAHEAD_RISK
#include "check.h"

#include <bookahead.h>
#include <inttypes.h>
#include <string.h>

#define PES 16
#define ROWS 24
#define JOBS 24
#define MOST 14

static uint64_t memory[1024];
static struct bookahead_book *book;
static struct bookahead_handle jobs[JOBS + 1];
static uint32_t times[9], shares[9], table[PES];

/* By service times in bins of 3 slots, by shares of what was booked, or exponential. */
static struct bookahead_law law_of(uint64_t kind, uint64_t slots) {
    struct bookahead_law law;
    law.counters = kind == 0 ? times : kind == 1 ? shares : NULL;
    law.length = 9;
    law.slots = slots + 1;
    law.jobs = 1;
    law.bin = kind == 0 ? 3 : 0;
    return law;
}

static struct bookahead_request request_of(const uint64_t *n) {
    struct bookahead_request request;
    request.ready = n[1];
    request.duration = (uint32_t)n[2];
    request.deadline = n[3];
    request.pes = (uint32_t)n[4];
    return request;
}

static void reserve(const uint64_t *n) {
    const struct bookahead_request request = request_of(n);
    struct bookahead_booking booking;
    CHECK(bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking) == n[5]);
    if (n[5] == BOOKAHEAD_CODE_OK) {
        CHECK(booking.start == n[6]);
        jobs[n[0]] = booking.handle;
    }
}

static void overlay(const uint64_t *n) {
    const struct bookahead_request request = request_of(n);
    struct bookahead_overlaying overlaying;
    struct bookahead_overlay_plan plan;
    uint32_t code, pes;
    overlaying.own = overlaying.others = law_of(n[5], n[6]);
    overlaying.guarantee = (uint32_t)n[7];
    overlaying.threshold = (uint32_t)(n[8] << 27);
    code = bookahead_plan_overlay(book, &request, &overlaying, table, PES, &plan);
    if (code == BOOKAHEAD_CODE_OK) code = bookahead_commit_overlay(book, &plan, n[9] > 8 ? held_for((uint32_t)n[9] - 8) : NULL, &jobs[n[0]]);
    CHECK(code == n[10]);
    if (code == BOOKAHEAD_CODE_OK) {
        CHECK(plan.plan.start == n[11] && plan.overlaid == n[12] && plan.probability == n[13]);
        EXPECT(OK, bookahead_overlaid(book, jobs[n[0]], &pes));
        CHECK(pes == n[12]);
    }
}

static void complete(const uint64_t *n, uint64_t now) {
    const struct bookahead_law by_time = law_of(0, 0), by_share = law_of(1, 0);
    CHECK(bookahead_complete(book, jobs[n[0]], now) == n[3]);
    if (n[3] != BOOKAHEAD_CODE_OK) return;
    EXPECT(OK, bookahead_record(&by_time, (uint32_t)n[1], (uint32_t)n[2]));
    EXPECT(OK, bookahead_record(&by_share, (uint32_t)n[1], (uint32_t)n[2]));
}

/* The next event on the way to `to` is the one of the line. */
static void event(const uint64_t *n, uint64_t to) {
    struct bookahead_event next;
    bool happened;
    uint32_t pes = 0;
    EXPECT(OK, bookahead_next(book, to, &next, &happened));
    CHECK(happened && next.at == n[0] && next.kind == n[1]);
    CHECK(n[2] == JOBS || jobs[n[2]].bits == next.handle.bits);
    jobs[JOBS] = next.handle;
    if (bookahead_overlaid(book, next.handle, &pes) == BOOKAHEAD_CODE_OK) CHECK(pes == n[3]);
}

static void waits(const uint64_t *n) {
    struct bookahead_handle running[ROWS];
    size_t count;
    EXPECT(OK, bookahead_waits_for(book, jobs[n[0]], 0, running, ROWS, &count));
    CHECK(count == n[1]);
}

/* Nothing else happens on the way. */
static void arrive(uint64_t to) {
    struct bookahead_event next;
    bool happened;
    EXPECT(OK, bookahead_next(book, to, &next, &happened));
    CHECK(!happened);
    EXPECT(OK, bookahead_check_invariants(book));
}

int main(int argc, char **argv) {
    char line[256], what[16];
    uint64_t now = 0, lines = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    size_t job;
    bool on_the_way = false;
    CHECK(file != NULL);
    CHECK(bookahead_bytes(BOOKAHEAD_BINDING_OVERLAID, PES, 64, ROWS) <= sizeof memory);
    EXPECT(OK, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_OVERLAID, PES, 64, ROWS, &book));
    for (job = 0; job < JOBS; job++) jobs[job].bits = UINT64_MAX;
    while (fgets(line, sizeof line, file) != NULL) {
        uint64_t n[MOST] = {0};
        size_t count = 0;
        const char *rest = strchr(line, ' ');
        CHECK(sscanf(line, "%15s", what) == 1 && rest != NULL);
        /* A line that says what the numbers are has none. */
        for (; rest != NULL && count < MOST && sscanf(rest, "%" SCNu64, &n[count]) == 1; count++) rest = strchr(rest + 1, ' ');
        if (count == 0) continue;
        lines++;
        if (strcmp(what, "event") == 0) event(n, now);
        else if (strcmp(what, "waits") == 0) waits(n);
        else if (on_the_way) arrive(now);
        on_the_way = on_the_way && (strcmp(what, "event") == 0 || strcmp(what, "waits") == 0);
        if (strcmp(what, "advance") == 0) {
            now = n[0];
            on_the_way = true;
        } else if (strcmp(what, "reserve") == 0) reserve(n);
        else if (strcmp(what, "overlay") == 0) overlay(n);
        else if (strcmp(what, "complete") == 0) complete(n, now);
        else if (strcmp(what, "confirm") == 0) CHECK(bookahead_confirm(book, jobs[n[0]]) == n[1]);
        else if (strcmp(what, "cancel") == 0) CHECK(bookahead_cancel(book, jobs[n[0]]) == n[1]);
    }
    fclose(file);
    CHECK(lines > 2000);
    printf("%" PRIu64 " lines are the same\n", lines);
    return 0;
}
