// Sends requests through the gateway's proxy, which adds the key of the session's cookie.

import { ApiError } from "./errors.ts";
import { type AnyRequest, type ApiRequest, type ConditionalRequest, urlOf } from "./request.ts";

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

/** What is stored, with the name of its version. */
export interface Version<Body = unknown> {
  readonly body: Body;
  /** Undefined where the API names no versions, as for lists. */
  readonly etag: string | undefined;
}

export async function send<Data>(request: ApiRequest<Data>, options: SendOptions = {}): Promise<Data> {
  return (await receive(request, options)).body;
}

export async function receive<Data>(request: ApiRequest<Data>, options: SendOptions = {}): Promise<Version<Data>> {
  return versionOf(await exchange(request, options));
}

/** Changes the version that `ifMatch` names, and fails with status 412 if another one is stored by now. */
export async function replace<Data>(
  request: ConditionalRequest<Data>,
  ifMatch: string | undefined,
): Promise<Version<Data>> {
  return versionOf(await exchange(request, { idempotencyKey: crypto.randomUUID(), ifMatch }));
}

// The contract's types are those of the server that serves this page.
const versionOf = <Data>({ response, body }: Awaited<ReturnType<typeof exchange>>): Version<Data> => ({
  body: body as Data,
  etag: response.headers.get("etag") ?? undefined,
});

/** For requests that answer with the path of what they made. */
export async function sendForLocation(request: ApiRequest, idempotencyKey: string): Promise<string> {
  const { response } = await exchange(request, { idempotencyKey });
  return response.headers.get("location") ?? "";
}

interface ExchangeOptions extends SendOptions {
  readonly ifMatch?: string | undefined;
}

async function exchange(request: AnyRequest, { signal, idempotencyKey, ifMatch }: ExchangeOptions) {
  const response = await fetch(urlOf(request, base), {
    method: request.method.toUpperCase(),
    headers: {
      accept: "application/json",
      ...(application !== undefined && { "x-application-id": application }),
      ...(request.body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
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
