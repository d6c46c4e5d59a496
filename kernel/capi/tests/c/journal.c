/* Books die, and their promises do not: snapshots and records bring them back, with the same next answers; and every mistake is noticed. */
#define BOOKAHEAD_JOURNAL
#define BOOKAHEAD_PLACEMENT
#define BOOKAHEAD_RISK
#include "check.h"

#include <string.h>

#define ROWS 24
#define SLOTS 64
#define MOST 192

/* Late binding, the same with overlays, early binding in columns of 32 and of 512, and a machine of four nodes of two cores and a GPU. */
enum kind { LATE, OVERLAID, NARROW, WIDE, NODES, KINDS };
static const uint32_t bindings[] = {BOOKAHEAD_BINDING_LATE, BOOKAHEAD_BINDING_OVERLAID, BOOKAHEAD_BINDING_EARLY, BOOKAHEAD_BINDING_EARLY};
static const uint32_t machines[] = {12, 12, 12, MOST, 12};
static const uint8_t kinds[] = {2, 1}, core[] = {1, 0};
static const struct bookahead_layout nodes = {kinds, 2, NULL, 0, NULL, 0, 4};

static uint64_t memory[1 << 14], later[1 << 14], copy[1 << 14], lent[1 << 10];
/* Snapshots and records, one behind the other, and how much of it has been written. */
static uint8_t disk[1 << 16];
static size_t written;
static uint32_t seed;

static uint32_t below(uint32_t bound) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % bound;
}

static struct bookahead_book *new_book(enum kind kind, void *where) {
    struct bookahead_book *book;
    memset(where, 0xA5, sizeof memory);
    if (kind == NODES)
        EXPECT(OK, bookahead_layout_init(where, sizeof memory, BOOKAHEAD_BINDING_PLACED, &nodes, SLOTS, ROWS, 2, 0, &book));
    else
        EXPECT(OK, bookahead_init(where, sizeof memory, bindings[kind], machines[kind], SLOTS, ROWS, &book));
    return book;
}

static size_t bytes_of(enum kind kind) {
    if (kind == NODES) return bookahead_layout_bytes(BOOKAHEAD_BINDING_PLACED, &nodes, SLOTS, ROWS, 2, 0);
    return bookahead_bytes(bindings[kind], machines[kind], SLOTS, ROWS);
}

static uint64_t hash_of(struct bookahead_book *book) {
    uint64_t hash;
    EXPECT(OK, bookahead_state_hash(book, &hash));
    return hash;
}

static void append_snapshot(struct bookahead_book *book) {
    size_t length;
    EXPECT(OK, bookahead_snapshot_write(book, disk + written, sizeof disk - written, &length));
    written += length;
}

/* The length of the record. */
static size_t append_record(struct bookahead_book *book) {
    size_t length;
    EXPECT(OK, bookahead_journal_write(book, disk + written, sizeof disk - written, &length));
    written += length;
    return length;
}

/* A book in `later` that is what is written. */
static struct bookahead_book *revive(enum kind kind) {
    struct bookahead_book *book = new_book(kind, later);
    size_t used, at;
    EXPECT(OK, bookahead_snapshot_read(book, disk, written, &used));
    for (at = used; at < written; at += used) EXPECT(OK, bookahead_journal_apply(book, disk + at, written - at, &used));
    EXPECT(OK, bookahead_check_invariants(book));
    return book;
}

/* Calls anything that changes a book, and answers what that answered. */
static uint64_t act(struct bookahead_book *book, enum kind kind) {
    const struct bookahead_workspace workspace = {lent, sizeof lent, 0};
    struct bookahead_alteration alteration;
    struct bookahead_class class_;
    struct bookahead_placement placement;
    struct bookahead_conflict conflict;
    struct bookahead_request request;
    struct bookahead_booking booking = {{0}, 0};
    struct bookahead_event events[ROWS];
    struct bookahead_handle handle = {0}, rest = {0};
    struct bookahead_status status;
    size_t count;
    bool waiting;
    uint32_t number = 0, fault, which = below(10), any = below(ROWS);
    EXPECT(OK, bookahead_status(book, &status));
    EXPECT(OK, bookahead_reservations(book, any, &handle, 1, &count));
    switch (which) {
        case 0: return bookahead_cancel(book, handle);
        case 1: return bookahead_complete(book, handle, status.now + below(2));
        case 2: return bookahead_confirm(book, handle);
        case 3: return bookahead_split(book, handle, status.now + below(30), &workspace, &rest) + rest.bits;
        case 4:
            memset(&alteration, 0, sizeof alteration);
            alteration.kind = BOOKAHEAD_ALTERATION_KIND_SHIFT;
            alteration.start = status.now + below(40);
            return bookahead_alter(book, handle, &alteration, &workspace, &placement, &conflict);
        case 5:
            number = bookahead_advance(book, status.now + below(6), events, ROWS, &count, &waiting);
            return number + count * 1000 + (count == 0 ? 0 : events[count - 1].handle.bits);
        case 6:
            if (kind != NODES) break;
            memset(&class_, 0, sizeof class_);
            class_.shape = below(2) ? BOOKAHEAD_SHAPE_PER_GROUP : BOOKAHEAD_SHAPE_NUMBER;
            class_.per_group = core;
            class_.kind_count = 2;
            class_.preference = BOOKAHEAD_PREFERENCE_SPREAD;
            return bookahead_class_add(book, &class_, &number, &fault) + number * 1000 + bookahead_class_ask(book, number);
    }
    request.ready = status.now + below(20);
    request.duration = 1 + below(9);
    request.deadline = request.ready + request.duration + below(20);
    request.pes = 1 + below(kind == NODES ? 3 : machines[kind] / 2);
    number = bookahead_reserve(book, &request, below(7), below(4) ? NULL : held_for(4), &booking);
    return number + booking.handle.bits + booking.start;
}

static void lives(enum kind kind) {
    uint32_t life, call, records = 0;
    for (life = 0; life < 40; life++) {
        struct bookahead_book *book = new_book(kind, memory), *revived;
        EXPECT(OK, bookahead_journal_keep(book, sizeof memory));
        written = 0;
        seed = life;
        append_snapshot(book);
        for (call = 0; call < 100 + life; call++) {
            act(book, kind);
            /* Several calls may share a record. */
            if (below(4)) records += append_record(book) > 0;
            if (below(50) == 0) {
                written = 0;
                append_record(book);
                written = 0;
                append_snapshot(book);
            }
        }
        append_record(book);
        CHECK(append_record(book) == 0);
        /* All bytes may be copied, with the journal that lies in them, and the memory is lost. */
        memcpy(copy, memory, sizeof copy);
        memset(memory, 0xA5, sizeof memory);
        EXPECT(OK, bookahead_open(copy, sizeof copy, &book));
        revived = revive(kind);
        CHECK(hash_of(revived) == hash_of(book));
        /* For which class is asked is the program's to remember. */
        if (kind == NODES) {
            EXPECT(OK, bookahead_class_ask(book, 0));
            EXPECT(OK, bookahead_class_ask(revived, 0));
        }
        for (call = 0; call < 100; call++) {
            const uint32_t before = seed;
            const uint64_t answer = act(book, kind);
            seed = before;
            CHECK(act(revived, kind) == answer);
            CHECK(hash_of(revived) == hash_of(book));
        }
    }
    CHECK(records > 1000);
}

static void sizes(void) {
    CHECK(bookahead_journal_bytes(ROWS) == BOOKAHEAD_JOURNAL_BYTES(ROWS) && BOOKAHEAD_JOURNAL_BYTES(ROWS) % BOOKAHEAD_ALIGNMENT == 0);
    CHECK(bookahead_record_bytes(65535, 7) == BOOKAHEAD_RECORD_BYTES(65535, 7));
    CHECK(bookahead_record_bytes(12, 1) == BOOKAHEAD_RECORD_BYTES(12, 1));
    CHECK(strcmp(bookahead_code_name(BOOKAHEAD_CODE_NOT_NEXT), "not-next") == 0);
}

/* Buffers of exactly the length do, shorter ones are answered with what it takes, and nothing is lost by that. */
static void buffers(enum kind kind) {
    struct bookahead_book *book = new_book(kind, memory);
    const size_t both = bytes_of(kind) + BOOKAHEAD_JOURNAL_BYTES(ROWS);
    const struct bookahead_request request = {3, 20, 5, 1};
    struct bookahead_booking booking;
    size_t length = 7, needed, used;
    uint64_t hash;
    EXPECT(TOO_SHORT, bookahead_journal_keep(book, both - 1));
    EXPECT(NO_JOURNAL, bookahead_journal_write(book, disk, sizeof disk, &length));
    EXPECT(OK, bookahead_journal_keep(book, both));
    EXPECT(TOO_SHORT, bookahead_open(memory, both - 1, &book));
    EXPECT(OK, bookahead_open(memory, both, &book));
    EXPECT(OK, bookahead_reserve(book, &request, 0, NULL, &booking));
    hash = hash_of(book);
    EXPECT(TOO_SHORT, bookahead_snapshot_write(book, NULL, 0, &needed));
    EXPECT(TOO_SHORT, bookahead_snapshot_write(book, disk, needed - 1, &length));
    CHECK(length == needed);
    EXPECT(OK, bookahead_snapshot_write(book, disk, needed, &length));
    CHECK(length == needed && (kind == NODES || length <= BOOKAHEAD_RECORD_BYTES(machines[kind], ROWS)));
    EXPECT(TOO_SHORT, bookahead_journal_write(book, NULL, 0, &needed));
    /* Eight are for when overlays were examined, which has not changed, and two for each row of a book that has some. */
    CHECK(needed + (kind == OVERLAID ? 8 : 10) == BOOKAHEAD_RECORD_BYTES(kind <= OVERLAID ? 0 : machines[kind], 1));
    EXPECT(TOO_SHORT, bookahead_journal_write(book, disk, needed - 1, &length));
    CHECK(length == needed);
    EXPECT(OK, bookahead_journal_write(book, disk, needed, &length));
    CHECK(length == needed);
    EXPECT(OK, bookahead_journal_apply(new_book(kind, later), disk, length, &used));
    CHECK(used == length);
    CHECK(bookahead_open(later, sizeof later, &book) == BOOKAHEAD_CODE_OK && hash_of(book) == hash);
    EXPECT(NULL_POINTER, bookahead_snapshot_write(NULL, disk, 9, &length));
    EXPECT(NULL_POINTER, bookahead_snapshot_write(book, NULL, 9, &length));
    EXPECT(NULL_POINTER, bookahead_snapshot_write(book, disk, 9, NULL));
    EXPECT(NULL_POINTER, bookahead_snapshot_read(book, NULL, 9, &used));
    EXPECT(NULL_POINTER, bookahead_snapshot_read(book, disk, 9, NULL));
    EXPECT(NULL_POINTER, bookahead_state_hash(book, NULL));
    EXPECT(NULL_POINTER, bookahead_journal_keep(NULL, 9));
    EXPECT(NULL_POINTER, bookahead_journal_write(book, NULL, 9, &length));
    EXPECT(NULL_POINTER, bookahead_journal_write(book, disk, 9, NULL));
    EXPECT(NULL_POINTER, bookahead_journal_apply(book, NULL, 9, &used));
    EXPECT(NULL_POINTER, bookahead_journal_apply(book, disk, 9, NULL));
    EXPECT(MISALIGNED, bookahead_state_hash((struct bookahead_book *)((char *)later + 4), &hash));
    memset(copy, 0, sizeof copy);
    EXPECT(NOT_A_BOOK, bookahead_journal_keep((struct bookahead_book *)copy, sizeof copy));
    CHECK(hash_of(book) != 0 && bookahead_check_invariants(book) == BOOKAHEAD_CODE_OK);
}

/* Whatever is wrong with bytes has its name, and what was there before stays, or the book is new. */
static void bytes_of_others(enum kind kind) {
    struct bookahead_book *book = new_book(kind, memory), *other;
    const struct bookahead_request request = {3, 20, 5, 1};
    const uint64_t nothing = hash_of(book);
    struct bookahead_booking booking;
    size_t snapshot, record, used = 7, at;
    EXPECT(OK, bookahead_journal_keep(book, sizeof memory));
    memcpy(copy, memory, sizeof copy);
    EXPECT(OK, bookahead_reserve(book, &request, 0, NULL, &booking));
    EXPECT(OK, bookahead_journal_write(book, disk, sizeof disk, &record));
    EXPECT(OK, bookahead_snapshot_write(book, disk + record, sizeof disk - record, &snapshot));
    EXPECT(NOT_NEW, bookahead_snapshot_read(book, disk + record, snapshot, &used));
    EXPECT(NOT_NEXT, bookahead_journal_apply(book, disk, record, &used));
    EXPECT(NO_SNAPSHOT, bookahead_journal_apply(book, disk + record, snapshot, &used));
    CHECK(used == 7 && hash_of(book) != nothing);
    other = new_book(kind, later);
    EXPECT(NO_SNAPSHOT, bookahead_snapshot_read(other, disk, record, &used));
    for (at = 0; at < snapshot; at += 7) EXPECT(INCOMPLETE, bookahead_snapshot_read(other, disk + record, at, &used));
    for (at = 0; at < record; at += 7) EXPECT(INCOMPLETE, bookahead_journal_apply(other, disk, at, &used));
    disk[record + 4] ^= 0x40;
    EXPECT(UNKNOWN_VERSION, bookahead_snapshot_read(other, disk + record, snapshot, &used));
    disk[record + 4] ^= 0x40;
    disk[record + 8] ^= 1;
    EXPECT(OTHER_BOOK, bookahead_snapshot_read(other, disk + record, snapshot, &used));
    disk[record + 8] ^= 1;
    disk[record + snapshot - 1] ^= 1;
    EXPECT(WRONG_SUM, bookahead_snapshot_read(other, disk + record, snapshot, &used));
    disk[record + snapshot - 1] ^= 1;
    for (at = 8; at < snapshot; at++) {
        disk[record + at] ^= 0x10;
        CHECK(bookahead_snapshot_read(other, disk + record, snapshot, &used) != BOOKAHEAD_CODE_OK && hash_of(other) == nothing);
        disk[record + at] ^= 0x10;
    }
    /* The first byte behind the head says whether classes have changed. */
    disk[60] = 2;
    EXPECT(ROWS, bookahead_journal_apply(other, disk, record, &used));
    disk[60] = 0;
    CHECK(used == 7 && hash_of(other) == nothing);
    EXPECT(OK, bookahead_snapshot_read(other, disk + record, snapshot + 9, &used));
    CHECK(used == snapshot && hash_of(other) == hash_of(book));
    /* An older journal with a newer book. */
    used = bytes_of(kind);
    memcpy((char *)memory + used, (char *)copy + used, BOOKAHEAD_JOURNAL_BYTES(ROWS));
    EXPECT(OK, bookahead_cancel(book, booking.handle));
    EXPECT(MISSED, bookahead_journal_write(book, disk, sizeof disk, &used));
    EXPECT(OK, bookahead_snapshot_write(book, disk, sizeof disk, &used));
    EXPECT(OK, bookahead_journal_keep(book, sizeof memory));
    EXPECT(OK, bookahead_journal_write(book, disk, sizeof disk, &used));
    CHECK(used == 0);
    EXPECT(OK, bookahead_set_incarnation(book, 7));
    EXPECT(OK, bookahead_journal_write(book, disk, sizeof disk, &used));
}

int main(void) {
    int kind;
    sizes();
    for (kind = 0; kind < KINDS; kind++) {
        buffers((enum kind)kind);
        bytes_of_others((enum kind)kind);
        lives((enum kind)kind);
    }
    puts("journal: books come back as they were");
    return 0;
}
