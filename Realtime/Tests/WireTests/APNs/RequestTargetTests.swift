import Testing
import Wire

struct RequestTargetTests {
    @Test(arguments: [
        ("POST", "/3/device/00ab", RequestTarget.device(token: "00ab")),
        ("POST", "/3/device/00ab?x=1", .device(token: "00ab")),
        ("POST", "/3/device/", .refused(.wire(.missingDeviceToken))),
        ("POST", "/3/device", .refused(.wire(.missingDeviceToken))),
        ("GET", "/3/device/00ab", .refused(.wire(.methodNotAllowed))),
        ("POST", "/3/devices/00ab", .refused(.wire(.badPath))),
        ("POST", "/", .refused(.wire(.badPath))),
        ("POST", "", .refused(.wire(.badPath))),
        ("POST", "/4/broadcasts/apps/a.b", .broadcast(bundleID: "a.b")),
        ("GET", "/4/broadcasts/apps/a.b", .refused(.wire(.methodNotAllowed))),
        ("POST", "/4/broadcasts/apps/", .refused(.wire(.badPath))),
        ("POST", "/1/apps/a.b/channels", .channel(.create, bundleID: "a.b")),
        ("GET", "/1/apps/a.b/channels", .channel(.read, bundleID: "a.b")),
        ("DELETE", "/1/apps/a.b/channels", .channel(.delete, bundleID: "a.b")),
        ("PUT", "/1/apps/a.b/channels", .refused(.wire(.methodNotAllowed))),
        ("GET", "/1/apps/a.b/all-channels", .allChannels(bundleID: "a.b")),
        ("POST", "/1/apps/a.b/all-channels", .refused(.wire(.methodNotAllowed))),
        ("GET", "/1/apps/a.b/other", .refused(.wire(.badPath))),
        ("GET", "/1/apps//channels", .refused(.wire(.badPath))),
    ])
    func readsMethodAndPath(method: String, path: String, expected: RequestTarget) {
        #expect(RequestTarget(method: method, path: path) == expected)
    }
}
