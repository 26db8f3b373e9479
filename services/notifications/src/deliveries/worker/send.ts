// Makes one attempt at a delivery: target, connection, signed request and outcome.

import type { Clock } from "@ems/kit/clock";
import { type PublicHosts, type Target, tlsContext } from "@ems/kit/hosts";
import type { StorableText } from "@ems/kit/readers";
import { promptAnswerBytesMax } from "@ems/proto/limits";
import type { DeliveryConfig } from "../settings.ts";
import { type Connection, Connections } from "./connections.ts";
import { type BodyLimits, type HttpResponse, loggedBody, redactedText, sendRequest } from "./http-request.ts";
import {
  AttemptTimeout,
  type Outcome,
  type OwnFault,
  outcomeOfError,
  outcomeOfStatus,
  retryAfterMs,
  Shutdown,
} from "./outcome.ts";
import { redactedBody, usableAnswer } from "./prompt-answer.ts";
import { type CompatibleSignatureConfig, type DeliveryRequest, signedRequest } from "./signed-request.ts";

/** Result of an attempt; internal errors are not counted. */
export type Attempt =
  | {
      readonly counts: true;
      readonly startedAt: Date;
      readonly durationMs: number;
      readonly outcome: Outcome;
      readonly statusCode: number | null;
      readonly responseBody: StorableText | null;
      /** JSON of the answer to a prompt; null if it is not usable. */
      readonly answer: string | null;
      readonly remoteAddress: string | null;
      readonly retryAfterMs: number | undefined;
    }
  | { readonly counts: false; readonly fault: OwnFault };

export interface Sender {
  /** Makes an attempt. Never rejects. */
  send(request: DeliveryRequest): Promise<Attempt>;
  /** Number of open connections. */
  readonly connections: number;
  /** Removes connections that are closed. */
  sweep(): void;
  /** Aborts attempts in progress, which are then not counted. */
  abort(): void;
  close(): Promise<void>;
}

export type SenderConfig = CompatibleSignatureConfig &
  Pick<
    DeliveryConfig,
    "WEBHOOK_CA_FILE" | "WEBHOOK_CONNECT_TIMEOUT_MS" | "WEBHOOK_ATTEMPT_TIMEOUT_MS" | "WEBHOOK_ENDPOINT_CONCURRENCY"
  >;

export interface SenderDeps {
  readonly publicHosts: PublicHosts;
  readonly clock: Clock;
}

export function createSender(config: SenderConfig, { publicHosts, clock }: SenderDeps): Sender {
  const connections = new Connections({
    secureContext: tlsContext(config.WEBHOOK_CA_FILE),
    connectTimeoutMs: config.WEBHOOK_CONNECT_TIMEOUT_MS,
    idleMax: config.WEBHOOK_ENDPOINT_CONCURRENCY,
  });
  const running = new Set<AbortController>();
  return {
    send: async (request) => {
      const abort = new AbortController();
      running.add(abort);
      const timer = setTimeout(() => abort.abort(new AttemptTimeout()), config.WEBHOOK_ATTEMPT_TIMEOUT_MS);
      const startedAt = clock.now();
      const startedMs = performance.now();
      const deps = { config, publicHosts, connections, signal: abort.signal, startedAt };
      const result = await attempt(request, deps).catch(outcomeOfError);
      clearTimeout(timer);
      running.delete(abort);
      if ("fault" in result) return { counts: false, fault: result.fault };
      const durationMs = Math.round(performance.now() - startedMs);
      return { counts: true, startedAt, durationMs, ...noResponse, ...result };
    },
    get connections() {
      return connections.count;
    },
    sweep: () => connections.sweep(),
    abort: () => {
      for (const abort of running) abort.abort(new Shutdown());
    },
    close: () => connections.close(),
  };
}

type Counted = Omit<Extract<Attempt, { counts: true }>, "counts" | "startedAt" | "durationMs">;
type Result = (Partial<Counted> & { readonly outcome: Outcome }) | { readonly fault: OwnFault };

const noResponse = { statusCode: null, responseBody: null, answer: null, remoteAddress: null, retryAfterMs: undefined };

/** Limits for the answer to a prompt, because the answer becomes a trace. */
const answerBody: BodyLimits = { bytesMax: promptAnswerBytesMax, timeoutMs: undefined };

interface AttemptDeps {
  readonly config: CompatibleSignatureConfig;
  readonly publicHosts: PublicHosts;
  readonly connections: Connections;
  readonly signal: AbortSignal;
  readonly startedAt: Date;
}

async function attempt(request: DeliveryRequest, deps: AttemptDeps): Promise<Result> {
  const { connections, signal, startedAt } = deps;
  const { applicationId } = request;
  const target = await abortable(signal, deps.publicHosts.target(request.url));
  if (!target.ok) return unreachable(target.reason);
  const signed = signedRequest(request, target.url, startedAt, deps.config);
  let connection = connections.acquire(applicationId, target);
  const limits = request.kind === "PROMPT" ? answerBody : loggedBody;
  let response = await sendRequest(connection, signed, signal, limits);
  if (wasClosedWhileIdle(connection, response, signal)) {
    connection = connections.acquire(applicationId, target, true);
    response = await sendRequest(connection, signed, signal, limits);
  }
  if (response.isComplete) connections.release(applicationId, connection);
  return toResult(request, connection, await redacted(request, response), startedAt);
}

/** Redacts the response by the application's rules, before any of it is stored. */
async function redacted({ applicationId, redactor }: DeliveryRequest, response: HttpResponse): Promise<HttpResponse> {
  if (redactor === undefined || response.status === undefined || response.body.length === 0) return response;
  return { ...response, body: await redactedBody(redactor, applicationId, response.body) };
}

/**
 * Keep-alive race: the receiver closed the idle connection just when it was reused. The delivery itself did not fail.
 */
function wasClosedWhileIdle({ isReused }: Connection, { status }: HttpResponse, signal: AbortSignal): boolean {
  return isReused && status === undefined && !signal.aborted;
}

function unreachable(reason: Extract<Target, { ok: false }>["reason"]): Result {
  switch (reason) {
    case "not_public":
      return { outcome: "NOT_PUBLIC" };
    case "name_not_found":
      return { outcome: "NAME_NOT_FOUND" };
    case "resolver":
      return { fault: "RESOLVER" };
  }
}

function toResult(request: DeliveryRequest, connection: Connection, response: HttpResponse, startedAt: Date): Result {
  const remoteAddress = connection.address ?? null;
  if (response.status === undefined) {
    const result = outcomeOfError(response.error);
    return "fault" in result ? result : { ...result, remoteAddress };
  }
  const { status } = response;
  const isAnswer = request.kind === "PROMPT" && response.isComplete && outcomeOfStatus(status) === "DELIVERED";
  const retryAfter = response.headers["retry-after"];
  return {
    // The status decides, even if reading the body failed.
    outcome: outcomeOfStatus(status),
    remoteAddress,
    statusCode: status,
    responseBody: redactedText(response.body, request.confidential),
    answer: isAnswer ? usableAnswer(response.body) : null,
    retryAfterMs: retryAfterMs(status, Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, startedAt),
  };
}

/** Returns the result of `work`, or the reason of the abort if that comes first. */
async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
