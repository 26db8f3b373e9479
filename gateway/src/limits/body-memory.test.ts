import { Code, ConnectError } from "@ems/kit/errors";
import { expect, test } from "vitest";
import { BodyMemory } from "./body-memory.ts";

const memoryOf = (all: number, perApplication: number) =>
  new BodyMemory({ BODIES_MAX_BYTES: all, BODIES_PER_APPLICATION_MAX_BYTES: perApplication });
const codeOf = (work: () => void) => {
  try {
    work();
    return undefined;
  } catch (error) {
    return ConnectError.from(error).code;
  }
};

test("an application's bodies hold its limit and no byte more, and what is refused counts nothing", () => {
  const memory = memoryOf(1_000, 100);
  const [first, second] = [memory.open("a"), memory.open("a")];
  first.add(60);
  second.add(40);
  expect(codeOf(() => second.add(1))).toBe(Code.ResourceExhausted);
  expect([first.bytes, second.bytes, memory.bytes]).toEqual([60, 40, 100]);
  memory.open("b").add(100);
  expect(memory.bytes).toBe(200);
});

test("an application with nothing held gets all that is free, and one with some no more than is left to others", () => {
  const memory = memoryOf(100, 80);
  const first = memory.open("a");
  first.add(50);
  expect(codeOf(() => first.add(1))).toBe(Code.ResourceExhausted);
  const other = memory.open("b");
  other.add(50);
  expect(codeOf(() => memory.open("c").add(1))).toBe(Code.Unavailable);
  first.release();
  memory.open("c").add(50);
  expect(memory.bytes).toBe(100);
});

test("a released body is free for others, and counts nothing that comes later", () => {
  const memory = memoryOf(100, 100);
  const body = memory.open("a");
  body.add(100);
  body.release();
  body.release();
  body.add(100);
  expect([body.bytes, memory.bytes]).toEqual([0, 0]);
  memory.open("a").add(100);
  expect(memory.bytes).toBe(100);
});
