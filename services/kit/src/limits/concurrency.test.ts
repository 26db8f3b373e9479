import { expect, test } from "vitest";
import { type ConcurrencyOptions, TenantConcurrencyLimiter } from "./concurrency.ts";

const createLimiter = (options: Omit<ConcurrencyOptions, "reject">) =>
  new TenantConcurrencyLimiter({ ...options, reject: (cause) => new Error(`refused: ${cause}`) });
const { signal } = new AbortController();

/** Work that runs until it is ended by name; `log` contains the started work, in order. */
function works(limiter: TenantConcurrencyLimiter) {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (key: string, name: string) =>
    limiter.run(key, signal, async () => {
      log.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = (name: string) => ends.get(name)?.();
  return { log, begin, end };
}

test("a key runs up to its limit and then queues in order; other keys are not delayed", async () => {
  const { log, begin, end } = works(createLimiter({ maxPerKey: 2, queueMaxPerKey: 10 }));
  const all = [begin("a", "a1"), begin("a", "a2"), begin("a", "a3"), begin("a", "a4"), begin("b", "b1")];
  await expect.poll(() => log).toEqual(["a1", "a2", "b1"]);
  end("a2");
  await all[1];
  await expect.poll(() => log).toEqual(["a1", "a2", "b1", "a3"]);
  for (const name of ["a1", "a3", "b1"]) end(name);
  await expect.poll(() => log.at(-1)).toBe("a4");
  end("a4");
  await Promise.all(all);
});

test("a single key gets half of all permits, and the next key always gets one", () => {
  const limiter = createLimiter({ max: 10 });
  const entered = (key: string) => {
    let count = 0;
    while (limiter.tryAcquire(key)) count += 1;
    return count;
  };
  expect(["a", "b", "c", "d", "e"].map(entered)).toEqual([5, 3, 1, 1, 0]);
  expect(limiter.rejection("a").message).toBe("refused: key");
  expect(limiter.rejection("e").message).toBe("refused: all");
  limiter.release("a");
  expect(["a", "e"].map(entered)).toEqual([0, 1]);
});

test("a single permit is free for any key", () => {
  const limiter = createLimiter({ max: 1 });
  expect(limiter.tryAcquire("a")).toBe(true);
  expect(limiter.tryAcquire("b")).toBe(false);
  limiter.release("a");
  expect(limiter.tryAcquire("b")).toBe(true);
});

test("freed permits go to keys round robin, whatever their queues", async () => {
  const { log, begin, end } = works(createLimiter({ max: 4, queueMaxPerKey: 10 }));
  const names = ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3", "c1", "c2"];
  const all = names.map((name) => begin(name.charAt(0), name));
  await expect.poll(() => log).toEqual(["a1", "a2", "b1", "c1"]);
  const ended: string[] = [];
  for (let index = 0; index < names.length; index += 1) {
    await expect.poll(() => log.length).toBeGreaterThan(index);
    const name = log[index] ?? "";
    ended.push(name);
    end(name);
  }
  await Promise.all(all);
  // The third work of `a` starts after the second works of the other keys.
  expect(log.indexOf("a4")).toBeGreaterThan(log.indexOf("b2"));
  expect(log.indexOf("a4")).toBeGreaterThan(log.indexOf("c2"));
  expect(ended.toSorted()).toEqual(names);
});

test("a cancelled request leaves the queue, and a failure releases its permit", async () => {
  const limiter = createLimiter({ maxPerKey: 1, queueMaxPerKey: 10 });
  let fail = (_: Error) => {};
  const first = limiter.run("a", signal, () => new Promise((_, reject) => (fail = reject)));
  const gone = new AbortController();
  const second = limiter.run("a", gone.signal, async () => "second");
  const third = limiter.run("a", signal, async () => "third");
  await expect.poll(() => limiter.waiting).toBe(2);
  gone.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  fail(new Error("failed"));
  await expect(first).rejects.toThrow("failed");
  expect(await third).toBe("third");
  await expect(limiter.run("a", gone.signal, async () => "fourth")).resolves.toBe("fourth");
});

test("queues are limited per key and in total; further requests are rejected at once", async () => {
  const limiter = createLimiter({ maxPerKey: 1, queueMaxPerKey: 2, queueMax: 3 });
  for (const key of ["a", "b"]) expect(limiter.tryAcquire(key)).toBe(true);
  const gone = new AbortController();
  const come = (key: string) => limiter.acquire(key, gone.signal).then(() => "entered");
  const waiting = [come("a"), come("a")];
  await expect(come("a")).rejects.toThrow("refused: key");
  waiting.push(come("b"));
  await expect(come("b")).rejects.toThrow("refused: key");
  expect(await come("c")).toBe("entered");
  limiter.release("a");
  expect(await waiting[0]).toBe("entered");
  const fourth = come("a");
  gone.abort(new Error("gone"));
  for (const request of [waiting[1], waiting[2], fourth]) await expect(request).rejects.toThrow("gone");
  expect(limiter.waiting).toBe(0);
});

test("queued requests time out", async () => {
  const limiter = createLimiter({ max: 1, queueMaxPerKey: 2, queueTimeoutMs: 20 });
  await limiter.acquire("a");
  const late = [limiter.acquire("a"), limiter.acquire("b")];
  await expect(late[0]).rejects.toThrow("refused: key");
  await expect(late[1]).rejects.toThrow("refused: all");
  limiter.release("a");
  await limiter.acquire("b");
});

test("work that holds a permit gets another one at once, which counts", async () => {
  const limiter = createLimiter({ max: 2 });
  await limiter.run("a", signal, async () => {
    limiter.acquireUnchecked("a");
    expect(limiter.tryAcquire("b")).toBe(false);
    limiter.release("a");
    expect(limiter.tryAcquire("b")).toBe(true);
  });
});
