// The hostile messages that a run sends, and how to repeat a failing run.

import { randomInt } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeOfReason, findErrorInfo } from "@ems/kit/error-reasons";
import type { Hostile } from "./hostile-messages.ts";

/** Codes of errors that the caller caused. */
const expected: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.AlreadyExists,
  Code.FailedPrecondition,
  Code.ResourceExhausted,
]);
const concurrency = 8;
/** Messages per RPC: `HOSTILE_SAMPLES=100000` sends all of them. */
const samplesMax = Number(process.env.HOSTILE_SAMPLES ?? 5);
/** Random in each run. */
const seed = Number(process.env.HOSTILE_SEED ?? randomInt(2 ** 31));

/** Environment variables that repeat the sample; part of every failure. */
export const repeatBy = `HOSTILE_SEED=${seed} HOSTILE_SAMPLES=${samplesMax}`;

type Send = (message: Message) => Promise<unknown>;

/** Sends a sample, and returns the failures that are not the caller's mistake, each with its field and value. */
export async function hostileFailures(
  messages: Iterable<Hostile>,
  send: Send,
  more: readonly Code[] = [],
): Promise<string[]> {
  const failures: string[] = [];
  const all: Hostile[] = [];
  for (const message of messages) {
    all.push(message);
    // A client that answers no ping for long loses its connection.
    if (all.length % 50 === 0) await setImmediate();
  }
  const pending = sample(all);
  const work = async () => {
    for (let message = pending.pop(); message !== undefined; message = pending.pop()) {
      const failure = await findFailure(message, send, more);
      if (failure !== undefined) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return failures;
}

function sample(all: readonly Hostile[]): Hostile[] {
  const stride = Math.ceil(all.length / samplesMax);
  return all.filter((_, index) => index % stride === seed % stride);
}

async function findFailure({ name, message }: Hostile, send: Send, more: readonly Code[]): Promise<string | undefined> {
  try {
    await send(message);
    return undefined;
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const reason = findErrorInfo(error)?.reason ?? "";
    const isExpected = expected.has(error.code) && Object.hasOwn(codeOfReason, reason);
    return isExpected || more.includes(error.code)
      ? undefined
      : `${name}: ${Code[error.code]} ${reason} ${error.rawMessage}`;
  }
}
