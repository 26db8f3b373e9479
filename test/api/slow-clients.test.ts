import { once } from "node:events";
import { connect } from "node:net";
import { expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { apiKey, applicationId } = await newTenant();
const url = new URL(inject("product").baseUrl);

/** Connects and sends `text` only; returns the answer until the other side closes, and the time. */
async function say(text: string): Promise<{ answer: string; ms: number }> {
  const startedMs = Date.now();
  const socket = connect(Number(url.port), url.hostname);
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(text);
  await once(socket, "close");
  return { answer, ms: Date.now() - startedMs };
}

const credentials = `x-api-key: ${apiKey}\r\nx-application-id: ${applicationId}\r\n`;

// Concurrent, since each waits for the server's own time limit. The test fails if the limit is exceeded by much.
const timeout = 30_000;

test.concurrent("headers that do not come are cut off after 10 s", { timeout }, async () => {
  const { answer, ms } = await say("GET /v0/topics HTTP/1.1\r\nhost: localhost\r\nx-slow: ");
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('{"message":"The request took too long to arrive"}');
  expect(ms).toBeGreaterThan(9_000);
});

test.concurrent("a body that does not come is cut off after 15 s", { timeout }, async () => {
  const { answer, ms } = await say(
    `POST /v0/topics HTTP/1.1\r\nhost: localhost\r\n${credentials}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"title`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(ms).toBeGreaterThan(14_000);
});

test.concurrent("a request that is not HTTP gets a JSON error", async () => {
  const { answer } = await say("\x16\x03\x01 hello\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('{"message":"Not an HTTP request"}');
});
