// grpc.health.v1 for load balancers and clients; needs no key.

import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectRouter } from "@connectrpc/connect";
import { notFound } from "@ems/kit/errors";
import type { Health as ProcessHealth } from "@ems/kit/health";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@ems/proto/grpc/health/v1/health";

/** Polling interval; only changes are reported. */
const pollMs = 1_000;

/** Serves health; `names` are the port's services, the empty name is the port itself. */
export function serveHealth(router: ConnectRouter, health: ProcessHealth, names: readonly string[]): void {
  const all = new Set(["", ...names]);
  const status = async () => ((await health.notReadyReason()) === undefined ? Status.SERVING : Status.NOT_SERVING);
  router.service(Health, {
    async check({ service }) {
      if (!all.has(service)) throw notFound("Service");
      return { status: await status() };
    },
    async list() {
      const current = await status();
      return { statuses: Object.fromEntries([...all].map((name) => [name, { status: current }])) };
    },
    async *watch({ service }, { signal }) {
      let reported: Status | undefined;
      while (!signal.aborted) {
        const current = all.has(service) ? await status() : Status.SERVICE_UNKNOWN;
        if (current !== reported) yield { status: current };
        reported = current;
        await sleep(pollMs, undefined, { signal }).catch(() => undefined);
      }
    },
  });
}
