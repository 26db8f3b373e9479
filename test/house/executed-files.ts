// Counts the product's files that a warm request executes: `node test/house/executed-files.ts [--list] [--only topic]`.

import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { relative } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startProduct } from "../harness/product.ts";
import { root } from "./sources.ts";

const warmUps = 5;
const rounds = 8;
/** Work that the start leaves behind ends within this time. */
const startedMs = 10_000;
/** Work that a request causes, such as storing a delivery's result, ends within this time. */
const quietMs = 400;
/** Background loops run several times within this time. */
const idleMs = 20_000;

const { values } = parseArgs({ options: { list: { type: "boolean", default: false }, only: { type: "string" } } });

/** Connects to the inspector of the product's process. */
class Inspector {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (result: unknown) => void>();
  #id = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data));
      this.#answers.get(id)?.(result);
      this.#answers.delete(id);
    });
  }

  static async open(stderr: string): Promise<Inspector> {
    const [url] = /ws:\/\/127\.0\.0\.1:\S+/.exec(stderr) ?? [];
    if (url === undefined) throw new Error(`the product has no inspector:\n${stderr}`);
    const socket = new WebSocket(url);
    await once(socket, "open");
    const inspector = new Inspector(socket);
    await inspector.#send("Profiler.enable");
    await inspector.#send("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    return inspector;
  }

  /** Returns the product's files that were executed since the last call. */
  async executedFiles(): Promise<ReadonlySet<string>> {
    const { result } = (await this.#send("Profiler.takePreciseCoverage")) as Coverage;
    const executed = result.filter(({ functions }) => functions.some(({ ranges: [{ count }] }) => count > 0));
    const files = executed.map(({ url }) => (url.startsWith("file:") ? relative(root, fileURLToPath(url)) : url));
    return new Set(files.filter((file) => /^(services|gateway|proto)\/(?!.*node_modules)/.test(file)));
  }

  close(): void {
    this.#socket.close();
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#id;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#answers.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return promise;
  }
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    /** The first range covers the function itself. */
    readonly functions: readonly { readonly ranges: readonly [{ count: number }] }[];
  }[];
}

await using stack = new AsyncDisposableStack();
const webhook = await openWebhook();
stack.defer(webhook.close);
const product = await startProduct("one", { env: { NODE_OPTIONS: "--inspect=127.0.0.1:0" } });
stack.defer(() => product.remove());
const { baseUrl, apiKey = "", applicationId } = product.facts;

const sendTopic = () => post("/v0/topics", { title: "Fees" });
const query = { datasource: "test", timezone: "UTC", measurements: [{ type: "count" }] };
let taskId: unknown;
const requests: Readonly<Record<string, () => Promise<unknown>>> = {
  topic: sendTopic,
  report: () => post("/v0/reporting/query", query),
  span: () => post("/v0/otel/v1/traces", exportedSpan()),
  delivered: () => untilDelivered("topic.created", sendTopic),
  judged: () => untilDelivered("run.completed", () => post("/v0/tasks/trigger", { taskIds: [taskId] })),
};

await sleep(startedMs);
const inspector = await Inspector.open(product.stderr());
stack.defer(() => inspector.close());
await sleep(idleMs);
const idle = await inspector.executedFiles();
const isIdle = (file: string) => idle.has(file);
for (const [name, request] of Object.entries(requests)) {
  if (values.only !== undefined && values.only !== name) continue;
  if (name === "delivered" || name === "judged") await post("/v0/webhook", { url: webhook.url });
  if (name === "judged") taskId = await makeJudgedTask();
  const files = await executedBy(request);
  const own = files.filter((file) => !isIdle(file));
  const generated = own.filter((file) => file.includes("/gen/")).length;
  const counts = `${own.length - generated} files and ${generated} generated`;
  console.log(`${name}: ${counts}; with those that idle work executes too ${files.length}`);
  if (values.list) for (const file of files) console.log(`  ${file}${isIdle(file) ? " (idle)" : ""}`);
}

/** Returns the files that every one of several requests executes. */
async function executedBy(request: () => Promise<unknown>): Promise<string[]> {
  for (let count = 0; count < warmUps; count++) await request();
  const windows: ReadonlySet<string>[] = [];
  for (let round = 0; round < rounds; round++) {
    await sleep(quietMs);
    await inspector.executedFiles();
    await request();
    windows.push(await inspector.executedFiles());
  }
  return [...(windows[0] ?? [])].filter((file) => windows.every((window) => window.has(file))).sort();
}

async function post(path: string, body: object): Promise<Record<string, Record<string, unknown>>> {
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const response = await fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.text();
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${answer}`);
  return answer === "" ? {} : JSON.parse(answer);
}

/** Starts a webhook that answers prompts; `next` waits for an event of a type. */
async function openWebhook() {
  const events = new EventEmitter();
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const isPrompt = request.headers["ems-delivery"] === "prompt";
    response.setHeader("content-type", "application/json").end(isPrompt ? '{"output":"Free."}' : "{}");
    if (!isPrompt) events.emit(body.type);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has no pipe name as its address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    next: (type: string) => once(events, type),
    close: () => void server.close(),
  };
}

/** Sends a request, and waits for its event and for the work after the delivery. */
async function untilDelivered(type: string, request: () => Promise<unknown>): Promise<void> {
  const delivered = webhook.next(type);
  await request();
  await delivered;
  await sleep(quietMs);
}

/** Creates a task with one prompt, whose answer a definition compares with a text. */
async function makeJudgedTask(): Promise<unknown> {
  const definition = { name: "Match", type: "OUTPUT_MATCH", globalConfig: { type: "string" } };
  const { data } = await post("/v0/definitions", definition);
  const topic = await post("/v0/topics", { title: "Fees" });
  const { task } = await post("/v0/tasks", { title: "Fees", description: "What is free?", topicId: topic.data?.id });
  await post("/v0/definitions/link", { evalIds: [data?.id], taskIds: [task?.id], config: { expected: "Free." } });
  return task?.id;
}

function exportedSpan(): object {
  const now = `${Date.now()}000000`;
  const span = {
    traceId: randomBytes(16).toString("hex"),
    spanId: randomBytes(8).toString("hex"),
    name: "answer",
    startTimeUnixNano: now,
    endTimeUnixNano: now,
  };
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
}
