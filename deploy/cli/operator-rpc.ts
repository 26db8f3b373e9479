// Serves the operator RPCs of notifications within this process, on the installation's database. Commands call them
// without a running product or an open port.

import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { systemClock } from "@ems/kit/clock";
import { ConnectError } from "@ems/kit/errors";
import { newId, secureRandom } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { inProcessTransport } from "@ems/kit/rpc/in-process";
import { createNotificationsAdmin, operator } from "@ems/notifications/admin";
import { Failure } from "./failure.ts";

export interface OperatorDatabase {
  /** Database URL with the role `ems_notifications_relay`. */
  readonly url: string;
  /** Keys that decrypt sealed texts. Needed only by RPCs that read such texts. */
  readonly sealingKeys?: string | undefined;
}

/** Runs `action` with a client of the operator RPCs; an RPC's error becomes a Failure with its message. */
export async function withOperatorRpc<Service extends DescService, Result>(
  service: Service,
  { url, sealingKeys }: OperatorDatabase,
  stopping: AbortSignal,
  action: (client: Client<Service>) => Promise<Result>,
): Promise<Result> {
  const admin = createNotificationsAdmin(
    { RELAY_DATABASE_URL: url, SEALING_KEYS: sealingKeys },
    { log: createLog("ems", "error"), clock: systemClock, newId, random: secureRandom, stopping },
  );
  try {
    return await action(
      createClient(
        service,
        inProcessTransport(() => admin.endpoints, operator),
      ),
    );
  } catch (error) {
    throw error instanceof ConnectError ? new Failure(error.rawMessage) : error;
  } finally {
    await admin.close();
  }
}
