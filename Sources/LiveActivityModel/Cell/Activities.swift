import CMemoryHints
import FreshnessCore
import Quantities
import SimulationKernel

/// The activities of a cell, by the numbers that events and pushes refer to.
///
/// A small cell keeps each activity in a slot of an ``Arena``. A large cell is limited by memory bandwidth and cache
/// size, so it packs activities between their events, when nearly all of them are idle; see ``RestingActivity``.
///
/// ```
///  number ─► slot ─┬─ packed ──── wake(_:), when it has an event ────► unpacked
///                  └─ unpacked ◄─────── rest(_:at:), after the event ──────┘
/// ```
///
/// A handle is valid while its activity is unpacked. An activity with pushes in flight is always unpacked.
struct Activities: ~Copyable {
    private var awake = Arena<Activity>()
    /// By number, once the cell packs activities.
    private var places = Arena<RestingActivity>()
    private let limit: Int
    private let rules: RestingActivity.RulesOfCohorts
    /// `true` if the cell packs idle activities.
    private(set) var areRested = false
    /// The slot that a number refers to when no activity is unpacked under it.
    private var empty: UInt32 = 0

    /// Creates an empty collection.
    ///
    /// - Parameter limit: The number of activities beyond which the cell packs them.
    init(restBeyond limit: Int, _ world: World) {
        // An activity's times are packed into 40 bits; a longer run packs none.
        self.limit = world.horizon < Instant(microseconds: 1 << 40) ? limit : .max
        rules = RestingActivity.RulesOfCohorts(world)
    }

    deinit { rules.deallocate() }

    /// The number of slots, taken or free.
    var count: UInt32 { areRested ? places.count : awake.count }

    /// The number of activities, packed or not.
    var takenCount: Int { areRested ? places.takenCount : awake.takenCount }

    /// The number of unpacked activities.
    var awakeCount: Int { areRested ? awake.takenCount - 1 : awake.takenCount }

    /// The number of slots for unpacked activities, taken or free.
    var awakeSlotCount: Int { Int(awake.count) }

    /// The unpacked activity under a number; for any other number, an unused activity that must not be modified.
    @inline(__always)
    subscript(number: UInt32) -> Handle<Activity> {
        guard areRested else { return awake[number] }
        return Handle(entity: awake[places[number].home].entity, number: number)
    }

    /// Returns the activity under a number for reading, packed or not; nil if there is none.
    ///
    /// - Parameter scratch: Memory for a copy of a packed activity, which stays packed.
    @inline(__always)
    func look(_ number: UInt32, in scratch: UnsafeMutablePointer<Activity>) -> Handle<Activity>? {
        if areRested, places[number].entity.pointee.isTaken {
            let copy = Handle(entity: scratch, number: number)
            RestingActivity.wake(places[number], as: copy, rules)
            return copy
        }
        return self[number].entity.pointee.isInUse ? self[number] : nil
    }

    /// The ride of the activity under a number, packed or not; meaningless if there is none.
    func ride(ofNumber number: UInt32) -> UInt64 {
        guard areRested, places[number].entity.pointee.isTaken else { return self[number].entity.pointee.ride }
        var scratch = Activity(ride: 0, requestedAt: .start, traceRow: -1)
        return withUnsafeMutablePointer(to: &scratch) { look(number, in: $0)?.entity.pointee.ride ?? 0 }
    }

    /// Gives an activity a number.
    ///
    /// The first activity beyond the limit moves all others, so no handle may be held across the call.
    @inline(__always)
    mutating func take(_ activity: Activity, at now: Instant) -> Handle<Activity> {
        if !areRested {
            guard awake.takenCount >= limit else { return awake.take(activity) }
            beginToRest(at: now)
        }
        let home = awake.take(activity)
        return Handle(entity: home.entity, number: places.take(RestingActivity(home: home.number)).number)
    }

    /// Frees the number of an unpacked activity.
    @inline(__always)
    mutating func giveBack(_ activity: Handle<Activity>) {
        guard areRested else { return awake.giveBack(activity) }
        let place = places[activity.number]
        awake.giveBack(awake[place.home])
        place.home = empty
        places.giveBack(place)
    }

    /// Prefetches the memory of the activity that an event of a kind will process; see ``Activity``.
    @inline(__always)
    func prefetch(_ number: UInt32, of kind: EventKind) {
        guard !areRested else {
            let line = UnsafeRawPointer(places[number].entity)
            prefetch_line(line)
            // An activity with a push is unpacked, and its slot says where.
            if kind.concernsActivity {
                prefetch_line(line + 64)
                prefetch_line(line + 128)
            }
            return
        }
        let line = UnsafeRawPointer(awake[number].entity)
        prefetch_line(line)
        prefetch_line(line + 64)
        prefetch_line(line + 128)
        prefetch_line(line + 192)
        if kind == .refresh || kind == .delivery {
            prefetch_line(line + 256)
            prefetch_line(line + 320)
        }
    }

    // MARK: - Rest

    /// Unpacks the activity under a number and returns it; nil if there is none.
    mutating func wake(_ number: UInt32) -> Handle<Activity>? {
        guard areRested else { return awake[number].isInUse ? awake[number] : nil }
        let place = places[number]
        if place.isTaken {
            let home = awake.take { RestingActivity.wake(place, as: Handle(entity: $0, number: number), rules) }
            place.home = home.number
            place.isTaken = false
        }
        return place.home == empty ? nil : Handle(entity: awake[place.home].entity, number: number)
    }

    /// Packs the activity under a number if there is one and it is idle.
    ///
    /// It can move all unpacked activities, so no handle may be held across the call.
    ///
    /// - Complexity: O(1) amortised.
    mutating func rest(_ number: UInt32, at now: Instant) {
        guard areRested else { return }
        let place = places[number]
        guard place.home != empty else { return }
        let home = awake[place.home]
        guard rest(home, in: place, at: now) else { return }
        place.home = empty
        awake.giveBack(home)
        // Activities that ran ahead can be packed only after their next event, which leaves most of the slots free. As many
        // calls pay for the move as there are free slots.
        if awakeSlotCount &- awake.takenCount > max(256, Int(places.count) / 64) { moveCloser() }
    }

    @inline(__always)
    private func rest(_ activity: Handle<Activity>, in place: Handle<RestingActivity>, at now: Instant) -> Bool {
        guard RestingActivity.rest(activity, in: place, at: now, rules) else { return false }
        assert(wakes(activity.entity.pointee, from: place), "packing has changed an activity")
        return true
    }

    private func wakes(_ activity: Activity, from place: Handle<RestingActivity>) -> Bool {
        var other = activity
        withUnsafeMutablePointer(to: &other) {
            RestingActivity.wake(place, as: Handle(entity: $0, number: 0), rules)
        }
        return other == activity
    }

    /// Starts packing idle activities.
    private mutating func beginToRest(at now: Instant) {
        empty = .max
        places.copyPlaces(of: awake) { RestingActivity(home: $0) }
        areRested = true
        for number in 0..<places.count {
            let place = places[number]
            if !awake[number].isInUse || rest(awake[number], in: place, at: now) { place.home = empty }
        }
        moveCloser()
    }

    /// Moves the unpacked activities into as few slots as possible.
    private mutating func moveCloser() {
        var closer = Arena<Activity>()
        var none = Activity(ride: .max, requestedAt: .start, traceRow: -1)
        none.isInUse = false
        let former = empty
        empty = closer.take(none).number
        for number in 0..<places.count {
            let place = places[number]
            place.home = place.home == former ? empty : closer.take(awake[place.home].entity.pointee).number
        }
        awake = closer
    }
}
