import type { JsonValue } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Search } from "./find-values.ts";
import { parsePath, type TracePath } from "./path.ts";

function read(text: string): TracePath {
  const path = parsePath(text);
  if ("error" in path) throw new Error(path.error);
  return path;
}

const find = (text: string, part: JsonValue | undefined) =>
  [...new Search(read(text)).valuesIn(part)].map(({ value }) => value);

test("a path has steps, a part and a place in its JSON", () => {
  expect(read(String.raw`llm['it\'s\u0041'][-1].output.choices[0]["a b"].*`)).toMatchObject({
    steps: { isRoot: false, type: "llm", name: "it'sA", position: -1 },
    part: "output",
    segments: [{ name: "choices" }, { position: 0 }, { name: "a b" }, "all"],
  });
  expect(read("root.input")).toMatchObject({ steps: { isRoot: true, position: undefined }, segments: [] });
  expect(read("trace.metadata['app.user']")).toMatchObject({ steps: undefined, segments: [{ name: "app.user" }] });
  expect(read("step.metadata.größe.名前").segments).toEqual([{ name: "größe" }, { name: "名前" }]);
});

test.each([
  ["", "Must begin with"],
  ["$.root.input", "Must begin with"],
  ["root", "After the steps"],
  ["root.text", "After the steps"],
  ["root[1e3].input", "After the steps"],
  ["root.input.", "Character 11"],
  ["root.input[?@.role=='user']", "Character 11"],
  ["root.input.a-b", "Character 13"],
  [String.raw`root.input['\x']`, "Unknown escape"],
  ["root[-200000].input", "at most 100000"],
  ["trace.input", "only metadata"],
  ["trace.metadata", "Must name a field"],
  [`root.input${".a".repeat(21)}`, "At most 20 segments"],
])("%s is refused", (text, error) => {
  expect(parsePath(text)).toEqual({ error: expect.stringContaining(error) });
});

const chat = JSON.stringify({
  messages: [
    { role: "user", content: "Hi" },
    { role: "user", content: '{"text": "Hello"}' },
  ],
  n: 9054686819491029395n.toString(),
});

test.each<[string, JsonValue | undefined, JsonValue[]]>([
  ["root.input", "Hi", ["Hi"]],
  ["root.input.messages[-1].content.text", chat, ["Hello"]],
  ["root.input.messages[*].role", chat, ["user", "user"]],
  ["root.input.messages[2].content", chat, []],
  ["root.input.messages.content", chat, []],
  ["root.input.__proto__", chat, []],
  ["root.input.messages.length", chat, []],
  ["root.input.a", "plain text", []],
  ["root.input.a", '{"a": null}', []],
  ["root.input.a", '{"a": "  "}', []],
  ["root.input", undefined, []],
])("%s in %s", (text, part, values) => expect(find(text, part)).toEqual(values));

test("an exact number is a value without fields", () => {
  const part = '{"id": 9054686819491029395}';
  expect(JSON.stringify(find("root.input.id", part))).toBe("[9054686819491029395]");
  expect(find("root.input.id.rawJSON", part)).toEqual([]);
});

test("a search says how far it came", () => {
  const explain = (text: string, ...parts: (JsonValue | undefined)[]) => {
    const search = new Search(read(text));
    for (const part of parts) expect([...search.valuesIn(part)]).toEqual([]);
    return search.explain();
  };
  expect(explain("llm['plan'][-1].output.a")).toBe('The trace has no such step: llm["plan"][-1]');
  expect(explain("root.output.a", undefined)).toBe("The step has no output");
  expect(explain("root.output.a", "text")).toBe('Nothing at ["a"] in output');
  expect(explain("root.output.a[3].b", '{"a": [1]}', '{"b": 1}')).toBe('Nothing at [3] in output["a"]');
  expect(explain("root.output.a", '{"a": ""}')).toBe("The value is empty, or of another kind");
});

test("any text is read or refused, and any path ends in bounded time on any JSON", () => {
  const character = fc.constantFrom(..."root.input[]'\"\\*-0123a$?@ \u{1F600}é");
  const texts = fc.oneof(
    fc.string({ maxLength: 500 }),
    fc.array(character, { maxLength: 500 }).map((parts) => parts.join("")),
    fc.array(character, { maxLength: 480 }).map((parts) => `root.input${parts.join("")}`),
  );
  fc.assert(
    fc.property(texts, fc.jsonValue({ maxDepth: 6 }), (text, json) => {
      const startedMs = performance.now();
      const path = parsePath(text);
      if (!("error" in path)) expect([...new Search(path).valuesIn(JSON.stringify(json))].length).toBeLessThan(10_001);
      expect(performance.now() - startedMs).toBeLessThan(1_000);
    }),
    { numRuns: 500 },
  );
});

test("wildcards in wide and deep JSON, and JSON within JSON, end in bounded time", () => {
  const wide = JSON.stringify(Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => [[1], [2]])));
  let nested = '{"a": 1}';
  for (let depth = 0; depth < 12; depth++) nested = JSON.stringify({ a: nested });
  const huge = `[${"[".repeat(100_000)}`;
  const startedMs = performance.now();
  expect(find("root.input[*][*][*][*]", wide).length).toBeLessThan(10_001);
  expect(find(`root.input${".a".repeat(13)}`, nested)).toEqual([1]);
  for (const part of [huge, `${"{".repeat(1_000_000)}`, `"${"\\".repeat(1_000_001)}`])
    expect(find("root.input[*][*]", part)).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});
