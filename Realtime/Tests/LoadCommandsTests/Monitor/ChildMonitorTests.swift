import LiveActivityModel
import Testing

@testable import LoadCommands

@Suite("A monitor that replaces those of all cells")
struct ChildMonitorTests {
    @Test("It has the budgets of all cells together, rounded to valid scenario values")
    func forAllCells() {
        var scenario = Scenario()
        scenario.sender.queueLimit = 50
        scenario.sender.rateLimit = Scenario.RateLimit()
        scenario.sender.rateLimit?.perSecond = 0.1
        scenario.sender.rateLimit?.burst = 10
        scenario.sender.retryBudget = Scenario.Budget()
        scenario.sender.retryBudget?.perSecond = 0.1
        #expect(ChildMonitor.forAllCells(scenario) == [])
        scenario.cells = 3
        #expect(
            ChildMonitor.forAllCells(scenario) == [
                "sender.retry_budget.capacity=300.0", "sender.retry_budget.per_second=0.3",
                "sender.retry_budget.reserve=0.0", "sender.queue_limit=150", "sender.rate_limit.per_second=0.3",
                "sender.rate_limit.burst=30.0",
            ]
        )
    }
}
