import FreshnessCore
import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

@Suite("The next event of an activity")
struct AgendaTests {
    private static let instant = Instant(microseconds: 1_000_000)

    /// An activity whose timers are all set to one instant.
    private static var activity: Activity {
        var activity = Activity(ride: 1, requestedAt: .start, traceRow: -1)
        activity.registration = .tokenPost
        activity.registrationAlarm.note(instant)
        activity.rotationAlarm.note(instant)
        activity.movesOnAt = instant
        activity.refreshAlarm.note(instant)
        _ = activity.deviceReminder.remind(at: instant)
        _ = activity.monitorReminder.remind(at: instant)
        return activity
    }

    /// A push whose response and delivery are due at one instant.
    private static func push(_ response: Push.Response) -> Push {
        let content = ContentStamp(generatedAt: .start, staleDate: .never)
        var push = Push(
            activity: 0,
            ride: 1,
            life: 1,
            kind: .update,
            priority: .immediate,
            index: 0,
            rank: 0,
            passage: SenderPassage(offeredAt: .start),
            payload: Push.Payload(content: content, timestamp: 0, bytes: 0, photo: nil)
        )
        (push.response, push.responseDue, push.deliveryDue) = (response, instant, instant)
        return push
    }

    /// The events of one instant as the agenda gives them, each removed once it was next.
    private static func order(_ push: Push) -> [EventKind] {
        var (activity, push) = (activity, push)
        var order: [EventKind] = []
        while order.count < 100 {
            let next = withUnsafeMutablePointer(to: &activity) { activity in
                withUnsafeMutablePointer(to: &push) { push in
                    Agenda(of: Handle(entity: activity, number: 0), Handle(entity: push, number: 0))
                }
            }
            guard next.at != .never else { break }
            order.append(next.kind)
            switch next.kind {
            case .response, .silence: push.responseDue = .never
            case .delivery: push.deliveryDue = .never
            case .registration: activity.registration = .idle
            case .rotation: activity.rotationAlarm = Alarm()
            case .ride: activity.movesOnAt = .never
            case .refresh: activity.refreshAlarm = Alarm()
            case .device: _ = activity.deviceReminder.comesUp(at: instant)
            case .monitor: _ = activity.monitorReminder.comesUp(at: instant)
            default: Issue.record("an event of no activity: \(next.kind)")
            }
        }
        return order
    }

    @Test(
        "Events of one instant are taken by priority, then by place",
        arguments: [(Push.Response.accepted, EventKind.response), (.timedOut, .silence)]
    )
    func ties(response: Push.Response, end: EventKind) {
        let order = Self.order(Self.push(response))
        let keys = order.map { ($0.priority.rank, $0.place) }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Set(order).count == 8)
        #expect(order.contains(end))
    }

    @Test("The earliest event is next, whatever its kind")
    func earliest() {
        var activity = Self.activity
        let sooner = Instant(microseconds: 999_999)
        _ = activity.monitorReminder.remind(at: sooner)
        let next = withUnsafeMutablePointer(to: &activity) { Agenda(of: Handle(entity: $0, number: 0)) }
        #expect(next.at == sooner)
        #expect(next.kind == .monitor)
    }
}
