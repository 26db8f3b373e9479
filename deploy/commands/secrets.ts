// `secrets`: prints generated secrets of an installation, for compose, Kubernetes or an environment.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getExitCode, readCommandLine, UsageError } from "../command-line.ts";
import { composeSecrets, environmentSecrets, kubernetesSecrets, secretFormats } from "../new-secrets.ts";

const help = `
secrets   generates and prints the secrets of an installation; keep them: without the peppers, no API key is valid

  --format FORMAT       compose (default): the environment file of deploy/compose.yaml
                        env: variables of the processes, prepare and bootstrap
                        kubernetes: Secrets for the chart's values, for kubectl create -f -
  --name PREFIX         kubernetes: prefix of the Secrets' names; default ems
  --namespace NAME      kubernetes: namespace of the Secrets
  --database-url URL    kubernetes: URL of PostgreSQL, postgres://host:5432/ems?sslmode=verify-full; adds a URL per role
  --role-prefix TEXT    kubernetes: prefix of the role names in the URLs (the chart's database.rolePrefix)`;

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
  process.stdout.write(await buildText(values));
} catch (error) {
  process.stderr.write(`Cannot generate secrets: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(getExitCode(error));
}

interface Options {
  readonly format: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly "database-url"?: string | undefined;
  readonly "role-prefix": string;
}

async function buildText({ format, name: prefix, namespace, ...database }: Options): Promise<string> {
  const { "database-url": databaseUrl, "role-prefix": rolePrefix } = database;
  for (const [option, value] of [
    ["name", prefix],
    ["namespace", namespace],
  ] as const) {
    if (value !== undefined && !/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(value))
      throw new UsageError(`--${option} must have at most 40 lower-case letters, digits and hyphens`);
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
      throw new UsageError(`--format must be one of ${secretFormats.join(", ")}`);
  }
}
