/* Twelve instruments, any of which will do for most samples and one of which for some; a licence for each; one instrument fails. */
#include <bookahead.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bookahead_book *book;

/* The number of a class: an instrument of these, a bit for each, and a licence. Of those that are free, the lowest numbers. */
static uint32_t class_of(uint32_t instruments) {
    static const uint8_t one_of_each[] = {1, 1};
    const uint32_t mask = instruments | 0x1Fu << 12;  /* and any of the licences, 12 to 16 */
    struct bookahead_class wanted;
    uint32_t number = 0, fault;
    memset(&wanted, 0, sizeof wanted);
    wanted.eligible = BOOKAHEAD_ELIGIBLE_PES;
    wanted.pes = &mask;
    wanted.word_count = 1;
    wanted.shape = BOOKAHEAD_SHAPE_PER_GROUP;
    wanted.per_group = one_of_each;
    wanted.kind_count = 2;
    if (bookahead_class_add(book, &wanted, &number, &fault) != BOOKAHEAD_CODE_OK) exit(1);
    return number;
}

static void say(const char *what, struct bookahead_handle handle) {
    struct bookahead_reservation known;
    uint16_t pes[2];
    size_t count;
    if (bookahead_get(book, handle, &known) != BOOKAHEAD_CODE_OK || bookahead_pes_of(book, handle, 0, pes, 2, &count) != BOOKAHEAD_CODE_OK) exit(1);
    printf("%s: instrument %u, licence %u, from slot %llu\n", what, pes[0], pes[1] - 12u, (unsigned long long)known.start);
}

int main(void) {
    static const uint8_t kinds[] = {12, 5};  /* PEs 0 to 11, and 12 to 16: all of one group */
    const struct bookahead_layout laboratory = {kinds, 2, NULL, 0, NULL, 0, 1};
    const struct bookahead_request hour = {0, 600, 60, 2};  /* an instrument and a licence are two PEs */
    const size_t bytes = bookahead_layout_bytes(BOOKAHEAD_BINDING_PLACED, &laboratory, 1440, 100, 8, 0);
    void *memory = malloc(bytes);  /* 8 classes: one for each set of instruments that is ever asked for */
    const uint32_t third = 1u << 2;
    struct bookahead_booking certain, any;
    struct bookahead_workspace workspace = {NULL, 0, 0};
    struct bookahead_move moves[8];
    struct bookahead_juggled taken;

    if (bookahead_layout_init(memory, bytes, BOOKAHEAD_BINDING_PLACED, &laboratory, 1440, 100, 8, 0, &book) != BOOKAHEAD_CODE_OK) return 1;
    bookahead_class_ask(book, class_of(third));
    if (bookahead_reserve(book, &hour, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &certain) != BOOKAHEAD_CODE_OK) return 1;
    bookahead_class_ask(book, class_of(0xFFF));
    if (bookahead_reserve(book, &hour, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &any) != BOOKAHEAD_CODE_OK) return 1;
    say("a sample for instrument 2", certain.handle);
    say("a sample for any", any.handle);

    /* Instrument 0 fails until slot 600. */
    const uint32_t words[] = {1u << 0};
    const struct bookahead_absent first = {words, 1, 0};
    if (bookahead_layout_workspace_bytes(book, 8, 0, &workspace.length) != BOOKAHEAD_CODE_OK) return 1;
    workspace.memory = malloc(workspace.length);
    if (bookahead_take_out(book, BOOKAHEAD_OUTAGE_KIND_FAILURE, 0, 600, &first, &workspace, 100000, BOOKAHEAD_ENDING_COMMIT, moves, 8, &taken) !=
        BOOKAHEAD_CODE_OK) return 1;
    say("after the failure of 0", any.handle);
    free(workspace.memory);
    free(memory);
    return 0;
}
