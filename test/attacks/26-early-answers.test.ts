// Answers to requests whose bodies have not arrived, on every HTTP/1.1 port: they close the connection, so that no
// proxy sends another client's request behind the rest of a body.

import { once } from "node:events";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { rawClient, requestHead, statusesIn } from "../harness/raw-client.ts";

const product = await startAttacked();
const { facts } = product;
const quiet = await product.tenant();
const key = { "x-api-key": quiet.apiKey, "x-application-id": quiet.applicationId };
const json = { "content-type": "application/json" };

const early: Record<string, readonly [url: string, line: string, headers: Record<string, string>, status: number]> = {
  "the API without a key": [facts.baseUrl, "POST /v0/topics", json, 401],
  "the API, a path that does not exist": [facts.baseUrl, "POST /v0/nothing", json, 404],
  "the API, a method that the path does not have": [facts.baseUrl, "PATCH /v0/tags", json, 405],
  "the API, a path that is no UTF-8": [facts.baseUrl, "POST /v0/%ff", json, 400],
  "the API, another media type": [facts.baseUrl, "POST /v0/topics", { ...key, "content-type": "text/plain" }, 415],
  "OTLP over the API's port": [facts.baseUrl, "POST /v1/traces", { "content-type": "application/x-protobuf" }, 401],
  "the console's sign-in": [
    facts.baseUrl,
    "POST /console/api/session",
    { ...json, origin: "https://evil.example" },
    403,
  ],
  "a file of the console": [facts.baseUrl, "POST /", json, 405],
  "a probe": [facts.baseUrl, "GET /livez", {}, 200],
  "the gRPC port, Connect": [facts.grpcUrl, "POST /ems.catalog.v1.TopicService/CreateTopic", json, 401],
  "the gRPC port, an RPC that does not exist": [facts.grpcUrl, "POST /ems.catalog.v1.TopicService/No", json, 501],
  "the admin port": [facts.adminUrl, "POST /metrics", json, 405],
};

test.each(Object.entries(early))("%s", async (_name, [url, line, headers, status]) => {
  for (const framing of [{ "content-length": 60_000 }, { "transfer-encoding": "chunked" }]) {
    const client = await rawClient(url, requestHead(line, { ...headers, ...framing }), { allowHalfOpen: true });
    client.read();
    const ended = once(client.socket, "end");
    await ended;
    expect(statusesIn(client.received())).toEqual([status]);
    expect(client.received()).toMatch(/\r\nconnection: close\r\n/i);
    // A client that continues to send is not reset, and its further bytes are not parsed as a request.
    const errors: Error[] = [];
    client.socket.on("error", (error) => errors.push(error));
    client.socket.write("x".repeat(1_000));
    client.socket.end(requestHead("GET /livez"));
    await client.closed;
    expect(errors).toEqual([]);
    expect(statusesIn(client.received())).toEqual([status]);
  }
});

test("a request that has arrived with its headers keeps its connection", async () => {
  const body = '{"title": 1}';
  const head = requestHead("POST /v0/topics", { ...key, ...json, "content-length": body.length });
  const unknown = requestHead("POST /v0/nothing", { "content-length": 2 });
  const client = (await rawClient(facts.baseUrl, `${head}${body}${unknown}{}${head}${body}`)).read();
  await expect.poll(() => statusesIn(client.received())).toEqual([400, 404, 400]);
  client.socket.write(`${unknown}{}`);
  await expect.poll(() => statusesIn(client.received())).toEqual([400, 404, 400, 404]);
  expect(client.received()).not.toMatch(/connection: close/i);
});
