import fc from "fast-check";
import { expect, test } from "vitest";
import { usableAnswer } from "./prompt-answer.ts";

const usable = [
  '{"output": "Yes"}',
  '{"output": ""}',
  '{"output": null}',
  '{"output": {"text": ["ü", 1, true]}}',
  '{"steps": [], "usage": {"inputTokens": 1}, "traceId": "t", "output": "Yes", "more": 1}',
  ' \n {"output": "\\u0000\\ud83d\\ude00"} \t',
  '{"output": 1, "output": 2}',
];

test.each(usable)("%s is an answer, as it was sent", (text) => {
  expect(usableAnswer(Buffer.from(text))).toBe(text);
});

test.each([
  "",
  " ",
  "OK",
  "{}",
  "[]",
  "null",
  "7",
  '"output"',
  '["output"]',
  '[{"output": "Yes"}]',
  '{"Output": "Yes"}',
  '{"data": {"output": "Yes"}}',
  '{"output": "Yes"',
  '{"output": "Yes"} {"output": "No"}',
  "{output: 'Yes'}",
  "<html>output</html>",
  '{"output": NaN}',
])("%s is none", (text) => {
  expect(usableAnswer(Buffer.from(text))).toBeNull();
});

test("what is not UTF-8 is none, wherever it lies", () => {
  const [before, after] = [Buffer.from('{"output": "'), Buffer.from('"}')];
  for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f]]) {
    expect(usableAnswer(Buffer.concat([before, Buffer.from(bytes), after]))).toBeNull();
  }
});

test("any JSON object with output is one, and nothing else ever throws", () => {
  fc.assert(
    fc.property(fc.json(), fc.dictionary(fc.string(), fc.jsonValue()), (output, others) => {
      const { output: _, ...rest } = others;
      const text = JSON.stringify({ ...rest, output: JSON.parse(output) });
      expect(usableAnswer(Buffer.from(text))).toBe(text);
      expect(usableAnswer(Buffer.from(JSON.stringify(rest)))).toBeNull();
    }),
  );
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void usableAnswer(Buffer.from(bytes))));
});
