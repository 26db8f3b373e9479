import type { DescMethod, Message } from "@bufbuild/protobuf";
import { tooLarge } from "@ems/kit/errors";
import { requestCost } from "@ems/kit/limits/request-cost";

/**
 * Rejects a request with too many rows before creating any, because a small compressed body can contain very many. `more` is the
 * number of rows that are neither traces nor steps.
 */
export function checkRows(method: DescMethod, request: Message, max: number, more = 0): void {
  if (requestCost(method, request) + more > max) throw tooLarge(`A request can create at most ${max} traces and steps`);
}
