"""Records what instrumentations of Python's SDKs send for calls with a cached prompt, against a scripted server.

Usage: python record.py FOLDER LABEL INSTRUMENTATION, where the instrumentation is one of the functions below. Writes
FOLDER/LABEL-INSTRUMENTATION.bin, an export request in protobuf, compressed.
"""

import gzip
import json
import pathlib
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

folder, label, name = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
# A fifth of the prompt's 17,903 tokens would cost as much as all that were read from the cache.
openai_usage = {
    "prompt_tokens": 17903,
    "completion_tokens": 100,
    "total_tokens": 18003,
    "prompt_tokens_details": {"cached_tokens": 17817},
    "completion_tokens_details": {"reasoning_tokens": 64},
}
anthropic_usage = {
    "input_tokens": 86,
    "output_tokens": 100,
    "cache_read_input_tokens": 17817,
    "cache_creation_input_tokens": 0,
}
openai_answer = {
    "id": "chatcmpl-cached",
    "object": "chat.completion",
    "created": 1772443800,
    "model": "gpt-5-mini-2025-08-07",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Five euros"}, "finish_reason": "stop"}],
    "usage": openai_usage,
}
anthropic_answer = {
    "id": "msg_cached",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-4-5-20250929",
    "content": [{"type": "text", "text": "Five euros"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": anthropic_usage,
}


class Server(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/v1/traces":
            (folder / f"{label}-{name}.bin").write_bytes(body)
            print(name, len(body), len(gzip.decompress(body)))
            return self.answer(b"")
        self.answer(json.dumps(anthropic_answer if self.path.endswith("/messages") else openai_answer).encode())

    def answer(self, body):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
provider = TracerProvider(resource=Resource({"service.name": "teller"}))
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(url + "/v1/traces", compression=Compression.Gzip)))
trace.set_tracer_provider(provider)
question = "What does a transfer abroad cost?"


def call_openai():
    from openai import OpenAI

    client = OpenAI(base_url=url + "/v1", api_key="none")
    client.chat.completions.create(model="gpt-5-mini", messages=[{"role": "user", "content": question}])


def call_anthropic():
    from anthropic import Anthropic

    client = Anthropic(base_url=url, api_key="none")
    client.messages.create(
        model="claude-sonnet-4-5", max_tokens=100, messages=[{"role": "user", "content": question}]
    )


def openllmetry_openai():
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument()
    call_openai()


def openllmetry_anthropic():
    from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor

    AnthropicInstrumentor().instrument()
    call_anthropic()


def openinference_openai():
    from openinference.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument()
    call_openai()


def openinference_anthropic():
    from openinference.instrumentation.anthropic import AnthropicInstrumentor

    AnthropicInstrumentor().instrument()
    call_anthropic()


def run_agent(model):
    from pydantic_ai import Agent

    try:
        Agent.instrument_all()
    except AttributeError:
        pass
    Agent(model).run_sync(question)


def pydantic_ai_openai():
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    run_agent(OpenAIChatModel("gpt-5-mini", provider=OpenAIProvider(base_url=url + "/v1", api_key="none")))


globals()[name]()
provider.shutdown()
