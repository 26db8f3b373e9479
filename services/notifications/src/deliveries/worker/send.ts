// One attempt of a delivery: where it may go, a connection to there, the signed request, and what came of it.

import { readFileSync } from "node:fs";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import type { Clock } from "@ems/kit/clock";
import type { PublicHosts, Target } from "../../hosts/index.ts";
import type { DeliveryConfig } from "../settings.ts";
import { type CompatibleSignatureConfig, compatibleSignature } from "./compatible-signature.ts";
import { type Connection, Connections } from "./connections.ts";
import { Cancellation, exchange, type HttpAnswer, type HttpRequest } from "./http-request.ts";
import { AttemptTimeout, type Outcome, type OwnFault, outcomeOfError, outcomeOfStatus, Shutdown } from "./outcome.ts";
import { keptText } from "./response-text.ts";
import { retryAfterMs } from "./schedule.ts";
import { sign } from "./sign.ts";

/** What is sent, and where, as it is at the time of the attempt. */
export interface DeliveryRequest {
  /** The webhook's application: connections are kept for it and shared with nobody. */
  readonly applicationId: string;
  /** The event's id. */
  readonly id: string;
  readonly payload: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The secrets that sign, the newest first. */
  readonly secrets: readonly string[];
}

/** What came of an attempt. */
export type Attempt =
  | {
      readonly counts: true;
      readonly startedAt: Date;
      readonly durationMs: number;
      readonly outcome: Outcome;
      readonly statusCode: number | null;
      readonly responseBody: string | null;
      readonly remoteAddress: string | null;
      readonly retryAfterMs: number | undefined;
    }
  | { readonly counts: false; readonly fault: OwnFault };

export interface Sender {
  /** Attempts to deliver; never throws. */
  send(outgoing: DeliveryRequest): Promise<Attempt>;
  /** Connections that are open. */
  readonly connections: number;
  /** Forgets connections that nobody used for long. */
  sweep(): void;
  /** Ends attempts that are under way; they do not count. */
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

const userAgent = "ems-webhooks/1";

export function createSender(config: SenderConfig, { publicHosts, clock }: SenderDeps): Sender {
  const connections = new Connections({
    secureContext: trust(config.WEBHOOK_CA_FILE),
    connectTimeoutMs: config.WEBHOOK_CONNECT_TIMEOUT_MS,
    keptMax: config.WEBHOOK_ENDPOINT_CONCURRENCY,
  });
  const running = new Set<Cancellation>();
  return {
    send: async (outgoing) => {
      const ending = new Cancellation();
      running.add(ending);
      const timer = setTimeout(() => ending.end(new AttemptTimeout()), config.WEBHOOK_ATTEMPT_TIMEOUT_MS);
      const startedAt = clock.now();
      const startedMs = performance.now();
      const result = await attempt(outgoing, { config, publicHosts, connections, ending, startedAt }).catch(failure);
      clearTimeout(timer);
      running.delete(ending);
      if ("fault" in result) return { counts: false, fault: result.fault };
      return { counts: true, startedAt, durationMs: Math.round(performance.now() - startedMs), ...nothing, ...result };
    },
    get connections() {
      return connections.count;
    },
    sweep: () => connections.sweep(),
    abort: () => {
      for (const ending of running) ending.end(new Shutdown());
    },
    close: () => connections.close(),
  };
}

type Counted = Omit<Extract<Attempt, { counts: true }>, "counts" | "startedAt" | "durationMs">;
type Result = (Partial<Counted> & { readonly outcome: Outcome }) | { readonly fault: OwnFault };

const nothing = { statusCode: null, responseBody: null, remoteAddress: null, retryAfterMs: undefined };
const failure = (error: unknown): Result => outcomeOfError(error);

interface AttemptDeps {
  readonly config: CompatibleSignatureConfig;
  readonly publicHosts: PublicHosts;
  readonly connections: Connections;
  readonly ending: Cancellation;
  readonly startedAt: Date;
}

async function attempt(outgoing: DeliveryRequest, deps: AttemptDeps): Promise<Result> {
  const { connections, ending, startedAt } = deps;
  const target = await endingWith(ending, deps.publicHosts.target(outgoing.url));
  if (!target.ok) return unreachable(target.reason);
  const request = signed(outgoing, target.url, deps);
  const { applicationId } = outgoing;
  const first = connections.take(applicationId, target);
  const answer = await exchange(first, request, ending);
  if (!wasClosedBefore(first, answer, ending)) {
    if (answer.isWhole) connections.giveBack(applicationId, first);
    return judged(outgoing, first, answer, startedAt);
  }
  // The receiver gave the kept connection up just as it was used again, which says nothing about the delivery.
  const second = connections.take(applicationId, target, true);
  const again = await exchange(second, request, ending);
  if (again.isWhole) connections.giveBack(applicationId, second);
  return judged(outgoing, second, again, startedAt);
}

function wasClosedBefore({ isKept }: Connection, { status }: HttpAnswer, ending: Cancellation): boolean {
  return isKept && status === undefined && ending.error === undefined;
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

function signed(outgoing: DeliveryRequest, url: URL, { config, startedAt: at }: AttemptDeps): HttpRequest {
  const { id, payload, headers, secrets } = outgoing;
  const [secret = ""] = secrets;
  const timestamp = Math.floor(at.getTime() / 1000);
  const custom = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    path: url.pathname + url.search,
    headers: {
      ...Object.fromEntries(custom),
      ...compatibleSignature(config, { id, payload, at, secret }),
      "content-type": "application/json",
      "user-agent": userAgent,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": secrets.map((each) => sign(each, id, timestamp, payload)).join(" "),
    },
    body: payload,
  };
}

function judged(outgoing: DeliveryRequest, { address }: Connection, answer: HttpAnswer, startedAt: Date): Result {
  const remoteAddress = address ?? null;
  if (answer.status === undefined) {
    const verdict = outcomeOfError(answer.error);
    return "fault" in verdict ? verdict : { ...verdict, remoteAddress };
  }
  const { status } = answer;
  const secrets = [...outgoing.secrets, ...Object.values(outgoing.headers)];
  const retryAfter = answer.headers["retry-after"];
  return {
    // However the body ended: who sent these headers has taken the delivery in, or not.
    outcome: outcomeOfStatus(status),
    remoteAddress,
    statusCode: status,
    responseBody: keptText(answer.body, secrets),
    retryAfterMs: retryAfterMs(status, Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, startedAt),
  };
}

/** What `work` answers, unless the attempt is ended before. */
async function endingWith<T>(ending: Cancellation, work: Promise<T>): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ending.on(reject);
  try {
    return await Promise.race([work, ended]);
  } finally {
    ending.off(reject);
  }
}

/** Certificates of the system's authorities, and of those in a file of the operator's; TLS 1.2 or newer. */
function trust(caFile: string | undefined): SecureContext {
  const minVersion = "TLSv1.2";
  if (caFile === undefined) return createSecureContext({ minVersion });
  return createSecureContext({ minVersion, ca: [...getCACertificates("default"), readFileSync(caFile, "utf8")] });
}
