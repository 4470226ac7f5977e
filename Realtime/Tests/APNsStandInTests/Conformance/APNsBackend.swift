import FreshnessCore
import LiveActivityModel
import Quantities
import Testing

/// An APNs that can be compared with others: the simulated one, one in this process, or one over a network.
protocol APNsBackend: Sendable {
    /// Returns the outcomes of the requests of a world's only cell.
    func endings(in world: World) async throws -> [UInt64: Ending]
}

/// The outcomes of a ride's requests.
struct Ending: Hashable, Sendable {
    /// The answers that its sender received, in order.
    var answers: [Answer] = []
    /// The outcomes of its accepted pushes, in the same order.
    var fates: [Fate] = []
    /// The time from the first request to the first arrival; `nil` without an arrival.
    var latency: TimeSpan?
    /// `true` if its pushes arrived in the order of sending.
    var isInOrder = true

    /// The outcome without times and order.
    var outline: Outline { Outline(answers: answers, fates: fates) }

    struct Outline: Hashable, Sendable {
        var answers: [Answer]
        var fates: [Fate]
    }

    enum Answer: Hashable, Sendable {
        case accepted
        case refused(APNsReason)
        /// No answer until the sender's timeout.
        case silence
    }

    enum Fate: Hashable, Sendable {
        /// Arrived at the phone, whatever the phone does with it.
        case arrived
        /// Lost on its way, or because its token was invalid.
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

    /// The backend with several threads, if it has threads.
    var threadedAPNs: any APNsBackend {
        switch self {
        case .simulated: SimulatedBackend()
        case .inProcess: InProcessBackend()
        case .standIn: StandInBackend(threads: 3)
        }
    }

    var testDescription: String { rawValue }
}
