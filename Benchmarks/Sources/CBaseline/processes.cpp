#include "CBaseline.h"
#include "engine.hpp"

using namespace baseline;

struct baseline_processes {
    struct process {
        draw_sequence draws;
        uint64_t received;
    };

    event_list list;
    exponential_table table;
    std::vector<process> processes;
    uint64_t hash = 0;

    void send(process &sender, int64_t now) {
        const uint64_t draw = sender.draws.next();
        const uint32_t receiver = uint32_t(((draw & 0xFFFFFFFF) * processes.size()) >> 32);
        list.schedule(receiver, now + int64_t((table.value(draw) * 20000000) >> 28));
    }
};

struct baseline_processes *baseline_processes_create(uint64_t count) {
    auto *model = new baseline_processes();
    model->processes.reserve(count);
    for (uint64_t index = 0; index < count; index++) model->processes.push_back({draw_sequence(index << 32), 0});
    for (auto &sender : model->processes) model->send(sender, 0);
    return model;
}

void baseline_processes_run(struct baseline_processes *model, uint64_t events) {
    for (uint64_t index = 0; index < events; index++) {
        const event first = model->list.next();
        auto &receiver = model->processes[first.subject()];
        receiver.received += 1;
        model->hash = combined(model->hash, uint64_t(first.time) ^ uint64_t(first.subject()) << 38 ^ receiver.received << 58);
        model->send(receiver, first.time);
    }
}

uint64_t baseline_processes_hash(const struct baseline_processes *model) { return model->hash; }

void baseline_processes_destroy(struct baseline_processes *model) { delete model; }
