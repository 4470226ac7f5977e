import Testing
import Workloads

/// The hold model against a plain sorted list of its own.
@Suite("Hold model")
struct HoldModelTests {
    @Test("A run in parts has the hash of the whole", arguments: DelayProfile.allCases)
    func parts(_ profile: DelayProfile) {
        var whole = HoldModel(pending: 100, profile: profile, touchedBytes: 16)
        whole.run(operations: 1000)
        var parts = HoldModel(pending: 100, profile: profile, touchedBytes: 16)
        parts.run(operations: 1)
        parts.run(operations: 999)
        #expect(parts.trajectoryHash == whole.trajectoryHash)
    }
}
