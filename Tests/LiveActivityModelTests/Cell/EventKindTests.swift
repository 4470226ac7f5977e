import SimulationKernel
import Testing

@testable import LiveActivityModel

@Suite("Event kinds")
struct EventKindTests {
    @Test("A word preserves its kind, for any subject", arguments: EventKind.allCases)
    func words(kind: EventKind) {
        for subject in [0, 1, 255, 256, UInt32(EventWord.subjectLimit) - 1] {
            let word = EventWord(kind: kind.rawValue, subject: subject)
            #expect(EventKind(word) == kind)
            #expect(word.subject == subject)
        }
    }

    @Test("Kinds are numbered without gaps, within the bits of a word")
    func numbers() {
        #expect(EventKind.allCases.map(\.rawValue) == (0..<UInt8(EventKind.allCases.count)).map { $0 })
        #expect(EventKind.allCases.count <= EventWord.kindLimit)
    }

    @Test("An event concerns an activity, a push, or neither")
    func subjects() {
        #expect(
            EventKind.allCases.filter(\.concernsActivity) == [
                .ride, .refresh, .registration, .rotation, .device, .monitor, .postponed,
            ]
        )
        #expect(
            EventKind.allCases.filter(\.concernsPush) == [
                .response, .delivery, .patience, .requeue, .service, .silence, .content,
            ]
        )
    }

    @Test("At one instant, faults come first and scans last, and no two ranks are equal")
    func priorities() {
        let ranks: [EventPriority] = [
            .fault, .service, .answer, .turn, .delivery, .silence, .token, .patience, .update, .device, .monitor, .scan,
        ]
        #expect(ranks == ranks.sorted())
        #expect(Set(ranks).count == ranks.count)
    }
}
