"""A receiver of webhooks in Python (3.9 or later), without a package: it verifies each delivery and prints the event's type."""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
PORT = int(os.environ.get("PORT", "8080"))
TOLERANCE_SECONDS = 300
BODY_BYTES_MAX = 2**20


def is_signed(headers, body: bytes) -> bool:
    """Whether the product sent `body`, the raw bytes, not long ago."""
    delivery, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    digest = hmac.new(KEY, f"{delivery}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # After a rotation, there are two signatures, separated by a space.
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(one, expected) for one in signatures)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen: set[str] = set()

    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        body = self.rfile.read(min(length, BODY_BYTES_MAX))
        if not is_signed(self.headers, body):
            return self.answer(401)
        # Delivery is at least once: store ids with the effect for 14 days.
        if self.headers["webhook-id"] not in self.seen:
            self.seen.add(self.headers["webhook-id"])
            print(json.loads(body).get("type", "a prompt"), flush=True)
        # Respond immediately and work later: the product waits 15 seconds.
        self.answer(204)

    def answer(self, status: int):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"Listening on http://127.0.0.1:{PORT}", flush=True)
server.serve_forever()
