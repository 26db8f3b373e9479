import { expect, test, vi } from "vitest";
import { RequestLoad } from "./request-load.ts";

test("background work goes on at once without a request, else after the last one", async () => {
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

test("requests without a gap hold background work up for so long at most", async () => {
  vi.useFakeTimers();
  const requests = new RequestLoad();
  requests.begin();
  const yielded = requests.yieldToRequests(20);
  await vi.advanceTimersByTimeAsync(20);
  await yielded;
  vi.useRealTimers();
});
