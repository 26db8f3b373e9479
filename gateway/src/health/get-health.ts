// GET /v0/health: calls every service on the caller's behalf, as a normal request would.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Clock } from "@ems/kit/clock";
import { ConnectError } from "@ems/kit/errors";
import { type Call, remainingMs } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { type HealthService, HealthStatus } from "@ems/proto/gateway/v1/health_service";
import { callUpstream, type Peer } from "../upstreams/call-upstream.ts";
import { type Finding, failure, ok } from "./finding.ts";
import { type CallService, type Probe, probes } from "./probes.ts";

/** Shorter than a request's deadline, so that a hanging service is reported as a finding. */
const probeTimeoutMs = 2_000;

export function getHealth(peer: Peer, clock: Clock): Handlers<typeof HealthService>["getHealth"] {
  return async (_request, call) => {
    const now = clock.now();
    const found = await Promise.all(probes.map((probe) => runProbe(probe, peer, call, now.getTime())));
    const findings = found.flat();
    const worst = (current: HealthStatus, { status }: Finding) => (status > current ? status : current);
    const status = findings.reduce(worst, HealthStatus.OK);
    return { data: { status, time: timestampFromDate(now), findings } };
  };
}

async function runProbe({ name, run }: Probe, peer: Peer, call: Call, nowMs: number): Promise<Finding[]> {
  const { tenant, requestId, signal } = call;
  const timeoutMs = Math.min(probeTimeoutMs, remainingMs(call));
  const callService: CallService = async (method, input) =>
    (await callUpstream(peer, method, input, { tenant, requestId, timeoutMs, signal })).message;
  try {
    return [ok(name, "The service responds."), ...(await run(callService, nowMs))];
  } catch (error) {
    const advice = `Check the log of the service ${name} and its connection to the database.`;
    return [failure(name, `The service does not respond: ${ConnectError.from(error).rawMessage}`, advice)];
  }
}
