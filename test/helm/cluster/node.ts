// Controllers and nodes for an API server that has none: Jobs run as processes of this machine, Deployments and
// pods of tests get the status of a successful run.

import { setTimeout as delay } from "node:timers/promises";
import { runContainers, type Secrets } from "../install/run-containers.ts";
import type { Manifest } from "../render.ts";
import type { ApiServer } from "./api-server.ts";

const everyMs = 200;

export interface Node {
  /** Output of the Jobs' containers. */
  readonly output: () => string;
  /** Stops the node; rejects with the error of a Job or command that failed. */
  stop(): Promise<void>;
}

/** Controls a namespace as soon as it exists. */
export function startNode(server: ApiServer, namespace: string): Node {
  let [output, isStopped] = ["", false];
  const kubectl = (...args: string[]) => server.kubectl("-n", namespace, ...args);
  const patch = (kind: string, { metadata }: Manifest, status: object) =>
    kubectl("patch", kind, metadata.name, "--subresource=status", "--type=merge", "-p", JSON.stringify({ status }));
  const listed = async (kinds: string): Promise<Manifest[]> =>
    JSON.parse((await kubectl("get", kinds, "--ignore-not-found", "-o", "json")) || '{"items":[]}').items;

  async function turn(): Promise<void> {
    for (const each of await listed("deployments,jobs,pods")) {
      if (each.kind === "Deployment" && each.status?.observedGeneration !== each.metadata.generation)
        await patch("deployment", each, available(each));
      if (each.kind === "Pod" && each.status?.phase === "Pending") await patch("pod", each, { phase: "Succeeded" });
      if (each.kind === "Job" && each.status?.completionTime === undefined) {
        output += await runContainers(each.spec.template.spec, getSecrets(await listed("secrets")));
        await patch("job", each, complete());
      }
    }
  }

  async function run(): Promise<void> {
    while (!isStopped && (await server.kubectl("get", "namespace", namespace, "--ignore-not-found")) === "")
      await delay(everyMs);
    if (!isStopped) await kubectl("create", "serviceaccount", "default");
    for (; !isStopped; await delay(everyMs)) await turn();
  }
  const running = run();
  // `stop` reports the failure.
  running.catch(() => undefined);
  return {
    output: () => output,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

function available({ spec, metadata }: Manifest): object {
  const { replicas } = spec;
  const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  const conditions = [
    { type: "Available", status: "True", reason: "MinimumReplicasAvailable", message: "" },
    { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable", message: "" },
  ];
  return { observedGeneration: metadata.generation, ...counts, conditions };
}

function complete(): object {
  const now = new Date().toISOString().replace(/\.\d+/, "");
  const conditions = ["SuccessCriteriaMet", "Complete"].map((type) => ({
    type,
    status: "True",
    reason: "CompletionsReached",
    message: "",
    lastProbeTime: now,
    lastTransitionTime: now,
  }));
  return { startTime: now, completionTime: now, succeeded: 1, conditions };
}

function getSecrets(found: readonly Manifest[]): Secrets {
  const text = (value: unknown) => Buffer.from(String(value), "base64").toString();
  return Object.fromEntries(
    found.map(({ metadata, data }) => [
      metadata.name,
      Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, text(value)])),
    ]),
  );
}
