/// One generator's part of a load that several share: of *n* shares, share *k* has every *n*-th arrival of one plan.
///
/// Shares count from 1; share *k* of *n* has the arrivals whose numbers, counted from 0, leave *k* - 1 when divided by *n*.
/// Due times, tokens and the ids of pushes follow from an arrival's number in the whole plan, so that all shares together
/// send what one generator would have sent, at the instants at which it would have.
package struct LoadShare: Hashable, Sendable {
    /// Which share, from 1.
    package let number: Int
    /// Of how many.
    package let count: Int

    /// The most shares that there may be.
    package static let most = 1000
    /// The whole load.
    package static let whole = LoadShare(1, of: 1)

    /// A share.
    ///
    /// - Precondition: `number` is within 1...`count`.
    package init(_ number: Int, of count: Int) {
        precondition((1...count).contains(number), "share \(number) of \(count)")
        (self.number, self.count) = (number, count)
    }

    /// Reads a share, as `3/8`; nil for anything else, and for more than ``most`` shares.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let number = Int(parts[0]), let count = Int(parts[1]), (1...LoadShare.most).contains(count),
            (1...count).contains(number)
        else { return nil }
        self.init(number, of: count)
    }

    /// As it is written: `3/8`.
    package var text: String { "\(number)/\(count)" }

    /// How many of a plan's first arrivals are its own.
    package func count(among first: Int) -> Int { (first + count - number) / count }

    /// Which arrivals one of its lanes has: the first, and how many further on each next one is.
    ///
    /// - Parameters:
    ///   - index: The lane, from 0.
    ///   - lanes: How many lanes the share has.
    func arrivals(ofLane index: Int, of lanes: Int) -> (first: Int, stride: Int) {
        (number - 1 + count * index, count * lanes)
    }
}
