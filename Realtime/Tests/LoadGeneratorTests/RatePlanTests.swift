import LoadGenerator
import Quantities
import Testing

struct RatePlanTests {
    @Test("arrivals at a constant rate are evenly spaced, and the first is due at once")
    func constant() throws {
        let plan = try RatePlan.constant(perSecond: 1000, for: .seconds(2))
        #expect(plan.total == 2000)
        #expect((0..<4).map { plan.due($0) } == [0, 1_000_000, 2_000_000, 3_000_000])
        #expect(plan.due(1999) == 1_999_000_000)
        #expect(plan.dueCount(at: -1) == 0)
        #expect(plan.dueCount(at: 0) == 1)
        #expect(plan.dueCount(at: 999_999) == 1)
        #expect(plan.dueCount(at: 1_000_000) == 2)
        #expect(plan.dueCount(at: 5_000_000_000) == 2000)
    }

    @Test("arrivals of a ramp from zero are due by the square root")
    func ramp() throws {
        // The integral of 200 t is 100 t²: number 100 is due at 1 s, number 25 at 0.5 s.
        let plan = try RatePlan.ramp(from: 0, to: 400, over: .seconds(2), for: .seconds(3))
        #expect(plan.total == 800)
        #expect(plan.due(0) == 0)
        #expect(plan.due(25) == 500_000_000)
        #expect(plan.due(100) == 1_000_000_000)
        #expect(plan.due(400) == 2_000_000_000)
        #expect(plan.due(401) == 2_002_500_000)
        #expect(plan.rate(at: .seconds(1)) == 200)
        #expect(plan.rate(at: .milliseconds(2500)) == 400)
        #expect(plan.rate(at: .seconds(3)) == 0)
    }

    @Test(
        "counts and due times agree at every arrival, and due times never decrease",
        arguments: [
            [(0, 1000.0), (5, 3.0), (7, 3.0)], [(0, 0.5), (40, 90.0)],
            [(0, 0), (3, 0), (3, 777), (4, 777), (4, 11), (9, 0)],
            [(0, 7.0), (1, 0), (2, 7.0)],
        ]
    )
    func agreement(points: [(Int64, Double)]) throws {
        let plan = try RatePlan(points: points.map { RatePlan.Point(at: .seconds($0.0), perSecond: $0.1) })
        var last: Int64 = 0
        for number in 0..<plan.total {
            let due = plan.due(number)
            #expect(due >= last)
            #expect(plan.dueCount(at: due) > number)
            #expect(plan.dueCount(at: due - 1) <= number)
            last = due
        }
        #expect(last <= plan.duration.microseconds * 1000)
        #expect(plan.dueCount(at: plan.duration.microseconds * 1000) == plan.total)
    }

    @Test("numbers in steps of time are due evenly within their step")
    func steps() {
        let plan = RatePlan(counts: [2, 0, 0, 4, 4], step: .milliseconds(10), for: .seconds(1))
        #expect(plan.total == 10 && plan.expected == 10 && plan.duration == .seconds(1))
        let starts = [0, 5, 30, 32.5, 35, 37.5, 40, 42.5, 45, 47.5]
        #expect((0..<10).map { plan.due($0) } == starts.map { Int64($0 * 1e6) })
        #expect([0, 4, 5, 9, 10, 29].map { plan.dueCount(at: $0 * 1_000_000) } == [1, 1, 2, 2, 2, 2])
        #expect(plan.dueCount(at: 29_999_999) == 2 && plan.dueCount(at: 30_000_000) == 3)
        #expect(plan.dueCount(at: 49_999_999) == 10 && plan.dueCount(at: 2_000_000_000) == 10)
        #expect(plan.rate(at: .milliseconds(35)) == 400 && plan.rate(at: .milliseconds(15)) == 0)
        let cut = RatePlan(counts: [1, 1, 1], step: .seconds(1), for: .milliseconds(2500))
        #expect(cut.total == 3 && cut.due(2) == 2_000_000_000 && cut.dueCount(at: 2_499_999_999) == 3)
    }

    @Test("points that are no plan are rejected with the value that was given")
    func errors() {
        #expect(throws: RatePlanError.tooFewPoints(got: 1)) {
            try RatePlan(points: [RatePlan.Point(at: .zero, perSecond: 1)])
        }
        #expect(throws: RatePlanError.rateOutOfRange(index: 0, got: -1)) {
            try RatePlan.constant(perSecond: -1, for: .seconds(1))
        }
        #expect(throws: RatePlanError.timeOutOfOrder(index: 0, got: .seconds(1))) {
            try RatePlan(points: [
                RatePlan.Point(at: .seconds(1), perSecond: 1), RatePlan.Point(at: .seconds(2), perSecond: 1),
            ])
        }
    }
}
