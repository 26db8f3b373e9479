// Demonstrates each kind of call. Usage: node client.ts topic | tasks | report | trace | watch [TOKEN]

import { randomUUID } from "node:crypto";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import grpc from "@grpc/grpc-js";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { Connection, credentials, metadata, otlpUrl } from "./connection.ts";
import { explain } from "./explain.ts";
import { watch } from "./watch.ts";

const connection = new Connection();

/** Creates a topic with an idempotency key, so that a retry creates no second topic. */
async function createTopic() {
  const headers = { "idempotency-key": randomUUID() };
  let requestId: unknown;
  const { data } = await connection.call(
    TopicService.method.createTopic,
    { title: "Opening an account" },
    { headers },
    (answer) => {
      [requestId] = answer.get("x-request-id");
    },
  );
  console.log("topic", data?.id, "by request", requestId);
}

/** Lists tasks page by page, with a deadline for each request. */
async function listTasks() {
  for (let skip = 0, total = 1; skip < total; skip += 100) {
    const request = { skip: BigInt(skip), limit: 100 };
    const page = await connection.call(TaskService.method.listTasks, request, { timeoutMs: 5_000 });
    for (const { id, title } of page.data) console.log("task", id, title);
    total = Number(page.pagination?.total ?? 0);
  }
}

async function runReport() {
  const { data } = await connection.call(ReportingService.method.queryReport, {
    datasource: "topic",
    timezone: "Europe/Copenhagen",
    measurements: [{ type: "count" }],
  });
  for (const row of data?.results ?? []) console.log("report", JSON.stringify(row));
}

/** Sends a trace; OpenTelemetry's exporter uses the same address and header. */
async function sendTrace() {
  const headers = new grpc.Metadata();
  headers.set("authorization", metadata.authorization);
  const exporter = new OTLPTraceExporter({ url: otlpUrl, metadata: headers, credentials: credentials() });
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const span = provider.getTracer("ems-client").startSpan("chat", { attributes: { "gen_ai.operation.name": "chat" } });
  span.end();
  await provider.forceFlush();
  await provider.shutdown();
  console.log("trace", span.spanContext().traceId);
}

const commands: Readonly<Record<string, () => Promise<void>>> = {
  topic: createTopic,
  tasks: listTasks,
  report: runReport,
  trace: sendTrace,
  watch: () => watch(connection, process.argv[3] ?? ""),
};

const command = commands[process.argv[2] ?? ""];
if (command === undefined) {
  console.error("topic, tasks, report, trace or watch?");
  process.exit(1);
}
try {
  await command();
} catch (error) {
  console.error(explain(error as grpc.ServiceError));
  process.exitCode = 1;
} finally {
  connection.close();
}
