// Hostile texts of any length, which slow down parsers, regular expressions or comparisons.

export interface TextKind {
  readonly name: string;
  readonly start?: string;
  /** Repeated between start and end. */
  readonly unit: string | ((index: number) => string);
  readonly end?: string;
}

const noise = (index: number) => ((Math.imul(index + 1, 2_654_435_761) >>> 0) * 7_919).toString(36);
const uuid = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;

export const textKinds: readonly TextKind[] = [
  { name: "one letter", unit: "a", end: "!" },
  { name: "spaces", start: "x", unit: " ", end: "x" },
  { name: "spaces and tabs", start: "x", unit: " \t", end: "x" },
  { name: "newlines", start: "x", unit: "\n", end: "x" },
  { name: "CR and LF", start: "x", unit: "\r\n", end: "x" },
  { name: "blank lines", unit: " \n", end: "x" },
  { name: "distinct lines", unit: (index) => `${index}\n` },
  { name: "distinct words", unit: (index) => `w${index} ` },
  { name: "repeated prefixes", unit: (index) => `${"a".repeat(index % 60)} ` },
  { name: "commas", unit: "," },
  { name: "distinct columns", unit: (index) => `${index},` },
  { name: "quoted cells", unit: '"",' },
  { name: "an unclosed quote", start: '"', unit: "a,\n" },
  { name: "quotes", unit: '"' },
  { name: "apostrophes", unit: "'" },
  { name: "backslashes", unit: "\\" },
  { name: "open brackets", unit: "[" },
  { name: "open objects", unit: '{"a":' },
  { name: "open parentheses", unit: "(" },
  { name: "angle brackets", unit: "<a " },
  { name: "comments", unit: "<!--" },
  { name: "nested repetitions", start: "^(a+)+", unit: "(a|a)*", end: "$" },
  { name: "counted repetitions", unit: "a{99}" },
  { name: "character classes", unit: "[a-z\\d]" },
  { name: "alternatives", unit: (index) => `a${index}|` },
  { name: "dots", unit: "a." },
  { name: "at signs", unit: "a@" },
  { name: "hyphens", unit: "a-" },
  { name: "wildcards", unit: "%_" },
  { name: "slashes", start: "https://a", unit: "/.." },
  { name: "labels of a host", start: "https://", unit: "a.", end: "b/" },
  { name: "combining characters", start: "a", unit: "\u0301" },
  { name: "unordered combining characters", start: "a", unit: "\u0301\u0323" },
  { name: "ligatures", unit: "\ufdfa" },
  { name: "emoji", unit: "👩‍👩‍👧‍👦" },
  { name: "surrogate pairs", unit: "\u{10fffd}" },
  { name: "direction marks", unit: "\u202e\u2066a" },
  { name: "letters that grow", unit: "İß" },
  { name: "digits", unit: "9" },
  { name: "decimals", start: "0.", unit: "0", end: "1" },
  { name: "exponents", unit: "1e9" },
  { name: "YAML anchors", start: "b0: &b0 [a]\n", unit: (n) => `b${n + 1}: &b${n + 1} [*b${n},*b${n}]\n` },
  { name: "YAML indentation", unit: (index) => `${" ".repeat(index % 200)}a:\n` },
  { name: "base64 noise", unit: noise },
  { name: "emphasis", unit: "**a*_" },
  { name: "links", unit: "[a](" },
  { name: "headings", unit: "# a\n" },
  { name: "headings of long blanks", unit: `# x${" ".repeat(900)}x\n` },
  { name: "lines of long blanks", unit: `x${" ".repeat(900)}x\n` },
  { name: "versions of a model", start: "gpt-4o", unit: "-1", end: "x" },
  { name: "quotations", unit: "> " },
  { name: "code marks", unit: "`" },
  { name: "tables", unit: "|a" },
  { name: "templates", unit: "{{a}}$&{b}" },
  { name: "open templates", unit: "{{" },
  { name: "JSON numbers", start: "[", unit: "1,", end: "1]" },
  { name: "JSON objects", start: "[", unit: "{},", end: "{}]" },
  { name: "JSON keys", start: "{", unit: (index) => `"${index}":1,`, end: '"z":1}' },
  { name: "JSON escapes", start: '"', unit: "\\u0041", end: '"' },
  { name: "JSON lines", unit: '{"a":1}\n' },
  { name: "times", unit: "2026-01-01T00:00:00Z," },
  { name: "ids", unit: (index) => `${uuid(index)},` },
  { name: "addresses", unit: (index) => `a${index}@example.com, ` },
  { name: "numbers of cards", unit: "4111 1111 1111 1111 " },
  { name: "telephone numbers", unit: "+1 (555) 010-0100 " },
  { name: "lone surrogates", unit: "\ud800" },
];

/** Returns at most `length` characters, as JSON Schema counts them; `salt` makes another text of the same kind. */
export function makeText({ start = "", unit, end = "" }: TextKind, length: number, salt = 0): string {
  const room = length - start.length - end.length - 1;
  if (room < 1) return "x".repeat(Math.max(length, 0));
  // Starts with a letter, so that a repeated request names another resource.
  const first = start === "" && length > 20 ? String.fromCharCode(97 + (salt % 26)) : "";
  if (typeof unit === "string") return `${start}${first}${unit.repeat(Math.floor(room / characters(unit)))}${end}`;
  const parts: string[] = [];
  for (let [index, left] = [0, room]; ; index++) {
    const part = unit(index);
    left -= part.length;
    if (left < 0) return `${start}${first}${parts.join("")}${end}`;
    parts.push(part);
  }
}

/** Bytes of a character of the text in JSON, on average. */
export function bytesPerCharacter(kind: TextKind): number {
  const sample = makeText(kind, 1_000);
  return Buffer.byteLength(JSON.stringify(sample)) / characters(sample);
}

const characters = (text: string) => [...text].length;
