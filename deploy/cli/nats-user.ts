// Creates a NATS user that reads events. Prints the user; with --local also stores it for this installation.

import {
  getInboxPrefix,
  listConsumers,
  type NatsReader,
  readerConfiguration,
  readerFault,
} from "@ems/deploy/nats-readers";
import { secret, storeNatsReader } from "@ems/deploy/secrets";
import { type NatsUserConfiguration, userConfiguration } from "@ems/kit/events/nats/permissions";
import { streamName } from "@ems/kit/events/nats/topology";
import type { Command } from "commander";
import { type Cli, printResult } from "./cli.ts";
import { usage } from "./failure.ts";
import { operatorConfig } from "./operator.ts";

export interface UserOptions {
  readonly types?: string;
  readonly application?: string;
  readonly format: "server" | "chart";
  readonly local?: boolean;
}

export async function createNatsUser(cli: Cli, command: Command, name: string, options: UserOptions): Promise<void> {
  const types = options.types?.split(",").filter((type) => type !== "") ?? [];
  // The password begins with a letter, because NATS would parse a value such as 4e8995… as a number.
  const reader: NatsReader = { name, password: `p${secret()}`, types, applicationId: options.application };
  const fault = readerFault(reader);
  if (fault !== undefined) throw usage(`${name}: ${fault}.`);
  if (options.local === true) await storeNatsReader(operatorConfig(cli).DATA_DIR, reader);
  const consumers = listConsumers(reader);
  const user = readerConfiguration(reader);
  const inboxPrefix = getInboxPrefix(name);
  const { password } = reader;
  const value = { user: name, password, inboxPrefix, stream: streamName, consumers, permissions: user.may };
  printResult(cli, command, value, () => (options.format === "chart" ? chartEntry(user) : userConfiguration(user)));
  for (const { name: consumer, filter } of consumers) {
    cli.info(`Consumer ${consumer} of stream ${streamName}: filter ${filter}, explicit acks.`);
  }
  cli.info(`Replies arrive below ${inboxPrefix}: connect with that inbox prefix. See deploy/guides/read-events.md.`);
}

/** Formats an entry for `config.merge.authorization.users` of the NATS chart. JSON is also valid YAML. */
function chartEntry({ user, password, may: { publish, subscribe } }: NatsUserConfiguration): string {
  const permissions = { publish: { allow: publish }, subscribe: { allow: subscribe } };
  return `- ${JSON.stringify({ user, password: JSON.parse(password), permissions })}`;
}
