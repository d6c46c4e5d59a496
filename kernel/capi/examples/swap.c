/* Two jobs swap places in one transaction, beside a queue of best-effort jobs; a third one is refused, and asks what it could have. */
#include <bookahead.h>
#include <stdio.h>

int main(void) {
    static uint64_t memory[BOOKAHEAD_EARLY_BYTES(64, 1440, 100) / 8];  /* 64 PEs, 1,440 slots, 100 reservations */
    struct bookahead_book *book;
    uint32_t code = bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_EARLY, 64, 1440, 100, &book);

    static uint64_t waiting[BOOKAHEAD_QUEUE_BYTES(200) / 8];  /* 200 jobs */
    struct bookahead_queue *queue;
    if (code == BOOKAHEAD_CODE_OK)
        code = bookahead_queue_init(waiting, sizeof waiting, BOOKAHEAD_DISCIPLINE_EASY, 200, &queue);

    /* Each needs the whole machine for an hour, so that the second one starts when the first is over. */
    const struct bookahead_request request = {0, 200, 60, 64};
    struct bookahead_booking first, second;
    if (code == BOOKAHEAD_CODE_OK) code = bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &first);
    if (code == BOOKAHEAD_CODE_OK) code = bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &second);
    if (code != BOOKAHEAD_CODE_OK) {
        printf("refused: %s\n", bookahead_code_name(code));
        return 1;
    }
    const struct bookahead_handle one = first.handle, other = second.handle;

    static uint64_t lent[BOOKAHEAD_EARLY_WORKSPACE_BYTES(64, 2, 0) / 8];  /* two reservations are touched */
    const struct bookahead_workspace workspace = {lent, sizeof lent, 0};
    static struct bookahead_step steps[4];
    struct bookahead_outcome outcome;
    struct bookahead_reservation reservation;
    steps[0].kind = BOOKAHEAD_STEP_KIND_LIFT;
    steps[0].handle = one;
    steps[1].kind = BOOKAHEAD_STEP_KIND_LIFT;
    steps[1].handle = other;
    steps[2].kind = BOOKAHEAD_STEP_KIND_PLACE;
    steps[2].handle = one;
    bookahead_get(book, other, &reservation);  /* where the other one is booked */
    steps[2].placement.start = reservation.start;
    steps[2].placement.duration = (uint32_t)(reservation.end - reservation.start);
    steps[2].placement.pes = reservation.request.pes;
    steps[3].kind = BOOKAHEAD_STEP_KIND_PLACE_FIRST_FIT;
    steps[3].handle = other;
    code = bookahead_transaction(book, &workspace, 1000, steps, 4, BOOKAHEAD_ENDING_COMMIT, NULL, 0, &outcome);

    printf("%s\n", bookahead_code_name(code));
    if (bookahead_get(book, one, &reservation) == BOOKAHEAD_CODE_OK)
        printf("one starts in slot %llu\n", (unsigned long long)reservation.start);
    if (bookahead_get(book, other, &reservation) == BOOKAHEAD_CODE_OK)
        printf("the other starts in slot %llu\n", (unsigned long long)reservation.start);

    const struct bookahead_request taken = {0, 120, 60, 64};  /* an hour of these two, which both have */
    const struct bookahead_suggesting wanted = {BOOKAHEAD_SIDES_BOTH, BOOKAHEAD_BEHIND_END, UINT32_MAX};
    static struct bookahead_juggling rules;  /* zeros: the earliest deadline first */
    struct bookahead_alternative best;
    struct bookahead_suggested suggested;
    size_t count;
    rules.max_moves = UINT32_MAX;
    rules.work = 1000000;
    code = bookahead_alternatives(book, &taken, NULL, &rules, &wanted, &workspace, &best, 1, &count, &suggested);
    if (code == BOOKAHEAD_CODE_OK && count == 1)
        printf("a third one could start in slot %llu\n", (unsigned long long)best.start);
    return code != BOOKAHEAD_CODE_OK;
}
