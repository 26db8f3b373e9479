import { expect, test, vi } from "vitest";
import { RequestLoad } from "./request-load.ts";

test("background work continues at once if there are no requests, otherwise after the last one", async () => {
  const requests = new RequestLoad();
  await requests.yieldToRequests(60_000);
  requests.begin();
  requests.begin();
  let isOver = false;
  const yielded = requests.yieldToRequests(60_000).then(() => {
    isOver = true;
  });
  requests.end();
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  requests.end();
  await yielded;
  expect(isOver).toBe(true);
});

test("consecutive requests delay background work for a limited time", async () => {
  vi.useFakeTimers();
  const requests = new RequestLoad();
  requests.begin();
  const yielded = requests.yieldToRequests(20);
  await vi.advanceTimersByTimeAsync(20);
  await yielded;
  vi.useRealTimers();
});
