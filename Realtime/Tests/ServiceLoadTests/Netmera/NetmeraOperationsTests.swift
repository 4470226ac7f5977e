import LoadGenerator
import ServiceLoad
import Testing

@Suite struct NetmeraOperationsTests {
    /// Every operation concerns an activity that exists after the earlier operations.
    @Test(arguments: [4, 5, 1000]) func everythingIsAskedOfSomethingThatIsThere(groups: Int) {
        let operations = NetmeraOperations(groups: groups, seed: 1)
        var live = Set(0..<groups)
        var started: Set<Int> = []
        var counts: [NetmeraOperations.Kind: Int] = [:]
        for number in 0..<10_000 {
            let operation = operations.operation(number)
            #expect(operation.user == operation.ride % groups)
            counts[operation.kind, default: 0] += 1
            switch operation.kind {
            case .start: #expect(started.insert(operation.ride).inserted)
            case .token:
                #expect(started.contains(operation.ride))
                #expect(live.insert(operation.ride).inserted)
            case .update: #expect(live.contains(operation.ride))
            case .end: #expect(live.remove(operation.ride) != nil)
            }
        }
        #expect(live.count == groups)
        #expect(counts == [.start: 100, .token: 100, .end: 100, .update: 9700])
    }

    @Test func updatesAloneStayWithTheSameGroups() {
        let operations = NetmeraOperations(groups: 4, isTurningOver: false, seed: 1)
        let asked = (0..<1000).map { operations.operation($0) }
        #expect(asked.allSatisfy { $0.kind == .update })
        #expect(Set(asked.map(\.ride)) == [0, 1, 2, 3])
    }

    @Test func tokensAreAllDifferent() {
        let operations = NetmeraOperations(groups: 100, seed: 1)
        let tokens = (0..<100).flatMap { [operations.updateToken(ride: $0), operations.starterToken(user: $0)] }
        #expect(Set(tokens).count == 200)
    }
}
