import LiveActivityModel
import Statistics
import Testing

@testable import Traces

@Suite("Event logs of other senders, monitors and apps")
struct OtherSenderTests {
    private static let second: Int64 = 1_000_000

    private static func add(
        _ kind: LogEvent.Kind,
        at seconds: Double,
        ride: UInt64 = 1,
        to digest: inout LogDigest,
        _ change: (inout LogEvent) -> Void = { _ in }
    ) {
        var event = LogEvent(kind, at: Int64(seconds * 1e6), ride: ride)
        change(&event)
        digest.add(event)
    }

    /// Adds an update without the number of its attempt.
    private static func update(
        _ generated: Double,
        at seconds: Double,
        push: UInt64,
        answer: (status: Int, at: Double)? = nil,
        to digest: inout LogDigest
    ) {
        add(.push, at: seconds, to: &digest) {
            ($0.push, $0.generatedAt, $0.staleDate) = (push, Int64(generated * 1e6), Int64((generated + 60) * 1e6))
        }
        guard let answer else { return }
        add(.answer, at: answer.at, to: &digest) { ($0.push, $0.status) = (push, answer.status) }
    }

    @Test("Without numbers of attempts, an update with the same content repeats the one before until APNs accepts it")
    func repeated() {
        var digest = LogDigest()
        Self.add(.rideRequested, at: 0, to: &digest)
        Self.add(.stage, at: 0, to: &digest)
        Self.add(.tokenPosted, at: 1, to: &digest)
        Self.update(10, at: 10, push: 1, answer: (0, 18), to: &digest)
        Self.update(10, at: 18, push: 2, answer: (200, 18.2), to: &digest)
        #expect(digest.mostAttempts == 2 && digest.contentCount == 1)
        // After the acceptance, as for another token, that content is a new update.
        Self.update(10, at: 30, push: 3, answer: (200, 30.2), to: &digest)
        #expect(digest.mostAttempts == 2 && digest.contentCount == 2)
        digest.finish()
        #expect(digest.firstRefreshes[0]?.count == 1 && digest.refreshes[0]?.count == 1, "a repetition is no refresh")
    }

    @Test("Stages in which all updates follow each other at once have no refresh of 0 s")
    func atOnce() {
        var digest = LogDigest()
        for ride in 1...20 {
            let start = Double(ride) * 100
            Self.add(.rideRequested, at: start, ride: UInt64(ride), to: &digest)
            Self.add(.stage, at: start, ride: UInt64(ride), to: &digest)
            for step in 0..<3 {
                Self.add(.push, at: start + 10 + Double(step) * 1e-3, ride: UInt64(ride), to: &digest) {
                    ($0.push, $0.generatedAt) = (UInt64(10 * ride + step), $0.at)
                }
            }
            Self.add(.rideEnded, at: start + 90, ride: UInt64(ride), to: &digest)
        }
        digest.finish()
        let calibration = LogCalibration(digest, cleaning: LogCleaning(), stages: ["trip"], reasons: [""], name: "x")
        let refresh = calibration.yaml.split(separator: "\n").first { $0.contains("refresh:") }
        #expect(refresh?.contains("exponential") == true, "\(refresh ?? "")")
    }

    @Test(
        "Tokens of a ride that was over for long watch nothing and are no rotations; those before the request do watch"
    )
    func lateTokens() {
        var digest = LogDigest()
        Self.add(.rideRequested, at: 0, ride: 9, to: &digest)
        let late = 3.0 * 3600
        for time in [late, late + 600] { Self.add(.tokenPosted, at: time, ride: 1, to: &digest) }
        Self.add(.tokenPosted, at: late + 700, ride: 2, to: &digest)
        Self.add(.rideRequested, at: late + 702, ride: 2, to: &digest)
        Self.add(.rideEnded, at: late + 802, ride: 2, to: &digest)
        Self.add(.tokenPosted, at: late + 803, ride: 2, to: &digest)
        Self.add(.tokenPosted, at: late + 804, ride: 2, to: &digest)
        Self.add(.rideEnded, at: late + 7200, ride: 9, to: &digest)
        digest.finish()
        #expect(digest.bins.reduce(0) { $0 + $1.watched } == 100_000_000)
        #expect(digest.rotations == 0)
    }

    @Test("The first end of an activity that is given up counts; repetitions of it do not")
    func givenUp() {
        var digest = LogDigest()
        Self.add(.rideRequested, at: 0, to: &digest)
        Self.add(.tokenPosted, at: 1, to: &digest)
        Self.update(10, at: 10, push: 1, answer: (200, 10.2), to: &digest)
        for time in [310.0, 340, 430] { Self.add(.push, at: time, to: &digest) { $0.pushKind = .end } }
        digest.finish()
        #expect(digest.severeDelays.elements == [240 * Self.second])
    }

    @Test("The times of acts begin at a limit; late ones do not lengthen the interval of scans")
    func onset() {
        let spread = (0..<900).map { 20_000_000 + Int64($0) * 5_000_000 / 900 }
        let late = (0..<100).map { 40_000_000 + Int64($0) * 1_000_000 }
        let scans = LogCalibration.onset(spread + late)
        #expect(scans.time == 20 * Self.second && scans.scan == 5e6)
        let exact = LogCalibration.onset([Int64](repeating: 20_000_400, count: 95) + [25_000_000, 90_000_000])
        #expect(exact.time == 20 * Self.second && exact.scan == 0)
    }

    @Test("Ends of an initial limit are no swipes, also if the phone reports them late or APNs had accepted an update")
    func initialLimit() {
        var digest = LogDigest()
        func life(_ ride: UInt64, endsAfter end: Double, isUpdated: Bool = false) {
            let start = Double(ride) * 1000
            Self.add(.rideRequested, at: start, ride: ride, to: &digest)
            Self.add(.activityStarted, at: start, ride: ride, to: &digest)
            if isUpdated {
                Self.add(.push, at: start + 170, ride: ride, to: &digest) { $0.push = ride }
                Self.add(.answer, at: start + 171, ride: ride, to: &digest) { ($0.push, $0.status) = (ride, 200) }
            }
            Self.add(.activityEnded, at: start + end, ride: ride, to: &digest)
            Self.add(.rideEnded, at: start + 900, ride: ride, to: &digest)
        }
        for ride in 1...60 { life(UInt64(ride), endsAfter: 180.3) }
        for ride in 61...80 { life(UInt64(ride), endsAfter: 180 + 5 * Double(ride)) }
        for ride in 81...100 { life(UInt64(ride), endsAfter: 180.3, isUpdated: true) }
        // Swipes, one of them just before the limit.
        for (ride, end) in zip(101...105, [20.0, 60, 100, 140, 178]) { life(UInt64(ride), endsAfter: end) }
        digest.finish()
        let calibration = LogCalibration(digest, cleaning: LogCleaning(), stages: [], reasons: [""], name: "x")
        let (limit, ends) = calibration.initialLimit
        #expect(limit?.at == 180 * Self.second)
        #expect(ends.count == 105 && ends.count(where: \.isEvent) == 5)
    }
}
