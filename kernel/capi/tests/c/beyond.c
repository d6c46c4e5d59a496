/* A caller who lies: of a book's memory only the head is there. Only a library with a sanitizer of its own can notice. */
#include "check.h"

#include <bookahead.h>
#include <string.h>

static uint64_t memory[BOOKAHEAD_LATE_BYTES(8, 64, 8) / 8];

int main(void) {
    struct bookahead_book *book;
    struct bookahead_status status;
    void *const head = malloc(24);
    CHECK(head != NULL);
    EXPECT(OK, bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_LATE, 8, 64, 8, &book));
    memcpy(head, memory, 24);
    bookahead_status((struct bookahead_book *)head, &status);
    free(head);
    return 0;
}
