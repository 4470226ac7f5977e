public import LiveActivityModel
import Quantities
public import SimulationKernel

/// The identity of a run: a hash of the scenario's differences from the defaults and of the values in its data files.
///
/// Keys at their defaults and comments are not included. So a new key with a default, or other wording in a table,
/// leaves all ids unchanged.
///
/// The number of replications, the machine and the time are not included: more replications are more of the same run.
/// The use of antithetic pairs is included.
public struct RunID: Hashable, Sendable, CustomStringConvertible {
    /// The hash.
    public let value: UInt64

    /// The version of the hash's input.
    ///
    /// Raise it if the same differences mean another world: if a key's default or the way a value is written
    /// changes.
    static let version: UInt64 = 2

    /// Computes the id of a scenario's runs.
    ///
    /// - Precondition: Its data files have been read.
    /// - Complexity: Linear in the size of the scenario and its data.
    public init(_ scenario: Scenario) {
        var counted = scenario
        counted.replications.count = Scenario.Replications().count
        counted.replications.until = nil
        // A world has one id, whether a value is written in the file or in a setting.
        counted.description = ChangedDescription.original(of: counted.description)
        var hash = Fingerprint()
        hash.combine(Self.version)
        hash.combine(text: ScenarioWriter.changes(counted))
        hash.combine(dataIn: scenario)
        value = hash.value
    }

    /// Sixteen hexadecimal digits.
    public var description: String { value.hexadecimal }
}

extension UInt64 {
    /// The hash as sixteen digits.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Fingerprint {
    /// Adds the bytes of a text, eight at a time, and their number.
    public mutating func combine(text: String) {
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

    /// Adds everything that came from data files, in the order of declaration.
    ///
    /// Reflection also finds distributions in fields that are added later; a list of fields would become outdated.
    fileprivate mutating func combine(dataIn value: Any) {
        switch value {
        case let trace as Scenario.Trace:
            for ride in trace.rides {
                combine(UInt64(bitPattern: ride.request.microseconds))
                combine(ride.isCancelled ? 1 : 0)
                for stage in ride.stages { combine(UInt64(bitPattern: stage.microseconds)) }
                if ride.estimates != 0 { combine(UInt64(ride.estimates)) }
            }
        case let series as ETASeries:
            for part in series.parts {
                combine(UInt64(part.count))
                for estimate in part {
                    combine(UInt64(bitPattern: estimate.at.microseconds))
                    combine(UInt64(bitPattern: estimate.arrival.microseconds))
                }
            }
        case let values as EmpiricalValues:
            for value in values.sorted { combine(UInt64(bitPattern: value)) }
        default:
            for child in Mirror(reflecting: value).children { combine(dataIn: child.value) }
        }
    }
}
