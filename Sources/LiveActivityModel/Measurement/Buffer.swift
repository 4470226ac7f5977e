/// A fixed number of values in memory of its own, written without uniqueness checks.
struct Buffer<Element: BitwiseCopyable>: ~Copyable {
    private let memory: UnsafeMutablePointer<Element>
    /// The number of values.
    let count: Int

    /// Creates a buffer filled with one value.
    init(repeating element: Element, count: Int) {
        memory = .allocate(capacity: count)
        memory.initialize(repeating: element, count: count)
        self.count = count
    }

    /// Creates a buffer with the values of another, followed by copies of one value.
    init(_ other: borrowing Buffer, then element: Element, count: Int) {
        memory = .allocate(capacity: count)
        memory.initialize(from: other.memory, count: other.count)
        (memory + other.count).initialize(repeating: element, count: count - other.count)
        self.count = count
    }

    deinit { memory.deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { memory[index] }
        nonmutating _modify { yield &memory[index] }
    }

    /// The address of a value, valid while the buffer exists.
    func address(of index: Int) -> UnsafeMutablePointer<Element> { memory + index }

    /// A copy of all values.
    var values: [Element] { Array(UnsafeBufferPointer(start: memory, count: count)) }
}
