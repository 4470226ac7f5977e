import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics

/// The sender as a queue of theory: refreshes are arrivals, streams are servers, the request time is the service time.
extension Scenario {
    /// The sender in its steady state, with one source of arrivals.
    ///
    /// - Parameters:
    ///   - gap: The time between arrivals.
    ///   - streams: The number of servers.
    static func queue(
        _ name: String,
        gap: Distribution,
        streams: Int,
        service: Distribution,
        warmUp: TimeSpan,
        length: TimeSpan
    ) -> Scenario {
        var scenario = bare(name)
        scenario.addSource(gap: gap)
        scenario.sender.streams = streams
        scenario.sender.requestTime = service
        scenario.setSteadyQueue(warmUp: warmUp, length: length)
        return scenario
    }

    /// Adds a source of arrivals: the refreshes of an activity in a stage of its own, before the stages that are there.
    ///
    /// - Parameters:
    ///   - gap: The time between arrivals.
    ///   - rank: The rank of its pushes in the queue; lower ranks go first.
    mutating func addSource(gap: Distribution, rank: Int = 0) {
        var stage = Stage(name: "source-\(rides.stages.count - 1)", duration: .constant(0), refresh: gap)
        stage.rank = rank
        rides.stages.insert(stage, at: 0)
    }

    /// The mean time between arrivals of all sources [µs].
    var meanGap: Double {
        let gaps = rides.stages.compactMap(\.refresh?.mean)
        return gaps.count == 1 ? gaps[0] : 1 / gaps.reduce(0) { $0 + 1 / $1 }
    }

    /// The mean time between arrivals of one source [µs].
    func meanGap(ofSource number: Int) -> Double {
        rides.stages.first { $0.name == "source-\(number)" }?.refresh?.mean ?? 0
    }

    /// The maximum number of pushes at the sender, exact or hardly ever exceeded; nil for no limit.
    var capacity: Int? {
        if sender.requeueAfter != nil { return nil }
        if let limit = sender.queueLimit { return sender.streams + limit }
        if sender.preempt == .replace { return sender.streams }
        if sender.coalesce { return sender.streams + 1 }
        if let limit = sender.rateLimit, limit.excess == .drop { return Int(limit.burst) + 1 }
        // Pushes that lose patience keep the queue as short as additional servers would.
        return switch sender.patience {
        case nil: nil
        case .constant(let time): 1 + Int(time / sender.requestTime.mean)
        case let time?: sender.streams + Int(time.mean / meanGap) + 1
        }
    }

    /// Sets the length of a run that measures the sender in its steady state.
    ///
    /// Several sources are as many activities, which start one after another and are in different stages of their rides
    /// while the system is measured: the last source is the first stage.
    ///
    /// - Parameters:
    ///   - warmUp: The time after which the empty initial state no longer matters.
    ///   - length: The length of the measurement after that.
    mutating func setSteadyQueue(warmUp: TimeSpan, length: TimeSpan) {
        // The stage of a bare scenario, which has no arrivals.
        rides.stages.removeLast()
        let stageLength = warmUp + length
        for stage in rides.stages.indices.dropLast() {
            rides.stages[stage].duration = .constant(Double(stageLength.microseconds))
        }
        let count = rides.stages.count
        rides.stages[count - 1].duration = .constant(Double(TimeSpan.longest.microseconds))
        rides.arrivals.process = .even
        rides.arrivals.count = count
        rides.arrivals.spread = stageLength * Int64(count)
        monitor.enabled = false
        apns.latencyFrom = .response
        clock.warmUp = stageLength * Int64(count - 1) + warmUp
        setLength(stageLength * Int64(count))
    }
}

/// The warm-up and the measured length of a queue [µs].
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
