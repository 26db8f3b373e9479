// Alerts and dashboards, checked by promtool: alerts.yaml says when each alert fires.

import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { expect, test } from "vitest";
import { dashboards } from "../harness/dashboards.ts";
import { promtoolBinary } from "../harness/promtool.ts";

const root = join(import.meta.dirname, "../..");
const alertsFile = "deploy/helm/ems/alerts/ems.yaml";
const alertTests = "test/house/alerts.yaml";
const promtool = async (...args: string[]) => promisify(execFile)(await promtoolBinary(), args, { cwd: root });

test("alerts fire when something is wrong and only then, and each of them is tested", {
  timeout: 120_000,
}, async () => {
  await promtool("check", "rules", alertsFile);
  const named = (text: string, key: string) =>
    [...text.matchAll(new RegExp(`${key}: (\\w+)`, "g"))].map(([, name]) => name);
  const alerts = new Set(named(await readFile(join(root, alertsFile), "utf8"), "alert"));
  const tested = new Set(named(await readFile(join(root, alertTests), "utf8"), "alertname"));
  expect([...alerts].filter((name) => !tested.has(name))).toEqual([]);
  const { stdout } = await promtool("test", "rules", alertTests);
  expect(stdout).toContain("SUCCESS");
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
  const { stdout } = await promtool("check", "rules", file);
  await rm(directory, { recursive: true });
  expect(stdout).toContain(`${rules.length} rules found`);
});
