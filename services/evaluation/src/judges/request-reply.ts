// Makes a call and, if its answer cannot be used, one more with a repair prompt. Other faults are not repaired: a retry
// later may mend those of the connection, and none mends a refused, filtered or cut answer.

import {
  faultCodes,
  type ModelCaller,
  ModelFault,
  type ModelRequest,
  type RepairableKind,
  type ReplyStore,
  repairableReasons,
  type StoredReply,
} from "./judge.ts";

interface ReplyOptions<T, R> {
  readonly model: ModelCaller;
  /** Returns the part of an answer with valid evidence; undefined if evidence is required and none is valid. */
  readonly accept: (answer: T) => R | undefined;
  /** Replies of earlier attempts; undefined if there is only one attempt. */
  readonly stored?: ReplyStore | undefined;
  /** Key of the reply in `stored`. */
  readonly key: string;
}

export type Reply<R> =
  | { readonly ok: true; readonly value: R }
  /** The code of the failure, and its reason. */
  | { readonly ok: false; readonly message: string };

const unreadable =
  "Your last answer could not be read: answer with one JSON object of the given schema, and nothing else.";

const repairs: Readonly<Record<Fault["kind"], string>> = {
  empty: unreadable,
  not_json: unreadable,
  schema: unreadable,
  evidence_missing:
    "The quotes of your last answer are not in the data: copy each quote literally, character by character, from the block that it is taken from.",
};

interface Fault {
  readonly kind: RepairableKind | "evidence_missing";
  /** Reason of the fault; undefined for a stored reply. */
  readonly reason?: string | undefined;
}

const reasons: Readonly<Record<Fault["kind"], string>> = {
  ...repairableReasons,
  evidence_missing: "The model quoted text that is not in the data",
};

const structured =
  "Use a model or server with structured output; a test of the model connection shows whether it works";

const advice: Readonly<Record<Fault["kind"], string>> = {
  empty: structured,
  not_json: structured,
  schema: structured,
  evidence_missing: "Use a more capable model",
};

/** Returns the accepted answer, or why there is none. Throws the ModelFaults that the connection causes. */
export async function requestReply<T, R>(request: ModelRequest<T>, options: ReplyOptions<T, R>): Promise<Reply<R>> {
  try {
    const first = await attempt(request, options, options.key);
    if ("value" in first) return { ok: true, value: first.value };
    const prompt = `${request.prompt}\n\n${repairs[first.kind]}`;
    const second = await attempt({ ...request, prompt }, options, `${options.key} ${repairKey(first.kind)}`);
    return "value" in second ? { ok: true, value: second.value } : { ok: false, message: toMessage(second) };
  } catch (error) {
    if (error instanceof ModelFault && error.isOfAnswer) return { ok: false, message: error.failure };
    throw error;
  }
}

/** Stored replies of earlier versions have these keys. */
const repairKey = (kind: Fault["kind"]) => (kind === "evidence_missing" ? kind : "invalid_answer");

function toMessage({ kind, reason = reasons[kind] }: Fault): string {
  const code = kind === "evidence_missing" ? kind : faultCodes[kind];
  return `${code}: ${reason}, also after one repair request. ${advice[kind]}`;
}

async function attempt<T, R>(
  request: ModelRequest<T>,
  { model, accept, stored }: ReplyOptions<T, R>,
  key: string,
): Promise<{ readonly value: R } | Fault> {
  let reply = stored?.find(key);
  let reason: string | undefined;
  if (reply === undefined) {
    const got = await getReply(model, request);
    ({ reply, reason } = got);
    stored?.keep(key, reply);
  }
  if ("isInvalid" in reply) return { kind: reply.kind ?? "schema", reason };
  // Safe cast: the value was returned by the schema's parser, and the key identifies the schema.
  const value = accept(reply.answer as T);
  return value === undefined ? { kind: "evidence_missing" } : { value };
}

async function getReply<T>(
  model: ModelCaller,
  request: ModelRequest<T>,
): Promise<{ readonly reply: StoredReply; readonly reason?: string }> {
  try {
    const { object } = await model.generate(request);
    return { reply: { answer: object } };
  } catch (error) {
    if (!(error instanceof ModelFault) || !isRepairable(error.kind)) throw error;
    return { reply: { isInvalid: true, kind: error.kind }, reason: error.message };
  }
}

const isRepairable = (kind: ModelFault["kind"]): kind is RepairableKind => Object.hasOwn(repairableReasons, kind);
