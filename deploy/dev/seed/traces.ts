// Sample traces as the assistant would report them: a question, a search for passages, and a model's answer.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { toValue } from "@ems/kit/json/free-value";
import { type IngestEventSchema, IngestService } from "@ems/proto/experiments/v1/ingest_service";
import * as bank from "./bank.ts";
import type { Plan } from "./plan.ts";

/** Maximum number of events sent per call. */
const eventsMax = 100;
/** Prices in US dollars per input token and per output token. */
const [inputPrice, outputPrice] = [0.15 / 1e6, 0.6 / 1e6];

export type TraceEvent = MessageInitShape<typeof IngestEventSchema>;

/** Creates traces that belong to no test, spread over the whole year. */
export async function fillTraces(plan: Plan): Promise<void> {
  const { random, clock, size, nextHour } = plan;
  const live = () => {
    nextHour();
    const topic = random.pick(bank.topics);
    return buildTrace(plan, {
      topic,
      question: random.pick(topic.questions),
      answer: topic.document.en,
      startedAt: clock.now(),
    });
  };
  for (let stored = 0; stored < size.traces; stored += eventsMax) {
    const events = Array.from({ length: Math.min(eventsMax, size.traces - stored) }, live);
    await storeTraces(plan, events);
    plan.step(`${stored + events.length} of ${size.traces} traces`);
  }
}

export async function storeTraces({ caller }: Plan, events: readonly TraceEvent[]): Promise<void> {
  const ingest = caller.client(IngestService);
  for (let at = 0; at < events.length; at += eventsMax) {
    const { data } = await ingest.ingestEvents({ events: events.slice(at, at + eventsMax) }, caller.options);
    const refused = data.find(({ success }) => !success);
    if (refused !== undefined) throw new Error(`a trace was refused: ${refused.error}`);
  }
}

export interface Conversation {
  readonly topic: bank.SeedTopic;
  readonly question: string;
  readonly answer: string;
  readonly startedAt: Date;
  readonly testId?: string;
}

export function buildTrace({ random, newId }: Plan, conversation: Conversation): TraceEvent {
  const { topic, question, answer, startedAt, testId } = conversation;
  const [searchMs, answerMs] = [random.int(20, 180), random.int(400, 2_500)];
  const after = (ms: number) => timestampFromDate(new Date(startedAt.getTime() + ms));
  const [input, output] = [random.int(180, 900), random.int(20, 250)];
  const system = `Answer as the bank's assistant, from these passages only:\n\n${topic.document.en}`;
  const steps = [
    {
      type: "retriever",
      name: "Search the knowledge base",
      timestamp: after(5),
      durationMs: searchMs,
      input: toValue(question),
      output: toValue([{ title: topic.document.title, content: topic.document.en }]),
    },
    {
      type: "llm",
      event: "end",
      name: "Write the answer",
      timestamp: after(5 + searchMs),
      durationMs: answerMs,
      modelId: "gpt-4o-mini",
      tokens: { input: BigInt(input), output: BigInt(output) },
      costAmount: input * inputPrice + output * outputPrice,
      input: toValue([
        { role: "system", content: system },
        { role: "user", content: question },
      ]),
      output: toValue([{ role: "assistant", content: answer }]),
    },
  ];
  const durationMs = 10 + searchMs + answerMs;
  return {
    type: "trace",
    traceId: newId(),
    ...(testId !== undefined && { testId }),
    timestamp: after(0),
    metadata: toValue({ channel: random.pick(["web", "app", "phone"]) }),
    steps: [
      {
        type: "request",
        name: "question",
        timestamp: after(0),
        durationMs,
        steps,
        input: toValue(question),
        output: toValue(answer),
      },
    ],
  };
}
