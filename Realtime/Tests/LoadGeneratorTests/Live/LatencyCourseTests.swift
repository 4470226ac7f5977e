import Quantities
import ScenarioLanguage
import Testing

@testable import Evaluation
@testable import LoadGenerator

@Suite("Latencies of a live run over time")
struct LatencyCourseTests {
    @Test("A second has its answers, a second without answers is empty, and the warm-up does not count in the total")
    func seconds() {
        var course = LatencyCourse()
        #expect(course.seconds.isEmpty && course.percentile99 == nil)
        course.record(.milliseconds(9), at: .milliseconds(500), isMeasured: false)
        course.record(.milliseconds(1), at: .milliseconds(2100), isMeasured: true)
        course.record(.milliseconds(1), at: .milliseconds(2900), isMeasured: true)
        #expect(course.seconds.map(\.answered) == [1, 0, 2])
        #expect(course.seconds[1].latency == nil)
        #expect(course.seconds[0].latency?.longest ?? 0 >= 9000)
        #expect((990...1010).contains(course.seconds[2].latency?.median ?? 0))
        #expect((990...1010).contains(course.percentile99 ?? 0))
    }

    @Test("An answer that is reported late counts with the one before, and no time is negative")
    func order() {
        var course = LatencyCourse()
        course.record(.milliseconds(1), at: .seconds(3), isMeasured: true)
        course.record(.milliseconds(-1), at: .seconds(2), isMeasured: true)
        #expect(course.seconds.map(\.answered) == [0, 0, 0, 2])
    }

    @Test("A request counts in the second in which it was due and in the second in which it was sent")
    func requests() {
        var seconds = RequestSeconds()
        seconds.count(due: .milliseconds(900), sent: .milliseconds(2100))
        seconds.count(due: .milliseconds(999), sent: .milliseconds(999))
        #expect(seconds.due == [2])
        #expect(seconds.sent == [1, 0, 1])
    }

    @Test("A driver is late if its p99 is above the limit of its speed")
    func lateness() {
        var lateness = LiveOutcome.Lateness()
        #expect(!lateness.summary(atSpeed: 100).isTooLate)
        for _ in 0..<100 { lateness.record(.milliseconds(2)) }
        let slow = lateness.summary(atSpeed: 100)
        #expect(slow.allowed == 2500 && !slow.isTooLate)
        let fast = lateness.summary(atSpeed: 1000)
        #expect(fast.allowed == 1000 && fast.isTooLate)
    }
}
