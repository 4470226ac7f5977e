import NIOCore
import Quantities
import SimulationKernel
import Testing
import Wire

@testable import LoadGenerator

@Suite("Shares of a load")
struct LoadShareTests {
    @Test("A share is K/N, counted from 1", arguments: ["1/1", "3/8", "8/8", "1000/1000"])
    func text(_ text: String) throws {
        #expect(try #require(LoadShare(text)).text == text)
    }

    @Test(
        "Anything else is rejected",
        arguments: [
            "", "3", "0/8", "9/8", "3/0", "3/1001", "-1/8", "+1/8", "1/8/2", "3/", "/8", "3 / 8", "1.5/8", "٣/8",
        ]
    )
    func refused(_ text: String) {
        #expect(LoadShare(text) == nil)
    }

    @Test("Together the shares have all of the first arrivals")
    func counts() {
        for count in 1...9 {
            for first in 0...40 {
                let parts = (1...count).map { LoadShare($0, of: count).count(among: first) }
                #expect(parts.reduce(0, +) == first)
                let own = (1...count).map { share in (0..<first).count { $0 % count == share - 1 } }
                #expect(parts == own)
            }
        }
    }

    /// A planned push.
    private struct Planned: Hashable {
        let number: Int
        let due: Int64
        let id: RequestID
    }

    /// The pushes of the lanes of a share, in the order of ``LoadLane``.
    private func planned(
        _ plan: RatePlan,
        _ process: ArrivalProcess,
        share: LoadShare,
        lanes: Int
    ) -> [Planned] {
        let tokens = (0..<7).map { DeviceToken(ride: UInt64($0), number: 0) }
        return (0..<lanes)
            .flatMap { lane in
                var (next, stride) = share.arrivals(ofLane: lane, of: lanes)
                let draws = RandomSource(seed: 5, replication: 0)
                var times = ArrivalTimes(plan, process: process, random: draws, purpose: 1)
                var pushes: [Planned] = []
                var due = times.next(skipping: next)
                while let instant = due {
                    let request = LoadRequest(number: UInt64(next), due: .now(), now: .now())
                    let id = PushTarget.requestID(of: request, tokens: tokens)
                    pushes.append(Planned(number: next, due: instant, id: id))
                    next += stride
                    due = times.next(skipping: stride - 1)
                }
                return pushes
            }
    }

    @Test(
        "All shares together send the pushes of one generator: equal numbers, ids and nanoseconds",
        arguments: [ArrivalProcess.even, .poisson]
    )
    func planEquality(_ process: ArrivalProcess) throws {
        let plan = try RatePlan.ramp(from: 50, to: 400, over: .seconds(2), for: .seconds(3))
        let whole = planned(plan, process, share: .whole, lanes: 1)
        #expect(whole.map(\.number) == Array(0..<whole.count) && whole.count > 700)
        for (count, lanes) in [(1, 3), (2, 1), (3, 2), (8, 1), (8, 4), (1000, 1)] {
            let parts = (1...count).flatMap { planned(plan, process, share: LoadShare($0, of: count), lanes: lanes) }
            #expect(parts.sorted { $0.number < $1.number } == whole, "\(count) shares, \(lanes) lanes")
        }
    }
}
