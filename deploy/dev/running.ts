import type { Health } from "@ems/kit/health";

export interface RunningProcess {
  readonly name: string;
  readonly pid: number | undefined;
  /** `host:port` of its RPCs; for the gateway, of HTTP. */
  readonly address: string;
  readonly adminUrl: string;
}

/** The running product, as one process or as a mesh. */
export interface Running {
  readonly baseUrl: string;
  /** Unless the gateway's gRPC port is off. */
  readonly grpcUrl: string | undefined;
  readonly adminUrl: string;
  /** The processes of a mesh; none of one process. */
  readonly processes: readonly RunningProcess[];
  readonly health: Health;
  /** Resolves with name and reason when a process ended unexpectedly. */
  readonly lost: Promise<string>;
  stop(): Promise<void>;
}
