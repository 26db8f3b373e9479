import { expect, test } from "vitest";
import { formatJson, parseMessages, unwrapText } from "./messages.ts";

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
  expect(parseMessages(payload)).toEqual(expected);
});

test("JSON is indented, other text is not JSON", () => {
  expect(formatJson('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(formatJson('"text"')).toBeUndefined();
  expect(formatJson("3 apples")).toBeUndefined();
});

test("a text that was wrapped is unwrapped", () => {
  expect(unwrapText('{"message":"hello"}')).toBe("hello");
  expect(unwrapText('{"message":"a","b":1}')).toBe('{"message":"a","b":1}');
  expect(unwrapText("<b>bold</b>")).toBe("<b>bold</b>");
});
