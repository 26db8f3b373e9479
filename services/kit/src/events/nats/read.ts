import type { JsMsg, Msg } from "nats";
import type { Message } from "../message.ts";

/** A message of NATS in our words. */
export function messageOf({ subject, headers, data }: Msg | JsMsg): Message {
  const values = Object.fromEntries((headers?.keys() ?? []).map((name) => [name, headers?.values(name) ?? []]));
  return { subject, headers: values, payload: data };
}
