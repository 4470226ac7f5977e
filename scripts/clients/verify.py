"""Pushes to an APNs stand-in with clients of other people and compares every answer with what APNs would say.

Run by scripts/verify clients. Prints a line for each case and exits with 1 if any answer is another than expected.
"""

import asyncio
import json
import logging
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import uuid

import httpx
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

TOPIC = "com.example.rider.push-type.liveactivity"
# Live Activity tokens have 80 bytes in the wild; alert tokens 32.
TOKEN = "80" * 80


class Verdicts:
    """What was expected and what came, case by case."""

    def __init__(self):
        self.cases = 0
        self.deviations = 0

    def check(self, client, case, expected, got):
        """Notes a case; prints it."""
        self.cases += 1
        good = expected == got
        self.deviations += not good
        text = "ok" if good else f"DEVIATES: expected {expected}"
        print(f"{client:14} {case:48} {str(got):42} {text}", flush=True)


class StandIn:
    """The server under test, started with a throw-away key and stopped at the end."""

    def __init__(self, program, scratch):
        self.ca = os.path.join(scratch, "ca.pem")
        self.key = os.path.join(scratch, "key.p8")
        ready = os.path.join(scratch, "ready.json")
        log = open(os.path.join(scratch, "stand-in.log"), "wb")
        self.process = subprocess.Popen(
            [program, "apns", "--port", "0", "--write-ca", self.ca, "--write-key", self.key, "--ready-file", ready]
            + ["--bundle", "com.example.rider", "--lifetime", "10m"],
            stdout=log,
            stderr=log,
        )
        for _ in range(300):
            if os.path.exists(ready) or self.process.poll() is not None:
                break
            time.sleep(0.1)
        if not os.path.exists(ready):
            self.stop()
            sys.exit("verify clients: the stand-in did not get ready: " + open(log.name).read())
        told = json.load(open(ready))
        self.port, self.kid, self.team = told["port"], told["kid"], told["team"]
        self.metrics_port = told["metrics_port"]
        self.origin = f"https://localhost:{self.port}"

    def stop(self):
        """Asks it to stop, and waits."""
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def token(self, key=None, algorithm="ES256", **changes):
        """A provider token; `changes` replace kid, iss or iat, and None leaves one out."""
        fields = {"kid": self.kid, "iss": self.team, "iat": int(time.time())} | changes
        fields = {name: value for name, value in fields.items() if value is not None}
        headers = {name: fields.pop(name) for name in ["kid"] if name in fields}
        # PyJWT refuses an `iat` that is no number, so the text goes by way of its lower layer.
        return jwt.api_jws.encode(
            json.dumps(fields).encode(), key or open(self.key).read(), algorithm=algorithm, headers=headers
        )


def payload(size=None):
    """The body of an update, padded to a size if one is given."""
    now = int(time.time())
    aps = {"timestamp": now, "event": "update", "content-state": {"eta": 7}, "stale-date": now + 180}
    text = json.dumps({"aps": aps})
    if size is not None:
        text = json.dumps({"aps": aps, "x": "y" * (size - len(json.dumps({"aps": aps, "x": ""})))})
        assert len(text) == size
    return text.encode()


def headers(token, **changes):
    """The headers of a good update; None leaves one out."""
    good = {
        "authorization": f"bearer {token}",
        "apns-push-type": "liveactivity",
        "apns-topic": TOPIC,
        "apns-priority": "10",
        "apns-expiration": str(int(time.time()) + 600),
    } | {name.replace("_", "-"): value for name, value in changes.items()}
    return {name: value for name, value in good.items() if value is not None}


def other_key():
    """A provider key that APNs has never seen."""
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def answer(status, body):
    """Status and reason."""
    if not body:
        return (status, "")
    try:
        return (status, json.loads(body).get("reason", ""))
    except ValueError:
        return (status, "no JSON")


def cases(server):
    """Every case: its name, method, path, headers, body and the answer; those with another provider token are marked."""
    token = server.token()
    device = f"/3/device/{TOKEN}"
    good = headers(token)
    now = int(time.time())

    def with_headers(**changes):
        return headers(token, **changes)

    def with_token(text):
        return headers(text)

    yield "update", "POST", device, good, payload(), (200, "")
    yield "update of exactly 4096 bytes", "POST", device, good, payload(4096), (200, "")
    yield "device token in upper case", "POST", f"/3/device/{'AB' * 80}", good, payload(), (200, "")
    yield "device token of 32 bytes", "POST", f"/3/device/{'ab' * 32}", good, payload(), (200, "")
    yield "priority 5", "POST", device, with_headers(apns_priority="5"), payload(), (200, "")
    yield "no priority", "POST", device, with_headers(apns_priority=None), payload(), (200, "")
    yield "expiration 0", "POST", device, with_headers(apns_expiration="0"), payload(), (200, "")
    yield "collapse id of 64 bytes", "POST", device, with_headers(apns_collapse_id="c" * 64), payload(), (200, "")
    yield "unknown headers", "POST", device, with_headers(x_trace="1", content_type="text/plain"), payload(), (200, "")
    yield "iat as a float", "POST", device, with_token(server.token(iat=time.time())), payload(), (200, "")
    yield "iat 59 minutes ago", "POST", device, with_token(server.token(iat=now - 59 * 60)), payload(), (200, "")

    yield "no provider token", "POST", device, with_headers(authorization=None), payload(), (403, "MissingProviderToken")
    yield "provider token that is none", "POST", device, with_token("gibberish"), payload(), (403, "InvalidProviderToken")
    expired = server.token(iat=now - 3700)
    yield "iat an hour and more ago", "POST", device, with_token(expired), payload(), (403, "ExpiredProviderToken")
    forged = server.token(key=other_key())
    yield "signed by another key", "POST", device, with_token(forged), payload(), (403, "InvalidProviderToken")
    tampered = token[:-6] + ("AAAAAA" if token[-6:] != "AAAAAA" else "BBBBBB")
    yield "signature tampered with", "POST", device, with_token(tampered), payload(), (403, "InvalidProviderToken")
    wrong_key = server.token(kid="ZZZZZZZZZZ")
    yield "unknown kid", "POST", device, with_token(wrong_key), payload(), (403, "InvalidProviderToken")
    wrong_team = server.token(iss="ZZZZZZZZZZ")
    yield "unknown team", "POST", device, with_token(wrong_team), payload(), (403, "InvalidProviderToken")
    without = server.token(kid=None)
    yield "no kid", "POST", device, with_token(without), payload(), (403, "InvalidProviderToken")
    textual = server.token(iat=str(now))
    yield "iat as a text", "POST", device, with_token(textual), payload(), (403, "InvalidProviderToken")
    yield "no iat", "POST", device, with_token(server.token(iat=None)), payload(), (403, "InvalidProviderToken")
    symmetric = server.token(key="secret-of-at-least-thirty-two-bytes", algorithm="HS256")
    yield "HS256", "POST", device, with_token(symmetric), payload(), (403, "InvalidProviderToken")

    yield "payload of 4097 bytes", "POST", device, good, payload(4097), (413, "PayloadTooLarge")
    yield "payload of 100 kB", "POST", device, good, payload(100_000), (413, "PayloadTooLarge")
    yield "no payload", "POST", device, good, b"", (400, "PayloadEmpty")
    yield "device token not hexadecimal", "POST", "/3/device/" + "xy" * 32, good, payload(), (400, "BadDeviceToken")
    yield "device token of odd length", "POST", "/3/device/abc", good, payload(), (400, "BadDeviceToken")
    yield "no device token", "POST", "/3/device/", good, payload(), (400, "MissingDeviceToken")
    yield "unknown path", "POST", "/3/gadget/abcd", good, payload(), (404, "BadPath")
    yield "root", "POST", "/", good, payload(), (404, "BadPath")
    yield "GET", "GET", device, good, b"", (405, "MethodNotAllowed")
    yield "PUT", "PUT", device, good, payload(), (405, "MethodNotAllowed")
    yield "DELETE", "DELETE", device, good, b"", (405, "MethodNotAllowed")
    yield "no topic", "POST", device, with_headers(apns_topic=None), payload(), (400, "MissingTopic")
    strange = with_headers(apns_topic="com.example/rider")
    yield "topic of strange letters", "POST", device, strange, payload(), (400, "BadTopic")
    other = with_headers(apns_topic="com.example.other.push-type.liveactivity")
    yield "topic of another app", "POST", device, other, payload(), (400, "TopicDisallowed")
    bare = with_headers(apns_topic="com.example.rider")
    yield "topic without its suffix", "POST", device, bare, payload(), (400, "TopicDisallowed")
    yield "unknown push type", "POST", device, with_headers(apns_push_type="poem"), payload(), (400, "InvalidPushType")
    yield "no push type", "POST", device, with_headers(apns_push_type=None), payload(), (400, "InvalidPushType")
    yield "priority 7", "POST", device, with_headers(apns_priority="7"), payload(), (400, "BadPriority")
    yield "priority in words", "POST", device, with_headers(apns_priority="high"), payload(), (400, "BadPriority")
    yield "priority 1", "POST", device, with_headers(apns_priority="1"), payload(), (400, "BadPriority")
    soon = with_headers(apns_expiration="soon")
    yield "expiration in words", "POST", device, soon, payload(), (400, "BadExpirationDate")
    yield "apns-id that is none", "POST", device, with_headers(apns_id="17"), payload(), (400, "BadMessageId")
    upper = with_headers(apns_id=str(uuid.uuid4()).upper().replace("0", "A"))
    yield "apns-id in upper case", "POST", device, upper, payload(), (400, "BadMessageId")
    long = with_headers(apns_collapse_id="c" * 65)
    yield "collapse id of 65 bytes", "POST", device, long, payload(), (400, "BadCollapseId")


def verify_httpx(server, verdicts):
    """httpx: ALPN and `:authority`; each case on a connection of its own, as a provider token belongs to one."""
    trust = ssl.create_default_context(cafile=server.ca)
    for case, method, path, head, body, expected in cases(server):
        with httpx.Client(http2=True, http1=False, verify=trust, base_url=server.origin, timeout=10) as client:
            wanted = head.get("apns-id") or str(uuid.uuid4())
            try:
                response = client.request(method, path, headers={"apns-id": wanted} | head, content=body)
            except httpx.HTTPError as error:
                verdicts.check("httpx", case, expected, type(error).__name__)
                continue
            got = answer(response.status_code, response.text)
            verdicts.check("httpx", case, expected, got)
            if expected[0] == 200:
                verdicts.check("httpx", case + ": apns-id comes back", wanted, response.headers.get("apns-id"))
            if expected[0] == 413 and response.http_version != "HTTP/2":
                verdicts.check("httpx", case + ": HTTP/2", "HTTP/2", response.http_version)
    with httpx.Client(http2=True, http1=False, verify=trust, base_url=server.origin, timeout=20) as client:
        head = headers(server.token())
        statuses = [client.post(f"/3/device/{TOKEN}", headers=head, content=payload()).status_code for _ in range(50)]
        verdicts.check("httpx", "50 updates on one connection", {200}, set(statuses))
        twice = list(head.items()) + [("apns-topic", TOPIC)]
        response = client.post(f"/3/device/{TOKEN}", headers=twice, content=payload())
        verdicts.check("httpx", "a header twice", (400, "DuplicateHeaders"), answer(response.status_code, response.text))
        made = client.post(f"/3/device/{TOKEN}", headers=head, content=payload()).headers.get("apns-id", "")
        verdicts.check("httpx", "apns-id is made where none was sent", made,
                       str(uuid.UUID(made)).upper() if made else "a UUID in uppercase")
        ages = [0, 60, 120]
        got = [
            answer(r.status_code, r.text)
            for r in (
                client.post(f"/3/device/{TOKEN}", headers=headers(server.token(iat=int(time.time()) - age - 1)),
                            content=payload())
                for age in ages
            )
        ]
        verdicts.check("httpx", "a third provider token in 20 minutes", (429, "TooManyProviderTokenUpdates"), got[-1])


def verify_aioapns(server, verdicts):
    """aioapns: no ALPN, `host` for `:authority`, many streams at once, answers told apart by apns-id."""
    import aioapns
    import aioapns.connection as connection

    logging.getLogger("aioapns").setLevel(logging.CRITICAL)
    connection.APNsProductionClientProtocol.APNS_SERVER = "localhost"
    connection.APNsTLSClientProtocol.APNS_PORT = server.port

    async def run():
        client = aioapns.APNs(
            key=open(server.key).read(), key_id=server.kid, team_id=server.team, topic=TOPIC, max_connections=2,
            ssl_context=ssl.create_default_context(cafile=server.ca),
        )

        def request(token=TOKEN, **changes):
            fields = {"message": json.loads(payload()), "push_type": aioapns.PushType.LIVEACTIVITY} | changes
            return aioapns.NotificationRequest(device_token=token, **fields)

        async def send(one):
            result = await asyncio.wait_for(client.send_notification(one), 30)
            return (int(result.status), result.description or "")

        many = [asyncio.create_task(send(request())) for _ in range(200)]
        got = [await task for task in many]
        verdicts.check("aioapns", "200 updates at once", {(200, "")}, set(got))
        large = {"aps": json.loads(payload())["aps"], "x": "y" * 5000}
        for case, one, expected in [
            ("priority 5", request(priority=5), (200, "")),
            ("a collapse key", request(collapse_key="ride"), (200, "")),
            ("device token not hexadecimal", request("xy" * 32), (400, "BadDeviceToken")),
            ("payload too large", request(message=large), (413, "PayloadTooLarge")),
            ("topic of another app", request(apns_topic="com.example.other.push-type.liveactivity"),
             (400, "TopicDisallowed")),
            ("collapse key too long", request(collapse_key="c" * 65), (400, "BadCollapseId")),
            ("an alert to the topic of Live Activities", request(push_type=aioapns.PushType.ALERT),
             (400, "TopicDisallowed")),
        ]:
            try:
                verdicts.check("aioapns", case, expected, await send(one))
            except (Exception, asyncio.TimeoutError) as error:
                verdicts.check("aioapns", case, expected, type(error).__name__)
        client.pool.close()

    asyncio.run(run())


def verify_pyapns_client(server, verdicts):
    """pyapns-client: a new connection for each request, `iat` with decimals, priority as a text."""
    import pyapns_client

    pyapns_client.APNSClient.BASE_URLS = {"prod": server.origin}

    def outcome(token, key_id=server.kid, topic=TOPIC, size=0):
        client = pyapns_client.APNSClient(
            mode="prod", root_cert_path=server.ca, auth_key_path=server.key, auth_key_id=key_id, team_id=server.team
        )
        body = pyapns_client.IOSPayload(custom=json.loads(payload()) | {"x": "y" * size})
        push = pyapns_client.IOSNotification(payload=body, topic=topic, priority="10", push_type="liveactivity")
        try:
            client.push(notification=push, device_token=token)
            return "200"
        except Exception as error:
            return type(error).__name__
        finally:
            client.close()

    for case, expected, arguments in [
        ("update", "200", [TOKEN]),
        ("20 updates on 20 connections", "200", None),
        ("device token not hexadecimal", "BadDeviceTokenException", ["xy" * 32]),
        ("unknown kid", "InvalidProviderTokenException", [TOKEN, "ZZZZZZZZZZ"]),
        ("topic of another app", "TopicDisallowedException", [TOKEN, server.kid, "com.example.o.push-type.liveactivity"]),
        ("payload too large", "PayloadTooLargeException", [TOKEN, server.kid, TOPIC, 5000]),
    ]:
        if arguments is None:
            got = ",".join(sorted({outcome(TOKEN) for _ in range(20)}))
        else:
            got = outcome(*arguments)
        verdicts.check("pyapns-client", case, expected, got)


def verify_curl(server, verdicts):
    """curl: nghttp2's framing, and what a shell script sends."""
    if not shutil.which("curl") or "HTTP2" not in subprocess.check_output(["curl", "--version"], text=True):
        print("curl           skipped: there is none that speaks HTTP/2")
        return

    def curl(arguments):
        return subprocess.run(["curl", "--silent", "--cacert", server.ca, "--max-time", "20"] + arguments,
                              capture_output=True, text=True)

    for case, method, path, head, body, expected in cases(server):
        # An empty header is sent only on request; none of these requests one.
        arguments = ["--http2", "--request", method, "--write-out", "\n%{http_code}", server.origin + path]
        for name, value in head.items():
            arguments += ["--header", f"{name}: {value}"]
        if body:
            with tempfile.NamedTemporaryFile() as file:
                file.write(body)
                file.flush()
                result = curl(arguments + ["--data-binary", "@" + file.name])
        else:
            result = curl(arguments)
        text, _, status = result.stdout.rpartition("\n")
        verdicts.check("curl", case, expected, answer(int(status or 0), text))
    old = curl(["--http1.1", "--request", "POST", f"{server.origin}/3/device/{TOKEN}", "--output", "/dev/null"])
    verdicts.check("curl", "HTTP/1.1 is refused", True, old.returncode != 0)
    weak = curl(["--http2", "--tls-max", "1.1", server.origin + "/"])
    verdicts.check("curl", "TLS 1.1 is refused", 35, weak.returncode)
    health = subprocess.run(["curl", "--silent", "--max-time", "20", f"http://127.0.0.1:{server.metrics_port}/metrics"],
                            capture_output=True, text=True).stdout
    verdicts.check("curl", "/metrics ends as OpenMetrics demands", "# EOF", health.rstrip().splitlines()[-1:][0]
                   if health.strip() else "")


def verify_h2load(server, verdicts, scratch):
    """h2load: a thousand streams over a few connections, good and bad."""
    if not shutil.which("h2load"):
        print("h2load         skipped: there is none (Debian: nghttp2-client)")
        return
    body = os.path.join(scratch, "body.json")
    open(body, "wb").write(payload())

    def load(case, head, path, requests, expected, streams=50):
        arguments = ["h2load", "-n", str(requests), "-c", "4", "-m", str(streams), "-d", body, server.origin + path]
        for name, value in head.items():
            arguments += ["-H", f"{name}: {value}"]
        output = subprocess.run(arguments, capture_output=True, text=True, timeout=120).stdout
        line = next((line for line in output.splitlines() if line.startswith("status codes:")), "")
        verdicts.check("h2load", case, expected, line.removeprefix("status codes: "))

    head = headers(server.token())
    path = f"/3/device/{TOKEN}"
    load("5,000 updates, 4 x 50 streams", head, path, 5000, "5000 2xx, 0 3xx, 0 4xx, 0 5xx")
    load("2,000 bad device tokens", head, "/3/device/xyz", 2000, "0 2xx, 0 3xx, 2000 4xx, 0 5xx")
    bad = head | {"authorization": "bearer gibberish"}
    # A connection without a valid token has one stream; h2load would open all streams before it knows, and lose them.
    load("200 bad provider tokens", bad, path, 200, "0 2xx, 0 3xx, 200 4xx, 0 5xx", streams=1)


def main():
    verdicts = Verdicts()
    with tempfile.TemporaryDirectory() as scratch:
        server = StandIn(sys.argv[1], scratch)
        try:
            verify_httpx(server, verdicts)
            verify_aioapns(server, verdicts)
            verify_pyapns_client(server, verdicts)
            verify_curl(server, verdicts)
            verify_h2load(server, verdicts, scratch)
            verdicts.check("stand-in", "is still there", None, server.process.poll())
        finally:
            server.stop()
    print(f"{verdicts.cases} cases, {verdicts.deviations} deviations")
    sys.exit(1 if verdicts.deviations else 0)


main()
