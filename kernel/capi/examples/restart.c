/* A booking desk that may be killed at any time: `restart SECONDS` is one life of it, which goes on where the last one ended and books one job. */
#define _POSIX_C_SOURCE 200809L
#include <bookahead.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PES = 64, SLOTS = 1440, ROWS = 100, HEAD = 24 };
/* What is on the disk counts slots from this second on, so it is a date and never the start of the program. */
static const struct bookahead_clock timer = {1700000000, 60};
static uint64_t memory[(BOOKAHEAD_EARLY_BYTES(PES, SLOTS, ROWS) + BOOKAHEAD_JOURNAL_BYTES(ROWS)) / 8];
/* The file is a snapshot and records, each with the job that it books: its handle is in the same frame, so both are there or neither. */
static struct { uint32_t sum, length; uint64_t job; struct bookahead_handle handle; uint8_t bytes[BOOKAHEAD_RECORD_BYTES(PES, ROWS)]; } frame;
static struct bookahead_handle handles[10000], nobody;  /* of the jobs, from 1 on */
static int file;
static off_t end;

static void stop(const char *wanted) { exit((fprintf(stderr, "stopped, and nobody is told anything, since this was not so: %s\n", wanted), 1)); }
#define must(done) do { if (!(done)) stop(#done); } while (0)
static uint32_t sum_of_frame(void) {
    uint32_t sum = 2166136261u;
    for (size_t at = sizeof sum; at < HEAD + frame.length; at++) sum = (sum ^ ((const uint8_t *)&frame)[at]) * 16777619u;
    return sum;
}
static bool sound(off_t at) {  /* Whether a whole frame begins there, which is read. */
    ssize_t there = pread(file, &frame, sizeof frame, at);
    return there >= HEAD && frame.length <= (size_t)there - HEAD && frame.sum == sum_of_frame();
}
static void keep(struct bookahead_book *book, uint64_t job, struct bookahead_handle handle) {
    size_t length;
    must((end == 0 ? bookahead_snapshot_write : bookahead_journal_write)(book, frame.bytes, sizeof frame.bytes, &length) == BOOKAHEAD_CODE_OK);
    if (length == 0) return;
    frame.length = (uint32_t)length, frame.job = job, frame.handle = handle, frame.sum = sum_of_frame();
    must(pwrite(file, &frame, HEAD + length, end) == (ssize_t)(HEAD + length) && fsync(file) == 0);
    end += (off_t)(HEAD + length);
}
int main(int count, char **words) {
    struct bookahead_book *book; struct bookahead_status status; struct bookahead_event event;
    struct bookahead_reservation found; struct bookahead_booking booking;
    uint64_t today, slot, jobs = 0; size_t used; bool happened;
    must(count == 2 && bookahead_slot_rounding_down(&timer, strtoull(words[1], NULL, 10), &today) == BOOKAHEAD_CODE_OK);
    must(today < 100 * 525600);  /* A century after the epoch is a clock in other units. */
    must(bookahead_init(memory, sizeof memory, BOOKAHEAD_BINDING_EARLY, PES, SLOTS, ROWS, &book) == BOOKAHEAD_CODE_OK);
    static struct flock alone;  /* All of the file. */
    alone.l_type = F_WRLCK;
    must((file = open("bookings", O_RDWR | O_CREAT, 0600)) >= 0 && fcntl(file, F_SETLK, &alone) == 0);
    for (; sound(end); end += HEAD + (off_t)frame.length) {
        must((end == 0 ? bookahead_snapshot_read : bookahead_journal_apply)(book, frame.bytes, frame.length, &used) == BOOKAHEAD_CODE_OK);
        if (frame.job != 0) handles[++jobs] = frame.handle;
    }
    /* What is left was not finished, and told to nobody; with a whole frame behind it, it is damage, and nothing is thrown away. */
    for (off_t at = end + 1; pread(file, &frame, 1, at) == 1; at++) must(!sound(at));
    /* A bad first frame is of another program, or of a first life that told nobody: somebody has to look, and remove the file. */
    must(end != 0 || lseek(file, 0, SEEK_END) == 0);
    must(ftruncate(file, end) == 0 && bookahead_journal_keep(book, sizeof memory) == BOOKAHEAD_CODE_OK);
    if (end == 0) keep(book, 0, nobody);
    must(bookahead_status(book, &status) == BOOKAHEAD_CODE_OK);
    for (slot = status.now; slot <= today; slot++)  /* Nothing is launched for these events: what they start may be over by now. */
        do must(bookahead_next(book, slot, &event, &happened) == BOOKAHEAD_CODE_OK); while (happened);
    keep(book, 0, nobody);
    for (uint64_t job = 1; job <= jobs; job++)
        if (bookahead_get(book, handles[job], &found) != BOOKAHEAD_CODE_OK) printf("job %d is over\n", (int)job);
        else if (found.state == BOOKAHEAD_STATE_RUNNING) printf("job %d runs until slot %d: launch it, unless an earlier life has\n", (int)job, (int)found.end);
    const struct bookahead_request request = {today + 1, today + 181, 60, 48};
    must(bookahead_reserve(book, &request, BOOKAHEAD_POLICY_FIRST_FIT, NULL, &booking) == BOOKAHEAD_CODE_OK && ++jobs < 10000);
    keep(book, jobs, booking.handle);
    printf("job %d is promised slot %d\n", (int)jobs, (int)booking.start);
    return 0;
}
