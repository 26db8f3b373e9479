// Every example of the document is a request that works, once its ids are those of things that exist.

import { expect, inject, test } from "vitest";
import type { Answer } from "../harness/api.ts";
import { openContract } from "../harness/contract.ts";
import { addMember } from "../harness/members.ts";
import { newTenant } from "../harness/tenant.ts";
import { Ids } from "./ids.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { type Request, send } from "./requests.ts";

const { document } = await openContract(inject("product").baseUrl);
const tenant = await newTenant({ user: { email: "ada@example.com", name: "Ada" } });
const { api } = tenant;
// What no example makes: a sign-in makes members, and the example of an erasure is a dry run.
for (const role of ["OWNER", "OWNER"] as const) await addMember(tenant, role);
await api.post("/v0/erasures", { user: "customer-7" });
const ownKeys = (await api.get("/v0/api-keys")).body.data.map(({ id }: { id: string }) => id);
const ids = new Ids(ownKeys);

/** What must exist before an example names it: creations first, by how deep they are, deletions last. */
const rank = ({ method, path }: Operation) => {
  const isCreation =
    method === "POST" &&
    !/archive|untag|unlink|status|recover|rotate|resend|rerun|test$|variantId\}\/(?!run)/.test(path);
  // Nothing but its PUT makes a schedule.
  const isMaking = method === "PUT" && path.endsWith("/schedule");
  return (isCreation ? 0 : isMaking ? 99 : ({ GET: 100, DELETE: 300 }[method] ?? 200)) + path.split("/").length;
};
const operations = operationsOf(document).sort((a, b) => rank(a) - rank(b));

/** Whether the document made up this id. */
const isMadeUp = (text: string) => text.startsWith("019a7d3c-") || text === "user-4821";

/** The example with the ids of what exists: those of the document are made up. */
function withIds(value: unknown, field: string, path: string, isPartial = false): unknown {
  if (typeof value === "string") {
    const [first = isPartial ? undefined : value] = ids.of(field, path);
    return isMadeUp(value) ? first : value;
  }
  const isLeft = (item: unknown) => item !== undefined;
  if (Array.isArray(value)) return value.map((item) => withIds(item, field, path, isPartial)).filter(isLeft);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, item]) => [key, withIds(item, key, path, isPartial)] as const);
  return Object.fromEntries(members.filter(([, item]) => isLeft(item)));
}

/** The parameters of a PUT that worked, by its path: GET and DELETE of the path ask for what it has put. */
const putAt = new Map<string, Request["path"]>();

function requestOf({ parameters, bodyExample, path }: Operation, isPartial = false): Request {
  const newest = (all: typeof parameters) =>
    Object.fromEntries(all.map(({ name, example }) => [name, withIds(example, name, path)]));
  return {
    path: putAt.get(path) ?? newest(parameters.filter((each) => each.in === "path")),
    query: newest(parameters.filter((each) => each.in === "query" && each.required)),
    headers: {},
    body: withIds(bodyExample, "", path, isPartial),
  };
}

// Creations name one another: what cannot be named yet is left out at first. What was complete is not sent twice.
const complete = new Map<Operation, Answer>();
const creations = operations.filter((each) => rank(each) < 100);
for (const operation of [...creations, ...creations]) {
  if (complete.has(operation)) continue;
  const [partial, whole] = [requestOf(operation, true), requestOf(operation)];
  // What fails here fails in its test.
  const answer = await send(api, operation, partial).catch(() => undefined);
  if (answer === undefined || answer.status >= 300) continue;
  ids.learn(operation.path, answer.body);
  if (JSON.stringify(partial) === JSON.stringify(whole)) complete.set(operation, answer);
}

const named = operations.map((operation) => [operation.name, operation] as const);

test.each(named)("the example of %s works", async (_name, operation) => {
  const request = requestOf(operation);
  const { status, body } = complete.get(operation) ?? (await send(api, operation, request));
  // What may be done with a variant depends on its run, which ends by itself.
  const isOvertaken = status === 409 && operation.path.includes("{variantId}");
  expect(isOvertaken ? 200 : status, JSON.stringify(body)).toBeLessThan(300);
  ids.learn(operation.path, body);
  if (operation.method === "PUT") putAt.set(operation.path, request.path);
});
