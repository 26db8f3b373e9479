import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { helm } from "@ems/release/helm";
import { expect, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { promtool } from "../harness/promtool.ts";
import { caseFile, chart, find, type Manifest, manifests } from "./render.ts";

const root = join(import.meta.dirname, "../..");
const filesIn = (folder: string) => readdir(join(chart, folder)).catch((): string[] => []);

test("every alert and dashboard in the chart's folders is rendered", async () => {
  const objects = await manifests(caseFile("everything"));
  for (const name of (await filesIn("alerts")).filter((each) => each.endsWith(".yaml"))) {
    const { spec } = find(objects, "PrometheusRule", `ems-${name.replace(".yaml", "")}`);
    const selected = stringify(spec, { lineWidth: 0 }).replaceAll('namespace="ems", release="prod", job=~', "job=~");
    expect(parse(selected)).toEqual(parse(await readFile(join(chart, "alerts", name), "utf8")));
  }
  for (const name of (await filesIn("dashboards")).filter((each) => each.endsWith(".json"))) {
    const { data } = find(objects, "ConfigMap", `ems-dashboard-${name.replace(".json", "")}`);
    expect(JSON.parse(data[`ems-${name}`])).toEqual(
      JSON.parse(await readFile(join(chart, "dashboards", name), "utf8")),
    );
  }
});

test("braces of Prometheus and Grafana stay unchanged", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ems-chart-"));
  try {
    await cp(chart, folder, { recursive: true });
    for (const name of ["alerts", "dashboards"]) await mkdir(join(folder, name), { recursive: true });
    const alert = { alert: "Down", expr: "up == 0", annotations: { summary: "{{ $labels.pod }} is down" } };
    const groups = [{ name: "sample", rules: [alert] }];
    await writeFile(join(folder, "alerts/sample.yaml"), JSON.stringify({ groups }));
    const panel = { title: "sample", legendFormat: "{{pod}}" };
    await writeFile(join(folder, "dashboards/sample.json"), JSON.stringify(panel));
    const { stdout } = await helm("4.1.4", "template", "prod", folder, "-f", caseFile("everything"));
    const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    const rule = find(objects, "PrometheusRule", "ems-sample");
    expect(rule.spec.groups).toEqual(groups);
    expect(rule.metadata.labels).toMatchObject({ release: "prometheus" });
    const dashboard = find(objects, "ConfigMap", "ems-dashboard-sample");
    expect(JSON.parse(dashboard.data["ems-sample.json"])).toEqual(panel);
    expect(dashboard.metadata.labels).toMatchObject({ grafana_dashboard: "1" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("the ServiceMonitor asks the Service that selects every pod's admin port", async () => {
  const objects = await manifests(caseFile("everything"));
  const monitor = find(objects, "ServiceMonitor", "ems").spec;
  const service = find(objects, "Service", "ems-admin");
  expect(service.metadata.labels).toMatchObject(monitor.selector.matchLabels);
  const targets = monitor.endpoints[0].relabelings.map(({ targetLabel }: { targetLabel: string }) => targetLabel);
  expect(targets).toEqual(["job", "release"]);
  expect(monitor.endpoints[0].relabelings).toContainEqual(expect.objectContaining({ replacement: "ems-$1" }));
  expect(service.spec.ports.map(({ name }: { name: string }) => name)).toEqual([monitor.endpoints[0].port]);
});

/** Runs the product's alert tests, and additional tests, with the rules that a release renders. */
async function testRendered(args: readonly string[], tests: (productTests: Groups) => readonly unknown[]) {
  const rule = find(await manifests(caseFile("everything"), ...args), "PrometheusRule", "ems-ems");
  const folder = await mkdtemp(join(tmpdir(), "ems-rules-"));
  try {
    const { tests: productTests } = parse(await readFile(join(root, "test/house/alerts.yaml"), "utf8"));
    await writeFile(join(folder, "rules.yaml"), stringify(rule.spec));
    const file = { rule_files: ["rules.yaml"], evaluation_interval: "1m", tests: tests(productTests) };
    await writeFile(join(folder, "tests.yaml"), stringify(file));
    expect(await promtool("test", "rules", join(folder, "tests.yaml"))).toContain("SUCCESS");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Groups = readonly { readonly name: string }[];

test("a release's rules fire for its own metrics as the files do, and for no other release's", {
  timeout: 120_000,
}, async () => {
  await testRendered([], (tests) => {
    const own = tests.filter(({ name }) => /^(what is well|each fires|metrics of others)/.test(name));
    expect(own).toHaveLength(3);
    return own;
  });
  // The same failures, evaluated by the rules of another release, whose own gateway is healthy.
  await testRendered(["--set", 'monitoring.prometheusRule.matchers=namespace="ems"\\, release="beside"'], (tests) =>
    tests
      .filter(({ name }) => name.startsWith("each fires"))
      .map((group) => ({
        ...group,
        input_series: [
          ...(group as unknown as { input_series: unknown[] }).input_series,
          { series: 'up{namespace="ems", release="beside", job="ems-gateway"}', values: "1x30" },
        ],
        alert_rule_test: [],
        promql_expr_test: [
          { expr: "count(ALERTS) or vector(0)", eval_time: "25m", exp_samples: [{ labels: "{}", value: 0 }] },
        ],
      })),
  );
});

test("alerts link to their pages where those are published, and name the file otherwise", async () => {
  const annotations = async (...args: string[]) => {
    const rule = find(await manifests(caseFile("everything"), ...args), "PrometheusRule", "ems-ems");
    return rule.spec.groups[0].rules[0].annotations;
  };
  expect(await annotations()).toMatchObject({ runbook: "deploy/runbooks/EmsMetricsMissing.md" });
  expect(
    await annotations("--set", "monitoring.prometheusRule.runbookUrl=https://docs.example.com/runbooks/"),
  ).toMatchObject({ runbook_url: "https://docs.example.com/runbooks/EmsMetricsMissing.md" });
});
