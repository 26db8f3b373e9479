// An application with all that the loop needs: a webhook, linked definitions, tasks and a model connection.

import type { TraceSink } from "./application.ts";
import type { DefinitionType } from "./reference.ts";
import {
  countTasks,
  criterion,
  extract,
  getPrompts,
  groundTruth,
  styleSections,
  taskExpects,
  topicCode,
} from "./scenario.ts";

export interface Connection {
  readonly provider: "openai" | "anthropic" | "openai-compatible";
  readonly baseUrl: string;
}

export interface LoopTenant {
  readonly taskIds: readonly string[];
  readonly typesById: ReadonlyMap<string, DefinitionType>;
  readonly webhookSecret: string;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by their documented fields
type Json = any;

/** Sends one request; throws the answer unless the request succeeded. */
export async function call(sink: TraceSink, method: string, path: string, json?: object): Promise<Json> {
  const answer = await fetch(`${sink.baseUrl}${path}`, {
    method,
    headers: { "x-api-key": sink.apiKey, "x-application-id": sink.applicationId, "content-type": "application/json" },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return Object.assign(text === "" ? {} : JSON.parse(text), { location: answer.headers.get("location") });
}

export async function prepare(
  sink: TraceSink,
  webhookUrl: string,
  tests: number,
  connection?: Connection,
): Promise<LoopTenant> {
  const post = (path: string, json: object) => call(sink, "POST", path, json);
  const { webhookSecret } = (await post("/v0/webhook", { url: webhookUrl })).data;
  if (connection !== undefined) {
    await post("/v0/model-connections", {
      name: "Judge",
      model: "judge-1",
      apiKey: "sk-of-the-loop",
      default: true,
      ...connection,
      prices: { inputPerMillion: 1, outputPerMillion: 2 },
      limits: { requestsPerMinute: 100_000, tokensPerMinute: 1_000_000_000, concurrency: 32 },
    });
  }
  const { data: topic } = await post("/v0/topics", { title: "Branches" });
  const { data: guide } = await post("/v0/style-guides", { content: styleSections });
  const typesById = new Map<string, DefinitionType>();
  const define = async (type: DefinitionType, settings: object = {}): Promise<string> => {
    const { data } = await post("/v0/definitions", { name: `By ${type}`, type, ...settings });
    typesById.set(data.id, type);
    return data.id;
  };
  const fact = await define("FACT", { globalConfig: { groundTruth } });
  const everywhere = [await define("NATURALNESS"), fact, await define("CUSTOM", { globalConfig: { criterion } })];
  const match = await define("OUTPUT_MATCH", { globalConfig: { type: "string", extract } });
  const byTopic = [await define("STYLE", { styleGuideId: guide.id }), await define("RECALL")];
  await post("/v0/definitions/link-application", { evalIds: everywhere });
  await post("/v0/definitions/link-topics", { evalIds: byTopic, topicIds: [topic.id] });
  await post("/v0/definitions/link-topics", {
    evalIds: [match],
    topicIds: [topic.id],
    config: { expected: topicCode },
  });
  const taskIds: string[] = [];
  for (let number = 0; number < countTasks(tests); number++) {
    const { task } = await post("/v0/tasks", {
      title: `Task ${number}`,
      description: "Opening hours",
      type: "STATIC",
      topicId: topic.id,
      inputExamples: getPrompts(number, tests),
    });
    taskIds.push(task.id);
    const expects = taskExpects(number);
    if (expects === undefined) continue;
    const link = (evalId: string, expected: string) =>
      post("/v0/definitions/link", { evalIds: [evalId], taskIds: [task.id], config: { expected } });
    // Linked to the topic or the application as well: it counts once, with the task's expectation.
    await link(match, expects.code);
    await link(fact, expects.truth);
  }
  return { taskIds, typesById, webhookSecret };
}

/** Starts a run of all tasks; returns its id. */
export async function trigger(sink: TraceSink, taskIds: readonly string[]): Promise<string> {
  const { location } = await call(sink, "POST", "/v0/tasks/trigger", { taskIds });
  const runId = /^\/v0\/runs\/(.+)$/.exec(location ?? "")?.[1];
  if (runId === undefined) throw new Error(`the trigger named no run: ${location}`);
  return runId;
}

/** Returns all tests of a run, with their evaluations. */
export async function readTests(sink: TraceSink, runId: string): Promise<Json[]> {
  const tests: Json[] = [];
  for (let total = 1; tests.length < total; ) {
    const page = await call(sink, "GET", `/v0/tests?runId=${runId}&limit=50&skip=${tests.length}&orderBy=id`);
    tests.push(...page.data);
    total = page.pagination.total;
    if (page.data.length === 0 && tests.length < total) throw new Error("a page of tests is empty");
  }
  return tests;
}
