// Types of a document test: its plan, questions, answers and results. Pure.

/** A title with its id, in results. */
export interface Named {
  readonly id: string;
  readonly title: string;
}

/** Text of a document or a task, for the model. */
export interface Candidate extends Named {
  readonly text: string;
}

export interface Question {
  /** Subject of the question: a task, a passage (with its document's id), or a document. */
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
  /** Reason for a missing answer. */
  readonly message: string | null;
}

interface Part {
  readonly tested: number;
  /** Null if there are more than were read. */
  readonly total: number | null;
}

export interface Scope {
  readonly documents: Part;
  readonly passages: Part;
  readonly tasks?: Part;
  readonly pairs?: Part;
}

/** Scope of the test. */
export interface Plan {
  readonly scope: Scope;
  readonly documents: readonly Named[];
  readonly tasks: readonly Named[];
}

/** JSON in the API's format. */
export type Results = { readonly [key: string]: unknown };
