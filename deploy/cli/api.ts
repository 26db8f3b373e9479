// The public API, as a client that repeats what may be repeated.

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { exitOf, Failure } from "./failure.ts";
import { oneLine } from "./terminal.ts";

export interface ApiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly applicationId: string;
  readonly stopped?: AbortSignal;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of the API, whose shapes the contract promises
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface Sent {
  readonly json?: unknown;
  /** Names the change: sent again, it is not made again. A new one for every call when omitted. */
  readonly key?: string;
}

/** Parameters of a list; several values of one are any of them. */
export type ListQuery = Readonly<Record<string, string | readonly string[]>>;

const attempts = 6;
const timeoutMs = 30_000;
const waitMaxMs = 30_000;
const pageMax = 100;

/** An answer that is no success. */
export class ApiFailure extends Failure {
  readonly status: number;
  readonly body: Json;

  constructor(request: string, { status, body }: Answer) {
    const issues = (body?.issues ?? []).map(
      ({ path, message }: { path: string[]; message: string }) =>
        `\n  ${oneLine(path.join(".") || "(body)")}: ${oneLine(message)}`,
    );
    super(`${request}: ${status} ${oneLine(body?.message ?? "")}${issues.join("")}`, exitOf(status));
    this.status = status;
    this.body = body;
  }
}

export class ApiClient {
  readonly baseUrl: string;
  readonly applicationId: string;
  readonly #options: ApiOptions;
  /** Who never answered is more likely not there than busy: only what did is waited for. */
  #wasReached = false;

  constructor(options: ApiOptions) {
    this.baseUrl = options.baseUrl;
    this.applicationId = options.applicationId;
    this.#options = options;
  }

  get = async (path: string): Promise<Json> => (await this.send("GET", path)).body;
  delete = async (path: string): Promise<Json> => (await this.send("DELETE", path)).body;
  post = async (path: string, json: unknown = {}, key?: string): Promise<Json> =>
    (await this.send("POST", path, { json, ...(key && { key }) })).body;
  put = async (path: string, json: unknown): Promise<Json> => (await this.send("PUT", path, { json })).body;

  /** Every row of a list, page by page, oldest first; `onTotal` hears how many there are. */
  async *list(path: string, query: ListQuery = {}, onTotal?: (total: number) => void): AsyncGenerator<Json> {
    let limit = pageMax;
    for (let skip = 0; ; ) {
      const page = new URLSearchParams({ orderBy: "createdAt", orderDir: "asc", skip: `${skip}`, limit: `${limit}` });
      for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) page.append(name, value);
      const answer = await this.get(`${path}?${page}`).catch((error: unknown) => {
        if (limit > 1 && isTooLarge(error)) return undefined;
        throw error;
      });
      if (answer === undefined) {
        limit = Math.ceil(limit / 4);
        continue;
      }
      if (skip === 0) onTotal?.(answer.pagination.total);
      yield* answer.data;
      if (answer.data.length < limit) return;
      skip += limit;
    }
  }

  /** The answer, whatever it is; connections that fail, 429 and 503 are tried again for a while. */
  async ask(method: string, path: string, { json, key = randomUUID() }: Sent = {}): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#once(method, path, json, key).catch((error: unknown) => {
        if (this.#options.stopped?.aborted || !this.#wasReached || attempt === attempts) throw this.#unreachable(error);
        return undefined;
      });
      if (answer !== undefined) this.#wasReached = true;
      const mayRepeat = answer === undefined || answer.status === 429 || answer.status === 503;
      if (answer !== undefined && (!mayRepeat || attempt === attempts)) return answer;
      const waitMs = Number(answer?.headers.get("retry-after") ?? 0) * 1_000 || 100 * 2 ** attempt;
      await delay(Math.min(waitMs, waitMaxMs), undefined, this.#signal());
    }
  }

  /** The answer if it is a success. */
  async send(method: string, path: string, sent?: Sent): Promise<Answer> {
    const answer = await this.ask(method, path, sent);
    if (answer.status >= 300) throw new ApiFailure(`${method} ${path.split("?")[0]}`, answer);
    return answer;
  }

  async #once(method: string, path: string, json: unknown, key: string): Promise<Answer> {
    const { apiKey, applicationId, stopped } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        "x-api-key": apiKey,
        "x-application-id": applicationId,
        ...(json !== undefined && { "content-type": "application/json", "idempotency-key": key }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      redirect: "error",
      signal: stopped === undefined ? timeout : AbortSignal.any([timeout, stopped]),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  }

  #signal() {
    return this.#options.stopped === undefined ? {} : { signal: this.#options.stopped };
  }

  #unreachable(error: unknown): Failure {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const reason =
      cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause);
    return new Failure(`${this.baseUrl} cannot be reached: ${reason}. Is EMS_URL (--url) right, and does it run?`);
  }
}

/** A page of large rows is refused; a smaller one is not. */
function isTooLarge(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 400 && error.body?.issues?.[0]?.path?.[0] === "limit";
}

/** A proxy in between may answer with something else than JSON. */
function parsed(text: string): Json {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 200) };
  }
}
