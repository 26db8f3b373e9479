import type { JsMsg, Msg } from "nats";
import type { Message } from "../message.ts";

export function toMessage({ subject, headers, data }: Msg | JsMsg): Message {
  const values = Object.fromEntries((headers?.keys() ?? []).map((name) => [name, headers?.values(name) ?? []]));
  return { subject, headers: values, payload: data };
}
