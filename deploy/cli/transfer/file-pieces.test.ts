import { expect, test } from "vitest";
import { type FilePiece, openRowFile } from "./file-pieces.ts";

async function split(content: string, keys: readonly string[] = []): Promise<FilePiece[]> {
  return [...(await openRowFile(content)).pieces(keys)];
}

const times = <Item>(count: number, item: (at: number) => Item) => Array.from({ length: count }, (_, at) => item(at));

test("a short file is one unchanged piece", async () => {
  const content = "sep=;\r\na;b\r\n1;2\r\n";
  expect(await split(content)).toEqual([{ format: "CSV", content, rows: [2], firstRow: 2 }]);
});

test("pieces of a table have the header, the rows' numbers and the count of equal keys", async () => {
  const pieces = await split(`q;"a;x"\n${times(1_500, (at) => `${at % 1_200};"b\n""${at}"""`).join("\n")}`, ["q"]);
  expect(pieces.map(({ rows }) => rows.length)).toEqual([1_000, 500]);
  expect(pieces[1]?.rows[0]).toBe(1_002);
  const start = 'q,"a;x",__occurrence\r\n1000,"b\n""1000""",1\r\n';
  expect(pieces[1]?.content.startsWith(start)).toBe(true);
  expect(pieces[1]?.content.endsWith('299,"b\n""1499""",2\r\n')).toBe(true);
});

test("pieces of a document keep what is around its rows", async () => {
  const tests = times(1_100, (at) => ({ vars: { q: `${at % 1_050}` } }));
  const pieces = await split(JSON.stringify({ prompts: ["{{q}}"], tests }), ["vars"]);
  const documents = pieces.map(({ content }) => JSON.parse(content));
  expect(documents.map(({ prompts, tests: own }) => [prompts, own.length])).toEqual([
    [["{{q}}"], 1_000],
    [["{{q}}"], 100],
  ]);
  expect(documents[1].tests.at(-1)).toEqual({ vars: { q: "49" }, __occurrence: "2" });
});

test("pieces of lines skip blank ones and keep exact numbers and wrong lines", async () => {
  const pieces = await split(`${times(1_001, (at) => `{"n": 9007199254740993, "at": ${at}}\n\n`).join("")}wrong\n`, []);
  expect(pieces[1]?.rows).toEqual([2_001, 2_003]);
  expect(pieces[1]?.content.split("\n")).toEqual(['{"n":9007199254740993,"at":1000,"__occurrence":"1001"}', "wrong"]);
});
