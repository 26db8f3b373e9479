import { expect, test } from "vitest";
import { ReadBudget, type ReadLimits, UnreadableText } from "./budget.ts";
import { readYaml } from "./yaml.ts";

const limits: ReadLimits = { values: 10_000, columns: 0, depth: 32, bytes: 100_000 };
const read = (text: string, own: Partial<ReadLimits> = {}) =>
  Array.fromAsync(readYaml(text, new ReadBudget({ ...limits, ...own })));

async function failure(text: string, own: Partial<ReadLimits> = {}) {
  const error: unknown = await read(text, own).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UnreadableText);
  return error instanceof UnreadableText ? error.message : "";
}

test("documents become values of JSON", async () => {
  const text =
    'a: &x {k: [1, 2.5, true, null, ~, yes, 2026-03-01]}\nb: *x\n"__proto__": {z: 1}\nt: |\n  two\n  lines\n';
  const [value, second] = await read(`${text}---\nsecond`);
  const k = [1, 2.5, true, null, null, "yes", "2026-03-01"];
  expect(JSON.stringify(value)).toBe(
    JSON.stringify(
      JSON.parse(
        `{"a": {"k": ${JSON.stringify(k)}}, "b": {"k": ${JSON.stringify(k)}}, "__proto__": {"z": 1}, "t": "two\\nlines\\n"}`,
      ),
    ),
  );
  expect(second).toBe("second");
});

test("errors have their row and column", async () => {
  expect(await failure("a: 1\nb: 2\na: 3")).toBe("The key a occurs twice (row 3, column 1)");
  expect(await failure("a: 1\nb: .inf")).toMatch(/finite number.*\(row 2, column 4\)$/);
  expect(await failure("? [q]\n: 1")).toMatch(/^Expected a text as key/);
  expect(await failure("a: *b")).toBe("The alias b has no anchor before it (row 1, column 4)");
  expect(await failure("a: &a [*a]")).toBe("The anchor a contains itself (row 1, column 8)");
  expect(await failure("a: [1, 2\nb: }")).toMatch(/^The text is not YAML: .*\(row 2, column 1\)$/);
});

test.for([
  ["anchors of anchors", nestedAnchors()],
  ["lists in lists", "[".repeat(50_000)],
  ["items in items", "- ".repeat(50_000)],
  ["keys in keys", "? ".repeat(50_000)],
  ["comments", "#\n".repeat(50_000)],
  ["anchors of one value", "&a ".repeat(30_000)],
  [
    "an alias of a long text",
    `a: &a ${"x".repeat(20_000)}\n${Array.from({ length: 20 }, (_, at) => `k${at}: *a`).join("\n")}`,
  ],
] as const)("%s end at a limit", async ([, text]) => {
  const startMs = performance.now();
  expect(await failure(text)).toMatch(/^Expected at most|^The text has too many/);
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

/** Builds nine aliases of nine aliases of …: 9^9 values in total. */
function nestedAnchors(): string {
  const names = [..."abcdefghi"];
  return names
    .map((name, at) => `${name}: &${name} [${Array(9).fill(at === 0 ? "x" : `*${names[at - 1]}`)}]`)
    .join("\n");
}
