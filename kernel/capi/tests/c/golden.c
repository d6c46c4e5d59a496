/* Replays the calls of examples/stream/calls.txt, whose format stands there, and prints the answers as answers.txt has them. */
#include "check.h"

#include <bookahead.h>
#include <inttypes.h>
#include <string.h>

#define JOBS 1472
#define ROWS 32
#define EVENTS 8
#define WAITING 8
#define OFFERS 4
#define STEPS 12
#define ENTRIES (2 * STEPS)
#define PARTS 8
#define OBSTACLES 4
#define NAMED 16
#define FORMS 4
/* No job. */
#define NOBODY SIZE_MAX

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
    /* What was planned last. */
    struct bookahead_plan plan;
    struct bookahead_move moves[ENTRIES];
    size_t moved;
};

/* For either book. */
static uint64_t undo[BOOKAHEAD_EARLY_UNDO_BYTES(32, ENTRIES) / 8];

static uint64_t late_memory[BOOKAHEAD_LATE_BYTES(32, 256, ROWS) / 8];
static uint64_t early_memory[BOOKAHEAD_EARLY_BYTES(32, 256, ROWS) / 8];
static struct bookahead_movable waiting_list[ROWS];
static struct side late, early;

static void renew_queue(struct side *side, uint32_t discipline) {
    struct bookahead_status status;
    EXPECT(OK, bookahead_queue_init(side->queue_memory, sizeof side->queue_memory, discipline, WAITING, &side->queue));
    EXPECT(OK, bookahead_status(side->book, &status));
    EXPECT(OK, bookahead_queue_set_incarnation(side->queue, status.incarnation));
    memset(side->tickets, 0, sizeof side->tickets);
}

/* A plan that starts behind its own window is nobody's. */
static void forget_plan(struct side *side) {
    memset(&side->plan, 0, sizeof side->plan);
    side->plan.start = 1;
}

static void begin(struct side *side, const char *name, uint32_t binding, uint64_t *memory, size_t length) {
    size_t job;
    side->binding = name;
    EXPECT(OK, bookahead_init(memory, length, binding, 32, 256, ROWS, &side->book));
    for (job = 0; job < JOBS; job++) {
        side->jobs[job].handle.bits = UINT64_MAX;
        side->jobs[job].start = 0;
    }
    renew_queue(side, BOOKAHEAD_DISCIPLINE_FCFS);
    side->offered = 0;
    forget_plan(side);
    side->moved = 0;
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
        if (to % 2 == 0) {
            EXPECT(OK, bookahead_queue_advance(side->queue, side->book, to, events, EVENTS, &count, &waiting));
        } else {
            EXPECT(OK, bookahead_queue_next(side->queue, side->book, to, events, &waiting));
            count = waiting ? 1 : 0;
        }
        for (i = 0; i < count; i++) print(side, events[i].at, bookahead_event_name(events[i].kind), job_of(side, &events[i]), 0);
    }
    EXPECT(OK, bookahead_queue_check_invariants(side->queue, side->book));
}

/* A number of a line, or what `-` stands for. */
static uint32_t given(const char *field, uint32_t otherwise) {
    return strcmp(field, "-") == 0 ? otherwise : (uint32_t)strtoul(field, NULL, 10);
}

/* What a line promises: held for so many slots, or `-` for confirmed. */
static const struct bookahead_commitment *terms(const char *field) {
    return strcmp(field, "-") == 0 ? NULL : held_for(given(field, 0));
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
    static const struct bookahead_offer no_offer = {{0, 0}, {0, 0}, {0, 0}, 0, 0, 0, 0, 0, 0};
    const struct bookahead_offer *offer = &no_offer;
    char duration_field[16], pes_field[16], ttl[16];
    uint32_t duration, pes;
    size_t nth;
    CHECK(sscanf(rest, "%zu %15s %15s %15s", &nth, duration_field, pes_field, ttl) == 4);
    if (nth < side->offered) offer = &side->offers[nth];
    duration = given(duration_field, (uint32_t)(offer->window.end - offer->window.start));
    pes = given(pes_field, offer->pes);
    return bookahead_accept(side->book, offer, duration, pes, terms(ttl), booking);
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

/* Whose reservation it is, or NOBODY. */
static size_t whose(const struct side *side, struct bookahead_handle handle) {
    size_t job;
    for (job = 0; job < JOBS && side->jobs[job].handle.bits != handle.bits; job++) {
    }
    return job < JOBS ? job : NOBODY;
}

static void print_job(size_t job) {
    if (job == NOBODY) fputs(" -", stdout);
    else printf(" %zu", job);
}

static void print_conflict(const struct side *side, uint64_t slot, size_t job, const struct bookahead_conflict *conflict) {
    uint32_t i;
    if (conflict->listed == 0) return;
    printf("%s %" PRIu64 " conflict %zu %" PRIu32, side->binding, slot, job, conflict->more);
    for (i = 0; i < conflict->listed; i++) print_job(whose(side, conflict->handles[i]));
    puts("");
}

static void print_placement(const struct bookahead_placement *placement) {
    printf(" %" PRIu64 " %" PRIu32 " %" PRIu32, placement->start, placement->duration, placement->pes);
}

static void print_move(const struct side *side, uint64_t slot, size_t job, size_t moved, const struct bookahead_placement *from,
                       const struct bookahead_placement *to) {
    printf("%s %" PRIu64 " move %zu", side->binding, slot, job);
    print_job(moved);
    print_placement(from);
    print_placement(to);
    puts("");
}

/* Behind the blanks. */
static const char *behind(const char *text) {
    return text + strspn(text, " ");
}

/* What stands before the next colon or blank, and moves `text` behind it. */
static void field(const char **text, char *into, size_t room) {
    size_t length;
    *text = behind(*text);
    length = strcspn(*text, ": \n");
    CHECK(length > 0 && length < room);
    memcpy(into, *text, length);
    into[length] = '\0';
    *text += length;
    if (**text == ':') (*text)++;
}

static uint64_t field_number(const char **text) {
    char number[24];
    char *end;
    uint64_t value;
    field(text, number, sizeof number);
    value = strtoull(number, &end, 10);
    CHECK(*end == '\0');
    return value;
}

static uint32_t field_short(const char **text) {
    const uint64_t value = field_number(text);
    CHECK(value <= UINT32_MAX);
    return (uint32_t)value;
}

/* For how long something is held, `-` for not at all. */
static struct bookahead_commitment field_ttl(const char **text) {
    struct bookahead_commitment commitment;
    char number[24];
    memset(&commitment, 0, sizeof commitment);
    field(text, number, sizeof number);
    return terms(number) == NULL ? commitment : *terms(number);
}

static struct bookahead_alteration field_alteration(const char **text) {
    struct bookahead_alteration alteration;
    char kind[16];
    memset(&alteration, 0, sizeof alteration);
    field(text, kind, sizeof kind);
    EXPECT(OK, bookahead_alteration_from_name(kind, &alteration.kind));
    CHECK(strcmp(bookahead_alteration_name(alteration.kind), kind) == 0);
    switch (alteration.kind) {
    case BOOKAHEAD_ALTERATION_KIND_SHIFT: alteration.start = field_number(text); break;
    case BOOKAHEAD_ALTERATION_KIND_EXTEND:
    case BOOKAHEAD_ALTERATION_KIND_SHORTEN: alteration.duration = field_short(text); break;
    case BOOKAHEAD_ALTERATION_KIND_WIDEN:
    case BOOKAHEAD_ALTERATION_KIND_NARROW: alteration.pes = field_short(text); break;
    default: alteration.ready = field_number(text); alteration.deadline = field_number(text);
    }
    return alteration;
}

/* Which of the words it is that stands before the next colon or blank. */
static uint32_t field_word(const char **text, const char *const *words) {
    char word[24];
    uint32_t number = 0;
    field(text, word, sizeof word);
    while (words[number] != NULL && strcmp(words[number], word) != 0) number++;
    CHECK(words[number] != NULL);
    return number;
}

/* What is promised: `strict`, or how flexible and until when. */
static struct bookahead_commitment field_commitment(const char **text) {
    struct bookahead_commitment commitment;
    char word[24];
    memset(&commitment, 0, sizeof commitment);
    field(text, word, sizeof word);
    if (strcmp(word, "strict") == 0) return commitment;
    commitment.kind = BOOKAHEAD_COMMITMENT_KIND_FLEXIBLE;
    EXPECT(OK, bookahead_flexibility_from_name(word, &commitment.flexibility));
    field(text, word, sizeof word);
    EXPECT(OK, bookahead_freeze_rule_from_name(word, &commitment.freeze));
    if (commitment.freeze == BOOKAHEAD_FREEZE_RULE_SHARE || commitment.freeze == BOOKAHEAD_FREEZE_RULE_LEAD)
        commitment.freeze_after = field_short(text);
    return commitment;
}

/* What has been booked for jobs from `job` on. */
static void book_all(struct side *side, size_t job, const struct bookahead_handle *handles, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        struct bookahead_reservation reservation;
        EXPECT(OK, bookahead_get(side->book, handles[i], &reservation));
        side->jobs[job + i].handle = handles[i];
        side->jobs[job + i].start = reservation.start;
    }
}

static void alter(struct side *side, uint64_t slot, size_t job, const char *rest) {
    const char *text = behind(rest);
    const struct bookahead_alteration alteration = field_alteration(&text);
    struct bookahead_placement placement;
    struct bookahead_conflict conflict;
    uint32_t code;
    memset(&conflict, 0, sizeof conflict);
    code = bookahead_alter(side->book, side->jobs[job].handle, &alteration, undo, sizeof undo, &placement, &conflict);
    if (code == BOOKAHEAD_CODE_OK) side->jobs[job].start = placement.start;
    print(side, slot, "alter", job, code);
    print_conflict(side, slot, job, &conflict);
}

static uint32_t split(struct side *side, const char *rest, size_t job) {
    struct bookahead_handle handle;
    uint64_t at;
    size_t of;
    uint32_t code;
    CHECK(sscanf(rest, "%zu %" SCNu64, &of, &at) == 2 && of < JOBS);
    code = bookahead_split(side->book, side->jobs[of].handle, at, undo, sizeof undo, &handle);
    if (code == BOOKAHEAD_CODE_OK) {
        side->jobs[job].handle = handle;
        side->jobs[job].start = at;
    }
    return code;
}

static void series(struct side *side, uint64_t slot, size_t job, const char *rest) {
    struct bookahead_series series;
    struct bookahead_handle handles[PARTS];
    struct bookahead_conflict conflict;
    uint32_t exceptions[PARTS], policy, code;
    char name[32], ttl[16], left_out[64];
    const char *text = left_out;
    size_t count = 0;
    CHECK(sscanf(rest, "%31s %" SCNu64 " %" SCNu32 " %" SCNu64 " %" SCNu32 " %15s %" SCNu32 " %" SCNu32 " %63s", name, &series.first.ready,
                 &series.first.duration, &series.first.deadline, &series.first.pes, ttl, &series.period, &series.count, left_out) == 9);
    EXPECT(OK, bookahead_policy_from_name(name, &policy));
    series.exceptions = exceptions;
    series.exception_count = 0;
    while (strcmp(left_out, "-") != 0 && *text != '\0') {
        CHECK(series.exception_count < PARTS);
        exceptions[series.exception_count++] = field_short(&text);
    }
    memset(&conflict, 0, sizeof conflict);
    code = bookahead_reserve_series(side->book, &series, policy, terms(ttl), undo, sizeof undo, handles, PARTS, &count,
                                    &conflict);
    if (code == BOOKAHEAD_CODE_OK) book_all(side, job, handles, count);
    print(side, slot, "series", job, code);
    print_conflict(side, slot, job, &conflict);
}

static void together(struct side *side, uint64_t slot, size_t job, const char *rest) {
    struct bookahead_part parts[PARTS];
    struct bookahead_handle handles[PARTS];
    struct bookahead_conflict conflict;
    uint64_t ready, deadline, start = 0;
    uint32_t code;
    char ttl[16];
    const char *text;
    size_t length = 0;
    int read = 0;
    CHECK(sscanf(rest, "%" SCNu64 " %" SCNu64 " %15s%n", &ready, &deadline, ttl, &read) == 3);
    for (text = behind(rest + read); *text != '\n'; text = behind(text)) {
        CHECK(length < PARTS);
        parts[length].offset = field_short(&text);
        parts[length].duration = field_short(&text);
        parts[length++].pes = field_short(&text);
    }
    memset(&conflict, 0, sizeof conflict);
    code = bookahead_reserve_together(side->book, ready, deadline, parts, length, terms(ttl), undo, sizeof undo, handles, PARTS,
                                      &start, &conflict);
    if (code == BOOKAHEAD_CODE_OK) book_all(side, job, handles, length);
    print_from(side, slot, "together", job, code, code == BOOKAHEAD_CODE_OK ? start : side->jobs[job].start);
    print_conflict(side, slot, job, &conflict);
}

static void cancel_all(struct side *side, uint64_t slot, size_t job, const char *rest) {
    struct bookahead_handle handles[PARTS];
    size_t length, i, cancelled = 0;
    uint32_t code;
    CHECK(sscanf(rest, "%zu", &length) == 1);
    for (i = 0; i < length && i < PARTS; i++) handles[i] = side->jobs[job + i].handle;
    code = bookahead_cancel_all(side->book, handles, i, &cancelled);
    print_from(side, slot, "cancel-all", job, code, code == BOOKAHEAD_CODE_OK ? cancelled : side->jobs[job].start);
}

static void print_or_none(uint64_t slot) {
    if (slot == BOOKAHEAD_NEVER) fputs(" -", stdout);
    else printf(" %" PRIu64, slot);
}

static void explain(struct side *side, uint64_t slot, size_t job, const char *rest) {
    struct bookahead_request request;
    struct bookahead_obstacle obstacles[OBSTACLES];
    struct bookahead_explanation explanation;
    uint64_t fits = side->jobs[job].start;
    uint32_t code, j;
    size_t count = 0, i;
    CHECK(sscanf(rest, "%" SCNu64 " %" SCNu32 " %" SCNu64 " %" SCNu32, &request.ready, &request.duration, &request.deadline, &request.pes) == 4);
    code = bookahead_explain(side->book, &request, obstacles, OBSTACLES, &count, &explanation);
    if (code == BOOKAHEAD_CODE_OK) fits = explanation.fits == BOOKAHEAD_NEVER ? 0 : explanation.fits;
    print_from(side, slot, "explain", job, code, fits);
    for (i = 0; i < count; i++) {
        const struct bookahead_conflict *const holders = &obstacles[i].holders;
        printf("%s %" PRIu64 " obstacle %zu %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32, side->binding, slot, job, obstacles[i].start,
               obstacles[i].at, obstacles[i].lacking, holders->more);
        for (j = 0; j < holders->listed; j++) print_job(whose(side, holders->handles[j]));
        puts("");
    }
    if (code != BOOKAHEAD_CODE_OK) return;
    printf("%s %" PRIu64 " explained %zu", side->binding, slot, job);
    print_or_none(explanation.fits);
    printf(" %" PRIu32, explanation.more);
    print_or_none(explanation.earlier);
    print_or_none(explanation.later);
    puts("");
}

static void covering(struct side *side, uint64_t slot, size_t job, const char *rest) {
    struct bookahead_handle handles[NAMED];
    uint64_t start, end;
    size_t count, more, i;
    CHECK(sscanf(rest, "%" SCNu64 " %" SCNu64, &start, &end) == 2);
    /* In two pieces. */
    EXPECT(OK, bookahead_covering(side->book, start, end, 0, handles, 3, &count));
    EXPECT(OK, bookahead_covering(side->book, start, end, count, handles + count, NAMED - count, &more));
    print_from(side, slot, "covering", job, 0, start);
    printf("%s %" PRIu64 " covers %zu", side->binding, slot, job);
    for (i = 0; i < count + more; i++) print_job(whose(side, handles[i]));
    puts("");
}

/* The job of each step that makes a reservation, else NOBODY. */
struct script {
    struct bookahead_step steps[STEPS];
    size_t makes[STEPS];
    size_t length;
};

/* Reads a job, which is one that has a reservation or one that an earlier step makes. */
static void read_target(const struct side *side, struct script *script, const char **text) {
    struct bookahead_step *const step = &script->steps[script->length];
    const size_t job = (size_t)field_number(text);
    size_t i;
    CHECK(job < JOBS);
    step->handle = side->jobs[job].handle;
    for (i = 0; i < script->length; i++)
        if (script->makes[i] == job) step->made_by = (uint32_t)i + 1;
}

static void read_step(const struct side *side, struct script *script, const char **text) {
    struct bookahead_step *const step = &script->steps[script->length];
    size_t *const makes = &script->makes[script->length];
    char word[24];
    memset(step, 0, sizeof *step);
    *makes = NOBODY;
    if (**text == '?') {
        step->optional = 1;
        (*text)++;
    }
    field(text, word, sizeof word);
    if (strcmp(word, "lift") == 0) {
        step->kind = BOOKAHEAD_STEP_KIND_LIFT;
        read_target(side, script, text);
    } else if (strcmp(word, "place") == 0) {
        step->kind = BOOKAHEAD_STEP_KIND_PLACE;
        read_target(side, script, text);
        step->placement.start = field_number(text);
        step->placement.duration = field_short(text);
        step->placement.pes = field_short(text);
    } else if (strcmp(word, "place-first-fit") == 0) {
        step->kind = BOOKAHEAD_STEP_KIND_PLACE_FIRST_FIT;
        read_target(side, script, text);
        step->placement.start = field_number(text);
    } else if (strcmp(word, "insert") == 0) {
        step->kind = BOOKAHEAD_STEP_KIND_INSERT;
        *makes = (size_t)field_number(text);
        step->placement.start = field_number(text);
        step->request.ready = field_number(text);
        step->request.duration = field_short(text);
        step->request.deadline = field_number(text);
        step->request.pes = field_short(text);
        step->commitment = field_ttl(text);
    } else if (strcmp(word, "remove") == 0) {
        step->kind = BOOKAHEAD_STEP_KIND_REMOVE;
        read_target(side, script, text);
    } else if (strcmp(word, "alter") == 0) {
        step->kind = BOOKAHEAD_STEP_KIND_ALTER;
        read_target(side, script, text);
        step->alteration = field_alteration(text);
    } else if (strcmp(word, "split") == 0) {
        step->kind = BOOKAHEAD_STEP_KIND_SPLIT;
        *makes = (size_t)field_number(text);
        read_target(side, script, text);
        step->placement.start = field_number(text);
    } else {
        if (strcmp(word, "savepoint") == 0) step->kind = BOOKAHEAD_STEP_KIND_SAVEPOINT;
        else if (strcmp(word, "rollback") == 0) step->kind = BOOKAHEAD_STEP_KIND_ROLLBACK_TO;
        else {
            CHECK(strcmp(word, "rollback-if-refused") == 0);
            step->kind = BOOKAHEAD_STEP_KIND_ROLLBACK_IF_REFUSED;
        }
        step->savepoint = field_short(text);
    }
    CHECK(*makes == NOBODY || *makes < JOBS);
    script->length++;
}

/* Jobs are booked where the moves say. */
static void move_all(struct side *side, const struct bookahead_move *moves, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        const size_t job = whose(side, moves[i].handle);
        if (job != NOBODY && moves[i].to.duration > 0) side->jobs[job].start = moves[i].to.start;
    }
}

/* The same, and jobs have the reservations that were made for them. What was made and given up again is none. */
static void book_moved(struct side *side, const struct script *script, const struct bookahead_move *moves, size_t count) {
    size_t i, step;
    for (step = 0; step < script->length; step++)
        for (i = 0; i < count; i++)
            if (script->makes[step] != NOBODY && script->steps[step].made.bits == moves[i].handle.bits && moves[i].to.duration > 0)
                side->jobs[script->makes[step]].handle = moves[i].handle;
    move_all(side, moves, count);
}

static void transaction(struct side *side, uint64_t slot, size_t job, const char *rest) {
    struct script script;
    struct bookahead_move moves[ENTRIES];
    struct bookahead_outcome outcome;
    uint64_t work;
    uint32_t code, failed_kind;
    size_t entries, i, j, taken;
    char ending[8];
    const char *text;
    bool plan;
    int read = 0;
    CHECK(sscanf(rest, "%" SCNu64 " %zu %7s%n", &work, &entries, ending, &read) == 3 && entries <= ENTRIES);
    plan = strcmp(ending, "plan") == 0;
    CHECK(plan || strcmp(ending, "commit") == 0);
    script.length = 0;
    for (text = behind(rest + read); *text != '\n'; text = behind(text)) {
        CHECK(script.length < STEPS);
        read_step(side, &script, &text);
    }
    code = bookahead_transaction(side->book, undo, bookahead_undo_bytes(side == &late ? BOOKAHEAD_BINDING_LATE : BOOKAHEAD_BINDING_EARLY, 32,
                                 (uint32_t)entries), work, script.steps, script.length,
                                 plan ? BOOKAHEAD_ENDING_PLAN : BOOKAHEAD_ENDING_COMMIT, moves, ENTRIES, &outcome);
    if (code == BOOKAHEAD_CODE_OK && plan) {
        memcpy(side->moves, moves, sizeof moves);
        side->moved = outcome.moves;
    } else if (code == BOOKAHEAD_CODE_OK) {
        book_moved(side, &script, moves, outcome.moves);
    }
    print_from(side, slot, "transaction", job, code, code == BOOKAHEAD_CODE_OK ? outcome.work_left : side->jobs[job].start);
    taken = outcome.failed_step < script.length ? outcome.failed_step + 1U : script.length;
    for (i = 0; i < taken; i++) {
        printf("%s %" PRIu64 " step %zu %zu %" PRIu32, side->binding, slot, job, i, script.steps[i].code);
        print_placement(&script.steps[i].booked);
        puts("");
    }
    if (code != BOOKAHEAD_CODE_OK) {
        /* Of the others only this interface says who is in the way. */
        failed_kind = taken > 0 ? script.steps[taken - 1].kind : 0;
        if (failed_kind == BOOKAHEAD_STEP_KIND_PLACE || failed_kind == BOOKAHEAD_STEP_KIND_INSERT)
            print_conflict(side, slot, job, &outcome.conflict);
        return;
    }
    CHECK(outcome.more_moves == 0);
    for (i = 0; i < outcome.moves; i++) {
        size_t moved = NOBODY;
        for (j = 0; j < script.length; j++)
            if (script.makes[j] != NOBODY && script.steps[j].made.bits == moves[i].handle.bits) moved = script.makes[j];
        if (moved == NOBODY) moved = whose(side, moves[i].handle);
        print_move(side, slot, job, moved, &moves[i].from, &moves[i].to);
    }
}

static void apply(struct side *side, uint64_t slot, size_t job, const char *rest) {
    uint64_t work;
    uint32_t entries, code;
    CHECK(sscanf(rest, "%" SCNu64 " %" SCNu32, &work, &entries) == 2);
    code = bookahead_apply(side->book, undo, bookahead_undo_bytes(side == &late ? BOOKAHEAD_BINDING_LATE : BOOKAHEAD_BINDING_EARLY, 32, entries),
                           work, side->moves, side->moved);
    if (code == BOOKAHEAD_CODE_OK) move_all(side, side->moves, side->moved);
    print_from(side, slot, "apply", job, code, code == BOOKAHEAD_CODE_OK ? 0 : side->jobs[job].start);
}

static void plan(struct side *side, uint64_t slot, size_t job, const char *rest) {
    struct bookahead_request request;
    char name[32];
    uint32_t policy, code;
    CHECK(sscanf(rest, "%31s %" SCNu64 " %" SCNu32 " %" SCNu64 " %" SCNu32, name, &request.ready, &request.duration, &request.deadline,
                 &request.pes) == 5);
    EXPECT(OK, bookahead_policy_from_name(name, &policy));
    code = bookahead_plan(side->book, &request, policy, &side->plan);
    if (code != BOOKAHEAD_CODE_OK) forget_plan(side);
    print_from(side, slot, "plan", job, code, code == BOOKAHEAD_CODE_OK ? side->plan.start : side->jobs[job].start);
}

static uint32_t commit(struct side *side, const char *rest, struct bookahead_booking *booking) {
    char ttl[16];
    struct bookahead_handle handle;
    uint32_t code;
    CHECK(sscanf(rest, "%15s", ttl) == 1);
    code = bookahead_commit(side->book, &side->plan, terms(ttl), &handle);
    if (code == BOOKAHEAD_CODE_OK) {
        booking->handle = handle;
        booking->start = side->plan.start;
    }
    return code;
}

static uint32_t commit_as(struct side *side, const char *rest, struct bookahead_booking *booking) {
    const char *text = rest;
    const struct bookahead_commitment commitment = field_commitment(&text);
    struct bookahead_handle handle;
    const uint32_t code = bookahead_commit(side->book, &side->plan, &commitment, &handle);
    if (code == BOOKAHEAD_CODE_OK) {
        booking->handle = handle;
        booking->start = side->plan.start;
    }
    return code;
}

static uint32_t freeze(struct side *side, size_t job) {
    bool frozen = false;
    const struct bookahead_handle handle = side->jobs[job].handle;
    const uint32_t code = bookahead_freeze(side->book, handle);
    if (code != BOOKAHEAD_CODE_OK) return code;
    EXPECT(OK, bookahead_is_frozen(side->book, handle, &frozen));
    CHECK(frozen);
    return code;
}

static void mould(struct side *side, uint64_t slot, size_t job, const char *rest) {
    struct bookahead_price_terms terms;
    struct bookahead_form forms[FORMS];
    char policy_name[32], choice_name[32];
    uint64_t ready, deadline, price = 0;
    uint32_t policy, choice, code;
    const char *text;
    size_t length = 0;
    int read = 0;
    CHECK(sscanf(rest, "%31s %31s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n", policy_name, choice_name, &ready, &deadline,
                 &terms.tariff.base, &terms.budget, &read) == 6);
    EXPECT(OK, bookahead_policy_from_name(policy_name, &policy));
    EXPECT(OK, bookahead_form_choice_from_name(choice_name, &choice));
    terms.tariff.factor = BOOKAHEAD_FACTOR_ONE + BOOKAHEAD_FACTOR_ONE / 2;
    terms.tariff.slot_units = 1;
    terms.discount = UINT32_C(1) << 30;
    terms.most_discount = UINT32_C(1) << 31;
    for (text = behind(rest + read); *text != '\n'; text = behind(text)) {
        CHECK(length < FORMS);
        forms[length].pes = field_short(&text);
        forms[length++].duration = field_short(&text);
    }
    code = bookahead_plan_mouldable(side->book, ready, deadline, forms, length, policy, choice, &terms, &side->plan, &price);
    if (code != BOOKAHEAD_CODE_OK) forget_plan(side);
    print_from(side, slot, "mould", job, code, code == BOOKAHEAD_CODE_OK ? side->plan.start : side->jobs[job].start);
    if (code == BOOKAHEAD_CODE_OK)
        printf("%s %" PRIu64 " form %zu %" PRIu32 " %" PRIu32 " %" PRIu64 "\n", side->binding, slot, job, side->plan.request.duration,
               side->plan.request.pes, price);
}

/* A search that moves reservations for a newcomer or without one, and what comes of it. */
struct search {
    struct bookahead_request request;
    struct bookahead_commitment commitment;
    struct bookahead_move moves[ENTRIES];
    struct bookahead_juggled juggled;
    uint32_t ending;
};

static const char *read_newcomer(struct search *search, const char *text) {
    search->commitment = field_commitment(&text);
    search->request.ready = field_number(&text);
    search->request.duration = field_short(&text);
    search->request.deadline = field_number(&text);
    search->request.pes = field_short(&text);
    return text;
}

static const char *read_rules(struct bookahead_juggling *rules, const char *text) {
    static const char *const admissions[] = {"plain-first", "always", NULL}, *const after[] = {"retry", "refuse", NULL};
    char order[16];
    memset(rules, 0, sizeof *rules);
    field(&text, order, sizeof order);
    EXPECT(OK, bookahead_order_from_name(order, &rules->order));
    if (rules->order == BOOKAHEAD_ORDER_SHUFFLE) rules->seed = field_number(&text);
    rules->admission = field_word(&text, admissions);
    rules->after_failure = field_word(&text, after);
    rules->earliest = field_number(&text);
    rules->max_moves = field_short(&text);
    rules->work = field_number(&text);
    return text;
}

static const char *read_shifting(struct bookahead_shifting *rules, const char *text) {
    static const char *const directions[] = {"right", "both", NULL};
    static const char *const insertions[] = {"slides", "fewest-moves", "least-shift", NULL};
    memset(rules, 0, sizeof *rules);
    rules->direction = field_word(&text, directions);
    rules->insertion = field_word(&text, insertions);
    if (rules->insertion == BOOKAHEAD_INSERTION_SLIDES) rules->depth = field_short(&text);
    rules->earliest = field_number(&text);
    rules->max_moves = field_short(&text);
    rules->work = field_number(&text);
    return text;
}

static void read_ending(struct search *search, const char *text) {
    static const char *const endings[] = {"commit", "plan", NULL};
    search->ending = field_word(&text, endings);
    CHECK(*text == '\n');
}

/* Which jobs are booked elsewhere than is remembered, by number. The call has listed each, and those that got other PEs where they are. */
static void follow_moves(struct side *side, uint64_t slot, size_t job, const struct search *search, bool comes) {
    size_t moved, found = comes ? 1 : 0;
    for (moved = 0; moved < JOBS; moved++) {
        struct bookahead_reservation reservation;
        struct bookahead_placement from, to;
        if (moved == job && comes) continue;
        if (bookahead_get(side->book, side->jobs[moved].handle, &reservation) != BOOKAHEAD_CODE_OK) continue;
        if (reservation.start == side->jobs[moved].start) continue;
        from.start = side->jobs[moved].start;
        from.duration = (uint32_t)(reservation.end - reservation.start);
        from.pes = reservation.request.pes;
        to = from;
        to.start = reservation.start;
        print_move(side, slot, job, moved, &from, &to);
        side->jobs[moved].start = reservation.start;
        found++;
    }
    CHECK(found <= search->juggled.moves && search->juggled.more_moves == 0);
}

/* Prints what came of it, with a newcomer or without. */
static void searched(struct side *side, uint64_t slot, const char *what, size_t job, const struct search *search, uint32_t code, bool comes) {
    struct bookahead_booking *const booking = &side->jobs[job];
    const bool plan = search->ending == BOOKAHEAD_ENDING_PLAN;
    uint64_t start = booking->start;
    size_t i;
    if (code == BOOKAHEAD_CODE_OK && comes) {
        start = search->juggled.booking.start;
        if (!plan) *booking = search->juggled.booking;
    }
    print_from(side, slot, what, job, code, start);
    if (code != BOOKAHEAD_CODE_OK) return;
    if (!plan) {
        follow_moves(side, slot, job, search, comes);
        return;
    }
    CHECK(search->juggled.more_moves == 0);
    for (i = 0; i < search->juggled.moves; i++) {
        const struct bookahead_move *const change = &search->moves[i];
        print_move(side, slot, job, whose(side, change->handle), &change->from, &change->to);
    }
}

static size_t undo_bytes(const struct side *side) {
    return bookahead_undo_bytes(side == &late ? BOOKAHEAD_BINDING_LATE : BOOKAHEAD_BINDING_EARLY, 32, ENTRIES);
}

static void juggle(struct side *side, uint64_t slot, size_t job, const char *rest) {
    const struct bookahead_juggle_memory lent = {undo, undo_bytes(side), waiting_list, ROWS};
    struct search search;
    struct bookahead_juggling rules;
    read_ending(&search, read_rules(&rules, read_newcomer(&search, rest)));
    searched(side, slot, "juggle", job, &search,
             bookahead_juggle(side->book, &search.request, &search.commitment, &rules, &lent, search.ending, search.moves, ENTRIES,
                              &search.juggled),
             true);
}

static void replan(struct side *side, uint64_t slot, size_t job, const char *rest) {
    const struct bookahead_juggle_memory lent = {undo, undo_bytes(side), waiting_list, ROWS};
    struct search search;
    struct bookahead_juggling rules;
    read_ending(&search, read_rules(&rules, rest));
    searched(side, slot, "replan", job, &search,
             bookahead_replan(side->book, &rules, &lent, search.ending, search.moves, ENTRIES, &search.juggled), false);
}

static void shift_in(struct side *side, uint64_t slot, size_t job, const char *rest) {
    struct search search;
    struct bookahead_shifting rules;
    read_ending(&search, read_shifting(&rules, read_newcomer(&search, rest)));
    searched(side, slot, "shift-in", job, &search,
             bookahead_shift_in(side->book, &search.request, &search.commitment, &rules, undo, undo_bytes(side), search.ending, search.moves,
                                ENTRIES, &search.juggled),
             true);
}

static uint32_t incarnation(struct side *side, const char *rest) {
    uint32_t of_book, of_queue;
    CHECK(sscanf(rest, "%" SCNu32 " %" SCNu32, &of_book, &of_queue) == 2);
    EXPECT(OK, bookahead_set_incarnation(side->book, of_book));
    return bookahead_queue_set_incarnation(side->queue, of_queue);
}

/* Makes one of the calls that print their answers themselves. */
static bool moving(struct side *side, uint64_t slot, const char *what, size_t job, const char *rest) {
    static const struct {
        const char *what;
        void (*call)(struct side *side, uint64_t slot, size_t job, const char *rest);
    } calls[] = {{"alter", alter},         {"series", series},     {"together", together},       {"cancel-all", cancel_all},
                 {"explain", explain},     {"covering", covering}, {"transaction", transaction}, {"apply", apply},
                 {"plan", plan},           {"mould", mould},       {"juggle", juggle},           {"replan", replan},
                 {"shift-in", shift_in}};
    size_t i;
    for (i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(what, calls[i].what) == 0) {
            calls[i].call(side, slot, job, rest);
            return true;
        }
    return false;
}

/* Makes one call; `rest` is what stands behind the job. */
static void call(struct side *side, uint64_t slot, const char *what, size_t job, const char *rest) {
    struct bookahead_booking *const booking = &side->jobs[job];
    const bool hold = strcmp(what, "hold") == 0;
    uint32_t code = 0;
    if (moving(side, slot, what, job, rest)) return;
    if (hold || strcmp(what, "reserve") == 0) {
        struct bookahead_request request;
        char name[32];
        uint32_t policy, ttl = 0;
        const int fields = sscanf(rest, "%31s %" SCNu64 " %" SCNu32 " %" SCNu64 " %" SCNu32 " %" SCNu32, name, &request.ready,
                                  &request.duration, &request.deadline, &request.pes, &ttl);
        CHECK(fields == (hold ? 6 : 5));
        EXPECT(OK, bookahead_policy_from_name(name, &policy));
        CHECK(strcmp(bookahead_policy_name(policy), name) == 0);
        code = bookahead_reserve(side->book, &request, policy, hold ? held_for(ttl) : NULL, booking);
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
    } else if (strcmp(what, "commit") == 0) {
        code = commit(side, rest, booking);
    } else if (strcmp(what, "commit-as") == 0) {
        code = commit_as(side, rest, booking);
    } else if (strcmp(what, "freeze") == 0) {
        code = freeze(side, job);
    } else if (strcmp(what, "split") == 0) {
        code = split(side, rest, job);
    } else if (strcmp(what, "incarnation") == 0) {
        code = incarnation(side, rest);
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
    char line[1024];
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
    puts("binding slot conflict job more in-the-way...");
    puts("binding slot obstacle job start at lacking more holders...");
    puts("binding slot explained job fits more earlier later");
    puts("binding slot covers job jobs...");
    puts("binding slot step job number code start duration pes");
    puts("binding slot move job moved from-start from-duration from-pes start duration pes");
    puts("binding slot form job duration pes price");
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
