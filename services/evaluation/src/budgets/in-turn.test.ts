import { expect, test } from "vitest";
import { InTurn } from "./in-turn.ts";

test("work with one key runs sequentially, with priority work first, while other keys run concurrently", async () => {
  const inTurn = new InTurn();
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  let atOnce = 0;
  const piece =
    (name: string, until = Promise.resolve()) =>
    async () => {
      expect(++atOnce).toBe(1);
      await until;
      atOnce--;
      done.push(name);
      return name;
    };
  const pieces = [
    inTurn.run("a", piece("began", gate.promise)),
    inTurn.run("a", piece("reserve 1")),
    inTurn.run("a", piece("reserve 2")),
    inTurn.run("a", piece("settle"), { isFirst: true }),
  ];
  expect(await inTurn.run("b", async () => "another key")).toBe("another key");
  expect(done).toEqual([]);
  gate.resolve();
  expect(await Promise.all(pieces)).toEqual(["began", "reserve 1", "reserve 2", "settle"]);
  expect(done).toEqual(["began", "settle", "reserve 1", "reserve 2"]);
});

test("failed work fails only its caller, and a key without work can start new work", async () => {
  const inTurn = new InTurn();
  const failing = inTurn.run("a", () => Promise.reject(new Error("no")));
  const after = inTurn.run("a", async () => "after");
  await expect(failing).rejects.toThrow("no");
  expect(await after).toBe("after");
  expect(await inTurn.run("a", async () => "anew")).toBe("anew");
});
