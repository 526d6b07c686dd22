"""Decides which network addresses a URL in a text may contact.

`conversations.Directory` checks every address with these rules before a connection is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

# Blocks that `ipaddress` does not mark as special: IETF protocol assignments, 6to4 relays, AS112,
# the public address of Azure's metadata and DNS service, Teredo, ORCHID and similar uses, 6to4, and
# documentation.
_REFUSED = (
    "192.0.0.0/24", "192.31.196.0/24", "192.88.99.0/24", "168.63.129.16/32",
    "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)  # fmt: skip
_GLOBAL_V6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")


@lru_cache(maxsize=4096)
def refusal(address: str) -> str:
    """Returns the reason why an IP address must not be contacted. Returns an empty string for an
    address on the public Internet."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return "not an IP address"
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped or (IPv4Address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else ip)
    if ip.is_loopback:
        return "loopback address"
    if ip.is_link_local:
        return "link-local address"
    if ip.is_multicast:
        return "multicast address"
    if any(ip in ip_network(block) for block in _REFUSED):
        return "reserved address"
    if isinstance(ip, IPv6Address):
        return "" if ip in _GLOBAL_V6 else "private address"
    return "" if ip.is_global and not ip.is_reserved else "private address"


@lru_cache(maxsize=4096)
def host_and_port(entry: str) -> tuple[str, int | None]:
    """Returns the host and the port of an entry `host`, `host:port`, `[::1]:port` or `::1`. The
    port is None if the entry has none."""
    entry = entry.strip().lower()
    if entry.startswith("["):
        host, _, rest = entry[1:].partition("]")
        port = rest.removeprefix(":")
    elif entry.count(":") == 1:
        host, _, port = entry.partition(":")
    else:
        host, port = entry, ""
    return host.rstrip("."), int(port) if port.isdigit() else None


def names_host(host: str, port: int, entries: Iterable[str]) -> bool:
    """Returns whether one of the entries names exactly this host, with the same port or without a
    port."""
    wanted = {(host, None), (host, port)}
    return any(host_and_port(entry) in wanted for entry in entries)


def find_domain(host: str, hosts: Iterable[str]) -> str:
    """Returns the name in `hosts` that is `host` or a parent domain of `host`: "example.org" for
    "docs.example.org". Returns an empty string if there is none."""
    known = hosts if isinstance(hosts, frozenset | set) else frozenset(hosts)
    while host:
        if host in known:
            return host
        host = host.partition(".")[2]
    return ""


# RFC 2606 reserves this name. A resolver that does not know this name has no access to the
# Internet.
CANARY = "example.com"

Resolver = Callable[[str, int], Sequence[str]]


def look_up(host: str, port: int) -> list[str]:
    """Returns the IP addresses of a host name. Raises socket.gaierror if the lookup fails."""
    # Imported late for a fast start: only online runs resolve names.
    import socket

    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
