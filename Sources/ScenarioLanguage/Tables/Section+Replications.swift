import InputFiles
import LiveActivityModel

extension Section where Whole == Scenario.Replications {
    static var replications: Section {
        Section("The number of replications.", Scenario.Replications()) {
            Field("count", \.count, .integer(1...100_000).drawn { $0.one(of: [2, 2, 4]) }, isRequired: true)
                .means("Number of replications; with until, the number before the first test of precision.")
            Field("until", \.until, .optional(.section(.precision), .off))
                .means("The required precision of a metric; off: exactly count replications.")
            Field("antithetic", \.antithetic, .boolean)
                .means(
                    "If true, replications come in antithetic pairs: the second uses the complement of every draw of "
                        + "the first."
                )
        }
    }
}

extension Section where Whole == Scenario.Precision {
    static var precision: Section {
        Section("The stopping rule for replications.", Scenario.Precision()) {
            Field("metric", \.metric, .text(upTo: 128).drawn { _ in "age_of_information_us" })
                .means(
                    "Name of the metric in summary.csv, scope all, or that of a cohort: age_of_information_us{cohort:a}."
                )
            Field("half_width", \.halfWidth, .relativeHalfWidth, isRequired: true)
                .means("Required half-width of the 95 % confidence interval, as a share of the metric's value.")
            Field("at_most", \.atMost, .integer(2...100_000)).means("Largest number of replications.")
        }
    }
}

extension Notation where Value == Double {
    /// The half-width of an interval relative to its centre.
    static var relativeHalfWidth: Notation {
        Notation(
            "a share above 0",
            allowed: "0.01% … 100%",
            write: { .number(NumberText.text($0)) },
            schema: ["$ref": "#/$defs/share"],
            draw: { draws, _ in draws.one(of: [0.05, 0.1]) },
            parse: { text throws(Remark) in
                NumberText.share(text).flatMap { (0.0001...1).contains($0) ? $0 : nil }
            }
        )
    }
}

extension Notation where Value == Scenario.Replications {
    /// A number, a requested precision in words, or a section with both.
    static var replications: Notation {
        let section = Notation.section(.replications)
        let short = Notation(
            "a number of replications",
            allowed: "1 … 100000, until half-width < 1%, or a section with the keys count, until, antithetic",
            write: { .number("\($0.count)") },
            schema: [:],
            parse: { text throws(Remark) in
                var replications = Scenario.Replications()
                if text.isDigits, let count = Int(text), (1...100_000).contains(count) {
                    replications.count = count
                    return replications
                }
                guard let match = text.wholeMatch(of: /until half-width < ([0-9.]+)%/),
                    let percent = NumberText.hundredths(String(match.1)), (0.0001...1).contains(percent)
                else { return nil }
                // With fewer replications, intervals are too wide and too uncertain for a stopping rule.
                replications.count = 5
                var precision = Scenario.Precision()
                precision.halfWidth = percent
                replications.until = precision
                return replications
            }
        )
        return Notation(
            read: { node, path, reading in
                node.mapping == nil ? short.read(node, path, &reading) : section.read(node, path, &reading)
            },
            write: { value in
                value.until == nil && !value.antithetic ? short.write(value) : section.write(value)
            },
            writeChanges: section.writeChanges,
            schema: [
                "anyOf": [
                    section.schema(),
                    ["type": "integer", "minimum": 1, "maximum": 100_000],
                    ["type": "string", "pattern": "^until half-width < [0-9]+(\\.[0-9]+)?%$"],
                ]
            ],
            draw: section.draw
        )
    }
}
