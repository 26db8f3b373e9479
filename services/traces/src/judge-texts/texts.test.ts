import { truncateMiddle } from "@ems/traces-client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answerIn, questionIn } from "./texts.ts";

const json = (value: unknown) => JSON.stringify(value);

test.each([
  ["nothing", null, undefined],
  ["blanks", " \n", undefined],
  ["a text", "It is 42.", "It is 42."],
  ["a number that was sent as text", "42", "42"],
  ["broken JSON", '{"a": ', '{"a": '],
  ["an object, as it was sent", '{ "total": 42 }', '{ "total": 42 }'],
  ["a list of numbers, as it was sent", "[1, 2]", "[1, 2]"],
  ["a lone message", json({ message: "Hello" }), "Hello"],
  ["a lone message that is an object", json({ message: { total: 1 } }), '{"total":1}'],
  ["a message beside other keys", json({ message: "Hello", total: 1 }), '{"message":"Hello","total":1}'],
  ["an empty message", json({ message: "" }), undefined],
  [
    "messages: the last one of the assistant",
    json([
      { role: "user", content: "Hi" },
      { role: "assistant", content: "First" },
      { role: "assistant", content: "Last" },
      { role: "tool", content: "{}" },
    ]),
    "Last",
  ],
  ["messages in an object", json({ messages: [{ role: "assistant", content: "Hello" }] }), "Hello"],
  ["one message", json({ role: "assistant", content: "Hello" }), "Hello"],
  [
    "parts: their texts",
    json([
      { role: "assistant", content: [{ type: "text", text: "One" }, { type: "image" }, { type: "text", text: "Two" }] },
    ]),
    "One\nTwo",
  ],
  ["OpenTelemetry's parts", json([{ role: "assistant", parts: [{ type: "text", content: "Hello" }] }]), "Hello"],
  [
    "a last message that only calls a tool",
    json([
      { role: "assistant", content: "I look it up." },
      { role: "assistant", tool_calls: [{ name: "search" }] },
    ]),
    "I look it up.",
  ],
  ["messages of the user alone", json([{ role: "user", content: "Hi" }]), undefined],
])("finds the answer in %s", (_, stored, expected) => {
  expect(answerIn(stored)).toBe(expected);
});

test("the question is the user's last message", () => {
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "First" },
    { role: "assistant", content: "Answer" },
    { role: "user", content: "Second" },
  ];
  expect(questionIn(json(messages))).toBe("Second");
  expect(questionIn("What is it?")).toBe("What is it?");
});

test("truncated text keeps both ends, is marked, and contains only whole characters", () => {
  expect(truncateMiddle("abcdef", 6)).toBe("abcdef");
  expect(truncateMiddle("abcdefgh", 4)).toBe("ab\n[... 4 characters left out ...]\ngh");
  const texts = fc.string({ unit: "grapheme", minLength: 20, maxLength: 200 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 19 }), (text, max) => {
      const short = truncateMiddle(text, max);
      expect(short.isWellFormed()).toBe(true);
      expect(short.length).toBeLessThan(max + 50);
    }),
  );
});
