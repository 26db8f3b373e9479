// The mesh, written down as data: which processes there are, where each listens, and whom it calls. A service refuses
// callers that this table does not name. Local processes, compose and the Helm chart follow it.

export interface MeshProcess {
  /** Port of its RPCs; for the gateway, of HTTP. */
  readonly port: number;
  /** What it cannot answer without, beside the services that it calls. */
  readonly needs: readonly "postgres"[];
  /** What it uses while it is there: without NATS events wait, and nothing else does. */
  readonly uses: readonly "nats"[];
  readonly calls: readonly ProcessName[];
}

export type ProcessName = "identity" | "catalog" | "experiments" | "reporting" | "notifications" | "gateway";

/** In the order in which they are started: callees first. Together the calls are a graph without cycles. */
export const mesh: Readonly<Record<ProcessName, MeshProcess>> = {
  identity: { port: 7101, needs: ["postgres"], uses: ["nats"], calls: [] },
  catalog: { port: 7102, needs: ["postgres"], uses: ["nats"], calls: ["identity"] },
  experiments: { port: 7103, needs: ["postgres"], uses: ["nats"], calls: ["identity", "catalog"] },
  reporting: { port: 7104, needs: ["postgres"], uses: [], calls: [] },
  notifications: { port: 7105, needs: ["postgres"], uses: ["nats"], calls: ["identity"] },
  gateway: {
    port: 3000,
    needs: [],
    uses: ["nats"],
    calls: ["identity", "catalog", "experiments", "reporting", "notifications"],
  },
};

export const processNames = Object.keys(mesh) as ProcessName[];

/** The processes that call `name`. */
export function callersOf(name: ProcessName): ProcessName[] {
  return processNames.filter((caller) => mesh[caller].calls.includes(name));
}

/** The environment variable that holds the address of `name`. */
export function addressVariable(name: ProcessName): string {
  return `${name.toUpperCase()}_ADDRESS`;
}

/** The module that is the process, below the folder of the product. */
export function mainOf(name: ProcessName): string {
  return name === "gateway" ? "gateway/src/main.ts" : `services/${name}/src/main.ts`;
}
