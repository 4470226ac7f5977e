package import FreshnessCore
package import Quantities
package import TextFormats

/// The state of an instance's token in the monitor.
package enum TokenState: Int, CaseIterable, Sendable {
    /// No token has been published.
    case none = 0
    /// The token receives pushes.
    case active = 1
    /// The app has withdrawn the token, or an end event has succeeded.
    case invalidated = 2
    /// APNs has reported the token as invalid.
    case discarded = 3
}

/// One instance, as ``MonitorRoute/read`` returns it.
///
/// It never has the token.
package struct InstanceView: Hashable, Sendable {
    /// Stages in the life of an instance.
    package enum Phase: CaseIterable, Sendable {
        /// Waiting for the first token.
        case waiting
        case live
        /// An end is due or in flight.
        case ending
        case closed
    }

    /// The name that the app's server gave the instance.
    package var instance: String
    /// The freshness class; `nil` before the first token, when it ends because its ride is over, and when it is closed.
    package var freshness: FreshnessClass?
    /// The stage in its life.
    package var phase: Phase
    /// The state of its token.
    package var token: TokenState
    /// The content that its screen is believed to show; the stale date is `never` if there is none.
    package var shown: ContentStamp?
    /// The generation time of the content that it should show.
    package var announcedAt: Instant?

    /// Creates a view.
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

    /// Writes the members.
    package func write(to json: inout JSONText) {
        json.add("instance", instance)
        if let freshness { json.add("class", "\(freshness)") } else { json.addNull("class") }
        json.add("phase", "\(phase)")
        json.add("token", "\(token)")
        json.add("generated_at_us", shown?.generatedAt.microseconds)
        json.add("stale_date_us", shown.flatMap { $0.staleDate == .never ? nil : $0.staleDate.microseconds })
        json.add("announced_generated_at_us", announcedAt?.microseconds)
    }

    /// Reads a response; `nil` for a text that no monitor sends.
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

/// A page of the list of instances, as ``MonitorRoute/list`` returns it.
package struct InstancePage: Hashable, Sendable {
    /// Instances in the order of their creation.
    package var instances: [InstanceView]
    /// The start of the next page; `nil` after the last one.
    package var next: Int?

    /// Creates a page.
    package init(instances: [InstanceView], next: Int?) {
        self.instances = instances
        self.next = next
    }

    /// The response.
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

    /// Reads a response; `nil` for a text that no monitor sends.
    package init?(_ body: [UInt8]) {
        guard let json = try? JSONMembers(body), let elements = json["instances"]?.elements else { return nil }
        let views = elements.compactMap { element in element.members.flatMap { InstanceView($0) } }
        guard views.count == elements.count else { return nil }
        self.init(instances: views, next: json["next"]?.integer())
    }
}
