import { Code } from "@ems/kit/errors";
import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

const { signal } = new AbortController();

test("of one key only so many are at work, of others more; in the order in which they came", async () => {
  const turns = new Turns(2, 10);
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (key: string, name: string) =>
    turns.take(key, signal, async () => {
      log.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = [begin("a", "a1"), begin("a", "a2"), begin("a", "a3"), begin("a", "a4"), begin("b", "b1")];
  expect(log).toEqual(["a1", "a2", "b1"]);
  ends.get("a2")?.();
  await all[1];
  await expect.poll(() => log).toEqual(["a1", "a2", "b1", "a3"]);
  for (const name of ["a1", "a3", "b1"]) ends.get(name)?.();
  await expect.poll(() => log.at(-1)).toBe("a4");
  ends.get("a4")?.();
  await Promise.all(all);
});

test("who goes away loses its turn, and a failure hands it on", async () => {
  const turns = new Turns(1, 10);
  let fail = (_: Error) => {};
  const first = turns.take("a", signal, () => new Promise((_, reject) => (fail = reject)));
  const gone = new AbortController();
  const second = turns.take("a", gone.signal, async () => "second");
  const third = turns.take("a", signal, async () => "third");
  gone.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  fail(new Error("failed"));
  await expect(first).rejects.toThrow("failed");
  expect(await third).toBe("third");
  await expect(turns.take("a", gone.signal, async () => "fourth")).resolves.toBe("fourth");
});

test("of one key only so many wait; whoever comes then is told so at once, until one of them has had its turn", async () => {
  const turns = new Turns(1, 2);
  let end = () => {};
  const running = turns.take("a", signal, () => new Promise<void>((resolve) => (end = resolve)));
  const gone = new AbortController();
  const waiting = [turns.take("a", signal, async () => "second"), turns.take("a", gone.signal, async () => "third")];
  const come = (key: string) => turns.take(key, signal, async () => key);
  await expect(come("a")).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect(await come("b")).toBe("b");
  gone.abort(new Error("gone"));
  await expect(waiting[1]).rejects.toThrow("gone");
  const fourth = come("a");
  end();
  await running;
  expect(await Promise.all([waiting[0], fourth])).toEqual(["second", "a"]);
});
