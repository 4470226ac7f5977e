public import LiveActivityModel
import SimulationKernel

/// A scenario file made ready to be run in tasks: its design points, each with its replications.
///
/// A file without factors has one design point. All points share seed and replications, so they are compared on common
/// random numbers.
public struct Sweep: Sendable {
    /// What the file holds.
    public let experiment: Experiment
    /// The design points to run, in the order of the design.
    public let points: [DesignPoint]
    /// How many points the whole design has; more than there are in ``points`` when only a part is run.
    public let designSize: Int
    /// How many replications each point has.
    public let replications: Int
    /// All there is to do, by point, replication and cells.
    public let tasks: [RunTask]
    /// The data files that the scenarios of the points name, in the order of the points.
    public let dataFiles: [DataFileReference]
    private let template: ScenarioTemplate
    private let files = DataFiles()
    let samplers = KnownSamplers()
    /// Where in ``tasks`` those of each point begin, by its number.
    private let firstTasks: [Int: Int]

    /// Where the files are that the scenario file needs: those that it extends, and data.
    var neededFiles: [String] {
        template.base.extendedFiles + dataFiles.map { template.base.place(of: $0.file) ?? $0.file }
    }

    /// Where its data files are.
    public var dataPlaces: DataPlaces { template.base.dataPlaces }

    /// How a design varies its scenario.
    public var factors: Factors { experiment.factors ?? Factors() }

    /// Whether every point of the design is run.
    public var isWhole: Bool { points.count == designSize }

    /// Reads a scenario file and lays out its design.
    ///
    /// - Parameters:
    ///   - settings: `key.path=value`, in place of the file's values.
    ///   - replications: How many replications to run; nil for what the file says.
    ///   - only: What must hold of the points to run.
    ///   - numbers: Which points to lay out, nil for all; the others are numbered, and not looked at.
    ///   - tell: Told, in a line, when something will take a while.
    ///   - laidOut: Told how many points are laid out, now and then.
    /// - Throws: Everything that is wrong with the file, and with the first design points that make no scenario.
    public init(
        file: String,
        settings: [String] = [],
        replications: Int? = nil,
        only: [Condition] = [],
        numbers: Set<Int>? = nil,
        tell: (String) -> Void = { _ in },
        laidOut: (Int) -> Void = { _ in }
    ) throws(ScenarioError) {
        var template = try ScenarioReader.template(file: file, settings: settings)
        template.prepareForPoints()
        let base = template.base
        let factors = base.experiment.factors ?? Factors()
        // Only a run in one place can look how precise it has become.
        if replications == nil, base.scenario.replications.until != nil {
            throw base.error(
                at: "replications.until",
                "cannot be waited for by tasks: say how many replications to plan, as --replications 16"
            )
        }
        let clashes = template.settingsOfFactors(factors)
        guard clashes.isEmpty else { throw .invalid(clashes) }
        let combinations = factors.combinations(random: RandomSource(seed: base.scenario.seed, replication: 0))
        let unknown = [(factors.conditions, "factors.where"), (only, "--only")]
            .flatMap { template.unknownLevels(in: $0, at: $1, of: factors, beside: combinations[0]) }
        guard unknown.isEmpty else { throw .invalid(unknown) }
        var problems: [Diagnostic] = []
        // A mistake in one level shows at every point that takes it.
        var seen: Set<Diagnostic> = []
        var points: [DesignPoint] = []
        var dataFiles: [DataFileReference] = []
        var size = 0
        var asked = AskedResponses(of: base)
        var restHolds = false
        var ids = RunIDs(near: base.scenario)
        for levels in combinations {
            guard problems.count < 50 else { break }
            do throws(ScenarioError) {
                var isChosen = true
                if !factors.conditions.isEmpty || !only.isEmpty {
                    let values = template.values(factors: factors, levels: levels)
                    guard try template.holds(factors.conditions, at: "factors.where", of: values) else { continue }
                    isChosen = try template.holds(only, at: "--only", of: values)
                }
                let number = size
                size += 1
                guard isChosen, numbers?.contains(number) ?? true else { continue }
                let loaded = try template.scenario(factors: factors, levels: levels)
                let scenario = try ScenarioLoader.scenario(
                    loaded,
                    replications: replications,
                    files: files,
                    restHolds: restHolds,
                    tell: tell
                )
                restHolds = true
                try asked.check(in: scenario)
                dataFiles += loaded.dataFiles
                points.append(
                    DesignPoint(
                        number: number,
                        levels: levels,
                        run: ids.id(of: scenario, hasData: !loaded.dataFiles.isEmpty),
                        cells: scenario.cells,
                        estimate: RunEstimate(scenario)
                    )
                )
                if points.count.isMultiple(of: 1000) { laidOut(points.count) }
            } catch {
                guard case .invalid(let found) = error else { throw error }
                problems += found.filter { seen.insert($0).inserted }
            }
        }
        guard problems.isEmpty else {
            throw .invalid(problems + template.mistakes(in: factors).filter { seen.insert($0).inserted })
        }
        guard !points.isEmpty || size == 0 else {
            throw .invalid([Diagnostic(file: "--only", message: "leaves none of the \(size) design points")])
        }
        guard !points.isEmpty else {
            throw base.error(at: "factors", "leave no design point: no combination of levels meets every condition")
        }
        self.template = template
        experiment = base.experiment
        var known: Set<DataFileReference> = []
        self.dataFiles = dataFiles.filter { known.insert($0).inserted }
        self.points = points
        designSize = size
        let count = replications ?? base.scenario.replications.count
        self.replications = count
        let isAlone = base.experiment.factors == nil
        let groups = isAlone ? RunEngine.groups(ofCells: points[0].cells).count : 1
        let (taskCount, isOver) = points.count.multipliedReportingOverflow(by: count * groups)
        guard !isOver, taskCount <= Sweep.mostTasks else {
            throw base.error(
                at: isAlone ? "replications" : "factors",
                "make more than \(Sweep.mostTasks) tasks: \(points.count) design points of \(count) replications"
            )
        }
        var tasks: [RunTask] = []
        var firstTasks: [Int: Int] = [:]
        for point in points {
            firstTasks[point.number] = tasks.count
            tasks += Sweep.tasks(of: point, replications: count, isAlone: isAlone)
        }
        self.tasks = tasks
        self.firstTasks = firstTasks
    }

    /// The tasks of a design point, by replication and cells.
    ///
    /// - Precondition: The point is one of ``points``.
    /// - Complexity: O(1).
    func tasks(of point: DesignPoint) -> ArraySlice<RunTask> {
        guard let first = firstTasks[point.number] else { preconditionFailure("a point of another sweep") }
        return tasks[first..<(first + tasks.count / points.count)]
    }

    /// The scenario of a design point, made ready.
    ///
    /// - Throws: When it is not what was laid out any more: data files have changed.
    public func world(of point: DesignPoint) throws(ScenarioError) -> World {
        let loaded = try template.scenario(factors: factors, levels: point.levels)
        let world = try ScenarioLoader.world(loaded, replications: replications, files: files, samplers: samplers)
        // Nothing else is read again.
        guard loaded.dataFiles.isEmpty || RunID(world.scenario) == point.run else {
            let path = dataFiles.first?.path ?? "rides"
            throw template.base.error(at: path, "names data that have changed since the run began")
        }
        return world
    }

    /// The point at which each factor has the value that it has without the factors, by its place; nil where none has.
    public var presentPoint: Int? {
        let present = template.base.scenario.withoutDescription
        return points.firstIndex { point in
            (try? template.scenario(factors: factors, levels: point.levels))?.scenario.withoutDescription == present
        }
    }

    /// What settings do to the load of a cell; see ``LoadedScenario/warningOfScale(file:settings:)``.
    public func warningOfScale(file: String, settings: [String]) throws(ScenarioError) -> String? {
        try template.base.warningOfScale(file: file, settings: settings)
    }

    /// That the file has its name from another; see ``LoadedScenario/warningOfName``.
    public var warningOfName: Diagnostic? { template.base.warningOfName }

    /// Something wrong with a value of the file, at its place.
    func diagnostic(at path: String, _ message: String) -> Diagnostic { template.base.diagnostic(at: path, message) }

    /// How many tasks there may be, each of which is kept in mind and has a file of its own.
    private static let mostTasks = 1_000_000

    /// The hash of the experiment: its design points, their scenarios and what is asked of them.
    ///
    /// As that of a run it says nothing of the number of replications.
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

    /// The tasks of a design point: its replications, and of a lone run the groups of its cells too.
    private static func tasks(of point: DesignPoint, replications: Int, isAlone: Bool) -> [RunTask] {
        let ranges = isAlone ? RunEngine.groups(ofCells: point.cells) : [0..<point.cells]
        return (0..<replications)
            .flatMap { replication in
                ranges.map { RunTask(point, replication: replication, cells: $0, keepsCells: replications == 1) }
            }
    }
}

extension Scenario {
    /// The scenario without the words in which settings leave a mark.
    fileprivate var withoutDescription: Scenario {
        var scenario = self
        scenario.description = ""
        return scenario
    }
}
