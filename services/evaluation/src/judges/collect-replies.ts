// Makes the calls of a judge: one per vote, and one to repair an unusable answer.

import { createHash } from "node:crypto";
import { type Block, formatMessage } from "./blocks.ts";
import {
  type AnswerSchema,
  type JudgeDeps,
  type ModelCaller,
  ModelFault,
  type ModelRequest,
  type ReplyStore,
  type StoredReply,
} from "./judge.ts";

export interface Question<T, R> {
  /** Instructions of the judge, which do not depend on the judged data. */
  readonly system: string;
  readonly blocks: readonly Block[];
  readonly schema: AnswerSchema<T>;
  readonly votes: number;
  /** Returns the part of an answer with valid evidence; undefined if evidence is required and none is valid. */
  readonly accept: (answer: T) => R | undefined;
}

export type Replies<R> =
  | { readonly ok: true; readonly replies: readonly R[] }
  | { readonly ok: false; readonly message: string };

/** Limits the cost of a call. Lists of the claims in long answers need thousands of tokens. */
const outputTokensMax = 8_192;
/** Temperature of several votes, which differ by seed. A single vote is as repeatable as the provider allows. */
const voteTemperature = 0.7;

const repairs = {
  invalid_answer:
    "Your last answer could not be read: answer with one JSON object of the given schema, and nothing else.",
  evidence_missing:
    "The quotes of your last answer are not in the data: copy each quote literally, character by character, from the block that it is taken from.",
} as const;

type Fault = keyof typeof repairs;

const messages: Readonly<Record<Fault, string>> = {
  invalid_answer: "invalid_answer: The model's answer broke the schema, also after one repair request",
  evidence_missing: "evidence_missing: The model quoted text that is not in the data, also after one repair request",
};

/**
 * Makes a call for each vote without a stored reply. If one vote fails permanently, all fail, because fewer votes would
 * measure something else.
 */
export async function collectReplies<T, R>(
  question: Question<T, R>,
  model: ModelCaller,
  { random, signal, stored = noReplies }: Pick<JudgeDeps, "random" | "signal" | "stored">,
): Promise<Replies<R>> {
  const { system, blocks, schema, votes } = question;
  const hash = toHash([system, blocks, schema.name, schema.json, outputTokensMax]);
  const replies: R[] = [];
  for (let vote = 1; vote <= votes; vote++) {
    const request: ModelRequest<T> = {
      system,
      prompt: formatMessage(blocks, random),
      schema,
      temperature: votes === 1 ? 0 : voteTemperature,
      seed: vote,
      maxOutputTokens: outputTokensMax,
      signal,
    };
    try {
      const key = `${hash} ${request.temperature} ${vote}`;
      let reply = await attempt(question, model, request, { stored, key });
      if ("fault" in reply) {
        const prompt = `${request.prompt}\n\n${repairs[reply.fault]}`;
        reply = await attempt(question, model, { ...request, prompt }, { stored, key: `${key} ${reply.fault}` });
      }
      if ("fault" in reply) return { ok: false, message: messages[reply.fault] };
      replies.push(reply.value);
    } catch (error) {
      if (!(error instanceof ModelFault) || error.kind !== "refused") throw error;
      return { ok: false, message: `model_refused: ${error.message}` };
    }
  }
  return { ok: true, replies };
}

interface Keeping {
  readonly stored: ReplyStore;
  readonly key: string;
}

async function attempt<T, R>(
  { accept }: Question<T, R>,
  model: ModelCaller,
  request: ModelRequest<T>,
  { stored, key }: Keeping,
): Promise<{ readonly value: R } | { readonly fault: Fault }> {
  let reply = stored.find(key);
  if (reply === undefined) {
    reply = await getReply(model, request);
    stored.keep(key, reply);
  }
  if ("isInvalid" in reply) return { fault: "invalid_answer" };
  // Safe cast: the value was returned by the schema's parser, and the key identifies the schema.
  const value = accept(reply.answer as T);
  return value === undefined ? { fault: "evidence_missing" } : { value };
}

async function getReply<T>(model: ModelCaller, request: ModelRequest<T>): Promise<StoredReply> {
  try {
    const { object } = await model.generate(request);
    return { answer: object };
  } catch (error) {
    if (error instanceof ModelFault && error.kind === "invalid") return { isInvalid: true };
    throw error;
  }
}

const noReplies: ReplyStore = { find: () => undefined, keep: () => undefined };

const toHash = (request: unknown) => createHash("sha256").update(JSON.stringify(request)).digest("base64url");
