import Quantities
import SimulationKernel

/// The world of the cohort whose activity the cell handles.
///
/// Its values are read without counting references, which would cost more than most handlers. The cell holds the world that
/// it belongs to.
struct OwnWorld {
    private let world: Unmanaged<World>

    init(_ world: World) { self.world = .passUnretained(world) }

    @inline(__always)
    var samplers: Samplers { world._withUnsafeGuaranteedRef { $0.samplers } }
    @inline(__always)
    var bank: SamplerBank { world._withUnsafeGuaranteedRef { $0.bank } }
    @inline(__always)
    var monitor: MonitorRules { world._withUnsafeGuaranteedRef { $0.monitor } }
    @inline(__always)
    var devices: Scenario.Devices { world._withUnsafeGuaranteedRef { $0.scenario.devices } }
    @inline(__always)
    var content: Scenario.Content { world._withUnsafeGuaranteedRef { $0.scenario.content } }
    @inline(__always)
    var eta: ETACourse? { world._withUnsafeGuaranteedRef { $0.eta } }
    @inline(__always)
    var photoStage: Int { world._withUnsafeGuaranteedRef { $0.photoStage } }
    @inline(__always)
    var pictureStage: Int { world._withUnsafeGuaranteedRef { $0.pictureStage } }
    @inline(__always)
    var estimates: ETASeries? { world._withUnsafeGuaranteedRef { $0.estimates } }

    @inline(__always)
    func fits(payloadDraw draw: UInt64, inStage stage: Int) -> Bool {
        world._withUnsafeGuaranteedRef { $0.fits(payloadDraw: draw, inStage: stage) }
    }

    @inline(__always)
    func alerts(inStage stage: Int) -> Bool { world._withUnsafeGuaranteedRef { $0.alerts(inStage: stage) } }
}

/// The cohorts of segments, without a division: nearly every event asks.
struct SegmentCohorts: BitwiseCopyable {
    /// The number of cohorts, including the rides that belong to none.
    let count: UInt32
    /// 65,536 / ``count``, rounded up or one more: exact for segments, which are below 256.
    private let reciprocal: UInt32

    init(count: Int) {
        self.count = UInt32(count)
        reciprocal = 65_536 / self.count + 1
    }

    /// Returns the cohort of a segment: the remainder of its number by ``count``.
    @inline(__always)
    subscript(segment: UInt8) -> Int {
        let number = UInt32(segment)
        return Int(number &- (number &* reciprocal) >> 16 &* count)
    }
}

/// The shares of cohorts over time, added up in the order of the scenario.
struct CohortShares {
    private let count: Int
    /// The instants at which shares change, in order.
    private let instants: [Instant]
    /// Grouped by instant: the share of each cohort and of all before it.
    private let sums: [Probability]

    init(_ cohorts: [Scenario.Cohort]) {
        count = cohorts.count
        instants = Set(cohorts.flatMap { $0.rollout.map { .start + $0.at } }).union([.start]).sorted()
        sums = instants.flatMap { instant in
            var sum = 0.0
            return cohorts.map { cohort in
                sum += cohort.share(at: instant).fraction
                return Probability(min(1, sum))
            }
        }
    }

    /// Returns the cohort of a ride that is requested at an instant, numbered from 1; 0 if it belongs to none.
    func cohort(at instant: Instant, draw: UInt64) -> UInt8 {
        let step = (instants.lastIndex { $0 <= instant } ?? 0) * count
        for index in 0..<count where sums[step + index].happens(draw) { return UInt8(index + 1) }
        return 0
    }
}

/// The cohorts of the fleet: the values by which an activity is handled are those of its cohort.
extension CellSimulation {
    /// Turns to the cohort of the activity that an event concerns; an event of the cell keeps the last one.
    @inline(__always)
    mutating func enterCohort(of event: EventWord) {
        let kind = EventKind(event)
        if kind.concernsPush {
            enterCohort(of: activities[pushes[event.subject].activity])
        } else if kind.concernsActivity {
            enterCohort(of: activities[event.subject])
        }
    }

    /// Turns to the cohort of an activity.
    ///
    /// - Returns: The cohort before, for ``enter(_:)`` if the cell goes on with the activity that it handled.
    @inline(__always)
    @discardableResult
    mutating func enterCohort(of activity: Handle<Activity>) -> Int {
        let before = cohort
        enter(cohorts[activity.segment])
        return before
    }

    /// Turns to a cohort.
    @inline(__always)
    mutating func enter(_ number: Int) { if number != cohort { turn(to: number) } }

    @inline(never)
    private mutating func turn(to number: Int) {
        let own = number == 0 ? world : world.cohorts[number - 1]
        cohort = number
        self.own = OwnWorld(own)
        rules = own.rules
    }
}
