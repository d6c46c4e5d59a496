/* One way to fail, with the place. */
#ifndef CHECK_H
#define CHECK_H

#include <bookahead.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

/* CODE is the last part of a name in bookahead_code. */
#define EXPECT(CODE, call) \
    do { \
        const uint32_t code_ = (call); \
        if (code_ != BOOKAHEAD_CODE_##CODE) { \
            fprintf(stderr, "%s:%d: %s instead of " #CODE ": %s\n", __FILE__, __LINE__, bookahead_code_name(code_), #call); \
            exit(1); \
        } \
    } while (0)

/* A workspace without room for waiting reservations; good until the next call of this function. */
static inline const struct bookahead_workspace *workspace_of(void *memory, size_t length) {
    static struct bookahead_workspace workspace;
    workspace.memory = memory;
    workspace.length = length;
    return &workspace;
}

/* A hold for so many slots; good until the next call of this function. */
static inline const struct bookahead_commitment *held_for(uint32_t ttl) {
    static struct bookahead_commitment commitment;
    commitment.kind = BOOKAHEAD_COMMITMENT_KIND_HELD;
    commitment.ttl = ttl;
    return &commitment;
}

#endif
