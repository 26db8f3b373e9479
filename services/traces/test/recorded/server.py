"""Model server with scripted answers, which also records the spans that are exported to it.

Usage: python server.py FILE serves until its input ends, and prints its URL first. FILE becomes the export request in
protobuf, compressed, with all spans.

The last word of the question chooses the usage: tokens of a prompt that were read from the cache, written to it for
five minutes, or written to it for one hour.
"""

import gzip
import json
import pathlib
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Thread

question = "What does a transfer abroad cost? Cache: "
answer = "Five euros"
ids = count(1)


def anthropic_usage(read=0, five_minutes=0, one_hour=0):
    written = five_minutes + one_hour
    return {
        "input_tokens": 17903 - read - written,
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": read,
        "cache_creation": {"ephemeral_5m_input_tokens": five_minutes, "ephemeral_1h_input_tokens": one_hour},
        "output_tokens": 100,
        "service_tier": "standard",
    }


anthropic_usages = {
    "read": anthropic_usage(read=17817),
    "write": anthropic_usage(five_minutes=17000),
    "hour": anthropic_usage(one_hour=17000),
}
chat_usage = {
    "prompt_tokens": 17903,
    "completion_tokens": 100,
    "total_tokens": 18003,
    "prompt_tokens_details": {"cached_tokens": 17817, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 64, "audio_tokens": 0},
}
responses_usage = {
    "input_tokens": 17903,
    "input_tokens_details": {"cached_tokens": 17817},
    "output_tokens": 100,
    "output_tokens_details": {"reasoning_tokens": 64},
    "total_tokens": 18003,
}


def anthropic_answer(body, streams):
    usage = next(usage for word, usage in anthropic_usages.items() if f"{question}{word}" in body)
    message = {
        "id": f"msg_{next(ids)}",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5-20250929",
        "content": [{"type": "text", "text": answer}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": usage,
    }
    if not streams:
        return message
    start = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    events = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": answer}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {name: usage[name] for name in usage if name.endswith("_tokens")},
        },
        {"type": "message_stop"},
    ]
    return [(event["type"], event) for event in events]


def chat_answer(_, streams):
    common = {"id": f"chatcmpl-{next(ids)}", "created": 1772443800, "model": "gpt-5-mini-2025-08-07"}
    if not streams:
        choice = {"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
        return {**common, "object": "chat.completion", "choices": [choice], "usage": chat_usage}
    chunk = {**common, "object": "chat.completion.chunk"}
    text = {"index": 0, "delta": {"role": "assistant", "content": answer}, "finish_reason": None}
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunks = [{"choices": [text]}, {"choices": [end]}, {"choices": [], "usage": chat_usage}]
    return [(None, {**chunk, **each}) for each in chunks] + [(None, "[DONE]")]


def responses_answer(_, streams):
    number = next(ids)
    item = {"id": f"item_{number}", "type": "message", "role": "assistant", "status": "completed"}
    part = {"type": "output_text", "text": answer, "annotations": []}
    response = {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1772443800,
        "model": "gpt-5-mini-2025-08-07",
        "status": "completed",
        "output": [{**item, "content": [part]}],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "temperature": 1,
        "top_p": 1,
        "tool_choice": "auto",
        "tools": [],
        "usage": responses_usage,
    }
    if not streams:
        return response
    place = {"output_index": 0, "item_id": item["id"], "content_index": 0}
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    events = [
        ("response.created", {"response": begun}),
        ("response.output_item.added", {"output_index": 0, "item": {**item, "status": "in_progress", "content": []}}),
        ("response.content_part.added", {**place, "part": {**part, "text": ""}}),
        ("response.output_text.delta", {**place, "delta": answer, "logprobs": []}),
        ("response.output_text.done", {**place, "text": answer, "logprobs": []}),
        ("response.content_part.done", {**place, "part": part}),
        ("response.output_item.done", {"output_index": 0, "item": {**item, "content": [part]}}),
        ("response.completed", {"response": response}),
    ]
    return [(name, {"type": name, "sequence_number": at, **event}) for at, (name, event) in enumerate(events)]


answers = {"messages": anthropic_answer, "completions": chat_answer, "responses": responses_answer}


def start(file):
    """Starts the server in a thread, and returns its URL."""
    spans = bytearray()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.read_body()
            if self.path == "/v1/traces":
                # Protobuf messages that follow each other are one message.
                spans.extend(gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body)
                pathlib.Path(file).write_bytes(gzip.compress(spans, mtime=0))
                return self.send("application/x-protobuf", b"")
            request = json.loads(body)
            answered = answers[self.path.split("?")[0].split("/")[-1]](
                json.dumps(request, ensure_ascii=False), request.get("stream") is True
            )
            if isinstance(answered, dict):
                return self.send("application/json", json.dumps(answered).encode())
            text = "".join(
                (f"event: {name}\n" if name else "") + f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n"
                for name, data in answered
            )
            self.send("text/event-stream", text.encode())

        def read_body(self):
            if self.headers["transfer-encoding"] != "chunked":
                return self.rfile.read(int(self.headers["content-length"]))
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body

        def send(self, content_type, body):
            self.send_response(200)
            self.send_header("content-type", content_type)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


if __name__ == "__main__":
    print(start(sys.argv[1]), flush=True)
    sys.stdin.read()
