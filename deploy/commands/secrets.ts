// `secrets`: prints generated secrets of an installation, for compose, Kubernetes or an environment.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodeOf, readCommandLine, UsageError } from "../command-line.ts";
import { composeSecrets, environmentSecrets, kubernetesSecrets, secretFormats } from "../new-secrets.ts";

const help = `
secrets   prints generated secrets of an installation; keep them: without the peppers no API key is valid

  --format FORMAT       compose (default): the environment file of deploy/compose.yaml
                        env: variables of the processes, prepare and bootstrap
                        kubernetes: the Secrets that the chart's values name, for kubectl create -f -
  --name PREFIX         kubernetes: of the Secrets' names; default ems
  --namespace NAME      kubernetes: their namespace
  --database-url URL    kubernetes: where PostgreSQL is, postgres://host:5432/ems?sslmode=verify-full; adds a URL for each role
  --role-prefix TEXT    kubernetes: before the roles' names in those URLs (the chart's database.rolePrefix)`;

try {
  const { values } = readCommandLine(help, {
    options: {
      format: { type: "string", default: "compose" },
      name: { type: "string", default: "ems" },
      namespace: { type: "string" },
      "database-url": { type: "string" },
      "role-prefix": { type: "string", default: "" },
    },
  });
  process.stdout.write(await textOf(values));
} catch (error) {
  process.stderr.write(`Cannot make secrets: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(exitCodeOf(error));
}

interface Options {
  readonly format: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly "database-url"?: string | undefined;
  readonly "role-prefix": string;
}

async function textOf({ format, name: prefix, namespace, ...database }: Options): Promise<string> {
  const { "database-url": databaseUrl, "role-prefix": rolePrefix } = database;
  for (const [option, value] of [
    ["name", prefix],
    ["namespace", namespace],
  ] as const) {
    if (value !== undefined && !/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(value))
      throw new UsageError(`--${option} has at most 40 small letters, digits and hyphens`);
  }
  if (databaseUrl !== undefined && !/^postgres(ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? ""))
    throw new UsageError("--database-url must be a postgres:// URL");
  switch (format) {
    case "compose":
      return composeSecrets(await readFile(join(import.meta.dirname, "../compose.env.example"), "utf8"));
    case "env":
      return environmentSecrets();
    case "kubernetes":
      return kubernetesSecrets({ prefix, namespace, databaseUrl, rolePrefix });
    default:
      throw new UsageError(`--format is one of ${secretFormats.join(", ")}`);
  }
}
