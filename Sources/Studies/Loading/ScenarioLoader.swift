import FreshnessCore
import InputFiles
public import LiveActivityModel
import Quantities
public import ScenarioLanguage
import SimulationKernel
import Statistics
import TextFormats
import Traces

/// Loads a scenario file as a world that is ready to run: reads the file and its data, checks, compiles.
public enum ScenarioLoader {
    /// Reads a scenario with its data files and compiles it.
    ///
    /// - Parameters:
    ///   - settings: `key.path=value`, replacing the file's values.
    ///   - replications: The exact number of replications; nil for the scenario's.
    ///   - notify: Called with a line of text if something will take a while.
    /// - Throws: All problems of the scenario; if there are none, the problems of its data.
    public static func load(
        file: String,
        settings: [String] = [],
        replications: Int? = nil,
        notify: (String) -> Void = { _ in }
    ) throws(ScenarioError) -> World {
        try world(ScenarioReader.read(file: file, settings: settings), replications: replications, notify: notify)
    }

    /// Compiles a scenario that was read, with its data files.
    ///
    /// - Parameters:
    ///   - replications: The exact number of replications; nil for the scenario's.
    ///   - cache: The data files and samplers of earlier worlds.
    ///   - notify: Called with a line of text if something will take a while.
    /// - Throws: The problems of the data, or of the scenario as a whole.
    public static func world(
        _ loaded: LoadedScenario,
        replications: Int? = nil,
        cache: LoadingCache = LoadingCache(),
        notify: (String) -> Void = { _ in }
    ) throws(ScenarioError) -> World {
        let scenario = try scenario(loaded, replications: replications, cache: cache, notify: notify)
        do {
            return try World(scenario, compile: cache.samplers.sampler)
        } catch {
            throw loaded.error(at: "monitor", "is invalid: \(error)")
        }
    }

    /// Returns the scenario of a world with its data, checked like the world but without tables, which only runs need.
    public static func scenario(
        _ loaded: LoadedScenario,
        replications: Int? = nil,
        cache: LoadingCache,
        notify: (String) -> Void = { _ in }
    ) throws(ScenarioError) -> Scenario {
        var loading = Loading(loaded: loaded, files: cache.files)
        if let replications {
            loading.loaded.scenario.replications.count = replications
            loading.loaded.scenario.replications.until = nil
            if loaded.scenario.replications.antithetic, !replications.isMultiple(of: 2) {
                let message = "needs an even number of replications, got \(replications) by --replications"
                loading.refuse("replications.antithetic", message)
            }
        }
        loading.readColumns(notify: notify)
        let estimates = loading.readEstimates(notify: notify)
        loading.readTrace(estimates, notify: notify)
        guard loading.problems.isEmpty else { throw .invalid(loading.problems) }
        if let unavailable = loading.unavailable { throw unavailable }
        loading.check()
        guard loading.problems.isEmpty else { throw .invalid(loading.problems) }
        var scenario = loading.loaded.scenario
        for index in scenario.cohorts.indices {
            let own = try self.scenario(loaded.cohort(index), cache: cache, notify: notify)
            scenario.cohorts[index].sections = Scenario.Cohort.Sections(own)
        }
        return scenario
    }

    /// Compiles a scenario without data files, for tests.
    public static func world(_ scenario: Scenario) throws -> World {
        var copy = scenario
        var failure: DistributionError?
        copy.updateDistributions { distribution, _ in
            do throws(DistributionError) {
                try distribution.validated()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return try World(scenario, compile: KnownSamplers().sampler)
    }

    /// Returns a world in which only a part is measured.
    ///
    /// Histories are the same up to the end of the part, where they stop.
    ///
    /// - Precondition: The part is not empty and lies within the run.
    static func world(_ world: World, over stretch: Range<TimeSpan>) throws -> World {
        precondition(!stretch.isEmpty && .start + stretch.upperBound <= world.horizon, "a part of the run")
        return try World(world.scenario, over: stretch, compile: KnownSamplers().sampler)
    }
}

/// A scenario during loading, with its problems so far.
private struct Loading {
    var loaded: LoadedScenario
    let files: DataFiles
    private(set) var problems: [Diagnostic] = []
    /// A data file that may be valid but cannot be read on this machine.
    private(set) var unavailable: ScenarioError?

    mutating func refuse(_ path: String, _ message: String) {
        problems.append(loaded.diagnostic(at: path, message))
    }

    /// Checks that the run starts at the local time of the trace's first request, which is its start.
    ///
    /// A local time of a fault or a window would otherwise be another time of the trace. Without one, only labels are wrong.
    private mutating func checkStart(of trace: inout Scenario.Trace) {
        guard !trace.foldOntoOneDay, let first = trace.cleaning.firstRequest else { return }
        let day = Int((first - CivilTime.timeOfDay(first)) / CivilTime.day)
        let seconds = CivilTime.timeOfDay(first) / 1_000_000
        var start = Scenario.LocalTime(timeOfDay: .seconds(seconds))
        // 1970-01-01 was a Thursday.
        start.weekday = Scenario.Weekday.allCases[((day + 3) % 7 + 7) % 7]
        let stated = loaded.scenario.clock.start
        guard stated.timeOfDay != start.timeOfDay || stated.weekday ?? start.weekday != start.weekday else { return }
        let (should, got) = (LocalTimeText.text(start), LocalTimeText.text(stated))
        if loaded.root.hasLocalTimes {
            refuse(
                "clock.starts_at",
                "must be \"\(should)\", the local time of the trace's first request, because faults or windows have local times; "
                    + "got \"\(got)\""
            )
        } else {
            trace.cleaning.remarks.append(
                "The first request is at \(should), so set clock.starts_at to \"\(should)\"; it is \(got), and times of day "
                    + "count from it."
            )
        }
    }

    /// Checks the distributions for things that the model cannot run.
    mutating func check() {
        var scenario = loaded.scenario
        scenario.updateDistributions { distribution, path in
            do {
                try distribution.validated()
            } catch {
                refuse(path, "cannot be drawn from: \(error)")
            }
        }
        let connectivity = scenario.devices.connectivity
        if problems.isEmpty, let online = connectivity.online, online.mean < 1000, connectivity.offline.mean < 1000 {
            refuse(
                "devices.connectivity.online",
                "must last at least 1 ms on average, or devices.connectivity.offline must"
            )
        }
        let rotations = [
            ("devices.token.rotation", scenario.devices.token.rotation),
            ("devices.start.token_rotation", scenario.devices.start.tokenRotation),
        ]
        for (path, rotation) in rotations where problems.isEmpty {
            guard let rotation, rotation.mean < 1e6 else { continue }
            refuse(
                path,
                "must last at least 1 s on average, got \(DurationText.text(microseconds: rotation.mean)): each change is an event of each "
                    + "phone, so shorter ones make a run slow without a use"
            )
        }
        do throws(PolicyError) {
            try World.checkPolicies(of: scenario)
        } catch {
            refuse("monitor", "is invalid: \(error)")
        }
    }

    // MARK: - Data files

    /// Reads the file of estimates, if there is one.
    mutating func readEstimates(notify: (String) -> Void) -> EstimateFile? {
        let path = "content.eta.file"
        guard let eta = loaded.scenario.content.eta, !eta.file.isEmpty, let file = find(eta.file, path) else {
            return nil
        }
        do throws(DataFileError) {
            let stages = loaded.scenario.rides.stages.map(\.name)
            let read = try files.estimates(.init(path: file, columns: eta.columns, stages: stages), notify: notify)
            loaded.scenario.content.eta?.series = read.series
            return read
        } catch {
            report(error, path)
            return nil
        }
    }

    mutating func readTrace(_ estimates: EstimateFile?, notify: (String) -> Void) {
        guard let written = loaded.scenario.rides.trace else { return }
        let path = "rides.trace.file"
        let stages = loaded.scenario.rides.stages.count
        guard stages == RideTraceReader.stageCount else {
            refuse(
                "rides.stages",
                "must be the \(RideTraceReader.stageCount) stages of a traced ride "
                    + "(matching, on the way, waiting, on trip), got \(stages)"
            )
            return
        }
        guard written.timeZone.isEmpty || ZonedClock.named(written.timeZone) != nil else {
            refuse(
                "rides.trace.time_zone",
                "must be a time zone of the IANA database, such as Europe/Berlin, or UTC; got "
                    + "\"\(OneLine.excerpt(written.timeZone))\""
            )
            return
        }
        guard let file = find(written.file, path) else { return }
        do throws(DataFileError) {
            let durations = loaded.scenario.rides.stages.map(\.duration)
            var trace = try files.trace(written, durations: durations, estimates: estimates, path: file, notify: notify)
            checkRows(of: trace, file)
            leaveOut(of: &trace, requestsFrom: .start + loaded.scenario.clock.duration)
            checkStart(of: &trace)
            loaded.scenario.rides.trace = trace
            for line in trace.cleaning.lines(of: file) { files.notifyOnce("warning: \(line)", notify) }
            let copies = Double(trace.rides.count) * loaded.scenario.rides.scale
            if copies > Self.mostTracedRides {
                let most = Int64(Self.mostTracedRides)
                refuse(
                    "rides.scale",
                    "must be smaller: it makes \(Int64(copies)) rides of the trace; allowed: \(most)"
                )
            }
        } catch {
            report(error, path)
        }
    }

    /// Refuses a trace if too many of its rows are left out, and names the first row of each reason.
    private mutating func checkRows(of trace: Scenario.Trace, _ file: String) {
        let cleaning = trace.cleaning
        let rows = cleaning.read - cleaning.otherProvider
        let bad = cleaning.badRows
        guard Double(bad) > trace.mostBadRows.fraction * Double(rows) else { return }
        problems += cleaning.leftOut.map { count in
            Diagnostic(
                file: file,
                line: count.firstLine,
                column: 1,
                message: "\(count.words), of \(rows), \(count.rows == 1 ? "is" : "are") left out; this is the first"
            )
        }
        let share = NumberText.hundredthsText(trace.mostBadRows.fraction)
        refuse(
            "rides.trace.most_bad_rows",
            "allows \(share)% of the rows to be left out as unclean, got \(bad) of \(rows)"
        )
    }

    /// A trace is held in memory, 56 bytes per ride, and each thread uses a list with 16 bytes per copy.
    ///
    /// A month of all rides in New York has 21 million.
    private static let mostTracedRides = 5e7

    /// Leaves out rides requested after arrivals have ended, and counts them.
    private func leaveOut(of trace: inout Scenario.Trace, requestsFrom end: Instant) {
        let late = trace.rides.count { $0.request >= end }
        guard late > 0 else { return }
        trace.rides.removeAll { $0.request >= end }
        trace.cleaning.kept -= late
        trace.cleaning.leftOut.append(.init(reason: TraceCleaning.afterTheRun, rows: late))
    }

    mutating func readColumns(notify: (String) -> Void) {
        guard !loaded.dataFiles.isEmpty else { return }
        var scenario = loaded.scenario
        scenario.updateEmpiricalValues { values, path in
            guard let file = find(values.file, "\(path).file") else { return }
            guard let unit = EmpiricalColumn.Unit(factor: values.unit) else {
                preconditionFailure("a unit that the scenario reader does not know")
            }
            do throws(DataFileError) {
                values.sorted = try files.column(values.column, path: file, unit: unit, notify: notify)
            } catch {
                report(error, "\(path).file")
            }
        }
        loaded.scenario = scenario
    }

    private mutating func find(_ file: String, _ path: String) -> String? {
        guard InputFile.isName(file) else {
            refuse(path, "must name a file, got \"\(OneLine.excerpt(file))\", which contains a NUL")
            return nil
        }
        guard !InputFile.isOpenStream(file) else {
            refuse(path, "must name a file, got \(file)")
            return nil
        }
        let places = loaded.places(toLookFor: file)
        if let found = loaded.place(of: file) { return found }
        refuse(path, "must name a file that exists; tried \(places.joined(separator: ", "))")
        return nil
    }

    private mutating func report(_ error: DataFileError, _ path: String) {
        switch error {
        case .missing(let file):
            refuse(path, "must name a file that exists, got \(file)")
        case .unreadable(let file, let reason):
            refuse(path, "must name a file that can be read; \(file): \(reason)")
        case .unavailable(let file, let reason):
            unavailable = .unavailable(path: file, reason: reason)
        case .invalid(let diagnostics, let omitted):
            problems += diagnostics
            if omitted > 0 { refuse(path, "names a file with \(omitted) more problems") }
        }
    }
}

extension LoadedScenario {
    /// Returns an error about the value at a path.
    func error(at path: String, _ message: String) -> ScenarioError { .invalid([diagnostic(at: path, message)]) }
}
