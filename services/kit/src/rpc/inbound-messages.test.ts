import { expect, onTestFinished, test, vi } from "vitest";
import { Code } from "../errors.ts";
import { inboundBytesMax } from "../limits/sizes.ts";
import { InboundMessages } from "./inbound-messages.ts";

function open() {
  const messages = new InboundMessages();
  onTestFinished(() => messages.close());
  const rejected = new Map<string, Code>();
  const begin = (name: string, bytesMax = inboundBytesMax) =>
    messages.begin(bytesMax, ({ code }) => rejected.set(name, code));
  return { begin, rejected };
}

test("when a process receives too much, the largest message is rejected, in any position", () => {
  const { begin, rejected } = open();
  const [first, second, third] = [begin("first"), begin("second"), begin("third")];
  first.add(inboundBytesMax * 0.2);
  second.add(inboundBytesMax * 0.6);
  third.add(inboundBytesMax * 0.3);
  expect([...rejected]).toEqual([["second", Code.Unavailable]]);
  // The bytes of the rejected message no longer count.
  begin("fourth").add(inboundBytesMax * 0.4);
  expect(rejected.size).toBe(1);
  first.add(inboundBytesMax * 0.3);
  expect([...rejected.keys()]).toEqual(["second", "first"]);
});

test("a message over its limit is rejected, and a complete one no longer counts", () => {
  const { begin, rejected } = open();
  begin("large", 10).add(11);
  expect([...rejected]).toEqual([["large", Code.ResourceExhausted]]);
  const complete = begin("complete");
  complete.add(inboundBytesMax);
  complete.end();
  begin("next").add(inboundBytesMax);
  expect(rejected.size).toBe(1);
});

test("a message that takes over 15 seconds is rejected", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { begin, rejected } = open();
  begin("slow");
  vi.advanceTimersByTime(14_000);
  begin("later");
  expect(rejected.size).toBe(0);
  vi.advanceTimersByTime(3_000);
  expect([...rejected]).toEqual([["slow", Code.DeadlineExceeded]]);
});
