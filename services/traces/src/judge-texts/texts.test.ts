import { truncateMiddle } from "@ems/traces-client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answerIn, chooseText, questionIn, readAnswer, readQuestion } from "./texts.ts";

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

test.each([
  ["a call of a workflow", { user_msg: "How much?", ctx: "<Context object at 0x7f32>" }],
  ["a call of a function", { args: [], question: "How much?" }],
  ["the only argument of a call", { q: "How much?" }],
  ["a request of OpenAI's Responses API", { model: "m", input: [{ role: "user", content: "How much?" }] }],
  ["a request of Gemini", { contents: [{ role: "user", parts: [{ text: "How much?" }] }] }],
  ["lists of lists of messages", [[{ role: "human", content: "How much?" }]]],
  ["content that is indexed", [{ role: "user", content: { "0": "How much?" } }]],
  ["messages without a user, and a question", { messages: [{ role: "system", content: "x" }], query: "How much?" }],
])("finds the question in %s", (_, stored) =>
  expect(readQuestion(json(stored))).toEqual({ text: "How much?", isSpoken: true }),
);

test.each([
  ["a response of OpenAI", { id: "c", choices: [{ message: { role: "assistant", content: "Five" } }] }],
  [
    "a response with reasoning",
    {
      output: [
        { type: "reasoning" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Five" }] },
      ],
    },
  ],
  [
    "a response of Gemini",
    { candidates: [{ content: { role: "model", parts: [{ text: "Hm", thought: true }, { text: "Five" }] } }] },
  ],
  ["a result beside its input", { input: "How much?", output: "Five", intermediate_steps: [] }],
  ["generations", { generations: [[{ text: "Five", message: { kwargs: {} } }]] }],
])("finds the answer in %s", (_, stored) => expect(readAnswer(json(stored))).toEqual({ text: "Five", isSpoken: true }));

test.each([
  "StopEvent(result=AgentOutput(response=ChatMessage(role=<MessageRole.ASSISTANT: 'assistant'>)))",
  "StopEvent(result=AgentOutput(response=ChatMessage(role=<Mess...",
  "[HumanMessage(content='Hi')]",
  "content='Five' additional_kwargs={} response_metadata={}",
  "{'question': 'Hi'}",
  "<coroutine object run at 0x7f12>",
  "[object Object]",
  "com.example.Answer@1b6d3586",
  "Answer { text = Five }",
  "map[text:Five]",
  '{"question": "cut of',
  '{"category":"fees","confidence":1}',
])("%s is no text that anybody wrote", (stored) => {
  expect(readAnswer(stored)).toEqual({ text: stored, isSpoken: false });
});

test.each(["It costs 5 (five) euros.", "[1] See the note (2024).", "{x}", "a = b", "f(x) = 3 (why?)", "**Hi** {name}"])(
  "%s is a text",
  (stored) => expect(readAnswer(stored)).toEqual({ text: stored, isSpoken: true }),
);

test("the first text that is spoken wins: a root before agents and calls, and these before data of the root", () => {
  const root = (text: string) => ({ source: "root", text }) as const;
  const agent = { source: "agent", text: "By the agent" } as const;
  const call = { source: "call", text: "By the model" } as const;
  expect(chooseText([root("By the root"), agent, call], readAnswer)).toBe("By the root");
  expect(chooseText([root("Stop(result='x')"), agent, call], readAnswer)).toBe("By the model");
  expect(chooseText([root('{"total":1}'), { ...call, text: '{"total": 1}' }], readAnswer)).toBe('{"total":1}');
  expect(chooseText([agent, call], readAnswer)).toBe("By the agent");
  expect(chooseText([{ source: "explicit", text: "Sent" }, root("By the root")], readAnswer)).toBe("Sent");
  expect(chooseText([], readAnswer)).toBeUndefined();
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
