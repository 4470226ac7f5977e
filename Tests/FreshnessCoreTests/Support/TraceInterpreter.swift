import LifecycleTraces

/// The rules of the golden lifecycle traces, implemented literally: an oracle that shares nothing with the core.
///
/// It plans all attempts of an episode at once and recognises outdated plans by the number of the episode; it has
/// neither a state machine nor a next deadline.
struct TraceInterpreter {
    private enum Happening {
        case shown(name: String, generatedAt: Int64)
        case tokenDead
        case update
        case stale(episode: Int)
        case retry(episode: Int)
        case severe(episode: Int)
        case end
        case stop
    }

    private struct Plan {
        var time: Int64
        var rank: Int
        var happening: Happening
    }

    private enum Class {
        case fresh
        case stale
        case severe
    }

    private let script: LifecycleScript
    private var fates: ArraySlice<PushFate>
    /// In the order of time and rank; plans of the same time and rank are in the order of creation.
    private var plans: [Plan] = []
    private var log: [LifecycleTrace.Line] = []
    private var newest: Int64 = 0
    private var current = Class.fresh
    private var episode = 0
    private var staleSince: Int64 = 0
    private var staleTime: Int64 = 0
    private var isTokenDead = false
    private var isTokenInvalidated = false

    private init(_ script: LifecycleScript) {
        self.script = script
        fates = script.fates[...]
    }

    static func trace(of script: LifecycleScript) -> LifecycleTrace {
        var interpreter = TraceInterpreter(script)
        return interpreter.run()
    }

    private func lapse(ofContentFrom generatedAt: Int64) -> Int64 {
        generatedAt + script.timeToLive + script.freshLimit
    }

    private mutating func plan(_ happening: Happening, at time: Int64, rank: Int) {
        let place = plans.firstIndex { ($0.time, $0.rank) > (time, rank) } ?? plans.endIndex
        plans.insert(Plan(time: time, rank: rank, happening: happening), at: place)
    }

    private mutating func planStaleness() {
        episode += 1
        plan(.stale(episode: episode), at: lapse(ofContentFrom: newest), rank: 2)
    }

    private mutating func send(_ name: String, at now: Int64) {
        log.append(.init(microseconds: now, text: "send \(name)"))
        switch fates.popFirst() {
        case .shown(let after): plan(.shown(name: name, generatedAt: now), at: now + after, rank: 0)
        case .tokenDead(let after): plan(.tokenDead, at: now + after, rank: 0)
        case .lost, .refused, nil: break
        }
    }

    private mutating func run() -> LifecycleTrace {
        log.append(.init(microseconds: 0, text: "start"))
        planStaleness()
        for update in script.updates { plan(.update, at: update, rank: 1) }
        plan(.stop, at: script.until, rank: 9)
        while !plans.isEmpty {
            let next = plans.removeFirst()
            if case .stop = next.happening {
                if current == .stale, !isTokenDead { staleTime += next.time - staleSince }
                break
            }
            if !isTokenDead, !isTokenInvalidated { perform(next.happening, at: next.time) }
        }
        return LifecycleTrace(log: log, staleMicroseconds: staleTime, outcome: outcome)
    }

    private var outcome: LifecycleTrace.Outcome {
        if isTokenInvalidated { return .tokenInvalidated }
        if isTokenDead { return .tokenDead }
        return switch current {
        case .fresh: .fresh
        case .stale: .stale
        case .severe: .severe
        }
    }

    private mutating func perform(_ happening: Happening, at now: Int64) {
        func line(_ text: String) -> LifecycleTrace.Line { .init(microseconds: now, text: text) }
        switch happening {
        case .shown("end", _):
            isTokenInvalidated = true
            log.append(line("token-invalidated"))

        case .shown(let name, _) where current == .severe:
            log.append(line("late \(name)"))

        case .shown(let name, let generatedAt) where generatedAt <= newest:
            log.append(line("ignored-older \(name)"))

        case .shown(let name, let generatedAt):
            newest = generatedAt
            log.append(line("shown \(name)"))
            guard now < lapse(ofContentFrom: generatedAt) else { return }
            if current == .stale {
                staleTime += now - staleSince
                log.append(line("class fresh"))
            }
            current = .fresh
            planStaleness()

        case .tokenDead:
            if current == .stale { staleTime += now - staleSince }
            isTokenDead = true
            log.append(line("token-dead"))

        case .update:
            if current != .severe { send("update", at: now) }

        case .stale(let planned):
            guard planned == episode, current != .severe else { return }
            current = .stale
            staleSince = now
            log.append(line("class stale"))
            for offset in script.retryOffsets { plan(.retry(episode: planned), at: now + offset, rank: 2) }
            plan(.severe(episode: planned), at: now + script.recoveryWindow, rank: 2)

        case .retry(let planned):
            if planned == episode, current == .stale { send("retry", at: now) }

        case .severe(let planned):
            guard planned == episode, current != .severe else { return }
            current = .severe
            staleTime += now - staleSince
            log.append(line("class severe"))
            for offset in script.endOffsets { plan(.end, at: now + offset, rank: 2) }

        case .end:
            send("end", at: now)

        case .stop:
            break
        }
    }
}
