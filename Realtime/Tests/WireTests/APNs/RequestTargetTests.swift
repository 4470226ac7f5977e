import Testing
import Wire

struct RequestTargetTests {
    @Test(arguments: [
        ("POST", "/3/device/00ab", RequestTarget.device(token: "00ab")),
        ("POST", "/3/device/00ab?x=1", .device(token: "00ab")),
        ("POST", "/3/device/", .refused(.missingDeviceToken)),
        ("POST", "/3/device", .refused(.missingDeviceToken)),
        ("GET", "/3/device/00ab", .refused(.methodNotAllowed)),
        ("POST", "/3/devices/00ab", .refused(.badPath)),
        ("POST", "/", .refused(.badPath)),
        ("POST", "", .refused(.badPath)),
        ("POST", "/4/broadcasts/apps/a.b", .broadcast(bundleID: "a.b")),
        ("GET", "/4/broadcasts/apps/a.b", .refused(.methodNotAllowed)),
        ("POST", "/4/broadcasts/apps/", .refused(.badPath)),
        ("POST", "/1/apps/a.b/channels", .channel(.create, bundleID: "a.b")),
        ("GET", "/1/apps/a.b/channels", .channel(.read, bundleID: "a.b")),
        ("DELETE", "/1/apps/a.b/channels", .channel(.delete, bundleID: "a.b")),
        ("PUT", "/1/apps/a.b/channels", .refused(.methodNotAllowed)),
        ("GET", "/1/apps/a.b/all-channels", .allChannels(bundleID: "a.b")),
        ("POST", "/1/apps/a.b/all-channels", .refused(.methodNotAllowed)),
        ("GET", "/1/apps/a.b/other", .refused(.badPath)),
        ("GET", "/1/apps//channels", .refused(.badPath)),
    ])
    func readsMethodAndPath(method: String, path: String, expected: RequestTarget) {
        #expect(RequestTarget(method: method, path: path) == expected)
    }
}
