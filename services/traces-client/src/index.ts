export { questionOf, truncateMiddle } from "./judged-texts.ts";
export { Redactors } from "./redactors.ts";
export { endUserKey, traceIdOf, traceUuid } from "./trace-id.ts";
