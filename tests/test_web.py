from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from servers import TLS_CERTIFICATE, Server, liar, to

from grounded_ingest.config.settings import Network
from grounded_ingest.net import conversations as dial
from grounded_ingest.net.addresses import find_domain, host_and_port, names_host, refusal
from grounded_ingest.net.client import Web
from grounded_ingest.net.messages import Ask, Failure, Response, Talk

LOCAL = ("127.0.0.1", "localhost")


def say(ask: Ask) -> Talk[Response]:
    return (yield ask)


def converse(web: Web, *asks: Ask) -> list[Response]:
    return list(web.converse({str(n): say(ask) for n, ask in enumerate(asks)}).values())


def get(url: str, web: Web | None = None, method: str = "GET", **more: Any) -> Response:
    web = web or Web(Network(timeout=3.0, allow=LOCAL), 5.0)
    return converse(web, Ask(method, url, **more))[0]


@pytest.fixture
def site() -> Iterator[Server]:
    with Server(liar) as server:
        yield server


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("93.184.216.34", ""),
        ("2606:4700::1111", ""),
        ("64:ff9b::5db8:d822", ""),
        ("::ffff:93.184.216.34", ""),
        ("127.0.0.1", "loopback"),
        ("127.9.9.9", "loopback"),
        ("::1", "loopback"),
        ("10.1.2.3", "private"),
        ("172.16.0.1", "private"),
        ("192.168.1.1", "private"),
        ("100.64.0.1", "private"),
        ("100.100.100.200", "private"),
        ("0.0.0.0", "private"),
        ("169.254.169.254", "link-local"),
        ("168.63.129.16", "reserved"),
        ("192.0.0.192", "reserved"),
        ("198.18.0.1", "private"),
        ("203.0.113.9", "private"),
        ("224.0.0.1", "multicast"),
        ("240.0.0.1", "private"),
        ("255.255.255.255", "private"),
        ("::", "private"),
        ("fe80::1%eth0", "link-local"),
        ("fc00::1", "private"),
        ("fd00:ec2::254", "private"),
        ("fec0::1", "private"),
        ("ff02::1", "multicast"),
        ("::ffff:127.0.0.1", "loopback"),
        ("::ffff:a9fe:a9fe", "link-local"),
        ("::7f00:1", "private"),
        ("64:ff9b::7f00:1", "loopback"),
        ("64:ff9b::a00:1", "private"),
        ("64:ff9b:1::a00:1", "private"),
        ("2002:7f00:1::", "reserved"),
        ("2001:0:1::1", "reserved"),
        ("2001:db8::1", "reserved"),
        ("localhost", "not an IP address"),
    ],
)
def test_addresses_that_are_not_asked(address: str, why: str) -> None:
    assert refusal(address).startswith(why)
    assert bool(refusal(address)) == bool(why)


@pytest.mark.parametrize(
    ("entry", "parts"),
    [
        ("Example.com", ("example.com", None)),
        ("example.com.:8080", ("example.com", 8080)),
        ("[::1]:80", ("::1", 80)),
        ("::1", ("::1", None)),
        ("[::1]", ("::1", None)),
    ],
)
def test_entries_name_hosts_with_or_without_a_port(
    entry: str, parts: tuple[str, int | None]
) -> None:
    assert host_and_port(entry) == parts
    assert names_host(parts[0], parts[1] or 443, [entry])
    assert names_host(parts[0], 7, [entry]) is (parts[1] is None)


@pytest.mark.parametrize(
    ("host", "found"),
    [("a.b.test", "b.test"), ("b.test", "b.test"), ("ab.test", ""), ("b.test.evil.test", "")],
)
def test_a_domain_stands_for_hosts_below_it_only(host: str, found: str) -> None:
    assert find_domain(host, ("b.test",)) == found


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/ok", 200),
        ("/status/403", 403),
        ("/status/410", 410),
        ("/status/500", 500),
        ("/no-location", 302),
        ("/hops/10", 200),
        ("/hops/11", Failure.REDIRECTS),
        ("/loop", Failure.REDIRECTS),
        ("/silent", Failure.TIMEOUT),
        ("/drip", Failure.TIMEOUT),
        ("/endless", 200),
        ("/reset", Failure.UNREACHABLE),
        ("/nonsense", Failure.UNREACHABLE),
        (to("ftp://127.0.0.1/x"), Failure.INVALID),
        (to("http://u:p@127.0.0.1/x"), Failure.INVALID),
        (to("http://[::1/x"), Failure.INVALID),
        (to("file:///etc/passwd"), Failure.INVALID),
        (to("http://10.0.0.1/"), Failure.REFUSED_ADDRESS),
        (to("http://169.254.169.254/latest/meta-data/"), Failure.REFUSED_ADDRESS),
        (to("http://[::ffff:7f00:1]/"), Failure.REFUSED_ADDRESS),
        (to("http://2130706433/"), Failure.REFUSED_ADDRESS),
        (to("http://0x7f.1/"), Failure.REFUSED_ADDRESS),
        (to("http://denied.test/"), Failure.DENIED),
        (to("http://below.denied.test/"), Failure.DENIED),
    ],
)
def test_what_a_server_does_becomes_an_answer(
    site: Server, path: str, expected: int | Failure
) -> None:
    timeout = 0.3 if expected is Failure.TIMEOUT else 3.0
    web = Web(Network(timeout=timeout, allow=LOCAL, deny=("denied.test",)), 5.0)
    started = time.monotonic()
    answer = get(site.url + path, web)
    assert (answer.failure or answer.status) == expected
    assert time.monotonic() - started < 4.0


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/x",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "http://[::1",
        "http://user:secret@127.0.0.1/",
        "http://a..b/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:0/",
        "http://\udc80/",
        "no URL at all",
        "",
    ],
)
def test_what_is_no_web_address_is_not_asked(url: str) -> None:
    assert get(url).failure is Failure.INVALID


def test_redirects_are_counted(site: Server) -> None:
    get(site.url + "/loop")
    assert len(site.seen) == 11


def test_a_redirect_to_a_port_that_is_not_allowed_reaches_nobody(site: Server) -> None:
    with Server(liar) as inner:
        for target in (inner.url, f"http://localhost:{inner.port}"):
            web = Web(Network(allow=(site.host,)), 5.0)
            answer = get(site.url + to(target + "/ok"), web)
            assert answer.failure is Failure.REFUSED_ADDRESS
        assert inner.seen == []


def test_connection_refused_is_no_connection() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        answer = get(f"http://127.0.0.1:{taken.getsockname()[1]}/")
    assert answer.failure is Failure.UNREACHABLE


def refusing(*private: str) -> Callable[[str], str]:
    return lambda address: "private address" if address in private else ""


def test_the_connection_is_made_to_the_address_that_was_checked(
    site: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is public when it is checked and private ever after."""
    monkeypatch.setattr(dial, "refusal", refusing("127.0.0.2"))
    lookups: list[str] = []

    def rebinding(host: str, port: int) -> list[str]:
        lookups.append(host)
        return ["127.0.0.1" if len(lookups) == 1 else "127.0.0.2"]

    url = f"http://rebind.test:{site.port}"
    web = Web(Network(), 5.0, rebinding)
    assert get(f"{url}/ok", web).status == 200
    assert lookups == ["rebind.test"]
    assert site.seen[0].headers["host"] == f"rebind.test:{site.port}"
    assert get(f"{url}/ok", web).failure is Failure.REFUSED_ADDRESS
    assert len(site.seen) == 1


def test_one_private_address_among_public_ones_is_enough_to_refuse(
    site: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dial, "refusal", refusing("127.0.0.2"))
    web = Web(Network(), 5.0, lambda *_: ["127.0.0.1", "127.0.0.2"])
    assert get(f"http://mixed.test:{site.port}/ok", web).failure is Failure.REFUSED_ADDRESS
    assert site.seen == []


def test_the_next_address_is_tried_when_one_is_dead(site: Server) -> None:
    web = Web(Network(timeout=2.0, allow=("two.test",)), 5.0, lambda *_: ["::1", "127.0.0.1"])
    assert get(f"http://two.test:{site.port}/ok", web).status == 200


def denying(errno: int, known: tuple[str, ...]) -> dial.Resolver:
    def resolver(host: str, port: int) -> list[str]:
        if host in known:
            return ["127.0.0.1"]
        raise socket.gaierror(errno, "no")

    return resolver


@pytest.mark.parametrize(
    ("errno", "known", "failure"),
    [
        (socket.EAI_NONAME, (dial.CANARY,), Failure.NO_SUCH_NAME),
        (socket.EAI_NONAME, (), Failure.NO_LOOKUP),
        (socket.EAI_AGAIN, (dial.CANARY,), Failure.NO_LOOKUP),
        (socket.EAI_FAIL, (dial.CANARY,), Failure.NO_LOOKUP),
    ],
)
def test_no_such_name_is_told_from_no_answer(
    errno: int, known: tuple[str, ...], failure: Failure
) -> None:
    web = Web(Network(), 5.0, denying(errno, known))
    assert get("http://nowhere.test/", web).failure is failure


@pytest.mark.parametrize("network", [False, True])
def test_without_a_network_few_requests_are_sent(site: Server, network: bool) -> None:
    """181 URLs waited for 181 timeouts. One host that answers shows that others are only down."""
    web = Web(Network(allow=("up.test",)), 5.0, denying(socket.EAI_AGAIN, ("up.test",)))
    asks = [Ask("GET", f"http://{n % 4}.test/{n}") for n in range(100)]
    first = [Ask("GET", f"http://up.test:{site.port}/ok")] if network else []
    failures = [answer.failure for answer in converse(web, *first, *asks)[len(first) :]]
    assert (failures.count(Failure.NO_NETWORK) > 50) is not network
    assert {*failures} <= {Failure.NO_LOOKUP, Failure.NO_NETWORK}


def test_tls_failures_are_named(site: Server, tmp_path: Any) -> None:
    with Server(liar, tmp_path) as secure:
        assert get(f"https://{secure.host}/ok").failure is Failure.TLS
    assert get(f"https://{site.host}/ok").failure is Failure.TLS


@pytest.mark.parametrize(("host", "expected"), [("pinned.test", 200), ("other.test", Failure.TLS)])
def test_tls_verifies_the_name_not_the_address(
    host: str, expected: int | Failure, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted = tmp_path / "trusted.pem"
    trusted.write_text(TLS_CERTIFICATE)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    web = Web(Network(timeout=2.0, allow=(host,)), 5.0, lambda *_: ["127.0.0.1"])
    with Server(liar, tmp_path) as secure:
        answer = get(f"https://{host}:{secure.port}/ok", web)
    assert (answer.failure or answer.status) == expected


def test_a_secret_stays_with_its_origin(site: Server) -> None:
    with Server(liar) as other:
        get(site.url + to(f"{site.url}/ok"), secret="s3cret")
        get(site.url + to(f"{other.url}{to(site.url + '/status/200')}"), secret="s3cret")
    sent = [seen.headers.get("authorization") for seen in (*site.seen, *other.seen)]
    assert sent == ["Bearer s3cret"] * 3 + [None, None]


def test_a_secret_is_not_sent_in_the_clear(site: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dial, "refusal", refusing())
    web = Web(Network(), 5.0, lambda *_: ["127.0.0.1"])
    assert get(f"http://public.test:{site.port}/ok", web, secret="s3cret").status == 200
    assert "authorization" not in site.seen[0].headers


def test_secrets_are_not_shown() -> None:
    assert "s3cret" not in repr(Ask("GET", "https://api.test/", secret="s3cret"))


def test_environment_and_cookies_are_left_alone(
    site: Server, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password s3cret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    web = Web(Network(allow=LOCAL), 5.0)
    assert [get(site.url + "/ok", web).status for _ in range(2)] == [200, 200]
    for seen in site.seen:
        assert not {"cookie", "authorization"} & set(seen.headers)
        assert seen.headers["user-agent"]


def test_bodies_are_bounded_and_read_only_when_wanted(site: Server) -> None:
    assert get(site.url + "/ok").body == b""
    assert get(site.url + "/ok", limit=100).body == b"fine"
    assert len(get(site.url + "/endless", limit=100_000).body) == 100_000


def test_equal_questions_are_asked_once(site: Server) -> None:
    ask = Ask("GET", site.url + "/ok", limit=10)
    answers = converse(Web(Network(allow=LOCAL), 5.0), ask, ask, ask)
    assert [a.body for a in answers] == [b"fine"] * 3
    assert len(site.seen) == 1


@pytest.mark.parametrize("limit", [1, 3])
def test_a_host_is_asked_by_no_more_than_per_host_at_once(site: Server, limit: int) -> None:
    web = Web(Network(allow=LOCAL, per_host=limit), 5.0)
    answers = converse(web, *(Ask("GET", f"{site.url}/slow?{n}") for n in range(6)))
    assert {a.status for a in answers} == {404}
    answers = converse(web, *(Ask("HEAD", f"{site.url}/slow") for n in range(6)))
    assert {a.status for a in answers} == {200}
    assert site.busiest == limit


@pytest.mark.parametrize(
    ("path", "budget", "expected", "asked"),
    [
        ("/wait/1", 5.0, 200, 2),
        ("/always-wait/0", 5.0, 429, 2),
        ("/always-wait/3600", 5.0, 429, 1),
        ("/always-wait/Fri, 31 Dec 2100 23:59:59 GMT", 5.0, 429, 1),
        ("/always-wait/soon", 5.0, 429, 1),
    ],
)
def test_retry_after_is_honoured_where_it_fits_the_budget(
    site: Server, path: str, budget: float, expected: int, asked: int
) -> None:
    web = Web(Network(allow=LOCAL), budget)
    started = time.monotonic()
    assert get(site.url + path.replace(" ", "%20"), web).status == expected
    assert len(site.seen) == asked
    assert time.monotonic() - started >= (1.0 if path == "/wait/1" else 0.0)


def test_a_host_that_asks_to_wait_too_long_is_left_alone(site: Server) -> None:
    web = Web(Network(allow=LOCAL, per_host=1), 5.0)
    asks = [Ask("GET", f"{site.url}/always-wait/3600"), Ask("GET", f"{site.url}/ok")]
    assert [a.failure for a in converse(web, *asks)] == [None, Failure.ASKED_TO_WAIT]
    assert len(site.seen) == 1


@pytest.mark.parametrize("path", ["/silent", "/drip", "/slow"])
def test_the_budget_ends_everything(site: Server, path: str) -> None:
    web = Web(Network(timeout=5.0, allow=LOCAL), 0.35)
    started = time.monotonic()
    answers = converse(web, *(Ask("HEAD", f"{site.url}{path}") for _ in range(40)))
    assert time.monotonic() - started < 3.0
    assert answers[-1].failure is Failure.BUDGET
    asked = len(site.seen)
    assert get(site.url + "/ok", web).failure is Failure.BUDGET
    assert len(site.seen) == asked


def test_no_budget_asks_nobody(site: Server) -> None:
    assert get(site.url, Web(Network(allow=LOCAL), 0.0)).failure is Failure.BUDGET
    assert site.seen == []


def test_a_coroutine_may_call_it(site: Server) -> None:
    async def caller() -> Response:
        return get(site.url + "/ok")

    assert asyncio.run(caller()).status == 200


_SCRIPT = """
import sys, time
from grounded_ingest.config.settings import Network
from grounded_ingest.net.messages import Ask
from grounded_ingest.net.client import Web
def say():
    return (yield Ask("GET", sys.argv[1]))
def hang(host, port):
    time.sleep(60)
network = Network(timeout=30, allow=("127.0.0.1",))
web = Web(network, float(sys.argv[2]), *([hang] * int(sys.argv[3])))
print("go", flush=True)
print(web.converse({"x": say()})["x"].failure)
"""


def start(*args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _SCRIPT, *args]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.parametrize(("path", "hang"), [("/drip", "0"), ("/silent", "0"), ("/ok", "1")])
def test_nothing_keeps_the_process_alive_beyond_the_budget(
    site: Server, path: str, hang: str
) -> None:
    with start(f"{site.url}{path}", "0.5", hang) as process:
        out, err = process.communicate(timeout=20)
    assert (out, err) == ("go\nthe time limit for network requests has passed\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to a child there")
@pytest.mark.parametrize("hang", ["0", "1"])
def test_ctrl_c_works(site: Server, hang: str) -> None:
    with start(f"{site.url}/silent", "60", hang) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert err.strip().endswith("KeyboardInterrupt")
