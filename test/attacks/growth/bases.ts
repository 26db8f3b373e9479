// Accepted requests of an operation, of which an attack changes a field.

import fc from "fast-check";
import type { ExampleRequests } from "../../client-reference/example-requests.ts";
import { buildRequest, type Request } from "../../client-reference/requests.ts";
import { buildArbitrary, type Context } from "../../client-reference/values.ts";
import type { AttackClient } from "./client.ts";
import { type Field, valueAt, withValue } from "./fields.ts";

export interface Base {
  readonly request: Request;
  readonly isAccepted: boolean;
}

/** Random requests to try if the document's example is not accepted. */
const triesMax = 12;

export class Bases {
  readonly #client: AttackClient;
  readonly #examples: ExampleRequests;
  readonly #seed: number;

  constructor(client: AttackClient, examples: ExampleRequests, seed: number) {
    this.#client = client;
    this.#examples = examples;
    this.#seed = seed;
  }

  /** A request with a harmless value in the field, accepted if possible. */
  async find(context: Context, field: Field): Promise<Base> {
    const { operation } = field;
    const example = this.#examples.request(operation);
    const candidates = this.#candidates(context, field, example);
    for (const request of candidates) {
      const { status, body } = await this.#client.send(this.#client.prepare(operation, request));
      if (status === 0 || status >= 300) continue;
      this.#examples.learn(operation, request, body);
      return { request, isAccepted: true };
    }
    return { request: example, isAccepted: false };
  }

  *#candidates(context: Context, field: Field, example: Request): Generator<Request> {
    const { operation, schema, path } = field;
    const name = String(path.findLast((part) => typeof part === "string") ?? "");
    if (valueAt(example, field) !== undefined) yield example;
    // Fields may depend on each other: the rest of the request changes with each try.
    for (let index = 0; index < triesMax; index++) {
      const options = { seed: this.#seed + index, numRuns: 1 };
      const [value] = fc.sample(buildArbitrary(context, schema, name, 1), options);
      if (index < 2) yield withValue(example, field, value);
      const [request] = fc.sample(buildRequest(context, operation), options);
      if (request === undefined) continue;
      const plain = { ...request, headers: {} };
      yield valueAt(plain, field) === undefined ? withValue(plain, field, value) : plain;
    }
  }
}
