// Notes on unreliable judges in the summary of a comparison.

import type { DefinitionCalibration } from "@ems/proto/catalog/v1/eval_definition";

type Calibration = DefinitionCalibration | undefined;

export function judgeNote(calibration: Calibration): string | undefined {
  if (calibration?.reliable !== false) return undefined;
  return `Unreliable judge: its kappa with people is ${calibration.kappa?.toFixed(2)}.`;
}

export function judgesNote(calibrations: readonly Calibration[]): string | undefined {
  const count = calibrations.filter((calibration) => calibration?.reliable === false).length;
  if (count === 0) return undefined;
  return `Unreliable judges: ${count} of ${calibrations.length} definitions.`;
}
