import InputFiles
import ScenarioLanguage
import TextFormats

/// The members of a `run.json`.
struct RunDescriptionFile {
    let directory: String
    let file: String
    let root: ScenarioNode

    init(_ directory: String, limit: Int) throws(ScenarioError) {
        self.directory = directory
        file = "\(directory)/run.json"
        do throws(ScenarioError) {
            root = try TextFile.tree(of: file, limit: limit)
        } catch .missing(let path) {
            guard let message = Provenance.otherResults(in: directory) else { throw .missing(path: path) }
            throw .invalid([Diagnostic(file: directory, message: message)])
        }
    }

    func requireForm(_ version: Int) throws(ScenarioError) {
        guard try integer("schema_version", in: 1...Int.max) != version else { return }
        throw wrong("schema_version", "must be \(version); \(Provenance.otherVersion(of: directory))")
    }

    func text(_ key: String, longest: Int = 64) throws(ScenarioError) -> String {
        guard let text = node(key)?.scalar, !text.isEmpty else { throw wrong(key, "must be a text") }
        return OneLine.excerpt(text, longest: longest)
    }

    /// The version of the program; nil if it is not stated.
    var version: String? { node("freshet_version")?.scalar.map(OneLine.version) }

    func integer<Number: FixedWidthInteger>(
        _ key: String,
        in range: ClosedRange<Number>
    ) throws(ScenarioError) -> Number {
        guard let number = node(key)?.scalar.flatMap({ Number($0) }), range.contains(number) else {
            let most = range.upperBound == .max ? "or more" : "… \(range.upperBound)"
            throw wrong(key, "must be a whole number; allowed: \(range.lowerBound) \(most)")
        }
        return number
    }

    /// The sentences on the limit that the run reached first.
    var capacity: [String] {
        (node("capacity")?.list ?? []).prefix(10).compactMap(\.scalar).map { OneLine.excerpt($0, longest: 1000) }
    }

    /// The conditions of a load, and `true` if it was ended early.
    var realTime: (RecordedResults.Wire?, isEndedEarly: Bool) {
        guard let live = node("real_time")?.mapping else { return (nil, false) }
        func text(_ key: String) -> String {
            OneLine.excerpt(live.first { $0.key == key }?.value.scalar ?? "", longest: 64)
        }
        let wire = RecordedResults.Wire(speed: text("speed"), apns: text("apns"))
        return (wire, live.contains { $0.key == "ended_early" })
    }

    private func node(_ key: String) -> ScenarioNode? {
        root.mapping?.first { $0.key == key }?.value
    }

    private func wrong(_ key: String, _ message: String) -> ScenarioError {
        let found = node(key)
        let text: String
        if found == nil, node("schema_version") != nil {
            text = "\(key) is missing; \(Provenance.otherVersion(of: directory))"
        } else {
            let parts = message.split(separator: ";", maxSplits: 1)
            text =
                "\(key) \(parts[0])" + (found.map { ", got \($0.excerpt)" } ?? ", but is missing")
                + (parts.count > 1 ? ";\(parts[1])" : "")
        }
        return .invalid([Diagnostic(file: file, place: found?.place ?? root.place, message: text)])
    }
}
