import { expect, test } from "vitest";
import { conflict } from "../errors.ts";
import { retryTransient } from "./retry.ts";

const { signal } = new AbortController();

test("work is retried while the database is down, and each failure is reported", async () => {
  const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const reported: unknown[] = [];
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries < 3) throw away;
    return "done";
  };
  expect(await retryTransient(work, { signal, onRetry: (error) => reported.push(error) })).toBe("done");
  expect(reported).toEqual([away, away]);
});

test("other errors are thrown at once; the last error is thrown when the signal aborts", async () => {
  let tries = 0;
  const failing = (error: Error) => () => {
    tries += 1;
    return Promise.reject(error);
  };
  await expect(retryTransient(failing(conflict("Taken")), { signal })).rejects.toThrow("Taken");
  expect(tries).toBe(1);
  const ended = new AbortController();
  const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const canceled = retryTransient(failing(away), { signal: ended.signal, onRetry: () => ended.abort() });
  await expect(canceled).rejects.toThrow("ECONNREFUSED");
  // At most one attempt is in progress at the abort.
  expect(tries).toBeLessThanOrEqual(3);
});
