export { toQuestion, truncateMiddle } from "./judged-texts.ts";
export { Redactors } from "./redactors.ts";
export { endUserKey, toTraceId, traceUuid } from "./trace-id.ts";
