import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { helm } from "./helm.ts";
import { caseFile, chart, find, type Manifest, manifests } from "./render.ts";

const filesIn = (folder: string) => readdir(join(chart, folder)).catch((): string[] => []);

test("every alert and dashboard in the chart's folders is rendered", async () => {
  const objects = await manifests(caseFile("everything"));
  for (const name of (await filesIn("alerts")).filter((one) => one.endsWith(".yaml"))) {
    const { spec } = find(objects, "PrometheusRule", `ems-${name.replace(".yaml", "")}`);
    expect(spec).toEqual(parse(await readFile(join(chart, "alerts", name), "utf8")));
  }
  for (const name of (await filesIn("dashboards")).filter((one) => one.endsWith(".json"))) {
    const { data } = find(objects, "ConfigMap", `ems-dashboard-${name.replace(".json", "")}`);
    expect(JSON.parse(data[name])).toEqual(JSON.parse(await readFile(join(chart, "dashboards", name), "utf8")));
  }
});

test("what Prometheus and Grafana put into braces stays as it is", async () => {
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
    expect(JSON.parse(dashboard.data["sample.json"])).toEqual(panel);
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
  expect(monitor.endpoints[0].relabelings).toContainEqual(expect.objectContaining({ replacement: "ems-$1" }));
  expect(service.spec.ports.map(({ name }: { name: string }) => name)).toEqual([monitor.endpoints[0].port]);
});
