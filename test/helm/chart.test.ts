import { expect, test } from "vitest";
import { helm, helmVersions } from "./helm.ts";
import { caseFile, chart, template, valuesFiles } from "./render.ts";

test.each(valuesFiles)("%s is without a fault, and renders alike with every helm", async (file) => {
  const rendered: string[] = [];
  for (const version of helmVersions) {
    const { ok, stdout, stderr } = await helm(version, "lint", "--strict", chart, "-f", file);
    expect(ok, `${stdout}${stderr}`).toBe(true);
    rendered.push(await template(version, file));
  }
  expect(new Set(rendered).size).toBe(1);
});

test.each(["minimal", "everything"])("%s renders as the golden file says", async (name) => {
  // Alerts and dashboards are files of their own, and have tests of their own.
  const without = ["prometheusRule", "dashboards"].map((one) => `monitoring.${one}.enabled=false`).join(",");
  const text = await template("4.1.4", caseFile(name), "--set", without);
  await expect(text).toMatchFileSnapshot(`golden/${name}.yaml`);
});
