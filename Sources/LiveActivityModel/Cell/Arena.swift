import FreshnessCore

/// Numbered places for the entities of a cell, taken and given back as entities come and go.
///
/// A place keeps its address for as long as the cell lives: places lie in chunks that are never moved. So an event handler
/// looks a place up once and then works on the entity where it lies, without copying it, counting references or checking
/// for uniqueness. Places that were given back are taken again first, the last one before the others, because its memory is
/// most likely still in the cache.
///
/// A value without copies: two cells never share a place.
struct Arena<Entity: BitwiseCopyable>: ~Copyable {
    /// How many places one chunk has: 2^8.
    ///
    /// Large enough that there are few chunks, small enough that a cell with a hundred entities wastes little.
    private static var chunkBits: UInt32 { 8 }
    private static var chunkSize: Int { 1 << Int(chunkBits) }

    private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Entity>>
    private var chunkCapacity = 8
    private var chunkCount = 0
    /// The places that were given back, the last one on top.
    private var free: UnsafeMutablePointer<UInt32>
    private var freeCapacity = 64
    private var freeCount = 0
    /// How many places there are, taken or not.
    private(set) var count: UInt32 = 0

    /// No places.
    init() {
        chunks = .allocate(capacity: chunkCapacity)
        free = .allocate(capacity: freeCapacity)
    }

    deinit {
        for chunk in 0..<chunkCount {
            chunks[chunk].deallocate()
        }
        chunks.deallocate()
        free.deallocate()
    }

    /// How many places are taken.
    var takenCount: Int { Int(count) - freeCount }

    /// The place of a number.
    ///
    /// - Precondition: `number` was given by ``take(_:)``.
    @inline(__always)
    subscript(number: UInt32) -> Handle<Entity> {
        assert(number < count, "no such place")
        let chunk = chunks[Int(number >> Self.chunkBits)]
        return Handle(entity: chunk + Int(number & (1 << Self.chunkBits - 1)), number: number)
    }

    /// Gives an entity a place.
    ///
    /// - Complexity: O(1) amortised; no allocation once there have been as many entities at a time.
    @inline(__always)
    mutating func take(_ entity: Entity) -> Handle<Entity> {
        take { $0.initialize(to: entity) }
    }

    /// Gives an entity a place, where it is made.
    @inline(__always)
    mutating func take(_ make: (UnsafeMutablePointer<Entity>) -> Void) -> Handle<Entity> {
        let place = self[freeCount > 0 ? lastFreed() : newPlace()]
        make(place.entity)
        return place
    }

    /// Takes a place back.
    ///
    /// - Precondition: It is taken. The entity can be read until the place is taken again.
    @inline(__always)
    mutating func giveBack(_ place: Handle<Entity>) {
        if freeCount == freeCapacity { growFree(to: 2 * freeCapacity) }
        free[freeCount] = place.number
        freeCount &+= 1
    }

    private mutating func growFree(to capacity: Int) {
        let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
        larger.moveInitialize(from: free, count: freeCount)
        free.deallocate()
        free = larger
        freeCapacity = capacity
    }

    /// Takes the places that another arena has taken, and gives back those that it has, in the same order.
    ///
    /// - Precondition: There are no places yet.
    /// - Parameter entity: What lies in a place, taken or not.
    mutating func copyPlaces<Other>(of other: borrowing Arena<Other>, _ entity: (UInt32) -> Entity) {
        while count < other.count {
            let number = newPlace()
            self[number].entity.initialize(to: entity(number))
        }
        if freeCapacity < other.freeCount { growFree(to: other.freeCapacity) }
        for index in 0..<other.freeCount { free[index] = other.free[index] }
        freeCount = other.freeCount
    }

    @inline(__always)
    private mutating func lastFreed() -> UInt32 {
        freeCount &-= 1
        return free[freeCount]
    }

    private mutating func newPlace() -> UInt32 {
        if Int(count) == chunkCount * Self.chunkSize {
            addChunk()
        }
        count += 1
        return count - 1
    }

    private mutating func addChunk() {
        if chunkCount == chunkCapacity {
            let larger = UnsafeMutablePointer<UnsafeMutablePointer<Entity>>.allocate(capacity: chunkCapacity * 2)
            larger.moveInitialize(from: chunks, count: chunkCount)
            chunks.deallocate()
            chunks = larger
            chunkCapacity *= 2
        }
        let bytes = Self.chunkSize * MemoryLayout<Entity>.stride
        // Aligned to cache lines, as the layout of entities counts on.
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        (chunks + chunkCount).initialize(to: chunk.bindMemory(to: Entity.self, capacity: Self.chunkSize))
        chunkCount += 1
    }
}

/// An entity where it lies: a reference that costs nothing.
///
/// Reading or writing a property reads or writes the entity itself: the compiler folds the key path away. It does not where
/// a property of a type of another module is told to change itself, so that goes through ``entity``; `make purity` finds
/// any key path that is left.
///
/// A place stays valid as long as the cell; whether it still belongs to the same entity is for its holder to know.
@dynamicMemberLookup
struct Handle<Entity: BitwiseCopyable> {
    /// Where the entity lies.
    let entity: UnsafeMutablePointer<Entity>
    /// The number under which events know it.
    let number: UInt32

    @inline(__always)
    subscript<Value>(dynamicMember member: KeyPath<Entity, Value>) -> Value {
        entity.pointee[keyPath: member]
    }

    @inline(__always)
    subscript<Value>(dynamicMember member: WritableKeyPath<Entity, Value>) -> Value {
        get { entity.pointee[keyPath: member] }
        nonmutating _modify { yield &entity.pointee[keyPath: member] }
    }
}

extension Handle where Entity == Activity {
    /// What the server knows; nil while it has no token.
    ///
    /// In words of its own because a key path does not reach through an optional without a detour.
    @inline(__always)
    var instance: InstanceFreshness? { entity.pointee.monitor.freshness }

    /// What the monitor keeps of it.
    @inline(__always)
    var monitor: MonitorStation {
        get { entity.pointee.monitor }
        nonmutating _modify { yield &entity.pointee.monitor }
    }
}
