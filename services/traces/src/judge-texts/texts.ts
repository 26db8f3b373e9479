// Pure: chooses a trace's question and answer from the payloads of its steps, for judges, tasks and people.

import { jsonTextLimits, tryReadStructure } from "@ems/kit/readers";
import { isObject, type Role, readSpoken } from "./spoken.ts";
import type { Source } from "./statements.ts";

/** A text from a payload. */
export interface FoundText {
  readonly text: string;
  /** True for the words of a person or a model; false for data, such as the JSON of an object. */
  readonly isSpoken: boolean;
}

type Read = (stored: string | null) => FoundText | undefined;

export const readAnswer: Read = (stored) => readText(stored, "assistant");
export const readQuestion: Read = (stored) => readText(stored, "user");

/** Returns the answer contained in a stored output; undefined if there is none. */
export function answerIn(stored: string | null): string | undefined {
  return readAnswer(stored)?.text;
}

/** Returns the question contained in a stored input; undefined if there is none. */
export function questionIn(stored: string | null): string | undefined {
  return readQuestion(stored)?.text;
}

/**
 * Chooses the first text that is spoken; else the first of data. Candidates are in order of precedence. Agents count
 * only if no root has a text.
 */
export function chooseText(
  candidates: readonly { readonly source: Source; readonly text: string }[],
  read: Read,
): string | undefined {
  const found = candidates.flatMap(({ source, text }) => {
    const result = read(text);
    return result === undefined ? [] : { source, ...result };
  });
  const hasRoot = found.some(({ source }) => source === "root");
  const counted = found.filter(({ source }) => source !== "agent" || !hasRoot);
  return (counted.find(({ isSpoken }) => isSpoken) ?? counted[0])?.text;
}

function readText(stored: string | null, role: Role): FoundText | undefined {
  if (stored === null || stored.trim() === "") return undefined;
  const json = tryReadStructure(stored, jsonTextLimits);
  if (json === undefined) return { text: stored, isSpoken: !isDump(stored) };
  const spoken = readSpoken(json, role);
  if (spoken === "silent") return undefined;
  if (spoken !== undefined) return { text: spoken, isSpoken: !isDump(spoken) };
  // The form in which ingestion stores a payload that is no text.
  const inner = isObject(json) && Object.keys(json).length === 1 ? json.message : undefined;
  return { text: inner === undefined ? stored : JSON.stringify(inner), isSpoken: false };
}

/** Begins of texts that languages print for objects: a question or an answer is rarely one of them. */
const dumps: readonly { readonly begin: RegExp; readonly end?: RegExp }[] = [
  // Calls of constructors: StopEvent(result=AgentOutput(...)), [HumanMessage(content='...')], Answer('...').
  { begin: /^[[({]*[A-Za-z_][\w.]*\(\s*(?:\w+\s*=|[<[{('"])/, end: /(?:\)[\])}]*|\.\.\.|…)$/ },
  // Fields of models: content='...' additional_kwargs={}.
  { begin: /^\w+=(?:['"[{<]|None\b|True\b|False\b|[A-Z]\w*\().*\s\w+=\S/s },
  // Dictionaries, lists and tuples of Python.
  { begin: /^[{[(]+\s*(?:'(?:[^'\\]|\\.)*'\s*[:,\]})]|<[\w.]+)/s, end: /(?:[\]})]|\.\.\.|…)$/ },
  // Objects without text: <coroutine object run at 0x7f...>, [object Object], com.example.Answer@1b6d3586.
  { begin: /^<[^<>]{1,200} at 0x[0-9a-fA-F]+>$/ },
  { begin: /^\[object \w+\](?:,\[object \w+\])*$/ },
  { begin: /^[A-Za-z_$][\w$]*(?:\.[\w$]+)+@[0-9a-f]{5,8}$/ },
  // Records: Answer { text = ... }, Answer{text=...}, Answer {"text": ...}, &{Text:...}, map[text:...].
  { begin: /^[A-Z][\w.]*(?:<[\w., ]+>)?\s?\{\s*["']?\w+["']?\s*[:=]/, end: /\}$/ },
  { begin: /^(?:&?\{\w+:|map\[\w+:)/, end: /[\]}]$/ },
  // JSON that was cut off.
  { begin: /^(?:\{\s*"[^"\n]*"\s*:|\[\s*\{\s*")/ },
];

const beginLength = 10_000;

/** Returns true for text that a program printed from an object. */
function isDump(text: string): boolean {
  const whole = text.trim();
  const [begin, end] = [whole.slice(0, beginLength), whole.slice(-100)];
  return dumps.some((form) => form.begin.test(begin) && (form.end?.test(end) ?? true));
}
