// `npm run prices`: writes the list prices of models from @pydantic/genai-prices, whose newest version must be installed.

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../versions.ts";
import { generatePrices, packageName, recordCosts } from "./generate.ts";
import { listFile } from "./price-age.ts";

const today = new Date().toISOString().slice(0, "2026-01-01".length);
const list = await generatePrices(today);
const newest = (await promisify(execFile)("npm", ["view", packageName, "version"])).stdout.trim();
if (newest !== list.source.version) {
  process.stderr.write(
    `${packageName} ${newest} is newer than ${list.source.version}: set it in pnpm-workspace.yaml, install, and run this again.\n`,
  );
  process.exit(1);
}
const recording = recordCosts();

/** Writes one entry a line, so that changes are easy to read. */
const line = (value: unknown) => `      ${JSON.stringify(value)}`;
const providers = list.providers.map(
  ({ prices, ...rest }) =>
    `    ${JSON.stringify(rest).slice(0, -1)}, "prices": [\n${prices.map(line).join(",\n")}\n    ]}`,
);
await writeFile(
  listFile,
  `{\n  "source": ${JSON.stringify(list.source)},\n  "providers": [\n${providers.join(",\n")}\n  ]\n}\n`,
);
const { usages, times, names } = recording;
await writeFile(
  join(root, "services/prices/src/recorded-costs.json"),
  `{"usages": ${JSON.stringify(usages)},\n"times": ${JSON.stringify(times)},\n"names": [\n${names.map(line).join(",\n")}\n]}\n`,
);
const models = list.providers.reduce((sum, { prices }) => sum + prices.length, 0);
process.stdout.write(`${models} models from ${list.source.package} ${list.source.version}, as of ${today}.\n`);
