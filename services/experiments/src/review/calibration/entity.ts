import { double, integer, nullable, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";

/** How far a definition's judge agreed with people when that was last calculated. */
export const JudgeCalibrationEntity = table(
  "experiments.judge_calibration",
  {
    applicationId: uuid,
    definitionId: uuid,
    orgId: text,
    /** How often something changed that it is calculated from, and as of which of these times it was. */
    marks: withDefault(integer, 1),
    measuredMarks: withDefault(integer, 0),
    definitionVersion: nullable(integer),
    judgeVersion: nullable(text),
    model: nullable(text),
    humanPassed: withDefault(integer, 0),
    humanFailed: withDefault(integer, 0),
    undecided: withDefault(integer, 0),
    sensitivity: nullable(double),
    specificity: nullable(double),
    kappa: nullable(double),
    /** Null until it was calculated. */
    calculatedAt: nullable(timestamp),
  },
  {
    primaryKey: ["applicationId", "definitionId"],
    indices: [
      { name: "judge_calibration_due", columns: ["applicationId", "definitionId"], where: "marks > measured_marks" },
    ],
  },
);
