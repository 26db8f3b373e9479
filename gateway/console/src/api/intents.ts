// Idempotency keys: one per intent, also if its request is sent again because the answer was lost.

import type { AnyRequest } from "./request.ts";

export class Intents {
  readonly #keys = new Map<unknown, string>();
  readonly #pending = new Map<unknown, Promise<unknown>>();

  /** Sends a request. A second call meanwhile, such as by a double click, gets the answer of the first. */
  send<Data>(request: AnyRequest, attempt: (idempotencyKey: string) => Promise<Data>): Promise<Data> {
    const intent = toIntent(request);
    const pending = this.#pending.get(intent);
    // The same request has answers of the same type.
    if (pending !== undefined) return pending as Promise<Data>;
    const key = this.#keys.get(intent) ?? crypto.randomUUID();
    this.#keys.set(intent, key);
    const answer = attempt(key).finally(() => this.#pending.delete(intent));
    this.#pending.set(intent, answer);
    return answer;
  }

  /** Ends an intent that succeeded: the same request is a new intent. */
  end(request: AnyRequest): void {
    this.#keys.delete(toIntent(request));
  }
}

/** Returns the request as JSON, or its form with files, which is the same only if it is the same object. */
const toIntent = (request: AnyRequest): unknown =>
  request.body instanceof FormData ? request.body : JSON.stringify(request);
