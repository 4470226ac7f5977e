import InputFiles

/// A quantity to maximise or minimise: a response, a factor, or a cost that combines them.
///
/// `displayed_fresh_time_ratio` · `sender.connections` · `3 * sender.connections + 0.001 * pushes_sent_count`. An
/// objective is a sum of names, each with a weight. ``resolve(in:by:varying:)`` determines whether a name is a factor
/// of the design or a response of the scenario.
public struct Objective: Hashable, Sendable {
    /// The terms, in order; never empty.
    public let terms: [Term]

    /// A name with its weight.
    public struct Term: Hashable, Sendable {
        /// The factor of the value; not 0.
        public let weight: Double
        /// The path of a factor, or the text of a response.
        public let name: String

        /// Creates a term.
        package init(weight: Double, name: String) {
            self.weight = weight
            self.name = name
        }

        /// The term without its sign.
        var magnitude: String { weight.magnitude == 1 ? name : "\(NumberText.text(weight.magnitude)) * \(name)" }

        /// The canonical text of the term.
        public var text: String { (weight < 0 ? "-" : "") + magnitude }
    }

    /// Parses an objective.
    ///
    /// - Throws: ``ResponseError`` if the text does not have the form of an objective. The names may still be unknown.
    public init(parsing text: String) throws(ResponseError) {
        var terms: [Term] = []
        for chunk in Objective.summands(of: text) {
            guard terms.count < Objective.mostTerms, let term = Term(parsing: chunk) else {
                throw Response.localWindow(in: text).map(ResponseError.localWindow) ?? .malformedObjective(text)
            }
            terms.append(term)
        }
        self.terms = terms
    }

    /// The canonical text, which ``init(parsing:)`` parses to an equal objective.
    public var text: String {
        terms.dropFirst().reduce(terms[0].text) { $0 + ($1.weight < 0 ? " - " : " + ") + $1.magnitude }
    }

    private static let mostTerms = 20

    /// Returns the terms of a sum, each with its sign.
    ///
    /// Braces hold a scope, which has no operators.
    private static func summands(of text: String) -> [String] {
        var summands = [""]
        var isInScope = false
        for character in text {
            let last = summands.count - 1
            if character == "{" { isInScope = true }
            if character == "}" { isInScope = false }
            let isSign = (character == "+" || character == "-") && !isInScope
            // A sign after an operator, or in an exponent (1e-3), belongs to a number.
            if isSign, summands[last].wholeMatch(of: /[ -]*|.*\* *|[ -]*[0-9.]+[eE]|.*\* *[0-9.]+[eE]/) == nil {
                summands.append(character == "-" ? "-" : "")
            } else {
                summands[last].append(character)
            }
        }
        return summands
    }
}

extension Objective.Term {
    /// Parses `NAME`, `NUMBER * NAME` or `NAME * NUMBER`, each optionally after a minus; nil for anything else.
    fileprivate init?(parsing text: String) {
        var text = text[...].trimmed
        let isNegative = text.hasPrefix("-")
        if isNegative { text = text.dropFirst().trimmed }
        var parts = [""]
        var isInScope = false
        for character in text {
            if character == "{" { isInScope = true }
            if character == "}" { isInScope = false }
            if character == "*", !isInScope { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        parts = parts.map { $0[...].trimmed }
        let numbers = parts.compactMap { NumberText.number($0) }
        let names = parts.filter { NumberText.number($0) == nil }
        guard names.count == 1, numbers.count <= 1, Self.isName(names[0]) else { return nil }
        let weight = (isNegative ? -1 : 1) * (numbers.first ?? 1)
        guard weight != 0, weight.isFinite, weight.magnitude <= 1e15 else { return nil }
        self.init(weight: weight, name: (try? Response(parsing: names[0]))?.text ?? names[0])
    }

    private static func isName(_ text: String) -> Bool {
        (try? Response(parsing: text)) != nil || text.wholeMatch(of: /[a-z_]+(\.[a-z0-9_]+)+/) != nil
    }
}

extension Objective: CustomStringConvertible {
    /// The canonical text.
    public var description: String { text }
}
