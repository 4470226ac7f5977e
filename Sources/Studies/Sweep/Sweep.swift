public import Evaluation
import InputFiles
public import LiveActivityModel
public import ScenarioLanguage
import SimulationKernel
import TextFormats

/// The tasks of a scenario file: its design points, each with its replications.
///
/// A file without factors has one design point. All points share seed and replications, so they are compared on common
/// random numbers.
public struct Sweep: Sendable {
    /// The contents of the file.
    public let experiment: Experiment
    /// The checks that are evaluated at each design point.
    public let checks: [Check]
    /// The checks of the file that need a run of their own and are therefore skipped.
    public let skippedChecks: [Check]
    /// The design points to run, in the order of the design.
    public let points: [DesignPoint]
    /// The index of the point at which each factor has the value of the file; nil if there is none, and for settings that
    /// ``PresentSettings`` does not define.
    public let presentPoint: Int?
    /// The present settings that are no design point, one for each world of the design.
    ///
    /// Their numbers follow those of the design.
    public let presents: [DesignPoint]
    /// The index of the present settings for each point, in ``points`` followed by ``presents``; nil if they are not
    /// run.
    private let presentOf: [Int?]
    /// The first reason why present settings are not run in a world; nil if there is none.
    private let absence: ScenarioError?
    /// The number of points of the whole design; larger than the number of ``points`` if only a part is run.
    public let designSize: Int
    /// The number of replications of each point.
    public let replications: Int
    /// All tasks, by point, replication and cells.
    public let tasks: [RunTask]
    /// The data files of the points' scenarios, in the order of the points.
    public let dataFiles: [DataFileReference]
    /// The file, without the levels of any point.
    package let file: LoadedScenario
    private let settings: PresentSettings?
    private let cache = LoadingCache()
    /// The index in ``tasks`` of each point's first task, by the point's number.
    private let firstTasks: [Int: Int]

    /// The paths of the files that the scenario file needs: those that it extends, and data files.
    var neededFiles: [String] {
        file.extendedFiles + dataFiles.map { file.place(of: $0.file) ?? $0.file }
    }

    /// The locations of its data files.
    public var dataPlaces: DataPlaces { file.dataPlaces }

    /// The design.
    public var factors: Factors { experiment.factors ?? Factors() }

    /// `true` if every point of the design is run.
    public var isWhole: Bool { points.count == designSize }

    /// Lays out the design of a scenario file.
    ///
    /// - Parameters:
    ///   - file: The file with its settings.
    ///   - replications: The number of replications; nil for the file's own.
    ///   - only: The conditions on the points to run.
    ///   - numbers: The points to lay out; nil for all. The others are numbered, but not checked.
    ///   - besidePresent: `true` to run the present settings too if they are no design point.
    ///   - notify: Called with a line of text before something that takes a while.
    ///   - laidOut: Called from time to time with the number of points laid out.
    /// - Throws: ``ScenarioError`` with all errors of the design and of the first design points that do not make a
    ///   scenario.
    public init(
        _ file: LoadedScenario,
        replications: Int? = nil,
        only: [Condition] = [],
        numbers: Set<Int>? = nil,
        besidePresent: Bool = false,
        notify: (String) -> Void = { _ in },
        laidOut: (Int) -> Void = { _ in }
    ) throws(ScenarioError) {
        let factors = file.experiment.factors ?? Factors()
        // Only a run in one process can stop at a given precision.
        if replications == nil, file.scenario.replications.until != nil {
            throw file.error(
                at: "replications.until",
                "does not work with tasks: state the number of replications to plan, for example --replications 16"
            )
        }
        let clashes = file.settingsOfFactors(factors)
        guard clashes.isEmpty else { throw .invalid(clashes) }
        let combinations = factors.combinations(random: RandomSource(seed: file.scenario.seed, replication: 0))
        let unknown = [(factors.conditions, "factors.where"), (only, "--only")]
            .flatMap { file.unknownLevels(in: $0, at: $1, of: factors, beside: combinations[0]) }
        guard unknown.isEmpty else { throw .invalid(unknown) }
        var layout = DesignLayout(file, factors, replications: replications, cache: cache)
        try layout.addPoints(combinations, only: only, numbers: numbers, notify: notify, laidOut: laidOut)
        settings = PresentSettings(file, factors)
        if besidePresent, let settings { layout.addPresents(settings, combinations, numbers: numbers) }
        presentPoint = settings.flatMap { settings in layout.points.firstIndex { settings.arePresent($0.levels) } }
        absence = layout.absence
        self.file = file
        experiment = file.experiment
        (points, presents, presentOf, designSize) = (layout.points, layout.presents, layout.presentOf, layout.size)
        let (checks, skipped) = (file.experiment.checks, layout.skippedChecks)
        self.checks = checks.indices.filter { !skipped.contains($0) }.map { checks[$0] }
        skippedChecks = checks.indices.filter(skipped.contains).map { checks[$0] }
        dataFiles = layout.dataFiles.unique
        let count = replications ?? file.scenario.replications.count
        self.replications = count
        let isAlone = file.experiment.factors == nil
        let groups = isAlone ? RunEngine.groups(ofCells: points[0].cells).count : 1
        let (taskCount, isOver) = (points.count + presents.count).multipliedReportingOverflow(by: count * groups)
        guard !isOver, taskCount <= Sweep.mostTasks else {
            throw file.error(
                at: isAlone ? "replications" : "factors",
                "make more than \(Sweep.mostTasks) tasks: \(points.count) design points of \(count) replications"
            )
        }
        var tasks: [RunTask] = []
        var firstTasks: [Int: Int] = [:]
        for point in points + presents {
            firstTasks[point.number] = tasks.count
            tasks += Sweep.tasks(of: point, replications: count, isAlone: isAlone)
        }
        self.tasks = tasks
        self.firstTasks = firstTasks
    }

    /// Returns the tasks of a design point, by replication and cells.
    ///
    /// - Precondition: The point is one of ``points`` or ``presents``.
    /// - Complexity: O(1).
    func tasks(of point: DesignPoint) -> ArraySlice<RunTask> {
        guard let first = firstTasks[point.number] else { preconditionFailure("a point of another sweep") }
        return tasks[first..<(first + tasks.count / (points.count + presents.count))]
    }

    /// Returns the scenario of a design point with its data.
    ///
    /// - Throws: ``ScenarioError`` if data files have changed since it was laid out.
    public func world(of point: DesignPoint) throws(ScenarioError) -> World {
        let loaded =
            if let settings, presents.contains(point) {
                try settings.scenario(of: file, factors, inWorldOf: point.levels)
            } else {
                try file.scenario(factors: factors, levels: point.levels)
            }
        let world = try ScenarioLoader.world(loaded, replications: replications, cache: cache)
        // Nothing else is read twice.
        guard loaded.dataFiles.isEmpty || RunID(world.scenario) == point.run else {
            let path = dataFiles.first?.path ?? "rides"
            throw file.error(at: path, "names data that have changed since the run began")
        }
        return world
    }

    /// Returns the index of the present settings in the world of a point, in the order of ``points`` and then
    /// ``presents``; nil if they are not run.
    public func present(of index: Int) -> Int? { presentOf[index] }

    /// The only point with the present settings beside the design; nil if the design has them, or many worlds.
    public var presentBeside: DesignPoint? {
        guard let settings, !settings.haveWorlds, presentPoint == nil else { return nil }
        return presents.first
    }

    /// A sentence on the worlds in which the present settings are missing, with the reason; nil if there are none.
    public var noteOnAbsentPresent: String? {
        guard let absence else { return nil }
        let count = presentOf.count { $0 == nil }
        let place = count == points.count ? "" : " at \(count) of \(points.count) design points"
        return "Today's settings are missing\(place), because they make no run: \(OneLine.text("\(absence)"))"
    }

    /// A sentence about the checks that are skipped; nil if there are none.
    public var noteOnSkippedChecks: String? {
        guard !skippedChecks.isEmpty else { return nil }
        let isOrAre = skippedChecks.count == 1 ? "is" : "are"
        let texts = skippedChecks.map(\.comparison.text).joined(separator: "; ")
        return
            "\(skippedChecks.count) of \(experiment.checks.count) checks \(isOrAre) skipped, because a sweep has only the "
            + "whole windows of timeseries.csv: \(texts)"
    }

    /// Returns an error about a value of the file, with its location.
    func diagnostic(at path: String, _ message: String) -> Diagnostic { file.diagnostic(at: path, message) }

    /// The largest number of tasks.
    ///
    /// Each is kept in memory and has a file of its own.
    private static let mostTasks = 1_000_000

    /// The hash of the experiment: its design points, their scenarios and the requested responses.
    ///
    /// Like the id of a run, it does not depend on the number of replications.
    public var id: UInt64 {
        var hash = Fingerprint()
        for factor in factors.vary { hash.combine(text: factor.path) }
        for point in points {
            hash.combine(UInt64(point.number))
            hash.combine(point.run.value)
            for level in point.levels { hash.combine(text: level.label) }
        }
        for response in factors.responses { hash.combine(text: response.text) }
        for check in experiment.checks { hash.combine(text: check.comparison.text) }
        return hash.value
    }

    /// Returns the tasks of a design point: its replications, and for a single run also its groups of cells.
    private static func tasks(of point: DesignPoint, replications: Int, isAlone: Bool) -> [RunTask] {
        let ranges = isAlone ? RunEngine.groups(ofCells: point.cells) : [0..<point.cells]
        return (0..<replications)
            .flatMap { replication in
                ranges.map { RunTask(point, replication: replication, cells: $0, keepsCells: replications == 1) }
            }
    }
}
