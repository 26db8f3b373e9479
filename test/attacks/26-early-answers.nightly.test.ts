// An unauthenticated large body, answered before it has arrived: behind a reverse proxy that reuses connections, the rest of it must
// not be read as the beginning of another client's request.

import { type ClientHttp2Session, connect } from "node:http2";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { type ProxyName, startReverseProxy } from "../harness/reverse-proxies.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked();
const stranger = await product.tenant();
const getCredentials = ({ apiKey, applicationId }: TestTenant) => ({
  "x-api-key": apiKey,
  "x-application-id": applicationId,
});
const rounds = 8;

/** The client's requests, and the status that answers each before its body ends. */
const earlyAnswers = {
  "no key, 12 MB to ingest": { path: "/v0/ingest", bytes: 12_000_000, status: 401, headers: {} },
  "a path that does not exist, 12 MB": { path: "/v0/nothing", bytes: 12_000_000, status: 404, headers: {} },
  "a media type that is not taken, 900 KB": {
    path: "/v0/topics",
    bytes: 900_000,
    status: 415,
    headers: { ...getCredentials(stranger), "content-type": "text/plain" },
  },
  "a method that the path does not have, 5 MB": { path: "/v0/tags/x", bytes: 5_000_000, status: 405, headers: {} },
};

interface Sent {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** Bytes sent of the body; the rest is never sent. */
  readonly sentBytes: number | undefined;
}

/** The status; undefined if the stream ended without one. */
function post(session: ClientHttp2Session, { path, headers, body, sentBytes }: Sent): Promise<number | undefined> {
  const type = { "content-type": "application/json", "content-length": body.length };
  const stream = session.request({ ":method": "POST", ":path": path, ...type, ...headers });
  return new Promise((resolve) => {
    stream.on("response", ({ ":status": status }) => {
      stream.resume();
      resolve(status);
    });
    stream.on("error", () => undefined).on("close", () => resolve(undefined));
    if (sentBytes === undefined) stream.end(body);
    else stream.write(body.subarray(0, sentBytes));
  });
}

function openSession(url: string): ClientHttp2Session {
  const session = connect(url);
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

describe.each<ProxyName>(["haproxy", "nginx"])("behind %s", async (name) => {
  const proxy = await startReverseProxy(name, product.facts.baseUrl);
  afterAll(() => proxy.stop());

  const cases = Object.entries(earlyAnswers).flatMap(([text, early]) => [
    { ...early, text, sentBytes: undefined },
    { ...early, text: `${text}, of which 30 KB are sent`, sentBytes: 30_000 },
  ]);
  test.each(cases)("$text", async ({ path, bytes, status, headers, sentBytes }) => {
    // Large bodies use more of a rate limit.
    const credentials = getCredentials(await product.tenant());
    const statuses: (number | undefined)[] = [];
    const refused: (number | undefined)[] = [];
    for (let round = 0; round < rounds; round++) {
      const session = openSession(proxy.url);
      const refusal = post(session, { path, headers, sentBytes, body: Buffer.alloc(bytes, "{") });
      const client = openSession(proxy.url);
      const text = JSON.stringify({ title: `Round ${round}` });
      // White space makes the valid request large.
      const body = Buffer.from(text.padEnd(600_000));
      refused.push(await refusal);
      statuses.push(await post(client, { path: "/v0/topics", headers: credentials, body, sentBytes: undefined }));
      session.destroy();
      client.destroy();
    }
    expect(statuses).toEqual(Array.from({ length: rounds }, () => 201));
    // A proxy that sends the rest of the body to a closed connection may answer the client itself.
    expect(refused.filter((code) => code !== status && code !== undefined && code < 500)).toEqual([]);
  });
});
