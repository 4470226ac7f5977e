internal import Yams

/// A YAML text of one document, turned into a tree without trusting it.
///
/// Anchors, aliases, merge keys and tags have no use in a scenario and much use in attacks (a few lines of aliases stand
/// for billions of values), so they are refused before the parser could follow one. The parser itself tells what is an
/// alias and what only looks like one inside a string: it is first given the text with every `&` and `*` replaced by
/// `!`. Anchors, aliases and tags may stand at the same places, so that text has the same structure; a value that
/// begins with `!` there and with `&` or `*` in the text shows where an anchor or an alias is.
struct YAMLText {
    /// Deeper trees are refused.
    static let deepest = 64

    /// What is wrong, and where.
    struct Flaw: Error {
        var place: Place
        var path = ""
        var message: String
    }

    private let text: String
    private let index: SourceIndex

    init(_ text: String) {
        self.text = text
        self.index = SourceIndex(text)
    }

    /// The document's tree and all that can be said against it; no tree where there is none to read.
    func compose() -> (root: ScenarioNode?, flaws: [Flaw]) {
        if let place = index.overlyDeepPlace() {
            return (
                nil, [Flaw(place: place, message: "the file is nested too deeply; allowed: \(Self.deepest) levels")]
            )
        }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.map { $0 == "&" || $0 == "*" ? "!" : $0 })
        let harmless = String(scalars)
        do {
            let (root, flaws) = try tree(of: harmless)
            guard harmless != text, flaws.isEmpty else { return (root, flaws) }
            return try tree(of: text)
        } catch {
            return (nil, [error])
        }
    }

    private func tree(of text: String) throws(Flaw) -> (root: ScenarioNode?, flaws: [Flaw]) {
        var duplicates = DuplicateKeys(text: text, index: index)
        let node: Node
        do {
            guard let root = try duplicates.compose() else {
                throw Flaw(
                    place: .file(line: 1, column: 1),
                    message: "the file is empty; a scenario is a set of sections"
                )
            }
            node = root
        } catch let error as Flaw {
            throw error
        } catch {
            throw flaw(of: error)
        }
        var conversion = NodeConversion(index: index, duplicates: duplicates)
        let root = conversion.convert(node)
        return (root, conversion.flaws)
    }

    private func flaw(of error: any Error) -> Flaw {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
            return Flaw(place: mark.place, message: "this is not YAML: \(problem)")
        case .composer(_, _, let mark, _):
            return Flaw(place: mark.place, message: "a second document begins here; a scenario file holds one")
        case .reader(let problem, let offset, _, let text):
            let place = index.place(ofCharacter: offset ?? 0, in: text)
            return Flaw(place: place, message: "this is not YAML: \(problem)")
        default:
            return Flaw(place: .file(line: 1, column: 1), message: "this is not YAML")
        }
    }
}

extension Mark {
    /// The place in the file.
    var place: Place { .file(line: line, column: column) }
}
