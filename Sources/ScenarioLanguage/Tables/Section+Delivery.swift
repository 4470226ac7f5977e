import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import TextFormats

extension Section where Whole == Scenario.APNs {
    static var apns: Section {
        Section("Apple's push service.", Scenario.APNs()) {
            Field("latency", \.latency, .durations)
                .means("Delivery time to a connected phone; latency_from states where it starts.")
            Field("latency_from", \.latencyFrom, .name)
                .means(
                    "Start of apns.latency. With response, a push whose answer is lost is not delivered."
                )
            Field("loss", \.loss, .share).means("Share of accepted pushes that never arrive.")
            Field("considerate_loss", \.considerateLoss, .optional(.share, .inherit))
                .means("Share of accepted pushes of priority 5 that never arrive; inherit: apns.loss.")
            Field("capacity", \.capacity, .optional(.section(.capacity), .noLimit))
                .means(
                    "Capacity of the push service for a cell, as a queue; unlimited: every request is served at once."
                )
            Field("reasons", \.reasons, .reasonShares).means("Share of requests rejected, by APNs reason.")
            Field("expired_token_lag", \.expiredTokenLag, .durations)
                .means("Time from the death of a token to APNs' first 410 for it.")
            Field("expiration", \.expiration, .duration(.zero ... .hours(24 * 30)))
                .means("Time for which APNs stores a push for an offline phone; 0s: not stored.")
            Field("end_expiration", \.endExpiration, .duration(.zero ... .hours(24 * 30)))
                .means("Time for which APNs stores an end event for an offline phone. Ends are still useful when late.")
            Field("storage", \.storage, .name)
                .means(
                    "Number of pushes that APNs stores for an offline phone: one for each activity, one for all activities of the phone "
                        + "(one_per_phone, needs rides.again), or all."
                )
            Field("reorder", \.reorder, .boolean).means("If true, a later push can overtake an earlier one.")
            Field("script", \.script, .optional(.list(of: .scriptedOutcome, count: 0...1000), .off).seldom)
                .means(
                    "Fates of the first pushes of each activity, in order; later pushes are lost. For tests of known "
                        + "histories."
                )
        }
    }
}

extension Section where Whole == Scenario.Capacity {
    static var capacity: Section {
        Section("The push service of a cell, as a queue with servers.", Scenario.Capacity()) {
            Field("servers", \.servers, .integer(1...1_000_000)).means("Number of requests in service at a time.")
            Field("service_time", \.serviceTime, .durations).means("Service time of a request at full speed.")
            Field("order", \.order, .name).means("Queue order: oldest or newest request first.")
            Field("drop_expired", \.dropExpired, .boolean)
                .means("If true, a queued request older than sender.timeout is discarded instead of served.")
        }
    }
}

extension Notation where Value == [Scenario.ReasonShare] {
    /// A mapping of APNs' reasons to shares, written in the order of Apple's table.
    static var reasonShares: Notation {
        // The existence of a channel is a state of the model.
        let reasons = APNsReason.ofTokens
        return Notation(
            read: { node, path, reading in
                guard let entries = node.mapping else {
                    let example = "allowed: {} or reasons with shares, such as {TooManyRequests: 0.1%}"
                    reading.refuse(path, at: node.place, "must be a section, got \(node.excerpt); \(example)")
                    return nil
                }
                var shares: [APNsReason: Probability] = [:]
                for entry in entries {
                    guard let reason = reasons.first(where: { $0.rawValue == entry.key }) else {
                        let advice = Suggestion.advice(for: entry.key, among: reasons.map(\.rawValue))
                        let found = ScenarioNode.quoted(entry.key)
                        reading.refuse(
                            path,
                            at: entry.keyPlace,
                            "must have reasons of APNs as keys, got \(found); \(advice)"
                        )
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
