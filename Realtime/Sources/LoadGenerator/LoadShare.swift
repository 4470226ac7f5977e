/// One generator's share of a load: of *n* shares, each has every *n*-th arrival of one plan.
///
/// Share *k* of *n*, counted from 1, has the arrivals whose numbers, counted from 0, leave *k* - 1 when divided by *n*. Due
/// times, tokens and ids of pushes follow from an arrival's number in the whole plan, so all shares together send the same
/// pushes at the same instants as one generator.
package struct LoadShare: Hashable, Sendable {
    /// The number of the share, from 1.
    package let number: Int
    /// The number of shares.
    package let count: Int

    /// The most shares of a load.
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

    /// Reads a share such as `3/8`; nil for anything else, and for more than ``most`` shares.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let number = Int(parts[0]), let count = Int(parts[1]), (1...LoadShare.most).contains(count),
            (1...count).contains(number)
        else { return nil }
        self.init(number, of: count)
    }

    /// The share as text, such as `3/8`.
    package var text: String { "\(number)/\(count)" }

    /// The number of its own arrivals among the first ones of a plan.
    package func count(among first: Int) -> Int { (first + count - number) / count }

    /// The first arrival of one of its lanes, and the distance to each next one.
    ///
    /// - Parameters:
    ///   - index: The number of the lane, from 0.
    ///   - lanes: The number of lanes of the share.
    func arrivals(ofLane index: Int, of lanes: Int) -> (first: Int, stride: Int) {
        (number - 1 + count * index, count * lanes)
    }
}
