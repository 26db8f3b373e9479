export { consumeEvents, type HandleEvents, inbox } from "./inbox.ts";
