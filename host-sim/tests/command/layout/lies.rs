//! What lies where it may not is noticed by the checker.

use super::*;

#[test]
fn what_lies_where_it_may_not_is_noticed() {
    assert_lies_noticed(
        placed,
        r#"
// Job 2 on a node outside of its partition, on one that it excludes, and in two racks.
jobs.csv:
16 20 40 42,-1,,4-5 => 5 20 35 42,-1,,1 5
    job 2: uses group 1, which it may not
16 20 40 42,-1,,4-5 => 13 20 38 42,-1,,3 5
    job 2: uses group 3, which it may not
16 20 40 42,-1,,4-5 => 8 20 36 42,-1,,2 5
    job 2: lies in 2 blocks of the level rack, asked for one
// Job 2 with two cores of one node and no core of the other.
16 20 40 42,-1,,4-5 => 16 18 40 42,-1,,4-5
    job 2: uses core=2 gpu=1 of group 4, asked for core=1 gpu=1
// Job 5 asks for whole nodes and has two nodes in part.
,0,10,1.000000,8-15 36-39,-1,,2-3 => ,0,10,1.000000,8-15 36-38 40,-1,,2-4
    job 5: uses core=4 gpu=1 of group 3, asked for core=4 gpu=2
16 20 40 42,-1,,4-5 => 16 20 40 42,-1,,4 6
    job 2: groups: found "4 6", expected "4-5"
4 17 21 24 28,-1,,1 4-7 => 4 17 21 24 44,-1,,1 4-6
    job 6: uses PE 44, which the machine does not have
20,30,3.000000,0-1 32-33,-1,,0 => 20,30,3.000000,0-1 34-35,-1,,0-1
    job 8: uses PEs 0-1 34-35, asked for exactly 0-1 32-33
reservations.csv:
8,0,20,10,30,4, => 8,0,19,10,30,4,
    job 8: start of exactly these PEs: found 20, expected 19
1.000000,2,3,2,core=1 gpu=1,rack,, => 1.000000,5,3,2,core=1 gpu=1,rack,,
    job 2: partition: found "5", expected one of debug, batch, or a number from 1 to 2
refused,not-eligible,,,,debug,,3,gpu=1 => refused,no-room,,,,debug,,3,gpu=1
    job 9: refused for no-room, but the row deserves not-eligible
refused,bad-shape,,,,batch,,2,core=5 => refused,bad-shape,,,,batch,,2,core=4
    job 4: refused for bad-shape, but the row deserves not-whole-groups
refused,uneven-groups,,,,,,2,all => refused,uneven-groups,,,,,6-7,2,all
    job 3: refused for uneven-groups, but the row deserves no-room or table-full
metrics.json:
"groups": "6-7" => "groups": "5-7"
    metrics.json, pes: found 44, expected 42 as the layout has
"groups": "6-7" => "groups": "6-9"
    metrics.json, layout: missing, entry 1: found group 9, expected groups from 0 to 7
"prefer": "lowest" => "prefer": "near"
    metrics.json, prefer: found "near", expected lowest, pack, spread, or compact: and a level of the layout
"blocks_per_job": 1.5 => "blocks_per_job": 1.25
    metrics.json, blocks_per_job: found 1.25, expected 1.5
"#,
    );
}

#[test]
fn what_jobs_of_the_queue_may_not_have_is_noticed() {
    assert_lies_noticed(
        queued,
        r#"
jobs.csv:
20,11,31,20,31,2.818182,32,-1,partition=debug; per_group=gpu=1; prefer=pack,0 => 0,11,11,0,11,1.000000,35,-1,partition=debug; per_group=gpu=1; prefer=pack,1
    job 4: starts at 0 and delays job 3, which could start at 10
10,10,20,10,20,2.000000 => 12,10,22,12,22,2.200000
    job 3: starts at 12, although it could start at 10
per_group=core=1 gpu=1,1 => per_group=core=2 gpu=0,1
    job 2: uses core=1 gpu=1 of group 1, asked for core=2 gpu=0
partition=debug; stopped => partition=batch; stopped
    job 5: uses group 0, which it may not
per_group=gpu=1; not-eligible => per_group=gpu=1; bad-shape
    job 6: did not run for "bad-shape", but the row deserves not-eligible
per_group=gpu=3; bad-shape => per_group=fpga=3; bad-shape
    job 7: per_group: found "fpga=3", expected all, or a number for each of some kinds once, such as core=2; the kinds are core, gpu
"#,
    );
}
