import CMemoryHints
import FreshnessCore
import Quantities
import SimulationKernel

/// The activities of a cell, by numbers under which events and pushes know them.
///
/// A small cell keeps each in a place of an ``Arena``. A large one puts those down shorter that are at rest, as nearly all are,
/// for it is bound by memory and by what the cache holds of it; see ``RestingActivity``.
///
/// ```
///  number ─► place ─┬─ at rest ── wake(_:), when an event of its own comes ──► awake
///                   └─ awake ◄─────────── rest(_:at:), after the event ───────┘
/// ```
///
/// A handle is good as long as its activity is awake, as every activity is that has pushes under way.
struct Activities: ~Copyable {
    private var awake = Arena<Activity>()
    /// By number, once activities are put to rest.
    private var places = Arena<RestingActivity>()
    private let limit: Int
    private let rules: RestingActivity.Rules
    /// Whether activities are put to rest.
    private(set) var areRested = false
    /// Where numbers lead under which no activity is awake.
    private var empty: UInt32 = 0

    /// No activities.
    ///
    /// - Parameter limit: How many there are to be, for any to be put to rest.
    init(restBeyond limit: Int, _ world: World) {
        // Past what 40 bits hold no activity could be packed.
        self.limit = world.horizon < Instant(microseconds: 1 << 40) ? limit : .max
        rules = RestingActivity.Rules(world)
    }

    /// How many numbers there are, taken or not.
    var count: UInt32 { areRested ? places.count : awake.count }

    /// How many activities there are.
    var takenCount: Int { areRested ? places.takenCount : awake.takenCount }

    /// How many activities take the room of one that is awake.
    var awakeCount: Int { areRested ? awake.takenCount - 1 : awake.takenCount }

    /// The activity under a number, which is awake; under any other number one that is not in use, and is not to be changed.
    @inline(__always)
    subscript(number: UInt32) -> Handle<Activity> {
        guard areRested else { return awake[number] }
        return Handle(entity: awake[places[number].home].entity, number: number)
    }

    /// The activity under a number, awake or not, to be looked at; nil where there is none.
    ///
    /// - Parameter scratch: Where one at rest is put, which stays so.
    @inline(__always)
    func look(_ number: UInt32, in scratch: UnsafeMutablePointer<Activity>) -> Handle<Activity>? {
        if areRested, places[number].entity.pointee.isTaken {
            let copy = Handle(entity: scratch, number: number)
            RestingActivity.wake(places[number], as: copy, rules)
            return copy
        }
        return self[number].entity.pointee.isInUse ? self[number] : nil
    }

    /// The ride of the activity under a number, awake or not; of no meaning where there is none.
    func ride(ofNumber number: UInt32) -> UInt64 {
        guard areRested, places[number].entity.pointee.isTaken else { return self[number].entity.pointee.ride }
        var scratch = Activity(ride: 0, requestedAt: .start, traceRow: -1)
        return withUnsafeMutablePointer(to: &scratch) { look(number, in: $0)?.entity.pointee.ride ?? 0 }
    }

    /// Gives an activity a number.
    ///
    /// The first one beyond the limit moves all others: no handle to any is to be held over the call.
    @inline(__always)
    mutating func take(_ activity: Activity, at now: Instant) -> Handle<Activity> {
        if !areRested {
            guard awake.takenCount >= limit else { return awake.take(activity) }
            beginToRest(at: now)
        }
        let home = awake.take(activity)
        return Handle(entity: home.entity, number: places.take(RestingActivity(home: home.number)).number)
    }

    /// Takes the number of an activity back, which is awake.
    @inline(__always)
    mutating func giveBack(_ activity: Handle<Activity>) {
        guard areRested else { return awake.giveBack(activity) }
        let place = places[activity.number]
        awake.giveBack(awake[place.home])
        place.home = empty
        places.giveBack(place)
    }

    /// Asks for the memory of an activity that an event of a kind is going to work on; see ``Activity``.
    @inline(__always)
    func prefetch(_ number: UInt32, of kind: EventKind) {
        guard !areRested else {
            let line = UnsafeRawPointer(places[number].entity)
            prefetch_line(line)
            // One of which a push comes is awake: its place says where.
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

    /// The activity under a number, awake from now on; nil where there is none.
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

    /// Puts the activity under a number to rest, if there is one, and it is.
    mutating func rest(_ number: UInt32, at now: Instant) {
        guard areRested else { return }
        let place = places[number]
        guard place.home != empty else { return }
        let home = awake[place.home]
        guard rest(home, in: place, at: now) else { return }
        place.home = empty
        awake.giveBack(home)
    }

    @inline(__always)
    private func rest(_ activity: Handle<Activity>, in place: Handle<RestingActivity>, at now: Instant) -> Bool {
        guard RestingActivity.rest(activity, in: place, at: now, rules) else { return false }
        assert(wakes(activity.entity.pointee, from: place), "an activity is another after its rest")
        return true
    }

    private func wakes(_ activity: Activity, from place: Handle<RestingActivity>) -> Bool {
        var other = activity
        withUnsafeMutablePointer(to: &other) {
            RestingActivity.wake(place, as: Handle(entity: $0, number: 0), rules)
        }
        return other == activity
    }

    /// From now on activities are put to rest; those that are awake lie closer together, too.
    private mutating func beginToRest(at now: Instant) {
        var none = Activity(ride: .max, requestedAt: .start, traceRow: -1)
        none.isInUse = false
        var closer = Arena<Activity>()
        empty = closer.take(none).number
        places.copyPlaces(of: awake) { _ in RestingActivity(home: empty) }
        for number in 0..<places.count where awake[number].isInUse {
            if !rest(awake[number], in: places[number], at: now) {
                places[number].home = closer.take(awake[number].entity.pointee).number
            }
        }
        awake = closer
        areRested = true
    }
}
