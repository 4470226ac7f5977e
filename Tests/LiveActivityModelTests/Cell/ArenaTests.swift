import Quantities
import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("Arena")
struct PlacesTests {
    /// An entity whose size is not a power of two.
    private struct Entity: BitwiseCopyable, Equatable {
        var name: UInt64
        var rest: (UInt64, UInt64) = (0, 0)

        init(_ name: UInt64) {
            self.name = name
            rest = (~name, name &* 3)
        }

        static func == (left: Entity, right: Entity) -> Bool { left.name == right.name && left.rest == right.rest }
    }

    @Test("New slots are numbered consecutively; the last one freed is reused first")
    func order() {
        var places = Arena<Entity>()
        #expect(places.count == 0)
        #expect(places.takenCount == 0)
        for number in 0..<5 as Range<UInt32> {
            let place = places.take(Entity(0))
            #expect(place.number == number)
        }
        places.giveBack(places[1])
        places.giveBack(places[4])
        places.giveBack(places[2])
        #expect(places.takenCount == 2)
        #expect(places.count == 5)
        var numbers: [UInt32] = []
        for _ in 0..<5 {
            numbers.append(places.take(Entity(0)).number)
        }
        #expect(numbers == [2, 4, 1, 5, 6])
        #expect(places.takenCount == 7)
        #expect(places.count == 7)
    }

    @Test("An entity keeps its address while thousands are added, and is separate from its neighbours")
    func addresses() {
        var places = Arena<Entity>()
        // More than the initial room of eight chunks of 256, doubled twice.
        let count: UInt32 = 9000
        var found: [UnsafeMutablePointer<Entity>] = []
        for number in 0..<count {
            found.append(places.take(Entity(UInt64(number))).entity)
        }
        #expect(Set(found).count == Int(count))
        for number in 0..<count {
            #expect(places[number].entity == found[Int(number)])
            #expect(places[number].number == number)
            #expect(found[Int(number)].pointee == Entity(UInt64(number)))
        }
    }

    @Test("Slots begin on cache lines if entities are as long as lines", arguments: [1, 256, 257, 5000])
    func alignment(count: Int) {
        var activities = Arena<Activity>()
        for ride in 0..<count {
            let place = activities.take(Activity(ride: UInt64(ride), requestedAt: .start, traceRow: -1))
            #expect(UInt(bitPattern: place.entity) % 64 == 0)
        }
    }

    @Test("A write through one handle is visible through another, until the slot is reused")
    func references() {
        var places = Arena<Entity>()
        let place = places.take(Entity(7))
        place.name = 8
        #expect(places[place.number].name == 8)
        places.giveBack(place)
        #expect(place.name == 8)
        let next = places.take(Entity(9))
        #expect(next.number == place.number)
        #expect(place.name == 9)
    }

    @Test("An arena behaves like a dictionary, in any order of operations", arguments: 0..<20)
    func model(seed: UInt64) {
        var stream = TestStream(seed: seed)
        var places = Arena<Entity>()
        var names: [UInt32: UInt64] = [:]
        var taken: [UInt32] = []
        var free: [UInt32] = []
        var isSound = true
        for step in 0..<UInt64(6000) {
            // Alternates between growing and shrinking.
            if taken.isEmpty || stream.yes(step / 1500 % 2 == 0 ? 80 : 25) {
                let expected = free.popLast() ?? UInt32(names.count)
                let place = places.take(Entity(step))
                isSound = isSound && place.number == expected && place.entity.pointee == Entity(step)
                names[expected] = step
                taken.append(expected)
            } else {
                let number = taken.remove(at: stream.next(below: taken.count))
                isSound = isSound && places[number].entity.pointee == names[number].map(Entity.init)
                places.giveBack(places[number])
                free.append(number)
            }
        }
        #expect(isSound)
        #expect(places.takenCount == taken.count)
        #expect(Int(places.count) == names.count)
        // Also for freed slots, until they are reused.
        #expect(names.allSatisfy { places[$0.key].entity.pointee == Entity($0.value) })
    }
}
