// Generated files, except code from protos: parts of the chart and compose file, documentation tables, console types.

import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { generatedCompose } from "@ems/deploy/compose";
import { between, generatedChart } from "@ems/deploy/helm/generate";
import { table } from "@ems/deploy/markdown-table";
import { processSettings } from "@ems/deploy/settings";
import { describeSettings } from "@ems/kit/config";
import { startSettings } from "./config.ts";
import { consoleOperations, consoleTypes } from "./console-types.ts";
import { rolesTable } from "./roles-table.ts";

const root = join(import.meta.dirname, "../..");

/** Returns the contents of the generated files, by path. */
export async function generated(): Promise<Readonly<Record<string, string>>> {
  const startGuide = join(root, "deploy/guides/one-process.md");
  const gatewayReadme = join(root, "gateway/README.md");
  return {
    ...generatedChart(),
    ...generatedCompose(),
    [startGuide]: between(readFileSync(startGuide, "utf8"), "settings", startTable()),
    [join(root, "gateway/console/gen/api.d.ts")]: await consoleTypes(),
    [join(root, "gateway/console/gen/operations.ts")]: consoleOperations(),
    [gatewayReadme]: between(readFileSync(gatewayReadme, "utf8"), "roles", rolesTable()),
  };
}

/** Lists files whose contents are out of date. */
export async function staleFiles(): Promise<string[]> {
  const stale = Object.entries(await generated()).filter(([path, content]) => readFileSync(path, "utf8") !== content);
  return stale.map(([path]) => relative(root, path));
}

/** Returns the documentation table of the settings of `npm start`. */
function startTable(): string {
  const mail = processSettings.notifications.filter(({ name }) => name === "SMTP_URL");
  const settings = [...describeSettings(startSettings), ...mail].filter(({ meaning }) => meaning !== "");
  const rows = settings.map((setting) => [
    `\`${setting.name}\``,
    setting.default === undefined ? "" : `\`${setting.default}\``,
    setting.meaning,
  ]);
  return table(["Variable", "Default", "Meaning"], rows);
}
