// YAML 1.2 as JSON values.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Document, Node, Scalar } from "yaml";
import { readNumber } from "../json/exact-number.ts";
import { type ReadBudget, type ReadPosition, UnreadableText } from "./budget.ts";
import { decodeText } from "./decode-text.ts";
import { Pace } from "./pace.ts";
import { makeStorable } from "./storable-text.ts";

type Yaml = typeof import("yaml");

/** Lines of the members and items of objects and lists, from 1, for callers that report places. */
export type YamlLines = WeakMap<object, ReadonlyMap<string | number, number>>;

/** Lexemes between two checks of time and depth. */
const lexemesAtOnce = 64;
/**
 * Maximum lexemes per value, with its share of spaces, indicators and line breaks. Comments and empty lines share the
 * same total.
 */
const lexemesPerValue = 5;

/**
 * Reads the documents of a YAML text. An alias costs as many values as its anchor, so nested anchors end at the limit.
 * The text is measured before the library builds nodes, which then takes about 5 µs a value without a pause: use a
 * worker thread for more than 10,000 values.
 */
export async function* readYaml(
  input: Uint8Array | string,
  budget: ReadBudget,
  lines?: YamlLines,
): AsyncGenerator<JsonValue> {
  const text = decodeText(input, budget);
  const yaml = await import("yaml");
  const pace = new Pace();
  for await (const document of composeDocuments(yaml, text, budget, pace)) {
    const [error] = document.errors;
    if (error !== undefined)
      throw new UnreadableText(`The text is not YAML: ${error.message}`, placeAt(text, error.pos[0]));
    yield new Conversion(yaml, text, budget, lines).convert(document.contents);
    if (pace.isDue) await pace.turn();
  }
}

async function* composeDocuments(
  { Composer, Lexer, Parser }: Yaml,
  text: string,
  budget: ReadBudget,
  pace: Pace,
): AsyncGenerator<Document> {
  const parser = new Parser();
  // Turns off the check that compares each key with all others; `Conversion` uses a set.
  const composer = new Composer({ version: "1.2", schema: "core", uniqueKeys: false, intAsBigInt: false });
  const lexemesMax = budget.limits.values * lexemesPerValue;
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) yield* composer.next(token);
    if (++lexemes % lexemesAtOnce > 0) continue;
    if (lexemes > lexemesMax)
      throw new UnreadableText("The text has too many lines or values", placeAt(text, parser.offset), "LIMIT");
    assertDepth(parser.stack.length, budget, () => placeAt(text, parser.offset));
    if (pace.isDue) await pace.turn();
  }
  for (const token of parser.end()) yield* composer.next(token);
  yield* composer.end();
}

/** Checks the depth. The parser's stack also contains the document and the innermost scalar. */
function assertDepth(stacked: number, { limits }: ReadBudget, position: () => ReadPosition): void {
  if (stacked <= limits.depth + 2) return;
  throw new UnreadableText(`Expected at most ${limits.depth} nested levels`, position(), "LIMIT");
}

/** Converts nodes to values. Anchors are defined from their position on, as in YAML. */
class Conversion {
  readonly #yaml: Yaml;
  readonly #text: string;
  readonly #budget: ReadBudget;
  readonly #anchors = new Map<string, Node>();
  /** Anchors whose value is being converted: an alias to one of them would never end. */
  readonly #open = new Set<Node>();
  readonly #lines: YamlLines | undefined;
  readonly #lineStarts: readonly number[];
  /** Nesting of aliases whose value is being converted. */
  #aliases = 0;

  constructor(yaml: Yaml, text: string, budget: ReadBudget, lines: YamlLines | undefined) {
    this.#yaml = yaml;
    this.#text = text;
    this.#budget = budget;
    this.#lines = lines;
    this.#lineStarts = lines === undefined ? [] : [...text.matchAll(/^/gm)].map(({ index }) => index);
  }

  convert(node: unknown): JsonValue {
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml;
    if (node === null || node === undefined) return null;
    this.#budget.spendValues(1, this.#place(node));
    if (isAlias(node)) return this.#convertAlias(node.source, node);
    if (isScalar(node)) return this.#convertScalar(node);
    if (!isMap(node) && !isSeq(node)) this.#fail("Expected a value of JSON", node);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    this.#open.add(node);
    this.#budget.spendLevel(this.#place(node));
    const value = isSeq(node) ? this.#convertSeq(node.items) : this.#convertMap(node.items);
    this.#budget.leaveLevel();
    this.#open.delete(node);
    return value;
  }

  #convertSeq(items: readonly unknown[]): JsonValue[] {
    const values = items.map((item) => this.convert(item));
    this.#lines?.set(values, new Map(items.map((item, at) => [at, this.#lineAt(item)])));
    return values;
  }

  #convertMap(items: readonly { readonly key: unknown; readonly value: unknown }[]): JsonObject {
    const entries = new Map<string, JsonValue>();
    for (const { key, value } of items) {
      const name = this.#convertKey(key);
      if (entries.has(name)) this.#fail(`The key ${name} occurs twice`, key);
      entries.set(name, this.convert(value));
    }
    // Unlike assignment, this keeps the name `__proto__`.
    const map = Object.fromEntries(entries);
    this.#lines?.set(map, new Map(items.map(({ key }) => [String(this.#keyText(key)), this.#lineAt(key)])));
    return map;
  }

  #keyText(key: unknown): unknown {
    return this.#yaml.isScalar(key) ? key.value : "";
  }

  /** Returns the line of a node by binary search; 1 if it is unknown. */
  #lineAt(node: unknown): number {
    const offset = this.#yaml.isNode(node) ? node.range?.[0] : undefined;
    if (offset === undefined) return 1;
    let [low, high] = [0, this.#lineStarts.length];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  #convertKey(key: unknown): string {
    const value = this.convert(key);
    if (typeof value === "object" && value !== null) this.#fail("Expected a text as key", key);
    return String(value);
  }

  #convertAlias(source: string, alias: Node): JsonValue {
    const node = this.#anchors.get(source);
    if (node === undefined) this.#fail(`The alias ${source} has no anchor before it`, alias);
    if (this.#open.has(node)) this.#fail(`The anchor ${source} contains itself`, alias);
    this.#aliases += 1;
    const value = this.convert(node);
    this.#aliases -= 1;
    return value;
  }

  #convertScalar(node: Scalar): JsonValue {
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    const { value } = node;
    if (typeof value === "string") {
      // Count only texts of aliases: the file's own text was counted when it was decoded.
      if (this.#aliases > 0) this.#budget.spendBytes(value.length, this.#place(node));
      return makeStorable(value, this.#budget);
    }
    if (value === null || value === undefined || typeof value === "boolean") return value ?? null;
    if (typeof value === "number" && Number.isFinite(value))
      return node.source === undefined ? value : readNumber(node.source, value);
    this.#fail("Expected a text, a finite number, a boolean or null", node);
  }

  #fail(problem: string, node: unknown): never {
    throw new UnreadableText(problem, this.#place(node)());
  }

  #place(node: unknown): () => ReadPosition {
    return () => (this.#yaml.isNode(node) && node.range ? placeAt(this.#text, node.range[0]) : {});
  }
}

function placeAt(text: string, offset: number): ReadPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { row: before.split("\n").length, column: offset - lineStart + 1 };
}
