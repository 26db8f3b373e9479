// Adds sample data to an empty application, with requests of the public API.

import type { ApiRequest } from "../api/request.ts";
import { send } from "../api/send.ts";
import { createDefinition, linkApplication } from "../definitions/definition-requests.ts";
import { createTask } from "../tasks/task-requests.ts";
import { recordResults } from "../tests/test-requests.ts";
import { createTopic } from "../topics/topic-requests.ts";
import { ingest } from "../traces/trace-requests.ts";
import { buildRuns, buildTrace, definitions, topics } from "./bank.ts";

/** Adds the sample data. A retry with the same UUID in `intent` continues where the first attempt failed. */
export async function addSampleData(intent: string): Promise<void> {
  let sent = 0;
  const next = <Data>(request: ApiRequest<Data>) => {
    sent += 1;
    return send(request, { idempotencyKey: `${intent}-${sent}` });
  };
  const definitionIds: string[] = [];
  for (const definition of definitions) definitionIds.push((await next(createDefinition(definition))).data.id);
  await next(linkApplication(definitionIds));
  const taskIds: string[][] = [];
  for (const { title, tasks } of topics) {
    const { data: topic } = await next(createTopic({ title }));
    const ids: string[] = [];
    for (const { title, prompt } of tasks) {
      const body = { title, description: prompt, topicId: topic.id, inputExamples: [prompt] };
      ids.push((await next(createTask({ ...body, type: "STATIC" }))).task.id);
    }
    taskIds.push(ids);
  }
  for (const results of buildRuns(taskIds, definitionIds)) await next(recordResults(results));
  await next(ingest(buildTrace(intent)));
}
