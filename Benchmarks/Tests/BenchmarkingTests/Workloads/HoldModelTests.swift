import Benchmarking
import Testing

/// The hold model compared with a plain sorted list.
@Suite("Hold model")
struct HoldModelTests {
    /// The same model in its simplest form: the first event is found by a search.
    private struct Plain: ~Copyable {
        var draws = DrawSequence(seed: 2026)
        let table = ExponentialTable()
        let delays: [DelayProfile.Delay]
        let gap: UInt64
        var fallen: UInt64 = 0
        var pending: [(time: UInt64, sequence: Int, subject: UInt64)] = []
        var state: [UInt64]
        var sequence = 0
        var hash: UInt64 = 0

        init(pending count: Int, profile: DelayProfile, words: Int) {
            delays = profile.delays
            gap = profile.fallingGap(pending: count)
            state = [UInt64](repeating: 0, count: count * words)
            let residuals = profile.residuals
            let weights = residuals.reduce(0) { $0 + $1.weight }
            for subject in 0..<UInt64(count) {
                let draw = draws.next()
                var choice = ((draw & 0xFFFF_FFFF) * weights) >> 32
                var index = 0
                while choice >= residuals[index].weight {
                    choice -= residuals[index].weight
                    index += 1
                }
                let exponential = (table.value(for: draw) * residuals[index].mean) >> 28
                let uniform = ((draw >> 36) * residuals[index].longest) >> 28
                pending.append((gap * (UInt64(count) - subject) + exponential + uniform, sequence, subject))
                sequence += 1
            }
        }

        mutating func run(operations: Int, words: Int) {
            for _ in 0..<operations {
                var first = 0
                for index in pending.indices
                where (pending[index].time, pending[index].sequence) < (pending[first].time, pending[first].sequence) {
                    first = index
                }
                let (time, _, subject) = pending.remove(at: first)
                var seen = time ^ subject << 38
                for word in 0..<words {
                    seen ^= state[Int(subject) * words + word]
                    state[Int(subject) * words + word] += time + 1
                }
                let mixed = (hash ^ seen) &* 0x9E37_79B9_7F4A_7C15
                hash = mixed << 32 | mixed >> 32
                let draw = draws.next()
                var delay: UInt64
                if gap > 0 {
                    delay = 2 * gap * (UInt64(pending.count + 1) - fallen)
                    fallen = (fallen + 1) % UInt64(pending.count + 1)
                } else {
                    let choice = delays[Int(((draw & 0xFFFF_FFFF) * UInt64(delays.count)) >> 32)]
                    delay = (table.value(for: draw) * choice.mean) >> 28 + choice.constant
                }
                pending.append((time + delay, sequence, subject))
                sequence += 1
            }
        }
    }

    @Test("The kernel returns the same events as a plain list", arguments: DelayProfile.allCases, [1, 2, 64, 300])
    func order(_ profile: DelayProfile, pending: Int) {
        for words in [0, 2] {
            var ours = HoldModel(pending: pending, profile: profile, touchedBytes: 8 * words)
            ours.run(units: 1)
            ours.run(units: 1999)
            var plain = Plain(pending: pending, profile: profile, words: words)
            plain.run(operations: 2000, words: words)
            #expect(ours.trajectoryHash == plain.hash)
        }
    }

    @Test("Golden trajectories: the same on every machine")
    func golden() {
        var hold = HoldModel(pending: 1000, profile: .mixed, touchedBytes: 64)
        hold.run(units: 10_000)
        #expect(hold.trajectoryHash == 8_352_872_785_853_517_123)
        var processes = ProcessHoldModel(processes: 1000)
        processes.run(units: 10_000)
        #expect(processes.trajectoryHash == 3_796_777_090_287_285_372)
        var queue = SingleServerQueue()
        queue.run(units: 10_000)
        #expect(queue.trajectoryHash == 873_222_283_161_233_301)
    }

    @Test("The falling profile decreases: each event of a round goes before all others of its round")
    func falling() {
        let gap = DelayProfile.falling.fallingGap(pending: 100)
        #expect(gap == 200_000)
        #expect(DelayProfile.falling.fallingGap(pending: 1 << 26) == 1)
        #expect(DelayProfile.exponential.fallingGap(pending: 100) == 0)
    }
}
