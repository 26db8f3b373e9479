import { expect, test } from "vitest";
import { Shares, type SharesOptions } from "./shares.ts";

const sharesOf = (options: Omit<SharesOptions, "refuse">) =>
  new Shares({ ...options, refuse: (whose) => new Error(`refused: ${whose}`) });
const { signal } = new AbortController();

/** Work that goes on until it is ended by its name; `log` holds what began, in order. */
function works(shares: Shares) {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (key: string, name: string) =>
    shares.run(key, signal, async () => {
      log.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = (name: string) => ends.get(name)?.();
  return { log, begin, end };
}

test("of one key only so many are at work, of others more; in the order in which they came", async () => {
  const { log, begin, end } = works(sharesOf({ maxPerKey: 2, waitingMaxPerKey: 10 }));
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

test("a key that is alone gets half of all places, and a newcomer always finds one", () => {
  const shares = sharesOf({ max: 10 });
  const entered = (key: string) => {
    let count = 0;
    while (shares.tryEnter(key)) count += 1;
    return count;
  };
  expect(["a", "b", "c", "d", "e"].map(entered)).toEqual([5, 3, 1, 1, 0]);
  expect(shares.refusal("a").message).toBe("refused: key");
  expect(shares.refusal("e").message).toBe("refused: all");
  shares.leave("a");
  expect(["a", "e"].map(entered)).toEqual([0, 1]);
});

test("one place in all is a place for whoever comes", () => {
  const shares = sharesOf({ max: 1 });
  expect(shares.tryEnter("a")).toBe(true);
  expect(shares.tryEnter("b")).toBe(false);
  shares.leave("a");
  expect(shares.tryEnter("b")).toBe(true);
});

test("places that become free go to keys by turns, however many of one wait", async () => {
  const { log, begin, end } = works(sharesOf({ max: 4, waitingMaxPerKey: 10 }));
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
  // The third one of `a` has not been before the second ones of the others.
  expect(log.indexOf("a4")).toBeGreaterThan(log.indexOf("b2"));
  expect(log.indexOf("a4")).toBeGreaterThan(log.indexOf("c2"));
  expect(ended.toSorted()).toEqual(names);
});

test("who goes away loses its turn, and a failure hands it on", async () => {
  const shares = sharesOf({ maxPerKey: 1, waitingMaxPerKey: 10 });
  let fail = (_: Error) => {};
  const first = shares.run("a", signal, () => new Promise((_, reject) => (fail = reject)));
  const gone = new AbortController();
  const second = shares.run("a", gone.signal, async () => "second");
  const third = shares.run("a", signal, async () => "third");
  await expect.poll(() => shares.waiting).toBe(2);
  gone.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  fail(new Error("failed"));
  await expect(first).rejects.toThrow("failed");
  expect(await third).toBe("third");
  await expect(shares.run("a", gone.signal, async () => "fourth")).resolves.toBe("fourth");
});

test("of one key only so many wait, and in all; whoever comes then is told so at once", async () => {
  const shares = sharesOf({ maxPerKey: 1, waitingMaxPerKey: 2, waitingMax: 3 });
  for (const key of ["a", "b"]) expect(shares.tryEnter(key)).toBe(true);
  const gone = new AbortController();
  const come = (key: string) => shares.enter(key, gone.signal).then(() => "entered");
  const waiting = [come("a"), come("a")];
  await expect(come("a")).rejects.toThrow("refused: key");
  waiting.push(come("b"));
  await expect(come("b")).rejects.toThrow("refused: key");
  expect(await come("c")).toBe("entered");
  shares.leave("a");
  expect(await waiting[0]).toBe("entered");
  const fourth = come("a");
  gone.abort(new Error("gone"));
  for (const one of [waiting[1], waiting[2], fourth]) await expect(one).rejects.toThrow("gone");
  expect(shares.waiting).toBe(0);
});

test("nobody waits longer than is allowed", async () => {
  const shares = sharesOf({ max: 1, waitingMaxPerKey: 2, waitMs: 20 });
  await shares.enter("a");
  const late = [shares.enter("a"), shares.enter("b")];
  await expect(late[0]).rejects.toThrow("refused: key");
  await expect(late[1]).rejects.toThrow("refused: all");
  shares.leave("a");
  await shares.enter("b");
});

test("work that holds a place gets another one without waiting, and it counts", async () => {
  const shares = sharesOf({ max: 2 });
  await shares.run("a", signal, async () => {
    shares.enterAnyway("a");
    expect(shares.tryEnter("b")).toBe(false);
    shares.leave("a");
    expect(shares.tryEnter("b")).toBe(true);
  });
});
