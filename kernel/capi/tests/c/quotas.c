/* A machine and what a user may have of it, at once and in each day: booked, refunded, billed, and every mistake. The numbers are worked out by hand. */
#define BOOKAHEAD_QUOTA
#include "check.h"

#define SLOTS 64
#define ROWS 8
#define WORK 1000

static uint64_t machine_memory[BOOKAHEAD_LATE_BYTES(16, SLOTS, ROWS) / 8], ada_memory[BOOKAHEAD_LATE_BYTES(8, SLOTS, ROWS) / 8];
static struct bookahead_tie ties[2][ROWS];
static uint32_t reason;

/* Ada may use 8 of 16 nodes at once, and 100 node-slots in every 24 slots. */
static struct bookahead_period days[] = {{24, 100, 0}, {48, 100, 0}, {72, 100, 0}};
static struct bookahead_joined site[] = {{NULL, ties[0], ROWS, NULL, 0}, {NULL, ties[1], ROWS, days, 3}};

/* The code for so many nodes for ten slots, from when on and until when. */
static uint32_t reserve(uint32_t nodes, uint64_t ready, uint64_t deadline, struct bookahead_joint_booking *booking) {
    const uint32_t needs[] = {nodes, nodes};
    const struct bookahead_joint_request request = {ready, deadline, 10, needs, 2};
    return bookahead_several_reserve(site, 2, &request, NULL, WORK, booking, &reason);
}

static void left(uint64_t first, uint64_t second, uint64_t third) {
    bool sound;
    CHECK(days[0].most - days[0].used == first && days[1].most - days[1].used == second && days[2].most - days[2].used == third);
    EXPECT(OK, bookahead_quota_is_sound(&site[1], &sound));
    CHECK(sound);
}

static void what_ada_may_have(void) {
    struct bookahead_joint_booking five, four, last;
    struct bookahead_book_part part;
    struct bookahead_event event;
    bool happened = true, sound;
    EXPECT(OK, reserve(5, 0, 40, &five));
    CHECK(five.start == 0);
    /* No more than 8 at once. */
    EXPECT(OK, reserve(4, 0, 40, &four));
    CHECK(four.start == 10);
    /* 90 of the first day's 100 are booked: of four nodes, only two slots more. */
    EXPECT(OK, reserve(4, 0, 40, &last));
    CHECK(last.start == 22);
    EXPECT(NO_ROOM, reserve(4, 0, 30, &last));
    CHECK(reason == 1);
    left(2, 68, 100);
    EXPECT(OK, bookahead_several_cancel(site, 2, four.part, &reason));
    left(42, 68, 100);
    /* Less from now on: what is booked stays booked. */
    days[1].most = 10;
    EXPECT(NO_ROOM, reserve(1, 24, 40, &four));
    CHECK(days[1].used == 32);
    days[1].most = 100;

    while (happened) EXPECT(OK, bookahead_several_next(site, 2, 4, &part, &event, &happened, &reason));
    /* Five nodes for four slots, and six slots back. */
    EXPECT(OK, bookahead_several_complete(site, 2, five.part, 4, &reason));
    left(72, 68, 100);
    days[1].used = 1;
    EXPECT(OK, bookahead_quota_is_sound(&site[1], &sound));
    CHECK(!sound);
    days[1].used = 32;
}

static void days_that_are_over(void) {
    struct bookahead_book_part part;
    struct bookahead_event event;
    struct bookahead_period over = {1, 2, 3};
    bool happened = true;
    EXPECT(BAD_PERIODS, bookahead_quota_renew(&site[1], 96, 50, &over));
    CHECK(over.until == 1);
    while (happened) EXPECT(OK, bookahead_several_next(site, 2, 24, &part, &event, &happened, &reason));
    EXPECT(BAD_PERIODS, bookahead_quota_renew(&site[1], 72, 50, &over));
    EXPECT(OK, bookahead_quota_renew(&site[1], 96, 50, &over));
    CHECK(over.until == 24 && over.most == 100 && over.used == 28);
    CHECK(days[0].until == 48 && days[2].until == 96 && days[2].most == 50 && days[2].used == 0);
}

static void every_mistake(void) {
    struct bookahead_period over, order[] = {{24, 9, 0}, {24, 9, 0}};
    struct bookahead_joined wrong = site[1];
    struct bookahead_joint_booking booking;
    bool sound;
    EXPECT(NULL_POINTER, bookahead_quota_renew(NULL, 120, 1, &over));
    EXPECT(NULL_POINTER, bookahead_quota_renew(&site[1], 120, 1, NULL));
    EXPECT(NULL_POINTER, bookahead_quota_is_sound(&site[1], NULL));
    EXPECT(BAD_PERIODS, bookahead_quota_renew(&site[0], 120, 1, &over));
    wrong.periods = order;
    wrong.period_count = 2;
    EXPECT(BAD_PERIODS, bookahead_quota_is_sound(&wrong, &sound));
    wrong.periods = NULL;
    EXPECT(NULL_POINTER, bookahead_quota_is_sound(&wrong, &sound));
    wrong.book = NULL;
    EXPECT(NULL_POINTER, bookahead_quota_renew(&wrong, 120, 1, &over));
    site[1].periods = order;
    site[1].period_count = 2;
    EXPECT(BAD_PERIODS, reserve(1, 24, 60, &booking));
    CHECK(reason == 1);
    site[1].periods = (struct bookahead_period *)ties;
    site[1].period_count = 1;
    EXPECT(OVERLAPPING, reserve(1, 24, 60, &booking));
    CHECK(reason == 1);
}

int main(void) {
    EXPECT(OK, bookahead_init(machine_memory, sizeof machine_memory, BOOKAHEAD_BINDING_LATE, 16, SLOTS, ROWS, &site[0].book));
    EXPECT(OK, bookahead_init(ada_memory, sizeof ada_memory, BOOKAHEAD_BINDING_LATE, 8, SLOTS, ROWS, &site[1].book));
    what_ada_may_have();
    days_that_are_over();
    every_mistake();
    printf("quotas: what was worked out\n");
    return 0;
}
