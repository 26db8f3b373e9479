import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { newId } from "@ems/kit/id";
import { afterAll, inject } from "vitest";
import { loopbackHost } from "../loopback.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder with ClickHouse's engine as a package; undefined for an external server. */
    chdb: string | undefined;
  }
}

export interface ClickhouseBridge {
  readonly url: string;
  readonly port: number;
  /** `kill -9`. */
  kill(): Promise<void>;
}

/** ClickHouse's engine on a data folder, behind HTTP. `packages` has chdb. */
export async function startClickhouse(packages: string, dataDir: string, port = 0): Promise<ClickhouseBridge> {
  const child = fork(join(import.meta.dirname, "bridge.ts"), [packages, dataDir, loopbackHost, String(port)]);
  const exited = once(child, "exit");
  const [message] = await Promise.race([
    once(child, "message") as Promise<[{ port: number }]>,
    exited.then(([code]) => Promise.reject(new Error(`ClickHouse's bridge ended with ${code}`))),
  ]);
  return {
    url: `http://${loopbackHost}:${message.port}`,
    port: message.port,
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

export interface TestClickhouse {
  /** Settings of the product. */
  readonly env: { readonly CLICKHOUSE_URL: string; readonly CLICKHOUSE_DATABASE: string };
  /** True if `kill` and `start` work; false for an external server. */
  readonly isOurs: boolean;
  /** `kill -9`. Stored data stays. */
  kill(): Promise<void>;
  /** Restarts on the same port, after `kill`. */
  start(): Promise<void>;
}

/** ClickHouse for a test file, with an empty database that is removed after the file's tests. */
export async function testClickhouse(): Promise<TestClickhouse> {
  const packages = inject("chdb");
  const external = process.env.CLICKHOUSE_TEST_URL;
  const database = `t_${newId().replaceAll("-", "")}`;
  if (packages === undefined || external !== undefined) {
    if (external === undefined) throw new Error("neither CLICKHOUSE_TEST_URL nor chdb is there");
    const unavailable = () => Promise.reject(new Error("a given server is neither killed nor started"));
    const env = { CLICKHOUSE_URL: external, CLICKHOUSE_DATABASE: database };
    return { env, isOurs: false, kill: unavailable, start: unavailable };
  }
  const dataDir = await temporaryDir("ems-test-clickhouse-");
  let bridge = await startClickhouse(packages, dataDir);
  const { url, port } = bridge;
  afterAll(async () => {
    await bridge.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    env: { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database },
    isOurs: true,
    kill: () => bridge.kill(),
    start: async () => {
      bridge = await startClickhouse(packages, dataDir, port);
    },
  };
}
