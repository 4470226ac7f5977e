import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// The screen of one Live Activity, derived from its payloads: a host of the simulator's ``PhoneStation``.
///
/// The stand-in first learns of an activity by a push. Unless that is a start, the app has begun the activity unseen,
/// with content older than any push's. As on the simulator's phones, a start for a ride whose screen is live or over
/// changes nothing. A token that names no ride can start one activity after another.
///
/// ```
///   fresh ◄──► stale        stale-date passes; an update with a later one arrives
///     └────┬─────┘
///        ended ──► gone     at the dismissal date, at most four hours later
/// ```
struct PhoneScreen: Hashable, Sendable {
    private var phone = PhoneStation()
    private var starts = PushStarts()
    /// The time at which the card of an ended activity is removed, on the payloads' clock.
    private var dismissedAt = Instant.start
    /// The broadcast channel that its card follows; `nil` for a card with an update token.
    var channel: String?

    /// The effect of a push.
    enum Effect: Hashable, Sendable {
        /// An effect that the simulator's phones also have.
        case judged(PhoneStation.Effect)
        /// An unknown event, not start, update or end.
        case unknownEvent
        /// A start without attributes or their type, which the system drops.
        case startWithoutAttributes
        /// A start that names a channel and asks for a token.
        case startWithTwoInputs
        /// A start with a channel that does not exist.
        case startWithoutChannel
        /// A start that the simulator's phones drop, too.
        case startDropped(PushStarts.Drop)

        /// All effects, with their names in metrics and logs.
        static let names: [(name: String, effect: Effect)] = [
            ("shown", .judged(.shows)), ("started", .judged(.starts)), ("duplicate", .judged(.duplicate)),
            ("ended", .judged(.ends)), ("older", .judged(.older)), ("after_end", .judged(.afterEnd)),
            ("throttled", .judged(.throttled)), ("unknown_event", .unknownEvent),
            ("undecodable", .judged(.undecodable)), ("start_without_alert", .startDropped(.noAlert)),
            ("start_without_attributes", .startWithoutAttributes), ("start_with_two_inputs", .startWithTwoInputs),
            ("start_without_channel", .startWithoutChannel),
            ("start_over_budget", .startDropped(.overBudget)), ("start_stale", .startDropped(.stale)),
        ]

        /// The name in metrics and logs.
        var name: String { Effect.names.first { $0.effect == self }?.name ?? "unknown" }
    }

    /// Returns the effect of a payload that the system drops before it reaches a screen; `nil` if it is not dropped.
    static func effect(ofDropping push: ActivityPayload) -> Effect? {
        switch push.missingPart {
        case .content: .judged(.undecodable)
        // The phone's station decides, because such a start takes its part of the budget.
        case .alert: nil
        case .attributes: .startWithoutAttributes
        case .singleInput: .startWithTwoInputs
        case nil: nil
        }
    }

    /// The state of the screen.
    enum Display: Hashable, Sendable {
        case fresh, stale, ended, gone
    }

    /// Handles a push that reaches the phone, at an instant of UNIX time like the payloads' dates.
    ///
    /// - Parameter namesRide: `true` if its token belongs to one ride, and a start to one activity.
    mutating func receive(
        _ push: ActivityPayload,
        namesRide: Bool = true,
        isImmediate: Bool,
        isFromChannel: Bool = false,
        at now: Instant,
        rules: PhoneStation.Rules
    ) -> Effect {
        guard let event = push.event else { return .unknownEvent }
        if event != .start, phone.phase == .waiting {
            phone.started(with: phone.content, timestamp: .min)
        }
        let timestamp = PhoneScreen.rank(push.timestamp)
        let content = ContentStamp(
            generatedAt: PhoneScreen.instant(push.timestamp) ?? .start,
            staleDate: PhoneScreen.instant(push.staleDate) ?? .never
        )
        if event == .start {
            if let drop = starts.arrived(
                hasAlert: push.alert != nil,
                staleDate: content.staleDate,
                at: now,
                rules: rules
            ) {
                return .startDropped(drop)
            }
            if !namesRide { phone.awaitAnother() }
        }
        let effect = phone.pushArrived(
            event,
            isFromChannel: isFromChannel,
            timestamp: timestamp,
            priority: isImmediate ? .immediate : .considerate,
            at: now,
            rules: rules
        )
        switch effect {
        case .starts:
            phone.started(with: content, timestamp: timestamp)
        case .shows:
            phone.show(content, timestamp: timestamp)
        case .ends:
            phone.ended()
            let date = PhoneScreen.instant(push.dismissalDate)
            dismissedAt = PhoneStation.dismissal(askedFor: date, endedAt: now)
        case .duplicate, .older, .throttled, .undecodable, .afterEnd:
            break
        }
        return .judged(effect)
    }

    /// Returns the state of the screen at a time [UNIX µs].
    func display(at now: Instant) -> Display {
        guard phone.phase == .live else { return now < dismissedAt ? .ended : .gone }
        return now < phone.content.staleDate ? .fresh : .stale
    }

    /// Returns the rank of a timestamp among all timestamps.
    ///
    /// It increases with the number, whatever its unit: providers that use milliseconds or nanoseconds by mistake also
    /// give later pushes higher timestamps. A phone only compares timestamps.
    private static func rank(_ seconds: Double) -> Int64 {
        guard seconds.isFinite else { return .min }
        // The bits of a positive number increase with it; those of a negative number decrease.
        let bits = Int64(bitPattern: (seconds + 0).bitPattern)
        return bits < 0 ? bits ^ .max : bits
    }

    /// Returns an instant of UNIX time, at most 4·10¹² s away; `nil` without a number.
    static func instant(_ seconds: Double?) -> Instant? {
        seconds.flatMap {
            $0.isFinite ? Instant(microseconds: Int64(max(-4e12, min($0, 4e12)) * 1_000_000)) : nil
        }
    }
}

/// The effects of pushes at the phones, and the state of their screens.
struct ScreenTally: Sendable {
    var fresh = 0
    var stale = 0
    var ended = 0

    /// The number of pushes per effect.
    var effects: [PhoneScreen.Effect: Int] = [:]
    /// The number of alerts that lit up a screen, those of starts included.
    var alerts = 0
    /// The number of pushes without room for their screen.
    var withoutRoom = 0

    /// The age of content when it was shown, from the payload's timestamp, cumulative by ``ageBounds``; the last is the
    /// total.
    var ages = [Int](repeating: 0, count: ScreenTally.ageBounds.count + 1)
    var ageSum = 0.0

    /// The bounds of the age classes [s].
    static let ageBounds: [Double] = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600]

    mutating func count(_ effect: PhoneScreen.Effect, age: Double, hasAlert: Bool) {
        effects[effect, default: 0] += 1
        if hasAlert, [.judged(.starts), .judged(.shows)].contains(effect) { alerts += 1 }
        guard [.judged(.starts), .judged(.shows), .judged(.ends)].contains(effect) else { return }
        for place in ScreenTally.ageBounds.indices where age <= ScreenTally.ageBounds[place] {
            ages[place] += 1
        }
        ages[ScreenTally.ageBounds.count] += 1
        ageSum += max(0, age)
    }
}
