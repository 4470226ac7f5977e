import HTTP2
import TestSupport
import Testing

/// RFC 9113 and RFC 7541 as raw frames.
///
/// Time is stopped here, so that silence is a fact and not a timeout.
@Suite struct ConformanceTests {
    @Test(arguments: ConformanceCase.all)
    func conforms(_ row: ConformanceCase) throws {
        let tally = HostileTally("RFC 9113 and RFC 7541 as raw frames", checks: 1)
        let wanted = row.exception?.comesBack ?? row.wanted
        let (answers, isConnected) = try Self.play(row)
        let isMet = Self.isMet(wanted, by: answers, isConnected: isConnected)
        #expect(tally.counts(isMet), "\(row.number) requires \(wanted), got \(answers)\(isConnected ? "" : ", closed")")
        // An obsolete exception must be deleted.
        if row.exception != nil { #expect(!Self.isMet(row.wanted, by: answers, isConnected: isConnected)) }
    }

    /// All checks of h2spec's list occur, each number once.
    @Test func isComplete() {
        let numbers = ConformanceCase.all.map(\.number)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.count { !$0.hasPrefix("own") } == 147)
        #expect(ConformanceCase.all.compactMap(\.exception).count == 2)
    }

    /// Plays a row, and returns the output after the greeting, up to the answer to a last PING.
    private static func play(_ row: ConformanceCase) throws -> (answers: [ConformanceAnswer], isConnected: Bool) {
        let side = try TestedSide(row.side, isGreeted: !row.isFirst)
        var answers: [ConformanceAnswer] = []
        for part in row.sent.split(separator: .pause) + [[.ping]] { answers += try side.send(part) }
        return (answers, side.peer.isConnected)
    }

    private static func isMet(
        _ wanted: ConformanceCase.Wanted,
        by answers: [ConformanceAnswer],
        isConnected: Bool
    ) -> Bool {
        let codes = answers.compactMap { if case .goAway(let code) = $0 { code } else { nil } }
        let resets = answers.filter { if case .reset = $0 { true } else { false } }
        // The last PING is answered if the connection is open.
        let lives = isConnected && codes.isEmpty && answers.last == .pong(RawFrame.pingPayload)
        switch wanted {
        case .lives:
            return lives && resets.isEmpty
        case .headers(let stream):
            return lives && resets.isEmpty && answers.contains(.headers(stream))
        case .data(let stream, let count):
            let counts = answers.compactMap { if case .data(stream, let count) = $0 { count } else { nil } }
            return lives && resets.isEmpty && counts.reduce(0, +) == count
        case .reset(let stream, let allowed):
            return lives && allowed.contains { resets == [.reset(stream, code: $0.rawValue)] }
        case .error(let stream, let allowed):
            return isMet(.reset(stream, allowed), by: answers, isConnected: isConnected)
                || isMet(.goAway(allowed), by: answers, isConnected: isConnected)
        case .goAway(let allowed):
            return !isConnected && allowed.contains { codes == [$0.rawValue] }
        case .closed:
            return !isConnected
        case .livesOrCloses:
            return lives || !isConnected
        case .frames(let frames):
            return lives && answers.dropLast() == frames[...]
        }
    }
}
