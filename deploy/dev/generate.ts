// `npm run generate`: code from protos, then the generated parts of chart and compose, tables of READMEs and what the
// console knows of the API. `--check` compares instead, and lints the protos.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { generatedCompose } from "@ems/deploy/compose";
import { between, generatedChart } from "@ems/deploy/helm/generate";
import { settingsOf } from "@ems/deploy/settings";
import { describeSettings } from "@ems/kit/config";
import { startSettings } from "./config.ts";
import { consoleOperations, consoleTypes } from "./console-types.ts";
import { table } from "./markdown-table.ts";
import { rolesTable } from "./roles-table.ts";

const root = join(import.meta.dirname, "../..");

/** The contents of the files that this program writes, by path. */
export async function generated(): Promise<Readonly<Record<string, string>>> {
  const readme = join(root, "README.md");
  const gatewayReadme = join(root, "gateway/README.md");
  return {
    ...generatedChart(),
    ...generatedCompose(),
    [readme]: between(readFileSync(readme, "utf8"), "settings", startTable()),
    [join(root, "gateway/console/gen/api.d.ts")]: await consoleTypes(),
    [join(root, "gateway/console/gen/operations.ts")]: consoleOperations(),
    [gatewayReadme]: between(readFileSync(gatewayReadme, "utf8"), "roles", rolesTable()),
  };
}

/** Paths of files whose contents are out of date. */
export async function staleFiles(): Promise<string[]> {
  const stale = Object.entries(await generated()).filter(([path, content]) => readFileSync(path, "utf8") !== content);
  return stale.map(([path]) => relative(root, path));
}

/** The settings of `npm start`, in columns. */
function startTable(): string {
  const mail = settingsOf.notifications.filter(({ name }) => name === "SMTP_URL");
  const settings = [...describeSettings(startSettings), ...mail].filter(({ meaning }) => meaning !== "");
  const rows = settings.map((setting) => [
    `\`${setting.name}\``,
    setting.default === undefined ? "" : `\`${setting.default}\``,
    setting.meaning,
  ]);
  return table(["Variable", "Default", ""], rows);
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  execFileSync(process.execPath, [join(root, "proto/generate.ts"), ...args], { cwd: root, stdio: "inherit" });
  if (!args.includes("--check")) {
    for (const [path, content] of Object.entries(await generated())) writeFileSync(path, content);
  } else {
    const stale = await staleFiles();
    if (stale.length > 0) {
      console.error(`Generated files are out of date; run "npm run generate" and commit:\n  ${stale.join("\n  ")}`);
      process.exit(1);
    }
  }
}
