import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { createTestCa, selfSigned } from "@ems/test-support/certificates";
import { afterEach, describe, expect, test, vi } from "vitest";
import { senderHarness } from "../../../test/sender-harness.ts";

const harness = await senderHarness();
const { receiver, deliveryRequest, senderWith, sender, ca, dns, name } = harness;
const otherCa = await createTestCa("Other CA");
const sameNameCa = await createTestCa();

afterEach(() => receiver.behave({ kind: "answer", status: 200 }));

describe("certificates", () => {
  test.each([
    ["of an unknown authority", otherCa.issue([name])],
    ["of an authority of the same name", sameNameCa.issue([name])],
    ["that are self-signed", selfSigned([name])],
    ["of another name", ca.issue(["other.example.com"])],
    ["that have expired", ca.issue([name], { expired: true })],
  ])("%s are refused before anything is sent", async (_, issued) => {
    const bad = await harness.startReceiver(name, { identity: await issued });
    const attempt = await sender.send(deliveryRequest({ url: bad.origin }));
    expect(attempt).toMatchObject({ outcome: "CERTIFICATE", statusCode: null, remoteAddress: "127.0.1.1" });
    expect(bad.requests).toEqual([]);
  });

  test("of the test authority are rejected unless a file names it", async () => {
    expect(await senderWith({ isCaTrusted: false }).send(deliveryRequest())).toMatchObject({ outcome: "CERTIFICATE" });
  });

  test("are verified regardless of environment variables", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const bad = await harness.startReceiver(name, { identity: await selfSigned([name]) });
    const attempt = await sender.send(deliveryRequest({ url: bad.origin }));
    vi.unstubAllEnvs();
    expect(attempt).toMatchObject({ outcome: "CERTIFICATE" });
  });

  test("of an IP address are compared with that address", async () => {
    const attempt = await sender.send(deliveryRequest({ url: `https://127.0.1.1:${receiver.port}/` }));
    expect(attempt).toMatchObject({ outcome: "DELIVERED" });
  });
});

test("a receiver without TLS, or with an old version, receives nothing", async () => {
  const identity = await ca.issue([name]);
  const plain = createServer().listen(0, "127.0.1.1");
  const old = createTlsServer({ ...identity, maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "ALL@SECLEVEL=0" });
  old.on("tlsClientError", () => undefined).listen(0, "127.0.1.1");
  await Promise.all([plain, old].map((server) => once(server, "listening")));
  for (const server of [plain, old]) {
    const { port } = server.address() as AddressInfo;
    expect(await sender.send(deliveryRequest({ url: `https://${name}:${port}/` }))).toMatchObject({
      outcome: "BAD_ANSWER",
    });
    server.close();
  }
});

test.each([
  ["an IPv6 address", ["ff0e::1"]],
  ["an IPv4 address", ["255.255.255.255"]],
  ["addresses of both families", ["ff0e::1", "255.255.255.255", "ff0e::2"]],
])("%s, an unreachable address, is refused although connecting fails immediately", async (_, addresses) => {
  const sender = senderWith({ allowCidrs: "ff0e::/16,255.255.255.255/32" });
  dns.set("unroutable.example.com", addresses);
  for (const host of ["unroutable.example.com", ...addresses.map((each) => (isIPv6(each) ? `[${each}]` : each))]) {
    const refused = { outcome: "CONNECTION_REFUSED", statusCode: null, remoteAddress: null };
    expect(await sender.send(deliveryRequest({ url: `https://${host}/` }))).toMatchObject(refused);
  }
  await expect.poll(() => sender.connections).toBe(0);
});

test("a port without a listener is refused; another address of the name is tried", async () => {
  dns.set("closed.example.com", ["127.0.1.9"]);
  const closed = `https://closed.example.com:${receiver.port}/`;
  expect(await sender.send(deliveryRequest({ url: closed }))).toMatchObject({
    outcome: "CONNECTION_REFUSED",
    remoteAddress: null,
  });
  const two = await harness.startReceiver("two.example.com");
  dns.set("two.example.com", ["127.0.1.9", "127.0.1.1"]);
  const attempt = await sender.send(deliveryRequest({ url: two.origin }));
  expect(attempt).toMatchObject({ outcome: "DELIVERED", remoteAddress: "127.0.1.1" });
});

describe("connections", () => {
  test("are reused for the same webhook and never shared with another", async () => {
    const before = receiver.connections;
    const { applicationId } = deliveryRequest();
    for (const _ of [1, 2, 3]) await sender.send(deliveryRequest({ applicationId }));
    expect(receiver.connections).toBe(before + 1);
    await sender.send(deliveryRequest());
    expect(receiver.connections).toBe(before + 2);
  });

  test("that the receiver closed are replaced within the attempt", async () => {
    const { applicationId } = deliveryRequest();
    await sender.send(deliveryRequest({ applicationId }));
    let isFirst = true;
    receiver.behave(() => {
      if (!isFirst) return { kind: "answer", status: 200 };
      isFirst = false;
      return { kind: "reset" };
    });
    expect(await sender.send(deliveryRequest({ applicationId }))).toMatchObject({ outcome: "DELIVERED" });
  });

  test("that a receiver closes after each response are reopened", async () => {
    receiver.behave({ kind: "answer", status: 200, headers: { connection: "close" } });
    const { applicationId } = deliveryRequest();
    for (const _ of [1, 2, 3]) {
      expect(await sender.send(deliveryRequest({ applicationId }))).toMatchObject({ outcome: "DELIVERED" });
    }
  });

  test("are all closed at the end", async () => {
    const other = senderWith({});
    await Promise.all([1, 2, 3].map(() => other.send(deliveryRequest())));
    expect(other.connections).toBe(3);
    await other.close();
    await expect.poll(() => other.connections).toBe(0);
  });
});
