#include <cstdlib>
#include <cstring>

#include "CBaseline.h"
#include "engine.hpp"

using namespace baseline;

struct baseline_hold {
    event_list list;
    draw_sequence draws{2026};
    exponential_table table;
    std::vector<baseline_delay> delays;
    uint64_t *state;
    uint64_t pending;
    uint64_t touched_words;
    uint64_t falling_gap;
    uint64_t fallen = 0;
    uint64_t hash = 0;

    uint64_t delay(uint64_t draw) {
        if (falling_gap != 0) {
            const uint64_t delay = 2 * falling_gap * (pending - fallen);
            fallen = fallen + 1 == pending ? 0 : fallen + 1;
            return delay;
        }
        const baseline_delay &choice = delays[((draw & 0xFFFFFFFF) * delays.size()) >> 32];
        return ((table.value(draw) * choice.mean) >> 28) + choice.constant;
    }
};

struct baseline_hold *baseline_hold_create(uint64_t pending, uint64_t touched_words, uint64_t falling_gap,
                                           const struct baseline_delay *delays, size_t delay_count,
                                           const struct baseline_residual *residuals, size_t residual_count) {
    auto *hold = new baseline_hold();
    hold->delays.assign(delays, delays + delay_count);
    // At the start of a cache line, like ours.
    const size_t bytes = (pending * touched_words * 8 / 64 + 1) * 64;
    hold->state = static_cast<uint64_t *>(std::aligned_alloc(64, bytes));
    std::memset(hold->state, 0, bytes);
    hold->pending = pending;
    hold->touched_words = touched_words;
    hold->falling_gap = falling_gap;
    uint64_t weights = 0;
    for (size_t index = 0; index < residual_count; index++) weights += residuals[index].weight;
    for (uint64_t subject = 0; subject < pending; subject++) {
        const uint64_t draw = hold->draws.next();
        uint64_t choice = ((draw & 0xFFFFFFFF) * weights) >> 32;
        uint64_t rest = falling_gap * (pending - subject);
        for (size_t index = 0; index < residual_count; index++) {
            const baseline_residual &residual = residuals[index];
            if (choice < residual.weight) {
                rest += (hold->table.value(draw) * residual.mean) >> 28;
                rest += ((draw >> 36) * residual.longest) >> 28;
                break;
            }
            choice -= residual.weight;
        }
        hold->list.schedule(uint32_t(subject), int64_t(rest));
    }
    return hold;
}

void baseline_hold_run(struct baseline_hold *hold, uint64_t operations) {
    const uint64_t touched = hold->touched_words;
    uint64_t hash = hold->hash;
    draw_sequence draws = hold->draws;
    for (uint64_t operation = 0; operation < operations; operation++) {
        const event first = hold->list.next();
        const uint32_t subject = first.subject();
        uint64_t seen = uint64_t(first.time) ^ uint64_t(subject) << 38;
        uint64_t *const state = hold->state + subject * touched;
        for (uint64_t word = 0; word < touched; word++) {
            seen ^= state[word];
            state[word] += uint64_t(first.time) + 1;
        }
        hash = combined(hash, seen);
        hold->list.schedule(subject, first.time + int64_t(hold->delay(draws.next())));
    }
    hold->draws = draws;
    hold->hash = hash;
}

uint64_t baseline_hold_hash(const struct baseline_hold *hold) { return hold->hash; }

void baseline_hold_destroy(struct baseline_hold *hold) {
    std::free(hold->state);
    delete hold;
}
