// By Prometheus's own checker: each alert fires when alerts.yaml says, and each query of a dashboard can be read.

import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { expect, test } from "vitest";
import { dashboards } from "../harness/dashboards.ts";
import { promtoolBinary } from "../harness/promtool.ts";

const root = join(import.meta.dirname, "../..");
const promtool = async (...args: string[]) => promisify(execFile)(await promtoolBinary(), args, { cwd: root });

test("thirteen alerts, which fire when something is wrong and only then", { timeout: 120_000 }, async () => {
  const { stdout: checked } = await promtool("check", "rules", "deploy/helm/ems/alerts/ems.yaml");
  expect(checked).toContain("13 rules found");
  const { stdout: tested } = await promtool("test", "rules", "test/house/alerts.yaml");
  expect(tested).toContain("SUCCESS");
});

test("four dashboards, whose panels say what they show", { timeout: 120_000 }, async () => {
  const all = await dashboards();
  expect(all.map(({ title }) => title).sort()).toEqual([
    "EMS: events",
    "EMS: processes",
    "EMS: requests",
    "EMS: services",
  ]);
  const panels = all.flatMap((dashboard) => dashboard.panels);
  expect(panels.filter(({ title, description }) => title === "" || description === "")).toEqual([]);
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
