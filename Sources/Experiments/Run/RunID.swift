public import LiveActivityModel
import Quantities
import SimulationKernel

/// What makes a run the run it is: the scenario's changes from the defaults and the values of its data files, as one hash.
///
/// A key that is at its default is no part of it, nor is any comment: a new key with a default, or another wording in a
/// table, leaves all ids as they are.
///
/// Neither the number of replications nor anything about the machine or the moment is part of it: more replications are
/// more of the same run. Whether they are antithetic is.
public struct RunID: Hashable, Sendable, CustomStringConvertible {
    /// The hash.
    public let value: UInt64

    /// The version of what the hash takes in.
    ///
    /// Raise it when the same changes come to mean another world: when a key's default, or how a value is written, changes.
    static let version: UInt64 = 2

    /// The id of a scenario's runs.
    ///
    /// - Precondition: Its data files have been read.
    /// - Complexity: Linear in the size of the scenario and its data.
    public init(_ scenario: Scenario) {
        self.init(changes: ScenarioWriter.changes(Self.counted(of: scenario)), dataOf: scenario)
    }

    /// - Parameters:
    ///   - changes: What ``counted(of:)`` differs in from the defaults.
    ///   - scenario: What holds data; nil where no file is named.
    fileprivate init(changes: String, dataOf scenario: Scenario?) {
        var hash = Fingerprint()
        hash.combine(Self.version)
        hash.combine(text: changes)
        if let scenario { hash.combine(dataIn: scenario) }
        value = hash.value
    }

    /// The part of a scenario that counts.
    fileprivate static func counted(of scenario: Scenario) -> Scenario {
        var counted = scenario
        counted.replications.count = Scenario.Replications().count
        counted.replications.until = nil
        // A world has one id, whether a value of it stands in the file or in a setting.
        counted.description = ChangedDescription.original(of: counted.description)
        return counted
    }

    /// Sixteen hexadecimal digits.
    public var description: String { value.hexadecimal }
}

/// The ids of scenarios of which each differs from the one before in little, as the points of a design do: only the sections
/// that differ are written anew.
struct RunIDs {
    /// The scenario before.
    private var last: Scenario
    /// What each of its fields adds to its changes, and the line's end before what comes next; empty where it adds nothing.
    private var texts: [String]

    /// Those near a scenario.
    init(near scenario: Scenario) {
        let last = RunID.counted(of: scenario)
        self.last = last
        texts = Section<Scenario>.scenario.fields.map { Section<Scenario>.scenario.text(of: $0, in: last) }
    }

    /// The id of a scenario's runs: that of ``RunID/init(_:)``.
    ///
    /// - Parameter hasData: Whether its file names data files.
    mutating func id(of scenario: Scenario, hasData: Bool) -> RunID {
        let counted = RunID.counted(of: scenario)
        let table = Section<Scenario>.scenario
        for (place, field) in table.fields.enumerated() where !field.isSame(counted, last) {
            texts[place] = table.text(of: field, in: counted)
        }
        last = counted
        var changes = texts.joined()
        if changes.popLast() == nil { changes = StructuredValue.mapping([], isCompact: false).yamlFlow }
        return RunID(changes: changes, dataOf: hasData ? scenario : nil)
    }
}

extension Section {
    /// What a field adds to the text of ``writeChanges(_:)``, and the end of its last line.
    fileprivate func text(of field: Field<Whole>, in whole: Whole) -> String {
        guard isWritten(field, of: whole) else { return "" }
        let entry = StructuredValue.Entry(key: field.key, value: field.writeChanges(whole))
        return StructuredValue.mapping([entry], isCompact: false).yamlLines.joined(separator: "\n") + "\n"
    }
}

extension UInt64 {
    /// All sixteen digits.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Fingerprint {
    /// Takes in the bytes of a text, eight at a time, and their number.
    package mutating func combine(text: String) {
        var word: UInt64 = 0
        var count = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count % 8 == 0 { combine(word) }
        }
        combine(word)
        combine(UInt64(count))
    }

    /// Takes in all that came from data files, in the order of declaration.
    ///
    /// Reflection also finds the distributions in fields that are added later; a list of fields would go out of date.
    fileprivate mutating func combine(dataIn value: Any) {
        switch value {
        case let trace as Scenario.Trace:
            for ride in trace.rides {
                combine(UInt64(bitPattern: ride.request.microseconds))
                combine(ride.isCancelled ? 1 : 0)
                for stage in ride.stages { combine(UInt64(bitPattern: stage.microseconds)) }
            }
        case let values as EmpiricalValues:
            for value in values.sorted { combine(UInt64(bitPattern: value)) }
        default:
            for child in Mirror(reflecting: value).children { combine(dataIn: child.value) }
        }
    }
}
