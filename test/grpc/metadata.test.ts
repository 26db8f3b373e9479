// Credentials, request ids, idempotency keys and limits as metadata, under the names of REST's headers.

import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";
import { ForeignClient } from "./client.ts";
import { getDetails } from "./error-details.ts";

const { grpcUrl } = inject("product");
const { apiKey, applicationId } = await newTenant();
const client = await ForeignClient.open({ grpcUrl, apiKey });
afterAll(() => client.close());
const create = "ems.catalog.v1.TopicService/CreateTopic";
const list = "ems.catalog.v1.TopicService/ListTopics";

describe("a key is taken as", () => {
  test.each([
    ["a bearer token", { authorization: `Bearer ${apiKey}` }],
    ["x-api-key", { "x-api-key": apiKey }],
    ["x-api-key with its application", { "x-api-key": apiKey, "x-application-id": applicationId }],
  ])("%s", async (_name, headers) => {
    expect(await client.as(headers as Record<string, string>).answer(list)).toMatchObject({ pagination: { skip: 0 } });
  });
});

describe("UNAUTHENTICATED, with what to send, is", () => {
  test.each([
    ["no key", {}],
    ["a wrong key", { authorization: `Bearer ems_${"x".repeat(49)}` }],
    ["another scheme", { authorization: `Basic ${apiKey}` }],
  ])("%s", async (_name, headers) => {
    const error = await client.as(headers as Record<string, string>).failure(list);
    expect(error.code).toBe(16);
    expect(error.details).not.toBe("");
    expect(getDetails(error)["google.rpc.ErrorInfo"]).toMatchObject({
      domain: "ems",
      reason: expect.stringMatching(/^[A-Z_]+$/),
    });
  });
});

test("another application than the key's is PERMISSION_DENIED", async () => {
  const headers = { "x-api-key": apiKey, "x-application-id": randomUUID() };
  expect(await client.as(headers).failure(list)).toMatchObject({ code: 7 });
});

test("the request id is in headers and trailers, of answers and of errors", async () => {
  const sent = `request-${randomUUID()}`;
  const { headers, trailers } = await client.call(list, {}, { headers: { "x-request-id": sent } });
  expect([headers.get("x-request-id"), trailers.get("x-request-id")]).toEqual([[sent], [sent]]);
  const error = await client.failure(create, {}, { headers: { "x-request-id": sent } });
  expect(error.metadata.get("x-request-id")).toContain(sent);
  const made = await client.call(list);
  expect(made.headers.get("x-request-id")).toEqual(made.trailers.get("x-request-id"));
  expect(made.headers.get("x-request-id")).toEqual([expect.stringMatching(/./)]);
});

test("a version is named in the headers, and `if-match` says which one is changed: else ABORTED with the present one", async () => {
  const update = "ems.catalog.v1.TopicService/UpdateTopic";
  const { message, headers } = await client.call(create, { title: randomUUID() });
  const etag = String(headers.get("etag")[0]);
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  const { id } = (message as { data: { id: string } }).data;
  const withMatch = (ifMatch: string) => ({ headers: { "if-match": ifMatch } });
  const changed = await client.call(update, { id, title: randomUUID() }, withMatch(`"another", ${etag}`));
  const present = String(changed.headers.get("etag")[0]);
  expect(present).not.toBe(etag);
  const error = await client.failure(update, { id, title: randomUUID() }, withMatch(etag));
  expect(error.code).toBe(10);
  expect(error.metadata.get("etag")).toEqual([present]);
  const info = { reason: "VERSION_MISMATCH", domain: "ems", metadata: { etag: present } };
  expect(getDetails(error)["google.rpc.ErrorInfo"]).toMatchObject(info);
  const refused = await client.failure(update, { id, title: randomUUID() }, withMatch("another"));
  expect(refused.code).toBe(3);
  expect(getDetails(refused)["google.rpc.BadRequest"]).toMatchObject({ field_violations: [{ field: "if-match" }] });
});

test("a repeat under an idempotency key is answered again and does nothing", async () => {
  for (const key of [randomUUID(), `"${randomUUID()}"`]) {
    const headers = { "idempotency-key": key };
    const first = await client.call(create, { title: "Once" }, { headers });
    const second = await client.call(create, { title: "Once" }, { headers });
    expect(second.message).toEqual(first.message);
    expect([first, second].map((each) => each.headers.get("idempotency-replayed"))).toEqual([[], ["true"]]);
    const other = await client.failure(create, { title: "Twice" }, { headers });
    expect(other).toMatchObject({ code: 9, details: expect.stringContaining("Idempotency-Key") });
  }
});

test.each(["", "x".repeat(256), "x".repeat(7_000), "ü"])(
  "an idempotency key that is none is INVALID_ARGUMENT (%j)",
  async (key) => {
    // grpc-js itself refuses text that is not ASCII.
    if (/[^ -~]/.test(key)) return;
    const error = await client.failure(create, { title: "Never" }, { headers: { "idempotency-key": key } });
    expect([error.code, error.details]).toEqual([3, expect.stringMatching(/idempotency-key/i)]);
  },
);

test("an invalid request names every field, as BadRequest and as protovalidate's violations", async () => {
  const error = await client.failure(create, { title: "", quickstart_id: "x" });
  expect(error).toMatchObject({ code: 3, details: "Invalid request data" });
  const details = getDetails(error);
  expect(details["google.rpc.BadRequest"]).toMatchObject({
    field_violations: expect.arrayContaining([
      expect.objectContaining({ field: "title" }),
      expect.objectContaining({ field: "quickstart_id", description: "Invalid UUID" }),
    ]),
  });
  expect(details).toHaveProperty(["buf.validate.Violations"]);
  expect(details["google.rpc.ErrorInfo"]).toMatchObject({ domain: "ems" });
});

test("answers have the state of the rate limit", async () => {
  const { headers } = await client.call(list);
  expect(headers.get("ratelimit")).toEqual([expect.stringContaining("r=")]);
  expect(headers.get("ratelimit-policy")).toEqual([expect.stringContaining("q=")]);
});
