import Foundation
import InputFiles
package import LiveActivityModel
package import Quantities
import SimulationKernel

/// Collects the pushes of an event log for a replay, in the order of their times.
///
/// Memory: one timestamp for each ride whose last one is not yet in the past, and the numbers of pushes in at most
/// ``mostSteps`` steps of time.
package struct PushReplayBuilder: ~Copyable {
    /// The reason why pushes cannot be replayed.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case file(String)
        case tooLong(speed: Double)

        /// `true` if the system did not write the file.
        package var isOfFile: Bool { if case .file = self { true } else { false } }

        /// The problem and what is allowed.
        package var description: String {
            switch self {
            case .file(let reason): "the temporary file of the replay cannot be written: \(reason)"
            case .tooLong(let speed):
                "the replay would take more than \(TimeSpan.longest.microseconds / 86_400_000_000) days at --speed \(speed)"
            }
        }
    }

    private let speed: Double
    private let draws: RandomSource
    private let limit: TimeSpan?
    private var file: Int32
    private var pending: [ReplayPush] = []
    private var count = 0
    private var lastDue: Int64 = 0
    /// The last timestamps of rides, without those that are in the past [s since the beginning].
    private var stamps: [UInt64: UInt32] = [:]
    private var mostStamps = 1 << 16
    private var longestLead: Int64 = 0
    /// The number of pushes in each step of time, and its length [µs].
    private var counts: [UInt32] = []
    private var step: Int64 = 1000

    /// The largest number of steps; with more, ten become one.
    package static let mostSteps = 200_000
    private static let mostPending = 1 << 14

    /// A replay without pushes.
    ///
    /// - Parameters:
    ///   - seed: The key of the numbers of rides.
    ///   - limit: The time before which all pushes are due, and at which the load ends at the latest; nil: no such time.
    package init(speed: Double, seed: UInt64, limit: TimeSpan? = nil) throws(Failure) {
        (self.speed, self.limit) = (speed, limit)
        draws = RandomSource(seed: seed, replication: 0)
        var template = Array("\(FileManager.default.temporaryDirectory.path)/freshet-replay-XXXXXX".utf8CString)
        file = mkstemp(&template)
        guard file >= 0 else { throw .file(SystemFile.problem) }
        unlink(template)
    }

    deinit { if file >= 0 { close(file) } }

    /// Adds a push, which is not before the last one.
    ///
    /// - Parameters:
    ///   - at: The time since the log's first push [µs].
    ///   - ride: A hash of the ride's name.
    package mutating func add(
        at: Int64,
        ride: UInt64,
        kind: StoryLine.PushKind,
        priority: Int,
        payloadBytes: Int?
    ) throws(Failure) {
        let due = PushReplay.due(at, speed: speed)
        guard due / 1000 <= TimeSpan.longest.microseconds else { throw .tooLong(speed: speed) }
        lastDue = due
        // Without a key, a reader of tokens who knows the names of rides could reverse the hash.
        let ride = draws.draw(entity: ride, purpose: LoadPurpose.token, index: 0) >> 1
        pending.append(
            ReplayPush(
                at: at,
                ride: ride,
                stamp: stamp(of: ride, due: due),
                payloadBytes: UInt32(clamping: min(payloadBytes ?? 0, PushLoad.largestPayload)),
                kind: kind,
                priority: UInt8(clamping: priority)
            )
        )
        count(due)
        count += 1
        if pending.count == Self.mostPending { try write() }
    }

    /// Returns the replay of all pushes.
    ///
    /// Its plan ends with the second of the last push, or at the limit if that is earlier.
    ///
    /// - Precondition: There is a push.
    package consuming func finish() throws(Failure) -> PushReplay {
        try write()
        var duration = TimeSpan(microseconds: (lastDue / 1_000_000_000 + 1) * 1_000_000)
        if let limit { duration = min(duration, limit) }
        let replay = PushReplay(
            file: file,
            count: count,
            speed: speed,
            counts: counts,
            step: TimeSpan(microseconds: step),
            for: duration,
            longestLead: TimeSpan(microseconds: longestLead * 1_000_000)
        )
        file = -1
        return replay
    }

    /// The timestamp of a push: the second in which it is due, or one second after the last push of its ride.
    private mutating func stamp(of ride: UInt64, due: Int64) -> UInt32 {
        let second = due / 1_000_000_000
        let stamp = max(second, stamps[ride].map { Int64($0) + 1 } ?? 0)
        stamps[ride] = UInt32(clamping: stamp)
        longestLead = max(longestLead, stamp - second)
        if stamps.count > mostStamps {
            // Later pushes are due in this second or later.
            stamps = stamps.filter { Int64($0.value) >= second }
            mostStamps = max(mostStamps, 2 * stamps.count)
        }
        return UInt32(clamping: stamp)
    }

    private mutating func count(_ due: Int64) {
        // Rounding can move a push to the limit.
        let due = min(due, (limit?.microseconds ?? .max / 1000) * 1000 - 1)
        while due / 1000 / step >= Int64(Self.mostSteps) {
            counts = stride(from: 0, to: counts.count, by: 10)
                .map { start in counts[start..<min(start + 10, counts.count)].reduce(0, +) }
            step *= 10
        }
        let index = Int(due / 1000 / step)
        while counts.count <= index { counts.append(0) }
        counts[index] += 1
    }

    private mutating func write() throws(Failure) {
        let problem = pending.withUnsafeBytes { SystemFile.write($0, to: file) }
        pending.removeAll(keepingCapacity: true)
        if let problem { throw .file(problem) }
    }
}
