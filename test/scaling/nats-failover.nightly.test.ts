// Three nats-servers, whose stream leader is killed under load: no request fails, and every event arrives.

import { afterAll, beforeAll, expect, test } from "vitest";
import { newWriter } from "../harness/writer.ts";
import { acknowledged, lostOrDouble } from "./evidence.ts";
import { type ScaledProduct, startScaledProduct } from "./product.ts";
import { isFailure, report, startTraffic } from "./traffic.ts";

let product: ScaledProduct;
beforeAll(async () => {
  product = await startScaledProduct({ natsServers: 3 });
});
afterAll(() => product.close());

test.each([1, 2, 3])("time %i: no request fails, and every event arrives", async (time) => {
  const { nats } = product;
  const writer = await newWriter(product, product.receiver.url);
  const traffic = startTraffic(() => product.baseUrl, writer);
  await acknowledged(traffic, 100);
  const leader = (await nats.leader()) ?? "";
  await nats.kill(leader);
  const arrived = () => product.receiver.getIds(writer.applicationId, "topic.created").size;
  const [killedMs, before] = [performance.now(), arrived()];
  await acknowledged(traffic, 100);
  await expect.poll(arrived, { timeout: 60_000, interval: 20 }).toBeGreaterThan(before + 50);
  const seconds = ((performance.now() - killedMs) / 1_000).toFixed(1);
  expect(await nats.leader()).not.toBe(leader);
  await nats.restart(leader);
  await acknowledged(traffic, 100);
  await traffic.stop();

  console.log(`leader killed, time ${time}: events again after ${seconds} s, ${report(traffic)}`);
  expect(await lostOrDouble(product, writer, traffic)).toEqual([]);
  expect(product.crashes).toEqual([]);
  expect(traffic.answers.filter(isFailure)).toEqual([]);
});
