import Quantities
import SimulationKernel

/// Requests that end without a response: with their connection, or because another push takes their stream.
extension CellSimulation {
    // MARK: - Connections

    /// Closes connections and fails the requests on them; a connection that is already closed is left alone.
    mutating func connectionsLost(fault index: Int) {
        loop.record(event: EventKind.connectionsLost.rawValue, subject: UInt64(index))
        integrateSender()
        for connection in 0..<sender.connectionCount
        where random.isConnection(connection, ofCell: cell, hitBy: world.faults.connectionLost[index]) {
            sender.lose(connection, by: index)
        }
        schedule(
            .reconnected,
            subject: UInt32(index),
            at: loop.now + world.scenario.sender.reconnectAfter
        )
        // In the order in which the requests began, because slot numbers carry no order.
        var lost: [(request: UInt64, place: UInt32)] = []
        for number in 0..<pushes.count {
            let push = pushes[number]
            guard push.isInUse, push.responseDue != .never, sender.fault(of: Int(push.connection)) == index
            else { continue }
            lost.append((push.requestNumber, number))
        }
        lost.sort { $0.request < $1.request }
        for (_, number) in lost {
            let push = pushes[number]
            // The request counts as unprocessed: a GOAWAY names the last stream that was processed.
            push.response = .connectionLost
            push.responseDue = loop.now
            if push.deliveryDue != .never {
                push.deliveryDue = .never
                if isCurrent(push) { activities[push.activity].entity.pointee.destination.taken(push.number) }
            }
            withdraw(push, OutgoingNews.disconnected)
            if !push.isConcluded {
                conclude(push, .notAccepted)
            }
            schedule(.silence, subject: push.number, at: loop.now)
        }
    }

    mutating func reconnected(fault index: Int) {
        loop.record(event: EventKind.reconnected.rawValue, subject: UInt64(index))
        integrateSender()
        sender.reconnect(after: index)
        drainQueue()
    }

    // MARK: - Streams

    /// A request was interrupted by a push of a better rank; it waits with its remaining time.
    mutating func interrupted(_ push: Handle<Push>) {
        push.remaining = push.responseDue - loop.now
        push.responseDue = .never
        sender.interrupted(&push.entity.pointee.passage)
        count(.requestsInterrupted)
        log(of: push, .interrupted(push.kind))
    }

    /// Drops a request that has begun and holds no stream.
    ///
    /// APNs still delivers a push that it has already accepted.
    mutating func giveUpRequest(_ push: Handle<Push>) {
        push.responseDue = .never
        sender.gaveUp(&push.entity.pointee.passage)
        if push.isCounted {
            count(.requestsCancelled)
        }
        log(of: push, .cancelled(push.kind))
        takePhotoBack(of: push)
        if ports.requests == .remote, !apnsRules.decidesWithResponse {
            // The push may already be decided; then it still arrives.
            tellGivenUp(push)
        } else if push.isUndecided {
            withdraw(push, OutgoingNews.givenUp)
            conclude(push, .cancelled)
        }
        releaseIfDone(push)
    }
}

extension RandomSource {
    /// Returns `true` if a fault affects a connection of a cell.
    func isConnection(_ connection: Int, ofCell cell: Int, hitBy fault: FaultTimeline.Period) -> Bool {
        fault.share.happens(
            draw(
                entity: WorldEntity.connections &- UInt64(cell) &- 1,
                purpose: Purpose.faultHitsConnection.rawValue,
                index: fault.number << 16 | UInt32(connection) & 0xFFFF
            )
        )
    }
}
