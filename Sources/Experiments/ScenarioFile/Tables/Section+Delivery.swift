import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

extension Section where Whole == Scenario.APNs {
    static var apns: Section {
        Section("Apple's push service.", Scenario.APNs()) {
            Field("latency", \.latency, .durations).means("The way to a connected phone, from where latency_from says.")
            Field("latency_from", \.latencyFrom, .name)
                .means(
                    "From where the latency counts; response: a push whose acceptance is not heard is not delivered."
                )
            Field("loss", \.loss, .share).means("Accepted pushes that never arrive.")
            Field("considerate_loss", \.considerateLoss, .optional(.share, .inherit))
                .means("The same for pushes of priority 5; inherit: as loss.")
            Field("capacity", \.capacity, .optional(.section(.capacity), .noLimit))
                .means("The push service of a cell as a queue; unlimited: room for every request at once.")
            Field("reasons", \.reasons, .reasonShares).means("Requests refused, by APNs' reason.")
            Field("expired_token_lag", \.expiredTokenLag, .durations)
                .means("From the death of a token to APNs' first 410 for it.")
            Field("expiration", \.expiration, .duration(.zero ... .hours(24 * 30)))
                .means("How long APNs keeps a push for a phone without connection; 0s: not at all.")
            Field("end_expiration", \.endExpiration, .duration(.zero ... .hours(24 * 30)))
                .means("The same for end events, which lose nothing by coming late.")
            Field("storage", \.storage, .name).means("How many pushes APNs keeps for a phone without connection.")
            Field("reorder", \.reorder, .boolean).means("Whether a later push may overtake an earlier one.")
            Field("script", \.script, .optional(.list(of: .scriptedOutcome, count: 0...1000), .off).seldom)
                .means("What becomes of the first pushes of each activity, in order; later ones are lost.")
        }
    }
}

extension Section where Whole == Scenario.Capacity {
    static var capacity: Section {
        Section("The push service of a cell as a queue with servers.", Scenario.Capacity()) {
            Field("servers", \.servers, .integer(1...1_000_000)).means("How many requests are served at a time.")
            Field("service_time", \.serviceTime, .durations).means("The service of one request at full speed.")
            Field("order", \.order, .name).means("Which request is served next: the oldest or the newest.")
            Field("drop_expired", \.dropExpired, .boolean)
                .means("Whether a request older than sender.timeout is discarded when its turn comes, at no cost.")
        }
    }
}

extension Notation where Value == [Scenario.ReasonShare] {
    /// A mapping of APNs' reasons to shares; written in the order of Apple's table.
    static var reasonShares: Notation {
        let reasons = APNsReason.allCases
        return Notation(
            read: { node, path, reading in
                guard let entries = node.mapping else {
                    let example = "allowed: {} or reasons with shares, as {TooManyRequests: 0.1%}"
                    reading.refuse(path, at: node.place, "must be a section, got \(node.excerpt); \(example)")
                    return nil
                }
                var shares: [APNsReason: Probability] = [:]
                for entry in entries {
                    guard let reason = APNsReason(rawValue: entry.key) else {
                        let advice = Suggestion.advice(for: entry.key, among: reasons.map(\.rawValue))
                        let found = ScenarioNode.quoted(entry.key)
                        reading.refuse(path, at: entry.keyPlace, "must hold reasons of APNs, got \(found); \(advice)")
                        continue
                    }
                    let sharePath = Reading.path(path, entry.key)
                    reading.visit(sharePath, at: entry.value.place)
                    shares[reason] = Notation<Probability>.share.read(entry.value, sharePath, &reading)
                }
                return reasons.compactMap { reason in
                    shares[reason].map { Scenario.ReasonShare(reason: reason, share: $0) }
                }
            },
            write: { shares in
                .mapping(
                    shares.map { .init(key: $0.reason.rawValue, value: Notation<Probability>.share.write($0.share)) },
                    isCompact: false
                )
            },
            schema: [
                "type": "object", "additionalProperties": false,
                "properties": .mapping(
                    reasons.map { .init(key: $0.rawValue, value: Notation<Probability>.share.schema()) },
                    isCompact: false
                ),
            ],
            draw: { draws, _ in
                reasons.filter { _ in draws.number(0...3) == 0 }
                    .map { Scenario.ReasonShare(reason: $0, share: Probability(0.05)) }
            }
        )
    }
}

extension Notation where Value == Scenario.ScriptedOutcome {
    /// `lost`, or `delivered` or `token_dead` with a latency.
    static var scriptedOutcome: Notation {
        let latency = Notation<TimeSpan>.duration()
        return Notation(
            read: { node, path, reading in
                if node.scalar == "lost" { return .lost }
                if let entries = node.mapping, let entry = entries.first, entries.count == 1 {
                    let latencyPath = Reading.path(path, entry.key)
                    switch entry.key {
                    case "delivered":
                        return latency.read(entry.value, latencyPath, &reading).map { .delivered(after: $0) }
                    case "token_dead":
                        return latency.read(entry.value, latencyPath, &reading).map { .tokenDead(after: $0) }
                    default: break
                    }
                }
                let allowed = "allowed: lost, {delivered: 1500ms}, {token_dead: 200ms}"
                reading.refuse(path, at: node.place, "must be the fate of a push, got \(node.excerpt); \(allowed)")
                return nil
            },
            write: { outcome in
                switch outcome {
                case .lost: .word("lost")
                case .delivered(let span): .compact(["delivered": latency.write(span)])
                case .tokenDead(let span): .compact(["token_dead": latency.write(span)])
                }
            },
            schema: [
                "anyOf": [
                    ["const": "lost"],
                    [
                        "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
                        "properties": ["delivered": latency.schema(), "token_dead": latency.schema()],
                    ],
                ]
            ],
            draw: { draws, _ in
                let span = draws.seconds(0...3)
                return draws.one(of: [.lost, .delivered(after: span), .delivered(after: span), .tokenDead(after: span)])
            }
        )
    }
}
