import { histogram } from "@ems/kit/telemetry/metrics";

/** From the record of an outcome to its acknowledgement. */
export const observeReport = histogram({
  name: "ems_prompt_outcome_report_duration_seconds",
  help: "How long outcomes of prompts waited from their record until experiments knew them.",
  labels: [],
});
