import { ModelFault } from "../judges/index.ts";

/** Returns the fault of a call that was not answered. */
export const unreached = (error: unknown): ModelFault => new ModelFault("unavailable", text(error));

const causesMax = 10;

/** Lists an error and its chain of causes. */
export function causes(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let at = error; at !== undefined && all.length < causesMax; at = at instanceof Error ? at.cause : undefined) {
    all.push(at);
  }
  return all;
}

const text = (error: unknown) => `The provider cannot be reached (${networkCode(error)})`;

/** Returns the code of a network error, such as ECONNREFUSED or that of a certificate error. */
function networkCode(error: unknown): string {
  const codes = causes(error).flatMap((cause) =>
    cause instanceof Error && "code" in cause ? [String(cause.code)] : [],
  );
  return codes.at(-1) ?? "the connection failed";
}
