// Client of the public API. It retries requests with exponential backoff.

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseJson } from "@ems/kit/json/exact-number";
import { Failure, toExit } from "./failure.ts";
import { oneLine } from "./terminal.ts";

export interface ApiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly applicationId: string;
  readonly stopped?: AbortSignal;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of the API, whose shapes the contract promises
export type Json = any;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface RequestOptions {
  readonly json?: unknown;
  /** Value of the Idempotency-Key header. Random if omitted. */
  readonly idempotencyKey?: string;
}

/** Query parameters of a list request. If a parameter has several values, rows match any of them. */
export type ListQuery = Readonly<Record<string, string | readonly string[]>>;

const attemptsMax = 6;
const timeoutMs = 30_000;
const backoffMaxMs = 30_000;
const pageMax = 100;
const continuedPageMax = 1_000;

/** Error for a response whose status is not 2xx. */
export class ApiFailure extends Failure {
  readonly status: number;
  readonly body: Json;

  constructor(request: string, { status, body }: ApiResponse) {
    const issues = (body?.issues ?? []).map(
      ({ path, message }: { path: string[]; message: string }) =>
        `\n  ${oneLine(path.join(".") || "(body)")}: ${oneLine(message)}`,
    );
    if (typeof body?.issuesOmitted === "number") issues.push(`\n  and at least ${body.issuesOmitted} more`);
    super(`${request}: ${status} ${oneLine(body?.message ?? "")}${issues.join("")}`, toExit(status));
    this.status = status;
    this.body = body;
  }
}

export class ApiClient {
  readonly baseUrl: string;
  readonly applicationId: string;
  readonly #options: ApiOptions;
  /** Connection failures are retried only after a first response. Before that, the URL is probably wrong. */
  #wasReached = false;

  constructor(options: ApiOptions) {
    this.baseUrl = options.baseUrl;
    this.applicationId = options.applicationId;
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#options.stopped?.aborted === true;
  }

  get = async (path: string): Promise<Json> => (await this.send("GET", path)).body;
  delete = async (path: string): Promise<Json> => (await this.send("DELETE", path)).body;
  post = async (path: string, json: unknown = {}, key?: string): Promise<Json> =>
    (await this.send("POST", path, { json, ...(key && { idempotencyKey: key }) })).body;
  put = async (path: string, json: unknown): Promise<Json> => (await this.send("PUT", path, { json })).body;

  /**
   * Yields every row of a list, page by page, oldest first. Cursors keep rows from being repeated or lost while others
   * are created and deleted. Calls `onTotal` with the number of rows.
   */
  async *list(path: string, query: ListQuery = {}, onTotal?: (total: number) => void): AsyncGenerator<Json> {
    let limit = pageMax;
    for (let after: string | null = ""; after !== null; ) {
      const page = new URLSearchParams({ orderBy: "createdAt", orderDir: "asc", after, limit: `${limit}` });
      for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) page.append(name, value);
      const response: Json = await this.get(`${path}?${page}`).catch((error: unknown) => {
        if (limit > 1 && isTooLarge(error)) return undefined;
        throw error;
      });
      if (response === undefined) {
        limit = Math.ceil(limit / 4);
        continue;
      }
      if (after === "") onTotal?.(response.pagination.total);
      yield* response.data;
      after = response.pagination.nextCursor;
    }
  }

  /** Yields every row of a list whose pages start after the last row of the previous page (keyset pagination). */
  async *continuedList(path: string): AsyncGenerator<Json> {
    let limit = continuedPageMax;
    for (let after = ""; ; ) {
      const response = await this.get(`${path}?limit=${limit}${after}`).catch((error: unknown) => {
        if (limit > 1 && isTooLarge(error)) return undefined;
        throw error;
      });
      if (response === undefined) {
        limit = Math.ceil(limit / 4);
        continue;
      }
      yield* response.data;
      if (response.data.length < limit) return;
      after = `&after=${response.data.at(-1).id}`;
    }
  }

  /** Returns the response, whatever its status. Retries connection failures, 429 and 503, and honors Retry-After. */
  async request(
    method: string,
    path: string,
    { json, idempotencyKey = randomUUID() }: RequestOptions = {},
  ): Promise<ApiResponse> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#attempt(method, path, json, idempotencyKey).catch((error: unknown) => {
        if (this.#options.stopped?.aborted || !this.#wasReached || attempt === attemptsMax)
          throw this.#unreachable(error);
        return undefined;
      });
      if (response !== undefined) this.#wasReached = true;
      const isRetryable = response === undefined || response.status === 429 || response.status === 503;
      if (response !== undefined && (!isRetryable || attempt === attemptsMax)) return response;
      const backoffMs = Number(response?.headers.get("retry-after") ?? 0) * 1_000 || 100 * 2 ** attempt;
      await delay(Math.min(backoffMs, backoffMaxMs), undefined, this.#signal());
    }
  }

  /** Returns the response; throws ApiFailure if its status is not 2xx. */
  async send(method: string, path: string, options?: RequestOptions): Promise<ApiResponse> {
    const response = await this.request(method, path, options);
    if (response.status >= 300) throw new ApiFailure(`${method} ${path.split("?")[0]}`, response);
    return response;
  }

  /** Returns the body of a GET as it arrives, which may take long. Throws ApiFailure if the status is not 2xx. */
  async stream(path: string): Promise<ReadableStream<Uint8Array>> {
    const { stopped } = this.#options;
    const headers = this.#credentials();
    const response = await fetch(this.baseUrl + path, {
      headers,
      redirect: "error",
      ...(stopped && { signal: stopped }),
    });
    if (response.ok && response.body !== null) return response.body;
    const { status } = response;
    throw new ApiFailure(`GET ${path.split("?")[0]}`, {
      status,
      headers: response.headers,
      body: parseBody(await response.text()),
    });
  }

  #credentials(): Record<string, string> {
    return { "x-api-key": this.#options.apiKey, "x-application-id": this.#options.applicationId };
  }

  async #attempt(method: string, path: string, json: unknown, key: string): Promise<ApiResponse> {
    const { stopped } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const fetched = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...this.#credentials(),
        ...(json !== undefined && { "content-type": "application/json", "idempotency-key": key }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      redirect: "error",
      signal: stopped === undefined ? timeout : AbortSignal.any([timeout, stopped]),
    });
    const text = await fetched.text();
    return { status: fetched.status, headers: fetched.headers, body: parseBody(text) };
  }

  #signal() {
    return this.#options.stopped === undefined ? {} : { signal: this.#options.stopped };
  }

  #unreachable(error: unknown): Failure {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const reason =
      cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause);
    return new Failure(
      `${this.baseUrl} cannot be reached: ${reason}. Check EMS_URL (--url), and that the product runs.`,
    );
  }
}

/** Returns true if the page exceeded the API's response size (400 with an issue at `limit`). Try a smaller page. */
function isTooLarge(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 400 && error.body?.issues?.[0]?.path?.[0] === "limit";
}

/** Parses JSON. Any other text, such as a proxy's error page, becomes the error message. */
function parseBody(text: string): Json {
  if (text === "") return undefined;
  try {
    return parseJson(text);
  } catch {
    return { message: text.slice(0, 200) };
  }
}
