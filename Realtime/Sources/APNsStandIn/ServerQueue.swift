import LiveActivityModel
import NIOCore
import Quantities

/// APNs' servers, if the scenario limits their capacity: a queue per cell, for the requests of all threads.
///
/// It is on one loop; other threads pass requests to it and get them back after service. Each service has a timer,
/// because servers are few. The next service starts at the instant at which the previous one ends, not when its timer
/// fires, so a late machine does not slow the servers down.
final class ServerQueue: Sendable {
    /// The loop of the queue.
    let loop: any EventLoop
    private let rules: APNsRules
    private let state: NIOLoopBoundBox<State>

    /// A request in the queue.
    struct Job: Sendable {
        let push: PendingPush
        /// The instant at which it arrived.
        let since: Instant
        /// The run in which it arrived.
        let run: Int
        /// The thread that gets it back, with its sender.
        let home: NIOLoopBound<LoopShard>
        let asker: NIOLoopBound<PushAsker>
        /// The connection on which it arrived; `nil` for one from this process.
        let connection: ObjectIdentifier?
    }

    /// The outcome of a job.
    enum Outcome: Sendable {
        /// Its service has ended.
        case served(at: Instant)
        /// It was too old at its turn, or the run is over: it is not served.
        case discarded
        /// Its connection was lost before its turn.
        case connectionLost
        /// The queue is full.
        case overflowed
    }

    private struct Place {
        let job: Job
        /// The instant at which it joined this queue.
        let joined: Instant
    }

    private struct State {
        var clock: RunClock
        /// The stations, one per cell.
        var stations: [APNsStation]
        /// The requests in the queue, by their numbers at the stations; a number without a request belongs to a lost
        /// one.
        var places: [UInt32: Place] = [:]
        var next: UInt32 = 0
        /// The requests of each connection.
        var numbers: [ObjectIdentifier: Set<UInt32>] = [:]
        /// The number of runs, counted as in the shards; jobs of another run are ignored.
        var run = 0
    }

    /// The maximum number of waiting requests; more are rejected to limit the memory.
    static var most: Int { 1_000_000 }

    /// Creates the servers of a scenario's APNs; called on its loop.
    init(_ rules: APNsRules, clock: RunClock, on loop: any EventLoop) {
        self.loop = loop
        self.rules = rules
        let stations = [APNsStation](repeating: APNsStation(), count: rules.cells)
        state = NIOLoopBoundBox(State(clock: clock, stations: stations), eventLoop: loop)
    }

    /// Adds a request to the queue of its cell.
    func join(_ job: Job) {
        execute { queue in
            guard job.run == queue.state.value.run else {
                queue.giveBack(job, .discarded)
                return
            }
            let cell = queue.rules.cell(ofRide: job.push.request.ride)
            guard queue.state.value.places.count < ServerQueue.most,
                queue.state.value.stations[cell].waitingCount < ServerQueue.most
            else {
                queue.giveBack(job, .overflowed)
                return
            }
            let now = queue.state.value.clock.instant(at: queue.state.value.clock.now)
            let number = queue.state.value.next
            queue.state.value.next &+= 1
            queue.state.value.places[number] = Place(job: job, joined: now)
            if let connection = job.connection {
                queue.state.value.numbers[connection, default: []].insert(number)
            }
            queue.state.value.stations[cell].join(number)
            queue.serve(cell, from: now)
        }
    }

    /// Drops the requests of a lost connection, although a server may be busy with one of them.
    func connectionLost(_ connection: ObjectIdentifier) {
        execute { queue in
            for number in queue.state.value.numbers.removeValue(forKey: connection) ?? [] {
                guard let place = queue.state.value.places.removeValue(forKey: number) else { continue }
                queue.giveBack(place.job, .connectionLost)
            }
        }
    }

    /// Starts a run with an empty queue; the queue starts it before the shards do.
    func begin(_ clock: RunClock) -> EventLoopFuture<Void> { loop.submit { [self] in clear(clock) } }

    /// Ends all service.
    func close() -> EventLoopFuture<Void> { loop.submit { [self] in clear(state.value.clock) } }

    /// Empties the queues.
    private func clear(_ clock: RunClock) {
        let old = state.value
        let stations = [APNsStation](repeating: APNsStation(), count: rules.cells)
        state.value = State(clock: clock, stations: stations, run: old.run + 1)
        for place in old.places.values { giveBack(place.job, .discarded) }
    }

    private func execute(_ work: @escaping @Sendable (ServerQueue) -> Void) {
        if loop.inEventLoop {
            work(self)
        } else {
            loop.execute { work(self) }
        }
    }

    /// Assigns the waiting requests of a cell to servers that are free since an instant.
    private func serve(_ cell: Int, from instant: Instant) {
        while let number = state.value.stations[cell].nextInTurn(rules) {
            guard let place = state.value.places[number] else {
                state.value.stations[cell].serviceEnded()
                continue
            }
            let service = state.value.stations[cell]
                .beginService(
                    of: place.job.push.request,
                    sentAt: place.job.since,
                    rules,
                    at: max(instant, place.joined)
                )
            switch service {
            case .discarded:
                take(number)
                giveBack(place.job, .discarded)
            case .ends(let end):
                // A server that is halted forever never finishes.
                guard end < .never else { continue }
                let run = state.value.run
                let clock = state.value.clock
                clock.wall.schedule(clock.deadline(of: end), loop) { [self] in
                    serviceEnded(number, cell, at: end, run: run)
                }
            }
        }
    }

    private func serviceEnded(_ number: UInt32, _ cell: Int, at end: Instant, run: Int) {
        guard run == state.value.run else { return }
        state.value.stations[cell].serviceEnded()
        if let place = take(number) { giveBack(place.job, .served(at: end)) }
        serve(cell, from: end)
    }

    @discardableResult
    private func take(_ number: UInt32) -> Place? {
        guard let place = state.value.places.removeValue(forKey: number) else { return nil }
        if let connection = place.job.connection, var numbers = state.value.numbers.removeValue(forKey: connection) {
            numbers.remove(number)
            if !numbers.isEmpty { state.value.numbers[connection] = numbers }
        }
        return place
    }

    private func giveBack(_ job: Job, _ outcome: Outcome) {
        let home = job.home
        if home.eventLoop.inEventLoop {
            home.value.receive(job, outcome)
        } else {
            home.eventLoop.execute { home.value.receive(job, outcome) }
        }
    }
}
