/* The only lines that know the layout of Slurm's structures: the compiler takes it from the header of the Slurm that is installed. */
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdint.h>

/* Slurm's own allocator, by which it frees what plugins give it; its plugins find them in slurmctld. */
char *slurm_xstrdup(const char *text);
void slurm_xfree(void **item);

/* As in fields.rs. */
struct fields {
    const char *features, *partition, *reservation, *comment, *array, *job;
    int64_t begin, deadline;
    uint32_t uid, min_nodes, max_nodes, limit, heterogeneous, priority;
};

void gate_read(const job_desc_msg_t *job, struct fields *out) {
    *out = (struct fields){
        .features = job->features,
        .partition = job->partition,
        .reservation = job->reservation,
        .comment = job->comment,
        .array = job->array_inx,
        .begin = job->begin_time,
        .deadline = job->deadline,
        .uid = job->user_id,
        .job = job->job_id_str,
        .min_nodes = job->min_nodes,
        .max_nodes = job->max_nodes,
        .limit = job->time_limit,
        .heterogeneous = job->het_job_offset,
        .priority = job->priority,
    };
}

static void put(char **place, const char *text) {
    slurm_xfree((void **)place);
    *place = slurm_xstrdup(text);
}

/* The reservation it runs in, or none: then it is held. */
void gate_admit(job_desc_msg_t *job, const char *reservation, const char *comment) {
    put(&job->comment, comment);
    if (reservation)
        put(&job->reservation, reservation);
    else
        job->priority = 0;
}

void gate_tell(char **message, const char *text) { *message = slurm_xstrdup(text); }

const uint32_t gate_no_value = NO_VAL;
const int gate_refused = ESLURM_ACCESS_DENIED;
