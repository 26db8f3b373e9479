// Sample data of a bank's support assistant, with results from the last thirty days.

import type { Schemas } from "../api/request.ts";
import { today } from "../url/day-range.ts";

interface SampleTask {
  readonly title: string;
  readonly prompt: string;
}

interface SampleTopic {
  readonly title: string;
  readonly tasks: readonly SampleTask[];
  /** Pass rate before the last week, and pass rate in the last week. */
  readonly rates: readonly [number, number];
}

export const topics: readonly SampleTopic[] = [
  {
    title: "Opening an account",
    rates: [0.93, 0.95],
    tasks: [
      { title: "Documents that are needed", prompt: "Which documents do I need to open an account?" },
      { title: "Account for a child", prompt: "Can I open an account for my daughter, who is twelve?" },
    ],
  },
  {
    title: "Cards",
    rates: [0.86, 0.66],
    tasks: [
      { title: "Lost card", prompt: "I lost my card. What do I do?" },
      { title: "Payment refused abroad", prompt: "Why was my card refused in Norway?" },
    ],
  },
  {
    title: "Transfers",
    rates: [0.78, 0.79],
    tasks: [
      { title: "Fees abroad", prompt: "What does a transfer to Switzerland cost?" },
      { title: "Recall of a transfer", prompt: "I sent money to the wrong account. Can I get it back?" },
    ],
  },
];

export const definitions = [
  {
    name: "Answers the question",
    type: "CUSTOM",
    globalConfig: { criterion: "The answer says what was asked for, and nothing that contradicts it." },
  },
  { name: "Reads naturally", type: "NATURALNESS" },
] as const satisfies readonly Schemas["CreateDefinitionRequest"][];

const days = 30;
const week = 7;
const testsADay = 2;
const dayMs = 86_400_000;
/** Interval between tests. Also the newest test's age, because clocks differ and the API refuses future times. */
const apartMs = 600_000;

/** Generates uniform random numbers from 0 to 1, the same sequence each time (Park–Miller generator). */
function* numbers(): Generator<number, never> {
  for (let state = 20_261; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

/** Returns now for today. For an earlier day, returns noon in the viewer's zone, so that tests stay within the day. */
function noonOrNow(now: Date, daysAgo: number): number {
  if (daysAgo === 0) return now.getTime();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, 12).getTime();
}

/** Builds one run per week, oldest first. `taskIds` contains the task ids of each topic, in the order of `topics`. */
export function buildRuns(
  taskIds: readonly (readonly string[])[],
  definitionIds: readonly string[],
  now = new Date(),
): Schemas["RecordResultsRequest"][] {
  const random = numbers();
  const [criterionId = "", naturalnessId = ""] = definitionIds;
  const buildTest = (taskId: string, rate: number, createdAt: string): Schemas["NewTest"] => {
    const passed = random.next().value < rate;
    const naturalness = Math.round((3.6 + random.next().value * 1.3) * 10) / 10;
    return {
      taskId,
      createdAt,
      passed,
      score: passed ? 1 : 0,
      durationMs: Math.round(800 + random.next().value * 1_400),
      evaluations: [
        { definitionId: criterionId, passed, score: passed ? 1 : 0 },
        { definitionId: naturalnessId, passed: true, score: naturalness },
      ],
    };
  };
  const listTestsOfDay = (daysAgo: number) =>
    taskIds.flatMap((ids, at) =>
      ids.flatMap((id) =>
        Array.from({ length: testsADay }, (_, of) => {
          const [before, lastWeek] = topics[at]?.rates ?? [1, 1];
          const createdAt = new Date(noonOrNow(now, daysAgo) - (of + 1) * apartMs).toISOString();
          return buildTest(id, daysAgo < week ? lastWeek : before, createdAt);
        }),
      ),
    );
  const ago = Array.from({ length: days }, (_, at) => days - 1 - at);
  return Array.from({ length: Math.ceil(days / week) }, (_, at) => {
    const daysOfRun = ago.slice(at * week, (at + 1) * week);
    const first = today(new Date(now.getTime() - (daysOfRun[0] ?? 0) * dayMs));
    return {
      run: { type: "SCHEDULED", title: `Sample results from ${first} on` },
      tests: daysOfRun.flatMap(listTestsOfDay),
    };
  });
}

/** Builds the events of a conversation as an application would send them. */
export function buildTrace(traceId: string, now = new Date()): Schemas["IngestEventsRequest"] {
  const at = (ms: number) => new Date(now.getTime() - apartMs + ms).toISOString();
  const question = topics[2]?.tasks[0]?.prompt ?? "";
  const fees = "A transfer in francs costs 9.50 euros; one in euros costs nothing.";
  const answer = "In francs it costs 9.50 euros. A transfer in euros is free.";
  const model = { type: "llm", modelId: "sample-model", traceId } as const;
  return {
    events: [
      { type: "request", traceId, timestamp: at(0), content: question },
      { type: "retriever", traceId, timestamp: at(40), durationMs: 120, name: "fees", query: question, result: fees },
      { ...model, event: "start", timestamp: at(170), input: `${question}\n\n${fees}` },
      {
        ...model,
        event: "end",
        timestamp: at(1_310),
        durationMs: 1_140,
        output: answer,
        usage: { promptTokens: 61, completionTokens: 18 },
        costAmount: 0.0004,
        finishReason: "stop",
      },
      { type: "response", traceId, timestamp: at(1_320), content: answer },
    ],
  };
}
