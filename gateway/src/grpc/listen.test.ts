// Connections of the gRPC port: cleartext and TLS, HTTP/1.1 and HTTP/2, silent, slow and old clients.

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http2 from "node:http2";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { createTestCa } from "@ems/test-support/certificates";
import { expect, onTestFinished, test } from "vitest";
import { credentials, openGateway } from "../../test/harness.ts";
import { openSession, rawCall } from "../../test/raw-call.ts";

const list = "/ems.catalog.v1.TopicService/ListTopics";
const nothing = new Uint8Array();
const soon = { timeout: 30_000, interval: 50 };

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "ems-grpc-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const portWith = (env: Record<string, string> = {}) =>
  openGateway((router) => router.service(TopicService, { listTopics: async () => ({}) }), env);

test("over TLS, gRPC over HTTP/2 and Connect over HTTP/1.1 are served", async () => {
  const ca = await createTestCa();
  const { cert, key } = await ca.issue(["127.0.0.1"]);
  const [certFile, keyFile] = ["cert.pem", "key.pem"].map((name) => join(directory(), name)) as [string, string];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const { port } = await portWith({ GRPC_TLS_CERT_FILE: certFile, GRPC_TLS_KEY_FILE: keyFile });

  const session = http2.connect(`https://127.0.0.1:${port}`, { ca: ca.cert });
  onTestFinished(() => session.destroy());
  expect((await rawCall(session, list, nothing, credentials)).status).toBe(0);

  const headers = { ...credentials, "content-type": "application/json" };
  const posted = request({ host: "127.0.0.1", port, path: list, method: "POST", headers, ca: ca.cert });
  posted.end("{}");
  const [answer] = await once(posted, "response");
  expect(answer.statusCode).toBe(200);
  answer.resume();

  // Cleartext is rejected.
  const plain = openSession(port);
  await once(plain, "close");
});

test("a certificate and key that do not match prevent the start", async () => {
  const file = join(directory(), "cert.pem");
  writeFileSync(file, "no certificate");
  await expect(portWith({ GRPC_TLS_CERT_FILE: file, GRPC_TLS_KEY_FILE: file })).rejects.toThrow(
    /GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE/,
  );
  await expect(portWith({ GRPC_TLS_CERT_FILE: file })).rejects.toThrow(/must be set together/);
});

test("connections that send nothing, or send an HTTP/1.1 request slowly, are closed", async () => {
  const { port } = await portWith();
  const started = performance.now();
  const sockets = ["", "POST / HTTP/1.1\r\nhost: a\r\n", "PRI * HTTP/2.0\r\n"].map((text) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(text);
    return socket.on("error", () => undefined).resume();
  });
  await expect.poll(() => sockets.every(({ closed, readableEnded }) => closed || readableEnded), soon).toBe(true);
  expect(performance.now() - started).toBeGreaterThan(5_000);
}, 40_000);

test("an old connection is asked to close, and its running request gets a response", async () => {
  const release = Promise.withResolvers<void>();
  const { port } = await openGateway(
    (router) => router.service(TopicService, { listTopics: () => release.promise.then(() => ({})) }),
    { GRPC_CONNECTION_AGE_MAX_MS: "500" },
  );
  const session = openSession(port);
  const answer = rawCall(session, list, nothing, credentials);
  const [code] = await once(session, "goaway");
  expect(code).toBe(http2.constants.NGHTTP2_NO_ERROR);
  release.resolve();
  expect((await answer).status).toBe(0);
  await expect.poll(() => session.destroyed, soon).toBe(true);
});
