// The product as a user runs it: its own process, started by the launcher's command, in either shape.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { newDataDir } from "./data-dir.ts";

const ownRoot = join(import.meta.dirname, "../..");

export type Shape = "one" | "mesh";

/** Addresses that a started product prints, and its data directory. */
export interface ProductFacts {
  readonly shape: Shape;
  readonly baseUrl: string;
  /** A sign-in link. */
  readonly consoleUrl?: string;
  readonly grpcUrl: string;
  readonly adminUrl: string;
  /** URL of the nats-server that it started. */
  readonly natsUrl?: string;
  readonly orgId: string;
  readonly applicationId: string;
  readonly apiKey?: string;
  readonly dataDir: string;
  /** URL as administrator, if the tests' environment gives the product a server. */
  readonly databaseUrl?: string;
}

export interface Product {
  readonly facts: ProductFacts;
  readonly process: ChildProcess;
  /** Output on stderr so far. */
  readonly stderr: () => string;
  /** Resolves with the exit code or signal once it has ended. */
  readonly ended: Promise<number | string>;
  /** Sends Ctrl-C, and waits for the end. */
  stop(): Promise<number | string>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Time for a mesh to start next to six other products and browsers, on a slow machine. */
const startMs = 240_000;

export interface StartOptions {
  /** Default: a prepared installation that was never started (data-dir.ts). */
  readonly dataDir?: string;
  readonly env?: Record<string, string>;
  /** The folder of the product's code. Default: this repository. */
  readonly root?: string;
  /** File descriptor of its stderr; by default a pipe that is read. */
  readonly stderr?: number;
}

/** The machine's NATS must not change the outcome of a test: a test that needs NATS requests it. */
const withoutNats = { NATS_URL: "", NATS_SERVER: "none" };

/** Starts the product with `--json` and waits for its one line. */
export async function startProduct(shape: Shape, options: StartOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? (await newDataDir("ems-test-product-"));
  const child = spawn(process.execPath, ["deploy/dev/up.ts", shape, "--json"], {
    cwd: options.root ?? ownRoot,
    env: {
      ...process.env,
      PORT: "0",
      GRPC_PORT: "0",
      ADMIN_PORT: "0",
      ...withoutNats,
      // Only tests of the console turn it on: they build it and set a sealing key.
      CONSOLE: "off",
      ...options.env,
      DATA_DIR: dataDir,
    },
    stdio: ["ignore", "pipe", options.stderr ?? "pipe", "ipc"],
    detached: true,
  });
  let [stdout, stderr] = ["", ""];
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  const line = new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      stdout += chunk;
      if (stdout.includes("\n")) resolve(stdout);
    });
    void ended.then((how) => reject(new Error(`the product ended (${how}) before it was ready:\n${stderr}`)));
    setTimeout(() => reject(new Error(`the product was not ready within ${startMs} ms:\n${stderr}`)), startMs).unref();
  });
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGINT");
    return ended;
  };
  try {
    const { DATABASE_URL: databaseUrl } = process.env;
    const facts: ProductFacts = { ...JSON.parse(await line), shape, dataDir, ...(databaseUrl && { databaseUrl }) };
    return {
      facts,
      process: child,
      stderr: () => stderr,
      ended,
      stop,
      remove: async () => {
        await stop();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await stop();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}
