public import Evaluation
public import LiveActivityModel

extension Factors {
    /// The defining settings that differ between the points of the design; a factor of one level does not count.
    public var variedBases: [MetricBasis] {
        MetricBasis.allCases.filter { basis in
            vary.contains { $0.differs && (basis.rawValue == $0.path || basis.rawValue.hasPrefix($0.path + ".")) }
        }
    }

    /// Returns true if all points of the design measure a response in the same way, so that it can be compared between
    /// them.
    public func measuresAlike(_ response: Response) -> Bool {
        !variedBases.contains(where: response.bases.contains)
    }
}
