// `rpc-keys [process …]`: prints new keys for the named processes, or for all, as lines of an environment file.

import { newPrivateKey } from "@ems/kit/rpc/tokens/keys";
import { keyVariables } from "../keys.ts";
import { processNames } from "../mesh.ts";

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !processNames.some((existing) => existing === name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown process ${unknown.join(", ")}. One of: ${processNames.join(", ")}.\n`);
  process.exit(2);
}
const names = requested.length > 0 ? requested : processNames;
const variables = keyVariables(Object.fromEntries(names.map((name) => [name, newPrivateKey()])));
process.stdout.write(
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(""),
);
