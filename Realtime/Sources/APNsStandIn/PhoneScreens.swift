import FreshnessCore
import LiveActivityModel
import NIOConcurrencyHelpers
import NIOCore
import Quantities
import Synchronization
import Wire

/// The screens of the phones, while no phone link plays them.
///
/// Payloads are decoded on a separate thread, in batches, after the providers have their answers. Pushes that arrive
/// faster than they are decoded are counted and dropped. The screens are then unreliable, and `/metrics` reports it.
final class PhoneScreens: Sendable {
    /// A push that has reached its phone.
    struct Arrival: Sendable {
        let token: Substring
        let payload: ByteBuffer
        /// `true` if its priority is 10; only such pushes use the budget.
        let isImmediate: Bool
        let at: Instant
        /// The number in the log; `nil` if requests are not logged.
        var logged: RequestLog.Number?
        /// `true` if it is a copy of a publication, which has a budget of its own.
        var isFromChannel = false
    }

    private let loop: any EventLoop
    private let waiting = Atomic<Int>(0)
    private let state: NIOLockedValueBox<State>

    /// The maximum number of pushes that wait for decoding; about 100 MB of payloads.
    private static var mostWaiting: Int { 65_536 }
    /// The maximum number of screens; pushes to further activities are only counted.
    private let room: Int

    /// The identity of a phone.
    ///
    /// A ride's tokens name the ride, so a rotated token reaches the same screen.
    private enum Phone: Hashable {
        case ride(UInt64)
        /// A token that names no ride.
        case token(DeviceToken)

        /// Returns the phone of a token in hexadecimal digits; `nil` for any other text.
        init?(_ digits: Substring) {
            guard let token = DeviceToken(hexadecimal: digits.utf8) else { return nil }
            self = token.namesRide ? .ride(token.ride) : .token(token)
        }

        var namesRide: Bool { if case .ride = self { true } else { false } }
    }

    private struct State {
        var screens: [Phone: PhoneScreen] = [:]
        var tally = ScreenTally()
        var clock: RunClock
        /// The wall-clock time at the start of the run [UNIX µs].
        var epoch: Int64
        /// The next time at which screens may be removed to make room.
        var nextClearing = Instant.start

        /// Returns `true` if there is room for one more screen.
        ///
        /// A screen that no longer shows anything is kept as long as there is room, because a push after the end must
        /// be recognised as such. Finding such screens takes a scan of all of them, so it happens at most once a
        /// minute.
        mutating func hasRoom(_ room: Int, at now: Instant) -> Bool {
            if screens.count >= room, now >= nextClearing {
                nextClearing = now + .minutes(1)
                screens = screens.filter { $0.value.display(at: now) != .gone }
            }
            return screens.count < room
        }
    }

    private let rules: PhoneStation.Rules
    /// The channels that cards follow.
    private let channels: BroadcastChannels
    private let log: RequestLog?

    init(
        loop: any EventLoop,
        clock: RunClock,
        epoch: Int64,
        rules: PhoneStation.Rules,
        channels: BroadcastChannels = BroadcastChannels(bundleIDs: []),
        room: Int = 2_000_000,
        log: RequestLog? = nil
    ) {
        self.loop = loop
        self.log = log
        self.rules = rules
        self.channels = channels
        self.room = room
        state = NIOLockedValueBox(State(clock: clock, epoch: epoch))
    }

    /// Queues pushes that have reached their phones; returns the number that found no room.
    func take(_ arrivals: [Arrival]) -> Int {
        guard waiting.load(ordering: .relaxed) + arrivals.count <= PhoneScreens.mostWaiting else {
            for arrival in arrivals { settle(arrival, "overflowed") }
            return arrivals.count
        }
        waiting.add(arrivals.count, ordering: .relaxed)
        loop.execute {
            self.show(arrivals)
            self.waiting.subtract(arrivals.count, ordering: .relaxed)
        }
        return 0
    }

    private func show(_ arrivals: [Arrival]) {
        let pushes = arrivals.map { ActivityPayload(Array(buffer: $0.payload)) }
        state.withLockedValue { state in
            for (arrival, push) in zip(arrivals, pushes) {
                let effect = show(arrival, push, &state)
                settle(arrival, effect?.name ?? "no_room")
            }
        }
    }

    /// Returns the effect of a push at its phone; `nil` without room for the screen.
    private func show(_ arrival: Arrival, _ push: ActivityPayload?, _ state: inout State) -> PhoneScreen.Effect? {
        let dropping = push.map { PhoneScreen.effect(ofDropping: $0) } ?? .judged(.undecodable)
        guard let push, dropping == nil, let phone = Phone(arrival.token) else {
            let effect = dropping ?? .judged(.undecodable)
            state.tally.effects[effect, default: 0] += 1
            return effect
        }
        let now = Instant(microseconds: state.epoch + arrival.at.microseconds)
        guard state.screens[phone] != nil || state.hasRoom(room, at: now) else {
            state.tally.withoutRoom += 1
            return nil
        }
        if push.event == .start, case .channel(let id) = push.input, !channels.exists(id) {
            state.tally.effects[.startWithoutChannel, default: 0] += 1
            return .startWithoutChannel
        }
        let effect = state.screens[phone, default: PhoneScreen()]
            .receive(
                push,
                namesRide: phone.namesRide,
                isImmediate: arrival.isImmediate,
                isFromChannel: arrival.isFromChannel,
                at: now,
                rules: rules
            )
        noteChannel(of: push, after: effect, arrival.token, &state.screens[phone])
        let age = now - (PhoneScreen.instant(push.timestamp) ?? now)
        state.tally.count(effect, age: Double(age.microseconds) / 1_000_000, hasAlert: push.alert != nil)
        return effect
    }

    /// Notes that a card has begun to follow a channel, or is over.
    private func noteChannel(
        of push: ActivityPayload,
        after effect: PhoneScreen.Effect,
        _ token: Substring,
        _ screen: inout PhoneScreen?
    ) {
        guard effect == .judged(.starts) || effect == .judged(.ends) else { return }
        let follower = BroadcastChannels.Follower(ride: TokenDigest(hexadecimal: token)?.ride ?? 0, token: token)
        if let channel = screen?.channel { channels.leave(channel, follower) }
        screen?.channel = nil
        guard effect == .judged(.starts), case .channel(let id) = push.input else { return }
        screen?.channel = id
        channels.follow(id, follower)
    }

    private func settle(_ arrival: Arrival, _ effect: String) {
        if let logged = arrival.logged { log?.settled(logged, effect) }
    }

    /// Returns the current state of the screens.
    func census() -> ScreenTally {
        state.withLockedValue { state in
            let now = state.epoch + state.clock.instant(at: state.clock.now).microseconds
            var tally = state.tally
            for screen in state.screens.values {
                switch screen.display(at: Instant(microseconds: now)) {
                case .fresh: tally.fresh += 1
                case .stale: tally.stale += 1
                case .ended: tally.ended += 1
                case .gone: break
                }
            }
            return tally
        }
    }
}
