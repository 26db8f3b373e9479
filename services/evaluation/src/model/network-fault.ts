import { ModelFault } from "../judges/index.ts";

/** The fault of a call that got no answer. */
export const unreached = (error: unknown): ModelFault => new ModelFault("retryable", text(error));

const causesMax = 10;

/** The error, its cause, and so on. */
export function causes(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let at = error; at !== undefined && all.length < causesMax; at = at instanceof Error ? at.cause : undefined) {
    all.push(at);
  }
  return all;
}

const text = (error: unknown) => `The provider is not reached (${networkCode(error)})`;

/** Such as ECONNREFUSED, or a certificate's fault. */
function networkCode(error: unknown): string {
  const codes = causes(error).flatMap((cause) =>
    cause instanceof Error && "code" in cause ? [String(cause.code)] : [],
  );
  return codes.at(-1) ?? "the connection failed";
}
