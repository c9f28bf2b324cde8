"""HTTP/1.1 by hand: requests in, answers out byte by byte as a Plan says."""
import asyncio
import email.utils
import http
import json
import socket
import struct
import zlib

from dialects import dump
from faults import STOP
from journal import Told


class Ready:
    """Events made beforehand: their bytes, and the ids and text of choice 0 that they say."""

    def __init__(self, events):
        self.raw = b"".join(b"data: " + dump(event) + b"\n\n" for event in events)
        said = Told()
        for event in events:
            said.tell(event["choices"][0])
        self.ids, self.text = said.ids, said.text


class Left(Exception):
    """The other side has closed the connection, or is to believe that we have."""


class Connection:
    """One client's. `served`: requests read so far."""

    def __init__(self, reader, writer, number):
        self.reader, self.writer, self.number, self.served = reader, writer, number, 0
        raw = writer.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def read(self):
        """(method, path, headers, body) of the next request; Left where there is none."""
        try:
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ", 2)
            headers = {}
            for line in head[1:-2]:
                name, _, value = line.partition(":")
                headers[name.strip().lower()] = value.strip()
            if headers.get("expect", "").lower() == "100-continue":
                self.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            if headers.get("transfer-encoding", "").lower() == "chunked":
                body = await self._chunks()
            else:
                body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            raise Left() from None
        self.served += 1
        return method, path, headers, body

    async def _chunks(self):
        body = b""
        while True:
            size = int((await self.reader.readline()).split(b";")[0], 16)
            body += await self.reader.readexactly(size)
            await self.reader.readline()
            if size == 0:
                return body

    async def write(self, data, exchange):
        """These bytes alone, into the journal too."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except OSError:
            raise Left() from None
        if self.writer.is_closing():
            raise Left()
        exchange.sent_bytes += len(data)
        exchange.sent_hash.update(data)

    async def gone(self):
        """Until the other side has closed."""
        try:
            while await self.reader.read(65536):
                pass
        except OSError:
            pass

    def reset(self):
        raw = self.writer.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


class Body:
    """The bytes of one answer: compressed, split, framed and counted as the plan wants it."""

    def __init__(self, connection, exchange, plan, framing):
        self.connection, self.exchange, self.plan, self.framing = connection, exchange, plan, framing
        self.packer = zlib.compressobj(wbits=31) if plan.encoding == "gzip" else None

    async def head(self, status, headers, length=None):
        lines = [f"HTTP/1.1 {status} {_reason(status)}", "date: " + email.utils.formatdate(usegmt=True), "server: uvicorn"]
        lines += [f"{name}: {value}" for name, value in [*headers, *self.plan.headers]]
        if self.packer:
            lines.append("content-encoding: gzip")
        if self.framing == "length":
            lines.append(f"content-length: {length}")
        elif self.framing == "chunked":
            lines.append("transfer-encoding: chunked")
        else:
            lines.append("connection: close")
        self.exchange.status = status
        await self.connection.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"), self.exchange)

    def packed(self, data, mode=zlib.Z_SYNC_FLUSH):
        return self.packer.compress(data) + self.packer.flush(mode) if self.packer else data

    async def send(self, data):
        for part in self.plan.split(data) if self.plan.split else [data]:
            if part:
                await self.connection.write(b"%x\r\n%b\r\n" % (len(part), part) if self.framing == "chunked" else part, self.exchange)
                if self.plan.split:
                    await asyncio.sleep(self.plan.gap)

    async def end(self):
        if self.framing == "chunked":
            await self.connection.write(b"0\r\n\r\n", self.exchange)


def _reason(status):
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


async def whole(connection, exchange, plan, status, headers, content_type, data):
    """An answer of one body: an object, or its bytes. Returns how it ended."""
    pieces = [data]
    for change in plan.changes:
        pieces = [after for before in pieces for after in change(None, before)]
    data = pieces[0]
    body = Body(connection, exchange, plan, plan.framing or "length")
    packed = body.packed(dump(data), zlib.Z_FINISH)
    kind, after = plan.cut or (None, 0)
    await body.head(status, [*headers, ("content-type", plan.content_type or content_type)], len(packed))
    if kind == "headers":
        return "cut"
    if kind == "body" and after < len(packed):
        await body.send(packed[:after])
        return "cut"
    await body.send(packed)
    await body.end()
    exchange.tell(data)
    return "complete"


async def stream(connection, exchange, plan, events):
    """An answer of server-sent events: objects, or texts such as [DONE]. Returns how it ended."""
    body = Body(connection, exchange, plan, plan.framing or "chunked")
    body.framing = "chunked" if body.framing == "length" else body.framing     # its length isn't known before
    await body.head(200, [("cache-control", "no-cache"), ("content-type", plan.content_type or "text/event-stream; charset=utf-8")])
    kind, after = plan.cut or (None, 0)
    if kind == "headers":
        return "cut"
    number = 0
    async for data in _changed(plan, events):
        raw = _event(plan, number, data)
        if kind in ("event", "clean", "reset", "hang") and number == after:
            break
        if kind == "mid_event" and number == after:
            await body.send(body.packed(raw[:len(raw) // 2]))
            return "cut"
        if kind == "mid_utf8" and number >= after and any(byte >= 0xC0 for byte in raw):
            await body.send(body.packed(raw[:1 + next(place for place, byte in enumerate(raw) if byte >= 0xC0)]))
            return "cut"
        await body.send(body.packed(raw))
        exchange.tell(data)
        number += 1
    if kind in ("event", "reset", "hang"):
        return "cut" if kind == "event" else kind
    await body.send(body.packed(b"", zlib.Z_FINISH))
    await body.end()
    return "cut" if kind == "clean" else "complete"


async def _changed(plan, events):
    number = 0
    async for data in events:
        pieces = [data]
        for change in plan.changes:
            pieces = [after for before in pieces for after in ([before] if before is STOP else change(number, before))]
        number += 1
        for piece in pieces:
            if piece is STOP:
                return
            yield piece


def _event(plan, number, data):
    if isinstance(data, Ready):
        return data.raw
    text = data.encode() if isinstance(data, str) else dump(data)
    if plan.multi_line and not isinstance(data, str):
        text = json.dumps(data, ensure_ascii=False, indent=1).encode()
    lines = b"".join(plan.lead + line + plan.newline for line in text.split(b"\n"))
    return (plan.garnish(number) if plan.garnish else b"") + lines + plan.newline
