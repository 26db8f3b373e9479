// Commands of the container image.

import { getMainModule, processNames } from "./mesh.ts";

export interface Command {
  /** Path of the module that runs the command, relative to the repository root. */
  readonly module: string;
  /** Required environment variables, which are checked before the module is loaded. */
  readonly needs?: readonly string[];
}

const owner = "OWNER_DATABASE_URL";

export const commands: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(processNames.map((name) => [name, { module: getMainModule(name) }])),
  prepare: { module: "deploy/commands/prepare.ts" },
  migrate: { module: "deploy/commands/migrate.ts", needs: [owner] },
  bootstrap: { module: "deploy/commands/bootstrap.ts", needs: [owner] },
  backup: { module: "deploy/commands/backup.ts" },
  restore: { module: "deploy/commands/restore.ts" },
  ems: { module: "deploy/cli/main.ts" },
  secrets: { module: "deploy/commands/secrets.ts" },
  "rpc-keys": { module: "deploy/commands/rpc-keys.ts" },
  healthy: { module: "deploy/commands/healthy.ts" },
};
