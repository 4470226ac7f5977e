// The workloads as a C++ programmer would write them: std::priority_queue, 16 bytes per event, exact order.

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One of several delays that are chosen with the same probability [µs].
struct baseline_delay {
    uint64_t mean;
    uint64_t constant;
};

/// A share of the initially pending events, by weight: their delay is exponential or uniform [µs].
struct baseline_residual {
    uint64_t weight;
    uint64_t mean;
    uint64_t longest;
};

/// The hold model.
struct baseline_hold;

/// Fills the queue with `pending` events.
///
/// `falling_gap` is 0 except for falling delays.
struct baseline_hold *baseline_hold_create(uint64_t pending, uint64_t touched_words, uint64_t falling_gap,
                                           const struct baseline_delay *delays, size_t delay_count,
                                           const struct baseline_residual *residuals, size_t residual_count);
void baseline_hold_run(struct baseline_hold *hold, uint64_t operations);
uint64_t baseline_hold_hash(const struct baseline_hold *hold);
void baseline_hold_destroy(struct baseline_hold *hold);

/// M/M/1 with a load of 0.9.
struct baseline_queue;

struct baseline_queue *baseline_queue_create(void);
void baseline_queue_run(struct baseline_queue *queue, uint64_t customers);
uint64_t baseline_queue_hash(const struct baseline_queue *queue);
void baseline_queue_destroy(struct baseline_queue *queue);

/// PHOLD.
struct baseline_processes;

struct baseline_processes *baseline_processes_create(uint64_t count);
void baseline_processes_run(struct baseline_processes *processes, uint64_t events);
uint64_t baseline_processes_hash(const struct baseline_processes *processes);
void baseline_processes_destroy(struct baseline_processes *processes);

#ifdef __cplusplus
}
#endif
