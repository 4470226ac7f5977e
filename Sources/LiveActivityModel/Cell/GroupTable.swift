import Quantities
import SimulationKernel

/// The groups of a cell: the members that have joined, and the contents that are on their way to them.
///
/// A group and its channel belong to one cell as a whole. The memory of a group is used again once nothing of it is left.
struct GroupTable {
    /// `true` if the scenario has groups.
    let isUsed: Bool
    /// The group of each activity.
    var memberships: SideTable<UInt32>
    /// The content that each push carries.
    var links: SideTable<Link>
    private(set) var rows: [Group] = []
    private var free: [UInt32] = []
    /// The number of channels that exist.
    var openChannels = 0
    /// The number of channels that APNs allows for this cell.
    let mostChannels: Int

    static let none = UInt32.max

    /// Creates an empty table.
    init(_ world: World, cell: Int) {
        let scenario = world.scenario
        isUsed = scenario.groups != nil
        memberships = SideTable(isUsed ? Self.none : nil)
        links = SideTable(isUsed ? Link() : nil)
        // The parts of all cells add up to the limit.
        let most = scenario.groups?.channel.most ?? 0
        mostChannels = most * (cell + 1) / scenario.cells - most * cell / scenario.cells
    }

    /// One group.
    struct Group {
        /// The number of its first ride, which keys the draws of its course.
        let ride: UInt64
        let requestedAt: Instant
        /// The slot of its first member, which has the course until its ride is over.
        var leader = GroupTable.none
        /// The slot of the record of its channel; ``GroupTable/none`` if the server reaches it by tokens.
        var channel = GroupTable.none
        /// The slots of the activities that have joined, in this order.
        var members: [UInt32] = []
        /// The number of members and records in memory, and of members that have yet to join.
        var left = 0
        /// The contents that are on their way to phones, by number.
        var contents: [Content] = []
        /// The number of the newest content; none before the first.
        var newestContent: UInt32?
    }

    /// The way of one content to the phones of a group.
    struct Content: BitwiseCopyable {
        /// The number of the occasion: the index of the updates with it.
        let index: UInt32
        let generatedAt: Instant
        /// The number of phones whose screen has shown it.
        var shownCount = 0
        /// When the first and the last of them did.
        var firstAt = Instant.never
        var lastAt = Instant.never
        /// The number of its pushes in memory.
        var left = 0
    }

    /// The content of a push.
    struct Link: BitwiseCopyable {
        /// The place of the group; ``GroupTable/none`` for a push that is not followed.
        var group = GroupTable.none
        /// The number of the group's first ride, because places are used again.
        var ride: UInt64 = 0
        var index: UInt32 = 0
    }

    /// A member that will join.
    struct Joining: BitwiseCopyable {
        let ride: UInt64
        let group: UInt32
        let city: UInt8
    }

    subscript(place: UInt32) -> Group {
        // Borrowed, because a copy would count references to its lists.
        _read { yield rows[Int(place)] }
        _modify { yield &rows[Int(place)] }
    }

    /// Adds a group; returns its place.
    mutating func open(ride: UInt64, at now: Instant) -> UInt32 {
        let group = Group(ride: ride, requestedAt: now)
        if let place = free.popLast() {
            rows[Int(place)] = group
            return place
        }
        rows.append(group)
        return UInt32(rows.count - 1)
    }

    /// Removes a member, a record or a member that has not joined; frees the group after the last.
    mutating func left(_ place: UInt32) {
        rows[Int(place)].left -= 1
        guard rows[Int(place)].left == 0 else { return }
        rows[Int(place)].members = []
        free.append(place)
    }

    /// The place of the content of a push; nil if it is not followed, or no longer.
    func content(of link: Link) -> Int? {
        guard link.group != Self.none, rows[Int(link.group)].ride == link.ride else { return nil }
        return rows[Int(link.group)].contents.lastIndex { $0.index == link.index }
    }
}
