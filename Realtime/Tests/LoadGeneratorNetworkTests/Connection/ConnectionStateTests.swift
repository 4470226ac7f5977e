import Testing

@testable import LoadGenerator

@Suite struct ConnectionStateTests {
    /// The stream limit of a token-authenticated provider: its initial value, and when it changes.
    @Test func oneStreamUntilTheTokenIsAccepted() {
        var state = ConnectionState<Int>(streamLimit: 500, showsToken: true)
        #expect(!state.hasRoom)
        state.opened()
        #expect(state.streamLimit == 1)
        #expect(state.open(10) == 1)
        #expect(!state.hasRoom)
        state.settingsReceived(streamLimit: 1000)
        #expect(state.streamLimit == 1)
        #expect(state.answered(1, objectsToToken: true) == 10)
        #expect(state.streamLimit == 1)
        #expect(state.open(11) == 3)
        #expect(state.answered(3, objectsToToken: false) == 11)
        #expect(state.streamLimit == 500)
    }

    @Test func withoutTokenSettingsAreEnough() {
        var state = ConnectionState<Int>(streamLimit: 500, showsToken: false)
        state.opened()
        #expect(state.streamLimit == 1)
        state.settingsReceived(streamLimit: nil)
        #expect(state.streamLimit == 500)
    }

    @Test(arguments: [(own: 10, peer: 3, limit: 3), (own: 3, peer: 10, limit: 3), (own: 5, peer: 0, limit: 0)])
    func theLowerLimitHolds(own: Int, peer: Int, limit: Int) {
        var state = ConnectionState<Int>(streamLimit: own, showsToken: false)
        state.opened()
        state.settingsReceived(streamLimit: peer)
        #expect(state.streamLimit == limit)
        var opened = 0
        while state.hasRoom {
            _ = state.open(opened)
            opened += 1
        }
        #expect(opened == limit)
    }

    @Test func aFallingLimitEndsNothing() {
        var state = standing(limit: 4)
        for request in 0..<4 { _ = state.open(request) }
        state.settingsReceived(streamLimit: 1)
        #expect(state.inFlight == 4)
        for stream: Int32 in [1, 3, 5] {
            _ = state.answered(stream, objectsToToken: false)
            #expect(!state.hasRoom)
        }
        _ = state.answered(7, objectsToToken: false)
        #expect(state.hasRoom)
        // Other settings leave the limit unchanged.
        state.settingsReceived(streamLimit: nil)
        #expect(state.streamLimit == 1)
    }

    @Test func goAwayGivesBackWhatWasNotActedOn() {
        var state = standing(limit: 10)
        for request in 0..<5 { _ = state.open(request) }
        #expect(state.goAwayReceived(lastStream: 5) == [3, 4])
        #expect(state.phase == .draining)
        #expect(!state.hasRoom)
        #expect(!state.isSpent)
        #expect(state.answered(1, objectsToToken: false) == 0)
        #expect(state.answered(7, objectsToToken: false) == nil)
        // A second GOAWAY may name a lower stream.
        #expect(state.goAwayReceived(lastStream: 3) == [2])
        #expect(state.ended(3) == 1)
        #expect(state.isSpent)
    }

    @Test func aLostConnectionLosesAllInOrder() {
        var state = standing(limit: 10)
        for request in 0..<5 { _ = state.open(request) }
        _ = state.ended(5)
        #expect(state.closed() == [0, 1, 3, 4])
        #expect(state.phase == .closed)
        #expect(!state.hasRoom)
        #expect(state.goAwayReceived(lastStream: 0) == [])
        #expect(state.phase == .closed)
    }

    @Test func whatIsNoStreamHasNoTicket() {
        var state = standing(limit: 2)
        #expect(state.answered(1, objectsToToken: false) == nil)
        #expect(state.ended(99) == nil)
        #expect(state.request(of: 1) == nil)
    }

    private func standing(limit: Int) -> ConnectionState<Int> {
        var state = ConnectionState<Int>(streamLimit: limit, showsToken: false)
        state.opened()
        state.settingsReceived(streamLimit: 1000)
        return state
    }
}
