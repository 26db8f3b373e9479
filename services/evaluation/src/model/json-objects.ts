// Finds the JSON objects in a text, and mends the spellings that models write instead of JSON. Each character is read a
// limited number of times.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { readJson } from "./json-in.ts";

export interface FoundObject {
  readonly object: JsonObject;
  /** The object as written. */
  readonly written: string;
}

/** Limits how often a character is read: texts with many braces would take quadratic time. */
const readsMax = 6;
const objectsMax = 50;

/**
 * Returns the objects of a text that are not inside of another one. Leaves out those in thoughts, such as
 * `<think>…</think>`.
 */
export function findObjects(text: string): FoundObject[] {
  let found: FoundObject[] = [];
  const budget = { characters: readsMax * text.length };
  for (let at = 0; at < text.length && budget.characters > 0 && found.length < objectsMax; ) {
    const thought = findThought(text, at);
    if (thought !== undefined) {
      // The end of a thought whose beginning is missing: all before it is the thought.
      if (thought.isEndOnly) found = [];
      at = thought.end;
      continue;
    }
    const object = text[at] === "{" ? readObject(text, at, budget) : undefined;
    if (object !== undefined) found.push(object);
    at += object?.written.length ?? 1;
  }
  return found;
}

interface Budget {
  characters: number;
}

/** Reads the object that begins at `start`: as JSON, or else with its spellings mended. */
function readObject(text: string, start: number, budget: Budget): FoundObject | undefined {
  for (const isMended of [false, true]) {
    const scan = new ObjectScan(text, start, isMended);
    const end = scan.end();
    budget.characters -= scan.at - start;
    if (end === undefined) continue;
    const written = text.slice(start, end);
    const json = readJson(isMended ? scan.mended : written);
    if (isObject(json)) return { object: json, written };
  }
  return undefined;
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const depthMax = 64;
const space = /\s*/y;
const comment = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const number = /-?\d[\d.eE+-]*/y;
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
/** Words of Python and JavaScript. */
const literals: Readonly<Record<string, string>> = {
  true: "true",
  false: "false",
  null: "null",
  True: "true",
  False: "false",
  None: "null",
  undefined: "null",
};
/** Spaces, and the character after a text. */
const afterText = /\s{0,64}(?:$|[,:}\]]|\/[/*])/y;
const closingQuotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”" };

/** Reads an object up to its closing brace, and writes it as JSON. */
class ObjectScan {
  at: number;
  mended = "";
  readonly #text: string;
  readonly #isMended: boolean;
  readonly #open: string[] = [];

  constructor(text: string, start: number, isMended: boolean) {
    this.#text = text;
    this.#isMended = isMended;
    this.at = start;
  }

  /** Returns the index after the closing brace; undefined if there is none. */
  end(): number | undefined {
    while (this.at < this.#text.length) {
      const character = this.#text.charAt(this.at);
      const closing = closingQuotes[character];
      if (closing !== undefined && (this.#isMended || character === '"')) this.#string(closing);
      else if (character === "{" || character === "[") {
        this.#open.push(character === "{" ? "}" : "]");
        if (this.#open.length > depthMax) return undefined;
        this.#write(character);
      } else if (character === "}" || character === "]") {
        if (this.#open.pop() !== character) return undefined;
        this.#write(character);
        if (this.#open.length === 0) return this.at;
      } else if (this.#isMended) this.#mend(character);
      else this.at++;
    }
    return undefined;
  }

  #write(character: string): void {
    this.mended += character;
    this.at++;
  }

  #mend(character: string): void {
    const skipped = this.#match(comment);
    if (skipped !== "") this.at += skipped.length;
    else if (character === "," && this.#isTrailingComma()) this.at++;
    else this.#value(character);
  }

  /** Writes a number or a word as it stands; other words become texts, and what is left stays. */
  #value(character: string): void {
    const digits = this.#match(number);
    if (digits !== "") {
      this.mended += digits;
      this.at += digits.length;
      return;
    }
    const name = this.#match(word);
    if (name === "") this.#write(character);
    else {
      this.mended += literals[name] ?? JSON.stringify(name);
      this.at += name.length;
    }
  }

  #match(pattern: RegExp, at = this.at): string {
    pattern.lastIndex = at;
    return pattern.exec(this.#text)?.[0] ?? "";
  }

  /** Returns the next character that is neither space nor comment. */
  #next(from: number): string {
    let at = from;
    for (;;) {
      const skipped = this.#match(space, at).length || this.#match(comment, at).length;
      if (skipped === 0) return this.#text.charAt(at);
      at += skipped;
    }
  }

  #isTrailingComma(): boolean {
    const next = this.#next(this.at + 1);
    return next === "}" || next === "]";
  }

  #string(closing: string): void {
    const from = this.at++;
    let written = "";
    for (; this.at < this.#text.length; this.at++) {
      const character = this.#text.charAt(this.at);
      if (character === "\\") {
        written += this.#escape();
        this.at++;
      } else if (character === closing && this.#isEnd(from)) {
        this.at++;
        break;
      } else written += character === '"' ? '\\"' : (controls[character] ?? character);
    }
    this.mended += `"${written}"`;
  }

  /** Models forget to escape quotation marks: those of a text are followed by a comma, a colon or a bracket. */
  #isEnd(from: number): boolean {
    if (!this.#isMended) return true;
    // An empty text ends at once.
    if (this.at === from + 1 && this.#text.charAt(from) === this.#text.charAt(this.at)) return true;
    afterText.lastIndex = this.at + 1;
    return afterText.test(this.#text);
  }

  #escape(): string {
    const escaped = this.#text.charAt(this.at + 1);
    if (escaped === "u") return /^[\da-f]{4}$/i.test(this.#text.slice(this.at + 2, this.at + 6)) ? "\\u" : "\\\\u";
    if (`"\\/bfnrt`.includes(escaped) && escaped !== "") return `\\${escaped}`;
    if (escaped === "'" || escaped === "”" || escaped === "“") return escaped;
    return `\\\\${controls[escaped] ?? escaped}`;
  }
}

/** Escapes of characters that JSON does not allow in texts. */
const controls: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).map((character) => [
    character,
    JSON.stringify(character).slice(1, -1),
  ]),
);

interface Thought {
  readonly end: number;
  readonly isEndOnly: boolean;
}

const tag =
  /<(\/?)((?:seed:)?think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|analysis)>|\[(\/?)(THINK)\]|◁(\/?)(think)▷/iy;
/** OpenAI's open models write a channel before each message. */
const channel = /<\|channel\|>(\w+)/y;

/** Returns the thought whose beginning or end is at `at`. */
function findThought(text: string, at: number): Thought | undefined {
  const first = text[at];
  if (first !== "<" && first !== "[" && first !== "◁") return undefined;
  channel.lastIndex = at;
  const [opening, name] = channel.exec(text) ?? [];
  if (opening !== undefined) return { end: at + opening.length, isEndOnly: name === "final" };
  tag.lastIndex = at;
  const [whole = "", ...groups] = tag.exec(text) ?? [];
  if (whole === "") return undefined;
  const [slash, kind = ""] = groups.filter((group) => group !== undefined);
  if (slash === "/") return { end: at + whole.length, isEndOnly: true };
  const closing = new RegExp(`[<[◁]/${kind}[>\\]▷]`, "gi");
  closing.lastIndex = at + whole.length;
  const end = closing.exec(text);
  if (end !== null) return { end: end.index + end[0].length, isEndOnly: false };
  // Other words also stand in texts that are no thoughts.
  return { end: /think/i.test(kind) ? text.length : at + whole.length, isEndOnly: false };
}
