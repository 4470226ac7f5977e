import InputFiles
import LiveActivityModel
import Quantities
import TextFormats

extension Notation where Value == TimeSpan {
    /// Returns the notation of a duration within a range.
    static func duration(_ range: ClosedRange<TimeSpan> = .zero ... .longest) -> Notation {
        let isPositive = range.lowerBound == TimeSpan(microseconds: 1)
        let (shortest, longest) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
        return Notation(
            isPositive ? "a duration above 0s" : "a duration",
            allowed: "\(shortest) … \(longest), such as \(DurationText.forms)",
            write: { .word(DurationText.text($0)) },
            schema: ["$ref": "#/$defs/duration"],
            draw: { draws, usual in
                // Hours are too long for a small world.
                let usual = (usual ?? .zero).microseconds / 1_000_000
                let most = (1...1800).contains(usual) ? 2 * usual : 60
                return min(draws.seconds((range.lowerBound > .zero ? 1 : 0)...most), range.upperBound)
            },
            parse: { text throws(Remark) in
                do throws(DurationText.ParseError) {
                    let span = try DurationText.span(text)
                    return range.contains(span) ? span : nil
                } catch {
                    throw .error(error.rawValue)
                }
            }
        )
    }

    /// Returns the notation of a duration above zero.
    static func positiveDuration(upTo upperBound: TimeSpan = .longest) -> Notation {
        duration(TimeSpan(microseconds: 1)...upperBound)
    }

    /// A duration, or a local time that ``ScenarioNode/resolvingLocalTimes()`` has not replaced by a duration.
    static var durationOrLocalTime: Notation {
        let duration = Notation.duration()
        return Notation(
            "a duration or a local time",
            allowed: "0s … \(DurationText.text(.longest)), such as \(DurationText.forms); \(LocalTimeText.allowed)",
            write: duration.write,
            schema: [
                "anyOf": [["$ref": "#/$defs/duration"], ["type": "string", "pattern": .text(LocalTimeText.pattern)]]
            ],
            draw: duration.draw,
            parse: { text throws(Remark) in
                if LocalTimeText.time(text) != nil {
                    throw .error(LocalTimeText.needsWeekday)
                }
                return try duration.parsed(text)
            }
        )
    }
}

extension Notation where Value == Scenario.LocalTime {
    /// A local time of day, possibly with a weekday.
    static var localTime: Notation {
        Notation(
            "a time of day",
            allowed: LocalTimeText.allowed,
            write: { .text(LocalTimeText.text($0)) },
            schema: ["type": "string", "pattern": .text(LocalTimeText.pattern)],
            draw: { draws, _ in Scenario.LocalTime(timeOfDay: draws.seconds(0...86_399)) },
            parse: { text throws(Remark) in LocalTimeText.time(text) }
        )
    }
}

extension Notation where Value == TimeSpan {
    /// A difference between two clocks, as in time zones; negative if local time is behind.
    static var timeZone: Notation {
        Notation(
            "a time zone",
            allowed: #""-14:00" … "+14:00""#,
            write: { span in
                let minutes = span.microseconds / 60_000_000
                let parts = [abs(minutes) / 60, abs(minutes) % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
                return .text((minutes < 0 ? "-" : "+") + parts.joined(separator: ":"))
            },
            schema: ["type": "string", "pattern": "^[+-](0[0-9]|1[0-3]):[0-5][0-9]$|^[+-]14:00$"],
            draw: { draws, _ in .minutes(15 * draws.number(-56...56)) },
            parse: { text throws(Remark) in
                guard text.hasForm("+00:00") || text.hasForm("-00:00") else { return nil }
                let parts = text.dropFirst().split(separator: ":").map { Int64($0) ?? 0 }
                guard parts[1] < 60, 60 * parts[0] + parts[1] <= 14 * 60 else { return nil }
                return .minutes((text.hasPrefix("-") ? -1 : 1) * (60 * parts[0] + parts[1]))
            }
        )
    }
}

extension Notation where Value == Probability {
    static var share: Notation {
        Notation(
            "a share",
            allowed: "0 … 1 or 0% … 100%",
            write: { share in
                .number(NumberText.shortest(share.fraction) { Probability($0) == share })
            },
            schema: ["$ref": "#/$defs/share"],
            draw: { draws, usual in
                let share = draws.share()
                return Probability(usual == .always ? 1 - share : share)
            },
            parse: { text throws(Remark) in
                NumberText.share(text).flatMap { (0...1).contains($0) ? Probability($0) : nil }
            }
        )
    }
}

extension Notation where Value == Double {
    /// Returns the notation of a decimal number within a range.
    static func number(_ range: ClosedRange<Double>) -> Notation {
        number(range, "a number", steps: [:]) { _ in true }
    }

    /// Returns the notation of a decimal number that is stored in thousandths.
    static func thousandths(_ range: ClosedRange<Double>) -> Notation {
        number(range, "a number in steps of 0.001", steps: ["multipleOf": .number("0.001")]) {
            ($0 * 1000).rounded() / 1000 == $0
        }
    }

    private static func number(
        _ range: ClosedRange<Double>,
        _ expectation: String,
        steps: StructuredValue,
        isStep: @escaping (Double) -> Bool
    ) -> Notation {
        let (low, high) = (NumberText.text(range.lowerBound), NumberText.text(range.upperBound))
        let schema: StructuredValue = ["type": "number", "minimum": .number(low), "maximum": .number(high)]
        return Notation(
            expectation,
            allowed: "\(low) … \(high)",
            write: { .number(NumberText.text($0)) },
            schema: schema.merging(steps),
            draw: { draws, usual in draws.number(in: range, usual) },
            parse: { text throws(Remark) in
                NumberText.number(text).flatMap { range.contains($0) && isStep($0) ? $0 : nil }
            }
        )
    }

    /// Returns the notation of a decimal number above zero.
    static func positiveNumber(upTo upperBound: Double) -> Notation {
        let high = NumberText.text(upperBound)
        return Notation(
            "a number above 0",
            allowed: "above 0, up to \(high)",
            write: { .number(NumberText.text($0)) },
            schema: ["type": "number", "exclusiveMinimum": 0, "maximum": .number(high)],
            draw: { draws, usual in draws.number(in: 0.001...upperBound, usual) },
            parse: { text throws(Remark) in NumberText.number(text).flatMap { $0 > 0 && $0 <= upperBound ? $0 : nil } }
        )
    }
}

extension SwarmDraws {
    /// Draws a number of up to twice the default, within the allowed range.
    fileprivate mutating func number(in range: ClosedRange<Double>, _ usual: Double?) -> Double {
        let most = max(1, 2 * (usual ?? 0), range.lowerBound)
        return min(thousandths(Int64((range.lowerBound * 1000).rounded(.up))...Int64(most * 1000)), range.upperBound)
    }
}

extension Notation where Value: FixedWidthInteger {
    /// Returns the notation of a whole number within a range.
    @_semantics("optimize.sil.specialize.generic.never")
    static func integer(_ range: ClosedRange<Value>) -> Notation {
        Notation(
            "a whole number",
            allowed: "\(range.lowerBound) … \(range.upperBound)",
            write: { .number("\($0)") },
            schema: [
                "type": "integer", "minimum": .number("\(range.lowerBound)"), "maximum": .number("\(range.upperBound)"),
            ],
            draw: { draws, usual in
                let least = Int64(clamping: range.lowerBound)
                let most = max(least + 5, 2 * Int64(clamping: usual ?? 0))
                return Value(clamping: draws.number(least...min(most, Int64(clamping: range.upperBound))))
            },
            parse: { text throws(Remark) in
                if text.isWholeNumber, text.hasPrefix("0") && text.count > 1 || text.hasPrefix("-0") && text.count > 2 {
                    throw .error("is written with a leading zero, which some YAML readers take for base 8")
                }
                guard text.isWholeNumber, let value = Value(text), range.contains(value) else {
                    return nil
                }
                return value
            }
        )
    }
}

extension Notation where Value == Bool {
    /// A Boolean value.
    static var boolean: Notation {
        Notation(
            "true or false",
            allowed: "",
            write: { .boolean($0) },
            schema: ["type": "boolean"],
            draw: { draws, usual in usual.map { !$0 } ?? draws.coin() },
            parse: { text throws(Remark) in text == "true" ? true : text == "false" ? false : nil }
        )
    }
}

extension Notation where Value: CaseIterable & RawRepresentable, Value.RawValue: LosslessStringConvertible {
    /// A case of an enumeration, by its raw value.
    static var name: Notation {
        let names = Value.allCases.map { "\($0.rawValue)" }
        let schemaNames = Value.allCases.map { value in
            value.rawValue is Int ? StructuredValue.number("\(value.rawValue)") : .text("\(value.rawValue)")
        }
        return Notation(
            "a known name",
            allowed: names.joined(separator: ", "),
            write: { .word("\($0.rawValue)") },
            schema: ["enum": .list(schemaNames)],
            draw: { draws, usual in
                let others = Value.allCases.filter { "\($0.rawValue)" != usual.map { "\($0.rawValue)" } }
                return others.isEmpty ? nil : draws.one(of: others)
            },
            parse: { text throws(Remark) in
                if let value = Value.RawValue(text).flatMap(Value.init(rawValue:)), names.contains(text) {
                    return value
                }
                throw .advice(Suggestion.advice(for: text, among: names))
            }
        )
    }
}

extension Notation where Value == String {
    /// Returns the notation of a text up to a length.
    static func text(upTo longest: Int) -> Notation {
        Notation(
            "a text",
            allowed: "up to \(longest) characters",
            write: { .text($0) },
            schema: ["type": "string", "maxLength": .number("\(longest)")],
            draw: { draws, _ in "A \"quoted\" # text,\n\u{1F695} \(draws.number(0...9))" },
            parse: { text throws(Remark) in text.unicodeScalars.count <= longest ? text : nil }
        )
    }

    /// Returns the notation of a title: a text on one line that is no formula in a spreadsheet and no command in a
    /// build system.
    static func title(upTo longest: Int) -> Notation {
        Notation(
            "a title",
            allowed:
                "up to \(longest) printable characters on one line, not beginning with = + - @ or ::, and without ##[",
            write: { .text($0) },
            schema: [
                "type": "string", "maxLength": .number("\(longest)"),
                "pattern": .text(
                    #"^([^=+@\u0000-\u001F\u007F-\u009F\u2028\u2029-][^\u0000-\u001F\u007F-\u009F\u2028\u2029]*)?$"#
                ),
            ],
            draw: { draws, _ in "A \"quoted\" # title \(draws.number(0...9))" },
            parse: { text throws(Remark) in
                let isFormula = text.first.map { "=+-@".contains($0) } ?? false
                return text.unicodeScalars.count <= longest && !OneLine.isObeyed(text) && !isFormula ? text : nil
            }
        )
    }

    /// A name of letters, digits, hyphens and underscores.
    static var identifier: Notation {
        Notation(
            "a name",
            allowed:
                "up to 64 letters, digits, hyphens and underscores, not \(Absence.reservedNames.joined(separator: ", "))",
            write: { .text($0) },
            schema: [
                "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$",
                "not": ["enum": .list(Absence.reservedNames.map { .text($0) })],
            ],
            // These are the names of stages in random scenarios.
            draw: { draws, _ in "s\(draws.number(0...2))" },
            parse: { text throws(Remark) in
                text.isPlain(1...64, also: "_-") && !Absence.reservedNames.contains(text) ? text : nil
            }
        )
    }
}
