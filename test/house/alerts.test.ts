// The alerts are rules that Prometheus can read, and each fires when alerts.yaml says: by Prometheus's own checker.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { promtoolBinary } from "../harness/promtool.ts";

const root = join(import.meta.dirname, "../..");
const promtool = async (...args: string[]) => promisify(execFile)(await promtoolBinary(), args, { cwd: root });

test("ten alerts, which fire when something is wrong and only then", { timeout: 120_000 }, async () => {
  const { stdout: checked } = await promtool("check", "rules", "deploy/helm/ems/alerts/ems.yaml");
  expect(checked).toContain("10 rules found");
  const { stdout: tested } = await promtool("test", "rules", "test/house/alerts.yaml");
  expect(tested).toContain("SUCCESS");
});
