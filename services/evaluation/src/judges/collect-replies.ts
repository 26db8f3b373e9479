// Makes the calls of a judge: one per vote.

import { createHash } from "node:crypto";
import { type Block, formatMessage } from "./blocks.ts";
import type { AnswerSchema, JudgeDeps, ModelCaller, ModelRequest } from "./judge.ts";
import { requestReply } from "./request-reply.ts";

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

/**
 * Makes a call for each vote without a stored reply. If one vote fails permanently, all fail, because fewer votes would
 * measure something else.
 */
export async function collectReplies<T, R>(
  question: Question<T, R>,
  model: ModelCaller,
  { random, signal, stored }: Pick<JudgeDeps, "random" | "signal" | "stored">,
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
    const key = `${hash} ${request.temperature} ${vote}`;
    const reply = await requestReply(request, { model, accept: question.accept, stored, key });
    if (!reply.ok) return reply;
    replies.push(reply.value);
  }
  return { ok: true, replies };
}

const toHash = (request: unknown) => createHash("sha256").update(JSON.stringify(request)).digest("base64url");
