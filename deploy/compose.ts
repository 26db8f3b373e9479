// The generated parts of compose: compose.environment.yaml, which has the environment of each container of the product, and
// compose.env.example, which names every variable that they take.

import { join } from "node:path";
import { backupRole } from "@ems/kit/db/backup-role";
import { rolesOf } from "@ems/kit/db/provision";
import { hasOutbox, ownerRole, relayRole } from "@ems/kit/db/schema";
import { passwordVariable } from "./config.ts";
import { chartMesh } from "./helm/variables.ts";
import { privateKeyVariable } from "./keys.ts";
import { addressVariable, callersOf, mesh, type ProcessName, processNames } from "./mesh.ts";
import { userName } from "./nats-users.ts";
import { schemas } from "./schemas.ts";
import { settingsOf } from "./settings.ts";

/** A value, or null for what is passed on where the environment file has it. */
type Environment = Record<string, string | number | null>;

const required = (name: string) => `\${${name}:?see compose.env.example}`;
const optional = (name: string, value: string) => `\${${name}:-${value}}`;
const databaseUrl = (role: string) => `postgres://${role}:${required(passwordVariable(role))}@postgres:5432/ems`;
const natsPassword = (name: ProcessName) => `NATS_${name.toUpperCase()}_PASSWORD`;
const natsProcesses = processNames.filter((name) => mesh[name].uses.includes("nats"));
const roles = [...rolesOf(schemas), backupRole];

/** Settings that compose gives a value of its own, by name; operators may set these too. */
const defaults: Readonly<Record<string, string>> = {
  // There is no load balancer to drain from.
  DRAIN_DELAY_MS: "0",
  TRUST_PROXY: "0",
};

const own = (name: ProcessName): Environment => {
  switch (name) {
    case "gateway":
      return { PORT: mesh.gateway.port, GRPC_PORT: 4317 };
    case "notifications":
      return {
        SMTP_URL: "smtp://mailpit:1025",
        SMTP_CA_FILE: "/certificates/mail.crt",
        MAIL_FROM: optional("MAIL_FROM", "Evaluation Management Service <ems@example.com>"),
        FEEDBACK_TO: optional("FEEDBACK_TO", "feedback@example.com"),
        OPERATOR_TO: null,
      };
    default:
      return {};
  }
};

/** Of services, which platform callers may call. */
const serviceEnvironment = (name: ProcessName): Environment =>
  name === "gateway"
    ? {}
    : {
        RPC_PORT: mesh[name].port,
        RPC_CALLERS: callersOf(name).join(","),
        RPC_PLATFORM_CALLERS_FILE: "/etc/ems/callers.yaml",
      };

function environmentOf(name: ProcessName): Environment {
  const { needs, uses, calls } = mesh[name];
  const { managed, settings } = chartMesh()[name];
  const schema = schemas.find((one) => one.name === name);
  const fixed: Environment = {
    RPC_PRIVATE_KEY: required(privateKeyVariable(name)),
    RPC_PUBLIC_KEYS: required("RPC_PUBLIC_KEYS"),
    ...serviceEnvironment(name),
    ...(needs.includes("postgres") && { DATABASE_URL: databaseUrl(`ems_${name}`) }),
    ...(schema !== undefined && hasOutbox(schema) && { RELAY_DATABASE_URL: databaseUrl(relayRole(schema)) }),
    ...(uses.includes("nats") && {
      NATS_URL: `nats://${userName(name as Parameters<typeof userName>[0])}:${required(natsPassword(name))}@nats:4222`,
    }),
    ...Object.fromEntries(calls.map((callee) => [addressVariable(callee), `${callee}:${mesh[callee].port}`])),
    ...Object.fromEntries(
      ["API_KEY_PEPPERS", "SEALING_KEYS"].filter((one) => managed.includes(one)).map((one) => [one, required(one)]),
    ),
    ...own(name),
  };
  const passed = settings.filter((setting) => !(setting in fixed));
  const value = (setting: string) => (setting in defaults ? optional(setting, defaults[setting] ?? "") : null);
  return { ...fixed, ...Object.fromEntries(passed.map((setting) => [setting, value(setting)])) };
}

const jobs: Readonly<Record<string, Environment>> = {
  nats: Object.fromEntries(
    // Quoted, because the server parses them like its file: unquoted, 4e8995… would be a number.
    natsProcesses.map((name) => [natsPassword(name), `'${required(natsPassword(name))}'`]),
  ),
  prepare: {
    DATABASE_URL: `postgres://postgres:${required("POSTGRES_PASSWORD")}@postgres:5432/ems`,
    ...Object.fromEntries(roles.map((role) => [passwordVariable(role), required(passwordVariable(role))])),
  },
  migrate: { OWNER_DATABASE_URL: databaseUrl(ownerRole) },
  bootstrap: { OWNER_DATABASE_URL: databaseUrl(ownerRole), API_KEY_PEPPERS: required("API_KEY_PEPPERS") },
  backup: { BACKUP_DATABASE_URL: databaseUrl(backupRole) },
  restore: { OWNER_DATABASE_URL: databaseUrl(ownerRole) },
};

const environmentHead = `# Made by deploy/compose.ts (npm run generate): the environment of each service of compose.yaml, from mesh.ts and the processes'
# configurations. What has no value here is passed on where the environment file (compose.env.example) sets it.
`;

function environmentFile(): string {
  const processes = processNames.map((name) => [name, environmentOf(name)] as const);
  const services = [...Object.entries(jobs), ...processes].map(([name, environment]) => {
    // Strings of JSON are YAML.
    const lines = Object.entries(environment).map(
      ([variable, value]) => `      ${variable}:${value === null ? "" : ` ${JSON.stringify(value)}`}\n`,
    );
    return `  ${name}:\n    environment:\n${lines.join("")}`;
  });
  return `${environmentHead}services:\n${services.join("")}`;
}

function exampleFile(): string {
  const lines = (names: readonly string[]) => names.map((name) => `${name}=\n`).join("");
  return `# Made by deploy/compose.ts (npm run generate): secrets and settings of deploy/compose.yaml.
# \`docker run --rm ems secrets > deploy/.env\` writes this file with generated secrets; written by hand, each has at least 32 letters
# and digits (openssl rand -hex 32). Keep the file: without API_KEY_PEPPERS no API key is valid, without SEALING_KEYS the secrets of
# webhooks and the keys of model connections cannot be opened.

# The administrator of PostgreSQL, the runtime and relay roles of the services, and the role of backups.
${lines(["POSTGRES_PASSWORD", ...roles.map(passwordVariable)])}
# The NATS users, one for each process.
${lines(natsProcesses.map(natsPassword))}
# The user of ClickHouse, with compose.clickhouse.yaml.
CLICKHOUSE_PASSWORD=

# Authentication between the processes: an Ed25519 private key each (PKCS #8, base64 of DER), and the public keys of all
# (name:key, SPKI). \`docker run --rm ems rpc-keys\` prints only these lines.
${lines([...processNames.map(privateKeyVariable), "RPC_PUBLIC_KEYS"])}# API keys are hashed with it.
API_KEY_PEPPERS=
# Seals the secrets of webhooks and the keys of model connections: a name, a colon, and 32 bytes in base64 (k1:$(openssl rand -base64 32)).
SEALING_KEYS=

# Addresses of the API, which needs a TLS proxy in front, of gRPC, and of Mailpit's page.
EMS_LISTEN=127.0.0.1:3000
EMS_GRPC_LISTEN=127.0.0.1:4317
MAILPIT_LISTEN=127.0.0.1:8025

# Platform callers (README.md): services of yours that call the product's for many tenants, from the network ems_mesh.
EMS_CALLERS_FILE=./compose.callers.yaml

# The image of the product; built from this checkout if it does not exist.
EMS_IMAGE=ems

# Sender of mails, and receiver of feedback.
MAIL_FROM=Evaluation Management Service <ems@example.com>
FEEDBACK_TO=feedback@example.com

${settingLines()}`;
}

/** Each setting that may be given, with its meaning, the processes that have it, and its default; commented out. */
function settingLines(): string {
  const names = new Map<string, ProcessName[]>();
  for (const name of processNames)
    for (const [setting, value] of Object.entries(environmentOf(name)))
      if (value === null || setting in defaults) names.set(setting, [...(names.get(setting) ?? []), name]);
  const text = [...names]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([setting, processes]) => {
      const [first = "gateway"] = processes;
      const { meaning = "", default: usual = "" } = settingsOf[first].find(({ name }) => name === setting) ?? {};
      const whose = processes.length === processNames.length ? "all" : processes.join(", ");
      return `# ${meaning} (${whose})\n#${setting}=${defaults[setting] ?? usual}\n`;
    });
  return `# Settings, with their defaults; each is passed on to the processes that have it.\n\n${text.join("")}`;
}

/** The contents of the generated files, by path. */
export function generatedCompose(): Readonly<Record<string, string>> {
  return {
    [join(import.meta.dirname, "compose.environment.yaml")]: environmentFile(),
    [join(import.meta.dirname, "compose.env.example")]: exampleFile(),
  };
}
