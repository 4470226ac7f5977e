import Quantities
import Testing

@testable import LiveActivityModel

@Suite("Starts by push that reach a phone")
struct PushStartsTests {
    private func rules(starts: Int, presentsStale: Bool = true) -> PhoneStation.Rules {
        var devices = Scenario.Devices()
        devices.start.presentsStale = presentsStale
        if starts > 0 {
            devices.start.pushBudget = Scenario.StartBudget()
            devices.start.pushBudget?.starts = starts
        }
        return PhoneStation.Rules(devices)
    }

    @Test(
        "Of eleven starts at once ten are taken; the next one is, an hour later to the microsecond, and then one an hour"
    )
    func budget() {
        let rules = rules(starts: 10)
        var phone = PushStarts()
        func drop(_ seconds: Int64, less microseconds: Int64 = 0) -> PushStarts.Drop? {
            phone.arrived(
                staleDate: .never,
                at: Instant(microseconds: seconds * 1_000_000 - microseconds),
                rules: rules
            )
        }
        for _ in 0..<10 { #expect(drop(100) == nil) }
        #expect(drop(100) == .overBudget)
        #expect(drop(3700, less: 1) == .overBudget)
        #expect(drop(3700) == nil)
        #expect(drop(3700) == .overBudget)
        #expect(drop(7300) == nil)
        // A day later it is full again, and no fuller.
        for _ in 0..<10 { #expect(drop(100_000) == nil) }
        #expect(drop(100_000) == .overBudget)
    }

    @Test("Content is stale from its stale date on; without the rule, a stale start is presented")
    func stale() {
        var phone = PushStarts()
        let date = Instant.start + .seconds(60)
        let before = Instant(microseconds: date.microseconds - 1)
        #expect(phone.arrived(staleDate: date, at: before, rules: rules(starts: 0, presentsStale: false)) == nil)
        #expect(phone.arrived(staleDate: date, at: date, rules: rules(starts: 0, presentsStale: false)) == .stale)
        #expect(phone.arrived(staleDate: date, at: date, rules: rules(starts: 0)) == nil)
    }
}
