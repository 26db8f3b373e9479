import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type NatsServer, startNatsServer } from "@ems/dev/nats-server";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { afterAll, inject } from "vitest";
import { loopbackHost } from "./loopback.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of a nats-server. */
    natsServer: string;
  }
}

export interface TestNats {
  readonly url: string;
  /** `kill -9`. Stored data stays. */
  kill(): Promise<void>;
  /** Restarts on the same port, after `kill`; without its store unless `isStoreKept`. */
  start(options?: { isStoreKept: boolean }): Promise<void>;
}

/** A nats-server for a test file; removed after the file's tests. */
export async function testNats(): Promise<TestNats> {
  const dir = await temporaryDir("ems-test-nats-");
  const options = { binary: inject("natsServer"), dir, host: loopbackHost, user: "ems", password: "only-in-tests" };
  let server: NatsServer = await startNatsServer(options);
  const { url, port } = server;
  afterAll(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });
  return {
    url,
    kill: async () => {
      process.kill(server.pid, "SIGKILL");
      await server.exited;
    },
    start: async ({ isStoreKept } = { isStoreKept: true }) => {
      if (!isStoreKept) await rm(join(dir, "jetstream"), { recursive: true, force: true });
      server = await startNatsServer({ ...options, port });
    },
  };
}
