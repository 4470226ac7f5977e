import ArgumentParser
import Evaluation
import Foundation
package import FreshnessCore
import LiveActivityModel
package import Quantities
import Shell

/// Readers of the options that load commands share; messages state the value that was given and what is allowed.
package enum LoadOptions {
    /// Rejects a speed outside its range; a speed below a thousandth is useless.
    package static func check(speed: Double, most: Int) throws {
        try demand(speed >= 0.001 && speed <= Double(most), "--speed must be within 0.001...\(most), got \(speed)")
    }

    /// Rejects a topic that cannot be a header field.
    package static func check(topic: String) throws {
        guard (1...255).contains(topic.utf8.count), topic.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("--topic must be 1 to 255 visible characters of ASCII, got \(topic.debugDescription)")
        }
    }

    /// A duration such as `30s` or `1m30s`.
    package static func span(_ text: String, named name: String) throws -> TimeSpan {
        guard case .duration(let microseconds) = Amount(text), microseconds <= Double(TimeSpan.longest.microseconds)
        else {
            if Amount(text) == .number(0) { return .zero }
            throw ValidationError("\(name) must be a duration such as 250ms, 30s or 1m30s, got \(text)")
        }
        return TimeSpan(microseconds: Int64(microseconds))
    }

    /// A duration that is not zero.
    package static func spanAboveZero(_ text: String, named name: String) throws -> TimeSpan {
        let span = try span(text, named: name)
        try demand(span > .zero, "\(name) must be above 0s, got \(text)")
        return span
    }

    /// A duration within bounds.
    package static func span(_ text: String, named name: String, in range: ClosedRange<TimeSpan>) throws -> TimeSpan {
        let span = try span(text, named: name)
        guard range.contains(span) else {
            let bounds = [range.lowerBound, range.upperBound]
                .map { Amount.duration(microseconds: Double($0.microseconds)).text }
            throw ValidationError("\(name) must be within \(bounds[0])...\(bounds[1]), got \(text)")
        }
        return span
    }

    /// The value of `--lifetime`; nil if it is not given.
    package static func life(_ text: String?) throws -> Duration? {
        try text.map { text in
            let span = try span(text, named: "--lifetime", in: .milliseconds(1) ... .longest)
            return .microseconds(span.microseconds)
        }
    }

    /// A rate [1/s], such as `20000/s`, `30/m`, `90/h` or `20000`, which is per second.
    package static func rate(_ text: String, named name: String) throws -> Double {
        let rate: Double? =
            switch Amount(text) {
            case .number(let perSecond): perSecond
            case .rate(let count, let seconds): count / seconds
            default: nil
            }
        guard let rate, rate > 0, rate <= RatePlan.highestRate else {
            throw ValidationError(
                "\(name) must be a rate above 0/s and at most \(Int(RatePlan.highestRate))/s, such as 200/s, 30/m or "
                    + "90/h, got \(text)"
            )
        }
        return rate
    }

    /// A share of a load, such as `3/8`.
    package static func loadShare(_ text: String, named name: String) throws -> LoadShare {
        guard let share = LoadShare(text) else {
            throw ValidationError(
                "\(name) must be K/N, such as 3/8, with K within 1...N and N within 1...\(LoadShare.most), got \(text)"
            )
        }
        return share
    }

    /// An instant such as `2026-05-01T12:00:00Z`, or whole seconds since 1970 [µs since 1970].
    package static func instant(_ text: String, named name: String) throws -> Int64 {
        if let seconds = Int64(text), (0...9_999_999_999).contains(seconds) { return seconds * 1_000_000 }
        if let date = try? Date(text, strategy: .iso8601) { return Int64(date.timeIntervalSince1970) * 1_000_000 }
        throw ValidationError(
            "\(name) must be an instant such as 2026-05-01T12:00:00Z, or seconds since 1970, got \(text)"
        )
    }
}

extension LoadOptions {
    /// Rates at instants, such as `0s 1000/s, 30s 20000/s`.
    package static func profile(_ text: String, named name: String) throws -> [RatePlan.Point] {
        try text.split(separator: ",")
            .map { part in
                let words = part.split(separator: " ")
                try demand(
                    words.count == 2,
                    "\(name) must be instants with rates, such as '0s 1000/s, 30s 20000/s', got \(text)"
                )
                return RatePlan.Point(
                    at: try span(String(words[0]), named: name),
                    perSecond: try rate(String(words[1]), named: name)
                )
            }
    }

    /// A rising rate, such as `10s:1000/s..20000/s`.
    package static func ramp(_ text: String, named name: String) throws -> (over: TimeSpan, from: Double, to: Double) {
        guard let colon = text.firstIndex(of: ":"), let dots = text.firstRange(of: ".."), colon < dots.lowerBound else {
            throw ValidationError("\(name) must be a rise such as 10s:1000/s..20000/s, got \(text)")
        }
        return (
            try span(String(text[..<colon]), named: name),
            try rate(String(text[text.index(after: colon)..<dots.lowerBound]), named: name),
            try rate(String(text[dots.upperBound...]), named: name)
        )
    }

    /// The plan of a load, by `--profile`, by `--ramp`, or at one rate.
    package static func plan(
        profile: String? = nil,
        ramp: String?,
        rate: String,
        over duration: @autoclosure () throws -> TimeSpan
    ) throws -> RatePlan {
        do {
            if let profile { return try RatePlan(points: self.profile(profile, named: "--profile")) }
            let total = try duration()
            guard let ramp else { return try .constant(perSecond: self.rate(rate, named: "--rate"), for: total) }
            let (span, low, high) = try self.ramp(ramp, named: "--ramp")
            return try .ramp(from: low, to: high, over: span, for: total)
        } catch let error as RatePlanError {
            throw ValidationError("\(error)")
        }
    }
}

extension LoadOptions {
    /// A budget of retries, such as `per_push=0.1,capacity=100`, with names, bounds and defaults as in a scenario.
    package static func retryBudget(_ text: String, named name: String) throws -> RetryBudget {
        let fields: [(name: Substring, value: WritableKeyPath<Scenario.Budget, Double>, allowed: ClosedRange<Int>)] = [
            ("capacity", \.capacity, 1...1_000_000_000), ("per_second", \.perSecond, 0...1_000_000),
            ("per_push", \.perPush, 0...1000), ("reserve", \.reserve, 0...1_000_000_000),
        ]
        var budget = Scenario.Budget()
        var given: Set<Substring> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard let field = fields.first(where: { $0.name == words.first }), given.insert(field.name).inserted else {
                throw ValidationError(
                    "\(name) must be of capacity, per_second, per_push and reserve, each at most once, for example "
                        + "per_push=0.1,capacity=100; got \(text)"
                )
            }
            let (low, high) = (field.allowed.lowerBound, field.allowed.upperBound)
            guard words.count == 2, case .number(let number) = Amount(String(words[1])),
                (Double(low)...Double(high)).contains(number)
            else {
                throw ValidationError("\(name): \(field.name) must be a number within \(low)...\(high), got \(text)")
            }
            budget[keyPath: field.value] = number
        }
        return try budget.budget()
    }
}

/// `even` or `poisson`.
extension ArrivalProcess: ExpressibleByArgument {}
