import { buildMessage } from "@ems/kit/message";
import {
  DefinitionCalibrationSchema,
  EvalDefinitionSchema,
  TaskEvalDefinitionSchema,
  TopicEvalDefinitionSchema,
} from "@ems/proto/catalog/v1/eval_definition";
import type { Application } from "@ems/proto/identity/v1/application_service";
import type { EvalDefinitionRow } from "./entity.ts";
import { globalConfig } from "./global-config.ts";
import { type Expectation, linkConfig } from "./link-config.ts";

/** A definition with its links. */
export type LinkedDefinition = EvalDefinitionRow & {
  /** True if it is linked to its application. */
  readonly isLinked: boolean;
  /** Ids of the topics that it is linked to. */
  readonly topics: string[];
  /** Last calculated agreement of its judge with people; null until it is calculated. */
  readonly calibration: CalibrationJson | null;
};

/** A calibration as PostgreSQL's JSON, with the time as text. */
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

/** A topic's or a task's link to a definition. */
export interface DefinitionLink extends Expectation {
  readonly definition: LinkedDefinition;
}

/** `application` is the definition's own, returned if they are linked. */
export function evalDefinition(row: LinkedDefinition, application?: Application) {
  return buildMessage(EvalDefinitionSchema, {
    ...row,
    globalConfig: globalConfig(row) ?? null,
    application: row.isLinked ? application : undefined,
    calibration: row.calibration && calibrationMessage(row, row.calibration),
  });
}

/** A calibration of an older version has no `reliable`: it does not apply to the current version. */
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
