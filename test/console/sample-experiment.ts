// Sample experiment. The application's answers depend on its configuration: wrong if hot, truncated with few tokens.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { until } from "@ems/dev/until";
import { newId } from "@ems/kit/id";
import type { OpenedConsole } from "./open-console.ts";

type Call = OpenedConsole["call"];

export const taskCount = 24;
const limitMs = 60_000;

/** Starts the webhook of an application whose step has the external id. It answers immediately unless held. */
export async function answeringApplication(externalId: string) {
  let held = Promise.resolve();
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Delivery;
    await held;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answerTo(body, externalId)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    /** Delays all answers until the returned function is called. */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Delivery {
  readonly prompt?: unknown;
  readonly experiment?: { readonly overrides: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}

function answerTo({ prompt, experiment }: Delivery, externalId: string): Answer {
  const { temperature = 1, maxTokens = 500 } = experiment?.overrides[externalId] ?? {};
  const number = Number(/\d+/.exec(JSON.stringify(prompt ?? ""))?.[0] ?? 0);
  const [isHot, isShort] = [Number(temperature) > 0.5, Number(maxTokens) < 100];
  // If hot, 8 of the 24 prices are wrong; if cold, 2. If short, 6 answers lack the thanks, but 3 of the 8 are right.
  const isWrong = isHot ? number % 9 < 3 && !(isShort && number % 3 === 2) : number % 9 === 0;
  const thanks = isShort && number % 4 === 0 ? "" : " Thank you for asking, and come back any time.";
  const usage = { promptTokens: 90 + (number % 7), completionTokens: isShort ? 12 : 40 + (number % 5) };
  return { output: `It costs ${isWrong ? 13 : 12} euros.${thanks}`, usage };
}

interface Answer {
  readonly output: string;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
}

export interface SampleExperiment {
  readonly id: string;
  /** External id of the experiment's inference step. */
  readonly externalId: string;
}

/** Creates an experiment without variants. Definitions check the price and the thanks in answers. */
export async function sampleExperiment(call: Call, externalId: string, title: string): Promise<SampleExperiment> {
  const made = async (path: string, body: unknown) => ((await call("POST", path, body)).data as { id: string }).id;
  const topicId = await made("/v0/topics", { title: `Prices: ${title}` });
  const taskIds: string[] = [];
  for (let number = 1; number <= taskCount; number++) {
    const body = { title: `Price of product ${number}`, description: "What does it cost?", topicId, type: "STATIC" };
    const { task } = await call("POST", "/v0/tasks", { ...body, inputExamples: [`What does product ${number} cost?`] });
    taskIds.push((task as { id: string }).id);
  }
  const judged = { "Names the price": ["\\d+ euros", "12 euros"], "Says thank you": ["Thank you", "Thank you"] };
  for (const [name, [pattern, expected]] of Object.entries(judged)) {
    const globalConfig = { type: "string", extract: { pattern, flags: "", group: 0 } };
    const definition = await made("/v0/definitions", { type: "OUTPUT_MATCH", name, globalConfig });
    await call("POST", "/v0/definitions/link", { evalIds: [definition], taskIds, config: { expected } });
  }
  const step = await made("/v0/inference-steps", { title: "Answer", type: "LLM", externalId });
  const id = await made("/v0/experiments", { title, inferenceStepIds: [step], taskIds });
  return { id, externalId };
}

/** Unlinks the sample data's definitions, because they need a model. Returns a function that links them. */
export async function unlinkModels(call: Call): Promise<() => Promise<void>> {
  const { data } = await call("GET", "/v0/definitions?scopeType=application&limit=100");
  const evalIds = (data as { id: string }[]).map(({ id }) => id);
  if (evalIds.length === 0) return async () => undefined;
  await call("POST", "/v0/definitions/unlink-application", { evalIds });
  return async () => void (await call("POST", "/v0/definitions/link-application", { evalIds }));
}

/** Creates an experiment with finished variants, one better and one inconclusive, and one not started. */
export async function completedExperiment(call: Call) {
  const externalId = `answer-${newId().slice(-4)}`;
  const application = await answeringApplication(externalId);
  await call("POST", "/v0/webhook", { url: application.url });
  const relink = await unlinkModels(call);
  const { id } = await sampleExperiment(call, externalId, "Fewer wrong prices");
  const path = `/v0/experiments/${id}/variants`;
  const add = async (title: string, parameters: object) => {
    const { data } = await call("POST", path, { title, configPatch: { [externalId]: parameters } });
    return (data as { id: string }).id;
  };
  const run = async (variantId: string) => {
    const { data } = await call("POST", `${path}/${variantId}/run`, {});
    const isCompleted = async () => {
      const { data: variant } = await call("GET", `${path}/${variantId}`);
      return (variant as { status: string }).status === "COMPLETED";
    };
    if (!(await until(isCompleted, limitMs))) throw new Error("The variant's run did not finish in time");
    return (data as { runId: string }).runId;
  };
  const prompt = "You work for a bank. Answer in one sentence, name the price, and say thank you.";
  const baseline = await run(await add("Baseline", { model: "assistant-4", prompt, temperature: 1, maxTokens: 500 }));
  const cold = await add("Colder", { temperature: 0 });
  const colder = await run(cold);
  await call("POST", `${path}/${cold}/promote`);
  await run(await add("Shorter", { maxTokens: 50 }));
  await add("Warmer words", { prompt: "You work for a bank. Answer warmly, name the price, and say thank you." });
  await relink();
  application.close();
  return { id, baseline, colder };
}
