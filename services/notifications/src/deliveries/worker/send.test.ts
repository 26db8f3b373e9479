import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { secureRandom } from "@ems/kit/id";
import { fixedClock } from "@ems/test-support";
import type { Behaviour } from "@ems/test-support/webhook-receiver";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test } from "vitest";
import { senderHarness } from "../../../test/sender-harness.ts";
import { newWebhookSecret } from "./signed-request.ts";

const harness = await senderHarness();
const { receiver, deliveryRequest, senderWith, sender, secret, dns, name } = harness;

afterEach(() => receiver.behave({ kind: "answer", status: 200 }));

test("a delivery is signed with every secret according to Standard Webhooks", async () => {
  const old = newWebhookSecret(secureRandom);
  const sent = deliveryRequest({ secrets: [secret, old], headers: { Authorization: "Bearer token", "X-Team": "a" } });
  expect(await sender.send(sent)).toMatchObject({
    counts: true,
    outcome: "DELIVERED",
    statusCode: 200,
    remoteAddress: "127.0.1.1",
  });
  const request = receiver.requests.at(-1);
  const headers = request?.headers as Record<string, string>;
  expect(request).toMatchObject({ id: sent.id, method: "POST", path: "/hook?a=1", body: sent.payload });
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "ems-webhooks/1",
    authorization: "Bearer token",
    "x-team": "a",
    host: `${name}:${receiver.port}`,
  });
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  for (const each of [secret, old]) {
    expect(new Webhook(each).verify(sent.payload, headers)).toMatchObject({ id: sent.id });
  }
  expect(() => new Webhook(newWebhookSecret(secureRandom)).verify(sent.payload, headers)).toThrow();
});

test("custom headers do not replace those of the delivery", async () => {
  const sent = deliveryRequest({ headers: { "Webhook-Id": "other", "Content-Type": "text/plain" } });
  await sender.send(sent);
  expect(receiver.requests.at(-1)?.headers).toMatchObject({
    "webhook-id": sent.id,
    "content-type": "application/json",
  });
});

test.each<[string, Behaviour, object]>([
  ["204", { kind: "answer", status: 204 }, { outcome: "DELIVERED", statusCode: 204, responseBody: "" }],
  ["299", { kind: "answer", status: 299, body: "ok" }, { outcome: "DELIVERED", statusCode: 299, responseBody: "ok" }],
  ["400", { kind: "answer", status: 400, body: "no" }, { outcome: "HTTP_STATUS", statusCode: 400, responseBody: "no" }],
  ["410", { kind: "answer", status: 410 }, { outcome: "GONE", statusCode: 410 }],
  ["500", { kind: "answer", status: 500 }, { outcome: "HTTP_STATUS", statusCode: 500 }],
  [
    "503 with Retry-After",
    { kind: "answer", status: 503, headers: { "retry-after": "9" } },
    { outcome: "HTTP_STATUS", statusCode: 503, retryAfterMs: 9_000 },
  ],
  [
    "no end of bytes",
    { kind: "endless", bytesMax: 1 << 30 },
    { outcome: "DELIVERED", statusCode: 200, responseBody: "x".repeat(16 * 1024) },
  ],
  ["an endless body and 500", { kind: "endless", bytesMax: 1 << 30, status: 500 }, { outcome: "HTTP_STATUS" }],
  ["more than its Content-Length", { kind: "long-body" }, { outcome: "DELIVERED", responseBody: "mu" }],
  [
    "less than its Content-Length",
    { kind: "short-body" },
    { outcome: "DELIVERED", statusCode: 200, responseBody: "short" },
  ],
  ["a reset", { kind: "reset" }, { outcome: "CONNECTION_LOST", statusCode: null, responseBody: null }],
  ["a reset within the body", { kind: "reset-in-body" }, { outcome: "DELIVERED", statusCode: 200 }],
  [
    "a body that never ends",
    { kind: "hang-after-headers" },
    { outcome: "DELIVERED", statusCode: 200, responseBody: "" },
  ],
  ["a very slow body", { kind: "drip", everyMs: 100, status: 201 }, { outcome: "DELIVERED", statusCode: 201 }],
  [
    "503 and a body that drips",
    { kind: "drip", everyMs: 100, status: 503 },
    { outcome: "HTTP_STATUS", statusCode: 503 },
  ],
  ["410 and a body that drips", { kind: "drip", everyMs: 100, status: 410 }, { outcome: "GONE", statusCode: 410 }],
  [
    "chunks that are none",
    { kind: "raw", text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nno chunk" },
    { outcome: "DELIVERED", statusCode: 200, responseBody: "ok" },
  ],
  ["invalid HTTP", { kind: "garbage" }, { outcome: "BAD_ANSWER", statusCode: null }],
  [
    "a change of protocol",
    { kind: "answer", status: 101, headers: { upgrade: "x", connection: "upgrade" } },
    { outcome: "BAD_ANSWER" },
  ],
])("a receiver that responds with %s", async (_, behaviour, attempt) => {
  receiver.behave(behaviour);
  expect(await sender.send(deliveryRequest())).toMatchObject({ counts: true, remoteAddress: "127.0.1.1", ...attempt });
});

describe("a slow receiver", () => {
  const impatient = senderWith({ attemptMs: 1_500, connectMs: 1_000 });

  test("that sends no response times out", async () => {
    receiver.behave({ kind: "hang" });
    const attempt = await impatient.send(deliveryRequest());
    expect(attempt).toMatchObject({ counts: true, outcome: "TIMEOUT", statusCode: null });
    expect(attempt.counts && attempt.durationMs).toBeGreaterThanOrEqual(1_400);
  });

  test("that sends its headers byte by byte times out", async () => {
    receiver.behave({ kind: "drip-headers", everyMs: 10 });
    expect(await impatient.send(deliveryRequest())).toMatchObject({
      counts: true,
      outcome: "TIMEOUT",
      statusCode: null,
    });
  });

  test("that does not finish its body is cut off at the attempt's timeout, without reuse of the connection", async () => {
    const hasty = senderWith({ attemptMs: 500 });
    receiver.behave({ kind: "drip", everyMs: 10 });
    const lateHeaders = { counts: true, outcome: "TIMEOUT", statusCode: null };
    const cutBody = {
      counts: true,
      outcome: "DELIVERED",
      statusCode: 200,
      responseBody: expect.stringMatching(/^\.+$/),
    };
    // On a busy machine, the headers or first byte may arrive after the attempt; then the test makes another attempt.
    await expect
      .poll(async () => {
        const attempt = await hasty.send(deliveryRequest());
        // The body never ends by itself.
        expect(attempt.counts && attempt.durationMs).toBeLessThan(10_000);
        if (attempt.counts && attempt.statusCode === null) expect(attempt).toMatchObject(lateHeaders);
        return attempt;
      })
      .toMatchObject(cutBody);
    await expect.poll(() => hasty.connections).toBe(0);
  });

  test("that does not complete the TLS handshake times out", async () => {
    const silent = createServer().listen(0, "127.0.1.2");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    dns.set("silent.example.com", ["127.0.1.2"]);
    const attempt = await impatient.send(deliveryRequest({ url: `https://silent.example.com:${port}/` }));
    expect(attempt).toMatchObject({ counts: true, outcome: "TIMEOUT", remoteAddress: "127.0.1.2" });
    silent.close();
  });
});

test("secrets and header values are redacted in a stored body, even across its end", async () => {
  const headers = { authorization: "Bearer top-secret-token", "x-quote": 'with "quotes" in it' };
  const echo = JSON.stringify({ secret, headers, bare: "top-secret-token", key: secret.slice(6) });
  receiver.behave({
    kind: "answer",
    status: 200,
    body: echo + "x".repeat(16 * 1024 - echo.length - 8) + headers.authorization,
  });
  const attempt = await sender.send(deliveryRequest({ headers }));
  const stored = attempt.counts ? (attempt.responseBody ?? "") : "";
  expect(stored).not.toMatch(/top-secret|Bearer|quotes|whsec_/);
  expect(stored).not.toContain(secret.slice(6));
  expect(stored).toContain("[redacted]");
  expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(16 * 1024);
});

test("a body of any bytes is stored as valid text", async () => {
  receiver.behave({
    kind: "answer",
    status: 200,
    body: Buffer.from([0x61, 0x00, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62]),
  });
  const attempt = await sender.send(deliveryRequest());
  expect(attempt.counts && attempt.responseBody?.isWellFormed()).toBe(true);
  expect(attempt.counts && attempt.responseBody).not.toContain("\0");
});

describe("internal errors do not count", () => {
  test("name servers that do not respond or fail", async () => {
    dns.set("unknown.example.com", "SERVFAIL");
    const sent = deliveryRequest({ url: "https://unknown.example.com:8443/" });
    expect(await sender.send(sent)).toEqual({ counts: false, fault: "RESOLVER" });
    dns.set("unknown.example.com", "silence");
    expect(await sender.send(sent)).toEqual({ counts: false, fault: "RESOLVER" });
  });

  test("an attempt aborted before its response", async () => {
    const other = senderWith({});
    receiver.behave({ kind: "hang" });
    const before = receiver.requests.length;
    const attempt = other.send(deliveryRequest());
    await expect.poll(() => receiver.requests.length).toBe(before + 1);
    other.abort();
    expect(await attempt).toEqual({ counts: false, fault: "SHUTDOWN" });
  });

  test("an attempt aborted during DNS resolution", async () => {
    dns.set("slow.example.com", "silence");
    const other = senderWith({});
    const attempt = other.send(deliveryRequest({ url: "https://slow.example.com:8443/" }));
    other.abort();
    expect(await attempt).toEqual({ counts: false, fault: "SHUTDOWN" });
  });
});

test("a name that does not exist counts", async () => {
  const attempt = await sender.send(deliveryRequest({ url: "https://nowhere.example.com:8443/" }));
  expect(attempt).toMatchObject({ counts: true, outcome: "NAME_NOT_FOUND", remoteAddress: null });
});

test("the time of an attempt comes from the injected clock", async () => {
  const still = fixedClock("2030-01-01T00:00:00.000Z");
  const other = senderWith({ clock: still });
  expect(await other.send(deliveryRequest())).toMatchObject({ startedAt: still.now() });
  expect(receiver.requests.at(-1)?.headers["webhook-timestamp"]).toBe(String(still.now().getTime() / 1000));
});
