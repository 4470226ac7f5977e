import HTTPTypes
import Hummingbird
import NIOCore
import Servers
import Wire

extension NetmeraGateway {
    /// Responds to a request.
    func answer(_ request: Request) async -> Response {
        let operation = NetmeraCall.Operation(path: request.uri.path)
        do throws(NetmeraRefusal) {
            let operation = try checked(operation, request)
            let answer = try answer(operation, await body(of: request))
            count(operation, status: 200)
            return response(200, answer.body)
        } catch {
            count(operation, status: error.status)
            return response(error.status, error.body)
        }
    }

    private func checked(
        _ operation: NetmeraCall.Operation?,
        _ request: Request
    ) throws(NetmeraRefusal) -> NetmeraCall.Operation {
        guard let operation else {
            let allowed = NetmeraCall.Operation.allCases.map(\.path)
            throw NetmeraRefusal(404, "no such path", got: "another", allowed: allowed.joined(separator: ", "))
        }
        guard request.method == .post else {
            throw NetmeraRefusal(405, "no such method", got: "another", allowed: "POST")
        }
        if let key = configuration.key {
            let shown = HTTPField.Name(NetmeraCall.keyField).flatMap { request.headers[$0] }
            guard let shown, Secret(key).isSame(as: shown) else {
                let got = shown == nil ? "nothing" : "another"
                throw NetmeraRefusal(401, "X-netmera-api-key is wrong", got: got, allowed: "this gateway's key")
            }
        }
        return operation
    }

    /// Reads a body; of a body that is too large, reads as much as the connection allows, because most clients read the
    /// response only after sending everything.
    private func body(of request: Request) async throws(NetmeraRefusal) -> [UInt8] {
        let largest = configuration.largestBody
        var body: [UInt8] = []
        var count = 0
        do {
            for try await bytes in request.body {
                count += bytes.readableBytes
                if count <= largest { body.append(contentsOf: bytes.readableBytesView) }
            }
        } catch {
            // The connection closes for a far larger body; this one is still too large.
            guard count > largest else {
                throw NetmeraRefusal(400, "the body cannot be read", got: "part of it", allowed: "all of it")
            }
        }
        guard count <= largest else {
            throw NetmeraRefusal(413, "the body is too large", got: "\(count) bytes", allowed: "\(largest) bytes")
        }
        return body
    }

    private func response(_ status: Int, _ body: String) -> Response {
        .json(body, status: HTTPResponse.Status(code: status), headers: status == 405 ? [.allow: "POST"] : [:])
    }
}
