// The parts of the product's dashboards and alerts that tests read.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const helm = join(import.meta.dirname, "../../deploy/helm/ems");

export interface Dashboard {
  readonly title: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
  readonly panels: readonly {
    readonly title: string;
    readonly description: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

export async function dashboards(): Promise<Dashboard[]> {
  const files = (await readdir(join(helm, "dashboards"))).filter((name) => name.endsWith(".json"));
  return Promise.all(files.map(async (name) => JSON.parse(await readFile(join(helm, "dashboards", name), "utf8"))));
}

/** Prometheus queries of the dashboards' panels and the alerts. */
export async function queries(): Promise<string[]> {
  const text = await readFile(join(helm, "alerts/ems.yaml"), "utf8");
  const alerts = [...text.matchAll(/ expr: (.*(?:\n {10,}.*)*)/g)].map(([, query = ""]) => query.replace(/^\|/, ""));
  const panels = (await dashboards()).flatMap((dashboard) => dashboard.panels);
  return [...alerts, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
}
