"""Model server with scripted answers in the formats of OpenAI, Anthropic and Gemini; also records exported spans.

A model that is offered the tool `get_fee` calls it, and then answers. A question that contains `unreachable` fails.
Every call has 1,000 input and 50 output tokens.
"""

import gzip
import json
import pathlib
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Lock, Thread

question = "What does a transfer to Switzerland cost? ☕"
failing = "Is the bank unreachable?"
answer = "A transfer to Switzerland costs five euros."
fee = "5 EUR"
session = "session-7"
user = "user-7"
ids = count(1)
arguments = {"country": "Switzerland"}
chat_usage = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
usage = {"input_tokens": 1000, "output_tokens": 50, "total_tokens": 1050}


def choose(body, names):
    """Returns the tool to call with its arguments, or None, and the text of the answer."""
    has_result = fee in re.sub(r'"tools": .*', "", body) or fee in body
    called = next((name for name in names if name.endswith("get_fee")), None)
    if called and not has_result:
        return (called, arguments), ""
    if "final_answer" in names:
        return ("final_answer", {"answer": answer}), ""
    if "[[ ## completed ## ]]" in body:
        return None, f"[[ ## answer ## ]]\n{answer}\n\n[[ ## completed ## ]]"
    return None, answer


def chat(request, body):
    names = [tool.get("function", tool).get("name", "") for tool in request.get("tools") or []]
    tool, text = choose(body, names)
    message = {"role": "assistant", "content": None if tool else text}
    if tool:
        call = {"name": tool[0], "arguments": json.dumps(tool[1])}
        message["tool_calls"] = [{"id": f"call_{next(ids)}", "type": "function", "function": call}]
    reason = "tool_calls" if tool else "stop"
    common = {"id": f"chatcmpl-{next(ids)}", "created": 1772443800, "model": "gpt-5-mini-2025-08-07"}
    if not request.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return {**common, "object": "chat.completion", "choices": [choice], "usage": chat_usage}
    if tool:
        message["tool_calls"][0]["index"] = 0
    deltas = [{"delta": message, "finish_reason": None}, {"delta": {}, "finish_reason": reason}]
    chunks = [{"choices": [{"index": 0, **delta}], "usage": None} for delta in deltas]
    chunks.append({"choices": [], "usage": chat_usage})
    return [(None, {**common, "object": "chat.completion.chunk", **chunk}) for chunk in chunks] + [(None, "[DONE]")]


def responses(request, body):
    tool, text = choose(body, [tool.get("name", "") for tool in request.get("tools") or []])
    number = next(ids)
    if tool:
        item = {"id": f"fc_{number}", "type": "function_call", "call_id": f"call_{number}", "status": "completed"}
        item |= {"name": tool[0], "arguments": json.dumps(tool[1])}
    else:
        part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        item = {"id": f"msg_{number}", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    response = {"id": f"resp_{number}", "object": "response", "created_at": 1772443800, "model": "gpt-5-mini-2025-08-07"}
    response |= {"status": "completed", "output": [item], "error": None, "incomplete_details": None, "metadata": {}}
    response |= {"instructions": None, "parallel_tool_calls": True, "temperature": 1, "top_p": 1, "tools": []}
    response |= {"tool_choice": "auto", "usage": {**usage, **details}}
    if not request.get("stream"):
        return response
    place = {"output_index": 0, "item_id": item["id"]}
    events = [("response.created", {"response": {**response, "status": "in_progress", "output": [], "usage": None}})]
    if tool:
        events.append(("response.output_item.added", {"output_index": 0, "item": {**item, "arguments": ""}}))
        events.append(("response.function_call_arguments.delta", {**place, "delta": item["arguments"]}))
        done = {**place, "arguments": item["arguments"], "name": item["name"]}
        events.append(("response.function_call_arguments.done", done))
    else:
        place["content_index"] = 0
        events.append(("response.output_item.added", {"output_index": 0, "item": {**item, "content": []}}))
        events.append(("response.content_part.added", {**place, "part": {**part, "text": ""}}))
        events.append(("response.output_text.delta", {**place, "delta": text, "logprobs": []}))
        events.append(("response.output_text.done", {**place, "text": text, "logprobs": []}))
        events.append(("response.content_part.done", {**place, "part": part}))
    events.append(("response.output_item.done", {"output_index": 0, "item": item}))
    events.append(("response.completed", {"response": response}))
    return [(name, {"type": name, "sequence_number": at, **event}) for at, (name, event) in enumerate(events)]


def anthropic(request, body):
    tool, text = choose(body, [tool.get("name", "") for tool in request.get("tools") or []])
    block = {"type": "text", "text": text}
    if tool:
        block = {"type": "tool_use", "id": f"toolu_{next(ids)}", "name": tool[0], "input": tool[1]}
    counts = {"input_tokens": 1000, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 50}
    message = {"id": f"msg_{next(ids)}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5-20250929"}
    message |= {"content": [block], "stop_reason": "tool_use" if tool else "end_turn", "stop_sequence": None}
    message["usage"] = counts
    if not request.get("stream"):
        return message
    begin = {"type": "tool_use", "id": block["id"], "name": tool[0], "input": {}} if tool else {**block, "text": ""}
    delta = {"type": "text_delta", "text": text}
    if tool:
        delta = {"type": "input_json_delta", "partial_json": json.dumps(tool[1])}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": begin},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": counts},
        {"type": "message_stop"},
    ]
    return [(event["type"], event) for event in events]


def gemini(request, body, streams):
    names = [each["name"] for tool in request.get("tools") or [] for each in tool.get("functionDeclarations", [])]
    tool, text = choose(body, names)
    part = {"functionCall": {"name": tool[0], "args": tool[1]}} if tool else {"text": text}
    counts = {"promptTokenCount": 1000, "candidatesTokenCount": 50, "totalTokenCount": 1050}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    whole = {"candidates": [candidate], "usageMetadata": counts, "modelVersion": "gemini-2.5-flash"}
    return [(None, {**whole, "responseId": f"gen-{next(ids)}"})] if streams else whole


def reply(path, request, body):
    if path.endswith("/responses"):
        return responses(request, body)
    if path.endswith("/messages"):
        return anthropic(request, body)
    if "enerateContent" in path:
        return gemini(request, body, "streamGenerateContent" in path)
    return chat(request, body)


class Recorder:
    """Spans that were exported, as one export request: protobuf messages that follow each other are one message."""

    def __init__(self, file):
        self.file, self.spans, self.paths, self.lock = pathlib.Path(file), bytearray(), {}, Lock()

    def add(self, path, headers, body):
        with self.lock:
            self.spans.extend(gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body)
            self.paths[path] = sorted(name.lower() for name in headers if name.lower() in credentials)
            self.file.write_bytes(gzip.compress(bytes(self.spans), mtime=0))


credentials = ("authorization", "x-api-key", "x-application-id")


def start(file):
    """Starts the server in a thread, and returns its URL."""
    recorder = Recorder(file)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.send(200, "application/json", b"{}")

        def do_POST(self):
            body = self.read_body()
            path = self.path.split("?")[0]
            if path.endswith("/v1/traces"):
                recorder.add(path, self.headers, body)
                return self.send(200, "application/x-protobuf", b"")
            try:
                request = json.loads(gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body)
            except ValueError:
                request = None
            if not isinstance(request, dict) or not re.search(r"completions|responses|messages$|enerateContent", path):
                return self.send(200, "application/json", b'{"input_tokens": 1000}')
            text = json.dumps(request, ensure_ascii=False)
            if "unreachable" in text:
                error = {"type": "invalid_request_error", "message": "The model is unreachable"}
                return self.send(400, "application/json", json.dumps({"type": "error", "error": error}).encode())
            answered = reply(path, request, text)
            if isinstance(answered, dict):
                return self.send(200, "application/json", json.dumps(answered).encode())
            lines = "".join(
                (f"event: {name}\n" if name else "") + f"data: {each if isinstance(each, str) else json.dumps(each)}\n\n"
                for name, each in answered
            )
            self.send(200, "text/event-stream", lines.encode())

        def read_body(self):
            if self.headers["transfer-encoding"] != "chunked":
                return self.rfile.read(int(self.headers["content-length"] or 0))
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body

        def send(self, status, content_type, body):
            self.send_response(status)
            self.send_header("content-type", content_type)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}", recorder


def listen(recorder):
    """Receives spans over gRPC too, and returns the port."""
    from concurrent.futures import ThreadPoolExecutor

    import grpc

    def export(body, context):
        recorder.add("gRPC", [name for name, _ in context.invocation_metadata()], body)
        return b""

    receiver = grpc.server(ThreadPoolExecutor(1))
    handlers = {"Export": grpc.unary_unary_rpc_method_handler(export)}
    service = "opentelemetry.proto.collector.trace.v1.TraceService"
    receiver.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service, handlers)])
    port = receiver.add_insecure_port("127.0.0.1:0")
    receiver.start()
    recorder.receiver = receiver
    return port


if __name__ == "__main__":
    import sys

    url, found = start(sys.argv[1])
    told = {"url": url, "question": question, "failing": failing, "fee": fee, "session": session, "user": user}
    print(json.dumps(told), flush=True)
    sys.stdin.read()
    print(found.paths, file=sys.stderr)
