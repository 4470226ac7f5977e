/// State that only some scenarios have, by the number of the activity.
///
/// An ``Activity`` has no room for it: a million activities would pay for what most scenarios switch off. A table that is
/// not used takes no memory.
struct SideTable<Row: BitwiseCopyable> {
    private var rows: [Row] = []
    private let initial: Row?

    /// Creates an empty table.
    ///
    /// - Parameter initial: The state of an activity that is requested; nil for a table that is never used.
    init(_ initial: Row?) {
        self.initial = initial
    }

    /// `true` if the scenario has this state.
    var isUsed: Bool { initial != nil }

    /// Gives a new activity its initial state; has no effect on a table that is not used.
    ///
    /// - Complexity: O(1) amortised.
    mutating func begin(_ number: UInt32) {
        guard let initial else { return }
        while rows.count <= Int(number) { rows.append(initial) }
        rows[Int(number)] = initial
    }

    /// The state of an activity.
    ///
    /// - Precondition: The table is used, and the activity has begun.
    subscript(number: UInt32) -> Row {
        get { rows[Int(number)] }
        _modify { yield &rows[Int(number)] }
    }
}
