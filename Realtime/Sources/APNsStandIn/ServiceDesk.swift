import LiveActivityModel
import NIOCore
import Quantities

/// APNs' servers where the scenario's have a capacity: a queue for each cell, for the requests of all threads.
///
/// It lives on one loop; others hand requests over and get them back when they have been served. A timer for each service:
/// servers are few. Services follow each other at the instants at which they end, not at those at which timers ring, so a
/// machine that is late does not slow the servers down.
final class ServiceDesk: Sendable {
    /// Where it lives.
    let loop: any EventLoop
    private let conduct: APNsConduct
    private let state: NIOLoopBoundBox<State>

    /// A request in the queue.
    struct Ticket: Sendable {
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

    /// What becomes of a ticket.
    enum Outcome: Sendable {
        /// Its service ended.
        case served(at: Instant)
        /// It was too old when its turn came, or the run is over: nobody serves it.
        case discarded
        /// Its connection was lost before its turn came.
        case connectionLost
        /// There is no room.
        case overflowed
    }

    private struct Place {
        let ticket: Ticket
        /// When it came in here.
        let joined: Instant
        var isInService = false
    }

    private struct State {
        var clock: RunClock
        var queues: [APNsQueue]
        /// The requests that are here, by their numbers in the queues; a number without one leaves its queue unserved.
        var places: [UInt32: Place] = [:]
        var next: UInt32 = 0
        /// Where the requests of a connection are.
        var numbers: [ObjectIdentifier: Set<UInt32>] = [:]
        /// Counts the runs, as the shards do; what belongs to another means nothing.
        var run = 0
    }

    /// How many requests wait at a time; more are refused, as the memory is not for them alone.
    static var most: Int { 1_000_000 }

    /// The queues of a scenario's APNs; nil where it has room for every request at once.
    ///
    /// Called on its loop.
    init?(_ conduct: APNsConduct, clock: RunClock, on loop: any EventLoop) {
        guard let queue = conduct.queue() else { return nil }
        self.loop = loop
        self.conduct = conduct
        let queues = [APNsQueue](repeating: queue, count: conduct.cells)
        state = NIOLoopBoundBox(State(clock: clock, queues: queues), eventLoop: loop)
    }

    /// A request joins the queue of its cell.
    func join(_ ticket: Ticket) {
        execute { desk in
            guard ticket.run == desk.state.value.run else {
                desk.giveBack(ticket, .discarded)
                return
            }
            let cell = desk.conduct.cell(of: ticket.push.request)
            guard desk.state.value.places.count < ServiceDesk.most,
                desk.state.value.queues[cell].waitingCount < ServiceDesk.most
            else {
                desk.giveBack(ticket, .overflowed)
                return
            }
            let now = desk.state.value.clock.instant(at: .now())
            let number = desk.state.value.next
            desk.state.value.next &+= 1
            desk.state.value.places[number] = Place(ticket: ticket, joined: now)
            if let connection = ticket.connection {
                desk.state.value.numbers[connection, default: []].insert(number)
            }
            desk.state.value.queues[cell].joined(number)
            desk.serve(cell, from: now)
        }
    }

    /// A connection is lost: what has begun is finished, what waits leaves the queue.
    func connectionLost(_ connection: ObjectIdentifier) {
        execute { desk in
            for number in desk.state.value.numbers.removeValue(forKey: connection) ?? [] {
                guard let place = desk.state.value.places[number], !place.isInService else { continue }
                desk.state.value.places[number] = nil
                desk.giveBack(place.ticket, .connectionLost)
            }
        }
    }

    /// A run begins, with nothing from before; told to the desk before the shards hear of it.
    func begin(_ clock: RunClock) -> EventLoopFuture<Void> {
        loop.submit { [self] in clear(clock) }
    }

    /// The end: nobody is served any more.
    func close() -> EventLoopFuture<Void> {
        loop.submit { [self] in clear(state.value.clock) }
    }

    /// Empties the queues.
    private func clear(_ clock: RunClock) {
        let old = state.value
        let queues = old.queues.map { _ in conduct.queue() ?? old.queues[0] }
        state.value = State(clock: clock, queues: queues, run: old.run + 1)
        for place in old.places.values { giveBack(place.ticket, .discarded) }
    }

    private func execute(_ work: @escaping @Sendable (ServiceDesk) -> Void) {
        if loop.inEventLoop {
            work(self)
        } else {
            loop.execute { work(self) }
        }
    }

    /// Gives the waiting requests of a cell to servers that are free since an instant.
    private func serve(_ cell: Int, from instant: Instant) {
        while let number = conduct.next(of: &state.value.queues[cell]) {
            guard let place = state.value.places[number] else {
                state.value.queues[cell].served()
                continue
            }
            let begin = max(instant, place.joined)
            if conduct.isDiscarded(sentAt: place.ticket.since, at: begin) {
                state.value.queues[cell].served()
                take(number)
                giveBack(place.ticket, .discarded)
                continue
            }
            state.value.places[number]?.isInService = true
            let end = conduct.endOfService(place.ticket.push.request, at: begin)
            let (clock, run) = (state.value.clock, state.value.run)
            // One that is halted for good never ends.
            guard end < .never else { continue }
            loop.scheduleTask(deadline: clock.deadline(after: end - .start, from: clock.begin)) { [self] in
                serviceEnded(number, cell, at: end, run: run)
            }
        }
    }

    private func serviceEnded(_ number: UInt32, _ cell: Int, at end: Instant, run: Int) {
        guard run == state.value.run else { return }
        state.value.queues[cell].served()
        if let place = take(number) {
            giveBack(place.ticket, .served(at: end))
        }
        serve(cell, from: end)
    }

    @discardableResult
    private func take(_ number: UInt32) -> Place? {
        guard let place = state.value.places.removeValue(forKey: number) else { return nil }
        if let connection = place.ticket.connection, var numbers = state.value.numbers.removeValue(forKey: connection) {
            numbers.remove(number)
            if !numbers.isEmpty { state.value.numbers[connection] = numbers }
        }
        return place
    }

    private func giveBack(_ ticket: Ticket, _ outcome: Outcome) {
        let home = ticket.home
        if home.eventLoop.inEventLoop {
            home.value.receive(ticket, outcome)
        } else {
            home.eventLoop.execute { home.value.receive(ticket, outcome) }
        }
    }
}
