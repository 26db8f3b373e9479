"""An application that sends its traces with OpenTelemetry's own SDK: one question, one retrieval, one call of a model.

OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS say where to.
"""

import json
import os

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider(resource=Resource.create({"service.name": "bank-assistant"}))
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
tracer = trace.get_tracer("bank-assistant")


def messages(role: str, content: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": content}]}])


with tracer.start_as_current_span("answer") as root:
    # The prompt's testId, if it came from a test; this trace is then its answer.
    if test_id := os.environ.get("TEST_ID"):
        root.set_attribute("ems.test.id", test_id)
    root.set_attributes({"session.id": "session-1", "user.id": "customer-7"})
    with tracer.start_as_current_span("retrieval") as span:
        span.set_attributes({"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": "cost of an account"})
    with tracer.start_as_current_span("chat example-model") as span:
        span.set_attributes(
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.request.model": "example-model",
                "gen_ai.input.messages": messages("user", "What does an account cost?"),
                "gen_ai.output.messages": messages("assistant", "Nothing for the first two years."),
                "gen_ai.usage.input_tokens": 128,
                "gen_ai.usage.output_tokens": 32,
            }
        )
    print(f"{root.get_span_context().trace_id:032x}")

# Flush remaining spans.
provider.shutdown()
