// Alerts and dashboards, checked by promtool: alerts.yaml says when each alert fires.

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processNames } from "@ems/deploy/mesh";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { expect, test } from "vitest";
import { dashboards, queries } from "../harness/dashboards.ts";
import { getMetrics } from "../harness/exposition.ts";
import { promtool } from "../harness/promtool.ts";

const root = join(import.meta.dirname, "../..");
const alertsFile = "deploy/helm/ems/alerts/ems.yaml";
const alertTests = "test/house/alerts.yaml";

test("alerts fire when something is wrong and only then, and each of them is tested", {
  timeout: 120_000,
}, async () => {
  await promtool("check", "rules", alertsFile);
  const named = (text: string, key: string) =>
    [...text.matchAll(new RegExp(`${key}: (\\w+)`, "g"))].map(([, name]) => name);
  const alerts = new Set(named(await readFile(join(root, alertsFile), "utf8"), "alert"));
  const tested = new Set(named(await readFile(join(root, alertTests), "utf8"), "alertname"));
  expect([...alerts].filter((name) => !tested.has(name))).toEqual([]);
  expect(await promtool("test", "rules", alertTests)).toContain("SUCCESS");
});

test("each alert has a page that says what still works, how to find the cause and how to repair it", async () => {
  const folder = join(root, "deploy/runbooks");
  const rules = await readFile(join(root, alertsFile), "utf8");
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => `${name}.md`);
  const pages = (await readdir(folder)).filter((name) => name !== "README.md");
  expect(pages.sort()).toEqual(alerts.toSorted());
  expect([...rules.matchAll(/runbook: deploy\/runbooks\/(\S+)/g)].map(([, page]) => page)).toEqual(alerts);
  const index = await readFile(join(folder, "README.md"), "utf8");
  for (const page of pages) {
    const text = await readFile(join(folder, page), "utf8");
    expect([...text.matchAll(/^#+ .*/gm)].map(String), page).toEqual([
      `# ${page.replace(".md", "")}`,
      "## What still works",
      "## Find the cause",
      "## Repair",
    ]);
    expect(index).toContain(`](${page})`);
  }
});

test("queries select the product's jobs by their whole names, so that no other application's metrics are read", async () => {
  const jobs = /"(ems\|ems-[^"]*)"/.exec(await readFile(join(root, alertsFile), "utf8"))?.[1] ?? "";
  const names = new RegExp(`^(${jobs})$`);
  for (const name of ["ems", ...processNames.map((process) => `ems-${process}`)]) expect(name).toMatch(names);
  for (const name of ["items-api", "systems", "ems-exporter", "ems-gateway-proxy", "my-ems"])
    expect(name).not.toMatch(names);
  for (const { templating } of await dashboards()) {
    const variables = Object.fromEntries(templating.list.map(({ name, query }) => [name, query]));
    expect(Object.keys(variables)).toEqual(["datasource", "job", "namespace", "release"]);
    expect(variables.job).toBe(jobs);
  }
  const selected = [`{job=~"${jobs}"`, '{job=~"$job", namespace=~"$namespace", release=~"$release"'];
  for (const query of await queries()) {
    const metrics = getMetrics(query);
    expect(metrics, query).not.toEqual([]);
    const isSelected = (metric: string) => selected.some((selector) => query.includes(`${metric}${selector}`));
    expect(metrics.filter((metric) => !isSelected(metric))).toEqual([]);
    expect(query.match(/\{/g), query).toHaveLength(metrics.length);
  }
});

test("every panel of a dashboard has a title, a description and queries that Prometheus accepts", {
  timeout: 120_000,
}, async () => {
  const panels = (await dashboards()).flatMap((dashboard) => dashboard.panels);
  expect(panels.filter(({ title, description }) => title === "" || description === "")).toEqual([]);
  expect(panels).not.toEqual([]);
  const rules = panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }, at) => ({ record: `query_${at}`, expr: expr.replaceAll("$__rate_interval", "5m") }));
  const directory = await temporaryDir("ems-test-dashboards-");
  const file = join(directory, "rules.json");
  await writeFile(file, JSON.stringify({ groups: [{ name: "queries", rules }] }));
  const found = await promtool("check", "rules", file);
  await rm(directory, { recursive: true });
  expect(found).toContain(`${rules.length} rules found`);
});
