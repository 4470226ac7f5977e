/// Rows of times [µs] that are allocated page by page and never moved.
struct PagedRows: ~Copyable {
    private static var rowsOfPage: Int { 256 }

    private let width: Int
    /// The bytes of a time: five for times of up to twelve days.
    private let bytes: Int
    private let mask: UInt64
    private var pages: [UnsafeMutableRawPointer] = []

    /// Creates an empty collection.
    ///
    /// - Parameters:
    ///   - width: The number of times in a row.
    ///   - longest: The largest time [µs].
    init(width: Int, longest: Int64) {
        self.width = width
        bytes = longest < 1 << 40 ? 5 : 8
        mask = .max >> UInt64(64 - 8 * bytes)
    }

    deinit {
        for page in pages { page.deallocate() }
    }

    /// Sets all times of a row to zero.
    ///
    /// - Complexity: O(*width*); for the first row of a page, O(*page size*).
    mutating func clear(_ row: Int) {
        while row / Self.rowsOfPage >= pages.count {
            // The last time is read together with the bytes after it.
            let size = Self.rowsOfPage * width * bytes + 8
            let page = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
            page.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            pages.append(page)
        }
        for column in 0..<width { place(row, column).initializeMemory(as: UInt8.self, repeating: 0, count: bytes) }
    }

    /// A time of a row that was cleared before.
    @inline(__always)
    subscript(row: Int, column: Int) -> Int64 {
        Int64(bitPattern: place(row, column).loadUnaligned(as: UInt64.self) & mask)
    }

    /// Adds to a time of a row that was cleared before.
    @inline(__always)
    func add(_ time: Int64, to row: Int, _ column: Int) {
        let place = place(row, column)
        let word = place.loadUnaligned(as: UInt64.self)
        place.storeBytes(of: (word & ~mask) | (word &+ UInt64(bitPattern: time)) & mask, as: UInt64.self)
    }

    @inline(__always)
    private func place(_ row: Int, _ column: Int) -> UnsafeMutableRawPointer {
        pages[row / Self.rowsOfPage] + (row % Self.rowsOfPage &* width &+ column) &* bytes
    }
}
