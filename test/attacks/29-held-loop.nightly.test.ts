// A request that blocks the event loop is in the log and the metrics, with its route.

import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { scrape } from "../harness/exposition.ts";

const marker = "hold the event loop";
/** Preloaded: JSON.parse of a text with the marker takes 0.4 s of CPU, which no real request does today. */
const slowParse = `
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    const endMs = performance.now() + (String(text).includes("${marker}") ? 400 : 0);
    while (performance.now() < endMs);
    return parse(text, ...more);
  };`;
const preload = `data:text/javascript,${encodeURIComponent(slowParse)}`;
const product = await startAttacked("one", { NODE_OPTIONS: `--import=${preload}` });
const { baseUrl, adminUrl } = product.facts;

test("the route, the method and the application are named; other requests are not", async () => {
  const { apiKey, applicationId } = await product.tenant();
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const post = (title: string) =>
    fetch(`${baseUrl}/v0/topics`, { method: "POST", headers, body: JSON.stringify({ title }) });
  const holds = async () => {
    const samples = (await scrape(adminUrl)).filter(({ name }) => name === "ems_event_loop_held_seconds_count");
    return samples.find(({ labels }) => `${labels.http_request_method} ${labels.http_route}` === "POST /v0/topics")
      ?.value;
  };
  const before = (await holds()) ?? 0;
  expect((await post("quick")).status).toBe(201);
  expect((await post(marker)).status).toBe(201);
  expect(await holds()).toBe(before + 1);
  const lines = () =>
    product
      .stderr()
      .split("\n")
      .filter((line) => line.includes("event loop held"));
  const named = { method: "POST", route: "/v0/topics", applicationId };
  await expect.poll(() => lines().map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining(named));
});
