import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Health, pollReadiness } from "./lifecycle.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("a check that never answers is a fault after three seconds", async () => {
  const fault = new Health(() => new Promise(() => undefined)).fault();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(String(await fault)).toContain("no answer");
});

test("whether a process is ready is told at once, every second, and not once that is ended", async () => {
  const told: boolean[] = [];
  let check = async () => undefined as undefined;
  const end = await pollReadiness(new Health(() => check()), (isReady) => void told.push(isReady));
  expect(told).toEqual([true]);
  check = () => Promise.reject(new Error("no database"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toEqual([true, false]);

  // What is looked for at the end may say yes when the process has said that it stops.
  const looked = Promise.withResolvers<undefined>();
  check = () => looked.promise;
  await vi.advanceTimersByTimeAsync(1_000);
  end();
  looked.resolve(undefined);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([true, false]);
});

test.each([
  ["a rejection", "Promise.reject(new Error('nobody looked'))"],
  ["an error event", "new (require('node:events'))().emit('error', new Error('nobody looked'))"],
])("%s that nobody handles ends the process with 1, and the log says which", async (_, defect) => {
  const script = `
    Promise.all([import("./lifecycle.ts"), import("./log.ts")]).then(([{ exitOnUncaughtException }, { createLog }]) => {
      exitOnUncaughtException(createLog("test", "info"));
      setTimeout(() => { ${defect}; }, 0);
      setTimeout(() => process.exit(0), 5_000);
    });`;
  const options = { cwd: import.meta.dirname };
  const { code, stderr } = await promisify(execFile)(process.execPath, ["-e", script], options).catch((error) => error);
  expect([code, stderr]).toEqual([1, expect.stringContaining("nobody looked")]);
});
