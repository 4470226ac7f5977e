import LoadGenerator
import Quantities
import Testing

struct RatePlanTests {
    @Test("a constant rate is due at equal distances, the first immediately")
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

    @Test("a ramp from zero is due by the square root")
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
        "counts and due times agree at every arrival, and time never goes backwards",
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

    @Test("an invalid plan is rejected with the given value")
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
