// `npm test` and .ci/run together run every test of the repository.

import { matchesGlob } from "node:path";
import { expect, test } from "vitest";
import config from "../vitest.config.ts";
import { files, read } from "./sources.ts";

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[]; readonly exclude?: readonly string[] };
}

const projects = ((config.test?.projects ?? []) as unknown as Project[]).map((project) => project.test);
const names = projects.map(({ name }) => name);
/** What `npm test` leaves out. */
const leftOut = [
  ...(/function projectsOf[\s\S]*?return \[\s*("[\s\S]*?)\]/.exec(read("deploy/run.mjs"))?.[1] ?? "").matchAll(
    /"(.+)"/g,
  ),
];
const named = [...read(".ci/run").matchAll(/--project (\S+)/g)];
const sorted = (found: Iterable<RegExpExecArray>) => [...found].map(([, name = ""]) => name).sort();
/** They download what the gate's machine may not have. */
const byHand = ["examples", "cluster", "scaling"];

test("the gate names every project that npm test leaves out", () => {
  expect(sorted(leftOut).length).toBeGreaterThan(5);
  expect([...sorted(named), ...byHand].sort()).toEqual(sorted(leftOut));
  expect(sorted(leftOut).filter((name) => !names.includes(name))).toEqual([]);
});

test("every test file is in a project that the gate runs", () => {
  const run = projects.filter(({ name }) => !byHand.includes(name));
  const isRun = (file: string) =>
    run.some(
      ({ include, exclude = [] }) =>
        include.some((glob) => matchesGlob(file, glob)) && !exclude.some((glob) => matchesGlob(file, glob)),
    );
  const tests = files.filter((file) => file.endsWith(".test.ts"));
  expect(tests.length).toBeGreaterThan(300);
  expect(tests.filter((file) => !isRun(file) && !/^test\/(\w+\/(examples|cluster)|scaling)\//.test(file))).toEqual([]);
});
