public import Quantities

extension Scenario {
    /// A share of the fleet with values of its own, such as an arm of an experiment or an older version of the app.
    ///
    /// Cohorts share the sender, APNs and the budgets of their cell, so they affect each other. A ride keeps its cohort from
    /// its request on.
    public struct Cohort: Hashable, Sendable {
        /// A value that replaces the scenario's.
        public struct Setting: Hashable, Sendable {
            /// The path of the value, such as `content.ttl`.
            public var path: String
            /// The value as YAML on one line.
            public var value: String

            /// Creates a setting.
            public init(path: String, value: String) {
                self.path = path
                self.value = value
            }
        }

        /// The sections that can differ between cohorts.
        public struct Sections: Hashable, Sendable {
            /// The content.
            public var content: Content
            /// The phones.
            public var devices: Devices
            /// The monitor.
            public var monitor: Monitor

            /// Creates the sections of a scenario.
            public init(_ scenario: Scenario) {
                (content, devices, monitor) = (scenario.content, scenario.devices, scenario.monitor)
            }
        }

        /// A change of the share.
        public struct Step: Hashable, Sendable {
            /// When the share changes; rides keep the cohort that they have.
            public var at: TimeSpan
            /// The share of the rides that are requested from then on.
            public var share: Probability

            /// Creates a step.
            public init(at: TimeSpan, share: Probability) {
                self.at = at
                self.share = share
            }
        }

        /// The name, for scopes.
        public var name: String
        /// The share of all rides.
        public var share: Probability
        /// The later changes of the share, in order of time.
        public var rollout: [Step] = []
        /// The values that replace the scenario's.
        public var settings: [Setting] = []
        /// The sections of the cohort's rides; nil for those of the scenario.
        public var sections: Sections?

        /// Creates a cohort without values of its own.
        public init(name: String, share: Probability) {
            self.name = name
            self.share = share
        }

        /// The largest number of cohorts.
        public static let most = 8
        /// The name of the rides that belong to no cohort.
        public static let others = "others"

        /// Returns the share of the rides that are requested at an instant.
        public func share(at instant: Instant) -> Probability {
            rollout.last { .start + $0.at <= instant }?.share ?? share
        }
    }
}

/// A part of the fleet that is measured separately.
public enum FleetPart: Hashable, Sendable {
    /// A city, by its index in the scenario.
    case city(Int)
    /// A cohort, numbered from 1; 0 is the rides that belong to none.
    case cohort(Int)
}

extension Scenario {
    /// The parts of the fleet with their scopes in results, cities first.
    public var fleetParts: [(part: FleetPart, scope: String)] { cityParts + cohortParts }

    /// The cities with their scopes.
    public var cityParts: [(part: FleetPart, scope: String)] {
        rides.arrivals.cities.enumerated().map { (.city($0), "city:\($1.name)") }
    }

    /// The cohorts with their scopes, the rides without one last; empty without cohorts.
    public var cohortParts: [(part: FleetPart, scope: String)] {
        guard !cohorts.isEmpty else { return [] }
        return cohorts.enumerated().map { (.cohort($0 + 1), "cohort:\($1.name)") }
            + [(.cohort(0), "cohort:\(Cohort.others)")]
    }

    /// Returns the scenario by which the rides of a cohort are handled, numbered from 1; 0 is the rides without one.
    public func scenario(ofCohort number: Int) -> Scenario {
        var own = self
        own.cohorts = []
        guard number > 0, let sections = cohorts[number - 1].sections else { return own }
        (own.content, own.devices, own.monitor) = (sections.content, sections.devices, sections.monitor)
        return own
    }

    /// The number of cohorts including the rides that belong to none; 1 without cohorts.
    var cohortCount: Int { cohorts.count + 1 }

    /// The number of segments, one for each city and cohort; 0 if the fleet is not divided.
    var segmentCount: Int {
        let cities = rides.arrivals.cities.count
        return cities == 0 && cohorts.isEmpty ? 0 : max(1, cities) * cohortCount
    }
}
