import Evaluation
import InputFiles

extension Section where Whole == Factors {
    package static var factors: Section {
        Section("The factors and responses of an experiment.", Factors()) {
            Field("design", \.design, .name).means("The design: how levels combine into design points.")
            Field("points", \.points, .integer(0...Factors.mostPoints))
                .means("Number of points, for designs other than grid; for saltelli, the number of base points.")
            Field("vary", \.vary, .factors).means("The factors: keys of the scenario with their levels.")
            Field("zip", \.zipped, .list(of: .list(of: .text(upTo: 200), count: 2...20), count: 0...20))
                .means("Factors that vary together, first level with first level.")
            Field("where", \.conditions, .list(of: .condition, count: 0...100))
                .means("Conditions on design points; others are left out.")
            Field("responses", \.responses, .list(of: .response, count: 1...200))
                .means("Responses to report for each design point: values of summary.csv.")
            Field("goal", \.goal, .optional(.section(.goal), .off))
                .means("The goal of freshet tune.")
        }
    }
}

extension Notation where Value == Condition {
    /// `LEFT RELATION RIGHT`.
    static var condition: Notation {
        Notation(
            "a condition",
            allowed: "PATH \(Relation.allowed) VALUE OR PATH, such as monitor.fresh_limit < content.ttl; several "
                + "conditions are listed separately",
            write: { .text($0.text) },
            schema: ["type": "string"],
            parse: { text throws(Remark) in Condition(parsing: text) }
        )
    }
}

extension Notation where Value == Response {
    /// `metric{scope}.stat@from..to`; the rules check that the scenario has it.
    static var response: Notation {
        Notation(
            "a response",
            allowed: "METRIC, METRIC{SCOPE}, METRIC.STAT, such as age_of_information_us{stage:on_trip}.p95",
            write: { .text($0.text) },
            schema: ["type": "string"],
            parse: { text throws(Remark) in
                do throws(ResponseError) { return try Response(parsing: text) } catch {
                    if case .localWindow = error { throw .error(LocalTimeText.needsWeekday) }
                    return nil
                }
            }
        )
    }
}

extension Notation where Value == [Factor] {
    /// Paths with their levels, in the order of the file.
    static var factors: Notation {
        Notation(
            read: { node, path, reading in
                guard let entries = node.mapping, (1...50).contains(entries.count) else {
                    let found = node.mapping.map { "\($0.count)" } ?? node.excerpt
                    reading.refuse(
                        path,
                        at: node.place,
                        "must be a section of 1 … 50 factors, got \(found); for example monitor.fresh_limit: [1m, 2m, 3m]"
                    )
                    return nil
                }
                var factors: [Factor] = []
                for entry in entries {
                    let factorPath = Reading.path(path, entry.key)
                    reading.visit(factorPath, at: entry.value.place)
                    guard !Factor.isFixed(entry.key) else {
                        reading.refuse(
                            factorPath,
                            at: entry.keyPlace,
                            "cannot be varied: all design points share it, or it is not part of the scenario"
                        )
                        continue
                    }
                    guard !entry.key.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
                        reading.refuse(
                            factorPath,
                            at: entry.keyPlace,
                            "must be the path of a value of the scenario, such as monitor.fresh_limit"
                        )
                        continue
                    }
                    guard let levels = Factor.Levels(entry.value, of: entry.key, factorPath, &reading) else { continue }
                    factors.append(Factor(path: entry.key, levels: levels, origin: Origin(entry.keyPlace)))
                }
                return factors.count == entries.count ? factors : nil
            },
            write: { factors in
                .mapping(factors.map { .init(key: $0.path, value: $0.levels.written) }, isCompact: false)
            },
            schema: [
                "type": "object",
                "additionalProperties": [
                    "anyOf": [
                        ["type": "array", "minItems": 1, "maxItems": 1000],
                        [
                            "type": "object", "additionalProperties": false, "required": ["from", "to"],
                            "properties": [
                                "from": ["type": ["string", "number"]], "to": ["type": ["string", "number"]],
                                "steps": ["type": "integer", "minimum": 1, "maximum": 10_000],
                                "scale": ["enum": ["linear", "log"]],
                            ],
                        ],
                        ["type": "object"],
                    ]
                ],
            ]
        )
    }
}

extension Factor {
    /// Returns true if a path cannot be varied in an experiment.
    ///
    /// Design points share their seed and their replications, because they are compared on common random numbers.
    static func isFixed(_ path: String) -> Bool {
        let first = path.prefix { $0 != "." }
        return ["extends", "name", "description", "seed", "replications", "factors", "checks"].contains(first)
    }
}
