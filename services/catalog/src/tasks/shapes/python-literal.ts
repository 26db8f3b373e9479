// Rewrites Python literals as JSON: data frames write the objects and lists of a table's cells so. Pure.

const words: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null", nan: "null" };
const token = /\s+|[[\]{}():,]|-?\d[\d.eE+-]*|[A-Za-z]+|'((?:[^'\\\n]|\\[\s\S])*)'|"((?:[^"\\\n]|\\[\s\S])*)"/y;
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\n": "" };

/** Returns the JSON of a literal such as `{'question': "It's?"}`; undefined if it is none. */
export function pythonAsJson(text: string): string | undefined {
  const parts: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const [found, single, double] = token.exec(text) ?? [];
    if (found === undefined) return undefined;
    const quoted = single ?? double;
    if (quoted !== undefined) parts.push(JSON.stringify(unescapeText(quoted)));
    else if (/^[A-Za-z]/.test(found)) {
      const word = words[found];
      if (word === undefined) return undefined;
      parts.push(word);
    } else parts.push(found === "(" ? "[" : found === ")" ? "]" : found);
  }
  return parts.join("");
}

function unescapeText(text: string): string {
  return text.replaceAll(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([\s\S]))/gi, (_, x, u, wide, single) => {
    const code = x ?? u ?? wide;
    if (code === undefined) return escapes[single] ?? single;
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  });
}
