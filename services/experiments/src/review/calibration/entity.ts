import { double, integer, nullable, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";

/** Last calculated agreement of a definition's judge with people. */
export const JudgeCalibrationEntity = table(
  "experiments.judge_calibration",
  {
    applicationId: uuid,
    definitionId: uuid,
    orgId: text,
    /** Number of changes to the data of the calibration, and that number at the last calculation. */
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
    /** Null until the first calculation. */
    calculatedAt: nullable(timestamp),
  },
  {
    primaryKey: ["applicationId", "definitionId"],
    indices: [
      { name: "judge_calibration_due", columns: ["applicationId", "definitionId"], where: "marks > measured_marks" },
    ],
  },
);
