export { consumeEvents } from "./consume.ts";
export { type HandleEvents, inbox } from "./inbox.ts";
