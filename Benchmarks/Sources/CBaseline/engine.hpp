// The event list, the draws and the hash of all baselines; each gives the same bits as the Swift code in Workloads.

#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace baseline {

constexpr int subject_bits = 26;

/// 16 bytes: the instant, and in one word the sequence above the subject, so that one comparison decides ties.
struct event {
    int64_t time;
    uint64_t sequence_and_subject;

    uint32_t subject() const { return uint32_t(sequence_and_subject & ((uint64_t(1) << subject_bits) - 1)); }

    friend bool operator>(const event &left, const event &right) {
        return left.time != right.time ? left.time > right.time
                                       : left.sequence_and_subject > right.sequence_and_subject;
    }
};

class event_list {
    std::priority_queue<event, std::vector<event>, std::greater<event>> queue;
    uint64_t sequence = 0;

public:
    void schedule(uint32_t subject, int64_t time) { queue.push({time, sequence++ << subject_bits | subject}); }

    event next() {
        const event first = queue.top();
        queue.pop();
        return first;
    }
};

/// splitmix64.
class draw_sequence {
    uint64_t state;

public:
    explicit draw_sequence(uint64_t seed) : state(seed) {}

    uint64_t next() {
        state += 0x9E3779B97F4A7C15;
        uint64_t bits = state;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
        return bits ^ (bits >> 31);
    }
};

/// Quantiles of the exponential distribution with mean one, in units of 2^-28.
class exponential_table {
    uint32_t nodes[1025];

    static uint32_t negative_logarithm(uint64_t index) {
        const uint64_t exponent = 63 - __builtin_clzll(index);
        uint64_t power = index << (31 - exponent);
        uint64_t logarithm = exponent;
        for (int bit = 0; bit < 28; bit++) {
            power = (power * power) >> 31;
            logarithm <<= 1;
            if (power >= uint64_t(2) << 31) {
                power >>= 1;
                logarithm += 1;
            }
        }
        return uint32_t((((uint64_t(10) << 28) - logarithm) * 2977044472) >> 32);
    }

public:
    exponential_table() {
        for (uint64_t index = 1; index <= 1024; index++) nodes[index] = negative_logarithm(index);
        nodes[0] = nodes[1] + (uint32_t(2) << 28);
    }

    uint64_t value(uint64_t draw) const {
        const uint64_t upper = nodes[draw >> 54];
        const uint64_t lower = nodes[(draw >> 54) + 1];
        return upper - (((upper - lower) * ((draw >> 34) & 0xFFFFF)) >> 20);
    }
};

inline uint64_t combined(uint64_t hash, uint64_t number) {
    const uint64_t mixed = (hash ^ number) * 0x9E3779B97F4A7C15;
    return mixed << 32 | mixed >> 32;
}

} // namespace baseline
