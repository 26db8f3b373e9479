// Sends requests through the gateway's proxy, which adds the API key from the session's cookie.

import { ApiError } from "./errors.ts";
import { parseJson } from "./exact-json.ts";
import { type AnyRequest, type ApiRequest, type ConditionalRequest, toUrl } from "./request.ts";

const base = "/console/api";

/**
 * Application for which this page was loaded. The proxy refuses requests if the session now has another application.
 */
let application: string | undefined;

export function setApplication(id: string | undefined): void {
  application = id;
}

/** Signs in again after the session has ended. Resolves to false if the request has to fail. */
type Reauthenticate = (request: AnyRequest) => Promise<boolean>;
let reauthenticate: Reauthenticate = async () => false;

export function onSessionEnd(handler: Reauthenticate): void {
  reauthenticate = handler;
}

export interface SendOptions {
  readonly signal?: AbortSignal;
  /** Idempotency key, which is the same for all retries of a change. */
  readonly idempotencyKey?: string;
}

/** A stored resource with its ETag. */
export interface Version<Body = unknown> {
  readonly body: Body;
  /** Value for `If-Match`. Undefined if the response has no ETag, such as for a list. */
  readonly etag: string | undefined;
}

/** Returns the address of a file, for elements that load it themselves. */
export const toProxyUrl = (request: AnyRequest): string => toUrl(request, base);

export async function send<Data>(request: ApiRequest<Data>, options: SendOptions = {}): Promise<Data> {
  return (await receive(request, options)).body;
}

export async function receive<Data>(request: ApiRequest<Data>, options: SendOptions = {}): Promise<Version<Data>> {
  return toVersion(await exchange(request, options));
}

/** Updates a resource if its stored version has the ETag `ifMatch`. Otherwise fails with status 412. */
export async function replace<Data>(
  request: ConditionalRequest<Data>,
  ifMatch: string | undefined,
  options: SendOptions,
): Promise<Version<Data>> {
  return toVersion(await exchange(request, { idempotencyKey: crypto.randomUUID(), ifMatch, ...options }));
}

// The cast is safe, because page and server come from the same build.
const toVersion = <Data>({ response, body }: Awaited<ReturnType<typeof exchange>>): Version<Data> => ({
  body: body as Data,
  etag: response.headers.get("etag") ?? undefined,
});

interface ExchangeOptions extends SendOptions {
  readonly ifMatch?: string | undefined;
}

async function exchange(request: AnyRequest, options: ExchangeOptions) {
  const first = await fetchAnswer(request, options);
  const isRepeated = first.status === 401 && (await reauthenticate(request));
  const response = isRepeated ? await fetchAnswer(request, options) : first;
  const body: unknown = await readJson(response);
  if (!response.ok) throw new ApiError(response, body);
  const isLocated = "isLocated" in request && request.isLocated;
  return { response, body: isLocated ? (response.headers.get("location") ?? "") : body };
}

function fetchAnswer(request: AnyRequest, { signal, idempotencyKey, ifMatch }: ExchangeOptions): Promise<Response> {
  // The browser writes a form, and its content type with the boundary of the parts.
  const isForm = request.body instanceof FormData;
  return fetch(toUrl(request, base), {
    method: request.method.toUpperCase(),
    headers: {
      accept: "application/json",
      ...(application !== undefined && { "x-application-id": application }),
      ...(request.body !== undefined && !isForm && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
    },
    ...(request.body !== undefined && { body: isForm ? (request.body as FormData) : JSON.stringify(request.body) }),
    ...(signal !== undefined && { signal }),
  });
}

/** Reads the JSON body; undefined if there is no body or a proxy returned HTML. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
