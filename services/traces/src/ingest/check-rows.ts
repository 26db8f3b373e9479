import type { DescMethod, Message } from "@bufbuild/protobuf";
import { tooLarge } from "@ems/kit/errors";
import { requestCost } from "@ems/kit/limits/request-cost";

/** Rejects a request of too many rows before any is made: a small compressed body can hold very many. */
export function checkRows(method: DescMethod, request: Message, max: number): void {
  if (requestCost(method, request) > max) throw tooLarge(`A request makes at most ${max} traces and steps`);
}
