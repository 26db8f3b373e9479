export { type Acquired, type CallReservation, ModelLimits, minuteMs, startWithinMs } from "./model-limits.ts";
