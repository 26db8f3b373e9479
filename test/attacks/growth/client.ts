// Sends requests as one client with a persistent connection, and reads only the status.

import { Agent, request as httpRequest } from "node:http";
import type { Operation } from "../../client-reference/operations.ts";
import type { Request } from "../../client-reference/requests.ts";
import type { TestTenant } from "../../harness/tenant.ts";

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | undefined;
}

export interface Response {
  /** 0 if the connection was closed instead. */
  readonly status: number;
  /** Parsed JSON of a success; undefined otherwise. */
  readonly body?: unknown;
}

const timeoutMs = 60_000;

export class AttackClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #baseUrl: URL;
  readonly #credentials: Readonly<Record<string, string>>;

  constructor(baseUrl: string, { apiKey, applicationId }: Pick<TestTenant, "apiKey" | "applicationId">) {
    this.#baseUrl = new URL(baseUrl);
    this.#credentials = { "x-api-key": apiKey, "x-application-id": applicationId };
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Created before the measurement: a body of many megabytes takes this process a while. */
  prepare(operation: Operation, { path, query, headers, body }: Request): RawRequest {
    const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(path[name]));
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((each) => `${encoded(name)}=${encoded(each)}`),
    );
    const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), headerText(value)] as const);
    return {
      method: operation.method,
      path: pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}`,
      headers: { ...this.#credentials, ...Object.fromEntries(sent) },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
  }

  send({ method, path, headers, body }: RawRequest): Promise<Response> {
    const { hostname, port } = this.#baseUrl;
    const bytes = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const json = body === undefined ? {} : { "content-type": "application/json" };
    return new Promise((resolve) => {
      const sent = httpRequest({
        agent: this.#agent,
        hostname,
        port,
        method,
        path,
        timeout: timeoutMs,
        headers: { ...json, ...bytes, ...headers } as Record<string, string | string[]>,
      });
      sent.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("close", () =>
          resolve({ status: response.statusCode ?? 0, body: parsed(chunks, response.statusCode) }),
        );
      });
      sent.on("timeout", () => sent.destroy());
      sent.on("error", () => resolve({ status: 0 }));
      sent.end(body);
    });
  }
}

function parsed(chunks: readonly Buffer[], status = 0): unknown {
  if (status >= 300 || chunks.length === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

/** Not every object has a method `toString`. */
const getText = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
const encoded = (value: unknown) => encodeURIComponent(getText(value ?? "").toWellFormed());

/** Bytes of the text as a header: Node refuses to send control characters. */
export function headerText(value: unknown): string {
  return Buffer.from(getText(value))
    .toString("latin1")
    .replace(/\p{Cc}/gu, (letter) => (/[\t\x80-\xff]/.test(letter) ? letter : "?"));
}
