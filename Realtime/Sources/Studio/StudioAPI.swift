import Evaluation
import HTTPTypes
import Hummingbird
import InputFiles
import LiveActivityModel
import NIOCore
import PageServer
import Quantities
import Reporting
import ScenarioLanguage
import Servers
import TextFormats

/// The studio's API for its page: JSON over HTTP, below the server's secret.
///
/// | request | answer |
/// |---|---|
/// | `GET api/events` | events: `session`, `answer`, `capacity`, `point`, `progress`, `opening`, `reading`, `replaced` |
/// | `GET api/scenario` · `GET api/schema` | the base with every default; every key with its documentation |
/// | `GET api/metrics` | every metric of the base, like `freshet metrics --format json` |
/// | `POST api/check` `{session, settings}` | 200 if the settings are valid |
/// | `POST api/compare` `{session, ask, base, changed, half_width?, town?, goal?}` | 202; `answer` events follow |
/// | `POST api/capacity` `{session, ask, base, changed}` | 202; a `capacity` event follows |
/// | `POST api/grid` `{session, ask, base, columns, rows, responses, town?}` | 202; `point` events follow |
/// | `POST api/play` `{session, settings, from_s}` | 200 with the activities on screens |
/// | `POST api/frames` `{session, step_ms, times}` | 200 with the changes, step by step |
/// | `POST api/story` `{session, settings, ride}` | 200 with words and a picture |
/// | `POST api/stop` `{session}` | 200; work in progress ends, `play` and `story` respond with 409 |
///
/// Invalid settings give 422 with `problems`, each at its setting. `town` is the size of the preview.
struct StudioAPI: Sendable {
    let sessions: StudioSessions
    let source: ScenarioOfStudio

    /// The response header that reports that the file has been saved since the studio was opened.
    private static let fileChanged = HTTPField.Name("Freshet-File-Changed")
    /// The maximum size of a message [bytes].
    private static let largestMessage = 1 << 18

    /// Adds the routes.
    func add(to routes: RouterGroup<BasicRequestContext>) {
        let api = routes.group("api")
        api.get("events") { _, _ in sessions.open() }
        api.get("schema") { _, _ in Response.json(ScenarioSchema.json()) }
        api.get("scenario") { _, _ in Response.json(scenario) }
        let metrics = MetricReference(MetricDescription.all(of: source.scenario)).json.text
        api.get("metrics") { _, _ in Response.json(metrics) }
        on(api, "check") { message in
            _ = try source.scenario(message.settings("settings"))
            return "{}"
        }
        on(api, "compare") { message in
            try await sessions.session(of: message).compare(Question(message))
            return nil
        }
        on(api, "capacity") { message in
            try await sessions.session(of: message).capacity(Question(message))
            return nil
        }
        on(api, "grid") { message in
            try await sessions.session(of: message).trade(GridQuestion(message))
            return nil
        }
        on(api, "play") { message in
            let start = TimeSpan.seconds(Int64(try message.integer("from_s", in: 0...31_536_000)))
            return try await sessions.session(of: message).play(message.settings("settings"), from: start)
        }
        on(api, "frames") { message in
            let step = TimeSpan.milliseconds(Int64(try message.integer("step_ms", in: 1...3_600_000)))
            let times = try message.integer("times", in: 1...120)
            return try await sessions.session(of: message).playOn(by: step, times: times)
        }
        on(api, "story") { message in
            let ride = UInt64(try message.integer("ride", in: 0...Int(Int32.max)))
            return try await sessions.session(of: message).story(of: ride, message.settings("settings"))
        }
        on(api, "stop") { message in
            try await sessions.session(of: message).stop()
            return "{}"
        }
    }

    /// Adds a route that takes a message and responds with a document, or with 202 and later events.
    private func on(
        _ api: RouterGroup<BasicRequestContext>,
        _ path: String,
        _ answer: @escaping @Sendable (Message) async throws -> String?
    ) {
        api.post(RouterPath(path)) { request, _ in
            do {
                let body = try await request.body.collect(upTo: Self.largestMessage)
                let document = try await answer(Message(Array(buffer: body)))
                var response = document.map { Response.json($0) } ?? .json("{}", status: .accepted)
                if source.hasChanged, let name = Self.fileChanged { response.headers[name] = "yes" }
                return response
            } catch let error as MessageError {
                throw PageProblem(.badRequest, error.sentence)
            } catch is NIOTooManyBytesError {
                throw PageProblem(.contentTooLarge, "a message has at most \(Self.largestMessage) bytes")
            } catch let error as ScenarioError {
                return .json(Self.problems(error), status: .unprocessableContent)
            } catch is CancellationError {
                throw PageProblem(.conflict, "a newer request replaced this one")
            }
        }
    }

    /// The errors in settings, each with the key that it concerns.
    private static func problems(_ error: ScenarioError) -> String {
        var json = JSONText()
        json.beginArray("problems")
        if case .invalid(let diagnostics) = error {
            for diagnostic in diagnostics.prefix(20) {
                json.begin(nil)
                json.add("path", diagnostic.path)
                json.add("message", diagnostic.message)
                json.end()
            }
        } else {
            json.begin(nil)
            json.add("path", "")
            json.add("message", "\(error)")
            json.end()
        }
        json.end()
        return json.document
    }

    /// The base, in the form that the page needs.
    private var scenario: String {
        let scenario = source.scenario
        var json = JSONText()
        json.add("file", source.file)
        json.add("name", scenario.name)
        json.add("settings", source.settings)
        json.add("fixed", ScenarioOfStudio.fixed)
        json.add("notes", source.notes)
        json.beginArray("goals")
        for goal in source.goals {
            json.begin(nil)
            json.add("response", goal.response)
            json.add("limit", goal.limit)
            json.end()
        }
        json.end()
        json.add("starts_at_us", scenario.clock.startsAt.microseconds)
        json.add("warm_up_us", scenario.clock.warmUp.microseconds)
        json.add("duration_us", scenario.clock.duration.microseconds)
        json.add("values", raw: ScenarioWriter.resolvedJSON(scenario).onOneLine)
        return json.document
    }
}
