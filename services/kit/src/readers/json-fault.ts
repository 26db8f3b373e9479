// Position of the first error in a text that JSON.parse rejected: its messages have no path and often no position.

export interface JsonFault {
  /** Path of the value, such as `$.messages[3].content`. */
  readonly path: string;
  /** Index of the first invalid character; the text's length if it ends too early. */
  readonly index: number;
}

type Expected = "value" | "first item" | "first name" | "name" | "colon" | "comma" | "end";

/** Scans the tokens once, without recursion. */
export function findJsonFault(text: string): JsonFault {
  /** Open lists by the index of their item, open objects by the name of their member. */
  const open: (string | number)[] = [];
  let expected: Expected = "value";
  let index = afterSpace(text, 0);
  while (index < text.length) {
    const character = text.charAt(index);
    const end = endOfToken(text, index);
    if (end === undefined) break;
    const next: Expected | undefined = step(character, text.slice(index + 1, end - 1), expected, open);
    if (next === undefined) break;
    expected = next;
    index = afterSpace(text, end);
  }
  return { path: open.reduce<string>(addStep, "$"), index };
}

function addStep(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}[${step}]`;
  return step === "" ? path : `${path}.${step}`;
}

/** Returns the next expected token; undefined if the token is not allowed here. Updates `open`. */
function step(token: string, content: string, expected: Expected, open: (string | number)[]): Expected | undefined {
  const last = open.length - 1;
  const isValueExpected = expected === "value" || expected === "first item";
  switch (token) {
    case "[":
      if (!isValueExpected) return undefined;
      open.push(0);
      return "first item";
    case "{":
      if (!isValueExpected) return undefined;
      open.push("");
      return "first name";
    case "]":
    case "}": {
      const isList = typeof open[last] === "number";
      const isAllowed = expected === "comma" || expected === (isList ? "first item" : "first name");
      if (last < 0 || !isAllowed || isList !== (token === "]")) return undefined;
      open.pop();
      return last === 0 ? "end" : "comma";
    }
    case ",": {
      if (expected !== "comma") return undefined;
      const at = open[last];
      open[last] = typeof at === "number" ? at + 1 : "";
      return typeof at === "number" ? "value" : "name";
    }
    case ":":
      return expected === "colon" ? "value" : undefined;
    case '"':
      if (expected === "name" || expected === "first name") {
        open[last] = content;
        return "colon";
      }
      break;
  }
  if (!isValueExpected) return undefined;
  return open.length === 0 ? "end" : "comma";
}

function afterSpace(text: string, start: number): number {
  let index = start;
  while (" \t\n\r".includes(text[index] ?? "x")) index++;
  return index;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;

/** Returns the index after the token at `start`; undefined if there is no token. */
function endOfToken(text: string, start: number): number | undefined {
  const character = text.charAt(start);
  if ("[]{},:".includes(character)) return start + 1;
  if (character === '"') return endOfText(text, start + 1);
  const expression = /[-\d]/.test(character) ? number : word;
  expression.lastIndex = start;
  return expression.test(text) ? expression.lastIndex : undefined;
}

function endOfText(text: string, start: number): number | undefined {
  for (let index = start; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') return index + 1;
    if (character < " ") return undefined;
    if (character !== "\\") continue;
    index++;
    const escaped = text.charAt(index);
    if (escaped === "u" && /^[0-9a-fA-F]{4}$/.test(text.slice(index + 1, index + 5))) index += 4;
    else if (escaped === "" || !'"\\/bfnrt'.includes(escaped)) return undefined;
  }
  return undefined;
}
