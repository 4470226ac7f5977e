import FreshnessCore
import LiveActivityModel
import Quantities
import Testing

/// An APNs that can be held against others: the simulated one, one in this process, or one over a network.
protocol APNsBackend: Sendable {
    /// What becomes of the requests that the only cell of a world makes.
    func endings(in world: World) async throws -> [UInt64: Ending]
}

/// What became of a ride's requests.
struct Ending: Hashable, Sendable {
    /// What its sender heard, in the order in which it did.
    var answers: [Answer] = []
    /// What became of its pushes that were accepted, in that order.
    var fates: [Fate] = []
    /// From the first request to the first arrival; nil without one.
    var latency: TimeSpan?
    /// Whether its pushes arrived in the order in which they were sent.
    var isInOrder = true

    /// The ending without times and order.
    var outline: Outline { Outline(answers: answers, fates: fates) }

    struct Outline: Hashable, Sendable {
        var answers: [Answer]
        var fates: [Fate]
    }

    enum Answer: Hashable, Sendable {
        case accepted
        case refused(APNsReason)
        /// Nothing, by the end of the sender's patience.
        case silence
    }

    enum Fate: Hashable, Sendable {
        /// At the phone, whatever that makes of it.
        case arrived
        /// Lost on its way, or for a token that had died.
        case lost
    }
}

/// The backends, as arguments of tests.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
    case simulated
    case inProcess
    case standIn

    var apns: any APNsBackend {
        switch self {
        case .simulated: SimulatedBackend()
        case .inProcess: InProcessBackend()
        case .standIn: StandInBackend()
        }
    }

    /// One that serves on several threads, where it has threads.
    var threadedAPNs: any APNsBackend {
        switch self {
        case .simulated: SimulatedBackend()
        case .inProcess: InProcessBackend()
        case .standIn: StandInBackend(threads: 3)
        }
    }

    var testDescription: String { rawValue }
}
