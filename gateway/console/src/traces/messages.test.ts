import { expect, test } from "vitest";
import { jsonOf, messagesOf, plainTextOf } from "./messages.ts";

test.each([
  ['[{"role":"user","content":"hi"}]', [{ role: "user", text: "hi" }]],
  [
    '{"messages":[{"role":"system","content":[{"type":"text","text":"be brief"}]}]}',
    [{ role: "system", text: "be brief" }],
  ],
  ['[{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]}]', [{ role: "assistant", text: '{"id":"1"}' }]],
  ["plain text", undefined],
  ["[1,2]", undefined],
  ["[]", undefined],
  ["{broken", undefined],
])("%s as messages", (payload, expected) => {
  expect(messagesOf(payload)).toEqual(expected);
});

test("JSON is indented, other text is not JSON", () => {
  expect(jsonOf('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(jsonOf('"text"')).toBeUndefined();
  expect(jsonOf("3 apples")).toBeUndefined();
});

test("a text that was wrapped is unwrapped", () => {
  expect(plainTextOf('{"message":"hello"}')).toBe("hello");
  expect(plainTextOf('{"message":"a","b":1}')).toBe('{"message":"a","b":1}');
  expect(plainTextOf("<b>bold</b>")).toBe("<b>bold</b>");
});
