// A watch over TLS across restarts of the product, in both shapes, by a client that knows only the reflected schema.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestCa } from "@ems/test-support/certificates";
import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { ForeignClient } from "../grpc/client.ts";
import { type Product, startProduct } from "../harness/product.ts";

const directory = await mkdtemp(join(tmpdir(), "ems-test-grpc-watch-"));
const ca = await createTestCa();
const { key, cert } = await ca.issue(["localhost"]);
const [keyFile, certFile] = [join(directory, "key.pem"), join(directory, "cert.pem")];
await writeFile(keyFile, key);
await writeFile(certFile, cert);
const tls = { GRPC_TLS_CERT_FILE: certFile, GRPC_TLS_KEY_FILE: keyFile };
let product: Product | undefined;
afterAll(async () => {
  await product?.stop();
  await rm(directory, { recursive: true, force: true });
});

const rpc = "ems.notifications.v1.EventService/Watch";
const create = "ems.catalog.v1.TopicService/CreateTopic";

test.each([
  ["one", 3, tls],
  ["mesh", 2, { ...tls, NATS_SERVER: inject("natsServer") }],
] as const)(
  "%s: each event comes once and in order, also over restarts and what happens meanwhile",
  async (shape, starts, env) => {
    onTestFinished(async () => void (await product?.stop()));
    const options = { dataDir: await mkdtemp(join(directory, shape)), env };
    const titles: string[] = [];
    const seen: string[] = [];
    let [token, apiKey] = ["", ""];
    for (let start = 0; start < starts; start++) {
      product = await startProduct(shape, options);
      apiKey = product.facts.apiKey ?? apiKey;
      expect(product.facts.grpcUrl).toMatch(/^https:/);
      const client = await ForeignClient.open({ grpcUrl: product.facts.grpcUrl, apiKey, ca: Buffer.from(ca.cert) });
      const write = async () => {
        const title = `Topic ${titles.length}`;
        await client.answer(create, { title });
        titles.push(title);
      };
      // These events occur while no stream is open.
      for (let count = 0; count < 5; count++) await write();
      const stream = client.stream(rpc, {
        resume_token: token,
        start: "WATCH_START_EARLIEST",
        types: ["topic.created"],
      });
      stream.on("data", ({ event, resume_token: next }) => {
        if (event?.topic_created) seen.push(event.topic_created.title);
        token = next;
      });
      const ended = new Promise((resolve) => stream.once("error", resolve));
      for (let count = 0; count < 5; count++) await write();
      await expect.poll(() => seen.length).toBe(titles.length);
      await product.stop();
      expect(await ended).toMatchObject({ code: 14 });
      client.close();
    }
    expect(seen).toEqual(titles);
  },
);
