import InputFiles
import LiveActivityModel
import Quantities
import ScenarioLanguage
import SimulationKernel
import Traces

extension ReaderCheck {
    func complaintsAboutTable(_ bytes: [UInt8]) -> [String] {
        // Another program reads such files.
        guard !bytes.starts(with: "PAR1".utf8) else { return [] }
        return complaintsAboutTrace(bytes, foldOntoOneDay: false) + complaintsAboutTrace(bytes, foldOntoOneDay: true)
            + complaintsAboutTrace(bytes, foldOntoOneDay: false, isNumbered: true)
            + EmpiricalColumn.Unit.allCases.flatMap { complaintsAboutColumn(bytes, $0) }
            + complaintsAboutEstimates(bytes) + complaintsAboutFit(bytes)
            + complaintsAboutSendLog(bytes, SendLogColumns())
            + complaintsAboutSendLog(bytes, numbered)
    }

    /// The column numbers of a file without a header.
    private var numbered: SendLogColumns {
        var columns = SendLogColumns()
        (columns.time, columns.status, columns.latency, columns.unit) = ("1", "2", "3", .nanoseconds)
        columns.format.hasHeader = false
        return columns
    }

    private func complaintsAboutTrace(
        _ bytes: [UInt8],
        foldOntoOneDay: Bool,
        isNumbered: Bool = false
    ) -> [String] {
        var trace = Scenario.Trace(file: scratchFile)
        trace.foldOntoOneDay = foldOntoOneDay
        if isNumbered { (trace.columns.pickupTime, trace.columns.dropoffTime) = ("1", "2") }
        let durations: [Distribution] = [6e6, 180e6, 60e6, 1020e6].map { .constant($0) }
        do throws(DataFileError) {
            let (rides, cleaning) = try RideTraceReader.read(path: scratchFile, for: trace, durations: durations)
            let leftOut = cleaning.leftOut.reduce(0) { $0 + $1.rows } + cleaning.otherProvider
            let requests = rides.map(\.request)
            let isSound = rides.allSatisfy { ride in
                ride.request >= .start && ride.stages.count <= RideTraceReader.stageCount
                    && ride.stages.allSatisfy { .zero <= $0 && $0 <= trace.longestRide }
            }
            return [
                rides.count == cleaning.kept && cleaning.read == cleaning.kept + leftOut
                    ? nil : "the rows do not add up: \(cleaning)",
                requests == requests.sorted() ? nil : "the rides are out of order",
                isSound ? nil : "a ride has a time that cannot be",
            ]
            .compactMap { $0 }
        } catch {
            return complaints(about: error, of: bytes)
        }
    }

    private func complaintsAboutEstimates(_ bytes: [UInt8]) -> [String] {
        var columns = Scenario.ETAColumns()
        (columns.ride, columns.time, columns.eta) = ("1", "2", "3")
        do throws(DataFileError) {
            let key = EstimateFile.Key(path: scratchFile, columns: columns, stages: ["matching"])
            let series = try EstimateFile(key) { _ in }.series
            let areSorted = series.parts.allSatisfy { part in
                zip(part, part.dropFirst()).allSatisfy { $0.at <= $1.at }
            }
            return series.rideCount > 0 && areSorted ? [] : ["the estimates are unfit"]
        } catch {
            return complaints(about: error, of: bytes)
        }
    }

    private func complaintsAboutColumn(_ bytes: [UInt8], _ unit: EmpiricalColumn.Unit) -> [String] {
        do throws(DataFileError) {
            let values = try EmpiricalColumn.read(path: scratchFile, column: "value", unit: unit)
            return values.isEmpty || values != values.sorted() || values[0] < 0 ? ["the column's values are unfit"] : []
        } catch {
            return complaints(about: error, of: bytes)
        }
    }

    /// Reads and fits a column; the printed fit must be a distribution.
    private func complaintsAboutFit(_ bytes: [UInt8]) -> [String] {
        let column = DataColumn(name: "value", unit: .milliseconds)
        do throws(DataFileError) {
            let values = try column.read(path: scratchFile)
            let source = Calibration.Source(file: scratchFile, column: column, values: values)
            guard let calibration = try? Calibration(source) else { return [] }
            let texts = calibration.candidates.filter { $0.problem == nil }.map { calibration.yaml($0.fit) }
            return (texts + [calibration.yaml(calibration.quantiles)])
                .filter { text in
                    let scenario = """
                        name: a
                        rides: {arrivals: {process: poisson, rates_per_hour: [1]}, stages: [{name: a, duration: 1m}]}
                        content: {refresh: \(text)}
                        """
                    return (try? ScenarioReader.read(yaml: scenario, named: "a.yaml")) == nil
                }
                .map { "no scenario takes the fit \($0)" }
        } catch {
            return complaints(about: error, of: bytes)
        }
    }

    private func complaintsAboutSendLog(_ bytes: [UInt8], _ columns: SendLogColumns) -> [String] {
        do throws(DataFileError) {
            let log = try SendLogReader.read(path: scratchFile, columns)
            let answered = log.answers.reduce(0) { $0 + $1.count }
            return answered == log.count && !log.latencies.isEmpty ? [] : ["the answers do not add up: \(log.answers)"]
        } catch {
            return complaints(about: error, of: bytes)
        }
    }

    private func complaints(about error: DataFileError, of bytes: [UInt8]) -> [String] {
        switch error {
        case .missing, .unreadable, .unavailable:
            return ["a file that is there is refused as \(error)"]
        case .invalid(let diagnostics, let omitted):
            return complaints(about: diagnostics, of: bytes) + (omitted < 0 ? ["fewer than no problems omitted"] : [])
        }
    }
}
