export {
  type Acquired,
  type CallReservation,
  type ConnectionLimits,
  ModelLimits,
  minuteMs,
  startWithinMs,
} from "./model-limits.ts";
