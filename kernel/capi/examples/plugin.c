/* Three jobs ask for a share of 64 PEs, a minute per slot; it is the skeleton of a resource manager's plugin. */
#include <bookahead.h>
#include <stdio.h>

/* All the memory it will ever use: 1,440 slots, which is a day, and 100 reservations. */
static uint64_t memory[BOOKAHEAD_EARLY_BYTES(64, 1440, 100) / 8];

static uint32_t submit(struct bookahead_book *book, uint64_t earliest, uint64_t latest, uint64_t seconds, uint32_t pes) {
    const struct bookahead_clock clock = {1700000000, 60};
    struct bookahead_request request = {0, 0, 0, pes};
    struct bookahead_booking booking;
    uint32_t code = bookahead_slot_rounding_up(&clock, earliest, &request.ready);
    if (code == BOOKAHEAD_CODE_OK) code = bookahead_slot_rounding_down(&clock, latest, &request.deadline);
    if (code == BOOKAHEAD_CODE_OK) code = bookahead_span_rounding_up(&clock, seconds, &request.duration);
    if (code == BOOKAHEAD_CODE_OK) code = bookahead_reserve(book, &request, BOOKAHEAD_POLICY_PE_WORST_FIT, NULL, &booking);
    if (code == BOOKAHEAD_CODE_OK)
        printf("job %llx starts in minute %llu\n", (unsigned long long)booking.handle.bits, (unsigned long long)booking.start);
    else
        printf("refused: %s\n", bookahead_code_name(code));
    return code;
}

int main(void) {
    struct bookahead_book *book;
    struct bookahead_event event;
    uint16_t pes[64];
    size_t count;
    bool happened;
    if (bookahead_abi_version() != BOOKAHEAD_ABI_VERSION || bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_EARLY, 64, 1440, 100, &book) != BOOKAHEAD_CODE_OK) return 1;
    submit(book, 1700000090, 1700007200, 3600, 48);
    submit(book, 1700000000, 1700003600, 3600, 32);
    submit(book, 1700000000, 1700000060, 60, 16);
    /* What a timer does, minute by minute, and first for the present one, in which a job may start that was booked just now: start and stop what is due; a job that nobody completes ends as `overran`. Remember its PEs, the handle is stale then. */
    for (uint64_t minute = 0; minute <= 62; minute++)
        while (bookahead_next(book, minute, &event, &happened) == BOOKAHEAD_CODE_OK && happened)
            if (bookahead_pes_of(book, event.handle, 0, pes, 64, &count) == BOOKAHEAD_CODE_OK)
                printf("job %llx %s on %u PEs from %u on\n", (unsigned long long)event.handle.bits, bookahead_event_name(event.kind), (unsigned)count, pes[0]);
            else printf("job %llx %s\n", (unsigned long long)event.handle.bits, bookahead_event_name(event.kind));
    return 0;
}
