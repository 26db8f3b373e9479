// `npm test`, .ci/run and `npm run nightly` together run every test of the repository.

import { matchesGlob } from "node:path";
import { expect, test } from "vitest";
import { parts } from "../nightly/parts.ts";
import config from "../vitest.config.ts";
import { files, read } from "./sources.ts";

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[]; readonly exclude?: readonly string[] };
}

const projects = ((config.test?.projects ?? []) as unknown as Project[]).map((project) => project.test);
/** Projects that `npm test` runs (deploy/run.mjs). */
const daily = [...(/\[([^\]]*)\]\.flatMap\(\(project\)/.exec(read("deploy/run.mjs"))?.[1]?.matchAll(/"(.+?)"/g) ?? [])];
const namesIn = (text: string) => [...text.matchAll(/--project (\S+)/g)].map(([, name = ""]) => name);
const ofTests = daily.map(([, name = ""]) => name);
const ofGate = namesIn(read(".ci/run"));
const ofNightly = parts.flatMap(({ command }) => namesIn(command.join(" ")));

test("npm test, the gate and the nightly suite name every project, and none that does not exist", () => {
  expect([ofTests.length, ofGate.length]).toEqual([4, 2]);
  const named = new Set([...ofTests, ...ofGate, ...ofNightly]);
  expect([...named].sort()).toEqual(projects.map(({ name }) => name).sort());
});

const isRunBy = (names: readonly string[]) => (file: string) =>
  projects.some(
    ({ name, include, exclude = [] }) =>
      names.includes(name) &&
      include.some((glob) => matchesGlob(file, glob)) &&
      !exclude.some((glob) => matchesGlob(file, glob)),
  );

test("the gate runs every test file but nightly ones, and npm run nightly runs those", () => {
  const tests = files.filter((file) => file.endsWith(".test.ts"));
  expect(tests.length).toBeGreaterThan(300);
  const isNightly = (file: string) => file.endsWith(".nightly.test.ts");
  const inGate = isRunBy([...ofTests, ...ofGate]);
  expect(tests.filter((file) => inGate(file) === isNightly(file))).toEqual([]);
  expect(tests.filter((file) => isNightly(file) && !isRunBy(["nightly"])(file))).toEqual([]);
});

test("no file runs twice in the gate", () => {
  const gate = projects.filter(({ name }) => [...ofTests, ...ofGate].includes(name));
  const tests = files.filter((file) => file.endsWith(".test.ts") && !/^test\/(api|mesh)\//.test(file));
  expect(tests.filter((file) => gate.filter(({ name }) => isRunBy([name])(file)).length > 1)).toEqual([]);
});
