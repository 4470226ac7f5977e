import Foundation
public import TestSupport

extension Scratch {
    /// Returns the fields of a CSV file by row, its header first.
    public func rows(_ name: String) throws -> [[String]] {
        try text(name).split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// Returns the values of a directory's `summary.csv` by scope, metric and statistic, such as `all,rides_count,total`.
    public func summary(_ directory: String = "out") throws -> [String: Double] {
        try rows("\(directory)/summary.csv").dropFirst()
            .reduce(into: [:]) { values, fields in values[fields[..<3].joined(separator: ",")] = Double(fields[4]) }
    }

    /// Returns the total of a count over a whole run.
    public func total(_ metric: String, in directory: String = "out") throws -> Int? {
        try summary(directory)["all,\(metric),total"].map { Int($0) }
    }
}
