// No attempt connects to a forbidden address, no matter what names resolve to and receivers respond. Receivers are
// allowed at 127.0.1.0/24; listeners at other addresses count connections.

import { startForbiddenListener } from "@ems/test-support/webhook-receiver";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { senderHarness } from "../../../test/sender-harness.ts";

const harness = await senderHarness("hooks.example.com");
const { receiver, sender, senderWith, deliveryRequest, dns } = harness;
const { port } = receiver;
// Uses the port of the receiver, so that a name whose address changes leads there.
const forbidden = await Promise.all(
  ["127.0.0.1", "127.0.0.2", "127.0.2.1", "::1"].map((host) => startForbiddenListener(host, port)),
);
const intrusions = () => forbidden.reduce((sum, { connections }) => sum + connections, 0);

afterEach(() => {
  expect(intrusions()).toBe(0);
  receiver.behave({ kind: "answer", status: 200 });
});
afterAll(() => Promise.all(forbidden.map((listener) => listener.close())));

const notPublic = { counts: true, outcome: "NOT_PUBLIC", statusCode: null, remoteAddress: null };

test("an allowed address is reached (control)", async () => {
  expect(await sender.send(deliveryRequest())).toMatchObject({ outcome: "DELIVERED" });
});

test.each([
  "127.0.0.1",
  "127.0.0.2",
  "127.0.2.1",
  "127.1",
  "2130706433",
  "0x7f.0.0.1",
  "017700000001",
  "0",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:2]",
  "[::7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::1]",
  "[fe80::1]",
  "169.254.169.254",
  "localhost",
  "x.localhost",
])("the literal %s", async (host) => {
  expect(await sender.send(deliveryRequest({ url: `https://${host}:${port}/` }))).toMatchObject(notPublic);
});

test.each([
  "http://hooks.example.com:PORT/",
  "https://user:password@hooks.example.com:PORT/",
  "https://hooks.example.com:PORT/#part",
  "https://hooks.example.com:80/",
  "https://hooks.example.com:6379/",
  "https://127.0.1.1:5432/",
  "no URL",
])("a URL that must not be set, %s", async (url) => {
  expect(await sender.send(deliveryRequest({ url: url.replace("PORT", String(port)) }))).toMatchObject(notPublic);
});

describe("a name", () => {
  const url = `https://bad.example.com:${port}/`;

  test.each([
    ["of a forbidden address", ["127.0.0.1"]],
    ["of a forbidden IPv6 address", ["::1"]],
    ["of a forbidden address mapped into IPv6", ["::ffff:127.0.0.2"]],
    ["of an allowed address and a forbidden one", ["127.0.1.1", "127.0.0.2"]],
    ["of an allowed IPv4 and a forbidden IPv6 address", ["127.0.1.1", "::1"]],
  ])("%s", async (_, addresses) => {
    dns.set("bad.example.com", addresses);
    // Uses another sender, because look-ups of names are cached for seconds.
    expect(await senderWith({}).send(deliveryRequest({ url }))).toMatchObject(notPublic);
  });

  test("that changes between the check and the connection", async () => {
    const name = "rebinding.example.com";
    await harness.startReceiver(name, { host: "127.0.1.7", port });
    dns.script(name, [["127.0.1.7"], ["127.0.0.1"]]);
    const { applicationId } = deliveryRequest();
    const sent = () => deliveryRequest({ applicationId, url: `https://${name}:${port}/` });
    const queries = () => dns.questions.filter((question) => question.name === name && question.type === "A").length;
    expect(await sender.send(sent())).toMatchObject({ outcome: "DELIVERED", remoteAddress: "127.0.1.7" });
    expect(queries()).toBe(1);
    // The name now resolves to the forbidden address, so the open connection to the allowed one is not reused.
    expect(await senderWith({}).send(sent())).toMatchObject(notPublic);
  });

  test("that changes its address: connections to the previous address are closed", async () => {
    const name = "moving.example.com";
    const before = await harness.startReceiver(name, { host: "127.0.1.8", port });
    const { applicationId } = deliveryRequest();
    const sent = () => deliveryRequest({ applicationId, url: `https://${name}:${port}/` });
    const now = vi.spyOn(performance, "now");
    expect(await sender.send(sent())).toMatchObject({ remoteAddress: "127.0.1.8" });
    const after = await harness.startReceiver(name, { host: "127.0.1.9", port });
    // Six seconds later, the DNS answer has expired but the connection is still open.
    const laterMs = now.mock.results.at(-1)?.value + 6_000;
    now.mockImplementation(() => laterMs);
    expect(await sender.send(sent())).toMatchObject({ outcome: "DELIVERED", remoteAddress: "127.0.1.9" });
    now.mockRestore();
    expect(before.received.size).toBe(1);
    expect(after.received.size).toBe(1);
  });
});

test.each([301, 302, 303, 307, 308])("a redirect, %i, is a failure and is not followed", async (status) => {
  receiver.behave({ kind: "answer", status, headers: { location: `https://127.0.0.1:${port}/` } });
  expect(await sender.send(deliveryRequest())).toMatchObject({ counts: true, outcome: "REDIRECT", statusCode: status });
});

test("proxies of the environment", async () => {
  for (const variable of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "ALL_PROXY"]) {
    vi.stubEnv(variable, `http://127.0.0.1:${port}`);
  }
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  expect(await senderWith({}).send(deliveryRequest())).toMatchObject({ outcome: "DELIVERED" });
  vi.unstubAllEnvs();
});
