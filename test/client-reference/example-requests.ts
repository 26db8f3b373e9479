// Requests from the document's examples, with ids of existing resources in place of made-up ones.

import type { Answer, Api } from "../harness/api.ts";
import type { Ids } from "./ids.ts";
import type { Operation } from "./operations.ts";
import { type Request, send } from "./requests.ts";

export class ExampleRequests {
  readonly #ids: Ids;
  /** Path parameters of successful PUTs by path, which GET and DELETE use as well. */
  readonly #putAt = new Map<string, Request["path"]>();

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Remembers the ids of an answered request, and the path of a PUT. */
  learn({ path, method }: Operation, request: Request, body: unknown): void {
    this.#ids.learn(path, body);
    if (method === "PUT") this.#putAt.set(path, request.path);
  }

  /** Builds a request; a partial request leaves out ids of types that do not exist yet. */
  request({ parameters, bodyExample, path }: Operation, isPartial = false): Request {
    const newest = (all: typeof parameters) =>
      Object.fromEntries(all.map(({ name, example }) => [name, this.#withIds(example, name, path)]));
    return {
      path: this.#putAt.get(path) ?? newest(parameters.filter((each) => each.in === "path")),
      query: newest(parameters.filter((each) => each.in === "query" && each.required)),
      headers: {},
      body: this.#withIds(bodyExample, "", path, isPartial),
    };
  }

  /**
   * Sends the examples of all creations twice, since they refer to each other. Returns the answers to complete
   * requests, which need not be sent once more.
   */
  async create(api: Api, operations: readonly Operation[]): Promise<Map<Operation, Answer>> {
    const complete = new Map<Operation, Answer>();
    const creations = inOrder(operations).filter((each) => rank(each) < 100);
    for (const operation of [...creations, ...creations]) {
      if (complete.has(operation)) continue;
      const [partial, whole] = [this.request(operation, true), this.request(operation)];
      // The caller sends the complete request, and reports a failure.
      const answer = await send(api, operation, partial).catch(() => undefined);
      if (answer === undefined || answer.status >= 300) continue;
      this.#ids.learn(operation.path, answer.body);
      if (JSON.stringify(partial) === JSON.stringify(whole)) complete.set(operation, answer);
    }
    return complete;
  }

  #withIds(value: unknown, field: string, path: string, isPartial = false): unknown {
    if (typeof value === "string") {
      const [first = isPartial ? undefined : value] = this.#ids.of(field, path);
      return isMadeUp(value) ? first : value;
    }
    const isLeft = (item: unknown) => item !== undefined;
    if (Array.isArray(value)) return value.map((item) => this.#withIds(item, field, path, isPartial)).filter(isLeft);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(
      ([key, item]) => [key, this.#withIds(item, key, path, isPartial)] as const,
    );
    return Object.fromEntries(members.filter(([, item]) => isLeft(item)));
  }
}

/** Creations are first, by their depth, since examples name existing resources; deletions are last. */
export function inOrder(operations: readonly Operation[]): Operation[] {
  return operations.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ method, path }: Operation): number {
  const isCreation =
    method === "POST" &&
    !/archive|untag|unlink|status|recover|rotate|resend|rerun|test$|variantId\}\/(?!run)/.test(path);
  // A schedule is created by PUT only.
  const isMaking = method === "PUT" && path.endsWith("/schedule");
  return (isCreation ? 0 : isMaking ? 99 : ({ GET: 100, DELETE: 300 }[method] ?? 200)) + path.split("/").length;
}

/** True for an id that the document made up. */
const isMadeUp = (text: string) => text.startsWith("019a7d3c-") || text === "user-4821";
