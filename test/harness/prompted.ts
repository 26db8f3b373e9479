// Applications on a mesh under a test's control, whose tests need no model: OUTPUT_MATCH judges their one task.

import type { FaultMesh } from "./fault-mesh.ts";
import { newWriter, type WebhookWriter } from "./writer.ts";

/** Answer, in the body of the 2xx, that passes the application's tests. */
export const passing = JSON.stringify({ output: "code 7" });

export interface Prompted extends WebhookWriter {
  /** Starts a run of that many tests; returns their ids. */
  trigger(tests: number): Promise<string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any JSON and assert its shape
  read(path: string): Promise<any>;
}

/** An application whose prompts go to `url`. */
export async function newPrompted(mesh: FaultMesh, url: string): Promise<Prompted> {
  const writer = await newWriter(mesh, url);
  const json = async (method: string, path: string, body?: object) => {
    const answer = await writer.send(method, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return { ...(text !== "" && JSON.parse(text)), location: answer.headers.get("location") };
  };
  const { data: topic } = await json("POST", "/v0/topics", { title: "Codes" });
  const { task } = await json("POST", "/v0/tasks", {
    title: "Codes",
    description: "Which code?",
    type: "STATIC",
    topicId: topic.id,
    inputExamples: ["Which code is it?"],
  });
  const globalConfig = { type: "string", extract: { pattern: "code (\\d+)", flags: "", group: 1 } };
  const { data: match } = await json("POST", "/v0/definitions", { name: "Code", type: "OUTPUT_MATCH", globalConfig });
  const link = { evalIds: [match.id], taskIds: [task.id], config: { expected: "7" } };
  await json("POST", "/v0/definitions/link", link);
  return {
    ...writer,
    read: (path) => json("GET", path),
    async trigger(repeat) {
      const { location } = await json("POST", "/v0/tasks/trigger", { taskIds: [task.id], repeat });
      const runId = location?.split("/").at(-1);
      const { data } = await json("GET", `/v0/tests?runId=${runId}&limit=100`);
      return data.map(({ id }: { id: string }) => id);
    },
  };
}
