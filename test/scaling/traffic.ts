// The clients' view of a failure: they create, read and count topics, and ingest traces. Each write is repeated under
// its idempotency key until it is acknowledged, as a careful client does. Every answer is recorded.

import { setTimeout as delay } from "node:timers/promises";
import { newId } from "@ems/kit/id";

export interface Application {
  readonly apiKey: string;
  readonly applicationId: string;
}

export interface Answer {
  readonly what: "write" | "read" | "list" | "ingest";
  readonly atMs: number;
  readonly tookMs: number;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

export interface Traffic {
  /** Ids of topics whose creation was acknowledged. */
  readonly topics: ReadonlySet<string>;
  /** Ids of traces whose ingestion was acknowledged. */
  readonly traces: ReadonlySet<string>;
  readonly answers: readonly Answer[];
  /** Waits for pending requests to be acknowledged, and ends. */
  stop(): Promise<void>;
}

export const stepsPerTrace = 3;
const tracesPerRequest = 10;
/** Pause between two requests of a client: the load is steady rather than maximal. */
const pauseMs = 25;
const patienceMs = 120_000;
const answerMs = 20_000;
const text = "Which fee does a transfer abroad have? ".repeat(6);

/** `target` returns the base URL of the next request. */
export function startTraffic(target: () => string, { apiKey, applicationId }: Application): Traffic {
  const topics = new Set<string>();
  const traces = new Set<string>();
  const answers: Answer[] = [];
  let isStopping = false;
  const own = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };

  const send = async (what: Answer["what"], path: string, json?: unknown, key?: string): Promise<Answer> => {
    const atMs = performance.now();
    const request = {
      method: json === undefined ? "GET" : "POST",
      headers: { ...own, ...(key !== undefined && { "idempotency-key": key }) },
      signal: AbortSignal.timeout(answerMs),
    };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const got = await fetch(target() + path, { ...request, ...body }).then(
      async (response) => ({ response, text: await response.text() }),
      (error: unknown) => ({
        response: undefined,
        text: String(error instanceof Error ? (error.cause ?? error) : error),
      }),
    );
    const answer = {
      what,
      atMs,
      tookMs: performance.now() - atMs,
      text: got.text,
      status: got.response?.status ?? 0,
      retryAfter: got.response?.headers.get("retry-after") ?? null,
    };
    answers.push(answer);
    await delay(pauseMs);
    return answer;
  };
  const sendUntilDone = async (what: Answer["what"], path: string, json: unknown, key?: string): Promise<Answer> => {
    for (const untilMs = performance.now() + patienceMs; performance.now() < untilMs; ) {
      const answer = await send(what, path, json, key);
      if (answer.status >= 200 && answer.status < 300) return answer;
    }
    throw new Error(`${path} was not acknowledged in time`);
  };
  const writer = async () => {
    const { text: body } = await sendUntilDone("write", "/v0/topics", { title: `Load ${newId()}` }, newId());
    const { id } = (JSON.parse(body) as { data: { id: string } }).data;
    topics.add(id);
    await send("read", `/v0/topics/${id}`);
  };
  const ingester = async () => {
    const ids = Array.from({ length: tracesPerRequest }, () => newId());
    const steps = Array.from({ length: stepsPerTrace }, () => ({ type: "llm", input: text, output: { text } }));
    const events = ids.map((traceId) => ({ type: "trace", traceId, steps }));
    await sendUntilDone("ingest", "/v0/ingest", { events });
    for (const id of ids) traces.add(id);
  };
  const lister = async () => {
    await send("list", "/v0/topics?limit=10");
    await send("list", "/v0/traces?limit=10");
  };
  const client = async (work: () => Promise<void>) => {
    while (!isStopping) await work();
  };
  const running = Promise.all([writer, writer, writer, writer, ingester, ingester, lister, lister].map(client));
  // The failure is reported to the caller of `stop`.
  running.catch(() => undefined);
  return {
    topics,
    traces,
    answers,
    async stop() {
      isStopping = true;
      await running;
    },
  };
}

export function isFailure({ status }: Answer): boolean {
  return status < 200 || status >= 300;
}

/** Lists failures, except with Retry-After: 503, 409 (first request in progress), 429 (many wait for PostgreSQL). */
export function unexplained(answers: readonly Answer[], allowed: readonly number[] = []): string[] {
  return answers
    .filter((answer) => isFailure(answer) && !([409, 429, 503].includes(answer.status) && answer.retryAfter !== null))
    .filter(({ status }) => !allowed.includes(status))
    .map(({ what, status, text: body }) => `${what}: ${status} ${body.slice(0, 200)}`);
}

/** Returns one line: duration of errors, and number of answers by status. */
export function report({ answers, topics, traces }: Traffic): string {
  const longest = Math.max(...answers.map(({ tookMs }) => tookMs)) / 1_000;
  const statuses = [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => `${status}: ${all.length}`);
  return (
    `errors for ${errorSeconds(answers).toFixed(1)} s, longest answer ${longest.toFixed(1)} s, answers ${statuses.sort().join(", ")}; ` +
    `acknowledged ${topics.size} topics and ${traces.size} traces`
  );
}

/** Returns the seconds from the first failed request to the last one. */
export function errorSeconds(answers: readonly Answer[]): number {
  const failed = answers.filter(isFailure);
  if (failed.length === 0) return 0;
  const lastMs = Math.max(...failed.map(({ atMs, tookMs }) => atMs + tookMs));
  return (lastMs - Math.min(...failed.map(({ atMs }) => atMs))) / 1_000;
}
