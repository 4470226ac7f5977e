package import FreshnessCore
package import Quantities
package import TextFormats

/// What a monitor has of an instance's token.
package enum TokenState: Int, CaseIterable, Sendable {
    /// None was published.
    case none = 0
    /// Pushes go to it.
    case active = 1
    /// The app has withdrawn it, or an end event has worked.
    case invalidated = 2
    /// APNs has said that it is dead.
    case discarded = 3
}

/// One instance, as ``MonitorRoute/read`` answers it; never its token.
package struct InstanceView: Hashable, Sendable {
    /// Where an instance is in its life.
    package enum Phase: CaseIterable, Sendable {
        /// For its first token.
        case waiting
        case live
        /// An end is due or under way.
        case ending
        case closed
    }

    /// What the app's server calls it.
    package var instance: String
    /// Its class; nil before its first token, when it ends because its ride is over, and when it is closed.
    package var freshness: FreshnessClass?
    /// Where it is in its life.
    package var phase: Phase
    /// What the monitor has of its token.
    package var token: TokenState
    /// What its screen is believed to show; the stale date is `never` where it has none.
    package var shown: ContentStamp?
    /// When the content was generated that it is to show.
    package var announcedAt: Instant?

    /// A view.
    package init(
        instance: String,
        freshness: FreshnessClass?,
        phase: Phase,
        token: TokenState,
        shown: ContentStamp?,
        announcedAt: Instant?
    ) {
        self.instance = instance
        self.freshness = freshness
        self.phase = phase
        self.token = token
        self.shown = shown
        self.announcedAt = announcedAt
    }

    /// Writes its members.
    package func write(to json: inout JSONText) {
        json.add("instance", instance)
        if let freshness { json.add("class", "\(freshness)") } else { json.addNull("class") }
        json.add("phase", "\(phase)")
        json.add("token", "\(token)")
        json.add("generated_at_us", shown?.generatedAt.microseconds)
        json.add("stale_date_us", shown.flatMap { $0.staleDate == .never ? nil : $0.staleDate.microseconds })
        json.add("announced_generated_at_us", announcedAt?.microseconds)
    }

    /// Reads an answer; nil for what no monitor says.
    package init?(_ body: [UInt8]) {
        guard let json = try? JSONMembers(body) else { return nil }
        self.init(json)
    }

    fileprivate init?(_ json: JSONMembers) {
        func instant(_ name: String) -> Instant? { json[name]?.integer().map { Instant(microseconds: $0) } }
        guard let instance = json["instance"]?.text, let className = json["class"],
            let phase = Phase.allCases.first(where: { "\($0)" == json["phase"]?.text }),
            let token = TokenState.allCases.first(where: { "\($0)" == json["token"]?.text })
        else { return nil }
        let freshness = FreshnessClass.allCases.first { "\($0)" == className.text }
        guard freshness != nil || className == .null else { return nil }
        self.init(
            instance: instance,
            freshness: freshness,
            phase: phase,
            token: token,
            shown: instant("generated_at_us")
                .map {
                    ContentStamp(generatedAt: $0, staleDate: instant("stale_date_us") ?? .never)
                },
            announcedAt: instant("announced_generated_at_us")
        )
    }
}

/// A part of the instances, as ``MonitorRoute/list`` answers it.
package struct InstancePage: Hashable, Sendable {
    /// Instances, in the order in which they came.
    package var instances: [InstanceView]
    /// Where the next page begins; nil after the last one.
    package var next: Int?

    /// A page.
    package init(instances: [InstanceView], next: Int?) {
        self.instances = instances
        self.next = next
    }

    /// The answer.
    package var json: JSONText {
        var json = JSONText()
        json.beginArray("instances")
        for view in instances {
            json.begin(nil)
            view.write(to: &json)
            json.end()
        }
        json.end()
        json.add("next", next)
        return json
    }

    /// Reads an answer; nil for what no monitor says.
    package init?(_ body: [UInt8]) {
        guard let json = try? JSONMembers(body), let elements = json["instances"]?.elements else { return nil }
        let views = elements.compactMap { element in element.members.flatMap { InstanceView($0) } }
        guard views.count == elements.count else { return nil }
        self.init(instances: views, next: json["next"]?.integer())
    }
}
