// `rpc-keys [process …]`: new keys for the processes of a mesh, for all unless some are named, as lines of an environment file
// on stdout.

import { newPrivateKey } from "@ems/kit/rpc/tokens/keys";
import { keyVariables } from "../keys.ts";
import { processNames } from "../mesh.ts";

const given = process.argv.slice(2);
const unknown = given.filter((name) => !processNames.some((known) => known === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no process ${unknown.join(", ")}. They are: ${processNames.join(", ")}.\n`);
  process.exit(2);
}
const names = given.length > 0 ? given : processNames;
const variables = keyVariables(Object.fromEntries(names.map((name) => [name, newPrivateKey()])));
process.stdout.write(
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(""),
);
