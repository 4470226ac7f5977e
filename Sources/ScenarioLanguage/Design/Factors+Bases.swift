public import Evaluation
public import LiveActivityModel

extension Factors {
    /// The defining settings that differ between the points of the design; a factor of one level does not count.
    public var variedBases: [MetricBasis] {
        MetricBasis.allCases.filter { basis in
            vary.contains { $0.differs && Self.defines(basis, $0.path) }
        }
    }

    /// Returns true if all points of the design measure a response in the same way, so that it can be compared between
    /// them.
    public func measuresAlike(_ response: Response) -> Bool {
        !variedBases.contains(where: response.bases.contains)
    }

    /// Returns true if two design points measure a response in the same way.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - first: The levels of one point, in the order of ``vary``.
    ///   - second: The levels of the other.
    public func measuresAlike(_ response: Response, _ first: [FactorLevel], _ second: [FactorLevel]) -> Bool {
        vary.indices.allSatisfy { index in
            first[index].label == second[index].label
                || !response.bases.contains { Self.defines($0, vary[index].path) }
        }
    }

    /// Returns true if a factor sets a defining setting.
    private static func defines(_ basis: MetricBasis, _ path: String) -> Bool {
        basis.isSet(by: path) || basis.rawValue.hasPrefix(path + ".")
    }
}
