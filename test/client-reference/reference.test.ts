// The product behaves as its reference says, tested with generated requests.

import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { openContract } from "../harness/contract.ts";
import { newTenant } from "../harness/tenant.ts";
import { Ids } from "./ids.ts";
import { invalidBodies } from "./invalid.ts";
import { getOperations, getRules, getSchema, type Operation, type Schema } from "./operations.ts";
import { buildRequest, type Request, send } from "./requests.ts";

const seed = Number(process.env.REFERENCE_SEED ?? 14);
const numRuns = Number(process.env.REFERENCE_RUNS ?? 4);
const options = { seed, numRuns, includeErrorInReport: true };

const { document } = await openContract(inject("product").baseUrl);
const [owner, other] = [await newTenant(), await newTenant()];
const ownKeys = (await owner.api.get("/v0/api-keys")).body.data.map(({ id }: { id: string }) => id);
const ids = new Ids(ownKeys);
// Creations run first, so that later requests name existing resources; deletions run last.
const rank = ({ method }: Operation) => ["POST", "PUT", "PATCH", "GET", "DELETE"].indexOf(method);
const operations = getOperations(document).sort(
  (a, b) => a.path.split("/").length - b.path.split("/").length || rank(a) - rank(b),
);
const getContext = ({ path }: Operation) => ({ document, ids, path });

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: "openapi", ...document });
const validators = new Map<Schema, ReturnType<Ajv2020["compile"]>>();
function isValid(schema: Schema, value: unknown): boolean {
  const absolute = schema.$ref === undefined ? schema : { $ref: `openapi${schema.$ref}` };
  const validate = validators.get(schema) ?? ajv.compile(absolute);
  validators.set(schema, validate);
  return validate(value) === true;
}

/** Statuses with which an operation may refuse a request that its schema allows. */
const refusals = [404, 409, 412, 413, 422];

async function isAccepted(operation: Operation, request: Request): Promise<void> {
  const { status, body } = await send(owner.api, operation, request);
  // Filters of allowed lengths can together exceed the size of a request's headers.
  if (status === 431) return;
  if (status < 300) ids.learn(operation.path, body);
  const isNamed = refusals.includes(status) && operation.statuses.includes(status);
  if (status === 400 && !operation.isJudged) {
    const rules = getRules(document, operation);
    expect(body.issues.filter(({ message }: { message: string }) => !rules.has(message))).toEqual([]);
  } else if (status >= 300 && status !== 400 && !isNamed) expect(`${status} ${JSON.stringify(body)}`).toBe("success");
}

const named = operations.map((operation) => [operation.name, operation] as const);

test.each(named)(
  "%s accepts what its schema allows, except by the rules that the reference names",
  async (_name, operation) => {
    const { body: schema } = operation;
    const isAllowed = ({ body }: Request) => schema === undefined || body === undefined || isValid(schema, body);
    // Generated at each request, with ids of earlier answers.
    const requests = fc.constant(0).chain(() => buildRequest(getContext(operation), operation).filter(isAllowed));
    const property = fc.asyncProperty(requests, async (request) => isAccepted(operation, request));
    await fc.assert(property, options);
  },
);

test.each(named.filter(([, { body }]) => body !== undefined))(
  "%s refuses what its schema does not allow, with the path",
  async (_name, operation) => {
    const { body: schema = {} } = operation;
    const isRightAtFirst = ({ body }: Request) => body !== undefined && isValid(schema, body);
    // No Idempotency-Key, which an earlier request may have used.
    const requests = buildRequest(getContext(operation), operation)
      .filter(isRightAtFirst)
      .map((request) => ({ ...request, headers: {} }));
    const property = fc.asyncProperty(requests.chain(invalidBodies), async ({ request, at }) => {
      fc.pre(request.body !== undefined && !isValid(schema, request.body));
      const { status, body } = await send(owner.api, operation, request);
      const element = tolerantElement(schema, at);
      if (element !== undefined && status === 200) {
        expect(body.data[element]).toMatchObject({ success: false });
        return;
      }
      expect([status, body]).toEqual([400, expect.anything()]);
      const paths: string[][] = body.issues.map(({ path }: { path: string[] }) => path);
      const isNear = (path: string[]) => path.every((part, index) => index >= at.length || part === at[index]);
      expect([at, paths]).toEqual([at, expect.toSatisfy((all: string[][]) => all.some(isNear))]);
    });
    await fc.assert(property, options);
  },
);

/** Returns the index of the invalid element in a list that reports errors per element. */
function tolerantElement(schema: Schema, [field = "", index]: readonly string[]): number | undefined {
  const list = getSchema(document, schema).properties?.[field];
  return list?.["x-tolerant"] === true && index !== undefined ? Number(index) : undefined;
}

test.each(named)("%s refuses parameters that it does not have or that are wrong", async (_name, operation) => {
  const context = getContext(operation);
  const property = fc.asyncProperty(buildRequest(context, operation), async (request) => {
    const plain = { ...request, headers: {} };
    const changes = operation.parameters.flatMap(({ in: place, name, schema }) => {
      if (place === "header" || (place === "path" && schema.format !== "uuid")) return [];
      return [{ name, request: { ...plain, [place]: { ...plain[place], [name]: "\0" } } }];
    });
    const unknown = {
      name: "unknownParameter",
      request: { ...plain, query: { ...plain.query, unknownParameter: "1" } },
    };
    for (const { name, request: changed } of [...changes, unknown]) {
      const { status, body } = await send(owner.api, operation, changed);
      expect([name, status, body]).toEqual([name, 400, body]);
      expect(body.issues.map(({ path }: { path: string[] }) => path[0])).toContain(name);
    }
  });
  await fc.assert(property, { ...options, numRuns: 1 });
});

test.each(named.filter(([, { parameters }]) => parameters.some(({ name }) => name === "Idempotency-Key")))(
  "%s refuses another request under a used Idempotency-Key",
  async (_name, operation) => {
    const isAllowed = ({ body }: Request) => operation.body === undefined || isValid(operation.body, body ?? {});
    const requests = buildRequest(getContext(operation), operation).filter(isAllowed);
    const property = fc.asyncProperty(requests, requests, fc.uuid(), async (first, second, key) => {
      const headers = { "Idempotency-Key": key };
      const { status } = await send(owner.api, operation, { ...first, headers });
      if (status >= 300 || JSON.stringify(getMeaning(first)) === JSON.stringify(getMeaning(second))) return;
      const other = await send(owner.api, operation, { ...second, headers });
      if (other.status !== 400) expect([other.status, other.body]).toEqual([422, other.body]);
    });
    await fc.assert(property, { ...options, numRuns: Math.ceil(numRuns / 3) });
  },
);

/** Returns the meaning of the request: empty values equal absent fields. */
function getMeaning({ path, body }: Request): unknown {
  const clean = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value || undefined;
    const members = Object.entries(value).map(([key, item]) => [key, clean(item)] as const);
    const held = members.filter(([, item]) => item !== undefined);
    return held.length === 0 ? undefined : Object.fromEntries(held.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return clean({ path, body });
}

test.each(named)("%s gives another tenant nothing of these ids", async (_name, operation) => {
  const hasId = operation.parameters.some((each) => each.in === "path" && each.schema.format === "uuid");
  const property = fc.asyncProperty(buildRequest(getContext(operation), operation), async (request) => {
    const { status, body } = await send(other.api, operation, request);
    if (hasId && operation.method !== "DELETE") expect([400, 404, 413]).toContain(status);
    const text = JSON.stringify(body ?? null);
    expect(text).not.toContain(owner.applicationId);
    expect(text).not.toContain(owner.orgId);
  });
  await fc.assert(property, { ...options, numRuns: Math.ceil(numRuns / 3) });
});
