//! Workloads: where requests come from.
