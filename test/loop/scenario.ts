// Tests and behavior of the application: pure functions of a prompt's number, used by both sides of a comparison.

import { scriptedAnswer } from "@ems/test-support/model-server";

/** Channel of an answer: the body of the 2xx, ingestion, or OpenTelemetry. */
export type Channel = "body" | "ingest" | "otel";

export type Manner =
  | "prompt"
  /** Answers and sends its trace late, but in time. */
  | "slow"
  /** Sends the same trace twice. If the response's body has the answer, sends another trace after it. */
  | "twice"
  /** Sends its trace after the test has ended. */
  | "late"
  | "never"
  /** Answers 500. */
  | "broken"
  /** Answers 503 the first time. */
  | "busy"
  /** Sends a trace without an answer. */
  | "silent";

const manners: readonly Manner[] = [
  ...Array<Manner>(7).fill("prompt"),
  ...(["slow", "twice", "busy", "silent", "late", "never", "broken"] as const),
];
const channels: readonly Channel[] = ["body", "ingest", "otel"];

export interface Behaviour {
  readonly channel: Channel;
  readonly manner: Manner;
  /** Undefined if the trace has no answer. */
  readonly answer: string | undefined;
  /** Passages that the retriever found; undefined if there is no retriever. */
  readonly passages: readonly string[] | undefined;
  /** True if the trace is sent before the prompt is answered. */
  readonly sendsFirst: boolean;
}

export const countTasks = (tests: number) => Math.max(1, Math.ceil(tests / 10));

/** Returns the prompts of one task, at most ten. */
export const getPrompts = (task: number, tests: number): string[] =>
  Array.from({ length: Math.min(10, tests - task * 10) }, (_, index) => getPrompt(task * 10 + index));

const getPrompt = (test: number) => `Number ${test}: when do branches open, and do I need my passport?`;

export const getNumber = (prompt: string): number => Number(/^Number (\d+):/.exec(prompt)?.[1]);

const getCode = (task: number) => String(100 + task);
const opening = "Branches open at nine.";
const passport = "Bring your passport.";

export function getBehavior(prompt: string): Behaviour {
  const test = getNumber(prompt);
  const channel = channels[test % channels.length] ?? "body";
  const manner = manners[test % manners.length] ?? "prompt";
  const isWrong = test % 4 === 3;
  const statements = [
    isWrong ? "Branches never open." : opening,
    test % 8 === 7 ? "Bring nothing." : passport,
    `Use code ${getCode(Math.floor(test / 10) + (isWrong ? 1 : 0))}.`,
  ].join(" ");
  const passages = [`${opening} Parking is free.`, "The lobby has coffee.", passport];
  return {
    channel,
    manner,
    sendsFirst: test % 2 === 0,
    answer: manner === "silent" ? undefined : withEnding(statements, test),
    passages: channel === "otel" || test % 5 === 4 ? undefined : passages,
  };
}

/** Appends a unique ending; in a third of the tests, one that the scripted model judges natural. */
function withEnding(statements: string, test: number): string {
  const answers = Array.from({ length: 1_000 }, (_, at) => `${statements} This is answer ${test}, text ${at}.`);
  const [first = ""] = answers;
  return test % 3 === 0 ? (answers.find(isNatural) ?? first) : first;
}

const gradeFields = ["coherence", "engagingness", "naturalness", "relevance", "clarity"];

function isNatural(text: string): boolean {
  const properties = Object.fromEntries(gradeFields.map((field) => [field, {}]));
  const answer: Readonly<Record<string, unknown>> = scriptedAnswer({
    schema: { properties } as Parameters<typeof scriptedAnswer>[0]["schema"],
    blocks: [{ name: "ANSWER", text }],
  });
  return gradeFields.every((field) => Number(answer[field]) >= 4);
}

export const styleSections = [
  { heading: "Tone", content: "Friendly, and to the point." },
  { heading: "Length", content: "Four sentences at most." },
  { heading: "Words", content: "No jargon." },
];
export const criterion = 'The answer names a "passport" or a "card".';
export const groundTruth = `${opening} ${passport}`;
export const extract = { pattern: "code (\\d+)", flags: "", group: 1 };
/** Expected code of the topic's OUTPUT_MATCH link; half of the tasks expect a code of their own. */
export const topicCode = getCode(0);
export const taskExpects = (task: number) =>
  task % 2 === 0 ? undefined : { code: getCode(task), truth: `${opening} ${passport} Use code ${getCode(task)}.` };
