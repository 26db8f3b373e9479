import { helm, helmVersions } from "@ems/release/helm";
import { expect, test } from "vitest";
import { sample } from "../harness/sample.ts";
import { differences } from "./differences.ts";
import { caseFile, chart, manifests, template, valuesFiles } from "./render.ts";

test.each(sample(valuesFiles, 6))("%s is without a fault, and renders alike with every helm", async (file) => {
  const rendered: string[] = [];
  for (const version of helmVersions) {
    const { ok, stdout, stderr } = await helm(version, "lint", "--strict", chart, "-f", file);
    expect(ok, `${stdout}${stderr}`).toBe(true);
    rendered.push(await template(version, file));
  }
  expect(new Set(rendered).size).toBe(1);
});

// Alerts and dashboards have their own files and tests.
const without = ["--set", ["prometheusRule", "dashboards"].map((each) => `monitoring.${each}.enabled=false`).join(",")];

test.each(["minimal", "everything"])("%s renders as the golden file says", async (name) => {
  const text = await template("4.1.4", caseFile(name), ...without);
  await expect(text).toMatchFileSnapshot(`golden/${name}.yaml`);
});

const kinds = [
  "tainted-nodes",
  "sidecars",
  "private-registry",
  "restricted-namespace",
  "shared-database",
  "pooler",
  "load-balancer",
  "gateway-api",
  "nats-no-permissions",
  "clickhouse",
  "two-releases",
];

test.each(kinds)("%s changes of the minimal rendering what the golden file says, and nothing else", async (name) => {
  const [minimal, own] = [await manifests(caseFile("minimal")), await manifests(caseFile(name), ...without)];
  await expect(differences(minimal, own)).toMatchFileSnapshot(`golden/${name}.differences.txt`);
});
