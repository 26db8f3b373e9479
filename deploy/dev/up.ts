// Runs `npm start` (argument `one`: everything in this process) and `npm run mesh` (`mesh`: one process per service).

import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join, resolve } from "node:path";
import { getExitCode, readCommandLine } from "@ems/deploy/command-line";
import { connectionsOfAll } from "@ems/deploy/connections";
import { meshUsers, type NatsUser } from "@ems/deploy/nats-users";
import { runningUrl } from "@ems/deploy/running-database";
import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { ownerRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import { exitOnUncaughtException, stopOnSignal } from "@ems/kit/lifecycle";
import { createLog, flushLog } from "@ems/kit/log";
import { deployConfig } from "./config.ts";
import { builtConsole, consoleLink } from "./console.ts";
import type { Environment } from "./environment.ts";
import { isFree } from "./free-port.ts";
import { openInstallation } from "./installation.ts";
import { loopbackWebhooks } from "./loopback-webhooks.ts";
import { openNats } from "./nats.ts";
import { runOneProcess } from "./one-process.ts";
import { assertPortsFree, assertSettingsUsable } from "./preflight.ts";
import { runProcesses } from "./processes.ts";
import { readyJson, readyText } from "./ready.ts";

const print = (line: string) => process.stderr.write(`${line}\n`);
// Keep running if output cannot be written, such as to a full disk.
process.stdout.on("error", () => undefined);

/** Default port of OpenTelemetry exporters. */
const otlpPort = 4317;

const withoutNats = {
  one: "No NATS: NATS_URL is not set and PATH has no nats-server. Events are delivered within this process.",
  mesh: "No NATS: NATS_URL is not set and PATH has no nats-server. Events stay in the outboxes until NATS is available.",
};

const help = `
npm start      runs everything in one process, with an embedded PostgreSQL unless DATABASE_URL is set
npm run mesh   runs one process per service

  -- --json          prints one line of JSON when ready (npm start --silent -- --json prints nothing else)
  -- --new-secrets   creates new secrets for a database whose secrets.json is lost; its API keys become invalid

Settings are environment variables: DATA_DIR (.data), HOST (127.0.0.1), PORT (3000), GRPC_PORT (4317 or a free one), ADMIN_PORT,
DATABASE_URL, NATS_URL, SMTP_URL, LOG_LEVEL (warn). deploy/guides/settings.md lists all.`;

try {
  const { values, positionals } = readCommandLine(help, {
    allowPositionals: true,
    options: { json: { type: "boolean", default: false }, "new-secrets": { type: "boolean", default: false } },
  });
  const config = deployConfig(process.env);
  // If another run uses the data directory, skip this check: opening the installation fails with a specific error.
  if ((await runningUrl(config.DATA_DIR)) === undefined) await assertPortsFree(config, process.env);
  const log = createLog("up", config.LOG_LEVEL);
  exitOnUncaughtException(log);
  const env: Environment = {
    ...process.env,
    // If an OpenTelemetry collector already uses the default port, choose a free port.
    GRPC_PORT: process.env.GRPC_PORT || ((await isFree(otlpPort)) ? String(otlpPort) : "0"),
    LOG_LEVEL: config.LOG_LEVEL,
    DRAIN_DELAY_MS: String(config.DRAIN_DELAY_MS),
    ...callersIn(config.DATA_DIR),
    // Without a mail relay, MAIL_DIR stores mails, and the admin port displays them at /mail.
    ...loopbackWebhooks(process.env, positionals[0] === "mesh"),
    ...(!process.env.SMTP_URL && { MAIL_DIR: process.env.MAIL_DIR || resolve(config.DATA_DIR, "mail") }),
  };

  assertSettingsUsable(env);

  const removeHandlers = exitOnSignal();
  const isMesh = positionals[0] === "mesh";
  const built = builtConsole(env, print);
  const installation = await openInstallation(config, print, {
    replacesSecrets: values["new-secrets"],
    connections: connectionsOfAll(env),
  });
  const users: NatsUser[] = isMesh ? meshUsers : ["all"];
  const nats = await openNats(config, installation.secrets, users, print).catch(closing(installation));
  if (users.some((user) => nats.urlAs(user) === undefined)) print(isMesh ? withoutNats.mesh : withoutNats.one);
  const bootstrapOptions = {
    ownerUrl: installation.urlAs(ownerRole),
    peppers: [(env.API_KEY_PEPPERS ?? installation.secrets.apiKeyPepper).split(",")[0] ?? ""],
    clock: systemClock,
    newId,
    random: secureRandom,
  };
  // Wait for the console's build before services start, because it uses all processors.
  await built;
  const run = isMesh ? runProcesses : runOneProcess;
  const running = await run(env, installation, nats).catch(closing(nats, installation));
  // Create the API key only now, because a start that fails would never print it.
  const { orgId, applicationId, apiKey } = await bootstrap({ ...bootstrapOptions, always: false }).catch(
    closing({ close: running.stop }, nats, installation),
  );

  const meshFile = join(config.DATA_DIR, "mesh.json");
  const stop = async () => {
    await running.stop();
    await rm(meshFile, { force: true });
    await nats.close();
    await installation.close();
  };
  removeHandlers();
  stopOnSignal({ log, drainDelayMs: config.DRAIN_DELAY_MS, health: running.health, stop });
  void Promise.race([running.lost, installation.lost]).then(async (reason) => {
    print(`${reason}. Stopping the rest.`);
    await stop().catch((error: unknown) => print(String(error)));
    flushLog();
    process.exit(1);
  });

  if (running.processes.length > 0) {
    // List each process with its address, for programs that call its RPCs.
    await writeFile(meshFile, JSON.stringify(running.processes, null, 2));
    for (const { name, pid, address } of running.processes) print(`${name.padEnd(10)} ${address} (process ${pid})`);
  }
  const { baseUrl, grpcUrl, adminUrl, processes } = running;
  const mailAdminUrl = processes.find(({ name }) => name === "notifications")?.adminUrl ?? adminUrl;
  const mailUrl = env.SMTP_URL ? undefined : `${mailAdminUrl}/mail`;
  const consoleUrl = await consoleLink({
    env,
    installation,
    dataDir: config.DATA_DIR,
    baseUrl,
    issueKey: async () => (await bootstrap({ ...bootstrapOptions, always: true })).apiKey,
  });
  const hasDocs = env.DOCS !== "off";
  const facts = {
    consoleUrl,
    hasDocs,
    baseUrl,
    grpcUrl,
    natsUrl: nats.url,
    adminUrl,
    mailUrl,
    applicationId,
    apiKey,
    orgId,
  };
  process.stdout.write(`${values.json ? readyJson(facts) : readyText(facts)}\n`);
} catch (error) {
  print(`Cannot start: ${error instanceof Error ? error.message : String(error)}`);
  flushLog();
  process.exit(getExitCode(error));
}

/** Returns the setting for the data directory's platform callers, unless callers are set. Unused by `npm start`. */
function callersIn(dataDir: string): Environment {
  const file = resolve(dataDir, "callers.yaml");
  const { RPC_PLATFORM_CALLERS, RPC_PLATFORM_CALLERS_FILE } = process.env;
  if (RPC_PLATFORM_CALLERS || RPC_PLATFORM_CALLERS_FILE || !existsSync(file)) return {};
  return { RPC_PLATFORM_CALLERS_FILE: file };
}

/** Returns an error handler that closes the resources and rethrows the error. */
function closing(...opened: { close(): Promise<void> }[]) {
  return async (error: unknown): Promise<never> => {
    for (const resource of opened) await resource.close();
    throw error;
  };
}

/** Until the product runs, exits immediately on a signal; started servers and processes then end too. */
function exitOnSignal(): () => void {
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, exit);
  return () => {
    for (const signal of signals) process.off(signal, exit);
  };
}
