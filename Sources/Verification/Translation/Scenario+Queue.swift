import LiveActivityModel
import Quantities
import SimulationKernel

/// The sender as a queue of theory: refreshes arrive, streams are servers, the request time is the service.
extension Scenario {
    /// A stream of arrivals: the refreshes of one activity.
    struct Source {
        /// Time between arrivals.
        var gap: Distribution
        /// The rank of its pushes in the queue; lower goes first.
        var rank = 0
    }

    /// The sender in its steady state.
    ///
    /// Several sources are as many activities, which begin one after the other and are all in different stages of their
    /// rides while the system is watched: the last source is the stage that comes first.
    ///
    /// - Parameters:
    ///   - sources: What arrives; the first of them is the activity that is in stage `source-0` while it is watched.
    ///   - streams: How many servers there are.
    ///   - warmUp: How long the system needs to forget that it began empty.
    ///   - length: How long it is watched after that.
    static func queue(
        _ name: String,
        sources: [Source],
        streams: Int,
        service: Distribution,
        warmUp: TimeSpan,
        length: TimeSpan
    ) -> Scenario {
        var scenario = bare(name)
        let stageLength = warmUp + length
        let forever = Distribution.constant(Double(TimeSpan.longest.microseconds))
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = sources.count
        scenario.rides.arrivals.spread = stageLength * Int64(sources.count)
        scenario.rides.stages = sources.enumerated().reversed()
            .map { number, source in
                var stage = Stage(
                    name: "source-\(number)",
                    duration: number == 0 ? forever : .constant(Double(stageLength.microseconds)),
                    refresh: source.gap
                )
                stage.rank = source.rank
                return stage
            }
        scenario.monitor.enabled = false
        scenario.sender.streams = streams
        scenario.sender.requestTime = service
        scenario.apns.latencyFrom = .response
        scenario.clock.warmUp = stageLength * Int64(sources.count - 1) + warmUp
        scenario.setLength(stageLength * Int64(sources.count))
        return scenario
    }
}

/// How long a queue takes to forget, and how long to watch it.
struct QueueLength {
    let warmUp: Double
    let length: Double

    /// - Parameter capacity: How many may be in the system; nil for any number.
    init(gap: Double, service: Double, servers: Int = 1, capacity: Int? = nil) {
        let load = service / gap / Double(servers)
        let pace = service / Double(servers)
        // The relaxation time of M/M/1 (Cohen, The Single Server Queue): 1/(μ(1-√ρ)²). A bounded one of K
        // places takes at most (K+1)²/(π²μ), at a load of one (the spectral gap of the birth-and-death process).
        let unbounded = load < 1 ? pace / ((1 - load.squareRoot()) * (1 - load.squareRoot())) : .infinity
        let bounded = capacity.map { Double($0 + 1) * Double($0 + 1) * pace / 9 + service } ?? .infinity
        let relaxation = max(min(unbounded, bounded), service)
        warmUp = 10 * relaxation + 20 * gap
        length = 50 * relaxation + 1000 * gap
    }
}
