// Connect and gRPC-Web, as browsers and curl use them, over HTTP/1.1 and HTTP/2. Message types come from reflection.

import { createFileRegistry, type DescService, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import grpc from "@grpc/grpc-js";
import { describe, expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";
import { buildMetadata } from "./client.ts";
import { reflect } from "./reflection.ts";

const { grpcUrl } = inject("product");
const { apiKey } = await newTenant();
const authorization = `Bearer ${apiKey}`;
const { set } = await reflect(
  new URL(grpcUrl).host,
  grpc.credentials.createInsecure(),
  buildMetadata({ authorization }),
);
const service = createFileRegistry(fromBinary(FileDescriptorSetSchema, set)).getService(
  "ems.catalog.v1.TopicService",
) as DescService;

const transports: [string, Transport][] = (["1.1", "2"] as const).flatMap((httpVersion) => {
  const options = { baseUrl: grpcUrl, httpVersion };
  return [
    [`Connect with JSON over HTTP/${httpVersion}`, createConnectTransport({ ...options, useBinaryFormat: false })],
    [`Connect with protobuf over HTTP/${httpVersion}`, createConnectTransport({ ...options, useBinaryFormat: true })],
    [`gRPC-Web over HTTP/${httpVersion}`, createGrpcWebTransport(options)],
    ...(httpVersion === "2" ? [["gRPC", createGrpcTransport(options)] as [string, Transport]] : []),
  ];
});

describe.each(transports)("%s", (_name, transport) => {
  // biome-ignore lint/suspicious/noExplicitAny: the types of reflection are not known to the compiler
  const client = createClient(service, transport) as any;
  const headers = { authorization };

  test("writes and reads", async () => {
    const { data } = await client.createTopic({ title: "From a browser" }, { headers });
    expect(await client.getTopic({ id: data.id }, { headers })).toMatchObject({
      data: { id: data.id, title: "From a browser" },
    });
    const { pagination } = await client.listTopics({ limit: 1 }, { headers });
    expect(pagination.limit).toBe(1);
  });

  test("errors have their code, their details and the request id", async () => {
    const error = await client.createTopic({ title: "" }, { headers }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: Code.InvalidArgument, rawMessage: "Invalid request data" });
    expect(error.details.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(["google.rpc.ErrorInfo", "google.rpc.BadRequest", "buf.validate.Violations"]),
    );
    expect(error.metadata.get("x-request-id")).toEqual(expect.stringMatching(/./));
    await expect(client.listTopics({}, {})).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  test("idempotency keys and deadlines are the same", async () => {
    const options = { headers: { ...headers, "idempotency-key": `of-${_name.replaceAll(/\W/g, "-")}` } };
    const first = await client.createTopic({ title: "Once" }, options);
    expect((await client.createTopic({ title: "Once" }, options)).data.id).toBe(first.data.id);
    // A single call could be answered within its deadline of one millisecond.
    const hurried = Array.from({ length: 50 }, () => client.listTopics({}, { headers, timeoutMs: 1 }));
    const late = (await Promise.allSettled(hurried)).filter(({ status }) => status === "rejected");
    expect(late).not.toEqual([]);
    for (const each of late) expect(each).toMatchObject({ reason: { code: Code.DeadlineExceeded } });
  });
});

const post = (rpc: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${grpcUrl}/ems.catalog.v1.TopicService/${rpc}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization, ...headers },
    body,
  });

test("an empty message is answered, also as the first of a connection", async () => {
  for (let connections = 0; connections < 10; connections++) {
    const transport = createConnectTransport({ baseUrl: grpcUrl, httpVersion: "2", useBinaryFormat: true });
    const { listTopics } = createClient(service, transport) as Record<string, (...args: unknown[]) => Promise<unknown>>;
    expect(await listTopics?.({}, { headers: { authorization }, timeoutMs: 30_000 })).toHaveProperty("pagination");
  }
});

describe("JSON by curl", () => {
  test("is the standard mapping of protobuf", async () => {
    const answer = await post("CreateTopic", '{"title": "By curl", "status": "TOPIC_STATUS_DRAFT"}');
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: unknown };
    expect(data).toMatchObject({ title: "By curl", status: "TOPIC_STATUS_DRAFT" });
  });

  test.each([
    ["an unknown field", "CreateTopic", '{"title": "x", "colour": "red"}', "colour"],
    ["an unknown enum name", "CreateTopic", '{"title": "x", "status": "DRAFT"}', "status"],
    ["an unknown enum name in a list", "ListTopics", '{"status": ["ARCHIVED"]}', "status"],
    ["a wrong type", "CreateTopic", '{"title": 5}', "title"],
  ])("refuses %s, and names it", async (_name, rpc, body, field) => {
    const answer = await post(rpc, body);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining(field) }),
    ]);
  });

  test.each(["{", "[]", '"x"', "null"])("refuses what is no message: %s", async (body) => {
    const answer = await post("CreateTopic", body);
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code: "invalid_argument" })]);
  });

  test("errors are Connect's", async () => {
    const answer = await post("ListTopics", "{}", { authorization: "" });
    expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ code: "unauthenticated" })]);
    expect((await post("NoSuchRpc", "{}")).status).toBe(501);
    expect(answer.headers.get("x-request-id")).toEqual(expect.stringMatching(/./));
  });
});
