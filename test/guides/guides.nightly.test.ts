// Every guide with marked commands, followed literally in a fresh clone; the first guide starts the product for all.

import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@ems/dev/free-port";
import { afterAll, describe, expect, test } from "vitest";
import { matches, readSteps } from "./guide.ts";
import { newReader } from "./reader.ts";

const root = join(import.meta.dirname, "../..");
const isAll = process.env.GUIDES === "all";
const inGate = [
  "deploy/guides/install.md",
  "deploy/example/webhooks/README.md",
  "deploy/example/opentelemetry/README.md",
];
/** The guides after `inGate` take minutes on two cores for restarts and dumps. */
const guides = [...inGate, "deploy/guides/rotation.md", "deploy/guides/backup.md", "deploy/guides/upgrade.md"];

describe("in a fresh clone, with nothing but Node and npm", async () => {
  const reader = await newReader({ api: await freePort(), receiver: await freePort() });
  afterAll(() => reader.leave());

  test.each(isAll ? guides : inGate)("%s does what it says", { retry: 0 }, async (guide) => {
    const steps = (await readSteps(join(root, guide))).filter(({ kind }) => kind !== "network" || isAll);
    expect(steps.length).toBeGreaterThan(0);
    await reader.follow(steps);
  });
});

test("every file with marked commands is followed, and its place is in the list of guides", async () => {
  const marked: string[] = [];
  for await (const file of glob("{*.md,{deploy,gateway,proto,services,test}/**/*.md}", {
    cwd: root,
    exclude: (name) => name.includes("node_modules"),
  }))
    if (/^<!-- guide/m.test(await readFile(join(root, file), "utf8"))) marked.push(file);
  expect(marked.sort()).toEqual(guides.toSorted());
  const list = await readFile(join(root, "deploy/guides/README.md"), "utf8");
  const links = guides.map((guide) => guide.replace("deploy/guides/", "").replace(/^deploy\//, "../"));
  expect(links.filter((link) => !list.includes(`](${link})`))).toEqual([]);
});

test("output is compared as a whole, and … stands for anything", () => {
  expect(matches("Delivered: 204\n", "Delivered: …")).toBe(true);
  expect(matches("a\nb.c\nd", "a\n…\nd")).toBe(true);
  expect(matches("Delivered: 204, late", "Delivered: 204")).toBe(false);
  expect(matches("bXc", "b.c")).toBe(false);
});
