import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// One Live Activity's screen, as its payloads make it: a host of the simulator's ``PhoneStation``.
///
/// The stand-in first hears of an activity by a push. Unless that is a start, the app has begun the activity unseen, with
/// content older than any push's. A start at a screen of a ride that is live or over changes nothing, as at the simulator's
/// phones; a token that names no ride starts one activity after another.
///
/// ```
///   fresh ◄──► stale        stale-date passes; an update with a later one comes
///     └────┬─────┘
///        ended ──► gone     at the dismissal date, at most four hours later
/// ```
struct PhoneScreen: Hashable, Sendable {
    private var phone = PhoneStation()
    /// When the card of an activity that is over goes, on the payloads' clock.
    private var dismissedAt = Instant.start

    /// What a push does.
    enum Effect: Hashable, Sendable {
        /// It is judged as the simulator's phones judge it.
        case judged(PhoneStation.Effect)
        /// An event that is none of start, update and end.
        case unknownEvent
        /// A start without an alert, which the system drops.
        case startWithoutAlert
        /// A start without attributes or their type, which the system drops.
        case startWithoutAttributes

        /// All effects, with their names in metrics and logs.
        static let names: [(name: String, effect: Effect)] = [
            ("shown", .judged(.shows)), ("started", .judged(.starts)), ("duplicate", .judged(.duplicate)),
            ("ended", .judged(.ends)), ("older", .judged(.older)), ("after_end", .judged(.afterEnd)),
            ("throttled", .judged(.throttled)), ("unknown_event", .unknownEvent),
            ("undecodable", .judged(.undecodable)), ("start_without_alert", .startWithoutAlert),
            ("start_without_attributes", .startWithoutAttributes),
        ]

        /// Its name in metrics and logs.
        var name: String { Effect.names.first { $0.effect == self }?.name ?? "unknown" }
    }

    /// The effect of a payload that the system drops before it reaches a screen; nil: it does not drop it.
    static func effect(ofDropping push: ActivityPayload) -> Effect? {
        switch push.missingPart {
        case .content: .judged(.undecodable)
        case .alert: .startWithoutAlert
        case .attributes: .startWithoutAttributes
        case nil: nil
        }
    }

    /// What the screen shows.
    enum Display: Hashable, Sendable {
        case fresh, stale, ended, gone
    }

    /// A push reaches the phone, at an instant of UNIX time as the payloads' dates are.
    ///
    /// - Parameter namesRide: Whether its token belongs to one ride, and a start to one activity.
    mutating func receive(
        _ push: ActivityPayload,
        namesRide: Bool = true,
        isImmediate: Bool,
        at now: Instant,
        rules: PhoneStation.Rules
    ) -> Effect {
        guard let event = push.event else { return .unknownEvent }
        if event == .start, !namesRide { phone.awaitAnother() }
        if event != .start, phone.phase == .waiting {
            phone.started(with: phone.content, timestamp: .min)
        }
        let timestamp = PhoneScreen.rank(push.timestamp)
        let content = ContentStamp(
            generatedAt: PhoneScreen.instant(push.timestamp) ?? .start,
            staleDate: PhoneScreen.instant(push.staleDate) ?? .never
        )
        let effect = phone.pushArrived(
            event,
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

    /// What the screen shows at a moment [UNIX µs].
    func display(at now: Instant) -> Display {
        guard phone.phase == .live else { return now < dismissedAt ? .ended : .gone }
        return now < phone.content.staleDate ? .fresh : .stale
    }

    /// The rank of a timestamp among all timestamps.
    ///
    /// It rises with the number, whatever its unit: providers that stamp in milliseconds or nanoseconds by mistake stamp
    /// later pushes higher, too. Order is all that a phone asks of timestamps.
    private static func rank(_ seconds: Double) -> Int64 {
        guard seconds.isFinite else { return .min }
        // The bits of a positive number rise with it, those of a negative one fall.
        let bits = Int64(bitPattern: (seconds + 0).bitPattern)
        return bits < 0 ? bits ^ .max : bits
    }

    /// An instant of UNIX time, 4·10¹² s away at most; nil without a number.
    static func instant(_ seconds: Double?) -> Instant? {
        seconds.flatMap {
            $0.isFinite ? Instant(microseconds: Int64(max(-4e12, min($0, 4e12)) * 1_000_000)) : nil
        }
    }
}

/// What the phones have made of pushes, and what their screens show.
struct ScreenTally: Sendable {
    var fresh = 0
    var stale = 0
    var ended = 0

    /// How many pushes had each effect.
    var effects: [PhoneScreen.Effect: Int] = [:]
    /// How many pushes found no room for their screen.
    var withoutRoom = 0

    /// How old content was when it was shown, from the payload's timestamp, cumulative by ``ageBounds``; the last is all.
    var ages = [Int](repeating: 0, count: ScreenTally.ageBounds.count + 1)
    var ageSum = 0.0

    /// [s].
    static let ageBounds: [Double] = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600]

    mutating func count(_ effect: PhoneScreen.Effect, age: Double) {
        effects[effect, default: 0] += 1
        guard [.judged(.starts), .judged(.shows), .judged(.ends)].contains(effect) else { return }
        for place in ScreenTally.ageBounds.indices where age <= ScreenTally.ageBounds[place] {
            ages[place] += 1
        }
        ages[ScreenTally.ageBounds.count] += 1
        ageSum += max(0, age)
    }
}
