import LiveActivityModel
import Quantities
import SimulationKernel

/// The sender as a queue of theory: refreshes are arrivals, streams are servers, the request time is the service time.
extension Scenario {
    /// A stream of arrivals: the refreshes of one activity.
    struct Source {
        /// The time between arrivals.
        var gap: Distribution
        /// The rank of its pushes in the queue; lower ranks go first.
        var rank = 0
    }

    /// The sender in its steady state.
    ///
    /// Several sources are as many activities, which start one after another and are in different stages of their rides
    /// while the system is measured: the last source is the first stage.
    ///
    /// - Parameters:
    ///   - sources: The arrivals; the first source is the activity that is in stage `source-0` during the measurement.
    ///   - streams: The number of servers.
    ///   - warmUp: The time after which the empty initial state no longer matters.
    ///   - length: The length of the measurement after that.
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

/// The warm-up and the measured length of a queue.
struct QueueLength {
    let warmUp: Double
    let length: Double

    /// - Parameter capacity: The maximum number in the system; nil for no limit.
    init(gap: Double, service: Double, servers: Int = 1, capacity: Int? = nil) {
        let load = service / gap / Double(servers)
        let pace = service / Double(servers)
        // The relaxation time of M/M/1 (Cohen, The Single Server Queue): 1/(μ(1-√ρ)²). A bounded queue of K places
        // takes at most (K+1)²/(π²μ), at a load of one (the spectral gap of the birth-and-death process).
        let unbounded = load < 1 ? pace / ((1 - load.squareRoot()) * (1 - load.squareRoot())) : .infinity
        let bounded = capacity.map { Double($0 + 1) * Double($0 + 1) * pace / 9 + service } ?? .infinity
        let relaxation = max(min(unbounded, bounded), service)
        warmUp = 10 * relaxation + 20 * gap
        length = 50 * relaxation + 1000 * gap
    }
}
