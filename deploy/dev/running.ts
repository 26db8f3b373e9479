import type { Health } from "@ems/kit/health";

/** A process of the mesh as it runs here. */
export interface RunningProcess {
  readonly name: string;
  readonly pid: number | undefined;
  /** `host:port` of its RPCs; for the gateway, of HTTP. */
  readonly address: string;
  readonly adminUrl: string;
}

/** The product as it runs, in either shape. */
export interface Running {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Of the mesh; none when all is one process. */
  readonly processes: readonly RunningProcess[];
  readonly health: Health;
  /** Settles when a part ended that should not have; says which and why. */
  readonly lost: Promise<string>;
  stop(): Promise<void>;
}
