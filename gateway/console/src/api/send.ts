// Sends requests through the gateway's proxy, which adds the key of the session's cookie.

import { ApiError } from "./errors.ts";
import { type ApiRequest, urlOf } from "./request.ts";

const base = "/console/api";

/** The application that this page was loaded for; the proxy refuses requests of another one's session. */
let application: string | undefined;

export function setApplication(id: string | undefined): void {
  application = id;
}

export interface SendOptions {
  readonly signal?: AbortSignal;
  /** The same key for the same intent: a repeated change is done once. */
  readonly idempotencyKey?: string;
}

export async function send<Data>(request: ApiRequest<Data>, options: SendOptions = {}): Promise<Data> {
  const { body } = await exchange(request, options);
  // The contract's types are those of the server that serves this page.
  return body as Data;
}

/** For requests that answer with the path of what they made. */
export async function sendForLocation(request: ApiRequest, idempotencyKey: string): Promise<string> {
  const { response } = await exchange(request, { idempotencyKey });
  return response.headers.get("location") ?? "";
}

async function exchange(request: ApiRequest, { signal, idempotencyKey }: SendOptions) {
  const response = await fetch(urlOf(request, base), {
    method: request.method.toUpperCase(),
    headers: {
      accept: "application/json",
      ...(application !== undefined && { "x-application-id": application }),
      ...(request.body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    ...(signal !== undefined && { signal }),
  });
  const body: unknown = await readJson(response);
  if (!response.ok) throw new ApiError(response, body);
  return { response, body };
}

/** Undefined where there is none, or where a proxy answered with a page. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
