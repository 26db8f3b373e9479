import type { Health } from "@ems/kit/health";

export interface RunningProcess {
  readonly name: string;
  readonly pid: number | undefined;
  /** `host:port` of the process's RPC port; for the gateway, of its HTTP port. */
  readonly address: string;
  readonly adminUrl: string;
}

/** The running product, as one process or as a mesh. */
export interface Running {
  readonly baseUrl: string;
  /** URL of the gateway's gRPC port; undefined if the port is off. */
  readonly grpcUrl: string | undefined;
  readonly adminUrl: string;
  /** Processes of a mesh; empty if everything runs in one process. */
  readonly processes: readonly RunningProcess[];
  readonly health: Health;
  /** Resolves with name and reason if a process ends unexpectedly. */
  readonly lost: Promise<string>;
  stop(): Promise<void>;
}
