import FreshnessCore
import Testing

@testable import LiveActivityModel

/// What ``Activity`` promises of its layout, which the hints of ``CellSimulation`` count on.
@Suite("Activity, line by line")
struct ActivityTests {
    private static let line = 64

    private func offset(_ property: PartialKeyPath<Activity>) throws -> Int {
        try #require(MemoryLayout<Activity>.offset(of: property))
    }

    @Test("Arena one after the other keep to lines, and no line is there for nothing")
    func stride() throws {
        #expect(MemoryLayout<Activity>.stride.isMultiple(of: Self.line))
        #expect(MemoryLayout<Activity>.stride == 7 * Self.line)
        #expect(Self.line.isMultiple(of: MemoryLayout<Activity>.alignment))
    }

    @Test("The groups begin on lines of their own")
    func groups() throws {
        #expect(try offset(\Activity.ride) == 0)
        #expect(try offset(\Activity.destination) == Self.line)
        #expect(try offset(\Activity.monitor) == 2 * Self.line)
        #expect(try offset(\Activity.monitorReminder) == 3 * Self.line)
        #expect(try offset(\Activity.phone) == 4 * Self.line)
        #expect(try offset(\Activity.age) == 5 * Self.line)
        #expect(try offset(\Activity.firstContent) == 6 * Self.line)
    }

    @Test("The last of each group ends within its line")
    func ends() throws {
        #expect(try offset(\Activity.pushCount) + MemoryLayout<UInt32>.size <= Self.line)
        #expect(try offset(\Activity.accountedUntil) + 8 <= 2 * Self.line)
        #expect(try offset(\Activity.monitor) + MemoryLayout<MonitorStation>.size <= 3 * Self.line)
        #expect(try offset(\Activity.appAliveUntil) + 8 <= 4 * Self.line)
        #expect(try offset(\Activity.newestPush) + MemoryLayout<UInt32>.size <= 5 * Self.line)
        #expect(try offset(\Activity.postAttempts) + MemoryLayout<UInt16>.size <= 6 * Self.line)
    }
}
