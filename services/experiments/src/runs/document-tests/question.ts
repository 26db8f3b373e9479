// Types of a document test: its plan, questions, answers and results. Pure.

/** A title and id, as in results. */
export interface Named {
  readonly id: string;
  readonly title: string;
}

/** Text of a document or task that the model reads. */
export interface Candidate extends Named {
  readonly text: string;
}

export interface Question {
  /** Subject of the question: a task, a document, or a passage with the id of its document. */
  readonly subject: Candidate;
  readonly candidates: readonly Candidate[];
}

export interface FoundContradiction {
  readonly reason: string;
  readonly passageA: string;
  readonly passageB: string;
}

export interface Answer {
  /** Score for coverage or overlap, from 0 to 1. */
  readonly score: number;
  readonly reasoning: string;
  /** Indexes of the candidates that match the subject. */
  readonly matches: readonly number[];
  readonly contradictions: readonly FoundContradiction[];
}

export interface AnsweredQuestion extends Question {
  readonly answer: Answer | null;
  /** Reason why the answer is missing. */
  readonly message: string | null;
}

interface Part {
  readonly tested: number;
  /** Null if there are more than the test read. */
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

/** JSON in the format of the API. */
export type Results = { readonly [key: string]: unknown };
