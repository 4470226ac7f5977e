import FreshnessCore
import Testing

@testable import LiveActivityModel

/// The guarantees of ``Activity`` about its layout, which the prefetching of ``CellSimulation`` relies on.
@Suite("Activity, line by line")
struct ActivityTests {
    private static let line = 64

    private func offset(_ property: PartialKeyPath<Activity>) throws -> Int {
        try #require(MemoryLayout<Activity>.offset(of: property))
    }

    @Test("Consecutive slots are aligned to cache lines, and no line is unused")
    func stride() throws {
        #expect(MemoryLayout<Activity>.stride.isMultiple(of: Self.line))
        #expect(MemoryLayout<Activity>.stride == 7 * Self.line)
        #expect(Self.line.isMultiple(of: MemoryLayout<Activity>.alignment))
    }

    @Test("Each group begins on a cache line")
    func groups() throws {
        #expect(try offset(\Activity.ride) == 0)
        #expect(try offset(\Activity.destination) == Self.line)
        #expect(try offset(\Activity.monitor) == 2 * Self.line)
        #expect(try offset(\Activity.monitorReminder) == 3 * Self.line)
        #expect(try offset(\Activity.phone) == 4 * Self.line)
        #expect(try offset(\Activity.age) == 5 * Self.line)
        #expect(try offset(\Activity.firstContent) == 6 * Self.line)
    }

    @Test("The last property of each group is within its lines")
    func ends() throws {
        #expect(try offset(\Activity.pushCount) + MemoryLayout<UInt32>.size <= Self.line)
        #expect(try offset(\Activity.accountedUntil) + 8 <= 2 * Self.line)
        #expect(try offset(\Activity.monitor) + MemoryLayout<MonitorStation>.size <= 3 * Self.line)
        #expect(try offset(\Activity.appAliveUntil) + 8 <= 4 * Self.line)
        #expect(try offset(\Activity.newestPush) + MemoryLayout<UInt32>.size <= 5 * Self.line)
        #expect(try offset(\Activity.postAttempts) + MemoryLayout<UInt16>.size <= 6 * Self.line)
    }
}
