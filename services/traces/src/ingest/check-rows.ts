import type { DescMethod, Message } from "@bufbuild/protobuf";
import { tooLarge } from "@ems/kit/errors";
import { requestCost } from "@ems/kit/limits/request-cost";

/** Rejects a request with too many rows before creating any, because a small compressed body can contain very many. */
export function checkRows(method: DescMethod, request: Message, max: number): void {
  if (requestCost(method, request) > max) throw tooLarge(`A request can create at most ${max} traces and steps`);
}
