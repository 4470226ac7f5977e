import FreshnessCore
import Testing

@Suite struct PushPriorityTests {
    /// The numbers of the header `apns-priority` (Apple, "Sending notification requests to APNs").
    @Test func rawValuesAreThoseOfTheHeader() {
        #expect(PushPriority.allCases.map(\.rawValue) == [5, 10])
        #expect(PushPriority.considerate.rawValue == 5)
        #expect(PushPriority.immediate.rawValue == 10)
    }
}
