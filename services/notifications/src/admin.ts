// RPCs for operators. They run in the operator's own process, even if the product is not running, and are not mounted
// anywhere else.

import { databaseError } from "@ems/kit/db/errors";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { type Endpoint, endpoints } from "@ems/kit/rpc/endpoints";
import { serviceInterceptors } from "@ems/kit/rpc/interceptors";
import type { ServiceDeps } from "@ems/kit/serve";
import { deadLetters } from "./dead-letters/index.ts";
import { deliveryHandler } from "./deliveries/index.ts";
import { eventLogHandler } from "./event-log/index.ts";
import { inbox } from "./events/index.ts";
import { feedbackAdmin } from "./feedback/index.ts";
import { mailHandler } from "./mail/index.ts";
import { notificationsSchema } from "./schema.ts";
import { secretBox } from "./secret-box.ts";

export interface NotificationsAdminConfig {
  /** Database URL for the role `ems_notifications_relay`. */
  readonly RELAY_DATABASE_URL: string;
  /** Keys that decrypt the text of feedback; needed only to read that text. */
  readonly SEALING_KEYS?: string | undefined;
}

export interface NotificationsAdminDeps extends Pick<ServiceDeps, "log" | "clock" | "newId" | "random"> {
  /** Signal that is aborted when the process stops, so that waiting RPCs end early. */
  readonly stopping: AbortSignal;
}

/** The only allowed caller; no process of the mesh has this name. */
export const operator = "operator";

/** Creates the operator's RPCs without worker, consumer or mailer; the running product delivers events handled here. */
export function createNotificationsAdmin(
  { RELAY_DATABASE_URL: url, SEALING_KEYS: keys }: NotificationsAdminConfig,
  { log, clock, newId, random, stopping }: NotificationsAdminDeps,
): { readonly endpoints: readonly Endpoint[]; close(): Promise<void> } {
  const relayDatabase = new RelayDatabase({ schema: notificationsSchema, url, poolMax: 2, log });
  const handlers = [deliveryHandler(clock), mailHandler(clock), eventLogHandler];
  const { handle } = inbox({ relayDatabase, clock, newId, log, handlers, onHandled: () => undefined });
  const secrets = keys === undefined ? undefined : secretBox(keys, random);
  const mounts = [deadLetters({ relayDatabase, handle }), feedbackAdmin({ relayDatabase, secrets, stopping })];
  return {
    endpoints: endpoints(mounts, serviceInterceptors({ callers: [operator], log, explain: databaseError })),
    close: () => relayDatabase.close(),
  };
}
