"""The connection to the gRPC port: TLS, the API key, retries, load balancing and keepalive."""

import json
import os

import grpc

# Retries reads and writes, because each write has an idempotency key. A delay from the server
# (grpc-retry-pushback-ms, sent with RetryInfo) replaces the backoff.
SERVICE_CONFIG = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [
        {
            "name": [{}],
            "timeout": "20s",
            "retryPolicy": {
                "maxAttempts": 5,
                "initialBackoff": "0.2s",
                "maxBackoff": "5s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE", "RESOURCE_EXHAUSTED"],
            },
        },
        {"name": [{"service": "ems.notifications.v1.EventService", "method": "Watch"}]},
    ],
}

OPTIONS = [
    ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
    # Detects a server that vanished.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
]


def connect() -> grpc.Channel:
    """One connection for the process, to every address behind the name: EMS_GRPC is host:port, or dns:///name:port."""
    address = os.environ["EMS_GRPC"]
    ca_file = os.environ.get("EMS_CA_FILE")
    if ca_file or os.environ.get("EMS_TLS"):
        roots = open(ca_file, "rb").read() if ca_file else None
        channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(roots), OPTIONS)
    else:
        channel = grpc.insecure_channel(address, OPTIONS)
    return grpc.intercept_channel(channel, ApiKey(os.environ["EMS_API_KEY"]))


class ApiKey(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor):
    """Sends the key with every call. An interceptor, since grpcio gives call credentials to TLS only."""

    def __init__(self, key: str):
        self._metadata = ("authorization", f"Bearer {key}")

    def intercept_unary_unary(self, continuation, details, request):
        return continuation(self._with_key(details), request)

    def intercept_unary_stream(self, continuation, details, request):
        return continuation(self._with_key(details), request)

    def _with_key(self, details):
        return details._replace(metadata=[*(details.metadata or []), self._metadata])
