extension Section where Whole == Goal {
    static var goal: Section {
        Section("What the best design point is, for freshet tune.", Goal()) {
            Field("maximise", \.maximise, .optional(.objective, .off))
                .means("What is to be made as large as can be: a response.")
            Field("minimise", \.minimise, .optional(.objective, .off))
                .means(
                    "What is to be made as small as can be: a response, a factor, or a cost, as 3 * sender.connections + "
                        + "0.001 * pushes_sent_count."
                )
            Field("subject_to", \.constraints, .list(of: .comparison, count: 0...20))
                .means("What the chosen point must keep to, as pushes_per_activity <= 40; `with 95%` for sure.")
            Field("across_rulers", \.acrossRulers, .boolean)
                .means(
                    "Whether objective and limits may be measured by a factor, as displayed_fresh_time_ratio by content.ttl."
                )
            Field("indifference", \.indifference, .optional(.amount, .auto))
                .means("The smallest difference of the objective worth telling apart; auto: 0.1 % of shares.")
            Field("tolerance", \.tolerance, .number(0.000001...1))
                .means("How far from a limit, as a part of it, a point may lie and be judged either way.")
            Field("confidence", \.confidence, .number(0.51...0.9999))
                .means("The chance that the choice is right, at the least.")
            Field("first_replications", \.firstReplications, .integer(2...10_000))
                .means("How many replications each point has before anything is decided.")
            Field("budget", \.budget, .integer(2...100_000_000))
                .means("How many replications are run at most, over all points.")
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
    /// A number, a share or a duration, as an amount or as its text.
    static func amount(write: @escaping (Value) -> String, parse: @escaping (String) -> Value?) -> Notation {
        Notation(
            "a number or a duration",
            allowed: "as 5, 0.5, 5%, 90s",
            write: { .word(write($0)) },
            schema: ["type": ["string", "number"]],
            parse: { text throws(Remark) in parse(text) }
        )
    }
}
