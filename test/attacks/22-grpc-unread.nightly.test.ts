// The gRPC port: unread answers and streams, with a key and without.

import { once } from "node:events";
import type { ClientHttp2Stream } from "node:http2";
import { expect, onTestFinished, test } from "vitest";
import { startAttackedGrpc } from "../harness/attacked-grpc.ts";
import { memoryGrowth } from "../harness/memory-in-use.ts";
import { field } from "../harness/raw-frames.ts";
import { framed, rawCall } from "../harness/raw-grpc.ts";

const attacked = await startAttackedGrpc({ ANSWER_STALL_MS: "3000", STREAM_STALL_MS: "3000" });
const { adminUrl, credentials, noisy, session, neighbour } = attacked;
const watch = "/ems.notifications.v1.EventService/Watch";
const reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const health = "/grpc.health.v1.Health/Watch";
const document = "/ems.catalog.v1.DocumentService/GetDocument";
const nothing = framed(Buffer.alloc(0));
/** WatchRequest {start: EARLIEST}. */
const fromTheBeginning = framed(Buffer.from([0x18, 1]));
/** ServerReflectionRequest {file_containing_symbol}, whose answer is hundreds of kilobytes. */
const askSchema = framed(field(4, Buffer.from("ems.catalog.v1.TopicService")));
/** A client that reads nothing of an answer. */
const unread = { initialWindowSize: 0 };

const { body: stored } = await noisy.api.post("/v0/documents", { title: "Fees", content: "x".repeat(1_000_000) });
const askDocument = framed(field(1, Buffer.from(stored.document.id)));

const rows: [name: string, path: string, headers: Record<string, string>, send: (stream: ClientHttp2Stream) => void][] =
  [
    ["lists", "/ems.catalog.v1.TopicService/ListTopics", credentials, (stream) => stream.end(nothing)],
    ["answers of a megabyte", document, credentials, (stream) => stream.end(askDocument)],
    ["events", watch, credentials, (stream) => stream.end(fromTheBeginning)],
    ["the health", health, {}, (stream) => stream.end(nothing)],
    ["the schema", reflection, {}, (stream) => stream.end(askSchema)],
    [
      "the schema, asked without end",
      reflection,
      {},
      (stream) => {
        for (let at = 0; at < 200; at++) stream.write(askSchema);
      },
    ],
  ];

test.each(rows)("%s, on 100 streams that take no byte, are given up and cost bounded memory", async (...row) => {
  const [, path, headers, send] = row;
  const sessions = Array.from({ length: 5 }, () => session(unread));
  const calls = sessions.flatMap((each) =>
    Array.from({ length: 20 }, () => rawCall(each, path, { ...headers, "grpc-timeout": "" })),
  );
  // Concurrent requests have a limit of their own; this test bounds the buffered answers.
  const answered = Promise.all(calls.map(({ stream, answer }) => Promise.race([once(stream, "response"), answer])));
  const attack = async () => {
    for (const { stream } of calls) send(stream);
    const all = Promise.all(calls.map(({ answer }) => answer));
    await neighbour(3_000);
    for (const { status } of await all) expect(status).not.toBe(0);
  };
  const growth = await memoryGrowth(adminUrl, attack, answered);
  expect(growth).toBeLessThan(60);
});

test("answers that are read a few bytes a second are given up", async () => {
  const calls = Array.from({ length: 5 }, () => session({ initialWindowSize: 1 })).flatMap((each) =>
    Array.from({ length: 10 }, () => rawCall(each, document, { ...credentials, "grpc-timeout": "" })),
  );
  for (const { stream } of calls) stream.pause().end(askDocument);
  const reading = setInterval(() => {
    for (const { stream } of calls) stream.read(1);
  }, 200);
  onTestFinished(() => clearInterval(reading));
  const all = Promise.all(calls.map(({ answer }) => answer));
  await neighbour(3_000);
  for (const { status } of await all) expect(status).not.toBe(0);
});
