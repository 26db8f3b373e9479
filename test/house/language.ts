// Finds words, openings and names that the house style replaces.
// `node test/house/language.ts [folder or file …]` lists the findings.

import { basename, extname } from "node:path";
import { parseSync } from "rolldown/utils";
import { files, isTest, read } from "./sources.ts";

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: "opening" | "word" | "spelling" | "name" | "length";
  readonly text: string;
}

/** A relative clause in place of a noun: "What a repeat is recognized by" instead of "Idempotency key". */
const opening = /^(Of|What|Whether|How|Who|Whom|Whose|When|Where|Which)\b/;

/** Words of a private dialect, each with what to write instead. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\b(nobody|somebody)\b/i, "no one, or the noun"],
  [/\bwho(m?)ever\b/i, "the noun"],
  [/\banew\b/i, "again"],
  [/\bfor ever\b/i, "without limit"],
  [/\bbeside\b/i, "next to, with, compared with"],
  [/\b(tell|tells|told|telling)\b/i, "report, say, state"],
  [/\bbut for\b/i, "except"],
  [/(?<!(soon|long|far|large|small) )\bas (it is|they are)\b/i, "unchanged"],
  [/\bwhat came of\b/i, "the outcome"],
  [/\b(go|goes|went) by\b/i, "use, follow"],
  [/\bdear\b/i, "expensive"],
  [/\b(settle|settles|settled|settling)\b/i, "complete"],
  [/\btwins?\b/i, "duplicate"],
  [/\b(come|comes|came|coming) (again|back)\b/i, "re-ingested, redelivered, restored, returns"],
  [/\bextents?\b/i, "range"],
  [/\bshown\b/i, "displayed, listed, returned"],
  [/\b(carry|carries|carried|carrying)\b/i, "archive, contain, move"],
  [/\bfalls? (of|in) (a |the )?(pass )?rates?\b/i, "regression"],
  [/\bbr(ing|ings|inging|ought) back\b/i, "restore"],
  [/\bfaults? of (ours|its own)\b/i, "internal error"],
  // One word for one thing.
  [/\bpoison (message|event)s?\b/i, "dead letter"],
  [/\broll-ups?\b/i, "rollup"],
  [/\bweb hooks?\b/i, "webhook"],
  [/\bre-?tests?\b/i, "rerun"],
];

const british =
  /\b(organis|recognis|normalis|serialis|summaris|initialis|authoris|behaviour|neighbour|favour|honour|colour|labell|cancelling|misspelt|catalogue|whilst|licence|analyse|judgement)\w*/i;

/** Names that say nothing in this product, each with better ones. */
const table = `
  again = retry, replay, repeat          announceend = sendGoaway              ask = call, request, query
  asked = requests, requested            cut = split, truncate                 hi0 = bounds
  k0 = group, key                        lo0 = bounds                          n0 = count
  postoffice = mailServer               shares = TenantConcurrencyLimiter
  trust = tlsContext
  asking = pending, requests             buried = deadLetters                   bury = deadLetter
  chance = random                        ending = cancellation                  given = request, options, overrides
  hasgivenway = isRetryable              hull = bounds                          kept = stored, archived, unsent
  known = cached, registered             lanes = scheduler, clients             neveragain = notReplayable
  once = runIdempotent                   outlivelostconnections = surviveConnectionLoss
  owed = due                             paced = Throttle                       possess = unauthenticated
  refusepowerfulrole = assertUnprivilegedRole                                   rig = harness
  said = output, text                    settleduntil = ackedUpTo               shownwith = loadReferences
  strangers = unauthenticated            take = handle, claim                   takein = handle
  taken = handled                        taker = EventHandler                   tell = report, print, record
  tellparent = reportListening           tile = bucket                          told = reported, recorded
  turns = TenantConcurrencyLimiter       untilreachable = waitForDatabase       verdict = nextState
  wanted = requested, expected           way = path, route                      waytodatabase = resolveDatabase
  whynot = notResentReason               world = referenceModel
`;
const instead = new Map(
  [...table.matchAll(/(\w+) = (\w+(?:, \w+)*)/g)].map(([, word = "", names = ""]) => [word, names]),
);

/** Parts of names from the old vocabulary. */
const privateParts = new Set(
  `settle settles settled settling beside twin twins extent extents anew nobody somebody whoever carrier carry carries
  carried shown told untold tell tells fall falls fell`.split(/\s+/),
);
const vagueNames = new Set(["one", "some", "others"]);

/** Files of other projects, and generated files. */
const excluded = [
  /^(proto|gateway\/console)\/gen\//,
  /^proto\/(google|grpc|opentelemetry|vendor|buf)\/.*\.proto$/,
  /(^|\/)(golden|fixtures?|recorded|samples?)\//,
  /\.(json|csv|jsonl|ndjson|xml)$/,
  /(^|\/)(schema\.txt|baseline\.txt|pnpm-lock\.yaml)$/,
];
/** Files whose strings are behavior, or examples of what is found; only their names and comments are checked. */
const quoting = /^(test\/house\/language\.ts|services\/evaluation\/src\/judges\/.*prompts?\.ts)$/;

const plain = (text: string) =>
  text
    .replaceAll(/`[^`]*`/g, "")
    .replaceAll(/\S*[_/\\]\S*|--\S+|\{\{.*?\}\}/g, "")
    .replaceAll(/\b[A-Z][A-Z0-9]+\b/g, "");

function inText(file: string, line: number, text: string): Finding[] {
  const prose = plain(text);
  const found: Finding[] = [];
  for (const [pattern, instead] of words) {
    const match = pattern.exec(prose);
    if (match) found.push({ file, line, rule: "word", text: `${match[0]} (${instead}): ${text.trim().slice(0, 160)}` });
  }
  const match = british.exec(prose);
  if (match) found.push({ file, line, rule: "spelling", text: `${match[0]}: ${text.trim().slice(0, 160)}` });
  return found;
}

const inComment = (file: string, line: number, text: string): Finding[] => {
  const prose = text.replace(/^[\s*/#-]+/, "");
  const opens: Finding[] = opening.test(prose) ? [{ file, line, rule: "opening", text: prose.slice(0, 160) }] : [];
  return [...opens, ...inText(file, line, text)];
};

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly name?: string;
  readonly value?: unknown;
  readonly left?: Node;
  readonly id?: Node;
  readonly key?: Node;
  readonly params?: unknown;
  readonly computed?: boolean;
  readonly callee?: Node;
  readonly object?: Node;
  readonly arguments?: readonly Node[];
}
export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";
export const children = (node: Node) => Object.values(node).flat().filter(isNode);

function inName(file: string, line: number, name: string, isBinding: boolean): Finding[] {
  const parts = name.split(/(?=[A-Z])|[_-]/).map((part) => part.toLowerCase());
  const endsWithPreposition = /[a-z]Of$/.test(name) && !/^(index|lastIndex|value|instance|any|all|one)Of$/.test(name);
  const isPrivate = parts.some((part) => privateParts.has(part)) && !/^[A-Z_]+$/.test(name);
  const isVague = isBinding && vagueNames.has(name);
  const better = instead.get(name.toLowerCase());
  const text = better === undefined ? name : `${name} (${better})`;
  return endsWithPreposition || isPrivate || isVague || better !== undefined
    ? [{ file, line, rule: "name", text }]
    : [];
}

function inBinding(pattern: Node): Node[] {
  if (pattern.type === "Identifier") return [pattern];
  if (pattern.type === "Property") return inBinding(pattern.value as Node);
  if (pattern.type === "AssignmentPattern") return inBinding(pattern.left as Node);
  return /Pattern$|^RestElement$|^TSParameterProperty$/.test(pattern.type) ? children(pattern).flatMap(inBinding) : [];
}

/** Names that the node declares: bindings, and keys of types, classes and literals. */
function declared(node: Node): { readonly node: Node; readonly isBinding: boolean }[] {
  const { id, key, params, type } = node;
  const isDeclared = type === "VariableDeclarator" || /^(Function|Class|TS\w+)(Declaration|Expression)?$/.test(type);
  const bindings = [
    ...(isNode(id) && isDeclared ? inBinding(id) : []),
    ...(Array.isArray(params) ? params.filter(isNode).flatMap(inBinding) : []),
  ];
  const isKey = /^(MethodDefinition|PropertyDefinition|TSPropertySignature|TSMethodSignature|Property)$/.test(type);
  // An option of a library, such as `{ once: true }`.
  const isFlag = isNode(node.value) && node.value.value === true;
  const keys = isKey && key?.type === "Identifier" && node.computed !== true && !isFlag ? [key] : [];
  return [
    ...bindings.map((each) => ({ node: each, isBinding: true })),
    ...keys.map((each) => ({ node: each, isBinding: false })),
  ];
}

const testNames = /^(test|it|describe)$/;
const isTestCall = (node: Node) => {
  let callee = node.callee;
  while (callee?.type === "MemberExpression" || callee?.type === "CallExpression")
    callee = callee.object ?? callee.callee;
  return node.type === "CallExpression" && testNames.test(String(callee?.name));
};
/** Text of a string literal, of JSX or of a template's part. */
export const literal = (node: Node | undefined): string[] => {
  if (node?.type === "Literal" && typeof node.value === "string") return [node.value];
  if (node?.type === "JSXText") return [String(node.value)];
  if (node?.type === "TemplateElement") return [(node.value as { raw: string }).raw];
  return [];
};
/** Returns the strings that people read: those of at least two words, and in test files the names of tests. */
function strings(node: Node, inTest: boolean): string[] {
  if (node.type === "ImportDeclaration") return [];
  if (inTest)
    return isTestCall(node)
      ? (node.arguments as Node[]).slice(0, 1).flatMap((name) => [name, ...children(name)].flatMap(literal))
      : [];
  return literal(node).filter((text) => /\w \w/.test(text));
}

function inScript(file: string, text: string): Finding[] {
  const { program, comments } = parseSync(file, text);
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1;
  const found: Finding[] = [];
  let previous = { line: -1, type: "" };
  for (const { type, value, start } of comments) {
    const line = lineAt(start);
    const continues = type === "Line" && previous.type === "Line" && previous.line === line - 1;
    found.push(...(continues ? inText : inComment)(file, line, value));
    previous = { line, type };
  }
  const inTest = isTest(file) || file.startsWith("test/") || file.startsWith("deploy/dev/");
  const visit = (node: Node) => {
    for (const name of declared(node))
      found.push(...inName(file, lineAt(name.node.start), String(name.node.name), name.isBinding));
    for (const each of quoting.test(file) ? [] : strings(node, inTest))
      found.push(...inText(file, lineAt(node.start), each));
    children(node).forEach(visit);
  };
  visit(program as unknown as Node);
  return found;
}

const marks: Readonly<Record<string, RegExp>> = {
  ".proto": /^\s*\/\/ ?(.*)|\/\/ (.*)/,
  ".sql": /^\s*-- ?(.*)/,
  ".yaml": /(?:^|\s)#+ (.*)/,
  ".sh": /^\s*# (.*)/,
  ".css": /\/\* (.*)/,
  ".tpl": /\{\{-? ?\/\* ?(.*)/,
  ".py": /(?:^|\s)# (.*)/,
};

function inLines(file: string, text: string): Finding[] {
  const mark = marks[extname(file)];
  const isProse = /\.(md|txt)$/.test(file);
  let fenced = false;
  let inBlock = false;
  return text.split("\n").flatMap((content, index) => {
    if (isProse && /^\s*(```|~~~)/.test(content)) fenced = !fenced;
    if (isProse) return fenced ? [] : inText(file, index + 1, content);
    const match = mark?.exec(content);
    const comment = match?.[1] ?? match?.[2];
    const starts = comment !== undefined && !inBlock;
    inBlock = comment !== undefined && match?.index === 0;
    if (comment === undefined) return extname(file) === ".yaml" ? inText(file, index + 1, content) : [];
    return (starts ? inComment : inText)(file, index + 1, comment);
  });
}

const longest = 800;

export function check(file: string): Finding[] {
  if (excluded.some((pattern) => pattern.test(file))) return [];
  const words = (basename(file).split(".")[0] ?? "").split("-").filter((word) => word !== "once");
  const found = words.flatMap((word) => inName(file, 0, word, false));
  if (/\.(tsx?|mjs)$/.test(file)) return [...found, ...inScript(file, read(file))];
  if (!(extname(file) in marks) && !/\.(md|txt)$/.test(file)) return found;
  const text = read(file);
  const length = text.split(/\s+/).filter((word) => word !== "").length;
  if (basename(file) === "README.md" && length > longest)
    found.push({ file, line: 0, rule: "length", text: `${length} words, at most ${longest}` });
  return [...found, ...inLines(file, text)];
}

export const findings = (folders: readonly string[] = []): Finding[] =>
  files.filter((file) => folders.length === 0 || folders.some((folder) => file.startsWith(folder))).flatMap(check);

if (import.meta.main) {
  const found = findings(process.argv.slice(2));
  for (const { file, line, rule, text } of found) console.log(`${file}:${line} ${rule} ${text}`);
  const rules = Object.groupBy(found, ({ rule }) => rule);
  console.log(
    found.length,
    Object.entries(rules)
      .map(([rule, each]) => `${rule} ${each.length}`)
      .join(", "),
  );
}
