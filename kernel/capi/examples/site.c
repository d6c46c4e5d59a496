/* Sixteen nodes and three licences, and what Ada may have of the nodes: all decided as one. */
#include <bookahead.h>
#include <stdio.h>

#define SLOTS 1440
#define ROWS 100

static uint64_t nodes[BOOKAHEAD_EARLY_BYTES(16, SLOTS, ROWS) / 8], licences[BOOKAHEAD_LATE_BYTES(3, SLOTS, ROWS) / 8];
static uint64_t ada[BOOKAHEAD_LATE_BYTES(8, SLOTS, ROWS) / 8];  /* 8 nodes at once */
static struct bookahead_tie ties[3][ROWS];  /* zeros: nobody has reserved yet */
static struct bookahead_period halves[] = {{720, 1200, 0}, {1440, 1200, 0}};  /* and 1,200 node-slots in each half of the day */

static struct bookahead_joined books[] = {
    {NULL, ties[0], ROWS, NULL, 0},
    {NULL, ties[1], ROWS, NULL, 0},
    {NULL, ties[2], ROWS, halves, 2},
};

static void ask(uint32_t nodes_needed, uint32_t licences_needed, uint32_t duration) {
    static const char *const names[] = {"nodes", "licences", "Ada's quota"};
    const uint32_t needs[] = {nodes_needed, licences_needed, nodes_needed};  /* as many of the quota as of the nodes */
    const struct bookahead_joint_request request = {0, 720, duration, needs, 3};
    struct bookahead_joint_booking booking;
    uint32_t reason;
    const uint32_t code = bookahead_several_reserve(books, 3, &request, NULL, 1000000, &booking, &reason);
    printf("%u nodes and %u licences for %u slots: ", (unsigned)nodes_needed, (unsigned)licences_needed, (unsigned)duration);
    if (code == BOOKAHEAD_CODE_OK) printf("from slot %llu on\n", (unsigned long long)booking.start);
    else printf("%s (%s)\n", bookahead_code_name(code), reason < 3 ? names[reason] : "all together");
}

int main(void) {
    if (bookahead_init(nodes, sizeof nodes, BOOKAHEAD_BINDING_EARLY, 16, SLOTS, ROWS, &books[0].book) != BOOKAHEAD_CODE_OK) return 1;
    if (bookahead_init(licences, sizeof licences, BOOKAHEAD_BINDING_LATE, 3, SLOTS, ROWS, &books[1].book) != BOOKAHEAD_CODE_OK) return 1;
    if (bookahead_init(ada, sizeof ada, BOOKAHEAD_BINDING_LATE, 8, SLOTS, ROWS, &books[2].book) != BOOKAHEAD_CODE_OK) return 1;
    ask(4, 2, 100);
    ask(4, 2, 100);  /* there are too few licences for both at once */
    ask(8, 0, 40);   /* Ada has no more than 8 nodes at once */
    ask(1, 4, 10);
    ask(2, 0, 60);   /* and no more than 1,200 node-slots, of which 1,120 are booked */
    printf("%llu node-slots are left until slot 720\n", (unsigned long long)(halves[0].most - halves[0].used));
    return 0;
}
