// The application under test: a real receiver of prompts that sends traces through every channel, and misbehaves.

import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { ReceivedRequest, Behaviour as Reply } from "@ems/test-support/webhook-receiver";
import { type Behaviour, getBehavior } from "./scenario.ts";

/** Destination of traces, and its key. */
export interface TraceSink {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly applicationId: string;
}

/** Response times of a slow application. */
export interface Times {
  readonly slowMs: number;
}

/** Time for which a trace is resent while the product cannot store it. */
const patienceMs = 120_000;

export class Application {
  /** Received prompts by test id. */
  readonly prompts = new Map<string, string>();
  /** Number of received prompts by test id. */
  readonly arrivals = new Map<string, number>();
  /** Violations of the contract by received requests. */
  readonly faults: string[] = [];
  readonly #sink: TraceSink;
  readonly #times: Times;
  readonly #running = new Set<Promise<unknown>>();
  #stopping = false;

  constructor(sink: TraceSink, times: Times) {
    this.#sink = sink;
    this.#times = times;
  }

  /** Answers a request; its traces are sent independently of the answer. */
  readonly reply = (request: ReceivedRequest): Reply => {
    if (request.headers["ems-delivery"] !== "prompt") return { kind: "answer", status: 200 };
    const { testId, prompt, applicationId } = JSON.parse(request.body);
    if (applicationId !== this.#sink.applicationId) this.faults.push(`a prompt of ${applicationId}`);
    if (request.headers["webhook-id"] === undefined) this.faults.push("a prompt without webhook-id");
    const arrival = (this.arrivals.get(testId) ?? 0) + 1;
    this.arrivals.set(testId, arrival);
    if ((this.prompts.get(testId) ?? prompt) !== prompt) this.faults.push(`two prompts of ${testId}`);
    this.prompts.set(testId, prompt);
    const behaviour = getBehavior(prompt);
    if (behaviour.manner === "broken") return { kind: "answer", status: 500 };
    if (behaviour.manner === "busy" && arrival === 1) return { kind: "answer", status: 503 };
    return this.#accept(testId, prompt, behaviour);
  };

  #accept(testId: string, prompt: string, behaviour: Behaviour): Reply {
    const { channel, manner, sendsFirst } = behaviour;
    const afterMs = manner === "slow" ? this.#times.slowMs : 0;
    if (manner === "never") return { kind: "answer", status: 202, body: "Thank you" };
    if (channel === "body" && manner !== "late") {
      if (manner === "twice") this.#run(() => this.#twice(testId, prompt, behaviour));
      const body = JSON.stringify({ output: behaviour.answer ?? "", steps: retrieverSteps(prompt, behaviour) });
      return { kind: "late", status: 200, afterMs, body };
    }
    const trace = this.#trace(testId, prompt, behaviour);
    const sent = this.#run(async () => {
      if (manner === "late") await this.#until(testId, (status) => status !== "PENDING" && status !== "IN_PROGRESS");
      else await delay(afterMs);
      if (this.#stopping) return;
      await trace();
      if (manner === "twice") await trace();
    });
    const when = sendsFirst && manner !== "late" ? sent : Promise.resolve();
    return { kind: "held", status: 204, when };
  }

  /** Sends a second trace of an answer that was in the body; it must change nothing. */
  async #twice(testId: string, prompt: string, behaviour: Behaviour): Promise<void> {
    await this.#until(testId, (status) => status !== "PENDING");
    await this.#trace(testId, prompt, { ...behaviour, channel: "ingest", answer: "Something else." })();
  }

  /** Returns a function that sends the same trace at each call. */
  #trace(testId: string, prompt: string, behaviour: Behaviour): () => Promise<void> {
    const isOtel = behaviour.channel === "otel";
    const path = isOtel ? "/v1/traces" : "/v0/ingest";
    const body = JSON.stringify(isOtel ? otlp(testId, prompt, behaviour) : ingest(testId, prompt, behaviour));
    return () => this.#send(path, body);
  }

  async #send(path: string, body: string): Promise<void> {
    const { baseUrl, apiKey, applicationId } = this.#sink;
    const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
    for (const untilMs = Date.now() + patienceMs; Date.now() < untilMs && !this.#stopping; await delay(200)) {
      const answer = await fetch(`${baseUrl}${path}`, {
        method: "POST",
        headers,
        body,
        signal: AbortSignal.timeout(15_000),
      }).catch(() => undefined);
      const text = await answer?.text().catch(() => "");
      if (answer?.ok) return;
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) {
        return void this.faults.push(`${path}: ${answer.status} ${text}`);
      }
    }
  }

  /** Waits for a status of the test, even while the product is unavailable. */
  async #until(testId: string, isReached: (status: string) => boolean): Promise<void> {
    const { baseUrl, apiKey, applicationId } = this.#sink;
    const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
    while (!this.#stopping) {
      const status = await fetch(`${baseUrl}/v0/tests/${testId}`, { headers, signal: AbortSignal.timeout(15_000) })
        .then(async (answer) => (answer.ok ? getStatus(await answer.json()) : undefined))
        .catch(() => undefined);
      if (status !== undefined && isReached(status)) return;
      await delay(500);
    }
  }

  #run(work: () => Promise<void>): Promise<void> {
    const running = work().catch((error: unknown) => void this.faults.push(String(error)));
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  /** Waits until every trace is sent, including late ones. */
  async sent(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Stops sending. */
  stop(): void {
    this.#stopping = true;
  }
}

const getStatus = (answer: unknown) => (answer as { test: { status: string } }).test.status;

/** True if the request has a valid Standard Webhooks signature. */
export function isSigned(secret: string, { headers, body }: ReceivedRequest): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const digest = createHmac("sha256", key).update(signed).digest("base64");
  return String(headers["webhook-signature"]).split(" ").includes(`v1,${digest}`);
}

const retrieverSteps = (prompt: string, { passages = [] }: Behaviour, at = Date.now()) =>
  passages.map((result, index) => ({
    type: "retriever",
    query: prompt,
    result,
    timestamp: new Date(at + index).toISOString(),
  }));

function ingest(testId: string, prompt: string, behaviour: Behaviour) {
  const traceId = randomUUID();
  const at = Date.now();
  const timestamp = (ms: number) => new Date(at + ms).toISOString();
  const steps: object[] = [
    { type: "request", content: prompt, timestamp: timestamp(0) },
    ...retrieverSteps(prompt, behaviour, at + 1),
    ...(behaviour.answer === undefined
      ? []
      : [{ type: "response", content: behaviour.answer, timestamp: timestamp(100) }]),
  ];
  const events = [
    { type: "trace", traceId, testId, steps: steps.map((step) => ({ id: randomUUID(), traceId, ...step })) },
  ];
  return { events };
}

function otlp(testId: string, prompt: string, { answer }: Behaviour) {
  const hex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
  const attributes = {
    "openinference.span.kind": "CHAIN",
    "input.value": prompt,
    "avido.test.id": testId,
    ...(answer !== undefined && { "output.value": answer }),
  };
  const now = BigInt(Date.now()) * 1_000_000n;
  const span = {
    traceId: hex(16),
    spanId: hex(8),
    name: "answer",
    kind: 1,
    startTimeUnixNano: String(now - 5_000_000n),
    endTimeUnixNano: String(now),
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  };
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
}
