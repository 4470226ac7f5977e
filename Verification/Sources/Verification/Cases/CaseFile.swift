import InputFiles
public import ScenarioLanguage
import TextFormats

/// Files of known results.
public enum CaseFile {
    /// The maximum size of a file [bytes]; larger files are rejected unread.
    static let largestFile = 16 << 20

    /// Reads the cases of a file in order.
    ///
    /// - Parameter file: JSON: an object with a list `cases` of objects `{id, group, model, params, quantity, exact,
    ///   tolerance}`.
    /// - Throws: All errors in the file.
    public static func read(_ file: String) throws(ScenarioError) -> [Case] {
        let root = try TextFile.tree(of: file, limit: largestFile)
        var reader = CaseReader(file: file)
        let cases = reader.cases(root)
        guard reader.diagnostics.isEmpty else { throw .invalid(reader.diagnostics) }
        return cases
    }
}

/// Converts the tree of a file to cases and collects errors.
private struct CaseReader {
    private static let longestWord = 200

    let file: String
    private(set) var diagnostics: [Diagnostic] = []

    mutating func cases(_ root: ScenarioNode) -> [Case] {
        guard let list = member("cases", of: root, "the file")?.list else {
            if diagnostics.isEmpty { refuse("cases must be a list", at: root.place) }
            return []
        }
        var cases: [Case] = []
        var ids: Set<String> = []
        for node in list {
            guard let read = readCase(node) else { continue }
            if !ids.insert(read.id).inserted {
                refuse("the id \(ScenarioNode.quoted(read.id)) is used twice", at: node.place)
            }
            cases.append(read)
        }
        return cases
    }

    private mutating func readCase(_ node: ScenarioNode) -> Case? {
        guard node.mapping != nil else {
            refuse("a case must be an object, got \(node.excerpt)", at: node.place)
            return nil
        }
        let id = word("id", of: node, "a case")
        let name = id.map { "case \($0)" } ?? "a case"
        let group = word("group", of: node, name)
        let model = word("model", of: node, name)
        let quantity = word("quantity", of: node, name)
        let parameters = member("params", of: node, name)
        let exact = member("exact", of: node, name)
        let tolerance = member("tolerance", of: node, name).flatMap { self.tolerance($0, name) }
        if let parameters, parameters.mapping == nil {
            refuse("\(name): params must be an object, got \(parameters.excerpt)", at: parameters.place)
        }
        guard let id, let group, let model, let quantity, let exact, let tolerance, let entries = parameters?.mapping
        else { return nil }
        if tolerance.needsNumber, exact.number == nil {
            refuse("\(name): exact must be a number, got \(exact.excerpt)", at: exact.place)
        }
        return Case(
            id: id,
            group: group,
            model: model,
            quantity: quantity,
            parameters: Parameters(entries, at: node.place),
            exact: exact,
            tolerance: tolerance,
            place: node.place
        )
    }

    /// Reads a tolerance; an unknown kind makes its case inexpressible and is not an error in the file.
    private mutating func tolerance(_ node: ScenarioNode, _ name: String) -> Tolerance? {
        switch word("kind", of: node, "\(name): tolerance") {
        case "mc":
            var limits = Tolerance.MonteCarlo()
            limits.largestZ = number("max_abs_z", of: node, name) ?? limits.largestZ
            limits.largestRelativeHalfWidth =
                number("max_rel_half_width", of: node, name) ?? limits.largestRelativeHalfWidth
            limits.fewestSeeds = number("min_seeds", of: node, name).map { Int(min($0, 10_000)) } ?? limits.fewestSeeds
            return .monteCarlo(limits)
        case "abs":
            return member("abs", of: node, "\(name): tolerance") == nil
                ? nil : number("abs", of: node, name).map { .absolute($0) }
        case "trace", "vector", "meta":
            return .identical
        case nil:
            return nil
        case let other?:
            let kinds = "mc, abs, trace, vector, meta"
            return .unknown("the tolerance \(ScenarioNode.quoted(other)) is unknown; known: \(kinds)")
        }
    }

    // MARK: - Members

    private mutating func member(_ key: String, of node: ScenarioNode, _ name: String) -> ScenarioNode? {
        guard let entry = node.mapping?.first(where: { $0.key == key }) else {
            refuse("\(name) lacks \(key)", at: node.place)
            return nil
        }
        return entry.value
    }

    private mutating func word(_ key: String, of node: ScenarioNode, _ name: String) -> String? {
        guard let member = member(key, of: node, name) else { return nil }
        guard let word = member.scalar else {
            refuse("\(name): \(key) must be a text, got \(member.excerpt)", at: member.place)
            return nil
        }
        // Names and quantities appear in reports and in comments of scenario files.
        guard OneLine.isOne(word), word.unicodeScalars.count <= Self.longestWord else {
            let allowed = "one line of up to \(Self.longestWord) characters"
            refuse("\(name): \(key) must be \(allowed), got \(member.excerpt)", at: member.place)
            return nil
        }
        return word
    }

    /// Reads an optional number, which must be positive.
    private mutating func number(_ key: String, of node: ScenarioNode, _ name: String) -> Double? {
        guard let member = node.mapping?.first(where: { $0.key == key })?.value else { return nil }
        guard let number = member.scalar.flatMap(NumberText.number), number > 0 else {
            refuse("\(name): tolerance.\(key) must be a positive number, got \(member.excerpt)", at: member.place)
            return nil
        }
        return number
    }

    private mutating func refuse(_ message: String, at place: Place) {
        diagnostics.append(Diagnostic(file: file, place: place, message: message))
    }
}

extension Tolerance {
    /// `true` if the answer must be a number.
    fileprivate var needsNumber: Bool {
        switch self {
        case .monteCarlo, .absolute: true
        case .identical, .unknown: false
        }
    }
}
