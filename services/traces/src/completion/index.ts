export { claimCompletedTraces, completionQueue } from "./claim-completed-traces.ts";
export { type ArrivalSource, Completion, type TraceArrival } from "./completion.ts";
export { confirmCompletedTraces } from "./confirm-completed-traces.ts";
export { SampleRates } from "./sample-rates.ts";
