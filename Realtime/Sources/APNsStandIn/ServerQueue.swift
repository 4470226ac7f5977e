import LiveActivityModel
import NIOCore
import Quantities

/// APNs' servers where the scenario's have a capacity: a queue for each cell, for the requests of all threads.
///
/// It lives on one loop; others hand requests over and get them back when they have been served. A timer for each service:
/// servers are few. Services follow each other at the instants at which they end, not at those at which timers ring, so a
/// machine that is late does not slow the servers down.
final class ServerQueue: Sendable {
    /// Where it lives.
    let loop: any EventLoop
    private let rules: APNsRules
    private let state: NIOLoopBoundBox<State>

    /// A request in the queue.
    struct Job: Sendable {
        let push: PendingPush
        /// When it came.
        let since: Instant
        /// In which run that was.
        let run: Int
        /// Who gets it back, and the asker there.
        let home: NIOLoopBound<LoopShard>
        let asker: NIOLoopBound<PushAsker>
        /// On which connection it came; nil for one from this process.
        let connection: ObjectIdentifier?
    }

    /// What becomes of a job.
    enum Outcome: Sendable {
        /// Its service ended.
        case served(at: Instant)
        /// It was too old when its turn came, or the run is over: it is not served.
        case discarded
        /// Its connection was lost before its turn came.
        case connectionLost
        /// There is no room.
        case overflowed
    }

    private struct Place {
        let job: Job
        /// When it came in here.
        let joined: Instant
    }

    private struct State {
        var clock: RunClock
        /// One for each cell.
        var stations: [APNsStation]
        /// The requests that are here, by their numbers at the stations; a number without one is of a lost request.
        var places: [UInt32: Place] = [:]
        var next: UInt32 = 0
        /// Where the requests of a connection are.
        var numbers: [ObjectIdentifier: Set<UInt32>] = [:]
        /// Counts the runs, as the shards do; what belongs to another means nothing.
        var run = 0
    }

    /// How many requests wait at a time; more are refused, as the memory is not for them alone.
    static var most: Int { 1_000_000 }

    /// The servers of a scenario's APNs; called on its loop.
    init(_ rules: APNsRules, clock: RunClock, on loop: any EventLoop) {
        self.loop = loop
        self.rules = rules
        let stations = [APNsStation](repeating: APNsStation(), count: rules.cells)
        state = NIOLoopBoundBox(State(clock: clock, stations: stations), eventLoop: loop)
    }

    /// A request joins the queue of its cell.
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

    /// A connection is lost: nothing comes of its requests, although a server may be busy with one of them.
    func connectionLost(_ connection: ObjectIdentifier) {
        execute { queue in
            for number in queue.state.value.numbers.removeValue(forKey: connection) ?? [] {
                guard let place = queue.state.value.places.removeValue(forKey: number) else { continue }
                queue.giveBack(place.job, .connectionLost)
            }
        }
    }

    /// A run begins, with nothing from before; told to the queue before the shards hear of it.
    func begin(_ clock: RunClock) -> EventLoopFuture<Void> { loop.submit { [self] in clear(clock) } }

    /// The end: no request is served any more.
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

    /// Gives the waiting requests of a cell to servers that are free since an instant.
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
                // One that is halted for good never ends.
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
