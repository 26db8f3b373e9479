// The gateway in front of fake services, which accept one API key, and keys with scopes that a test names.

import { type ConnectRouter, createRouterTransport } from "@connectrpc/connect";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { systemClock } from "@ems/kit/clock";
import { unauthenticated } from "@ems/kit/errors";
import { Health } from "@ems/kit/health";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { testKeys } from "@ems/test-support/rpc-keys";
import { onTestFinished } from "vitest";
import { gatewayConfig } from "../src/config.ts";
import { createGateway } from "../src/server.ts";

export const apiKey = formKey(Buffer.alloc(keyBytes, 7));
export const applicationId = newId();
export const credentials = { "x-api-key": apiKey, "x-application-id": applicationId };

/** Opens the gRPC port until the test has finished. */
export async function openGateway(
  services: (router: ConnectRouter) => void,
  env: Record<string, string> = {},
  scopesOfKeys: Readonly<Record<string, string[]>> = {},
) {
  const transport = createRouterTransport((router) => {
    router.service(ApiKeyService, {
      authenticate: async ({ apiKey: key }) => {
        const scopes = key === apiKey ? [] : scopesOfKeys[key];
        if (scopes === undefined) throw unauthenticated();
        return { keyId: key, applicationId, orgId: "o", userId: "u", scopes };
      },
    });
    services(router);
  });
  const health = new Health(async () => undefined);
  const { app, grpc } = await createGateway(gatewayConfig({ ...testKeys, GRPC_PORT: "0", ...env }), {
    log: createLog("test", "silent"),
    clock: systemClock,
    newId,
    health,
    peer: () => transport,
  });
  const port = Number(await grpc.listen());
  onTestFinished(async () => {
    await grpc.close(0);
    await app.close();
  });
  return { app, grpc, health, port };
}
