import LiveActivityModel
import Quantities
import SimulationKernel

extension Section where Whole == Scenario.Groups {
    static var groups: Section {
        Section("Groups of phones that follow one content.", Scenario.Groups()) {
            Field("size", \.size, .numbers.drawn { $0.distribution(scale: $0.one(of: [1, 2, 4]), unit: 1) })
                .means("Number of members of a group; rounded down, at least 1.")
            Field("joins", \.joins, .durations)
                .means(
                    "Time from a group's request to the request of a member; the first member joins at once. No member joins after "
                        + "the end of the group's ride."
                )
            Field("by", \.by, .name)
                .means(
                    "tokens: a push for each member, to its update token. channel: one push, which APNs sends on to the phones that "
                        + "follow the group's broadcast channel."
                )
            Field("channel", \.channel, .section(.channel)).means("The channels of groups; only for by: channel.")
        }
    }
}

extension Section where Whole == Scenario.Channel {
    fileprivate static var channel: Section {
        Section("Broadcast channels of APNs.", Scenario.Channel()) {
            Field("storage", \.storage, .name)
                .means(
                    "The pushes that APNs stores for a phone that is offline: none, or the most recent one of the channel, for at most "
                        + "8 h."
                )
            Field("most", \.most, .integer(0...10_000).drawn { $0.count(0...3) })
                .means(
                    "Number of channels that APNs allows the app at once; each cell has its part. Groups beyond it are reached by "
                        + "tokens."
                )
            Field("budget", \.budget, .optional(.integer(0...1_000_000).drawn { $0.count(0...5) }, .inherit))
                .means(
                    "Pushes of priority 10 that a phone shows of its channel per devices.budget.window; inherit: "
                        + "devices.budget.limit."
                )
            Field("reorder", \.reorder, .boolean).means("If true, a later push can overtake an earlier one.")
            Field("deleted", \.deleted, .share)
                .means(
                    "Share of channels that are deleted while phones may follow them; APNs then rejects pushes to them."
                )
            Field("deleted_after", \.deletedAfter, .durations)
                .means("Time from the creation of a deleted channel to its deletion.")
        }
    }
}
