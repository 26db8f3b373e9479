// Generates an installation's secrets for compose, Kubernetes or an environment.

import { formKey, keyBytes } from "@ems/kit/api-key";
import { backupRole } from "@ems/kit/db/backup-role";
import { listRoles } from "@ems/kit/db/provision";
import { secureRandom } from "@ems/kit/id";
import { passwordVariable } from "./config.ts";
import { keyVariables, newPrivateKeys } from "./keys.ts";
import { schemas } from "./schemas.ts";

export const secretFormats = ["compose", "env", "kubernetes"] as const;
export type SecretFormat = (typeof secretFormats)[number];

export interface KubernetesNames {
  /** Prefix of the Secrets' names: `<prefix>-secrets`, `<prefix>-database`, `<prefix>-first-key`. */
  readonly prefix: string;
  readonly namespace: string | undefined;
  /** URL of PostgreSQL. Each role's URL is this URL with the role's name and password. */
  readonly databaseUrl: string | undefined;
  readonly rolePrefix: string;
}

const allRoles = [...listRoles(schemas), backupRole];
const text = () => secureRandom(32).toString("hex");
const sealingKey = () => `k1:${secureRandom(32).toString("base64")}`;

/** Returns compose's environment file, which is `example` with a generated value for each empty variable. */
export function composeSecrets(example: string): string {
  const keys = keyVariables(newPrivateKeys());
  return example.replaceAll(/^([A-Z_]+)=$/gm, (_, name: string) => {
    return `${name}=${keys[name] ?? (name === "SEALING_KEYS" ? sealingKey() : text())}`;
  });
}

/** Generates values for the secret variables of the processes, `prepare` and `bootstrap`. */
function variables(): Record<string, string> {
  return {
    ...keyVariables(newPrivateKeys()),
    API_KEY_PEPPERS: text(),
    SEALING_KEYS: sealingKey(),
    ...Object.fromEntries(allRoles.map((role) => [passwordVariable(role), text()])),
    BOOTSTRAP_API_KEY: formKey(secureRandom(keyBytes)),
  };
}

export function environmentSecrets(): string {
  return Object.entries(variables())
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

/** Returns Kubernetes Secrets with the keys that the chart's values refer to. */
export function kubernetesSecrets({ prefix, namespace, databaseUrl, rolePrefix }: KubernetesNames): string {
  const { BOOTSTRAP_API_KEY: firstKey = "", ...all } = variables();
  const roles = allRoles.map((role) => ({ role, password: all[passwordVariable(role)] ?? "" }));
  const key = (role: string, kind: string) => `${role.replace(/^ems_/, "").replaceAll("_", "-")}-${kind}`;
  const database = roles.flatMap(({ role, password }) => [
    [key(role, "password"), password],
    ...(databaseUrl === undefined ? [] : [[key(role, "uri"), urlAs(databaseUrl, rolePrefix + role, password)]]),
  ]);
  const own = Object.entries(all).filter(([name]) => !/^EMS_\w+_PASSWORD$/.test(name));
  const secret = (name: string, data: Record<string, string>) => {
    // JSON strings are also valid YAML.
    const entries = Object.entries(data).map(([entry, value]) => `  ${entry}: ${JSON.stringify(value)}\n`);
    const metadata = `metadata:\n  name: ${prefix}-${name}\n${namespace === undefined ? "" : `  namespace: ${namespace}\n`}`;
    return `apiVersion: v1\nkind: Secret\n${metadata}type: Opaque\nstringData:\n${entries.join("")}`;
  };
  return [
    secret("secrets", Object.fromEntries(own)),
    secret("database", Object.fromEntries(database)),
    secret("first-key", { BOOTSTRAP_API_KEY: firstKey }),
  ].join("---\n");
}

function urlAs(databaseUrl: string, role: string, password: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = password;
  return url.href;
}
