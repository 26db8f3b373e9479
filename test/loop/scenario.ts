// The tests and the application's behavior: pure functions of a prompt's number, used by both sides of a comparison.

import { scriptedAnswer } from "@ems/test-support/model-server";

/** Channel of an answer: the body of the 2xx, ingestion, or OpenTelemetry. */
export type Channel = "body" | "ingest" | "otel";

export type Manner =
  | "prompt"
  /** Answers and sends late, within the time. */
  | "slow"
  /** Sends the same trace twice; by body: another trace afterwards. */
  | "twice"
  /** Sends its trace when the test has ended. */
  | "late"
  | "never"
  /** Answers 500. */
  | "broken"
  /** Answers 503 the first time. */
  | "busy"
  /** Its trace says nothing. */
  | "silent";

const manners: readonly Manner[] = [
  ...Array<Manner>(7).fill("prompt"),
  ...(["slow", "twice", "busy", "silent", "late", "never", "broken"] as const),
];
const channels: readonly Channel[] = ["body", "ingest", "otel"];

export interface Behaviour {
  readonly channel: Channel;
  readonly manner: Manner;
  /** Undefined: it says nothing. */
  readonly answer: string | undefined;
  /** Passages of its retriever; undefined if it has none. */
  readonly passages: readonly string[] | undefined;
  /** True if the trace is sent before the prompt is answered. */
  readonly sendsFirst: boolean;
}

export const getTasks = (tests: number) => Math.max(1, Math.ceil(tests / 10));

/** Prompts of one task: ten at most. */
export const getPrompts = (task: number, tests: number): string[] =>
  Array.from({ length: Math.min(10, tests - task * 10) }, (_, index) => getPrompt(task * 10 + index));

const getPrompt = (test: number) => `Number ${test}: when do branches open, and do I need my passport?`;

export const getNumber = (prompt: string): number => Number(/^Number (\d+):/.exec(prompt)?.[1]);

const getCode = (task: number) => String(100 + task);
const opening = "Branches open at nine.";
const passport = "Bring your passport.";

export function getBehaviour(prompt: string): Behaviour {
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

/** An ending of its own for each; of a third of the answers one by which the scripted model finds them natural. */
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
/** Expected codes: that of the topic's OUTPUT_MATCH link, and those of tasks, which half of them have. */
export const topicCode = getCode(0);
export const taskExpects = (task: number) =>
  task % 2 === 0 ? undefined : { code: getCode(task), truth: `${opening} ${passport} Use code ${getCode(task)}.` };
