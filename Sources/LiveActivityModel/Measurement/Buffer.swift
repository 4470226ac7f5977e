/// A fixed number of values in memory of their own, to which events write without asking who shares it.
struct Buffer<Element: BitwiseCopyable>: ~Copyable {
    private let memory: UnsafeMutablePointer<Element>
    /// How many values there are.
    let count: Int

    /// The same value in every place.
    init(repeating element: Element, count: Int) {
        memory = .allocate(capacity: count)
        memory.initialize(repeating: element, count: count)
        self.count = count
    }

    /// The values of another one, and after them the same one in every place.
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

    /// Where a value lies, for as long as the buffer is there.
    func address(of index: Int) -> UnsafeMutablePointer<Element> { memory + index }

    /// All of them as they are now.
    var values: [Element] { Array(UnsafeBufferPointer(start: memory, count: count)) }
}
