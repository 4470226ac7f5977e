import Experiments
import Quantities
import Reporting
import Testing

@testable import LoadGenerator

@Suite("Latencies of a live run over time")
struct LatencyCourseTests {
    @Test("A second has its own latencies, a second without responses has none, and the total excludes the warm-up")
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

    @Test("A response that is reported late counts as simultaneous with the previous one, and no latency is negative")
    func order() {
        var course = LatencyCourse()
        course.record(.milliseconds(1), at: .seconds(3), isMeasured: true)
        course.record(.milliseconds(-1), at: .seconds(2), isMeasured: true)
        #expect(course.seconds.map(\.answered) == [0, 0, 0, 2])
    }

    @Test("A request counts in the second in which it was due and in the second in which it left")
    func requests() {
        var seconds = RequestSeconds()
        seconds.count(due: .milliseconds(900), sent: .milliseconds(2100))
        seconds.count(due: .milliseconds(999), sent: .milliseconds(999))
        #expect(seconds.due == [2])
        #expect(seconds.sent == [1, 0, 1])
    }

    @Test("A driver is late if its p99 exceeds the allowance for its speed")
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
