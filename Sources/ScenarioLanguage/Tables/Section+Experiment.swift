import Evaluation
import LiveActivityModel

extension Section where Whole == Experiment {
    /// The whole file: the sections of a scenario, and its checks.
    static var experiment: Section { WholeTables.experiment }

    static var ofExperiments: Section {
        let scenario = Section<Scenario>.scenario
        return Section(scenario.doc, Experiment(scenario: scenario.defaults)) {
            Field("extends", \.extends, .optional(.text(upTo: 1000), .off))
                .means("A base scenario, beside this file or an example; it sets the keys that this file leaves out.")
            scenario.fields.map { $0.lifted(\.scenario) }
            Field("factors", \.factors, .optional(.section(.factors), .off))
                .means("The factors of an experiment; off: the file is a single run.")
            Field("checks", \.checks, .list(of: .check, count: 0...1000))
                .means("Conditions on the results of a run; the exit code is 99 if a check fails or is not measured.")
        }
    }
}

extension Section where Whole == Check {
    static var check: Section {
        // The comparison is required, so this default is never used.
        let usual = Check(Comparison(response: Response(metric: ""), relation: .equal, limit: .number(0)))
        return Section("A condition on the results of a run.", usual) {
            Field("name", \.givenName, .title(upTo: 200)).means("Title in reports.")
            Field("check", \.comparison, .comparison, isRequired: true)
                .means(
                    "The condition, for example fresh_time_ratio >= 95%; `with 95%` requires it of the whole "
                        + "confidence interval."
                )
        }
    }
}

extension Notation where Value == Comparison {
    /// A response, an operator and a number.
    static var comparison: Notation {
        .parsed(
            "must be a comparison",
            allowed: "; allowed: a comparison such as displayed_fresh_time_ratio >= 95%",
            schema: [
                "type": "string",
                "pattern":
                    #"^ *[a-z0-9_]+(\{[^{}]+\})?(\.[a-z0-9_]+)?(@[^ ]+)? *(<|<=|>|>=|==|!=) *[-0-9][^ ]*( +with +[0-9][^ ]*)? *$"#,
            ],
            parse: Comparison.init(parsing:)
        )
    }
}

extension Notation where Value: CustomStringConvertible {
    /// Returns the notation of a text whose parser reports its own errors.
    static func parsed(
        _ rule: String,
        allowed: String = "",
        schema: StructuredValue,
        parse: @escaping (String) throws(ResponseError) -> Value
    ) -> Notation {
        Notation(
            read: { node, path, reading in
                do throws(ResponseError) {
                    if let text = node.scalar { return try parse(text) }
                    reading.refuse(path, at: node.place, "\(rule), got \(node.excerpt)\(allowed)")
                } catch {
                    reading.refuse(path, at: node.place, "\(error)")
                }
                return nil
            },
            write: { .text($0.description) },
            schema: schema
        )
    }
}

extension Notation where Value == Check {
    /// A comparison, or a section that names one.
    static var check: Notation {
        let short = Notation<Comparison>.comparison
        let section = Notation.section(.check)
        return Notation(
            read: { node, path, reading in
                node.mapping == nil
                    ? short.read(node, path, &reading).map { Check($0) } : section.read(node, path, &reading)
            },
            write: { $0.givenName.isEmpty ? short.write($0.comparison) : section.write($0) },
            schema: ["anyOf": [section.schema(), short.schema()]]
        )
    }
}

extension Experiment {
    /// The sections that determine metrics and windows.
    static let metricSections = ["rides.stages", "rides.arrivals.cities", "sender.ranks", "measure", "clock"]

    /// Refuses checks of metrics and windows that the scenario lacks.
    ///
    /// While one of the sections that determine metrics is invalid, no metric is reported as missing.
    func refuseUnknownResponses(_ reading: inout Reading) {
        guard !checks.isEmpty, !(Self.metricSections + ["checks"]).contains(where: reading.isRefused) else { return }
        let catalog = MetricCatalog(of: scenario)
        for (index, check) in checks.enumerated() {
            do throws(ResponseError) {
                _ = try check.comparison.resolve(in: scenario, by: catalog)
            } catch {
                reading.refuse(check.givenName.isEmpty ? "checks.\(index)" : "checks.\(index).check", "\(error)")
            }
        }
    }
}
