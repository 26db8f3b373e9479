// What a document test asks and finds: pure.

/** What results name. */
export interface Named {
  readonly id: string;
  readonly title: string;
}

/** A text that a model reads, of a document or of a task. */
export interface Candidate extends Named {
  readonly text: string;
}

export interface Question {
  /** What is asked about: a task, a passage (with its document's id), or a document. */
  readonly subject: Candidate;
  readonly candidates: readonly Candidate[];
}

export interface FoundContradiction {
  readonly reason: string;
  readonly passageA: string;
  readonly passageB: string;
}

export interface Answer {
  /** Coverage or overlap, 0 to 1. */
  readonly score: number;
  readonly reasoning: string;
  /** Indexes of candidates. */
  readonly matches: readonly number[];
  readonly contradictions: readonly FoundContradiction[];
}

export interface AnsweredQuestion extends Question {
  readonly answer: Answer | null;
  /** Why there is no answer. */
  readonly message: string | null;
}

interface Part {
  readonly tested: number;
  /** Null when there are more than were read. */
  readonly total: number | null;
}

export interface Scope {
  readonly documents: Part;
  readonly passages: Part;
  readonly tasks?: Part;
  readonly pairs?: Part;
}

/** What is tested. */
export interface Plan {
  readonly scope: Scope;
  readonly documents: readonly Named[];
  readonly tasks: readonly Named[];
}

/** As the API shows it. */
export type Results = { readonly [key: string]: unknown };
