// What the container image can be told to run.

import type { Environment } from "./environment.ts";
import { mainOf, processNames } from "./mesh.ts";

export interface Command {
  /** The module that it is, below the folder of the product. */
  readonly module: string;
  /** Variables that the module can do without on a developer's machine, where it makes an installation of its own. */
  readonly needs?: readonly (keyof Environment)[];
}

const owner = "OWNER_DATABASE_URL";

export const commands: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(processNames.map((name) => [name, { module: mainOf(name) }])),
  prepare: { module: "deploy/prepare.ts" },
  migrate: { module: "deploy/migrate.ts", needs: [owner] },
  bootstrap: { module: "deploy/bootstrap.ts", needs: [owner] },
  ems: { module: "deploy/cli/main.ts" },
  secrets: { module: "deploy/compose-secrets.ts" },
  "rpc-keys": { module: "deploy/rpc-keys.ts" },
  healthy: { module: "deploy/healthy.ts" },
};
