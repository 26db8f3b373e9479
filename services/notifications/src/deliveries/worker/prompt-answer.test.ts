import { Redactor } from "@ems/kit/redaction";
import fc from "fast-check";
import { expect, test } from "vitest";
import { redactedBody, usableAnswer } from "./prompt-answer.ts";

const usable = [
  '{"output": "Yes"}',
  '{"output": ""}',
  '{"output": null}',
  '{"output": {"text": ["ü", 1, true]}}',
  '{"steps": [], "usage": {"inputTokens": 1}, "traceId": "t", "output": "Yes", "more": 1}',
  ' \n {"output": "\\u0000\\ud83d\\ude00"} \t',
  '{"output": 1, "output": 2}',
];

test.each(usable)("%s is an answer, unchanged", (text) => {
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
])("%s is not an answer", (text) => {
  expect(usableAnswer(Buffer.from(text))).toBeNull();
});

test("bytes that are not UTF-8 are not an answer, wherever they occur", () => {
  const [before, after] = [Buffer.from('{"output": "'), Buffer.from('"}')];
  for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f]]) {
    expect(usableAnswer(Buffer.concat([before, Buffer.from(bytes), after]))).toBeNull();
  }
});

test("any JSON object with output is an answer, and nothing else ever throws", () => {
  fc.assert(
    fc.property(fc.json(), fc.dictionary(fc.string(), fc.jsonValue()), (output, extraFields) => {
      const { output: _, ...rest } = extraFields;
      const text = JSON.stringify({ ...rest, output: JSON.parse(output) });
      expect(usableAnswer(Buffer.from(text))).toBe(text);
      expect(usableAnswer(Buffer.from(JSON.stringify(rest)))).toBeNull();
    }),
  );
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void usableAnswer(Buffer.from(bytes))));
});

const redactor = new Redactor([{ pattern: "\\d{6}", replacement: "[n]" }]);
const redacted = async (text: string) => (await redactedBody(redactor, "a", Buffer.from(text))).toString();

test("all texts of an answer are redacted, except IDs, numbers and times of its steps", async () => {
  const steps = [
    { id: "id-123456", timestamp: 1_234_567, content: { id: "123456" }, steps: [{ id: "1234567", input: "123456" }] },
  ];
  const answer = {
    output: { id: "123456", n: 1234567 },
    traceId: "t-123456",
    usage: { promptTokens: 123_456 },
    steps,
    note: "123456",
  };
  expect(JSON.parse(await redacted(JSON.stringify(answer)))).toEqual({
    ...answer,
    output: { id: "[n]", n: "[n]7" },
    steps: [{ ...steps[0], content: { id: "[n]" }, steps: [{ id: "1234567", input: "[n]" }] }],
    note: "[n]",
  });
});

test.each([
  ["<b>123456</b>", "<b>[n]</b>"],
  ['{"error":"123456"}', '{"error":"[n]"}'],
  ['{"output": "123456"', '{"output": "[n]"'],
  ['{"output":"1","steps":"123456"}', '{"output":"1","steps":"[n]"}'],
  ["nothing", "nothing"],
])("anything but an answer with steps is redacted as text: %s", async (text, expected) => {
  expect(await redacted(text)).toBe(expected);
});
