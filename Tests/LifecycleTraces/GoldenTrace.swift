/// The golden lifecycle traces: scripts with the log that every implementation of the core must reproduce.
///
/// The first five are cases O-TRACE-01 to O-TRACE-05 of the validation set; the logs of the others were computed by its
/// reference interpreter. Times are in milliseconds, as there.
public struct GoldenTrace: Sendable {
    /// The subject of the trace.
    public var name: String
    /// The script.
    public var script: LifecycleScript
    /// The expected trace.
    public var trace: LifecycleTrace

    private init(
        _ name: String,
        timeToLive: Int64,
        freshLimit: Int64,
        recoveryWindow: Int64,
        retryOffsets: [Int64],
        endOffsets: [Int64],
        updates: [Int64],
        fates: [PushFate],
        until: Int64,
        log: [(Int64, String)],
        stale: Int64,
        outcome: LifecycleTrace.Outcome
    ) {
        self.name = name
        script = LifecycleScript(
            timeToLive: timeToLive,
            freshLimit: freshLimit,
            recoveryWindow: recoveryWindow,
            retryOffsets: retryOffsets,
            endOffsets: endOffsets,
            updates: updates,
            fates: fates,
            until: until
        )
        .scaled(by: 1000)
        trace = LifecycleTrace(
            log: log.map { LifecycleTrace.Line(microseconds: $0 * 1000, text: $1) },
            staleMicroseconds: stale * 1000,
            outcome: outcome
        )
    }

    /// All golden traces.
    public static let all: [GoldenTrace] = [
        GoldenTrace(
            "recover on 2nd retry",
            timeToLive: 60_000,
            freshLimit: 30_000,
            recoveryWindow: 60_000,
            retryOffsets: [0, 10_000, 30_000],
            endOffsets: [0, 5000, 15_000],
            updates: [30_000],
            fates: [.lost, .lost, .shown(after: 1500)],
            until: 110_000,
            log: [
                (0, "start"), (30_000, "send update"), (90_000, "class stale"), (90_000, "send retry"),
                (100_000, "send retry"), (101_500, "shown retry"), (101_500, "class fresh"),
            ],
            stale: 11_500,
            outcome: .fresh
        ),
        GoldenTrace(
            "severe then end lost once",
            timeToLive: 60_000,
            freshLimit: 30_000,
            recoveryWindow: 60_000,
            retryOffsets: [0, 10_000, 30_000],
            endOffsets: [0, 5000, 15_000],
            updates: [],
            fates: [.lost, .lost, .lost, .lost, .shown(after: 800)],
            until: 300_000,
            log: [
                (0, "start"), (90_000, "class stale"), (90_000, "send retry"), (100_000, "send retry"),
                (120_000, "send retry"), (150_000, "class severe"), (150_000, "send end"), (155_000, "send end"),
                (155_800, "token-invalidated"),
            ],
            stale: 60_000,
            outcome: .tokenInvalidated
        ),
        GoldenTrace(
            "boundary: delivery exactly at the limit",
            timeToLive: 60_000,
            freshLimit: 30_000,
            recoveryWindow: 60_000,
            retryOffsets: [0, 10_000],
            endOffsets: [0],
            updates: [89_000],
            fates: [.shown(after: 1000)],
            until: 100_000,
            log: [
                (0, "start"), (89_000, "send update"), (90_000, "shown update"),
            ],
            stale: 0,
            outcome: .fresh
        ),
        GoldenTrace(
            "410 on first retry",
            timeToLive: 60_000,
            freshLimit: 0,
            recoveryWindow: 60_000,
            retryOffsets: [0, 10_000],
            endOffsets: [0],
            updates: [],
            fates: [.tokenDead(after: 200)],
            until: 300_000,
            log: [
                (0, "start"), (60_000, "class stale"), (60_000, "send retry"), (60_200, "token-dead"),
            ],
            stale: 200,
            outcome: .tokenDead
        ),
        GoldenTrace(
            "overtaking: older update arrives after newer",
            timeToLive: 60_000,
            freshLimit: 30_000,
            recoveryWindow: 60_000,
            retryOffsets: [0],
            endOffsets: [0],
            updates: [10_000, 20_000],
            fates: [.shown(after: 25_000), .shown(after: 500)],
            until: 60_000,
            log: [
                (0, "start"), (10_000, "send update"), (20_000, "send update"), (20_500, "shown update"),
                (35_000, "ignored-older update"),
            ],
            stale: 0,
            outcome: .fresh
        ),
        GoldenTrace(
            "already-stale delivery does not end the episode",
            timeToLive: 45_000,
            freshLimit: 15_000,
            recoveryWindow: 90_000,
            retryOffsets: [0, 20_000, 60_000],
            endOffsets: [0, 7000],
            updates: [5000],
            fates: [.shown(after: 62_000), .lost, .shown(after: 3000)],
            until: 200_000,
            log: [
                (0, "start"), (5000, "send update"), (60_000, "class stale"), (60_000, "send retry"),
                (67_000, "shown update"), (80_000, "send retry"), (83_000, "shown retry"), (83_000, "class fresh"),
                (140_000, "class stale"), (140_000, "send retry"), (160_000, "send retry"), (200_000, "send retry"),
            ],
            stale: 83_000,
            outcome: .stale
        ),
        GoldenTrace(
            "late update after the end decision, end needs 3 tries",
            timeToLive: 45_000,
            freshLimit: 15_000,
            recoveryWindow: 40_000,
            retryOffsets: [0, 20_000],
            endOffsets: [0, 7000, 21_000],
            updates: [],
            fates: [.shown(after: 55_000), .lost, .lost, .lost, .shown(after: 900)],
            until: 300_000,
            log: [
                (0, "start"), (60_000, "class stale"), (60_000, "send retry"), (80_000, "send retry"),
                (100_000, "class severe"), (100_000, "send end"), (107_000, "send end"), (115_000, "late retry"),
                (121_000, "send end"), (121_900, "token-invalidated"),
            ],
            stale: 40_000,
            outcome: .tokenInvalidated
        ),
        GoldenTrace(
            "delivery at the severe instant wins the tie",
            timeToLive: 45_000,
            freshLimit: 15_000,
            recoveryWindow: 40_000,
            retryOffsets: [0, 20_000],
            endOffsets: [0],
            updates: [],
            fates: [.lost, .shown(after: 20_000)],
            until: 130_000,
            log: [
                (0, "start"), (60_000, "class stale"), (60_000, "send retry"), (80_000, "send retry"),
                (100_000, "shown retry"), (100_000, "class fresh"),
            ],
            stale: 40_000,
            outcome: .fresh
        ),
        GoldenTrace(
            "two episodes then token dead during end",
            timeToLive: 30_000,
            freshLimit: 10_000,
            recoveryWindow: 25_000,
            retryOffsets: [0, 6000, 12_000],
            endOffsets: [0, 4000, 9000],
            updates: [12_000, 24_000],
            fates: [
                .shown(after: 300), .lost, .lost, .shown(after: 700), .lost, .lost, .lost, .lost,
                .tokenDead(after: 150),
            ],
            until: 300_000,
            log: [
                (0, "start"), (12_000, "send update"), (12_300, "shown update"), (24_000, "send update"),
                (52_000, "class stale"), (52_000, "send retry"), (58_000, "send retry"), (58_700, "shown retry"),
                (58_700, "class fresh"), (98_000, "class stale"), (98_000, "send retry"), (104_000, "send retry"),
                (110_000, "send retry"), (123_000, "class severe"), (123_000, "send end"), (127_000, "send end"),
                (127_150, "token-dead"),
            ],
            stale: 31_700,
            outcome: .tokenDead
        ),
        GoldenTrace(
            "retry in flight when a regular update lands",
            timeToLive: 30_000,
            freshLimit: 10_000,
            recoveryWindow: 60_000,
            retryOffsets: [0, 5000, 10_000],
            endOffsets: [0],
            updates: [44_000, 60_000],
            fates: [.shown(after: 30_000), .shown(after: 2000), .lost, .shown(after: 100)],
            until: 125_000,
            log: [
                (0, "start"), (40_000, "class stale"), (40_000, "send retry"), (44_000, "send update"),
                (45_000, "send retry"), (46_000, "shown update"), (46_000, "class fresh"), (60_000, "send update"),
                (60_100, "shown update"), (70_000, "ignored-older retry"), (100_000, "class stale"),
                (100_000, "send retry"), (105_000, "send retry"), (110_000, "send retry"),
            ],
            stale: 31_000,
            outcome: .stale
        ),
    ]
}
