/* Loops of calls, as a C program makes them. */
#include <bookahead.h>

/* Reserves each of `length` requests by first fit and gives up what was reserved; says how many that were. */
size_t calls_reserve_and_cancel(struct bookahead_book *book, const struct bookahead_request *requests, size_t length) {
    size_t i, made = 0;
    for (i = 0; i < length; i++) {
        struct bookahead_booking booking;
        if (bookahead_reserve(book, &requests[i], BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking) == BOOKAHEAD_CODE_OK)
            made += bookahead_cancel(book, booking.handle) == BOOKAHEAD_CODE_OK;
    }
    return made;
}

/* Looks up each of `length` reservations; gives the sum of their ends. */
uint64_t calls_get(struct bookahead_book *book, const struct bookahead_handle *handles, size_t length) {
    uint64_t sum = 0;
    size_t i;
    for (i = 0; i < length; i++) {
        struct bookahead_reservation reservation;
        if (bookahead_get(book, handles[i], &reservation) == BOOKAHEAD_CODE_OK) sum += reservation.end;
    }
    return sum;
}

/* Advances to each of `length` slots; says how many events there were. */
size_t calls_advance(struct bookahead_book *book, const uint64_t *slots, size_t length) {
    size_t i, events = 0;
    for (i = 0; i < length; i++) {
        struct bookahead_event happened[8];
        size_t count;
        bool waiting;
        if (bookahead_advance(book, slots[i], happened, 8, &count, &waiting) == BOOKAHEAD_CODE_OK) events += count;
    }
    return events;
}
