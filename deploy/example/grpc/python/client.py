"""Each kind of call: python client.py topic | tasks | report | trace | watch [TOKEN]"""

import secrets
import sys
import time

import grpc
from google.protobuf.json_format import MessageToDict
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span

from connection import connect
from ems.catalog.v1 import task_service_pb2, task_service_pb2_grpc, topic_service_pb2, topic_service_pb2_grpc
from ems.reporting.v1 import reporting_service_pb2, reporting_service_pb2_grpc


def create_topic(channel: grpc.Channel) -> None:
    """Writes under an idempotency key, so that a repeat, by the policy or by hand, makes no second topic."""
    topics = topic_service_pb2_grpc.TopicServiceStub(channel)
    answer, call = topics.CreateTopic.with_call(
        topic_service_pb2.CreateTopicRequest(title="Opening an account"),
        metadata=[("idempotency-key", secrets.token_hex(16))],
    )
    request_id = dict(call.initial_metadata())["x-request-id"]
    print("topic", answer.data.id, "by request", request_id)


def list_tasks(channel: grpc.Channel) -> None:
    """Reads page by page, with a deadline for each."""
    tasks = task_service_pb2_grpc.TaskServiceStub(channel)
    skip, total = 0, 1
    while skip < total:
        page = tasks.ListTasks(task_service_pb2.ListTasksRequest(skip=skip, limit=100), timeout=5)
        for task in page.data:
            print("task", task.id, task.title)
        skip, total = skip + 100, page.pagination.total


def run_report(channel: grpc.Channel) -> None:
    reports = reporting_service_pb2_grpc.ReportingServiceStub(channel)
    answer = reports.QueryReport(
        reporting_service_pb2.QueryReportRequest(
            datasource="topic",
            timezone="Europe/Copenhagen",
            measurements=[reporting_service_pb2.ReportMeasurement(type="count")],
        )
    )
    for row in answer.data.results:
        print("report", MessageToDict(row))


def send_trace(channel: grpc.Channel) -> None:
    """Sends one span as OpenTelemetry's exporters do, which take the same address and header."""
    now = time.time_ns()
    span = Span(
        trace_id=secrets.token_bytes(16),
        span_id=secrets.token_bytes(8),
        name="chat",
        start_time_unix_nano=now - 10**9,
        end_time_unix_nano=now,
        attributes=[KeyValue(key="gen_ai.operation.name", value=AnyValue(string_value="chat"))],
    )
    trace_service_pb2_grpc.TraceServiceStub(channel).Export(
        trace_service_pb2.ExportTraceServiceRequest(
            resource_spans=[ResourceSpans(scope_spans=[ScopeSpans(spans=[span])])]
        )
    )
    print("trace", span.trace_id.hex())


def watch(channel: grpc.Channel) -> None:
    from watch import watch_events

    watch_events(channel, sys.argv[2] if len(sys.argv) > 2 else "")


def explain(error: grpc.RpcError) -> str:
    """What an error tells beside its message: the stable reason, and the fields of an invalid request."""
    text = f"{error.code().name}: {error.details()}"
    status = rpc_status.from_call(error)
    for detail in status.details if status else []:
        info, request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info):
            text += f"\n  reason {info.reason}"
        elif detail.Unpack(request):
            text += "".join(f"\n  {each.field}: {each.description}" for each in request.field_violations)
    return text


COMMANDS = {"topic": create_topic, "tasks": list_tasks, "report": run_report, "trace": send_trace, "watch": watch}

if __name__ == "__main__":
    command = COMMANDS.get(sys.argv[1] if len(sys.argv) > 1 else "")
    if command is None:
        sys.exit("topic, tasks, report, trace or watch?")
    with connect() as connection:
        try:
            command(connection)
        except grpc.RpcError as error:
            sys.exit(explain(error))
        except KeyboardInterrupt:
            pass
