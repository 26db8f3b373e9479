// Answers that no provider should send, in the forms of both protocols, with how each is read and charged.

import type { Step } from "@ems/test-support/model-server";
import type { Provider } from "../src/model/caller.ts";

type Raw = Extract<Step, { kind: "raw" }>;
type Fields = Readonly<Record<string, unknown>>;

/** Source of the counts. `mixed`: one is estimated. `none`: an error in an answer is free, like an error status. */
export type Charge = "reported" | "estimated" | "mixed" | "none";

/**
 * Result of reading an answer: judged, or the code of its fault. `later`: a retry may help, so that a job tries eight
 * times.
 */
export type Read =
  | "judged"
  | "empty_answer"
  | "answer_not_json"
  | "invalid_answer"
  | "answer_filtered"
  | "model_refused"
  | "answer_cut"
  | "not_a_completion"
  | "not_a_completion later"
  | "model_unavailable later";

export interface AbsurdAnswer {
  readonly name: string;
  readonly raw: Raw;
  readonly read: Read;
  readonly charge: Charge;
}

const judgement = { quotes: ["It costs 12 euros"], rationale: "It is friendly.", choice: "Y" };
const goodText = JSON.stringify(judgement);

/** Regular answers in the form of a protocol, which the cases change. */
interface Form {
  readonly provider: Provider;
  /** Returns an answer with the given fields at its top level. */
  readonly answer: (fields?: Fields, text?: string) => Fields;
  readonly usage: (input: unknown, output: unknown) => Fields;
  /** Returns an answer with the given list of written content. */
  readonly content: (list: unknown) => Fields;
  readonly end: (reason: unknown) => Fields;
  readonly toolCall: Fields;
  /** Code of a blocked answer. */
  readonly blocked: Read;
}

const openAiMessage = (text: string, more: Fields = {}) => ({
  choices: [{ index: 0, message: { role: "assistant", content: text, ...more }, finish_reason: "stop" }],
});

const openai: Form = {
  provider: "openai",
  blocked: "answer_filtered",
  answer: (fields, text = goodText) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_767_225_600,
    model: "model-a",
    ...openAiMessage(text),
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    ...fields,
  }),
  usage: (prompt_tokens, completion_tokens) => ({ usage: { prompt_tokens, completion_tokens } }),
  content: (choices) => ({ choices }),
  end: (finish_reason) => ({
    choices: [{ index: 0, message: { role: "assistant", content: goodText }, finish_reason }],
  }),
  toolCall: {
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_1", type: "function", function: { name: "search", arguments: '{"q":"a"}' } }],
        },
        finish_reason: "tool_calls",
      },
    ],
  },
};

const anthropic: Form = {
  provider: "anthropic",
  blocked: "model_refused",
  answer: (fields, text = goodText) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "model-a",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
    ...fields,
  }),
  usage: (input_tokens, output_tokens) => ({ usage: { input_tokens, output_tokens } }),
  content: (content) => ({ content }),
  end: (stop_reason) => ({ stop_reason }),
  toolCall: {
    content: [{ type: "tool_use", id: "toolu_1", name: "search", input: { q: "a" } }],
    stop_reason: "tool_use",
  },
};

const raw = (body: string | Uint8Array, more: Partial<Raw> = {}): Raw => ({ kind: "raw", body, ...more });
const json = (value: unknown) => raw(JSON.stringify(value));

type Row = readonly [name: string, raw: Raw, read: AbsurdAnswer["read"], charge: Charge];

function usageRows({ answer, usage }: Form): Row[] {
  const judged = (name: string, fields: Fields, charge: Charge): Row => [name, json(answer(fields)), "judged", charge];
  const text = JSON.stringify(answer(usage(77_777, 77_777)));
  return [
    judged("negative tokens", usage(-1, -20), "estimated"),
    judged("fractions of tokens", usage(1.5, 2.25), "estimated"),
    judged("1e308 tokens", usage(1e308, 1e308), "estimated"),
    judged("2^63 tokens", usage(2 ** 63, 2 ** 63), "estimated"),
    ["1e400 tokens", raw(text.replaceAll("77777", "1e400")), "judged", "estimated"],
    judged("11 million tokens", usage(11_000_000, 11_000_000), "estimated"),
    judged("counts as texts", usage("100", "20"), "reported"),
    judged("words for counts", usage("many", "few"), "estimated"),
    judged("null for counts", usage(null, null), "estimated"),
    judged("lists for counts", usage([100], [20]), "estimated"),
    judged("objects and booleans for counts", usage({ total: 100 }, true), "estimated"),
    judged("counts of zero", usage(0, 0), "estimated"),
    judged("one fraction among counts", usage(100, 1.5), "mixed"),
    judged("no usage", { usage: undefined }, "estimated"),
    judged("usage null", { usage: null }, "estimated"),
    judged("usage as a list", { usage: [] }, "estimated"),
    judged("usage as a text", { usage: "100" }, "estimated"),
    judged("usage in another place", { usage: undefined, x_groq: usage(100, 20), meta: usage(100, 20) }, "estimated"),
    judged("a total below the prompt", { usage: { ...(usage(100, 20).usage as object), total_tokens: 7 } }, "reported"),
    judged(
      "more cached than prompt tokens",
      {
        usage: {
          ...(usage(100, 20).usage as object),
          prompt_tokens_details: { cached_tokens: 9_999 },
          cache_read_input_tokens: -1,
        },
      },
      "reported",
    ),
    judged("a cost that is no number", { usage: { ...(usage(100, 20).usage as object), cost: "NaN" } }, "reported"),
    judged("a negative cost", { usage: { ...(usage(100, 20).usage as object), cost: -1e308 } }, "reported"),
    ["usage twice", raw(text.replace(/}$/, ', "usage": {}}')), "judged", "estimated"],
  ];
}

function fieldRows({ answer, end }: Form): Row[] {
  const judged = (name: string, fields: Fields): Row => [name, json(answer(fields)), "judged", "reported"];
  return [
    judged("an id of 900 KB", { id: "x".repeat(900 * 1024) }),
    judged("an id with NUL", { id: "a\0b" }),
    judged("a number as id", { id: 7 }),
    judged("a model of 900 KB with NUL", { model: `\0${"x".repeat(900 * 1024)}` }),
    judged("the year 275760", { created: 8.64e12 }),
    judged("a time of 1e308", { created: 1e308 }),
    judged("a text as time", { created: "yesterday" }),
    judged("an unknown end", end("exploded")),
    judged("a number as end", end(7)),
    judged("an end of 100 KB", end("x".repeat(100 * 1024))),
  ];
}

function bodyRows({ provider, answer, content, toolCall, end, blocked }: Form): Row[] {
  const text = JSON.stringify(answer());
  const isOpenAi = provider !== "anthropic";
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  return [
    ["no content", json(answer(content([]))), isOpenAi ? "not_a_completion later" : "empty_answer", "reported"],
    ["content null", json(answer(content(null))), "not_a_completion later", "reported"],
    ["content that is no list", json(answer(content({ 0: "a" }))), "not_a_completion later", "reported"],
    [
      "10,000 empty contents",
      json(answer(content(Array.from({ length: 10_000 }, () => ({}))))),
      "empty_answer",
      "reported",
    ],
    ["status 204", raw("", { status: 204 }), "not_a_completion later", "estimated"],
    ["an empty body", raw(""), "not_a_completion later", "estimated"],
    [
      "HTML",
      raw("<html><body>Sign in</body></html>", { headers: { "content-type": "text/html" } }),
      "not_a_completion",
      "estimated",
    ],
    ["half a JSON", raw(text.slice(0, -40)), "not_a_completion later", "estimated"],
    ["10 MB", raw(`{"padding": "${"x".repeat(10 * 1024 * 1024)}"}`), "not_a_completion", "estimated"],
    ["a deep JSON", raw(deep), "not_a_completion", "estimated"],
    ["a list", raw("[]"), "not_a_completion", "estimated"],
    ["null", raw("null"), "not_a_completion", "estimated"],
    ["a stream", raw(`data: ${text}\n\ndata: [DONE]\n\n`), "not_a_completion", "estimated"],
    [
      "an error in an answer",
      json({ error: { message: "Provider returned error", code: 503 } }),
      "model_unavailable later",
      "none",
    ],
    [
      "a byte order mark",
      raw(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])),
      "judged",
      "reported",
    ],
    ["another content type", raw(text, { headers: { "content-type": "text/plain" } }), "judged", "reported"],
    ["status 201", raw(text, { status: 201 }), "judged", "reported"],
    ["a tool call instead of a text", json(answer(toolCall)), "invalid_answer", "reported"],
    ["a refusal", json(answer(end("content_filter"), goodText)), blocked, "reported"],
  ];
}

function textRows({ answer }: Form): Row[] {
  const of = (text: string) => json(answer({}, text));
  const rationale = (written: string) => goodText.replace("It is friendly.", written);
  const invalidUtf8 = Buffer.from(JSON.stringify(answer({}, rationale("It is @@."))));
  invalidUtf8.set([0xff, 0xc0], invalidUtf8.indexOf("@@"));
  return [
    ["NUL in the judgement", of(rationale("It is \\u0000.")), "judged", "reported"],
    ["NUL before the judgement", of(`\0${goodText}`), "judged", "reported"],
    ["lone surrogates in the judgement", of(rationale("It is \\ud800.")), "judged", "reported"],
    ["invalid UTF-8 in the judgement", raw(invalidUtf8), "judged", "reported"],
    ["a deep JSON as text", of("[".repeat(30_000)), "answer_not_json", "reported"],
    ["a fence of blank lines", of(`\`\`\`${"\n".repeat(60_000)}`), "answer_not_json", "reported"],
    ["a text of 100 KB", of("x".repeat(100 * 1024)), "answer_not_json", "reported"],
  ];
}

function createCases(form: Form): AbsurdAnswer[] {
  const rows = [...usageRows(form), ...fieldRows(form), ...bodyRows(form), ...textRows(form)];
  return rows.map(([name, raw, read, charge]) => ({ name, raw, read, charge }));
}

/** Anthropic's form, in which refusals have a different name. */
const renamed: Form = {
  ...anthropic,
  end: (reason) => anthropic.end(reason === "content_filter" ? "refusal" : reason),
};

export const absurdAnswers: readonly { readonly provider: Provider; readonly answers: readonly AbsurdAnswer[] }[] = [
  { provider: openai.provider, answers: createCases(openai) },
  { provider: anthropic.provider, answers: createCases(renamed) },
];
