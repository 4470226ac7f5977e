#include <deque>

#include "CBaseline.h"
#include "engine.hpp"

using namespace baseline;

struct baseline_queue {
    event_list list;
    draw_sequence draws{2026};
    exponential_table table;
    std::deque<int64_t> arrivals;
    uint64_t served = 0;
    int64_t time_in_system = 0;
    uint64_t hash = 0;

    static constexpr uint32_t arrival = 0;
    static constexpr uint32_t departure = 1;

    baseline_queue() { schedule(arrival, 0, 1000000); }

    void schedule(uint32_t kind, int64_t now, uint64_t mean) {
        list.schedule(kind, now + int64_t((table.value(draws.next()) * mean) >> 28));
    }
};

struct baseline_queue *baseline_queue_create(void) { return new baseline_queue(); }

void baseline_queue_run(struct baseline_queue *queue, uint64_t customers) {
    const uint64_t goal = queue->served + customers;
    while (queue->served < goal) {
        const event first = queue->list.next();
        const uint32_t kind = first.subject();
        queue->hash = combined(queue->hash, uint64_t(first.time) ^ uint64_t(kind) << 38);
        if (kind == baseline_queue::arrival) {
            queue->arrivals.push_back(first.time);
            if (queue->arrivals.size() == 1) queue->schedule(baseline_queue::departure, first.time, 900000);
            queue->schedule(baseline_queue::arrival, first.time, 1000000);
        } else {
            queue->time_in_system += first.time - queue->arrivals.front();
            queue->arrivals.pop_front();
            queue->served += 1;
            if (!queue->arrivals.empty()) queue->schedule(baseline_queue::departure, first.time, 900000);
        }
    }
}

uint64_t baseline_queue_hash(const struct baseline_queue *queue) { return queue->hash; }

void baseline_queue_destroy(struct baseline_queue *queue) { delete queue; }
