// Charges for calls over real sockets, for each kind of connection failure.

import { newId } from "@ems/kit/id";
import { testTenant } from "@ems/test-support";
import { selfSigned } from "@ems/test-support/certificates";
import { startDnsServer } from "@ems/test-support/dns-server";
import { modelServer } from "@ems/test-support/model-server";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { jobsHarness } from "../../test/jobs-harness.ts";
import { testConnection, testModels } from "../../test/models.ts";
import { type SocketBehavior, socketServer } from "../../test/socket-server.ts";
import { ModelFault, type ModelRequest } from "../judges/index.ts";
import { tokensMax } from "../model/index.ts";
import { MeteredModel } from "./metered-model.ts";

const harness = await jobsHarness();
const { budgets, clock, limits, sql } = harness;
const dns = await startDnsServer();
const models = testModels({
  MODEL_CALL_TIMEOUT_MS: "1000",
  MODEL_CONNECT_TIMEOUT_MS: "300",
  DNS_SERVERS: dns.address,
});
afterAll(async () => {
  await models.close();
  await dns.close();
});

const connections = { find: async () => undefined, succeeded: async () => undefined, failed: async () => false };
const meter = { limits, budgets, connections, clock, newId, callTimeoutMs: 60_000 };
const schema = { name: "answer", json: {}, parse: (value: unknown) => value };
const request = (more: Partial<ModelRequest<unknown>> = {}): ModelRequest<unknown> => ({
  system: "judge",
  prompt: "answer",
  schema,
  temperature: 0,
  maxOutputTokens: 10,
  signal: AbortSignal.timeout(60_000),
  ...more,
});

/** Makes one call; returns the application's spend in tokens, and the cost stored with the evaluation. */
async function charge(baseUrl: string, sent = request()) {
  const tenant = testTenant();
  const caller = models.caller(testConnection(baseUrl));
  const model = new MeteredModel(meter, tenant, { ...harness.connection(async () => undefined), caller }, null);
  await model.generate(sent).catch(() => undefined);
  const [row] = await sql<Record<string, string>>(
    `SELECT tokens, cost_micro, uncertain_tokens, uncertain_cost_micro FROM evaluation.spending
     WHERE application_id = $1 AND period = 'day'`,
    [tenant.applicationId],
  );
  const { inputTokens, outputTokens } = tokensMax(sent);
  const most = inputTokens + outputTokens;
  const { costMicro, uncertainCostMicro } = model.consumed;
  const sums = ["tokens", "cost_micro", "uncertain_tokens", "uncertain_cost_micro"].map((name) => Number(row?.[name]));
  return { sums: [...sums, costMicro, uncertainCostMicro], most };
}

const nothing = [0, 0, 0, 0, 0, 0];

async function serve(behavior: SocketBehavior) {
  const server = await socketServer(behavior);
  onTestFinished(() => server.close());
  return { server, url: `http://127.0.0.1:${server.port}/v1` };
}

/** Larger than the kernel's buffer for a connection that is not read. */
const largePrompt = "x".repeat(16 * 1024 * 1024);

describe("a call whose body was not sent costs nothing", () => {
  test("a refused port", async () => {
    const { server, url } = await serve({});
    await server.close();
    expect((await charge(url)).sums).toEqual(nothing);
  });

  test.each(["NXDOMAIN", "SERVFAIL"] as const)("a name that does not resolve (%s)", async (failure) => {
    dns.set("model.example.com", failure);
    expect((await charge("https://model.example.com/v1")).sums).toEqual(nothing);
  });

  test("a certificate that is not trusted", async () => {
    const server = await modelServer({ tls: await selfSigned(["127.0.0.1"]) });
    onTestFinished(() => server.close());
    expect((await charge(server.url)).sums).toEqual(nothing);
    expect(server.requests).toEqual([]);
  });

  test("a server that does not speak TLS", async () => {
    const { url } = await serve({ onConnection: (socket) => socket.write("SSH-2.0-x\r\n") });
    expect((await charge(url.replace("http:", "https:"))).sums).toEqual(nothing);
  });

  test("a TLS handshake that does not end", async () => {
    const { url } = await serve({});
    expect((await charge(url.replace("http:", "https:"))).sums).toEqual(nothing);
  });

  test.each([
    ["resets", (socket) => socket.resetAndDestroy()],
    ["closes", (socket) => socket.end()],
  ] satisfies [string, SocketBehavior["onConnection"]][])(
    "a server that %s when it accepts",
    async (_, onConnection) => {
      const { server, url } = await serve({ onConnection });
      expect((await charge(url)).sums).toEqual(nothing);
      expect(server.bodyBytes()).toBe(0);
      expect(server.connections()).toBe(1);
    },
  );

  test("a call that is canceled before its connection opens", async () => {
    const { url } = await serve({});
    const stop = new AbortController();
    const stopped = charge(url.replace("http:", "https:"), request({ signal: stop.signal }));
    setImmediate(() => stop.abort(new Error("shutdown")));
    expect((await stopped).sums).toEqual(nothing);
  });

  test.each([400, 401, 429, 500, 503])("an answer of status %d", async (status) => {
    const server = await modelServer();
    onTestFinished(() => server.close());
    server.script({ kind: "error", status });
    expect((await charge(server.url)).sums).toEqual(nothing);
  });
});

describe("a call whose body was sent and that got no answer is uncertain", () => {
  const reset: SocketBehavior = {
    onRead: (socket, { isComplete }) => isComplete && socket.resetAndDestroy(),
  };
  test.each<[string, SocketBehavior, string]>([
    // The client writes the headers and the start of the body together. So the server's reset does not reveal how much
    // of the body it had read.
    ["after the headers", { onRead: (socket) => socket.resetAndDestroy() }, "answer"],
    [
      "in the middle of a large body",
      { onRead: (socket, { bodyBytes }) => bodyBytes > 100_000 && socket.resetAndDestroy() },
      largePrompt,
    ],
    ["after the whole body", reset, "answer"],
    ["after the whole large body", reset, largePrompt],
    [
      "after half of an answer",
      {
        onRead: (socket, { isComplete }) =>
          isComplete &&
          socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{", () =>
            socket.resetAndDestroy(),
          ),
      },
      "answer",
    ],
    ["never, and no answer in time", {}, "answer"],
  ])("the server resets %s", async (_, behavior, prompt) => {
    const { server, url } = await serve(behavior);
    const { sums, most } = await charge(url, request({ prompt }));
    expect(sums).toEqual([0, 0, most, most, 0, most]);
    expect(server.bodyBytes()).toBeGreaterThan(0);
    expect(server.connections()).toBe(1);
  });

  test("a call that is canceled after its body was sent", async () => {
    const stop = new AbortController();
    const { url } = await serve({ onRead: (_, { isComplete }) => isComplete && stop.abort(new Error("shutdown")) });
    const { sums, most } = await charge(url, request({ signal: stop.signal }));
    expect(sums).toEqual([0, 0, most, most, 0, most]);
  });
});

test("an answer is charged its usage, also on a reused connection", async () => {
  const server = await modelServer();
  onTestFinished(() => server.close());
  const usage = { inputTokens: 12, outputTokens: 3 };
  server.script({ kind: "answer", object: {}, usage }, { kind: "answer", object: {}, usage });
  for (const _ of [1, 2]) expect((await charge(server.url)).sums).toEqual([15, 15, 0, 0, 15, 0]);
});

test("a request whose parameter a 400 rejects costs nothing; the repeated request counts", async () => {
  const server = await modelServer();
  onTestFinished(() => server.close());
  server.script({ kind: "error", status: 400, message: "Unsupported value: 'temperature'" }, { kind: "hang" });
  const { sums, most } = await charge(server.url);
  expect(sums).toEqual([0, 0, most, most, 0, most]);
});

test("an evaluation includes the uncertain cost of the attempts before its successful one", async () => {
  let attempts = 0;
  const found = harness.connection(async ({ transmission }) => {
    attempts++;
    if (transmission === undefined || attempts > 2) return;
    transmission.state = attempts === 1 ? "sent" : "unsent";
    throw new ModelFault("unavailable", "The connection broke");
  });
  await harness.add(1);
  const worker = harness.start(found);
  await vi.waitFor(() => {
    clock.advance(60_000);
    expect(harness.ended()).toHaveLength(1);
  });
  await worker.stop();
  const most = tokensMax(request());
  const uncertainCostMicro = BigInt(most.inputTokens + most.outputTokens);
  expect(harness.ended()).toMatchObject([{ attempts: 3, inputTokens: 10n, costMicro: 15n, uncertainCostMicro }]);
});
