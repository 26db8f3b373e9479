// Titles with terminal escapes: colors, window titles, the clipboard, cursor movements, forged
// lines, and reversed text. No output of `ems` may control a terminal, wherever it prints texts of other people.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { emsAs, type Ran } from "../harness/cli.ts";
import { nowhere } from "../harness/names.ts";

const product = await startAttacked();
const { api, apiKey, applicationId } = await product.tenant();
const ems = emsAs({ baseUrl: product.facts.baseUrl, apiKey, applicationId });
const directory = await mkdtemp(join(tmpdir(), "ems-test-terminal-"));
afterAll(() => rm(directory, { recursive: true }));

const titles = [
  "\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u001b[0m",
  "C1 alone: \u009b2J\u009d52;c;cm0=\u009c",
  "evil\r2026-01-01T00:00:00.000Z  topic.deleted",
  "a line\n2026-01-01T00:00:00.000Z  topic.forged",
  "invoice \u202efdp.exe\u202c \u2066x\u2069",
  "DEL\u007f and \u0008backspace",
];
const topicEvents = async () => (await api.get("/v0/webhook/deliveries?type=topic.created")).body.data;
beforeAll(async () => {
  await api.post("/v0/webhook", { url: nowhere });
  for (const title of titles) expect((await api.post("/v0/topics", { title })).status).toBe(201);
  await vi.waitFor(async () => expect(await topicEvents()).toHaveLength(titles.length), 20_000);
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: the test asserts their absence
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** Asserts that the output contains no terminal control sequences. */
async function harmless(ran: Promise<Ran>): Promise<Ran> {
  const { code, stdout, stderr } = await ran;
  expect([stdout.match(acting), stderr.match(acting)]).toEqual([null, null]);
  return { code, stdout, stderr };
}

const listen = ["webhook", "listen", "--type", "topic.created", "--since", "2020-01-01T00:00:00Z"];

test("events that are listened to: a line each, in which nothing acts", async () => {
  const { code, stdout } = await harmless(ems([...listen, "--count", String(titles.length)]));
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split("  ")[1])).toEqual(titles.map(() => "topic.created"));
  expect(stdout).toContain("\\u001b]0;owned\\u0007");
});

test("as JSON they are the same values", async () => {
  const { stdout } = await harmless(ems([...listen, "--count", String(titles.length), "--json"]));
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).data.title)).toEqual(titles);
});

test("one delivery with its event, a report, and an export to stdout", async () => {
  for (const { id } of (await topicEvents()).slice(0, 3)) await harmless(ems(["webhook", "deliveries", id]));
  const { stdout: report } = await harmless(ems(["report", "topic"]));
  expect(report.trimEnd().split("\n")).toHaveLength(1 + titles.length);
  const { stdout: exported } = await harmless(ems(["export"]));
  const records = exported.trimEnd().split("\n");
  const topics = records.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "topic");
  expect(topics.map(({ data }) => data.title).sort()).toEqual(titles.toSorted());
});

test("errors that echo what was sent", async () => {
  const file = join(directory, "query.json");
  const name = "\u001b[31m\u009bred\n  body: all is well";
  await writeFile(file, JSON.stringify({ datasource: "topic", filters: { [name]: 1 }, [name]: true }));
  const { code, stderr } = await harmless(ems(["report", "--query", file]));
  expect([code, stderr]).toEqual([2, expect.not.stringMatching(/^ {2}body: all is well/m)]);
  await harmless(ems(["webhook", "deliveries", "\u001b[31mno-id"]));
  await harmless(ems(["\u001b[31mno-command"]));
  await harmless(ems(["report", "topic"], { env: { EMS_URL: "http://\u009bhost" } }));
});
