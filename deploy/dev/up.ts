// `npm start` (`one`: everything in this process) and `npm run mesh` (`mesh`: a process each).

import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { meshUsers, type NatsUser } from "@ems/deploy/nats-users";
import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { ownerRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import { exitOnUncaughtException, stopOnSignal } from "@ems/kit/lifecycle";
import { createLog, flushLog } from "@ems/kit/log";
import { deployConfig } from "./config.ts";
import type { Environment } from "./environment.ts";
import { openInstallation } from "./installation.ts";
import { openNats } from "./nats.ts";
import { runOneProcess } from "./one-process.ts";
import { runProcesses } from "./processes.ts";
import { readyJson, readyText } from "./ready.ts";

const tell = (sentence: string) => process.stderr.write(`${sentence}\n`);

const withoutNats = {
  one: "No NATS: NATS_URL is not set and PATH has no nats-server. Events go from hand to hand in this process.",
  mesh: "No NATS: NATS_URL is not set and PATH has no nats-server. Events wait in the outboxes until there is one.",
};

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  const config = deployConfig(process.env);
  const log = createLog("up", config.LOG_LEVEL);
  exitOnUncaughtException(log);
  const env: Environment = {
    ...process.env,
    LOG_LEVEL: config.LOG_LEVEL,
    DRAIN_DELAY_MS: String(config.DRAIN_DELAY_MS),
    // Without a relay nobody would see what the product has to say.
    ...(!process.env.SMTP_URL && { MAIL_DIR: process.env.MAIL_DIR || resolve(config.DATA_DIR, "mail") }),
  };

  const isMesh = positionals[0] === "mesh";
  const installation = await openInstallation(config, tell);
  const users: NatsUser[] = isMesh ? meshUsers : ["all"];
  const nats = await openNats(config, installation.secrets, users, tell).catch(closing(installation));
  if (users.some((user) => nats.urlAs(user) === undefined)) tell(isMesh ? withoutNats.mesh : withoutNats.one);
  const { orgId, applicationId, apiKey } = await bootstrap({
    ownerUrl: installation.urlAs(ownerRole),
    peppers: [(env.API_KEY_PEPPERS ?? installation.secrets.apiKeyPepper).split(",")[0] ?? ""],
    clock: systemClock,
    newId,
    random: secureRandom,
    always: false,
  });
  const run = isMesh ? runProcesses : runOneProcess;
  const running = await run(env, installation, nats).catch(closing(nats, installation));

  const meshFile = join(config.DATA_DIR, "mesh.json");
  const stop = async () => {
    await running.stop();
    await rm(meshFile, { force: true });
    await nats.close();
    await installation.close();
  };
  stopOnSignal({ log, drainDelayMs: config.DRAIN_DELAY_MS, health: running.health, stop });
  void Promise.race([running.lost, installation.lost]).then(async (why) => {
    tell(`${why}. Stopping the rest.`);
    await stop().catch((error: unknown) => tell(String(error)));
    flushLog();
    process.exit(1);
  });

  if (running.processes.length > 0) {
    // For whoever wants to look at one process, or call its RPCs.
    await writeFile(meshFile, JSON.stringify(running.processes, null, 2));
    for (const { name, pid, address } of running.processes) tell(`${name.padEnd(10)} ${address} (process ${pid})`);
  }
  const { baseUrl, adminUrl, processes } = running;
  const mailAdminUrl = processes.find(({ name }) => name === "notifications")?.adminUrl ?? adminUrl;
  const mailUrl = env.SMTP_URL ? undefined : `${mailAdminUrl}/mail`;
  const facts = { baseUrl, adminUrl, mailUrl, applicationId, apiKey, orgId };
  process.stdout.write(`${values.json ? readyJson(facts) : readyText(facts)}\n`);
} catch (error) {
  tell(`Cannot start: ${error instanceof Error ? error.message : String(error)}`);
  flushLog();
  process.exit(1);
}

/** Closes what was opened before the start failed, and fails. */
function closing(...opened: { close(): Promise<void> }[]) {
  return async (error: unknown): Promise<never> => {
    for (const one of opened) await one.close();
    throw error;
  };
}
