// A product whose gRPC port is attacked: sessions end with their test, and another tenant is then served at both ports.

import type { ClientHttp2Session, Settings } from "node:http2";
import { afterEach, expect } from "vitest";
import { startAttacked } from "./attacked-product.ts";
import { collectingGarbage } from "./memory-in-use.ts";
import { quietlyOnBoth } from "./quiet-tenant.ts";
import { openSession } from "./raw-grpc.ts";
import type { TestTenant } from "./tenant.ts";

export interface AttackedGrpc {
  readonly grpcUrl: string;
  readonly adminUrl: string;
  readonly noisy: TestTenant;
  /** Headers with the noisy tenant's key. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Opens a session that is closed after the test. */
  session(settings?: Settings): ClientHttp2Session;
  /** Sessions of the running test. */
  readonly sessions: ClientHttp2Session[];
  /** Calls REST and gRPC as another tenant for this long; each answer must be fast. */
  neighbour(forMs: number): Promise<void>;
}

/** Starts one process; `env` changes settings. */
export async function startAttackedGrpc(env: Record<string, string> = {}): Promise<AttackedGrpc> {
  const product = await startAttacked("one", { ...env, ...collectingGarbage });
  const { grpcUrl, adminUrl } = product.facts;
  const [quiet, noisy] = [await product.tenant(), await product.tenant()];
  const sessions: ClientHttp2Session[] = [];
  const neighbour = (forMs: number) => quietlyOnBoth(quiet, grpcUrl, forMs);
  afterEach(async () => {
    for (const each of sessions.splice(0)) each.destroy();
    await neighbour(500);
    expect(product.process.exitCode).toBeNull();
  });
  return {
    grpcUrl,
    adminUrl,
    noisy,
    credentials: { "x-api-key": noisy.apiKey, "x-application-id": noisy.applicationId },
    sessions,
    neighbour,
    session(settings) {
      const opened = openSession(new URL(grpcUrl).host, settings);
      sessions.push(opened);
      return opened;
    },
  };
}
