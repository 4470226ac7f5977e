import FreshnessCore
import Quantities
import Testing

@testable import LiveActivityModel

@Suite("RefusalTable")
struct RefusalTableTests {
    private static let table = RefusalTable([
        .init(reason: .tooManyRequests, share: Probability(0.25)),
        .init(reason: .unregistered, share: Probability(0.125)),
        .init(reason: .shutdown, share: Probability(0.5)),
    ])

    /// A uniform draw at a fraction of its range.
    private static func draw(_ fraction: Double) -> UInt64 { UInt64(fraction * 0x1p64) }

    @Test(
        "Reasons have consecutive shares of the draws",
        arguments: [
            (draw(0), APNsReason.tooManyRequests), (draw(0.25) - 2, .tooManyRequests), (draw(0.25), .unregistered),
            (draw(0.375) - 2, .unregistered), (draw(0.375), .shutdown), (draw(0.875) - 2, .shutdown),
            (draw(0.875), nil), (UInt64.max, nil),
        ] as [(UInt64, APNsReason?)]
    )
    func shares(draw: UInt64, reason: APNsReason?) {
        #expect(Self.table.reason(for: draw) == reason)
    }

    @Test("Shares that add up to one leave no draws")
    func whole() {
        let half = Probability(0.5)
        let table = RefusalTable([.init(reason: .forbidden, share: half), .init(reason: .shutdown, share: half)])
        #expect(table.reason(for: .max) == .shutdown)
    }

    @Test("Without reasons there are no rejections")
    func empty() {
        #expect(RefusalTable([]).reason(for: .max) == nil)
        #expect(RefusalTable([]).reason(for: 0) == nil)
    }

    @Test("A single reason for all draws, and reasons without draws")
    func certain() {
        let all = RefusalTable([.init(reason: .badDeviceToken, share: .always)])
        let none = RefusalTable([.init(reason: .badDeviceToken, share: .never)])
        for draw in [0, 1, .max >> 1, 1 << 63, .max - 1, .max] as [UInt64] {
            #expect(all.reason(for: draw) == .badDeviceToken)
            #expect(none.reason(for: draw) == nil)
        }
    }

    @Test("A reason without a share is skipped, even at the boundaries of its neighbours")
    func passedOver() {
        let table = RefusalTable([
            .init(reason: .forbidden, share: .never),
            .init(reason: .shutdown, share: Probability(0x1p-63)),
            .init(reason: .unregistered, share: .never),
            .init(reason: .tooManyRequests, share: Probability(0x1p-62)),
            .init(reason: .forbidden, share: .never),
        ])
        // Draws count in pairs: 63 bits of 64.
        let found = (0..<10).map { table.reason(for: $0) }
        let expected: [APNsReason?] =
            [.shutdown, .shutdown, .tooManyRequests, .tooManyRequests, .tooManyRequests, .tooManyRequests]
            + [nil, nil, nil, nil]
        #expect(found == expected)
    }
}
