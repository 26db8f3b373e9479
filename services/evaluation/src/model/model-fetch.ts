// HTTP to model providers, with the rules of `@ems/kit/hosts`.

import { type CheckedAnswer, type CheckedHttpOptions, createCheckedHttp } from "@ems/kit/hosts";
import { sizeText } from "@ems/proto/limits";
import { ModelFault, type Transmission } from "../judges/index.ts";
import { trackBody } from "./track-body.ts";

export type ModelFetchOptions = Omit<CheckedHttpOptions, "answerBytesMax">;

/** Maximum number of bytes read from an answer. */
export const answerBytesMax = 1024 * 1024;

export interface ModelFetch {
  /** Returns the fetch for one call, which records in `transmission` whether its last request was sent and answered. */
  newFetch(transmission?: Transmission): typeof globalThis.fetch;
  close(): Promise<void>;
}

export function createModelFetch(options: ModelFetchOptions): ModelFetch {
  const http = createCheckedHttp({ ...options, answerBytesMax });
  return {
    newFetch: (transmission) => async (input, init) => {
      if (transmission !== undefined) Object.assign(transmission, { state: "unsent", answer: undefined });
      const url = String(input instanceof Request ? input.url : input);
      // Safe cast: the types of Node's fetch and of undici have the same fields and different names.
      const options = init as Parameters<typeof http.send>[1];
      const answer = await http.send(url, options, transmission && trackBody(transmission));
      if (!answer.ok) throw unreachable(answer.reason);
      const { status, body } = answer;
      if (answer.isRedirect)
        throw new ModelFault("rejected", "The provider redirects; redirects are not followed", { status });
      // Recorded before the answer is read, because the call must be paid for whatever the answer contains.
      if (transmission !== undefined && status >= 200 && status < 300)
        Object.assign(transmission, { state: "answered", answer: { textBytes: body.byteLength, usage: {} } });
      if (answer.isCut)
        throw new ModelFault("not_completion", `The provider's answer is larger than ${sizeText(answerBytesMax)}`, {
          status,
        });
      // A status such as 204 does not allow a body, not even an empty one.
      return new Response(body.byteLength === 0 ? null : body, { status, headers: { ...answer.headers } });
    },
    close: () => http.close(),
  };
}

function unreachable(reason: Extract<CheckedAnswer, { ok: false }>["reason"]): ModelFault {
  switch (reason) {
    case "not_public":
      return new ModelFault("rejected", "The base URL must be https and resolve to a public host");
    case "name_not_found":
      return new ModelFault("unavailable", "The base URL's name does not resolve");
    case "resolver":
      return new ModelFault("unavailable", "The name servers do not answer");
  }
}
