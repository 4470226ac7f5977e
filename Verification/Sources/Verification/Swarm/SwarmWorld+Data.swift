import Foundation
import LiveActivityModel
import ModelChecks
import Quantities
import ScenarioLanguage
import SimulationKernel
import Traces

/// Valid data files with extreme rows.
extension SwarmWorld {
    // MARK: - Ride traces

    /// Gives the world a ride trace instead of drawn rides, with a probability of one in eight.
    mutating func addTrace(_ draws: SwarmDraws) {
        var draws = draws
        guard draws.number(0...7) == 0 else { return }
        let name = "\(scenario.name)-rides.csv"
        var trace = Scenario.Trace(file: name)
        if draws.coin() { trace.provider = draws.one(of: ["lyft", "HV0005"]) }
        trace.foldOntoOneDay = draws.coin()
        if draws.coin() { trace.longestRide = .hours(4) }
        trace.mostBadRows = .always
        scenario.rides.trace = trace
        let stages = scenario.rides.stages
        scenario.rides.stages = (0..<RideTraceReader.stageCount)
            .map { $0 < stages.count ? stages[$0] : Scenario.Stage(name: "s\($0)", duration: .constant(60e6)) }
        scenario.rides.rematching = Scenario.Rematching()
        (scenario.rides.again, scenario.rides.stops) = (nil, nil)
        (scenario.devices.start.comparesRides, scenario.devices.budget.isShared) = (false, false)
        let isPlain = draws.coin()
        var lines = [
            isPlain
                ? "ride,provider,request_time,accepted_time,driver_arrived_time,pickup_time,dropoff_time,cancelled_time,status"
                : "ride,hvfhs_license_num,request_datetime,on_scene_datetime,pickup_datetime,dropoff_datetime"
        ]
        // A file without any ride is rejected, so the first row is valid.
        lines.append("r0," + TraceRow(kind: .sound, &draws).line(isPlain))
        let count = draws.one(of: [0, 3, 20, 100])
        let kinds = TraceRow.Kind.allCases.filter { isPlain || !$0.isCancelled }
        for ride in 0..<count {
            lines.append("r\(ride % 4)," + TraceRow(kind: draws.one(of: kinds), &draws).line(isPlain))
        }
        files.append(DataFile(name: name, lines: lines))
    }

    // MARK: - Recorded estimates

    /// Gives the world's ETA recorded estimates, with a probability of one in two.
    ///
    /// Some rides of a trace have none: its rides are `r0` to `r3`.
    mutating func addEstimates(_ draws: SwarmDraws) {
        var draws = draws
        guard var eta = scenario.content.eta, draws.coin() else { return }
        let name = "\(scenario.name)-etas.csv"
        eta.record(in: name)
        scenario.content.eta = eta
        let stages = draws.coin() ? scenario.rides.stages.map(\.name) : []
        var lines = [(stages.isEmpty ? "" : "stage,") + "ride,time," + (draws.coin() ? "eta" : "arrival")]
        for row in 0..<draws.one(of: [1, 3, 20]) {
            // At the request, at one instant, out of order, after the ride.
            let time = draws.one(of: ["0", "0", "0.000001", "10", "30", "30.5", "400", "20000"])
            let value = draws.one(of: ["0", "0.000001", "30", "300", "301", "4000"])
            let stage = stages.isEmpty ? "" : draws.one(of: stages) + ","
            lines.append("\(stage)r\(row == 0 ? 0 : draws.count(0...2)),\(time),\(value)")
        }
        files.append(DataFile(name: name, lines: lines))
    }

    // MARK: - Measured values

    /// Gives some distributions of durations the values of a column, with a probability of one in eight and a coin for
    /// each.
    mutating func addMeasuredValues(_ draws: SwarmDraws) {
        var draws = draws
        guard draws.number(0...7) == 0 else { return }
        let name = "\(scenario.name)-values.csv"
        // Zero, the smallest value, ties, a long tail; an empty cell is no value.
        let column: [String] =
            (0..<draws.one(of: [1, 2, 30]))
            .map { _ in draws.one(of: ["0", "0.000001", "1", "30", "30", "30.5", "400", "2000", ""]) } + ["20"]
        var isUsed = false
        scenario.updateDistributions { distribution, path in
            var draws = draws.inner(path)
            guard draws.coin(), !path.contains("bytes"), path != "groups.size", !path.contains("empirical") else {
                return
            }
            isUsed = true
            distribution = .empirical(EmpiricalValues(file: name, column: "seconds", unit: 1e6, sorted: []))
        }
        if isUsed {
            files.append(DataFile(name: name, lines: ["name,seconds"] + column.map { "value,\($0)" }))
        }
    }
}

/// A row of a trace, valid or with a defect.
private struct TraceRow {
    enum Kind: CaseIterable {
        case sound, atOnce, long
        case cancelledAtOnce, cancelledLate
        // Repaired.
        case arrivalAfterPickup, pickupBeforeRequest, nothingBetween
        // Omitted.
        case noRequest, dropoffBeforePickup, unreadable, otherProvider

        var isCancelled: Bool { self == .cancelledAtOnce || self == .cancelledLate }
    }

    private let kind: Kind
    /// Request, acceptance, arrival, pickup, drop-off [µs from midnight].
    private var moments: [Int64] = []
    private let provider: String

    init(kind: Kind, _ draws: inout SwarmDraws) {
        self.kind = kind
        provider = kind == .otherProvider ? "uber" : draws.one(of: ["lyft", "Lyft", "HV0005"])
        // Many at one instant, or a microsecond apart.
        var at = draws.one(of: [0, 0, 1, 59_999_999, draws.number(0...600_000_000)])
        moments = [at]
        for _ in 0..<4 {
            at += kind == .atOnce ? 0 : draws.one(of: [0, 1, 1_000_000, 30_000_000, 300_000_000, 1_200_000_000])
            moments.append(at)
        }
        if kind == .long { moments[4] = moments[0] + 12_600_000_000 }
        if moments[4] <= moments[3] { moments[4] = moments[3] + 1 }
    }

    func line(_ isPlain: Bool) -> String {
        var texts = moments.map(Self.text)
        switch kind {
        case .arrivalAfterPickup: texts[2] = Self.text(moments[4])
        case .pickupBeforeRequest: texts[0] = Self.text(moments[3] + 1)
        case .nothingBetween: (texts[1], texts[2]) = ("", "")
        case .noRequest: texts[0] = ""
        case .dropoffBeforePickup: texts[4] = texts[3]
        case .unreadable: texts[3] = "soon"
        default: break
        }
        guard isPlain else { return ([provider, texts[0]] + texts[2...]).joined(separator: ",") }
        guard kind.isCancelled else { return ([provider] + texts + ["", "completed"]).joined(separator: ",") }
        let cancelled = kind == .cancelledAtOnce ? texts[0] : texts[3]
        return ([provider] + texts + [cancelled, "cancelled"]).joined(separator: ",")
    }

    /// Formats a time of the day of the trace, or of the next one.
    private static func text(_ microseconds: Int64) -> String {
        let seconds = microseconds / 1_000_000
        return String(
            format: "2026-07-%02d %02d:%02d:%02d.%06d",
            Int(15 + seconds / 86_400),
            Int(seconds / 3600 % 24),
            Int(seconds / 60 % 60),
            Int(seconds % 60),
            Int(microseconds % 1_000_000)
        )
    }
}
