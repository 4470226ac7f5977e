import Evaluation

extension Section where Whole == Goal {
    static var goal: Section {
        Section("The goal of freshet tune.", Goal()) {
            Field("maximise", \.maximise, .optional(.objective, .off))
                .means("The response to maximise.")
            Field("minimise", \.minimise, .optional(.objective, .off))
                .means(
                    "The response, factor or cost to minimise, for example 3 * sender.connections + 0.001 * "
                        + "pushes_sent_count."
                )
            Field("subject_to", \.constraints, .list(of: .comparison, count: 0...20))
                .means(
                    "Limits for the chosen point, such as pushes_per_activity <= 40; `with 95%` requires that "
                        + "confidence."
                )
            Field("across_rulers", \.acrossRulers, .boolean)
                .means(
                    "If true, objective and limits can have a definition that depends on a factor, as "
                        + "displayed_fresh_time_ratio depends on content.ttl."
                )
            Field("indifference", \.indifference, .optional(.amount, .auto))
                .means(
                    "The indifference zone: the smallest difference of the objective that matters; auto: 0.1 % for "
                        + "shares."
                )
            Field("tolerance", \.tolerance, .optional(.number(Goal.leastTolerance...1), .auto))
                .means(
                    "Tolerance of limits, as a share of the limit: a point this close can be accepted or rejected; auto: "
                        + "1 %, and for a share at most a twentieth of what is left to 100 %."
                )
            Field("confidence", \.confidence, .number(0.51...0.9999))
                .means("Minimum probability that the choice is right.")
            Field("first_replications", \.firstReplications, .integer(2...10_000))
                .means("Number of replications of each point before the first decision.")
            Field("budget", \.budget, .integer(2...100_000_000))
                .means("Largest number of replications over all points.")
        }
    }
}

extension Notation where Value == Objective {
    /// A response, a factor or a sum of them.
    static var objective: Notation {
        .parsed("must name a response or a factor", schema: ["type": "string"], parse: Objective.init(parsing:))
    }
}

extension Notation where Value == Amount {
    /// A number, a share or a duration.
    static var amount: Notation { .amount(write: \.text) { Amount($0) } }
}

extension Notation {
    /// Returns the notation of a number, a share or a duration, as an amount or as text.
    static func amount(write: @escaping (Value) -> String, parse: @escaping (String) -> Value?) -> Notation {
        Notation(
            "a number or a duration",
            allowed: "values such as 5, 0.5, 5%, 90s",
            write: { .word(write($0)) },
            schema: ["type": ["string", "number"]],
            parse: { text throws(Remark) in parse(text) }
        )
    }
}
