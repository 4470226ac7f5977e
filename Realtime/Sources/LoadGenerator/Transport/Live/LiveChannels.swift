import LiveActivityModel
import Quantities
import Wire

/// The broadcast channels of a load at APNs, by their numbers in the cells.
///
/// A value that gets what happened and returns what to do. Publications and followers wait until APNs has answered the
/// creation of their channel. A creation waits for the answers to earlier deletions, because the app may have as many
/// channels as APNs allows.
///
/// ```
///  created ─► create ─► answered ─┬─► open: publishes, follows ─► closed ─► delete
///                                 └─► refused: its publications are answered as if it were deleted
/// ```
struct LiveChannels {
    /// An action at APNs or on the phone line.
    enum Action: Hashable {
        case create(UInt64)
        case delete(UInt64, id: String)
        /// Send a request, to the channel with an id or, for a start, with it in the payload.
        case send(OutgoingRequest, channel: String)
        /// Answer a request that cannot be sent, because APNs has refused the channel.
        case refuse(OutgoingRequest.ID)
        case report(PhoneReport)
    }

    private enum Waiting {
        case request(OutgoingRequest)
        case follows(ride: UInt64)
        case leaves(ride: UInt64)
    }

    private enum Row {
        case awaited(waiting: [Waiting], isClosed: Bool)
        case open(id: String, isDeleted: Bool)
        case refused
    }

    private var rows: [UInt64: Row] = [:]
    /// Creations that wait for deletions, each with the number of deletions before it.
    private var held: [(channel: UInt64, deletions: Int)] = []
    /// The channels that something else than the server deletes.
    private var vanishing: [(channel: UInt64, at: Instant)] = []
    private var deletionsBegun = 0
    private var deletionsAnswered = 0
    /// The number of channels that APNs has refused to create.
    private(set) var refusedCount = 0

    /// `true` if all deletions have been answered and no creation is in flight.
    var isSettled: Bool {
        deletionsBegun == deletionsAnswered
            && !rows.values.contains { if case .awaited = $0 { true } else { false } }
    }

    // MARK: - From the cells

    mutating func changed(_ news: ChannelNews) -> [Action] {
        switch news {
        case .created(let channel):
            rows[channel] = .awaited(waiting: [], isClosed: false)
            guard deletionsAnswered < deletionsBegun else { return [.create(channel)] }
            held.append((channel, deletionsBegun))
            return []
        case .vanishes(let channel, let instant):
            vanishing.append((channel, instant))
            return []
        case .closed(let channel): return closed(channel)
        case .followed(let channel, let ride): return wait(.follows(ride: ride), for: channel)
        case .left(let channel, let ride): return wait(.leaves(ride: ride), for: channel)
        }
    }

    /// A request that goes to a channel, or starts a card that follows it.
    mutating func offered(_ request: OutgoingRequest) -> [Action] {
        wait(.request(request), for: request.channel ?? request.id.ride)
    }

    /// Deletes the channels that vanish by an instant.
    mutating func proceed(to now: Instant) -> [Action] {
        guard vanishing.contains(where: { $0.at <= now }) else { return [] }
        var actions: [Action] = []
        for index in vanishing.indices.reversed() where vanishing[index].at <= now {
            let channel = vanishing[index].channel
            switch rows[channel] {
            case .awaited: continue
            case .open(let id, false): actions.append(delete(channel, id, .open(id: id, isDeleted: true)))
            case .open, .refused, nil: break
            }
            vanishing.remove(at: index)
        }
        return actions
    }

    /// Deletes all channels: the run is over.
    mutating func ended() -> [Action] {
        vanishing = []
        // Creations that still wait are not sent any more.
        let refusals = held.flatMap { creation -> [Action] in
            guard case .awaited(let waiting, _) = rows.removeValue(forKey: creation.channel) else { return [] }
            return waiting.flatMap { refusal(of: $0) }
        }
        held = []
        return refusals + rows.keys.sorted().flatMap { closed($0) }
    }

    private mutating func closed(_ channel: UInt64) -> [Action] {
        switch rows[channel] {
        case .awaited(let waiting, _):
            rows[channel] = .awaited(waiting: waiting, isClosed: true)
            return []
        case .open(let id, false): return [delete(channel, id, nil)]
        case .open, .refused, nil:
            rows[channel] = nil
            return []
        }
    }

    private mutating func delete(_ channel: UInt64, _ id: String, _ rest: Row?) -> Action {
        rows[channel] = rest
        deletionsBegun += 1
        return .delete(channel, id: id)
    }

    private mutating func wait(_ item: Waiting, for channel: UInt64) -> [Action] {
        switch rows[channel] {
        case .awaited(var waiting, let isClosed):
            rows[channel] = nil
            waiting.append(item)
            rows[channel] = .awaited(waiting: waiting, isClosed: isClosed)
            return []
        case .open(let id, _): return [action(item, id)]
        case .refused, nil: return refusal(of: item)
        }
    }

    private func action(_ item: Waiting, _ id: String) -> Action {
        switch item {
        case .request(let request): .send(request, channel: id)
        case .follows(let ride): .report(.follows(channel: id, ride: ride))
        case .leaves(let ride): .report(.leaves(channel: id, ride: ride))
        }
    }

    private func refusal(of item: Waiting) -> [Action] {
        if case .request(let request) = item { [.refuse(request.id)] } else { [] }
    }

    // MARK: - From APNs

    /// APNs has answered a creation, or has not.
    ///
    /// - Parameter id: The id of the new channel; nil if there is none.
    mutating func answered(creationOf channel: UInt64, id: String?) -> [Action] {
        guard case .awaited(let waiting, let isClosed) = rows[channel] else { return [] }
        guard let id else {
            refusedCount += 1
            rows[channel] = isClosed ? nil : .refused
            return waiting.flatMap { refusal(of: $0) }
        }
        rows[channel] = .open(id: id, isDeleted: false)
        return waiting.map { action($0, id) } + (isClosed ? closed(channel) : [])
    }

    /// APNs has answered a deletion, or has not.
    mutating func deletionAnswered() -> [Action] {
        deletionsAnswered += 1
        var actions: [Action] = []
        held.removeAll { creation in
            guard creation.deletions <= deletionsAnswered else { return false }
            actions.append(.create(creation.channel))
            return true
        }
        return actions
    }
}
