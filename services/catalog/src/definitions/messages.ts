import { buildMessage } from "@ems/kit/message";
import {
  DefinitionCalibrationSchema,
  EvalDefinitionSchema,
  PassingScaleSchema,
  TaskEvalDefinitionSchema,
  TopicEvalDefinitionSchema,
} from "@ems/proto/catalog/v1/eval_definition";
import type { Application } from "@ems/proto/identity/v1/application_service";
import { getPassingScale } from "@ems/proto/scales";
import type { EvalDefinitionRow } from "./entity.ts";
import { globalConfig } from "./global-config.ts";
import { type Expectation, linkConfig } from "./link-config.ts";

/** A definition with its links. */
export type LinkedDefinition = EvalDefinitionRow & {
  /** True if the definition is linked to its application. */
  readonly isLinked: boolean;
  /** Ids of the topics that the definition is linked to. */
  readonly topics: string[];
  /** Last calculated agreement of the definition's judge with people; null until the first calculation. */
  readonly calibration: CalibrationJson | null;
};

/** A calibration as JSON from PostgreSQL, with the time as text. */
export interface CalibrationJson {
  readonly kappa: number | null;
  readonly sensitivity: number | null;
  readonly specificity: number | null;
  readonly humanPassed: number;
  readonly humanFailed: number;
  readonly undecided: number;
  readonly definitionVersion: number | null;
  readonly judgeVersion: string | null;
  readonly model: string | null;
  readonly calculatedAt: string;
  readonly reliable: boolean | null;
}

/** A definition that a topic or task is linked to, with the link's settings. */
export interface DefinitionLink extends Expectation {
  readonly definition: LinkedDefinition;
}

/** Builds the message of a definition; includes `application`, its own, only if the definition is linked to it. */
export function evalDefinition(row: LinkedDefinition, application?: Application) {
  const config = globalConfig(row);
  const scale = getPassingScale(row.type, config);
  return buildMessage(EvalDefinitionSchema, {
    ...row,
    globalConfig: config ?? null,
    scale: scale === undefined ? null : buildMessage(PassingScaleSchema, scale),
    application: row.isLinked ? application : undefined,
    calibration: row.calibration && calibrationMessage(row, row.calibration),
  });
}

/** Builds the message of a calibration. `reliable` is null if the calibration is of an older definition version. */
function calibrationMessage({ version }: EvalDefinitionRow, { calculatedAt, ...measures }: CalibrationJson) {
  const reliable = (measures.definitionVersion ?? version) === version ? measures.reliable : null;
  return buildMessage(DefinitionCalibrationSchema, { ...measures, reliable, calculatedAt: new Date(calculatedAt) });
}

export function topicEvalDefinition(topicId: string, link: DefinitionLink, application?: Application) {
  return buildMessage(TopicEvalDefinitionSchema, { topicId, ...linked(link, application) });
}

export function taskEvalDefinition(link: DefinitionLink, application?: Application) {
  return buildMessage(TaskEvalDefinitionSchema, linked(link, application));
}

function linked({ definition, ...expectation }: DefinitionLink, application?: Application) {
  return { evalDefinition: evalDefinition(definition, application), config: linkConfig(expectation) ?? null };
}
