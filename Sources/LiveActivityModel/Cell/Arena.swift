import FreshnessCore

/// Numbered slots for the entities of a cell, taken and freed as entities come and go.
///
/// A slot keeps its address for as long as the cell lives, because slots are allocated in chunks that never move. An
/// event handler therefore finds a slot once and works on the entity in place, without copying, reference counting or
/// uniqueness checks. Freed slots are reused in last-in, first-out order, because the last one is the most likely to be
/// in the cache.
///
/// The type is not copyable, so two cells never share a slot.
struct Arena<Entity: BitwiseCopyable>: ~Copyable {
    /// The number of slots in a chunk: 2^8.
    ///
    /// Large enough that chunks are few, small enough that a cell with a hundred entities wastes little memory.
    private static var chunkBits: UInt32 { 8 }
    private static var chunkSize: Int { 1 << Int(chunkBits) }

    private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Entity>>
    private var chunkCapacity = 8
    private var chunkCount = 0
    /// The freed slots, the last one on top.
    private var free: UnsafeMutablePointer<UInt32>
    private var freeCapacity = 64
    private var freeCount = 0
    /// The number of slots, taken or free.
    private(set) var count: UInt32 = 0

    /// Creates an empty arena.
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

    /// The number of slots that are taken.
    var takenCount: Int { Int(count) - freeCount }

    /// The slot with a number.
    ///
    /// - Precondition: ``take(_:)`` returned `number`.
    @inline(__always)
    subscript(number: UInt32) -> Handle<Entity> {
        assert(number < count, "no such place")
        let chunk = chunks[Int(number >> Self.chunkBits)]
        return Handle(entity: chunk + Int(number & (1 << Self.chunkBits - 1)), number: number)
    }

    /// Stores an entity in a slot.
    ///
    /// - Complexity: O(1) amortised; allocates only when more entities are stored than ever before.
    @inline(__always)
    mutating func take(_ entity: Entity) -> Handle<Entity> {
        take { $0.initialize(to: entity) }
    }

    /// Constructs an entity in a slot.
    @inline(__always)
    mutating func take(_ make: (UnsafeMutablePointer<Entity>) -> Void) -> Handle<Entity> {
        let place = self[freeCount > 0 ? lastFreed() : newPlace()]
        make(place.entity)
        return place
    }

    /// Frees a slot.
    ///
    /// - Precondition: The slot is taken. Its entity can be read until the slot is reused.
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

    /// Takes the slots that another arena has taken, and frees those that it has freed, in the same order.
    ///
    /// - Precondition: The arena is empty.
    /// - Parameter entity: Returns the content of a slot, taken or free.
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
        // Aligned to cache lines, because the layout of entities assumes it.
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        (chunks + chunkCount).initialize(to: chunk.bindMemory(to: Entity.self, capacity: Self.chunkSize))
        chunkCount += 1
    }
}

/// A reference to an entity in its slot, without any cost.
///
/// Reading or writing a property accesses the entity itself: the compiler folds the key path. It does not fold a
/// mutating call on a property whose type is from another module; such calls go through ``entity``, and `make purity`
/// finds any key path that is left.
///
/// A handle stays valid as long as the cell. Its holder must know whether the slot still belongs to the same entity.
@dynamicMemberLookup
struct Handle<Entity: BitwiseCopyable> {
    /// The address of the entity.
    let entity: UnsafeMutablePointer<Entity>
    /// The number that events refer to.
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
    /// The server's knowledge of the screen; nil while it has no token.
    ///
    /// Declared explicitly because a key path through an optional is slow.
    @inline(__always)
    var instance: InstanceFreshness? { entity.pointee.monitor.freshness }

    /// The state that the monitor keeps for the activity.
    @inline(__always)
    var monitor: MonitorStation {
        get { entity.pointee.monitor }
        nonmutating _modify { yield &entity.pointee.monitor }
    }
}
