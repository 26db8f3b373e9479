// Scales of scores: the range of each type of definition. Pure.

export interface Scale {
  readonly low: number;
  readonly high: number;
}

const fraction: Scale = { low: 0, high: 1 };
const fivePoints: Scale = { low: 1, high: 5 };
const fivePointTypes: readonly string[] = ["NATURALNESS", "STYLE"];

/** Returns the scale of a definition's type, given by its name; scores of tests, which have no type, are fractions. */
export const getScale = (type?: string): Scale =>
  type !== undefined && fivePointTypes.includes(type) ? fivePoints : fraction;

/** A scale with the lowest score that passes. */
export interface PassingScale extends Scale {
  readonly threshold: number;
}

/**
 * Lowest scores that pass, by type of definition; that of OUTPUT_MATCH is the default for lists. A test compares them with
 * those of the judges, whose versions depend on them.
 */
export const passingScores = { NATURALNESS: 3.5, STYLE: 3.5, RECALL: 0.5, FACT: 0.8, OUTPUT_MATCH: 0.8 } as const;

/** Returns the scale of a definition's scores; undefined if the definition has only a verdict. */
export function getPassingScale(
  type: string,
  config: { readonly type?: string | undefined; readonly passThreshold?: number | undefined } = {},
): PassingScale | undefined {
  if (!isScored(type) || (type === "OUTPUT_MATCH" && config.type !== "list")) return undefined;
  const { passThreshold = passingScores.OUTPUT_MATCH } = config;
  return { ...getScale(type), threshold: type === "OUTPUT_MATCH" ? passThreshold : passingScores[type] };
}

const isScored = (type: string): type is keyof typeof passingScores => Object.hasOwn(passingScores, type);

/** Returns true if the score, in millionths, is on the scale. */
export function isOnScale(scoreMicro: string | number, type?: string): boolean {
  const { low, high } = getScale(type);
  const micro = Number(scoreMicro);
  return micro >= low * 1e6 && micro <= high * 1e6;
}

/** Returns the score if it is on the scale, else null: means do not include other scores. */
export const keepOnScale = <Score extends string | number>(scoreMicro: Score | null, type?: string): Score | null =>
  scoreMicro !== null && isOnScale(scoreMicro, type) ? scoreMicro : null;

/** Converts a score on the scale to quarters of millionths of the range from 0 to 1. */
export const toQuarterMicros = (scoreMicro: string | number, type: string): number =>
  getScale(type) === fivePoints ? Number(scoreMicro) - 1_000_000 : 4 * Number(scoreMicro);

const isFivePointsSql = (row: string) =>
  `${row}.definition_type IN (${fivePointTypes.map((type) => `'${type}'`).join(", ")})`;

/** SQL, for PostgreSQL and ClickHouse, that converts an evaluation's score as `toQuarterMicros` does; `row` is its alias. */
export const quarterMicrosSql = (row: string): string =>
  `CASE WHEN ${isFivePointsSql(row)} THEN ${row}.score_micro - 1000000 ELSE 4 * ${row}.score_micro END`;

/** SQL, for PostgreSQL and ClickHouse, that returns an evaluation's score on its scale, else null; `row` is its alias. */
export const evaluationScoreSql = (row: string): string => `CASE WHEN ${isFivePointsSql(row)}
    THEN CASE WHEN ${row}.score_micro BETWEEN 1000000 AND 5000000 THEN ${row}.score_micro END
    ELSE ${testScoreSql(row)} END`;

/** SQL like `evaluationScoreSql`, for the score of a test. */
export const testScoreSql = (row: string): string =>
  `CASE WHEN ${row}.score_micro BETWEEN 0 AND 1000000 THEN ${row}.score_micro END`;

/** States the scale, as an error message does. */
export function describeScale(type: string): string {
  const { low, high } = getScale(type);
  return `Must be from ${low} to ${high}, the scale of ${type}`;
}
