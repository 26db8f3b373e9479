// Time of heavy requests, one at a time: bulk calls at or near their limits, and lists of large tables.

import { type Filled, fill, rareWord } from "./fill.ts";
import type { Ground } from "./ground.ts";
import type { Request } from "./measure.ts";
import type { Measurement } from "./page.ts";
import { inTurn, type Part, type Round } from "./part.ts";
import { type Side, startProductSide } from "./sides.ts";

/** Fields of answers that count the work done. */
interface Answer {
  readonly count?: number;
  readonly success?: readonly string[];
  readonly data?: readonly unknown[];
}

interface Operation {
  readonly name: string;
  /** Builds the request of a repetition. Its preparation happens here and is not measured. */
  readonly request: (repetition: number) => Request | Promise<Request>;
  /** True if the answer shows the work done: refusals are fast and must not be measured. */
  readonly isDone: (answer: Answer) => boolean;
}

export const operations: Part = {
  title: "Heavy requests",
  note: "One process, one request at a time: bulk calls at or near their limits, and lists of an application after a year of use.",
  measure: (bench) => inTurn(bench, bench.options.repetitions ?? 15, openOperations),
};

const warmUps = 3;

async function openOperations(ground: Ground, stack: AsyncDisposableStack): Promise<Round> {
  const side = await startProductSide("one", ground, stack);
  const all = getRequests(side, await fill(side));
  let repetition = 0;
  const round = async () => {
    const measured: Measurement[] = [];
    for (const { name, request, isDone } of all) {
      const prepared = await request(repetition);
      const start = performance.now();
      const answer = await send(side, prepared);
      const value = performance.now() - start;
      if (!isDone(answer)) throw new Error(`${name} did not do all of it`);
      measured.push({ what: name, unit: "ms", value });
    }
    repetition++;
    return measured;
  };
  for (let warmUp = 0; warmUp < warmUps; warmUp++) await round();
  return round;
}

function getRequests(side: Side, { topicIds, tagCount, taskCount, documentIds }: Filled): Operation[] {
  const newQuickstart = async () => {
    const { data } = await send(side, post("/v0/quickstarts", { title: "Bank" }));
    return (data as unknown as { id: string }).id;
  };
  return [
    {
      name: "POST /v0/quickstarts/{id}/assignments/bulk, 1000 assignments",
      // A new quickstart each time, so that all assignments are new.
      request: async () => post(`/v0/quickstarts/${await newQuickstart()}/assignments/bulk`, getAssignments(topicIds)),
      isDone: ({ count }) => count === topicIds.length * stages.length,
    },
    {
      name: "POST /v0/documents/status, 100 documents",
      // Alternates the status, so that each call changes all of them.
      request: (repetition) =>
        post("/v0/documents/status", { documentIds, status: repetition % 2 === 0 ? "REVIEW" : "APPROVED" }),
      isDone: ({ success }) => success?.length === documentIds.length,
    },
    {
      name: `GET /v0/tags?limit=100, of ${tagCount}`,
      request: () => ({ method: "GET", path: "/v0/tags?limit=100" }),
      isDone: ({ data }) => data?.length === 100,
    },
    {
      name: `GET /v0/tasks?search=…, a rare word in ${taskCount}`,
      request: () => ({ method: "GET", path: `/v0/tasks?search=${rareWord}` }),
      isDone: ({ data }) => data?.length === 10,
    },
  ];
}

const stages = ["KB_REVIEW", "TASKS_TOPICS_REVIEW"];

function getAssignments(topicIds: readonly string[]) {
  const assignments = topicIds.flatMap((topicId) => stages.map((stage) => ({ stage, topicId, assignedTo: "user-1" })));
  return { assignments };
}

function post(path: string, body: unknown): Request {
  return { method: "POST", path, body: JSON.stringify(body) };
}

async function send({ baseUrl, headers }: Side, { method, path, body }: Request): Promise<Answer> {
  const answer = await fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}
