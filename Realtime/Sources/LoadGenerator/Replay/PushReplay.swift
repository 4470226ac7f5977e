import Foundation
import InputFiles
package import LiveActivityModel
package import Quantities
import Synchronization

/// A push of a replay.
package struct ReplayPush: BitwiseCopyable, Hashable, Sendable {
    /// The time since the first push, by the log [µs].
    package let at: Int64
    /// The number of its ride, from which its device token follows.
    package let ride: UInt64
    /// The timestamp of its payload [s since the beginning of the load].
    package let stamp: UInt32
    /// The length of its payload [bytes]; 0 if the log does not state it.
    package let payloadBytes: UInt32
    package let kind: StoryLine.PushKind
    /// `apns-priority`.
    package let priority: UInt8
}

/// The pushes of an event log, in the order in which a load sends them.
///
/// They are in a temporary file without a name, 32 bytes each, so memory does not grow with the log, the log is read only once,
/// and nothing is left when the process ends. Any thread can read them.
package final class PushReplay: Hashable, Sendable {
    /// The number of pushes.
    package let count: Int
    /// The speed relative to the log.
    package let speed: Double
    /// The number of pushes by time; within a step, the pushes are taken as evenly spaced.
    package let plan: RatePlan
    /// The numbers of pushes by step of time, from which the plan follows.
    package let counts: [UInt32]
    /// The length of a step.
    package let step: TimeSpan
    /// The longest lead of timestamps over the clock.
    package let longestLead: TimeSpan
    private let file: Int32
    private let errorNumber = Atomic<Int32>(0)

    /// The pushes in a file, which is closed at the end.
    init(
        file: Int32,
        count: Int,
        speed: Double,
        counts: [UInt32],
        step: TimeSpan,
        for duration: TimeSpan,
        longestLead: TimeSpan
    ) {
        (self.file, self.count, self.speed) = (file, count, speed)
        (self.counts, self.step, self.longestLead) = (counts, step, longestLead)
        plan = RatePlan(counts: counts.map { Int($0) }, step: step, for: duration)
    }

    deinit { close(file) }

    package static func == (left: PushReplay, right: PushReplay) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The due time of a push [ns since the beginning of the load].
    package func due(_ push: ReplayPush) -> Int64 { Self.due(push.at, speed: speed) }

    /// The due time of a push at a time of the log [ns since the beginning of the load].
    static func due(_ at: Int64, speed: Double) -> Int64 {
        // Whole nanoseconds are exact up to 104 days.
        Int64(min(Double(at) * 1000 / speed, 9e18).rounded())
    }

    /// The reason why pushes could not be read, so that the load has sent only a part; nil if all could.
    package var failure: String? {
        let number = errorNumber.load(ordering: .relaxed)
        return number == 0 ? nil : String(cString: strerror(number))
    }

    /// Returns some pushes from a number on; none after the last, and if the file cannot be read.
    func pushes(from number: Int, atMost limit: Int) -> [ReplayPush] {
        let size = MemoryLayout<ReplayPush>.stride
        let wanted = min(limit, count - number)
        guard wanted > 0 else { return [] }
        return [ReplayPush](unsafeUninitializedCapacity: wanted) { pushes, filled in
            let got = SystemFile.read(into: UnsafeMutableRawBufferPointer(pushes), from: file, at: number * size)
            if got ?? 0 < wanted * size { errorNumber.store(got == nil ? errno : EIO, ordering: .relaxed) }
            filled = (got ?? 0) / size
        }
    }

    /// Returns a push by its number; nil after the last.
    package func push(_ number: Int) -> ReplayPush? { pushes(from: number, atMost: 1).first }
}

/// A reader of pushes in ascending order, block by block.
struct ReplayCursor: Sendable {
    let replay: PushReplay
    private var block: [ReplayPush] = []
    /// The number of the block's first push.
    private var first = 0

    /// The number of pushes in a block, 64 KiB.
    private static let blockCount = 2048

    init(_ replay: PushReplay) { self.replay = replay }

    /// Returns a push by its number; nil after the last.
    mutating func push(_ number: Int) -> ReplayPush? {
        if !(first..<first + block.count).contains(number) {
            (block, first) = (replay.pushes(from: number, atMost: Self.blockCount), number)
        }
        return block.isEmpty ? nil : block[number - first]
    }
}
