import Statistics

/// The values of a response in a run: one for each independent part, nil where it is undefined.
struct RunValues {
    let values: [Double?]

    /// The values of replications; the members of an antithetic pair depend on each other, so their mean is one value.
    init(_ replications: [Double?], isAntithetic: Bool) {
        guard isAntithetic else {
            values = replications
            return
        }
        values = stride(from: 0, to: replications.count - 1, by: 2)
            .map { index in
                guard let first = replications[index], let second = replications[index + 1] else { return nil }
                return (first + second) / 2
            }
    }
}

extension MetricComparison {
    /// Compares the values of two runs.
    init(_ response: ResolvedResponse, _ first: RunValues, _ second: RunValues, _ options: RunComparison.Options) {
        self.response = response.text
        unit = response.unit
        isShare = response.isShare
        direction = MetricDirection(of: response.response)
        let ours: [Double]
        let theirs: [Double]
        if options.isUnpaired {
            ours = first.values.compactMap(\.self)
            theirs = second.values.compactMap(\.self)
            counts = .independent(ours.count, theirs.count)
            interval = WelchInterval(ours, theirs).map { $0.lower...$0.upper }
            isSame = false
        } else {
            let pairs = zip(first.values, second.values)
                .compactMap { pair in
                    pair.0.flatMap { one in pair.1.map { (one, $0) } }
                }
            ours = pairs.map(\.0)
            theirs = pairs.map(\.1)
            counts = .pairs(pairs.count)
            interval = PairedComparison(ours, theirs).map { $0.difference.lower...$0.difference.upper }
            isSame = !ours.isEmpty && ours == theirs
        }
        self.first = Self.mean(ours)
        self.second = Self.mean(theirs)
        noise = (self.first?.magnitude ?? 0) * options.noise
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}
