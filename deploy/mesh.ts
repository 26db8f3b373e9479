// Table of the mesh: processes, ports and calls. A service rejects callers that the table does not list. Local
// processes, compose and the Helm chart use it.

export interface MeshProcess {
  /** Port of the process's RPCs; for the gateway, its HTTP port. */
  readonly port: number;
  /** Dependencies that must work before the process is ready, in addition to the services that it calls. */
  readonly needs: readonly "postgres"[];
  /** Optional dependencies. Without NATS, events stay in the outboxes. */
  readonly uses: readonly "nats"[];
  readonly calls: readonly ProcessName[];
}

export type ProcessName =
  | "identity"
  | "catalog"
  | "traces"
  | "experiments"
  | "evaluation"
  | "reporting"
  | "notifications"
  | "gateway";

/** The processes in start order, callees first. The calls form a directed acyclic graph. */
export const mesh: Readonly<Record<ProcessName, MeshProcess>> = {
  identity: { port: 7101, needs: ["postgres"], uses: ["nats"], calls: [] },
  catalog: { port: 7102, needs: ["postgres"], uses: ["nats"], calls: ["identity"] },
  traces: { port: 7107, needs: ["postgres"], uses: ["nats"], calls: ["identity", "catalog"] },
  experiments: { port: 7103, needs: ["postgres"], uses: ["nats"], calls: ["identity", "catalog", "traces"] },
  evaluation: {
    port: 7106,
    needs: ["postgres"],
    uses: ["nats"],
    calls: ["identity", "catalog", "traces", "experiments"],
  },
  reporting: { port: 7104, needs: ["postgres"], uses: [], calls: ["identity"] },
  notifications: { port: 7105, needs: ["postgres"], uses: ["nats"], calls: ["identity", "traces", "experiments"] },
  gateway: {
    port: 3000,
    needs: [],
    uses: ["nats"],
    calls: ["identity", "catalog", "traces", "experiments", "evaluation", "reporting", "notifications"],
  },
};

export const processNames = Object.keys(mesh) as ProcessName[];

/** Lists the processes that call `name`. */
export function listCallers(name: ProcessName): ProcessName[] {
  return processNames.filter((caller) => mesh[caller].calls.includes(name));
}

/** Returns the environment variable for the address of `name`. */
export function addressVariable(name: ProcessName): string {
  return `${name.toUpperCase()}_ADDRESS`;
}

/** Returns the path of the process's main module, relative to the repository root. */
export function getMainModule(name: ProcessName): string {
  return name === "gateway" ? "gateway/src/main.ts" : `services/${name}/src/main.ts`;
}
