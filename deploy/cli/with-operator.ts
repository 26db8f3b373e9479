import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { Cli } from "./cli.ts";

/** Runs `action` with a client of notifications' operator RPCs. `needsKeys`: the RPCs decrypt sealed texts. */
export async function withOperator<Service extends DescService, Result>(
  cli: Cli,
  service: Service,
  action: (client: Client<Service>) => Promise<Result>,
  needsKeys = false,
): Promise<Result> {
  // Imported lazily, because the module loads the notifications service.
  const { withOperatorRpc } = await import("./operator-rpc.ts");
  const { databaseAs, sealingKeys } = await import("./operator.ts");
  const url = await databaseAs(cli, "ems_notifications_relay");
  const keys = needsKeys ? await sealingKeys(cli) : undefined;
  return withOperatorRpc(service, { url, sealingKeys: keys }, cli.stopped, action);
}
